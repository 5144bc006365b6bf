//===- all-to-all-exit-scratch.mlir - a litmus program of the memory model ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An exit barrier closes the all-to-all where no host looks.
//
//   rank 0, launch 0: put x -> y[0]@1 signal s[0]; wait s[1] >= 1; load r010 = y[1]; barrier
//   rank 0, launch 1: put x -> y[0]@1 signal s[0]; wait s[1] >= 1; load r011 = y[1]; barrier
//   rank 1, launch 0: put x -> y[1]@0 signal s[1]; wait s[0] >= 1; load r100 = y[0]; barrier
//   rank 1, launch 1: put x -> y[1]@0 signal s[1]; wait s[0] >= 1; load r101 = y[0]; barrier
//
// ALLOW:   r010=11 r011=21
// FORBID:  r010=21
// FORBID:  r011=11
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>
!cells_2 = memref<2xi64, #gin.window>

func.func @all_to_all_exit_scratch(%x: !cell, %y: !cells_2 {gin.scratch}, %s: !gin.signals<2>,
                                   %out: memref<8xi64>)
    attributes {gin.litmus = {ranks = 2, launches = 2,
                              allow = ["r010=11 r011=21"],
                              forbid = ["r010=21", "r011=11"],
                              registers = ["r010", "r011", "r100", "r101", "h0.x[0]@0", "h0.x[0]@1",
                                "h1.x[0]@0", "h1.x[0]@1"],
                              host = @host}} {
  %me = gin.rank
  %k = gin.launch
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.index_switch %me
  case 0 {
    gin.put %x into %y[0] on 1 signal %s[0] : !cell into !cells_2, !gin.signals<2>
    gin.wait %s[1] >= 1 : !gin.signals<2>
    %r010 = memref.load %y[%c1] : !cells_2
    gin.barrier
    memref.store %r010, %out[%k] : memref<8xi64>
    scf.yield
  }
  case 1 {
    gin.put %x into %y[1] on 0 signal %s[1] : !cell into !cells_2, !gin.signals<2>
    gin.wait %s[0] >= 1 : !gin.signals<2>
    %r100 = memref.load %y[%c0] : !cells_2
    gin.barrier
    %k_plus_2 = arith.addi %k, %c2 : index
    memref.store %r100, %out[%k_plus_2] : memref<8xi64>
    scf.yield
  }
  default {
  }
  return
}

// Between launches: the host reads every window that is not scratch, and writes
// 10 * (launch + 1) + rank to it.
func.func private @host(%x: !cell, %y: !cells_2 {gin.scratch}, %s: !gin.signals<2>,
                        %out: memref<8xi64>) {
  %me = gin.rank
  %k = gin.launch
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %nth = arith.addi %k, %c1 : index
  %tens = arith.muli %nth, %c10 : index
  %number = arith.addi %tens, %me : index
  %value = arith.index_cast %number : index to i64
  %x0 = memref.load %x[%c0] : !cell
  memref.store %value, %x[%c0] : !cell
  %before = arith.muli %k, %c2 : index
  %row = arith.addi %before, %me : index
  %slot0 = arith.addi %row, %c4 : index
  memref.store %x0, %out[%slot0] : memref<8xi64>
  return
}
