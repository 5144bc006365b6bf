//===- moe-tiles.mlir - mixture of experts, multiplied tile by tile -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The program of moe.mlir with a schedule: some CTAs send tokens to their experts,
// the others multiply what has arrived, and return each tile as soon as it is
// computed. All experts of a rank are one product, whose parts are slots of 160
// rows, one for each source and expert: part 2 q + e has what rank q sent to expert e,
// and is multiplied by matrix e. How many rows of a slot there are says %counts,
// which arrives with them; the rest of a slot is neither multiplied nor returned.

!tokens = memref<?x?xbf16, #gin.window>
!sums = memref<?x?xf32, #gin.window>
!pairs_f32 = memref<?x2xf32, #gin.window>
!pairs_i32 = memref<?x2xi32, #gin.window>
!table = memref<8x256x2xi32, #gin.window>
!experts = memref<?x2xi32, strided<[2, 1], offset: ?>, #gin.window>
!weights = memref<2x?x?xbf16, #gin.window>
!counts = memref<?xi32, #gin.window>
!slots = memref<?x160x?xbf16, #gin.window>   // [2 * rank + expert, place, element]
!signals = !gin.signals<?>

!token = memref<?xbf16, strided<[1], offset: ?>, #gin.window>
!tile = memref<?x?xbf16, strided<[?, 1], offset: ?>, #gin.window>
!two_counts = memref<2xi32, strided<[1], offset: ?>, #gin.window>

#by_rank = affine_map<()[ranks] -> (ranks)>
#two_by_rank = affine_map<()[ranks] -> (2 * ranks)>
#slots = affine_map<()[ranks, tokens, h] -> (2 * ranks, h)>

func.func @moe_tiles(
    %x: !tokens {gin.source}, %table: !table {gin.source}, %gates: !pairs_f32 {gin.source},
    %w: !weights {gin.source}, %y: !sums {gin.source},
    %positions: !pairs_i32 {gin.source}, %counts: !counts,
    %received: !slots {gin.scratch, gin.sizes = #slots},
    %results: !slots {gin.scratch, gin.sizes = #slots},
    %returned: !slots {gin.scratch, gin.sizes = #slots},
    %sent: !counts {gin.scratch, gin.sizes = #two_by_rank},
    %arrived: !signals {gin.sizes = #by_rank}, %back: !signals {gin.sizes = #two_by_rank})
    attributes {gin.run = {
      dims = {tokens = "180", h = "24", x = "tokens, h", gates = "tokens, 2",
              w = "2, h, h", y = "tokens, h", positions = "tokens, 2", counts = "2 * ranks"},
      args = {x = "random", table = "moe_routing.npy", gates = "random", w = "random"},
      reference = "moe-tiles.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %tile_rows = arith.constant 128 : index
  %tile_columns = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %no_tokens = arith.constant 0 : i32
  %one_token = arith.constant 1 : i32
  %capacity = arith.constant 160 : i32
  %dropped = arith.constant -1 : i32
  %me = gin.rank
  %ranks = gin.num_ranks
  %tokens = memref.dim %x, %c0 : !tokens
  %h = memref.dim %x, %c1 : !tokens
  %slots = arith.muli %ranks, %c2 : index
  %my_slot = arith.muli %me, %c2 : index

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

  gin.specialize {
    role "dispatch" ctas 1 {
      // A token goes to the next free place of its expert, numbered through all
      // ranks, at the peer in our slots of %received; %sent counts the places taken.
      linalg.fill ins(%no_tokens : i32) outs(%sent : !counts)
      scf.for %t = %c0 to %tokens step %c1 {
        %token = memref.subview %x[%t, 0] [1, %h] [1, 1] : !tokens to !token
        scf.for %k = %c0 to %c2 step %c1 {
          %expert_i32 = memref.load %experts[%t, %k] : !experts
          %expert = arith.index_cast %expert_i32 : i32 to index
          %peer = arith.divui %expert, %c2 : index
          %local = arith.remui %expert, %c2 : index
          %slot = arith.addi %my_slot, %local : index
          %place_i32 = memref.load %sent[%expert] : !counts
          %place = arith.index_cast %place_i32 : i32 to index
          %fits = arith.cmpi slt, %place_i32, %capacity : i32
          scf.if %fits {
            gin.put %token into %received[%slot, %place, 0] on %peer : !token into !slots
            %taken = arith.addi %place_i32, %one_token : i32
            memref.store %taken, %sent[%expert] : !counts
          }
          %position = arith.select %fits, %place_i32, %dropped : i32
          memref.store %position, %positions[%t, %k] : !pairs_i32
        }
      }
      // Then each peer learns how many came, if any. One plain signal says that all
      // earlier puts to that peer are there: the tokens and the counts.
      scf.for %distance = %c0 to %ranks step %c1 {
        %peer = gin.neighbor %distance
        %first_expert = arith.muli %peer, %c2 : index
        %two_counts = memref.subview %sent[%first_expert] [2] [1] : !counts to !two_counts
        gin.put %two_counts into %counts[%my_slot] on %peer : !two_counts into !counts
        gin.signal %arrived[%me] on %peer : !signals
      }
    }
    role "multiply" {
      gin.matmul %received, %w into %results rows %counts from %my_slot tiles [128, 64, 64]
        acquire(%slot, %row, %at) {
          %begins = arith.cmpi eq, %at, %c0 : index
          scf.if %begins {
            %q = arith.divui %slot, %c2 : index
            gin.wait %arrived[%q] >= 1 : !signals
          }
        }
        publish(%slot, %row, %column) {
          // Back to where the tokens came from, where results are found by the
          // number of the expert.
          %q = arith.divui %slot, %c2 : index
          %local = arith.remui %slot, %c2 : index
          %expert = arith.addi %my_slot, %local : index
          %count_i32 = memref.load %counts[%slot] : !counts
          %count = arith.index_cast %count_i32 : i32 to index
          %rest_rows = arith.subi %count, %row : index
          %there = arith.minui %rest_rows, %tile_rows : index
          %rest_columns = arith.subi %h, %column : index
          %across = arith.minui %rest_columns, %tile_columns : index
          %tile = memref.subview %results[%slot, %row, %column] [1, %there, %across] [1, 1, 1]
            : !slots to !tile
          gin.put %tile into %returned[%expert, %row, %column] on %q signal %back[%expert]
            : !tile into !slots, !signals
        } : !slots, !weights into !slots rows !counts
    }
  }

  // Combine, when all tiles with our tokens are back.
  %tiles_across = arith.ceildivui %h, %tile_columns : index
  scf.for %expert = %c0 to %slots step %c1 {
    %count_i32 = memref.load %sent[%expert] : !counts
    %count = arith.index_cast %count_i32 : i32 to index
    %tiles_down = arith.ceildivui %count, %tile_rows : index
    %tiles = arith.muli %tiles_down, %tiles_across : index
    gin.wait %back[%expert] >= %tiles : !signals
  }
  scf.parallel (%t, %i) = (%c0, %c0) to (%tokens, %h) step (%c1, %c1) {
    %total = scf.for %k = %c0 to %c2 step %c1 iter_args(%sum = %zero) -> f32 {
      %position = memref.load %positions[%t, %k] : !pairs_i32
      %kept = arith.cmpi sge, %position, %no_tokens : i32
      %more = scf.if %kept -> f32 {
        %expert_i32 = memref.load %experts[%t, %k] : !experts
        %expert = arith.index_cast %expert_i32 : i32 to index
        %place = arith.index_cast %position : i32 to index
        %result_bf16 = memref.load %returned[%expert, %place, %i] : !slots
        %result = arith.extf %result_bf16 : bf16 to f32
        %gate = memref.load %gates[%t, %k] : !pairs_f32
        %weighted = arith.mulf %gate, %result : f32
        %with = arith.addf %sum, %weighted : f32
        scf.yield %with : f32
      } else {
        scf.yield %sum : f32
      }
      scf.yield %more : f32
    }
    memref.store %total, %y[%t, %i] : !sums
  }
  return
}
