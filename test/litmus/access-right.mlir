//===- access-right.mlir - a litmus program of the memory model -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A gin.source window is its own rank's alone.
//
//   rank 0: put 1 -> y@1 signal s
//   rank 1: wait s >= 1
//
// VERDICT: access-right
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @access_right(%y: !cell {gin.source}, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2, verdict = ["access-right"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 1 signal %s[0] : i64 into !cell, !gin.signals<1>
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
