//===- one-shot-all-reduce.mlir - everyone reads everyone's vector --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 3 --repeat 3 --seed 3
// RUN: not ginc run %s --ranks 4 --lsa-size 2 2>&1 | FileCheck %s
// CHECK: error: rank {{.}} cannot view the memory of rank {{.}}: they are in different LSA teams

// For short vectors, where ranks share memory: one step, no copies.

!vector = memref<?xf32, #gin.window>
!theirs = memref<?xf32, #gin.peer>

func.func @one_shot_all_reduce(%x: !vector, %y: !vector {gin.source})
    attributes {gin.run = {dims = {m = "61", x = "m", y = "m"},
                           args = {x = "random"}, reference = "one-shot-all-reduce.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %ranks = gin.num_ranks
  gin.barrier   // all ranks are in this launch: what their hosts wrote is there

  // In the order of ranks, so that all ranks get the same bits.
  linalg.fill ins(%zero : f32) outs(%y : !vector)
  scf.for %p = %c0 to %ranks step %c1 {
    %theirs = gin.peer_view %x on %p : !vector to !theirs
    linalg.add ins(%y, %theirs : !vector, !theirs) outs(%y : !vector)
  }

  gin.barrier   // no rank reads our vector any more: the host may have it back
  return
}
