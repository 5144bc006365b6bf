//===- ring-attention.mlir - keys and values go around a ring -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 3 --repeat 3 --seed 3

// Each rank has the queries, keys and values of some tokens, as many as others or
// one more, and wants its queries' attention to the keys of all ranks. Its block of
// keys and values visits all ranks. What a query has seen so far is kept as a sum
// that is scaled to the largest score yet (online softmax).

!matrix = memref<?x?xf32, #gin.window>
!block = memref<?x2x?xf32, #gin.window>   // key and value of each token
!some = memref<?x2x?xf32, strided<[?, ?, 1]>, #gin.window>
!slice = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
!scores = memref<?x?xf32>
!some_scores = memref<?x?xf32, strided<[?, 1]>>
!vector = memref<?xf32>

// Adds what the queries %q see of the keys and values in the first rows of %block to
// %o, %sums and %maxima: the sums of e^(score - maximum) value and of e^(score -
// maximum), and the maximum of the scores. %room has room for the scores.
func.func private @attend(%q: !matrix, %block: !block, %keys: index, %room: !scores,
                          %o: !matrix, %sums: !vector, %maxima: !vector) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %queries = memref.dim %q, %c0 : !matrix
  %d = memref.dim %q, %c1 : !matrix
  %k = memref.subview %block[0, %c0, 0] [%keys, 1, %d] [1, 1, 1] : !block to !slice
  %v = memref.subview %block[0, %c1, 0] [%keys, 1, %d] [1, 1, 1] : !block to !slice
  %d_i32 = arith.index_cast %d : index to i32
  %d_f32 = arith.uitofp %d_i32 : i32 to f32
  %scale = math.rsqrt %d_f32 : f32

  %scores = memref.subview %room[0, 0] [%queries, %keys] [1, 1] : !scores to !some_scores
  linalg.fill ins(%zero : f32) outs(%scores : !some_scores)
  linalg.matmul indexing_maps = [affine_map<(i, j, e) -> (i, e)>,
                                 affine_map<(i, j, e) -> (j, e)>,
                                 affine_map<(i, j, e) -> (i, j)>]   // q times k transposed
      ins(%q, %k : !matrix, !slice) outs(%scores : !some_scores)
  scf.for %i = %c0 to %queries step %c1 {
    %old_maximum = memref.load %maxima[%i] : !vector
    %maximum = scf.for %j = %c0 to %keys step %c1 iter_args(%m = %old_maximum) -> f32 {
      %dot = memref.load %scores[%i, %j] : !some_scores
      %score = arith.mulf %dot, %scale : f32
      memref.store %score, %scores[%i, %j] : !some_scores
      %larger = arith.maximumf %m, %score : f32
      scf.yield %larger : f32
    }
    memref.store %maximum, %maxima[%i] : !vector

    %less = arith.subf %old_maximum, %maximum : f32
    %factor = math.exp %less : f32
    %old_sum = memref.load %sums[%i] : !vector
    %scaled_sum = arith.mulf %old_sum, %factor : f32
    %sum = scf.for %j = %c0 to %keys step %c1 iter_args(%s = %scaled_sum) -> f32 {
      %score = memref.load %scores[%i, %j] : !some_scores
      %below = arith.subf %score, %maximum : f32
      %weight = math.exp %below : f32
      memref.store %weight, %scores[%i, %j] : !some_scores
      %more = arith.addf %s, %weight : f32
      scf.yield %more : f32
    }
    memref.store %sum, %sums[%i] : !vector
    scf.for %e = %c0 to %d step %c1 {
      %old = memref.load %o[%i, %e] : !matrix
      %scaled = arith.mulf %old, %factor : f32
      memref.store %scaled, %o[%i, %e] : !matrix
    }
  }
  linalg.matmul ins(%scores, %v : !some_scores, !slice) outs(%o : !matrix)
  return
}

func.func @ring_attention(
    %q: !matrix {gin.source}, %kv: !block, %y: !matrix {gin.source},
    %even: !block, %odd: !block,   // room for anybody's block
    %filled: !gin.signals<?> {gin.sizes = affine_map<()[ranks] -> (ranks)>},
    %credits: !gin.signals<1>)
    attributes {gin.run = {
      dims = {tokens = "29", d = "6", own = "tokens / ranks + (rank < tokens % ranks)",
              most = "(tokens + ranks - 1) / ranks", q = "own, d", kv = "own, 2, d",
              y = "own, d", even = "most, 2, d", odd = "most, 2, d"},
      args = {q = "random", kv = "random"}, reference = "ring-attention.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32   // minus infinity
  %ranks = gin.num_ranks
  %left = gin.neighbor -1
  %right = gin.neighbor 1
  %queries = memref.dim %q, %c0 : !matrix
  %d = memref.dim %q, %c1 : !matrix

  %maxima = memref.alloc(%queries) : !vector
  %sums = memref.alloc(%queries) : !vector
  %most = memref.dim %even, %c0 : !block
  %room = memref.alloc(%queries, %most) : !scores
  linalg.fill ins(%lowest : f32) outs(%maxima : !vector)
  linalg.fill ins(%zero : f32) outs(%sums : !vector)
  linalg.fill ins(%zero : f32) outs(%y : !matrix)

  // In step s the block of the rank s to our left is in %here. While it is used, it
  // goes to the right neighbour's %there.
  scf.for %step = %c0 to %ranks step %c1
      iter_args(%here = %kv, %there = %odd, %other = %even) -> (!block, !block, !block) {
    %away = arith.subi %c0, %step : index
    %owner = gin.neighbor %away
    %keys = gin.window_dim %kv, 0 on %owner : !block
    %next = arith.addi %step, %c1 : index
    %more = arith.cmpi ult, %next, %ranks : index
    %sent = scf.if %more -> !gin.token {
      // The neighbour used %there in the step before: it must be done with %step steps.
      gin.wait %credits[0] >= %step : !gin.signals<1>
      %some = memref.subview %here[0, 0, 0] [%keys, 2, %d] [1, 1, 1] : !block to !some
      %token = gin.put %some into %there[0, 0, 0] on %right signal %filled[%next] -> !gin.token
        : !some into !block, !gin.signals<?>
      scf.yield %token : !gin.token
    } else {
      %nothing = gin.ready_token
      scf.yield %nothing : !gin.token
    }

    func.call @attend(%q, %here, %keys, %room, %y, %sums, %maxima)
      : (!matrix, !block, index, !scores, !matrix, !vector, !vector) -> ()

    // %here may be overwritten: it is used and sent.
    gin.await %sent
    gin.signal %credits[0] on %left : !gin.signals<1>
    scf.if %more {
      gin.wait %filled[%next] >= 1 : !gin.signals<?>
    }
    scf.yield %there, %other, %there : !block, !block, !block
  }
  gin.wait %credits[0] >= %ranks : !gin.signals<1>   // drain: the next launch starts with none

  scf.for %i = %c0 to %queries step %c1 {
    %sum = memref.load %sums[%i] : !vector
    scf.for %e = %c0 to %d step %c1 {
      %weighted = memref.load %y[%i, %e] : !matrix
      %mean = arith.divf %weighted, %sum : f32
      memref.store %mean, %y[%i, %e] : !matrix
    }
  }
  memref.dealloc %maxima : !vector
  memref.dealloc %sums : !vector
  memref.dealloc %room : !scores
  return
}
