//===- forall-join.mlir - a litmus program of the memory model ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loop's end joins them.
//
//   rank 0: fork { store x[0] = 1 | store x[1] = 2 }; put x[0:2] -> y[0:2]@1 signal s
//   rank 1: wait s >= 1; load a = y[0]; load b = y[1]
//
// ALLOW:   a=1 b=2
// FORBID:  a=0
// FORBID:  b=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cells_2 = memref<2xi64, #gin.window>

func.func @forall_join(%x: !cells_2, %y: !cells_2, %s: !gin.signals<1>, %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["a=1 b=2"],
                              forbid = ["a=0", "b=0"],
                              registers = ["a", "b"]}} {
  %me = gin.rank
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    scf.forall (%i) in (2) {
      %i_plus_1 = arith.addi %i, %c1 : index
      %value = arith.index_cast %i_plus_1 : index to i64
      memref.store %value, %x[%i] : !cells_2
    }
    gin.put %x into %y[0] on 1 signal %s[0] : !cells_2 into !cells_2, !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %a = memref.load %y[%c0] : !cells_2
    %b = memref.load %y[%c1] : !cells_2
    memref.store %a, %out[%c0] : memref<2xi64>
    memref.store %b, %out[%c1] : memref<2xi64>
    scf.yield
  }
  default {
  }
  return
}
