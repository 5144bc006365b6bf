//===- warp-roles.mlir - some warps send, others add ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 3 --repeat 3 --seed 3

// %y is the sum of all ranks' %x, and of a function of the rank's own one. In each
// block of a kernel two warps send %x, chunk by chunk, four add what arrives, and the
// others compute the function.

!vector = memref<?xf32, #gin.window>
!inbox = memref<?x?xf32, #gin.window>
!part = memref<?xf32, strided<[1], offset: ?>, #gin.window>

func.func @warp_roles(%x: !vector {gin.source}, %y: !vector {gin.source}, %chunk: index,
    %inbox: !inbox {gin.scratch, gin.sizes = affine_map<()[ranks, x, y] -> (ranks, x)>},
    %filled: !gin.signals<?> {gin.sizes = affine_map<()[ranks, x, y] -> (ranks)>})
    attributes {gin.run = {dims = {m = "61", x = "m", y = "m"},
                           args = {x = "integers:-9:9", chunk = "16"},
                           reference = "warp-roles.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %me = gin.rank
  %ranks = gin.num_ranks
  %m = memref.dim %x, %c0 : !vector
  %chunks = arith.ceildivui %m, %chunk : index
  %own = memref.alloc(%m) : memref<?xf32>
  gin.barrier   // nobody adds what is in the inboxes any more

  gin.specialize {
    role "send" warps 2 {
      scf.for %c = %c0 to %chunks step %c1 {
        %begin = arith.muli %c, %chunk : index
        %left = arith.subi %m, %begin : index
        %size = arith.minui %left, %chunk : index
        %part = memref.subview %x[%begin] [%size] [1] : !vector to !part
        scf.for %p = %c0 to %ranks step %c1 {
          gin.put %part into %inbox[%me, %begin] on %p signal %filled[%me]
            : !part into !inbox, !gin.signals<?>
        }
      }
    }
    role "add" warps 4 {
      linalg.fill ins(%zero : f32) outs(%y : !vector)
      scf.for %p = %c0 to %ranks step %c1 {
        // All of them: those of one rank may overtake each other.
        gin.wait %filled[%p] >= %chunks : !gin.signals<?>
        scf.for %c = %c0 to %chunks step %c1 {
          %begin = arith.muli %c, %chunk : index
          %left = arith.subi %m, %begin : index
          %size = arith.minui %left, %chunk : index
          %theirs = memref.subview %inbox[%p, %begin] [1, %size] [1, 1] : !inbox to !part
          %sum = memref.subview %y[%begin] [%size] [1] : !vector to !part
          linalg.add ins(%sum, %theirs : !part, !part) outs(%sum : !part)
        }
      }
    }
    role "own" {
      // One thread sums up, all need the sum.
      %total = scf.for %i = %c0 to %m step %c1 iter_args(%so_far = %zero) -> f32 {
        %a = memref.load %x[%i] : !vector
        %more = arith.addf %so_far, %a : f32
        memref.store %more, %own[%i] : memref<?xf32>
        scf.yield %more : f32
      }
      scf.parallel (%i) = (%c0) to (%m) step (%c1) {
        %prefix = memref.load %own[%i] : memref<?xf32>
        %twice = arith.mulf %prefix, %two : f32
        %both = arith.addf %twice, %total : f32
        memref.store %both, %own[%i] : memref<?xf32>
      }
    }
  }

  linalg.add ins(%y, %own : !vector, memref<?xf32>) outs(%y : !vector)
  memref.dealloc %own : memref<?xf32>
  return
}
