//===- all-to-all.mlir - a litmus program of the memory model -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An all-to-all is right once.
//
//   rank 0: store x = 1; put x -> y[0]@1 signal s[0]; wait s[1] >= 1; load r010 = y[1]
//   rank 1: store x = 2; put x -> y[1]@0 signal s[1]; wait s[0] >= 1; load r100 = y[0]
//
// ALLOW:   r010=2 r100=1
// FORBID:  r010=0
// FORBID:  r100=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>
!cells_2 = memref<2xi64, #gin.window>

func.func @all_to_all(%x: !cell, %y: !cells_2, %s: !gin.signals<2>, %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["r010=2 r100=1"],
                              forbid = ["r010=0", "r100=0"],
                              registers = ["r010", "r100"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    gin.put %x into %y[0] on 1 signal %s[0] : !cell into !cells_2, !gin.signals<2>
    gin.wait %s[1] >= 1 : !gin.signals<2>
    %r010 = memref.load %y[%c1] : !cells_2
    memref.store %r010, %out[%c0] : memref<2xi64>
    scf.yield
  }
  case 1 {
    memref.store %v2, %x[%c0] : !cell
    gin.put %x into %y[1] on 0 signal %s[1] : !cell into !cells_2, !gin.signals<2>
    gin.wait %s[0] >= 1 : !gin.signals<2>
    %r100 = memref.load %y[%c0] : !cells_2
    memref.store %r100, %out[%c1] : memref<2xi64>
    scf.yield
  }
  default {
  }
  return
}
