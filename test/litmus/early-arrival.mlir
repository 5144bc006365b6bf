//===- early-arrival.mlir - a litmus program of the memory model ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A probe sees a later launch's arrival early.
//
//   rank 0, launch 0: put 1 -> y[0]@1 signal s
//   rank 0, launch 1: put 2 -> y[1]@1 signal s
//   rank 1, launch 0: wait s >= 1; test f0 = s >= 2
//   rank 1, launch 1: wait s >= 1; test f1 = s >= 2
//
// ALLOW:   f0=0 f1=0
// VERDICT: deadlock, not-closed s@1, not-closed y@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cells_2 = memref<2xi64, #gin.window>

func.func @early_arrival(%y: !cells_2, %s: !gin.signals<1>, %out: memref<10xi64>)
    attributes {gin.litmus = {ranks = 2, launches = 2,
                              allow = ["f0=0 f1=0"],
                              verdict = ["deadlock", "not-closed s@1", "not-closed y@1"],
                              registers = ["f0", "f1", "h0.y[0]@0", "h0.y[1]@0", "h0.y[0]@1",
                                "h0.y[1]@1", "h1.y[0]@0", "h1.y[1]@0", "h1.y[0]@1", "h1.y[1]@1"],
                              host = @host}} {
  %me = gin.rank
  %k = gin.launch
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    %k_plus_1 = arith.addi %k, %c1 : index
    %value = arith.index_cast %k_plus_1 : index to i64
    gin.put_value %value into %y[%k] on 1 signal %s[0] : i64 into !cells_2, !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %f0 = gin.test %s[0] >= 2 : !gin.signals<1>
    %f0_out = arith.extui %f0 : i1 to i64
    memref.store %f0_out, %out[%k] : memref<10xi64>
    scf.yield
  }
  default {
  }
  return
}

// Between launches: the host reads every window that is not scratch, and writes
// 10 * (launch + 1) + rank to it.
func.func private @host(%y: !cells_2, %s: !gin.signals<1>, %out: memref<10xi64>) {
  %me = gin.rank
  %k = gin.launch
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %nth = arith.addi %k, %c1 : index
  %tens = arith.muli %nth, %c10 : index
  %number = arith.addi %tens, %me : index
  %value = arith.index_cast %number : index to i64
  %y0 = memref.load %y[%c0] : !cells_2
  memref.store %value, %y[%c0] : !cells_2
  %y1 = memref.load %y[%c1] : !cells_2
  memref.store %value, %y[%c1] : !cells_2
  %before = arith.muli %k, %c2 : index
  %row = arith.addi %before, %me : index
  %start = arith.muli %row, %c2 : index
  %slot0 = arith.addi %start, %c2 : index
  memref.store %y0, %out[%slot0] : memref<10xi64>
  %slot1 = arith.addi %start, %c3 : index
  memref.store %y1, %out[%slot1] : memref<10xi64>
  return
}
