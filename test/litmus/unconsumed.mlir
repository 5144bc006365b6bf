//===- unconsumed.mlir - a litmus program of the memory model -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One arrival more than anyone waits for.
//
//   rank 0: signal s@1; signal s@1
//   rank 1: wait s >= 1
//
// VERDICT: unconsumed-signal s@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s


func.func @unconsumed(%s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2, verdict = ["unconsumed-signal s@1"]}} {
  %me = gin.rank
  scf.index_switch %me
  case 0 {
    gin.signal %s[0] on 1 : !gin.signals<1>
    gin.signal %s[0] on 1 : !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    scf.yield
  }
  default {
  }
  return
}
