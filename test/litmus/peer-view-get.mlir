//===- peer-view-get.mlir - a litmus program of the memory model ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A get is not ordered after its agent's own stores to the peer.
//
//   rank 0: store y@1 = 1; get y@1 -> z as g; await g; load r = z
//   rank 1: (nothing)
//
// ALLOW:   r=0
// ALLOW:   r=1
// VERDICT: race y@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>
!peer_cell = memref<1xi64, #gin.peer>

func.func @peer_view_get(%y: !cell, %z: !cell, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["r=0", "r=1"],
                              verdict = ["race y@1"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    %y_on_1 = gin.peer_view %y on 1 : !cell to !peer_cell
    memref.store %v1, %y_on_1[%c0] : !peer_cell
    %g = gin.get %y[0] on 1 into %z -> !gin.token : !cell into !cell
    gin.await %g
    %r = memref.load %z[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
