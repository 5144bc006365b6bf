//===- no-credit.mlir - a litmus program of the memory model --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Double buffering without a credit: overwritten before it is read.
//
//   rank 0: put 1 -> y@1 signal s[0]; put 2 -> y@1 signal s[1]
//   rank 1: wait s[0] >= 1; load a = y; wait s[1] >= 1
//
// ALLOW:   a=1
// ALLOW:   a=2
// FORBID:  a=0
// VERDICT: race y@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @no_credit(%y: !cell, %s: !gin.signals<2>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["a=1", "a=2"],
                              forbid = ["a=0"],
                              verdict = ["race y@1"],
                              registers = ["a"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 1 signal %s[0] : i64 into !cell, !gin.signals<2>
    gin.put_value %v2 into %y[0] on 1 signal %s[1] : i64 into !cell, !gin.signals<2>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<2>
    %a = memref.load %y[%c0] : !cell
    gin.wait %s[1] >= 1 : !gin.signals<2>
    memref.store %a, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
