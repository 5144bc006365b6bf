//===- ring-queue-undrained.mlir - a litmus program of the memory model ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Credits left over: the next launch overwrites what has not been read.
//
//   rank 0, launch 0: put 1 -> q[0]@1 signal f[0]; put 2 -> q[1]@1 signal f[1]; wait c >= 1; put 3
//                     -> q[0]@1 signal f[0]
//   rank 0, launch 1: put 101 -> q[0]@1 signal f[0]; put 102 -> q[1]@1 signal f[1]; wait c >= 1;
//                     put 103 -> q[0]@1 signal f[0]
//   rank 1, launch 0: wait f[0] >= 1; load m00 = q[0]; signal c@0; wait f[1] >= 1; load m01 = q[1];
//                     signal c@0; wait f[0] >= 2; load m02 = q[0]; signal c@0
//   rank 1, launch 1: wait f[0] >= 1; load m10 = q[0]; signal c@0; wait f[1] >= 1; load m11 = q[1];
//                     signal c@0; wait f[0] >= 2; load m12 = q[0]; signal c@0
//
// ALLOW:   m00=1 m10=101
// ALLOW:   m01=102
// VERDICT: not-closed q@1, not-closed f[0]@1, not-closed f[1]@1, unconsumed-signal c@0
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cells_2 = memref<2xi64, #gin.window>

func.func @ring_queue_undrained(%q: !cells_2 {gin.scratch}, %f: !gin.signals<2>,
                                %c: !gin.signals<1>, %out: memref<6xi64>)
    attributes {gin.litmus = {ranks = 2, launches = 2,
                              allow = ["m00=1 m10=101", "m01=102"],
                              verdict = ["not-closed q@1", "not-closed f[0]@1", "not-closed f[1]@1",
                                "unconsumed-signal c@0"],
                              registers = ["m00", "m10", "m01", "m11", "m02", "m12"]}} {
  %me = gin.rank
  %k = gin.launch
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c100 = arith.constant 100 : index
  scf.index_switch %me
  case 0 {
    %k_times_100 = arith.muli %k, %c100 : index
    %k_plus_1 = arith.addi %k_times_100, %c1 : index
    %value = arith.index_cast %k_plus_1 : index to i64
    gin.put_value %value into %q[0] on 1 signal %f[0] : i64 into !cells_2, !gin.signals<2>
    %k_times_100_1 = arith.muli %k, %c100 : index
    %k_plus_2 = arith.addi %k_times_100_1, %c2 : index
    %value1 = arith.index_cast %k_plus_2 : index to i64
    gin.put_value %value1 into %q[1] on 1 signal %f[1] : i64 into !cells_2, !gin.signals<2>
    gin.wait %c[0] >= 1 : !gin.signals<1>
    %k_times_100_2 = arith.muli %k, %c100 : index
    %k_plus_3 = arith.addi %k_times_100_2, %c3 : index
    %value2 = arith.index_cast %k_plus_3 : index to i64
    gin.put_value %value2 into %q[0] on 1 signal %f[0] : i64 into !cells_2, !gin.signals<2>
    scf.yield
  }
  case 1 {
    gin.wait %f[0] >= 1 : !gin.signals<2>
    %m00 = memref.load %q[%c0] : !cells_2
    gin.signal %c[0] on 0 : !gin.signals<1>
    gin.wait %f[1] >= 1 : !gin.signals<2>
    %m01 = memref.load %q[%c1] : !cells_2
    gin.signal %c[0] on 0 : !gin.signals<1>
    gin.wait %f[0] >= 2 : !gin.signals<2>
    %m02 = memref.load %q[%c0] : !cells_2
    gin.signal %c[0] on 0 : !gin.signals<1>
    memref.store %m00, %out[%k] : memref<6xi64>
    %k_plus_2 = arith.addi %k, %c2 : index
    memref.store %m01, %out[%k_plus_2] : memref<6xi64>
    %k_plus_4 = arith.addi %k, %c4 : index
    memref.store %m02, %out[%k_plus_4] : memref<6xi64>
    scf.yield
  }
  default {
  }
  return
}
