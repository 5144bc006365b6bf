//===- atomic-put-source.mlir - a litmus program of the memory model ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A put reads what the agent added to its source.
//
//   rank 0: store x = 1; add x += 2; put x -> y@1 signal s
//   rank 1: wait s >= 1; load r = y
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

func.func @atomic_put_source(%x: !cell, %y: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["r=3"],
                              forbid = ["r=0", "r=1", "r=2"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    memref.atomic_rmw addi %v2, %x[%c0] : (i64, !cell) -> i64
    gin.put %x into %y[0] on 1 signal %s[0] : !cell into !cell, !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %r = memref.load %y[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
