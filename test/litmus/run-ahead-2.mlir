//===- run-ahead-2.mlir - a litmus program of the memory model ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A rank that may run one launch ahead may run many: no race in two launches, but not closed.
//
//   rank 0, launch 0: signal s@1
//   rank 0, launch 1: signal s@1
//   rank 1, launch 0: put 1 -> y@1 signal s add 2; wait s >= 3; load r0 = y
//   rank 1, launch 1: put 2 -> y@1 signal s add 2; wait s >= 3; load r1 = y
//
// ALLOW:   r0=1 r1=2
// FORBID:  r0=0
// VERDICT: not-closed s@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @run_ahead_2(%y: !cell {gin.scratch}, %s: !gin.signals<1>, %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2, launches = 2,
                              allow = ["r0=1 r1=2"],
                              forbid = ["r0=0"],
                              verdict = ["not-closed s@1"],
                              registers = ["r0", "r1"]}} {
  %me = gin.rank
  %k = gin.launch
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    gin.signal %s[0] on 1 : !gin.signals<1>
    scf.yield
  }
  case 1 {
    %k_plus_1 = arith.addi %k, %c1 : index
    %value = arith.index_cast %k_plus_1 : index to i64
    gin.put_value %value into %y[0] on 1 signal %s[0] add 2 : i64 into !cell, !gin.signals<1>
    gin.wait %s[0] >= 3 : !gin.signals<1>
    %r0 = memref.load %y[%c0] : !cell
    memref.store %r0, %out[%k] : memref<2xi64>
    scf.yield
  }
  default {
  }
  return
}
