//===- put-value.mlir - a litmus program of the memory model --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Put_value reads its value at issue.
//
//   rank 0: put 7 -> y@1 signal s
//   rank 1: wait s >= 1; load r = y
//
// ALLOW:   r=7
// FORBID:  r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @put_value(%y: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2, allow = ["r=7"], forbid = ["r=0"], registers = ["r"]}} {
  %me = gin.rank
  %v7 = arith.constant 7 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v7 into %y[0] on 1 signal %s[0] : i64 into !cell, !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %r = memref.load %y[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
