//===- atomic-put-own.mlir - a litmus program of the memory model ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A remote addition is delivered like a put, also to the rank itself.
//
//   rank 0: put 1 -> y@0 accumulate; load r = y; signal s@0; wait s >= 1
//
// ALLOW:   r=0
// ALLOW:   r=1
// VERDICT: race y@0
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @atomic_put_own(%y: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 1,
                              allow = ["r=0", "r=1"],
                              verdict = ["race y@0"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.atomic_add %v1 into %y[0] on 0 : i64 into !cell
    %r = memref.load %y[%c0] : !cell
    gin.signal %s[0] on 0 : !gin.signals<1>
    gin.wait %s[0] >= 1 : !gin.signals<1>
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
