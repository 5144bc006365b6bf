//===- accumulate.mlir - a litmus program of the memory model -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Accumulating deliveries add, in any order.
//
//   rank 0: store x = 1; put x -> y@2 accumulate signal s
//   rank 1: store x = 2; put x -> y@2 accumulate signal s
//   rank 2: wait s >= 2; load r = y
//
// ALLOW:   r=3
// FORBID:  r=0
// FORBID:  r=1
// FORBID:  r=2
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @accumulate(%x: !cell, %y: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 3,
                              allow = ["r=3"],
                              forbid = ["r=0", "r=1", "r=2"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    gin.put %x into %y[0] on 2 accumulate signal %s[0] : !cell into !cell, !gin.signals<1>
    scf.yield
  }
  case 1 {
    memref.store %v2, %x[%c0] : !cell
    gin.put %x into %y[0] on 2 accumulate signal %s[0] : !cell into !cell, !gin.signals<1>
    scf.yield
  }
  case 2 {
    gin.wait %s[0] >= 2 : !gin.signals<1>
    %r = memref.load %y[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
