//===- weights.mlir - a litmus program of the memory model ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rule 5 counts weight: 1 from elsewhere cannot make 2.
//
//   rank 0: put 1 -> y@2 signal s add 2
//   rank 1: signal s@2
//   rank 2: wait s >= 2; load r = y; wait s >= 3
//
// ALLOW:   r=1
// FORBID:  r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @weights(%y: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 3, allow = ["r=1"], forbid = ["r=0"], registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 2 signal %s[0] add 2 : i64 into !cell, !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.signal %s[0] on 2 : !gin.signals<1>
    scf.yield
  }
  case 2 {
    gin.wait %s[0] >= 2 : !gin.signals<1>
    %r = memref.load %y[%c0] : !cell
    gin.wait %s[0] >= 3 : !gin.signals<1>
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
