//===- uncovered.mlir - a litmus program of the memory model --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A put that no awaited arrival covers could land in a later launch.
//
//   rank 0: put 1 -> y@1 as p; await p
//   rank 1: (nothing)
//
// ALLOW:   y[0]@1=1
// VERDICT: uncovered-put y@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @uncovered(%y: !cell, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2, allow = ["y[0]@1=1"], verdict = ["uncovered-put y@1"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  scf.index_switch %me
  case 0 {
    %p = gin.put_value %v1 into %y[0] on 1 -> !gin.token : i64 into !cell
    gin.await %p
    scf.yield
  }
  default {
  }
  return
}
