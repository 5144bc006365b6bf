//===- relay.mlir - a litmus program of the memory model ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Issue → source read: what a wait acquired reaches the source reads of later puts.
//
//   rank 0: put 1 -> y@1 signal s
//   rank 1: wait s >= 1; put y -> z@2 signal t
//   rank 2: wait t >= 1; load r = z
//
// ALLOW:   r=1
// FORBID:  r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @relay(%y: !cell, %z: !cell, %s: !gin.signals<1>, %t: !gin.signals<1>,
                 %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 3, allow = ["r=1"], forbid = ["r=0"], registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 1 signal %s[0] : i64 into !cell, !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    gin.put %y into %z[0] on 2 signal %t[0] : !cell into !cell, !gin.signals<1>
    scf.yield
  }
  case 2 {
    gin.wait %t[0] >= 1 : !gin.signals<1>
    %r = memref.load %z[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
