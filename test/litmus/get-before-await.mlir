//===- get-before-await.mlir - a litmus program of the memory model -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A get's data may not be there before its token.
//
//   rank 0: barrier; get y@1 -> z as g; load r = z; await g
//   rank 1: store y = 1; barrier
//
// ALLOW:   r=0
// ALLOW:   r=1
// VERDICT: race z@0
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @get_before_await(%y: !cell, %z: !cell, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["r=0", "r=1"],
                              verdict = ["race z@0"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.barrier
    %g = gin.get %y[0] on 1 into %z -> !gin.token : !cell into !cell
    %r = memref.load %z[%c0] : !cell
    gin.await %g
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
