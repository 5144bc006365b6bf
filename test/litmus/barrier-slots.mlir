//===- barrier-slots.mlir - a litmus program of the memory model ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One summed counter would let rank 0's second barrier stand for rank 1's first.
//
//   rank 0: barrier; barrier
//   rank 1: put 1 -> y@2; barrier; barrier
//   rank 2: barrier; load r = y; barrier
//
// ALLOW:   r=1
// FORBID:  r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @barrier_slots(%y: !cell, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 3, allow = ["r=1"], forbid = ["r=0"], registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.barrier
    gin.barrier
    scf.yield
  }
  case 1 {
    gin.put_value %v1 into %y[0] on 2 : i64 into !cell
    gin.barrier
    gin.barrier
    scf.yield
  }
  case 2 {
    gin.barrier
    %r = memref.load %y[%c0] : !cell
    gin.barrier
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
