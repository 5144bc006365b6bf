//===- barrier-third.mlir - a litmus program of the memory model ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A barrier does not cover puts to third ranks.
//
//   rank 0: put 1 -> y@1; barrier
//   rank 1: barrier
//   rank 2: barrier; get y@1 -> z as g; await g; load r = z
//
// ALLOW:   r=0
// ALLOW:   r=1
// VERDICT: race y@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @barrier_third(%y: !cell, %z: !cell, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 3,
                              allow = ["r=0", "r=1"],
                              verdict = ["race y@1"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 1 : i64 into !cell
    gin.barrier
    scf.yield
  }
  case 1 {
    gin.barrier
    scf.yield
  }
  case 2 {
    gin.barrier
    %g = gin.get %y[0] on 1 into %z -> !gin.token : !cell into !cell
    gin.await %g
    %r = memref.load %z[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
