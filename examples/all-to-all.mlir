//===- all-to-all.mlir - every rank has a row for every rank --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Row q of %x on rank p becomes row p of %y on rank q.
!matrix = memref<?x?xf32, #gin.window>
!row = memref<?xf32, strided<[1], offset: ?>, #gin.window>

func.func @all_to_all(%x: !matrix, %y: !matrix,
    %arrived: !gin.signals<?> {gin.sizes = affine_map<()[ranks] -> (ranks)>})
    attributes {gin.run = {dims = {m = "16", x = "ranks, m", y = "ranks, m"},
                           args = {x = "random"}, reference = "all-to-all.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %me = gin.rank
  %ranks = gin.num_ranks
  %m = memref.dim %x, %c1 : !matrix
  scf.for %k = %c0 to %ranks step %c1 {
    %peer = gin.neighbor %k   // starts with itself, so that no rank is everyone's first
    %row = memref.subview %x[%peer, 0] [1, %m] [1, 1] : !matrix to !row
    gin.put %row into %y[%me, 0] on %peer signal %arrived[%me]
      : !row into !matrix, !gin.signals<?>
  }
  scf.for %k = %c0 to %ranks step %c1 {
    gin.wait %arrived[%k] >= 1 : !gin.signals<?>   // a slot for each source: row %k is there
  }
  return
}
