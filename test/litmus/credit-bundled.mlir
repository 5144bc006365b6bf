//===- credit-bundled.mlir - a litmus program of the memory model ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A credit that is bundled with a put does not release earlier loads.
//
//   rank 0: put 1 -> y@1 signal s[0]; wait c >= 1; put 2 -> y@1 signal s[1]
//   rank 1: wait s[0] >= 1; load a = y; put 3 -> w@0 signal c; wait s[1] >= 1; load b = y
//
// ALLOW:   a=1 b=2
// ALLOW:   a=2 b=2
// FORBID:  b=1
// VERDICT: race y@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @credit_bundled(%y: !cell, %w: !cell, %s: !gin.signals<2>, %c: !gin.signals<1>,
                          %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["a=1 b=2", "a=2 b=2"],
                              forbid = ["b=1"],
                              verdict = ["race y@1"],
                              registers = ["a", "b"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %v3 = arith.constant 3 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 1 signal %s[0] : i64 into !cell, !gin.signals<2>
    gin.wait %c[0] >= 1 : !gin.signals<1>
    gin.put_value %v2 into %y[0] on 1 signal %s[1] : i64 into !cell, !gin.signals<2>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<2>
    %a = memref.load %y[%c0] : !cell
    gin.put_value %v3 into %w[0] on 0 signal %c[0] : i64 into !cell, !gin.signals<1>
    gin.wait %s[1] >= 1 : !gin.signals<2>
    %b = memref.load %y[%c0] : !cell
    memref.store %a, %out[%c0] : memref<2xi64>
    memref.store %b, %out[%c1] : memref<2xi64>
    scf.yield
  }
  default {
  }
  return
}
