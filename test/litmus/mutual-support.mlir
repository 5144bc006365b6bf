//===- mutual-support.mlir - a litmus program of the memory model ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The limit of rule 5: two waits that could each stand in for the other's cause, yet neither
// without rank 0.
//
//   rank 0: store x = 1; signal s@1; signal t@2
//   rank 1: wait s >= 1; signal t@2 relaxed; wait s >= 2
//   rank 2: wait t >= 1; signal s@1 relaxed; get x@0 -> z as g; await g; load r = z; wait t >= 2
//
// ALLOW:   r=1
// FORBID:  r=0
// VERDICT: race x@0
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @mutual_support(%x: !cell, %z: !cell, %s: !gin.signals<1>, %t: !gin.signals<1>,
                          %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 3,
                              allow = ["r=1"],
                              forbid = ["r=0"],
                              verdict = ["race x@0"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    gin.signal %s[0] on 1 : !gin.signals<1>
    gin.signal %t[0] on 2 : !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    gin.signal %t[0] on 2 relaxed : !gin.signals<1>
    gin.wait %s[0] >= 2 : !gin.signals<1>
    scf.yield
  }
  case 2 {
    gin.wait %t[0] >= 1 : !gin.signals<1>
    gin.signal %s[0] on 1 relaxed : !gin.signals<1>
    %g = gin.get %x[0] on 0 into %z -> !gin.token : !cell into !cell
    gin.await %g
    %r = memref.load %z[%c0] : !cell
    gin.wait %t[0] >= 2 : !gin.signals<1>
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
