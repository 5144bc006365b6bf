//===- cyclic-waits.mlir - a litmus program of the memory model -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two ranks that wait for each other first.
//
//   rank 0: wait s >= 1; signal t@1
//   rank 1: wait t >= 1; signal s@0
//
// VERDICT: deadlock
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s


func.func @cyclic_waits(%s: !gin.signals<1>, %t: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2, verdict = ["deadlock"]}} {
  %me = gin.rank
  scf.index_switch %me
  case 0 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    gin.signal %t[0] on 1 : !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %t[0] >= 1 : !gin.signals<1>
    gin.signal %s[0] on 0 : !gin.signals<1>
    scf.yield
  }
  default {
  }
  return
}
