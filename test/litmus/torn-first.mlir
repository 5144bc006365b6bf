//===- torn-first.mlir - a litmus program of the memory model -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A put is delivered in pieces: its first cell may come before its last.
//
//   rank 0: store x[0] = 1; store x[1] = 1; put x[0:2] -> y[0:2]@1 signal s
//   rank 1: load a = y[0]; signal u@1; wait u >= 1; load b = y[1]; wait s >= 1
//
// ALLOW:   a=1 b=0
// ALLOW:   a=0 b=1
// ALLOW:   a=1 b=1
// ALLOW:   a=0 b=0
// VERDICT: race y@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cells_2 = memref<2xi64, #gin.window>

func.func @torn_first(%x: !cells_2, %y: !cells_2, %s: !gin.signals<1>, %u: !gin.signals<1>,
                      %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["a=1 b=0", "a=0 b=1", "a=1 b=1", "a=0 b=0"],
                              verdict = ["race y@1"],
                              registers = ["a", "b"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cells_2
    memref.store %v1, %x[%c1] : !cells_2
    gin.put %x into %y[0] on 1 signal %s[0] : !cells_2 into !cells_2, !gin.signals<1>
    scf.yield
  }
  case 1 {
    %a = memref.load %y[%c0] : !cells_2
    gin.signal %u[0] on 1 : !gin.signals<1>
    gin.wait %u[0] >= 1 : !gin.signals<1>
    %b = memref.load %y[%c1] : !cells_2
    gin.wait %s[0] >= 1 : !gin.signals<1>
    memref.store %a, %out[%c0] : memref<2xi64>
    memref.store %b, %out[%c1] : memref<2xi64>
    scf.yield
  }
  default {
  }
  return
}
