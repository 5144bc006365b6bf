//===- waw-two-sources.mlir - a litmus program of the memory model --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Puts to one address from two agents are unordered.
//
//   rank 0: put 1 -> y@2 signal s
//   rank 1: put 2 -> y@2 signal s
//   rank 2: wait s >= 2; load r = y
//
// ALLOW:   r=1
// ALLOW:   r=2
// FORBID:  r=0
// VERDICT: race y@2
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @waw_two_sources(%y: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 3,
                              allow = ["r=1", "r=2"],
                              forbid = ["r=0"],
                              verdict = ["race y@2"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 2 signal %s[0] : i64 into !cell, !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.put_value %v2 into %y[0] on 2 signal %s[0] : i64 into !cell, !gin.signals<1>
    scf.yield
  }
  case 2 {
    gin.wait %s[0] >= 2 : !gin.signals<1>
    %r = memref.load %y[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
