//===- moe.mlir - mixture of experts: dispatch, compute, combine ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Each rank has some tokens and two experts, the matrices %w. A token chooses two
// experts anywhere; it is sent there (dispatch), multiplied by the expert's matrix,
// sent back, and the two results are added with the token's weights (combine).
//
// An expert has room for 8 tokens of each rank. Further ones are dropped: their
// place in %positions is -1, and they add nothing to the result. Whom a token
// chooses is known only at run time, and so is how many tokens an expert gets.

!tokens = memref<?x?xf32, #gin.window>
!pairs_f32 = memref<?x2xf32, #gin.window>
!pairs_i32 = memref<?x2xi32, #gin.window>
!table = memref<8x256x2xi32, #gin.window>
!experts = memref<?x2xi32, strided<[2, 1], offset: ?>, #gin.window>
!weights = memref<2x?x?xf32, #gin.window>
!counts = memref<?x2xi32, #gin.window>
!buffer = memref<?x2x8x?xf32, #gin.window>   // [rank, expert, place, element]
!signals = !gin.signals<2x?>

!token = memref<?xf32, strided<[1], offset: ?>, #gin.window>
!block = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
!two_counts = memref<2xi32, strided<[1], offset: ?>, #gin.window>

#by_rank = affine_map<()[ranks, tokens, h] -> (ranks, h)>

func.func @moe(
    %x: !tokens {gin.source}, %table: !table {gin.source}, %gates: !pairs_f32 {gin.source},
    %w: !weights {gin.source}, %y: !tokens {gin.source},
    %positions: !pairs_i32 {gin.source}, %counts: !counts,
    %received: !buffer {gin.scratch, gin.sizes = #by_rank},
    %results: !buffer {gin.scratch, gin.sizes = #by_rank},
    %returned: !buffer {gin.scratch, gin.sizes = #by_rank},
    %sent: !counts {gin.scratch, gin.sizes = affine_map<()[ranks] -> (ranks)>},
    %arrived: !signals {gin.sizes = affine_map<()[ranks] -> (ranks)>})
    attributes {gin.run = {
      dims = {tokens = "24", h = "16", x = "tokens, h", gates = "tokens, 2",
              w = "2, h, h", y = "tokens, h", positions = "tokens, 2", counts = "ranks, 2"},
      args = {x = "random", table = "moe_routing.npy", gates = "random", w = "random"},
      reference = "moe.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %no_tokens = arith.constant 0 : i32
  %one_token = arith.constant 1 : i32
  %capacity = arith.constant 8 : i32
  %dropped = arith.constant -1 : i32
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

  // Dispatch. A token goes to the next free place of its expert, at the peer in our
  // part of %received; %sent counts the places taken. The puts need no signals.
  linalg.fill ins(%no_tokens : i32) outs(%sent : !counts)
  scf.for %t = %c0 to %tokens step %c1 {
    %token = memref.subview %x[%t, 0] [1, %h] [1, 1] : !tokens to !token
    scf.for %k = %c0 to %c2 step %c1 {
      %expert_i32 = memref.load %experts[%t, %k] : !experts
      %expert = arith.index_cast %expert_i32 : i32 to index
      %peer = arith.divui %expert, %c2 : index
      %local = arith.remui %expert, %c2 : index
      %place_i32 = memref.load %sent[%peer, %local] : !counts
      %place = arith.index_cast %place_i32 : i32 to index
      %fits = arith.cmpi slt, %place_i32, %capacity : i32
      scf.if %fits {
        gin.put %token into %received[%me, %local, %place, 0] on %peer : !token into !buffer
        %taken = arith.addi %place_i32, %one_token : i32
        memref.store %taken, %sent[%peer, %local] : !counts
      }
      %position = arith.select %fits, %place_i32, %dropped : i32
      memref.store %position, %positions[%t, %k] : !pairs_i32
    }
  }
  // Then each peer learns how many came, if any. One plain signal says that all
  // earlier puts to that peer are there: the tokens and the counts.
  scf.for %distance = %c0 to %ranks step %c1 {
    %peer = gin.neighbor %distance
    %two_counts = memref.subview %sent[%peer, 0] [1, 2] [1, 1] : !counts to !two_counts
    gin.put %two_counts into %counts[%me, 0] on %peer : !two_counts into !counts
    gin.signal %arrived[0, %me] on %peer : !signals
  }

  // Compute, source by source as they arrive, and return the results to where the
  // tokens came from. There they are found by the rank and number of the expert.
  linalg.fill ins(%zero : f32) outs(%results : !buffer)
  scf.for %distance = %c0 to %ranks step %c1 {
    %back = arith.subi %c0, %distance : index
    %q = gin.neighbor %back
    gin.wait %arrived[0, %q] >= 1 : !signals
    scf.for %e = %c0 to %c2 step %c1 {
      %count_i32 = memref.load %counts[%q, %e] : !counts
      %count = arith.index_cast %count_i32 : i32 to index
      %in = memref.subview %received[%q, %e, 0, 0] [1, 1, %count, %h] [1, 1, 1, 1]
        : !buffer to !block
      %matrix = memref.subview %w[%e, 0, 0] [1, %h, %h] [1, 1, 1] : !weights to !block
      %out = memref.subview %results[%q, %e, 0, 0] [1, 1, %count, %h] [1, 1, 1, 1]
        : !buffer to !block
      linalg.matmul ins(%in, %matrix : !block, !block) outs(%out : !block)
      gin.put %out into %returned[%me, %e, 0, 0] on %q : !block into !buffer
    }
    gin.signal %arrived[1, %me] on %q : !signals
  }

  // Combine, when all results are back.
  scf.for %p = %c0 to %ranks step %c1 {
    gin.wait %arrived[1, %p] >= 1 : !signals
  }
  linalg.fill ins(%zero : f32) outs(%y : !tokens)
  scf.for %t = %c0 to %tokens step %c1 {
    scf.for %k = %c0 to %c2 step %c1 {
      %position = memref.load %positions[%t, %k] : !pairs_i32
      %there = arith.cmpi sge, %position, %no_tokens : i32
      scf.if %there {
        %expert_i32 = memref.load %experts[%t, %k] : !experts
        %expert = arith.index_cast %expert_i32 : i32 to index
        %peer = arith.divui %expert, %c2 : index
        %local = arith.remui %expert, %c2 : index
        %place = arith.index_cast %position : i32 to index
        %gate = memref.load %gates[%t, %k] : !pairs_f32
        scf.for %i = %c0 to %h step %c1 {
          %result = memref.load %returned[%peer, %local, %place, %i] : !buffer
          %sum = memref.load %y[%t, %i] : !tokens
          %weighted = arith.mulf %gate, %result : f32
          %more = arith.addf %sum, %weighted : f32
          memref.store %more, %y[%t, %i] : !tokens
        }
      }
    }
  }
  return
}
