//===- mp-other-peer.mlir - a litmus program of the memory model ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A plain signal covers puts to its own peer only; s covers, but not for rank 2.
//
//   rank 0: store x = 1; put x -> y@1 signal s; signal t@2
//   rank 1: wait s >= 1
//   rank 2: wait t >= 1; get y@1 -> z as g; await g; load r = z
//
// ALLOW:   r=0
// ALLOW:   r=1
// VERDICT: race y@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @mp_other_peer(%x: !cell, %y: !cell, %z: !cell, %s: !gin.signals<1>, %t: !gin.signals<1>,
                         %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 3,
                              allow = ["r=0", "r=1"],
                              verdict = ["race y@1"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    gin.put %x into %y[0] on 1 signal %s[0] : !cell into !cell, !gin.signals<1>
    gin.signal %t[0] on 2 : !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    scf.yield
  }
  case 2 {
    gin.wait %t[0] >= 1 : !gin.signals<1>
    %g = gin.get %y[0] on 1 into %z -> !gin.token : !cell into !cell
    gin.await %g
    %r = memref.load %z[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
