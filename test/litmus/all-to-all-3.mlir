//===- all-to-all-3.mlir - a litmus program of the memory model -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An all-to-all on three ranks.
//
//   rank 0: store x = 1; put x -> y[0]@1 signal s[0]; put x -> y[0]@2 signal s[0]; wait s[1] >= 1;
//           load r010 = y[1]; wait s[2] >= 1; load r020 = y[2]
//   rank 1: store x = 2; put x -> y[1]@0 signal s[1]; put x -> y[1]@2 signal s[1]; wait s[0] >= 1;
//           load r100 = y[0]; wait s[2] >= 1; load r120 = y[2]
//   rank 2: store x = 3; put x -> y[2]@0 signal s[2]; put x -> y[2]@1 signal s[2]; wait s[0] >= 1;
//           load r200 = y[0]; wait s[1] >= 1; load r210 = y[1]
//
// ALLOW:   r010=2 r120=3
// FORBID:  r010=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>
!cells_3 = memref<3xi64, #gin.window>

func.func @all_to_all_3(%x: !cell, %y: !cells_3, %s: !gin.signals<3>, %out: memref<6xi64>)
    attributes {gin.litmus = {ranks = 3,
                              allow = ["r010=2 r120=3"],
                              forbid = ["r010=0"],
                              registers = ["r010", "r020", "r100", "r120", "r200", "r210"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %v3 = arith.constant 3 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    gin.put %x into %y[0] on 1 signal %s[0] : !cell into !cells_3, !gin.signals<3>
    gin.put %x into %y[0] on 2 signal %s[0] : !cell into !cells_3, !gin.signals<3>
    gin.wait %s[1] >= 1 : !gin.signals<3>
    %r010 = memref.load %y[%c1] : !cells_3
    gin.wait %s[2] >= 1 : !gin.signals<3>
    %r020 = memref.load %y[%c2] : !cells_3
    memref.store %r010, %out[%c0] : memref<6xi64>
    memref.store %r020, %out[%c1] : memref<6xi64>
    scf.yield
  }
  case 1 {
    memref.store %v2, %x[%c0] : !cell
    gin.put %x into %y[1] on 0 signal %s[1] : !cell into !cells_3, !gin.signals<3>
    gin.put %x into %y[1] on 2 signal %s[1] : !cell into !cells_3, !gin.signals<3>
    gin.wait %s[0] >= 1 : !gin.signals<3>
    %r100 = memref.load %y[%c0] : !cells_3
    gin.wait %s[2] >= 1 : !gin.signals<3>
    %r120 = memref.load %y[%c2] : !cells_3
    memref.store %r100, %out[%c2] : memref<6xi64>
    memref.store %r120, %out[%c3] : memref<6xi64>
    scf.yield
  }
  case 2 {
    memref.store %v3, %x[%c0] : !cell
    gin.put %x into %y[2] on 0 signal %s[2] : !cell into !cells_3, !gin.signals<3>
    gin.put %x into %y[2] on 1 signal %s[2] : !cell into !cells_3, !gin.signals<3>
    gin.wait %s[0] >= 1 : !gin.signals<3>
    %r200 = memref.load %y[%c0] : !cells_3
    gin.wait %s[1] >= 1 : !gin.signals<3>
    %r210 = memref.load %y[%c1] : !cells_3
    memref.store %r200, %out[%c4] : memref<6xi64>
    memref.store %r210, %out[%c5] : memref<6xi64>
    scf.yield
  }
  default {
  }
  return
}
