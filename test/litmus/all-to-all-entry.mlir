//===- all-to-all-entry.mlir - a litmus program of the memory model -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An entry barrier closes the all-to-all.
//
//   rank 0, launch 0: barrier; put x -> y[0]@1 signal s[0]; wait s[1] >= 1; load r010 = y[1]
//   rank 0, launch 1: barrier; put x -> y[0]@1 signal s[0]; wait s[1] >= 1; load r011 = y[1]
//   rank 1, launch 0: barrier; put x -> y[1]@0 signal s[1]; wait s[0] >= 1; load r100 = y[0]
//   rank 1, launch 1: barrier; put x -> y[1]@0 signal s[1]; wait s[0] >= 1; load r101 = y[0]
//
// ALLOW:   r010=11 r011=21 h1.y[1]@0=11
// FORBID:  r010=21
// FORBID:  r010=10
// FORBID:  r011=20
// FORBID:  r011=11
// FORBID:  h1.y[1]@0=21
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>
!cells_2 = memref<2xi64, #gin.window>

func.func @all_to_all_entry(%x: !cell, %y: !cells_2, %s: !gin.signals<2>, %out: memref<16xi64>)
    attributes {gin.litmus = {ranks = 2, launches = 2,
                              allow = ["r010=11 r011=21 h1.y[1]@0=11"],
                              forbid = ["r010=21", "r010=10", "r011=20", "r011=11", "h1.y[1]@0=21"],
                              registers = ["r010", "r011", "r100", "r101", "h0.x[0]@0", "h0.y[0]@0",
                                "h0.y[1]@0", "h0.x[0]@1", "h0.y[0]@1", "h0.y[1]@1", "h1.x[0]@0",
                                "h1.y[0]@0", "h1.y[1]@0", "h1.x[0]@1", "h1.y[0]@1", "h1.y[1]@1"],
                              host = @host}} {
  %me = gin.rank
  %k = gin.launch
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.index_switch %me
  case 0 {
    gin.barrier
    gin.put %x into %y[0] on 1 signal %s[0] : !cell into !cells_2, !gin.signals<2>
    gin.wait %s[1] >= 1 : !gin.signals<2>
    %r010 = memref.load %y[%c1] : !cells_2
    memref.store %r010, %out[%k] : memref<16xi64>
    scf.yield
  }
  case 1 {
    gin.barrier
    gin.put %x into %y[1] on 0 signal %s[1] : !cell into !cells_2, !gin.signals<2>
    gin.wait %s[0] >= 1 : !gin.signals<2>
    %r100 = memref.load %y[%c0] : !cells_2
    %k_plus_2 = arith.addi %k, %c2 : index
    memref.store %r100, %out[%k_plus_2] : memref<16xi64>
    scf.yield
  }
  default {
  }
  return
}

// Between launches: the host reads every window that is not scratch, and writes
// 10 * (launch + 1) + rank to it.
func.func private @host(%x: !cell, %y: !cells_2, %s: !gin.signals<2>, %out: memref<16xi64>) {
  %me = gin.rank
  %k = gin.launch
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c10 = arith.constant 10 : index
  %nth = arith.addi %k, %c1 : index
  %tens = arith.muli %nth, %c10 : index
  %number = arith.addi %tens, %me : index
  %value = arith.index_cast %number : index to i64
  %x0 = memref.load %x[%c0] : !cell
  memref.store %value, %x[%c0] : !cell
  %y0 = memref.load %y[%c0] : !cells_2
  memref.store %value, %y[%c0] : !cells_2
  %y1 = memref.load %y[%c1] : !cells_2
  memref.store %value, %y[%c1] : !cells_2
  %before = arith.muli %k, %c2 : index
  %row = arith.addi %before, %me : index
  %start = arith.muli %row, %c3 : index
  %slot0 = arith.addi %start, %c4 : index
  memref.store %x0, %out[%slot0] : memref<16xi64>
  %slot1 = arith.addi %start, %c5 : index
  memref.store %y0, %out[%slot1] : memref<16xi64>
  %slot2 = arith.addi %start, %c6 : index
  memref.store %y1, %out[%slot2] : memref<16xi64>
  return
}
