//===- barrier-global.mlir - a litmus program of the memory model ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Barrier global covers puts to third ranks.
//
//   rank 0: put 1 -> y@1; barrier global
//   rank 1: barrier global
//   rank 2: barrier global; get y@1 -> z as g; await g; load r = z
//
// ALLOW:   r=1
// FORBID:  r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @barrier_global(%y: !cell, %z: !cell, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 3, allow = ["r=1"], forbid = ["r=0"], registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 1 : i64 into !cell
    gin.barrier global
    scf.yield
  }
  case 1 {
    gin.barrier global
    scf.yield
  }
  case 2 {
    gin.barrier global
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
