//===- self-put-unwaited.mlir - a litmus program of the memory model ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A put to oneself may be delivered late when nobody waits for it.
//
//   rank 0: store x = 1; put x -> y@0 signal s; load r = y; wait s >= 1
//
// ALLOW:   r=0
// ALLOW:   r=1
// VERDICT: race y@0
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @self_put_unwaited(%x: !cell, %y: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 1,
                              allow = ["r=0", "r=1"],
                              verdict = ["race y@0"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    gin.put %x into %y[0] on 0 signal %s[0] : !cell into !cell, !gin.signals<1>
    %r = memref.load %y[%c0] : !cell
    gin.wait %s[0] >= 1 : !gin.signals<1>
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
