//===- early-arrival-probe.mlir - a litmus program of the memory model ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A test sees a later launch's arrival early, also where nothing waits.
//
//   rank 0, launch 0: signal s@1
//   rank 0, launch 1: signal s@1
//   rank 1, launch 0: test f0 = s >= 1
//   rank 1, launch 1: test f1 = s >= 1
//
// ALLOW:   f0=0 f1=0
// ALLOW:   f0=0 f1=1
// ALLOW:   f0=1 f1=1
// VERDICT: not-closed s@1, unconsumed-signal s@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s


func.func @early_arrival_probe(%s: !gin.signals<1>, %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2, launches = 2,
                              allow = ["f0=0 f1=0", "f0=0 f1=1", "f0=1 f1=1"],
                              verdict = ["not-closed s@1", "unconsumed-signal s@1"],
                              registers = ["f0", "f1"]}} {
  %me = gin.rank
  %k = gin.launch
  scf.index_switch %me
  case 0 {
    gin.signal %s[0] on 1 : !gin.signals<1>
    scf.yield
  }
  case 1 {
    %f0 = gin.test %s[0] >= 1 : !gin.signals<1>
    %f0_out = arith.extui %f0 : i1 to i64
    memref.store %f0_out, %out[%k] : memref<2xi64>
    scf.yield
  }
  default {
  }
  return
}
