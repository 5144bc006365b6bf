//===- get-over-store.mlir - a litmus program of the memory model ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A get's destination is written after the agent's earlier stores to it.
//
//   rank 0: barrier; store z = 5; get y@1 -> z as g; await g; load r = z
//   rank 1: store y = 1; barrier
//
// ALLOW:   r=1
// FORBID:  r=0
// FORBID:  r=5
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @get_over_store(%z: !cell, %y: !cell, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["r=1"],
                              forbid = ["r=0", "r=5"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v5 = arith.constant 5 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.barrier
    memref.store %v5, %z[%c0] : !cell
    %g = gin.get %y[0] on 1 into %z -> !gin.token : !cell into !cell
    gin.await %g
    %r = memref.load %z[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  case 1 {
    memref.store %v1, %y[%c0] : !cell
    gin.barrier
    scf.yield
  }
  default {
  }
  return
}
