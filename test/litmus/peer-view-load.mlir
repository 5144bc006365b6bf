//===- peer-view-load.mlir - a litmus program of the memory model ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A barrier releases stores to loads through a peer view.
//
//   rank 0: store x = 1; barrier
//   rank 1: barrier; load r = x@0
//
// ALLOW:   r=1
// FORBID:  r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>
!peer_cell = memref<1xi64, #gin.peer>

func.func @peer_view_load(%x: !cell, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2, allow = ["r=1"], forbid = ["r=0"], registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    memref.store %v1, %x[%c0] : !cell
    gin.barrier
    scf.yield
  }
  case 1 {
    gin.barrier
    %x_on_0 = gin.peer_view %x on 0 : !cell to !peer_cell
    %r = memref.load %x_on_0[%c0] : !peer_cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
