//===- wait-too-many.mlir - a litmus program of the memory model ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A wait for one arrival more than anyone sends.
//
//   rank 0: signal s@1
//   rank 1: wait s >= 2
//
// VERDICT: deadlock
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s


func.func @wait_too_many(%s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2, verdict = ["deadlock"]}} {
  %me = gin.rank
  scf.index_switch %me
  case 0 {
    gin.signal %s[0] on 1 : !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 2 : !gin.signals<1>
    scf.yield
  }
  default {
  }
  return
}
