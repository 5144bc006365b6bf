//===- ring-all-reduce.mlir - the sum of all ranks' vectors on a ring -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// A vector of m elements is cut into one chunk for each rank; m need not be a
// multiple of the number of ranks. In ranks - 1 steps each chunk travels once
// around the ring and takes up every rank's share (reduce-scatter), in ranks - 1
// further steps its sum travels once around (all-gather).

!vector = memref<?xf32, #gin.window>
!chunk = memref<?xf32, strided<[1], offset: ?>, #gin.window>
!signals = !gin.signals<2x?>

// Chunk k has the elements from k m / ranks up to (k + 1) m / ranks.
func.func private @chunk(%v: !vector, %k: index) -> (!chunk, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ranks = gin.num_ranks
  %m = memref.dim %v, %c0 : !vector
  %k_next = arith.addi %k, %c1 : index
  %k_m = arith.muli %k, %m : index
  %k_next_m = arith.muli %k_next, %m : index
  %begin = arith.divui %k_m, %ranks : index
  %end = arith.divui %k_next_m, %ranks : index
  %size = arith.subi %end, %begin : index
  %chunk = memref.subview %v[%begin] [%size] [1] : !vector to !chunk
  return %chunk, %begin : !chunk, index
}

func.func @ring_all_reduce(%x: !vector {gin.source}, %y: !vector,
    %arrived: !signals {gin.sizes = affine_map<()[ranks] -> (ranks)>})
    attributes {gin.run = {dims = {m = "61", x = "m", y = "m"},
                           args = {x = "random"}, reference = "ring-all-reduce.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ranks = gin.num_ranks
  %right = gin.neighbor 1
  %steps = arith.subi %ranks, %c1 : index

  // The left neighbour adds to our %y: not before our own share is there.
  memref.copy %x, %y : !vector to !vector
  gin.barrier

  // Reduce-scatter: chunk me - step has taken up the ranks on our left and us.
  // Each step has a slot of its own, since a bundled signal says nothing about
  // other puts: two steps on one slot could stand for each other.
  scf.for %step = %c0 to %steps step %c1 {
    %distance = arith.subi %c0, %step : index
    %k = gin.neighbor %distance   // (me - step) mod ranks
    %chunk, %begin = func.call @chunk(%y, %k) : (!vector, index) -> (!chunk, index)
    gin.put %chunk into %y[%begin] on %right accumulate signal %arrived[0, %step]
      : !chunk into !vector, !signals
    gin.wait %arrived[0, %step] >= 1 : !signals
  }

  // All-gather: chunk me + 1 is complete here. What this overwrites on the right
  // has been read: its sum has come to us over all ranks, the right one included.
  scf.for %step = %c0 to %steps step %c1 {
    %distance = arith.subi %c1, %step : index
    %k = gin.neighbor %distance   // (me + 1 - step) mod ranks
    %chunk, %begin = func.call @chunk(%y, %k) : (!vector, index) -> (!chunk, index)
    gin.put %chunk into %y[%begin] on %right signal %arrived[1, %step]
      : !chunk into !vector, !signals
    gin.wait %arrived[1, %step] >= 1 : !signals
  }
  return
}
