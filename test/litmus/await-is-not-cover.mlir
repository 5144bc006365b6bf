//===- await-is-not-cover.mlir - a litmus program of the memory model -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Done is local: the bytes may still be on their way.
//
//   rank 0: store x = 1; put x -> y@1 as p; await p; signal s@1 relaxed
//   rank 1: wait s >= 1; load r = y
//
// ALLOW:   r=0
// ALLOW:   r=1
// VERDICT: race y@1, uncovered-put y@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @await_is_not_cover(%x: !cell, %y: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["r=0", "r=1"],
                              verdict = ["race y@1", "uncovered-put y@1"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    %p = gin.put %x into %y[0] on 1 -> !gin.token : !cell into !cell
    gin.await %p
    gin.signal %s[0] on 1 relaxed : !gin.signals<1>
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
