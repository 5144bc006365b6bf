//===- chunks-plain.mlir - a litmus program of the memory model -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One counter, one source, plain signals: a count names the chunk.
//
//   rank 0: put 1 -> y[0]@1; signal s@1; put 2 -> y[1]@1; signal s@1
//   rank 1: wait s >= 1; load a = y[0]; wait s >= 2; load b = y[1]
//
// ALLOW:   a=1 b=2
// FORBID:  a=0
// FORBID:  b=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cells_2 = memref<2xi64, #gin.window>

func.func @chunks_plain(%y: !cells_2, %s: !gin.signals<1>, %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["a=1 b=2"],
                              forbid = ["a=0", "b=0"],
                              registers = ["a", "b"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 1 : i64 into !cells_2
    gin.signal %s[0] on 1 : !gin.signals<1>
    gin.put_value %v2 into %y[1] on 1 : i64 into !cells_2
    gin.signal %s[0] on 1 : !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %a = memref.load %y[%c0] : !cells_2
    gin.wait %s[0] >= 2 : !gin.signals<1>
    %b = memref.load %y[%c1] : !cells_2
    memref.store %a, %out[%c0] : memref<2xi64>
    memref.store %b, %out[%c1] : memref<2xi64>
    scf.yield
  }
  default {
  }
  return
}
