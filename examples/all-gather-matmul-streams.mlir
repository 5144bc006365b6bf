//===- all-gather-matmul-streams.mlir - copy engines gather ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The program of all-gather-matmul.mlir as two streams: in one, copy engines send
// this rank's rows to all others, and small kernels tell that they are there; in the
// other, one kernel multiplies what is there. %x[me] is the own shard, the other
// blocks of %x are filled. No multiprocessor copies, but one is kept free for the
// small kernels, which peers wait for.

!shards = memref<?x?x?xbf16, #gin.window>
!matrix = memref<?x?xbf16, #gin.window>
!products = memref<?x?x?xbf16, #gin.window>
!chunk = memref<?x?xbf16, strided<[?, 1], offset: ?>, #gin.window>
!signals = !gin.signals<?x?>

#by_chunk = affine_map<()[ranks, parts, m, k] -> (ranks, m ceildiv 1024)>

func.func @all_gather_matmul_streams(
    %x: !shards, %w: !matrix {gin.source}, %y: !products {gin.source},
    %arrived: !signals {gin.sizes = #by_chunk})
    attributes {gin.run = {
      dims = {m = "130", k = "72", n = "136", x = "ranks, m, k", w = "n, k", y = "ranks, m, n"},
      args = {x = "random", w = "random"}, reference = "all-gather-matmul-tiles.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %chunk_rows = arith.constant 1024 : index
  %me = gin.rank
  %ranks = gin.num_ranks
  %m = memref.dim %x, %c1 : !shards
  %k = memref.dim %x, %c2 : !shards

  gin.specialize {
    role "send" ctas 1 {
      // Who needs our rows first is the rank before us: it begins with its own.
      scf.for %distance = %c1 to %ranks step %c1 {
        %away = arith.subi %c0, %distance : index
        %peer = gin.neighbor %away
        scf.for %row = %c0 to %m step %chunk_rows {
          %rest = arith.subi %m, %row : index
          %rows = arith.minui %rest, %chunk_rows : index
          %down = arith.divui %row, %chunk_rows : index
          %source = memref.subview %x[%me, %row, 0] [1, %rows, %k] [1, 1, 1]
            : !shards to !chunk
          gin.put %source into %x[%me, %row, 0] on %peer : !chunk into !shards
          gin.kernel "tell" {
            gin.signal %arrived[%me, %down] on %peer : !signals
          }
        }
      }
    }
    role "multiply" {
      gin.kernel "multiply" {
        gin.matmul %x, %w into %y transposed from %me
          acquire(%part, %row, %at) {
            %remote = arith.cmpi ne, %part, %me : index
            %begins = arith.cmpi eq, %at, %c0 : index
            %waits = arith.andi %remote, %begins : i1
            scf.if %waits {
              // A tile's rows are all of one chunk, since 128 divides 1024.
              %down = arith.divui %row, %chunk_rows : index
              gin.wait %arrived[%part, %down] >= 1 : !signals
            }
          } : !shards, !matrix into !products
      }
    }
  }
  return
}
