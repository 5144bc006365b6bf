//===- two-shot-all-reduce.mlir - read a chunk of all, write it to all ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 3 --repeat 3 --seed 3
// RUN: not ginc run %s --ranks 4 --lsa-size 2 2>&1 | FileCheck %s
// CHECK: error: rank {{.}} cannot view the memory of rank {{.}}: they are in different LSA teams

// For longer vectors, where ranks share memory: each rank sums one chunk of all
// vectors, and stores the sum in all results. Chunks need not have one size.

!vector = memref<?xf32, #gin.window>
!theirs = memref<?xf32, #gin.peer>
!chunk = memref<?xf32, strided<[1], offset: ?>, #gin.window>
!their_chunk = memref<?xf32, strided<[1], offset: ?>, #gin.peer>

func.func @two_shot_all_reduce(%x: !vector, %y: !vector)
    attributes {gin.run = {dims = {m = "61", x = "m", y = "m"},
                           args = {x = "random"}, reference = "two-shot-all-reduce.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %me = gin.rank
  %ranks = gin.num_ranks
  %m = memref.dim %x, %c0 : !vector

  // Our chunk has the elements from me m / ranks up to (me + 1) m / ranks.
  %next = arith.addi %me, %c1 : index
  %me_m = arith.muli %me, %m : index
  %next_m = arith.muli %next, %m : index
  %begin = arith.divui %me_m, %ranks : index
  %end = arith.divui %next_m, %ranks : index
  %size = arith.subi %end, %begin : index
  %sum = memref.subview %y[%begin] [%size] [1] : !vector to !chunk

  gin.barrier   // all ranks are in this launch: %x is there, %y is free
  linalg.fill ins(%zero : f32) outs(%sum : !chunk)
  scf.for %p = %c0 to %ranks step %c1 {
    %x_theirs = gin.peer_view %x on %p : !vector to !theirs
    %part = memref.subview %x_theirs[%begin] [%size] [1] : !theirs to !their_chunk
    linalg.add ins(%sum, %part : !chunk, !their_chunk) outs(%sum : !chunk)
  }
  scf.for %distance = %c1 to %ranks step %c1 {
    %p = gin.neighbor %distance   // starts beside itself, so that no rank is everyone's first
    %y_theirs = gin.peer_view %y on %p : !vector to !theirs
    %part = memref.subview %y_theirs[%begin] [%size] [1] : !theirs to !their_chunk
    memref.copy %sum, %part : !chunk to !their_chunk
  }
  gin.barrier   // all sums are here, and no rank reads our vector any more
  return
}
