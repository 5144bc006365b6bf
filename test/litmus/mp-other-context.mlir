//===- mp-other-context.mlir - a litmus program of the memory model -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A plain signal covers its own context only.
//
//   rank 0: store x = 1; put x -> y@1 ctx 1; signal s@1
//   rank 1: wait s >= 1; load r = y
//
// ALLOW:   r=0
// ALLOW:   r=1
// VERDICT: race y@1, uncovered-put y@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @mp_other_context(%x: !cell, %y: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
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
    gin.put %x into %y[0] on 1 context 1 : !cell into !cell
    gin.signal %s[0] on 1 : !gin.signals<1>
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
