//===- moe-collective.mlir - dispatch and combine as ops ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// See moe.mlir for what is computed.

!tokens = memref<?x?xf32, #gin.window>
!pairs_f32 = memref<?x2xf32, #gin.window>
!pairs_i32 = memref<?x2xi32, #gin.window>
!table = memref<8x256x2xi32, #gin.window>
!experts = memref<?x2xi32, strided<[2, 1], offset: ?>, #gin.window>
!weights = memref<2x?x?xf32, #gin.window>
!counts = memref<?x2xi32, #gin.window>
!buffer = memref<?x2x8x?xf32, #gin.window>   // [rank, expert, place, element]
!block = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>

#by_rank = affine_map<()[ranks, tokens, h] -> (ranks, h)>

func.func @moe(
    %x: !tokens {gin.source}, %table: !table {gin.source}, %gates: !pairs_f32 {gin.source},
    %w: !weights {gin.source}, %y: !tokens {gin.source},
    %positions: !pairs_i32 {gin.source}, %counts: !counts,
    %received: !buffer {gin.scratch, gin.sizes = #by_rank},
    %results: !buffer {gin.scratch, gin.sizes = #by_rank})
    attributes {gin.run = {
      dims = {tokens = "24", h = "16", x = "tokens, h", gates = "tokens, 2",
              w = "2, h, h", y = "tokens, h", positions = "tokens, 2", counts = "ranks, 2"},
      args = {x = "random", table = "moe_routing.npy", gates = "random", w = "random"},
      reference = "moe.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %me = gin.rank
  %ranks = gin.num_ranks
  %tokens = memref.dim %x, %c0 : !tokens
  %h = memref.dim %x, %c1 : !tokens

  // The router's output: our rows of the table for this number of ranks. (The last
  // rows again where the ranks have more tokens than the table.)
  %tables = memref.dim %table, %c0 : !table
  %rows = memref.dim %table, %c1 : !table
  %enough = arith.cmpi ule, %tokens, %rows : index
  cf.assert %enough, "more tokens than the routing table has rows"
  %known_ranks = arith.minui %ranks, %tables : index
  %which = arith.subi %known_ranks, %c1 : index
  %my_row = arith.muli %me, %tokens : index
  %last_row = arith.subi %rows, %tokens : index
  %first_row = arith.minui %my_row, %last_row : index
  %experts = memref.subview %table[%which, %first_row, 0] [1, %tokens, 2] [1, 1, 1]
    : !table to !experts

  gin.dispatch %x, %experts into %received, %counts, %positions
    : !tokens, !experts into !buffer, !counts, !pairs_i32

  linalg.fill ins(%zero : f32) outs(%results : !buffer)
  scf.for %q = %c0 to %ranks step %c1 {
    scf.for %e = %c0 to %c2 step %c1 {
      %count_i32 = memref.load %counts[%q, %e] : !counts
      %count = arith.index_cast %count_i32 : i32 to index
      %in = memref.subview %received[%q, %e, 0, 0] [1, 1, %count, %h] [1, 1, 1, 1]
        : !buffer to !block
      %matrix = memref.subview %w[%e, 0, 0] [1, %h, %h] [1, 1, 1] : !weights to !block
      %out = memref.subview %results[%q, %e, 0, 0] [1, 1, %count, %h] [1, 1, 1, 1]
        : !buffer to !block
      linalg.matmul ins(%in, %matrix : !block, !block) outs(%out : !block)
    }
  }

  gin.combine %results, %experts, %positions, %gates into %y
    : !buffer, !experts, !pairs_i32, !pairs_f32 into !tokens
  return
}
