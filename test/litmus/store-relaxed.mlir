//===- store-relaxed.mlir - a litmus program of the memory model ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A relaxed signal does not release earlier stores.
//
//   rank 0: store x = 1; signal s@1 relaxed
//   rank 1: wait s >= 1; get x@0 -> z as g; await g; load r = z
//
// ALLOW:   r=0
// ALLOW:   r=1
// VERDICT: race x@0
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @store_relaxed(%x: !cell, %z: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["r=0", "r=1"],
                              verdict = ["race x@0"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    gin.signal %s[0] on 1 relaxed : !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %g = gin.get %x[0] on 0 into %z -> !gin.token : !cell into !cell
    gin.await %g
    %r = memref.load %z[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
