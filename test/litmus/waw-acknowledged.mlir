//===- waw-acknowledged.mlir - a litmus program of the memory model -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A reply to the first put orders the second.
//
//   rank 0: put 1 -> y@1 signal s[0]; wait t >= 1; put 2 -> y@1 signal s[1]
//   rank 1: wait s[0] >= 1; signal t@0 relaxed; wait s[1] >= 1; load r = y
//
// ALLOW:   r=2
// FORBID:  r=0
// FORBID:  r=1
// FORBID:  y[0]@1=1
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @waw_acknowledged(%y: !cell, %s: !gin.signals<2>, %t: !gin.signals<1>,
                            %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["r=2"],
                              forbid = ["r=0", "r=1", "y[0]@1=1"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 1 signal %s[0] : i64 into !cell, !gin.signals<2>
    gin.wait %t[0] >= 1 : !gin.signals<1>
    gin.put_value %v2 into %y[0] on 1 signal %s[1] : i64 into !cell, !gin.signals<2>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<2>
    gin.signal %t[0] on 0 relaxed : !gin.signals<1>
    gin.wait %s[1] >= 1 : !gin.signals<2>
    %r = memref.load %y[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
