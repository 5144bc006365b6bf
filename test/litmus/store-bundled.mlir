//===- store-bundled.mlir - a litmus program of the memory model ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A bundled signal does not release earlier stores, not even of the put's own source.
//
//   rank 0: store x = 1; put x -> y@1 signal s
//   rank 1: wait s >= 1; load a = y; get x@0 -> z as g; await g; load r = z
//
// ALLOW:   a=1 r=0
// ALLOW:   a=1 r=1
// FORBID:  a=0
// VERDICT: race x@0
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @store_bundled(%x: !cell, %y: !cell, %z: !cell, %s: !gin.signals<1>,
                         %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["a=1 r=0", "a=1 r=1"],
                              forbid = ["a=0"],
                              verdict = ["race x@0"],
                              registers = ["a", "r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    gin.put %x into %y[0] on 1 signal %s[0] : !cell into !cell, !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %a = memref.load %y[%c0] : !cell
    %g = gin.get %x[0] on 0 into %z -> !gin.token : !cell into !cell
    gin.await %g
    %r = memref.load %z[%c0] : !cell
    memref.store %a, %out[%c0] : memref<2xi64>
    memref.store %r, %out[%c1] : memref<2xi64>
    scf.yield
  }
  default {
  }
  return
}
