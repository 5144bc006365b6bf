//===- third-rank.mlir - a litmus program of the memory model -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// No cover through a third rank.
//
//   rank 0: put 1 -> y@2; signal s@1
//   rank 1: wait s >= 1; signal t@2
//   rank 2: wait t >= 1; load r = y
//
// ALLOW:   r=0
// ALLOW:   r=1
// VERDICT: race y@2, uncovered-put y@2
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @third_rank(%y: !cell, %s: !gin.signals<1>, %t: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 3,
                              allow = ["r=0", "r=1"],
                              verdict = ["race y@2", "uncovered-put y@2"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 2 : i64 into !cell
    gin.signal %s[0] on 1 : !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    gin.signal %t[0] on 2 : !gin.signals<1>
    scf.yield
  }
  case 2 {
    gin.wait %t[0] >= 1 : !gin.signals<1>
    %r = memref.load %y[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
