//===- get-await.mlir - a litmus program of the memory model --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A get's data is there after its token.
//
//   rank 0: barrier; get y@1 -> z as g; await g; load r = z
//   rank 1: store y = 1; barrier
//
// ALLOW:   r=1
// FORBID:  r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @get_await(%y: !cell, %z: !cell, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2, allow = ["r=1"], forbid = ["r=0"], registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.barrier
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
