//===- get-then-signal.mlir - a litmus program of the memory model --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A signal does not cover a pending get.
//
//   rank 0: get y@1 -> z as g; signal s@1; await g; load r = z
//   rank 1: wait s >= 1; store y = 1
//
// ALLOW:   r=0
// ALLOW:   r=1
// VERDICT: race y@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @get_then_signal(%y: !cell, %z: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["r=0", "r=1"],
                              verdict = ["race y@1"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    %g = gin.get %y[0] on 1 into %z -> !gin.token : !cell into !cell
    gin.signal %s[0] on 1 : !gin.signals<1>
    gin.await %g
    %r = memref.load %z[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    memref.store %v1, %y[%c0] : !cell
    scf.yield
  }
  default {
  }
  return
}
