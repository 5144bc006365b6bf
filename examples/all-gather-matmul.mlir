//===- all-gather-matmul.mlir - multiply shards as they arrive ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Each rank has a shard of A, m rows of it, and its own w, some columns of B. It
// wants all of A times w: %y[q] is rank q's shard times w. A shard travels in
// chunks of 16 rows, and is multiplied chunk by chunk while others are under way.

!shard = memref<?x?xbf16, #gin.window>
!shards = memref<?x?x?xbf16, #gin.window>
!products = memref<?x?x?xf32, #gin.window>
!chunk = memref<?x?xbf16, strided<[?, 1], offset: ?>, #gin.window>
!product = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
!signals = !gin.signals<?x?>

func.func @all_gather_matmul(
    %x: !shard {gin.source}, %w: !shard {gin.source}, %y: !products {gin.source},
    %gathered: !shards {gin.scratch, gin.sizes = affine_map<()[ranks, m, k] -> (ranks, m, k)>},
    %arrived: !signals {gin.sizes = affine_map<()[ranks, m] -> (ranks, m ceildiv 16)>})
    attributes {gin.run = {
      dims = {m = "40", k = "48", n = "24", x = "m, k", w = "k, n", y = "ranks, m, n"},
      args = {x = "random", w = "random"}, reference = "all-gather-matmul.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %chunk_rows = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %me = gin.rank
  %ranks = gin.num_ranks
  %m = memref.dim %x, %c0 : !shard
  %k = memref.dim %x, %c1 : !shard
  %n = memref.dim %w, %c1 : !shard
  %chunks = arith.ceildivui %m, %chunk_rows : index

  // Send all first: a put only starts the transfer. Each chunk of each source has
  // a slot of its own, so that its arrival can be told from the others'.
  scf.for %c = %c0 to %chunks step %c1 {
    %row = arith.muli %c, %chunk_rows : index
    %rest = arith.subi %m, %row : index
    %rows = arith.minui %rest, %chunk_rows : index
    %chunk = memref.subview %x[%row, 0] [%rows, %k] [1, 1] : !shard to !chunk
    scf.for %distance = %c1 to %ranks step %c1 {
      %away = arith.subi %c0, %distance : index
      %peer = gin.neighbor %away
      gin.put %chunk into %gathered[%me, %row, 0] on %peer signal %arrived[%me, %c]
        : !chunk into !shards, !signals
    }
  }

  linalg.fill ins(%zero : f32) outs(%y : !products)

  // The own shard first: it needs no wait.
  %own = memref.subview %y[%me, 0, 0] [1, %m, %n] [1, 1, 1] : !products to !product
  linalg.matmul ins(%x, %w : !shard, !shard) outs(%own : !product)

  // Then the others, in the order in which they were sent to us.
  scf.for %distance = %c1 to %ranks step %c1 {
    %q = gin.neighbor %distance
    scf.for %c = %c0 to %chunks step %c1 {
      %row = arith.muli %c, %chunk_rows : index
      %rest = arith.subi %m, %row : index
      %rows = arith.minui %rest, %chunk_rows : index
      %chunk = memref.subview %gathered[%q, %row, 0] [1, %rows, %k] [1, 1, 1]
        : !shards to !chunk
      %product = memref.subview %y[%q, %row, 0] [1, %rows, %n] [1, 1, 1]
        : !products to !product
      gin.wait %arrived[%q, %c] >= 1 : !signals
      linalg.matmul ins(%chunk, %w : !chunk, !shard) outs(%product : !product)
    }
  }
  return
}
