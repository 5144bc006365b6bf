//===- barrier-branch.mlir - a litmus program of the memory model ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A collective under a rank-dependent branch.
//
//   rank 0: barrier
//   rank 1: signal s@1; wait s >= 1
//
// VERDICT: deadlock
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s


func.func @barrier_branch(%s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2, verdict = ["deadlock"]}} {
  %me = gin.rank
  scf.index_switch %me
  case 0 {
    gin.barrier
    scf.yield
  }
  case 1 {
    gin.signal %s[0] on 1 : !gin.signals<1>
    gin.wait %s[0] >= 1 : !gin.signals<1>
    scf.yield
  }
  default {
  }
  return
}
