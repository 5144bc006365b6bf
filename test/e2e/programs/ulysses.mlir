//===- ulysses.mlir - attention: all heads of some tokens, and back -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 3 --repeat 3 --seed 3

// Each rank has queries, keys and values of its tokens for all heads. They are
// exchanged so that a rank has those of all tokens for its own heads (sequence ->
// heads), whose attention it computes alone; then the results go back (heads ->
// sequence). The number of heads need not be a multiple of the number of ranks.

!qkv = memref<3x?x?x?xf32, #gin.window>   // [query, key or value, token, head, element]
!tokens = memref<?x?x?xf32, #gin.window>  // [token, head, element]
!heads = memref<3x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>, #gin.window>
!some = memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>, #gin.window>
!matrix = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
!scores = memref<?x?xf32>
!signals = !gin.signals<2x?>

#by_head = affine_map<()[ranks, tokens, heads, d] -> (ranks * tokens, heads ceildiv ranks, d)>

// Rank %p's heads: the number of the first, and how many.
func.func private @heads_of(%p: index, %heads: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %ranks = gin.num_ranks
  %next = arith.addi %p, %c1 : index
  %p_heads = arith.muli %p, %heads : index
  %next_heads = arith.muli %next, %heads : index
  %begin = arith.divui %p_heads, %ranks : index
  %end = arith.divui %next_heads, %ranks : index
  %count = arith.subi %end, %begin : index
  return %begin, %count : index, index
}

// Turns rows of dot products into weights: softmax of %scale times the row.
func.func private @softmax(%scores: !scores, %scale: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32   // minus infinity
  %rows = memref.dim %scores, %c0 : !scores
  %columns = memref.dim %scores, %c1 : !scores
  scf.for %i = %c0 to %rows step %c1 {
    %maximum = scf.for %j = %c0 to %columns step %c1 iter_args(%m = %lowest) -> f32 {
      %dot = memref.load %scores[%i, %j] : !scores
      %larger = arith.maximumf %m, %dot : f32
      scf.yield %larger : f32
    }
    %sum = scf.for %j = %c0 to %columns step %c1 iter_args(%s = %zero) -> f32 {
      %dot = memref.load %scores[%i, %j] : !scores
      %below = arith.subf %dot, %maximum : f32
      %scaled = arith.mulf %below, %scale : f32
      %e = math.exp %scaled : f32
      memref.store %e, %scores[%i, %j] : !scores
      %more = arith.addf %s, %e : f32
      scf.yield %more : f32
    }
    scf.for %j = %c0 to %columns step %c1 {
      %e = memref.load %scores[%i, %j] : !scores
      %weight = arith.divf %e, %sum : f32
      memref.store %weight, %scores[%i, %j] : !scores
    }
  }
  return
}

func.func @ulysses(%x: !qkv {gin.source}, %y: !tokens,
    %all: !qkv {gin.scratch, gin.sizes = #by_head},
    %results: !tokens {gin.scratch, gin.sizes = #by_head},
    %arrived: !signals {gin.sizes = affine_map<()[ranks] -> (ranks)>})
    attributes {gin.run = {
      dims = {tokens = "5", heads = "6", d = "3",
              x = "3, tokens, heads, d", y = "tokens, heads, d"},
      args = {x = "random"}, reference = "ulysses.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %me = gin.rank
  %ranks = gin.num_ranks
  %tokens = memref.dim %x, %c1 : !qkv
  %heads = memref.dim %x, %c2 : !qkv
  %d = memref.dim %x, %c3 : !qkv
  %all_tokens = arith.muli %ranks, %tokens : index

  // Sequence -> heads.
  %first_token = arith.muli %me, %tokens : index
  scf.for %distance = %c0 to %ranks step %c1 {
    %p = gin.neighbor %distance
    %begin, %count = func.call @heads_of(%p, %heads) : (index, index) -> (index, index)
    %theirs = memref.subview %x[0, 0, %begin, 0] [3, %tokens, %count, %d] [1, 1, 1, 1]
      : !qkv to !heads
    gin.put %theirs into %all[0, %first_token, 0, 0] on %p signal %arrived[0, %me]
      : !heads into !qkv, !signals
  }
  scf.for %q = %c0 to %ranks step %c1 {
    gin.wait %arrived[0, %q] >= 1 : !signals
  }

  // The attention of each of our heads.
  %first_head, %own_heads = func.call @heads_of(%me, %heads) : (index, index) -> (index, index)
  %d_i32 = arith.index_cast %d : index to i32
  %d_f32 = arith.uitofp %d_i32 : i32 to f32
  %scale = math.rsqrt %d_f32 : f32
  %scores = memref.alloc(%all_tokens, %all_tokens) : !scores
  linalg.fill ins(%zero : f32) outs(%results : !tokens)
  scf.for %h = %c0 to %own_heads step %c1 {
    %q = memref.subview %all[0, 0, %h, 0] [1, %all_tokens, 1, %d] [1, 1, 1, 1] : !qkv to !matrix
    %k = memref.subview %all[1, 0, %h, 0] [1, %all_tokens, 1, %d] [1, 1, 1, 1] : !qkv to !matrix
    %v = memref.subview %all[2, 0, %h, 0] [1, %all_tokens, 1, %d] [1, 1, 1, 1] : !qkv to !matrix
    %result = memref.subview %results[0, %h, 0] [%all_tokens, 1, %d] [1, 1, 1]
      : !tokens to !matrix
    linalg.fill ins(%zero : f32) outs(%scores : !scores)
    linalg.matmul indexing_maps = [affine_map<(i, j, e) -> (i, e)>,
                                   affine_map<(i, j, e) -> (j, e)>,
                                   affine_map<(i, j, e) -> (i, j)>]   // q times k transposed
        ins(%q, %k : !matrix, !matrix) outs(%scores : !scores)
    func.call @softmax(%scores, %scale) : (!scores, f32) -> ()
    linalg.matmul ins(%scores, %v : !scores, !matrix) outs(%result : !matrix)
  }
  memref.dealloc %scores : !scores

  // Heads -> sequence.
  scf.for %distance = %c0 to %ranks step %c1 {
    %p = gin.neighbor %distance
    %their_first = arith.muli %p, %tokens : index
    %theirs = memref.subview %results[%their_first, 0, 0] [%tokens, %own_heads, %d] [1, 1, 1]
      : !tokens to !some
    gin.put %theirs into %y[0, %first_head, 0] on %p signal %arrived[1, %me]
      : !some into !tokens, !signals
  }
  scf.for %q = %c0 to %ranks step %c1 {
    gin.wait %arrived[1, %q] >= 1 : !signals
  }
  return
}
