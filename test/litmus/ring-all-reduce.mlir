//===- ring-all-reduce.mlir - a litmus program of the memory model --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reduce-scatter and all-gather in place on three ranks.
//
//   rank 0: store w[0] = 1; store w[1] = 1; store w[2] = 1; barrier; put w[0] -> w[0]@1 accumulate
//           signal s[0]; wait s[0] >= 1; put w[2] -> w[2]@1 accumulate signal s[1]; wait s[1] >= 1;
//           put w[1] -> w[1]@1 signal s[2]; wait s[2] >= 1; put w[0] -> w[0]@1 signal s[3]; wait
//           s[3] >= 1; load r00 = w[0]; load r01 = w[1]; load r02 = w[2]
//   rank 1: store w[0] = 10; store w[1] = 10; store w[2] = 10; barrier; put w[1] -> w[1]@2
//           accumulate signal s[0]; wait s[0] >= 1; put w[0] -> w[0]@2 accumulate signal s[1]; wait
//           s[1] >= 1; put w[2] -> w[2]@2 signal s[2]; wait s[2] >= 1; put w[1] -> w[1]@2 signal
//           s[3]; wait s[3] >= 1; load r10 = w[0]; load r11 = w[1]; load r12 = w[2]
//   rank 2: store w[0] = 100; store w[1] = 100; store w[2] = 100; barrier; put w[2] -> w[2]@0
//           accumulate signal s[0]; wait s[0] >= 1; put w[1] -> w[1]@0 accumulate signal s[1]; wait
//           s[1] >= 1; put w[0] -> w[0]@0 signal s[2]; wait s[2] >= 1; put w[2] -> w[2]@0 signal
//           s[3]; wait s[3] >= 1; load r20 = w[0]; load r21 = w[1]; load r22 = w[2]
//
// ALLOW:   r00=111 r01=111 r02=111 r10=111 r21=111
// FORBID:  r00=1
// FORBID:  r11=11
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cells_3 = memref<3xi64, #gin.window>
!cell_at_0 = memref<1xi64, strided<[1]>, #gin.window>
!cell_at_2 = memref<1xi64, strided<[1], offset: 2>, #gin.window>
!cell_at_1 = memref<1xi64, strided<[1], offset: 1>, #gin.window>

func.func @ring_all_reduce(%w: !cells_3, %s: !gin.signals<4>, %out: memref<9xi64>)
    attributes {gin.litmus = {ranks = 3,
                              allow = ["r00=111 r01=111 r02=111 r10=111 r21=111"],
                              forbid = ["r00=1", "r11=11"],
                              registers = ["r00", "r01", "r02", "r10", "r11", "r12", "r20", "r21",
                                "r22"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v10 = arith.constant 10 : i64
  %v100 = arith.constant 100 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %w[%c0] : !cells_3
    memref.store %v1, %w[%c1] : !cells_3
    memref.store %v1, %w[%c2] : !cells_3
    gin.barrier
    %w_at_0 = memref.subview %w[0] [1] [1] : !cells_3 to !cell_at_0
    gin.put %w_at_0 into %w[0] on 1 accumulate signal %s[0]
      : !cell_at_0 into !cells_3, !gin.signals<4>
    gin.wait %s[0] >= 1 : !gin.signals<4>
    %w_at_2 = memref.subview %w[2] [1] [1] : !cells_3 to !cell_at_2
    gin.put %w_at_2 into %w[2] on 1 accumulate signal %s[1]
      : !cell_at_2 into !cells_3, !gin.signals<4>
    gin.wait %s[1] >= 1 : !gin.signals<4>
    %w_at_1 = memref.subview %w[1] [1] [1] : !cells_3 to !cell_at_1
    gin.put %w_at_1 into %w[1] on 1 signal %s[2] : !cell_at_1 into !cells_3, !gin.signals<4>
    gin.wait %s[2] >= 1 : !gin.signals<4>
    %w_at_0_1 = memref.subview %w[0] [1] [1] : !cells_3 to !cell_at_0
    gin.put %w_at_0_1 into %w[0] on 1 signal %s[3] : !cell_at_0 into !cells_3, !gin.signals<4>
    gin.wait %s[3] >= 1 : !gin.signals<4>
    %r00 = memref.load %w[%c0] : !cells_3
    %r01 = memref.load %w[%c1] : !cells_3
    %r02 = memref.load %w[%c2] : !cells_3
    memref.store %r00, %out[%c0] : memref<9xi64>
    memref.store %r01, %out[%c1] : memref<9xi64>
    memref.store %r02, %out[%c2] : memref<9xi64>
    scf.yield
  }
  case 1 {
    memref.store %v10, %w[%c0] : !cells_3
    memref.store %v10, %w[%c1] : !cells_3
    memref.store %v10, %w[%c2] : !cells_3
    gin.barrier
    %w_at_1 = memref.subview %w[1] [1] [1] : !cells_3 to !cell_at_1
    gin.put %w_at_1 into %w[1] on 2 accumulate signal %s[0]
      : !cell_at_1 into !cells_3, !gin.signals<4>
    gin.wait %s[0] >= 1 : !gin.signals<4>
    %w_at_0 = memref.subview %w[0] [1] [1] : !cells_3 to !cell_at_0
    gin.put %w_at_0 into %w[0] on 2 accumulate signal %s[1]
      : !cell_at_0 into !cells_3, !gin.signals<4>
    gin.wait %s[1] >= 1 : !gin.signals<4>
    %w_at_2 = memref.subview %w[2] [1] [1] : !cells_3 to !cell_at_2
    gin.put %w_at_2 into %w[2] on 2 signal %s[2] : !cell_at_2 into !cells_3, !gin.signals<4>
    gin.wait %s[2] >= 1 : !gin.signals<4>
    %w_at_1_1 = memref.subview %w[1] [1] [1] : !cells_3 to !cell_at_1
    gin.put %w_at_1_1 into %w[1] on 2 signal %s[3] : !cell_at_1 into !cells_3, !gin.signals<4>
    gin.wait %s[3] >= 1 : !gin.signals<4>
    %r10 = memref.load %w[%c0] : !cells_3
    %r11 = memref.load %w[%c1] : !cells_3
    %r12 = memref.load %w[%c2] : !cells_3
    memref.store %r10, %out[%c3] : memref<9xi64>
    memref.store %r11, %out[%c4] : memref<9xi64>
    memref.store %r12, %out[%c5] : memref<9xi64>
    scf.yield
  }
  case 2 {
    memref.store %v100, %w[%c0] : !cells_3
    memref.store %v100, %w[%c1] : !cells_3
    memref.store %v100, %w[%c2] : !cells_3
    gin.barrier
    %w_at_2 = memref.subview %w[2] [1] [1] : !cells_3 to !cell_at_2
    gin.put %w_at_2 into %w[2] on 0 accumulate signal %s[0]
      : !cell_at_2 into !cells_3, !gin.signals<4>
    gin.wait %s[0] >= 1 : !gin.signals<4>
    %w_at_1 = memref.subview %w[1] [1] [1] : !cells_3 to !cell_at_1
    gin.put %w_at_1 into %w[1] on 0 accumulate signal %s[1]
      : !cell_at_1 into !cells_3, !gin.signals<4>
    gin.wait %s[1] >= 1 : !gin.signals<4>
    %w_at_0 = memref.subview %w[0] [1] [1] : !cells_3 to !cell_at_0
    gin.put %w_at_0 into %w[0] on 0 signal %s[2] : !cell_at_0 into !cells_3, !gin.signals<4>
    gin.wait %s[2] >= 1 : !gin.signals<4>
    %w_at_2_1 = memref.subview %w[2] [1] [1] : !cells_3 to !cell_at_2
    gin.put %w_at_2_1 into %w[2] on 0 signal %s[3] : !cell_at_2 into !cells_3, !gin.signals<4>
    gin.wait %s[3] >= 1 : !gin.signals<4>
    %r20 = memref.load %w[%c0] : !cells_3
    %r21 = memref.load %w[%c1] : !cells_3
    %r22 = memref.load %w[%c2] : !cells_3
    memref.store %r20, %out[%c6] : memref<9xi64>
    memref.store %r21, %out[%c7] : memref<9xi64>
    memref.store %r22, %out[%c8] : memref<9xi64>
    scf.yield
  }
  default {
  }
  return
}
