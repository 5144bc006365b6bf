//===- launch-end.mlir - a litmus program of the memory model -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A launch ends when its puts are done: the next host step may write their sources.
//
//   rank 0, launch 0: put x -> y[0]@1 signal s[0]
//   rank 0, launch 1: put x -> y[1]@1 signal s[1]
//   rank 1, launch 0: wait s[0] >= 1; load r0 = y[0]
//   rank 1, launch 1: wait s[1] >= 1; load r1 = y[1]
//
// ALLOW:   r0=10 r1=20
// FORBID:  r0=20
// FORBID:  r0=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>
!cells_2 = memref<2xi64, #gin.window>

func.func @launch_end(%x: !cell, %y: !cells_2 {gin.scratch}, %s: !gin.signals<2>,
                      %out: memref<6xi64>)
    attributes {gin.litmus = {ranks = 2, launches = 2,
                              allow = ["r0=10 r1=20"],
                              forbid = ["r0=20", "r0=0"],
                              registers = ["r0", "r1", "h0.x[0]@0", "h0.x[0]@1", "h1.x[0]@0",
                                "h1.x[0]@1"],
                              host = @host}} {
  %me = gin.rank
  %k = gin.launch
  scf.index_switch %me
  case 0 {
    gin.put %x into %y[%k] on 1 signal %s[%k] : !cell into !cells_2, !gin.signals<2>
    scf.yield
  }
  case 1 {
    gin.wait %s[%k] >= 1 : !gin.signals<2>
    %r0 = memref.load %y[%k] : !cells_2
    memref.store %r0, %out[%k] : memref<6xi64>
    scf.yield
  }
  default {
  }
  return
}

// Between launches: the host reads every window that is not scratch, and writes
// 10 * (launch + 1) + rank to it.
func.func private @host(%x: !cell, %y: !cells_2 {gin.scratch}, %s: !gin.signals<2>,
                        %out: memref<6xi64>) {
  %me = gin.rank
  %k = gin.launch
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %nth = arith.addi %k, %c1 : index
  %tens = arith.muli %nth, %c10 : index
  %number = arith.addi %tens, %me : index
  %value = arith.index_cast %number : index to i64
  %x0 = memref.load %x[%c0] : !cell
  memref.store %value, %x[%c0] : !cell
  %before = arith.muli %k, %c2 : index
  %row = arith.addi %before, %me : index
  %slot0 = arith.addi %row, %c2 : index
  memref.store %x0, %out[%slot0] : memref<6xi64>
  return
}
