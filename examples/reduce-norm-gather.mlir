//===- reduce-norm-gather.mlir - sum, normalise, share, in one program ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Each rank has a summand of every token (tensor parallelism). The sum of a token
// is formed on the rank that owns it (reduce-scatter), divided by its root mean
// square there (RMS norm), and sent to all ranks (all-gather). The number of tokens
// need not be a multiple of the number of ranks: %own is a window that differs in
// size between ranks, by its first dimension.

!tokens = memref<?x?xf32, #gin.window>
!gains = memref<?xf32, #gin.window>
!rows = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
!signals = !gin.signals<2x?>

func.func @reduce_norm_gather(
    %x: !tokens {gin.source}, %gains: !gains {gin.source}, %own: !tokens, %y: !tokens,
    %arrived: !signals {gin.sizes = affine_map<()[ranks] -> (ranks)>})
    attributes {gin.run = {
      dims = {tokens = "29", h = "24", x = "tokens, h", gains = "h", y = "tokens, h",
              own = "tokens / ranks + (rank < tokens % ranks), h"},
      args = {x = "random", gains = "random"}, reference = "reduce-norm-gather.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %me = gin.rank
  %ranks = gin.num_ranks
  %h = memref.dim %x, %c1 : !tokens
  %own_rows = memref.dim %own, %c0 : !tokens

  // All ranks add to %own: not before the zeros are there.
  linalg.fill ins(%zero : f32) outs(%own : !tokens)
  gin.barrier

  // Reduce-scatter. Tokens lie in the order of their owners, so that each owner's
  // begin where the one before ends; %mine is where ours begin.
  %end, %mine = scf.for %p = %c0 to %ranks step %c1
      iter_args(%begin = %c0, %mine_so_far = %c0) -> (index, index) {
    %rows = gin.window_dim %own, 0 on %p : !tokens
    %part = memref.subview %x[%begin, 0] [%rows, %h] [1, 1] : !tokens to !rows
    gin.put %part into %own[0, 0] on %p accumulate signal %arrived[0, %me]
      : !rows into !tokens, !signals
    %is_me = arith.cmpi eq, %p, %me : index
    %mine_now = arith.select %is_me, %begin, %mine_so_far : index
    %next = arith.addi %begin, %rows : index
    scf.yield %next, %mine_now : index, index
  }
  scf.for %q = %c0 to %ranks step %c1 {
    gin.wait %arrived[0, %q] >= 1 : !signals
  }

  // RMS norm: t[i] gains[i] / sqrt(mean over j of t[j]^2 + epsilon).
  %h_i32 = arith.index_cast %h : index to i32
  %h_f32 = arith.uitofp %h_i32 : i32 to f32
  scf.for %t = %c0 to %own_rows step %c1 {
    %squares = scf.for %i = %c0 to %h step %c1 iter_args(%sum = %zero) -> f32 {
      %value = memref.load %own[%t, %i] : !tokens
      %square = arith.mulf %value, %value : f32
      %more = arith.addf %sum, %square : f32
      scf.yield %more : f32
    }
    %mean = arith.divf %squares, %h_f32 : f32
    %biased = arith.addf %mean, %epsilon : f32
    %scale = math.rsqrt %biased : f32
    scf.for %i = %c0 to %h step %c1 {
      %value = memref.load %own[%t, %i] : !tokens
      %gain = memref.load %gains[%i] : !gains
      %scaled = arith.mulf %value, %scale : f32
      %normal = arith.mulf %scaled, %gain : f32
      memref.store %normal, %own[%t, %i] : !tokens
    }
  }

  // All-gather, to ourselves as well.
  scf.for %k = %c0 to %ranks step %c1 {
    %peer = gin.neighbor %k
    gin.put %own into %y[%mine, 0] on %peer signal %arrived[1, %me]
      : !tokens into !tokens, !signals
  }
  scf.for %q = %c0 to %ranks step %c1 {
    gin.wait %arrived[1, %q] >= 1 : !signals
  }
  return
}
