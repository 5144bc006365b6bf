//===- atomic-view-own.mlir - a litmus program of the memory model --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An atomic access through a memref is ordered like a store: the agent sees it.
//
//   rank 0: add y += 1; load r = y
//
// ALLOW:   r=1
// FORBID:  r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @atomic_view_own(%y: !cell, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 1, allow = ["r=1"], forbid = ["r=0"], registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    memref.atomic_rmw addi %v1, %y[%c0] : (i64, !cell) -> i64
    %r = memref.load %y[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
