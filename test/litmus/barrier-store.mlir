//===- barrier-store.mlir - a litmus program of the memory model ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A barrier covers loads and stores.
//
//   rank 0: store x = 1; load a = w; barrier; wait s >= 1
//   rank 1: barrier; get x@0 -> z as g; await g; load r = z; put 2 -> w@0 signal s
//
// ALLOW:   r=1 a=0
// FORBID:  r=0
// FORBID:  a=2
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @barrier_store(%x: !cell, %w: !cell, %z: !cell, %s: !gin.signals<1>,
                         %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["r=1 a=0"],
                              forbid = ["r=0", "a=2"],
                              registers = ["a", "r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    %a = memref.load %w[%c0] : !cell
    gin.barrier
    gin.wait %s[0] >= 1 : !gin.signals<1>
    memref.store %a, %out[%c0] : memref<2xi64>
    scf.yield
  }
  case 1 {
    gin.barrier
    %g = gin.get %x[0] on 0 into %z -> !gin.token : !cell into !cell
    gin.await %g
    %r = memref.load %z[%c0] : !cell
    gin.put_value %v2 into %w[0] on 0 signal %s[0] : i64 into !cell, !gin.signals<1>
    memref.store %r, %out[%c1] : memref<2xi64>
    scf.yield
  }
  default {
  }
  return
}
