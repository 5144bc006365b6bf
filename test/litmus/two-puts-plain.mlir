//===- two-puts-plain.mlir - a litmus program of the memory model ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One plain signal covers both puts.
//
//   rank 0: store x = 1; put x -> y@1; put 2 -> z@1; signal s@1
//   rank 1: wait s >= 1; load a = y; load b = z
//
// ALLOW:   a=1 b=2
// FORBID:  a=0
// FORBID:  b=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @two_puts_plain(%x: !cell, %y: !cell, %z: !cell, %s: !gin.signals<1>,
                          %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["a=1 b=2"],
                              forbid = ["a=0", "b=0"],
                              registers = ["a", "b"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    gin.put %x into %y[0] on 1 : !cell into !cell
    gin.put_value %v2 into %z[0] on 1 : i64 into !cell
    gin.signal %s[0] on 1 : !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %a = memref.load %y[%c0] : !cell
    %b = memref.load %z[%c0] : !cell
    memref.store %a, %out[%c0] : memref<2xi64>
    memref.store %b, %out[%c1] : memref<2xi64>
    scf.yield
  }
  default {
  }
  return
}
