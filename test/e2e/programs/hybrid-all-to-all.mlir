//===- hybrid-all-to-all.mlir - over shared memory, then over the network -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 6 --lsa-size 2 --repeat 3 --seed 3

// Row q of %x on rank p becomes row p of %y on rank q. A rank is number `local` of
// the ranks of its node, which share memory. A row goes first to that rank of the
// own node which has the local number of its destination, by stores; from there
// over the rail to the destination's node, together with those of the other ranks
// of this node: a put for each node instead of one for each rank.

#node = #gin.team<lsa>
#rail = #gin.team<rail>

!matrix = memref<?x?xf32, #gin.window>
!theirs = memref<?x?xf32, #gin.peer>
!rows = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
!their_rows = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.peer>
!signals = !gin.signals<?>

func.func @hybrid_all_to_all(%x: !matrix {gin.source}, %y: !matrix,
    %sorted: !matrix {gin.scratch, gin.sizes = affine_map<()[ranks, ranks_x, m] -> (ranks, m)>},
    %arrived: !signals {gin.sizes = affine_map<()[ranks] -> (ranks)>})
    attributes {gin.run = {dims = {m = "5", x = "ranks, m", y = "ranks, m"},
                           args = {x = "random"}, reference = "hybrid-all-to-all.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %local = gin.rank team #node
  %locals = gin.num_ranks team #node
  %node = gin.rank team #rail
  %nodes = gin.num_ranks team #rail
  %m = memref.dim %x, %c1 : !matrix

  %ranks = gin.num_ranks
  %product = arith.muli %locals, %nodes : index
  %equal = arith.cmpi eq, %product, %ranks : index
  cf.assert %equal, "nodes have different numbers of ranks"

  // Ranks are numbered node by node. Those with local number l are rows l,
  // l + locals, ... of %x; they lie side by side in %sorted, after those that come
  // from the ranks before us.
  %mine = arith.muli %local, %nodes : index
  scf.for %l = %c0 to %locals step %c1 {
    %rows = memref.subview %x[%l, 0] [%nodes, %m] [%locals, 1] : !matrix to !rows
    %theirs = gin.peer_view %sorted on %l team #node : !matrix to !theirs
    %place = memref.subview %theirs[%mine, 0] [%nodes, %m] [1, 1] : !theirs to !their_rows
    memref.copy %rows, %place : !rows to !their_rows
  }
  gin.barrier team #node

  // What goes to node n are rows n, n + nodes, ... of %sorted.
  %first = arith.muli %node, %locals : index
  scf.for %distance = %c0 to %nodes step %c1 {
    %n = gin.neighbor %distance team #rail
    %rows = memref.subview %sorted[%n, 0] [%locals, %m] [%nodes, 1] : !matrix to !rows
    gin.put %rows into %y[%first, 0] on %n team #rail signal %arrived[%node]
      : !rows into !matrix, !signals
  }
  scf.for %n = %c0 to %nodes step %c1 {
    gin.wait %arrived[%n] >= 1 : !signals
  }
  return
}
