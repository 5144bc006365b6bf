//===- store-await-relaxed.mlir - a litmus program of the memory model ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The await of a put that read an own store does not turn the store into something acquired.
//
//   rank 0: store x = 1; put x -> y@1 signal t as p; await p; signal s@1 relaxed
//   rank 1: wait s >= 1; get x@0 -> z as g; await g; load r = z; wait t >= 1
//
// ALLOW:   r=0
// ALLOW:   r=1
// VERDICT: race x@0
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @store_await_relaxed(%x: !cell, %y: !cell, %z: !cell, %t: !gin.signals<1>,
                               %s: !gin.signals<1>, %out: memref<1xi64>)
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
    %p = gin.put %x into %y[0] on 1 signal %t[0] -> !gin.token : !cell into !cell, !gin.signals<1>
    gin.await %p
    gin.signal %s[0] on 1 relaxed : !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %g = gin.get %x[0] on 0 into %z -> !gin.token : !cell into !cell
    gin.await %g
    %r = memref.load %z[%c0] : !cell
    gin.wait %t[0] >= 1 : !gin.signals<1>
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
