//===- carried-by-bundled.mlir - a litmus program of the memory model -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A put's delivery carries what its agent acquired.
//
//   rank 0: wait t >= 1; get y@1 -> z as g; await g; load r = z
//   rank 1: wait s >= 1; put 3 -> w@0 signal t
//   rank 2: put 1 -> y@1 signal s
//
// ALLOW:   r=1
// FORBID:  r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @carried_by_bundled(%y: !cell, %z: !cell, %w: !cell, %t: !gin.signals<1>,
                              %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 3, allow = ["r=1"], forbid = ["r=0"], registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v3 = arith.constant 3 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.wait %t[0] >= 1 : !gin.signals<1>
    %g = gin.get %y[0] on 1 into %z -> !gin.token : !cell into !cell
    gin.await %g
    %r = memref.load %z[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    gin.put_value %v3 into %w[0] on 0 signal %t[0] : i64 into !cell, !gin.signals<1>
    scf.yield
  }
  case 2 {
    gin.put_value %v1 into %y[0] on 1 signal %s[0] : i64 into !cell, !gin.signals<1>
    scf.yield
  }
  default {
  }
  return
}
