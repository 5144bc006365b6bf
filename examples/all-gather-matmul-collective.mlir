//===- all-gather-matmul-collective.mlir - gather, then multiply ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

!shard = memref<?x?xbf16, #gin.window>
!shards = memref<?x?x?xbf16, #gin.window>
!matrix = memref<?x?xbf16, #gin.window>
!products = memref<?x?x?xf32, #gin.window>
!product = memref<?x?xf32, #gin.window>

func.func @all_gather_matmul(
    %x: !shard, %w: !shard {gin.source}, %y: !products {gin.source},
    %gathered: !shards {gin.scratch, gin.sizes = affine_map<()[ranks, m, k] -> (ranks, m, k)>})
    attributes {gin.run = {
      dims = {m = "40", k = "48", n = "24", x = "m, k", w = "k, n", y = "ranks, m, n"},
      args = {x = "random", w = "random"}, reference = "all-gather-matmul.py"}} {
  %zero = arith.constant 0.0 : f32
  gin.all_gather %x into %gathered : !shard into !shards
  linalg.fill ins(%zero : f32) outs(%y : !products)
  // All shards one above the other are one matrix.
  %a = memref.collapse_shape %gathered [[0, 1], [2]] : !shards into !matrix
  %product = memref.collapse_shape %y [[0, 1], [2]] : !products into !product
  linalg.matmul ins(%a, %w : !matrix, !shard) outs(%product : !product)
  return
}
