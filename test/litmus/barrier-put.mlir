//===- barrier-put.mlir - a litmus program of the memory model ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A barrier covers puts to the waiting rank, on any context.
//
//   rank 0: put 1 -> y@1 ctx 1; barrier
//   rank 1: barrier; load r = y
//
// ALLOW:   r=1
// FORBID:  r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @barrier_put(%y: !cell, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2, allow = ["r=1"], forbid = ["r=0"], registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 1 context 1 : i64 into !cell
    gin.barrier
    scf.yield
  }
  case 1 {
    gin.barrier
    %r = memref.load %y[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
