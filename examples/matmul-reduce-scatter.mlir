//===- matmul-reduce-scatter.mlir - send products as they are ready -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Rank q has some columns of A and the rows of B that belong to them: its product
// is one summand of A B. Block p of A's rows is %x[p], and rank p wants block p of
// the sum, %y = sum over q of x[p] w, x and w being those of rank q.

!blocks = memref<?x?x?xf16, #gin.window>
!matrix = memref<?x?xf16, #gin.window>
!products = memref<?x?x?xf32, #gin.window>
!sum = memref<?x?xf32, #gin.window>
!block = memref<?x?xf16, strided<[?, 1], offset: ?>, #gin.window>
!product = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
!signals = !gin.signals<?>

#by_peer = affine_map<()[ranks, blocks, m, k, k_w, n] -> (ranks, m, n)>

func.func @matmul_reduce_scatter(
    %x: !blocks {gin.source}, %w: !matrix {gin.source}, %y: !sum {gin.source},
    %outbox: !products {gin.scratch, gin.sizes = #by_peer},
    %inbox: !products {gin.scratch, gin.sizes = #by_peer},
    %arrived: !signals {gin.sizes = affine_map<()[ranks] -> (ranks)>})
    attributes {gin.run = {
      dims = {m = "24", k = "32", n = "40", x = "ranks, m, k", w = "k, n", y = "m, n"},
      args = {x = "random", w = "random"}, reference = "matmul-reduce-scatter.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %me = gin.rank
  %ranks = gin.num_ranks
  %m = memref.dim %x, %c1 : !blocks
  %k = memref.dim %x, %c2 : !blocks
  %n = memref.dim %w, %c1 : !matrix

  // The peers' blocks first: each travels while the next one is computed. A put
  // may read its source late, so every block has its own place in %outbox.
  linalg.fill ins(%zero : f32) outs(%outbox : !products)
  scf.for %distance = %c1 to %ranks step %c1 {
    %p = gin.neighbor %distance
    %block = memref.subview %x[%p, 0, 0] [1, %m, %k] [1, 1, 1] : !blocks to !block
    %product = memref.subview %outbox[%p, 0, 0] [1, %m, %n] [1, 1, 1]
      : !products to !product
    linalg.matmul ins(%block, %w : !block, !matrix) outs(%product : !product)
    gin.put %product into %inbox[%me, 0, 0] on %p signal %arrived[%me]
      : !product into !products, !signals
  }

  // The own block last, straight into the sum.
  %block = memref.subview %x[%me, 0, 0] [1, %m, %k] [1, 1, 1] : !blocks to !block
  linalg.fill ins(%zero : f32) outs(%y : !sum)
  linalg.matmul ins(%block, %w : !block, !matrix) outs(%y : !sum)

  // The left neighbour computed our block first, so it is the first to arrive.
  scf.for %distance = %c1 to %ranks step %c1 {
    %away = arith.subi %c0, %distance : index
    %q = gin.neighbor %away
    gin.wait %arrived[%q] >= 1 : !signals
    %product = memref.subview %inbox[%q, 0, 0] [1, %m, %n] [1, 1, 1]
      : !products to !product
    linalg.add ins(%y, %product : !sum, !product) outs(%y : !sum)
  }
  return
}
