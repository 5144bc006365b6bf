//===- forall.mlir - a litmus program of the memory model -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Iterations are agents, forked after what precedes the loop.
//
//   rank 0: wait g >= 1; fork { put x[0] -> y[0]@1 signal s | put x[1] -> y[1]@1 signal s }
//   rank 1: put 1 -> x[0]@0; put 2 -> x[1]@0; signal g@0; wait s >= 2; load a = y[0]; load b = y[1]
//
// ALLOW:   a=1 b=2
// FORBID:  a=0
// FORBID:  b=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell_at_any = memref<1xi64, strided<[1], offset: ?>, #gin.window>
!cells_2 = memref<2xi64, #gin.window>

func.func @forall(%x: !cells_2, %y: !cells_2, %g: !gin.signals<1>, %s: !gin.signals<1>,
                  %out: memref<2xi64>)
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
    gin.wait %g[0] >= 1 : !gin.signals<1>
    scf.forall (%i) in (2) {
      %x_at_i = memref.subview %x[%i] [1] [1] : !cells_2 to !cell_at_any
      gin.put %x_at_i into %y[%i] on 1 signal %s[0] : !cell_at_any into !cells_2, !gin.signals<1>
    }
    scf.yield
  }
  case 1 {
    gin.put_value %v1 into %x[0] on 0 : i64 into !cells_2
    gin.put_value %v2 into %x[1] on 0 : i64 into !cells_2
    gin.signal %g[0] on 0 : !gin.signals<1>
    gin.wait %s[0] >= 2 : !gin.signals<1>
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
