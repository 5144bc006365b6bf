//===- out-of-bounds.mlir - a litmus program of the memory model ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A put past the end of the peer's smaller window.
//
//   rank 0: put 1 -> y[1]@1 signal s
//   rank 1: wait s >= 1; load r = y[0]
//
// VERDICT: out-of-bounds
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cells = memref<?xi64, #gin.window>

func.func @out_of_bounds(%y: !cells, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2,
                              verdict = ["out-of-bounds"],
                              registers = ["r"]},
                                
                gin.run = {dims = {y = "(rank == 0) * 2 + (rank == 1) * 1"}}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[1] on 1 signal %s[0] : i64 into !cells, !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %r = memref.load %y[%c0] : !cells
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
