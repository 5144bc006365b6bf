//===- same-place.mlir - a litmus program of the memory model -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A put onto itself is a no-op that still signals.
//
//   rank 0: store x = 1; put x -> x@0 signal s; load r = x; wait s >= 1
//
// ALLOW:   r=1
// FORBID:  r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @same_place(%x: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 1, allow = ["r=1"], forbid = ["r=0"], registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    gin.put %x into %x[0] on 0 signal %s[0] : !cell into !cell, !gin.signals<1>
    %r = memref.load %x[%c0] : !cell
    gin.wait %s[0] >= 1 : !gin.signals<1>
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
