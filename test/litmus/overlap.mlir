//===- overlap.mlir - a litmus program of the memory model ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A put onto a part of itself is an error.
//
//   rank 0: put x[0:2] -> x[1:3]@0 signal s; wait s >= 1
//
// VERDICT: overlap
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cells_2_at_0 = memref<2xi64, strided<[1]>, #gin.window>
!cells_3 = memref<3xi64, #gin.window>

func.func @overlap(%x: !cells_3, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 1, verdict = ["overlap"]}} {
  %me = gin.rank
  scf.index_switch %me
  case 0 {
    %x_at_0 = memref.subview %x[0] [2] [1] : !cells_3 to !cells_2_at_0
    gin.put %x_at_0 into %x[1] on 0 signal %s[0] : !cells_2_at_0 into !cells_3, !gin.signals<1>
    gin.wait %s[0] >= 1 : !gin.signals<1>
    scf.yield
  }
  default {
  }
  return
}
