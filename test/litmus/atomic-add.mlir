//===- atomic-add.mlir - a litmus program of the memory model -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Relaxed atomics, released by plain signals.
//
//   rank 0: add y@2 += 1; signal s@2
//   rank 1: put 2 -> y@2 accumulate; signal s@2
//   rank 2: wait s >= 2; load r = y
//
// ALLOW:   r=3
// FORBID:  r=0
// FORBID:  r=1
// FORBID:  r=2
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>
!peer_cell = memref<1xi64, #gin.peer>

func.func @atomic_add(%y: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 3,
                              allow = ["r=3"],
                              forbid = ["r=0", "r=1", "r=2"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    %y_on_2 = gin.peer_view %y on 2 : !cell to !peer_cell
    memref.atomic_rmw addi %v1, %y_on_2[%c0] : (i64, !peer_cell) -> i64
    gin.signal %s[0] on 2 : !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.atomic_add %v2 into %y[0] on 2 : i64 into !cell
    gin.signal %s[0] on 2 : !gin.signals<1>
    scf.yield
  }
  case 2 {
    gin.wait %s[0] >= 2 : !gin.signals<1>
    %r = memref.load %y[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
