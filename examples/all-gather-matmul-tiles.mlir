//===- all-gather-matmul-tiles.mlir - multiply tiles as rows arrive -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The program of all-gather-matmul.mlir with a schedule: some CTAs send this
// rank's rows to all others, and the rest multiply what is there. %x[me] is the
// own shard, the other blocks of %x are filled. Rows travel in chunks of rows and
// of columns, so that a peer can begin with the first steps of k of all its tiles;
// a chunk is sent in pieces, each by one CTA, and has arrived with the last one.

!shards = memref<?x?x?xbf16, #gin.window>
!matrix = memref<?x?xbf16, #gin.window>
!products = memref<?x?x?xbf16, #gin.window>
!piece = memref<?x?xbf16, strided<[?, 1], offset: ?>, #gin.window>
!signals = !gin.signals<?x?x?>

#by_chunk = affine_map<()[ranks, parts, m, k] -> (ranks, m ceildiv 1024, k ceildiv 2048)>

func.func @all_gather_matmul_tiles(
    %x: !shards, %w: !matrix {gin.source}, %y: !products {gin.source},
    %arrived: !signals {gin.sizes = #by_chunk})
    attributes {gin.run = {
      dims = {m = "130", k = "72", n = "136", x = "ranks, m, k", w = "n, k", y = "ranks, m, n"},
      args = {x = "random", w = "random"}, reference = "all-gather-matmul-tiles.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %chunk_rows = arith.constant 1024 : index
  %chunk_columns = arith.constant 2048 : index
  %piece_rows = arith.constant 32 : index
  %me = gin.rank
  %ranks = gin.num_ranks
  %m = memref.dim %x, %c1 : !shards
  %k = memref.dim %x, %c2 : !shards
  %chunks_down = arith.ceildivui %m, %chunk_rows : index
  %chunks_across = arith.ceildivui %k, %chunk_columns : index
  %pieces = arith.ceildivui %m, %piece_rows : index

  gin.specialize {
    role "send" ctas 8 {
      // Who needs our rows first is the rank before us: it begins with its own.
      %others = arith.subi %ranks, %c1 : index
      scf.forall (%distance, %across, %piece) in (%others, %chunks_across, %pieces) {
        %nearest = arith.addi %distance, %c1 : index
        %away = arith.subi %c0, %nearest : index
        %peer = gin.neighbor %away
        %row = arith.muli %piece, %piece_rows : index
        %rest_rows = arith.subi %m, %row : index
        %rows = arith.minui %rest_rows, %piece_rows : index
        %column = arith.muli %across, %chunk_columns : index
        %rest_columns = arith.subi %k, %column : index
        %columns = arith.minui %rest_columns, %chunk_columns : index
        %down = arith.divui %row, %chunk_rows : index
        %source = memref.subview %x[%me, %row, %column] [1, %rows, %columns] [1, 1, 1]
          : !shards to !piece
        gin.put %source into %x[%me, %row, %column] on %peer
            signal %arrived[%me, %down, %across]
          : !piece into !shards, !signals
      }
    }
    role "multiply" {
      gin.matmul %x, %w into %y transposed from %me
        acquire(%part, %row, %at) {
          %remote = arith.cmpi ne, %part, %me : index
          %inside = arith.remui %at, %chunk_columns : index
          %begins = arith.cmpi eq, %inside, %c0 : index
          %waits = arith.andi %remote, %begins : i1
          scf.if %waits {
            // A tile's rows are all of one chunk, since 128 divides 1024.
            %down = arith.divui %row, %chunk_rows : index
            %across = arith.divui %at, %chunk_columns : index
            %top = arith.muli %down, %chunk_rows : index
            %rest = arith.subi %m, %top : index
            %rows = arith.minui %rest, %chunk_rows : index
            %count = arith.ceildivui %rows, %piece_rows : index
            gin.wait %arrived[%part, %down, %across] >= %count : !signals
          }
        } : !shards, !matrix into !products
    }
  }
  return
}
