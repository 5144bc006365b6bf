//===- barrier-parity.mlir - a litmus program of the memory model ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A later launch's barrier must not stand for this one's: it covers later puts only.
//
//   rank 0, launch 0: put 1 -> y[0]@1; barrier
//   rank 0, launch 1: put 2 -> y[1]@1; barrier
//   rank 1, launch 0: barrier; load r0 = y[0]
//   rank 1, launch 1: barrier; load r1 = y[1]
//
// ALLOW:   r0=1 r1=2
// FORBID:  r0=0
// FORBID:  r1=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cells_2 = memref<2xi64, #gin.window>

func.func @barrier_parity(%y: !cells_2 {gin.scratch}, %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2, launches = 2,
                              allow = ["r0=1 r1=2"],
                              forbid = ["r0=0", "r1=0"],
                              registers = ["r0", "r1"]}} {
  %me = gin.rank
  %k = gin.launch
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    %k_plus_1 = arith.addi %k, %c1 : index
    %value = arith.index_cast %k_plus_1 : index to i64
    gin.put_value %value into %y[%k] on 1 : i64 into !cells_2
    gin.barrier
    scf.yield
  }
  case 1 {
    gin.barrier
    %r0 = memref.load %y[%k] : !cells_2
    memref.store %r0, %out[%k] : memref<2xi64>
    scf.yield
  }
  default {
  }
  return
}
