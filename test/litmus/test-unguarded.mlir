//===- test-unguarded.mlir - a litmus program of the memory model ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A test that fails acquires nothing.
//
//   rank 0: put 1 -> y@1 signal s
//   rank 1: test f = s >= 1; load r = y; wait s >= 1
//
// ALLOW:   f=0 r=0
// ALLOW:   f=0 r=1
// ALLOW:   f=1 r=1
// FORBID:  f=1 r=0
// VERDICT: race y@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @test_unguarded(%y: !cell, %s: !gin.signals<1>, %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["f=0 r=0", "f=0 r=1", "f=1 r=1"],
                              forbid = ["f=1 r=0"],
                              verdict = ["race y@1"],
                              registers = ["f", "r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 1 signal %s[0] : i64 into !cell, !gin.signals<1>
    scf.yield
  }
  case 1 {
    %f = gin.test %s[0] >= 1 : !gin.signals<1>
    %f_out = arith.extui %f : i1 to i64
    %r = memref.load %y[%c0] : !cell
    gin.wait %s[0] >= 1 : !gin.signals<1>
    memref.store %f_out, %out[%c0] : memref<2xi64>
    memref.store %r, %out[%c1] : memref<2xi64>
    scf.yield
  }
  default {
  }
  return
}
