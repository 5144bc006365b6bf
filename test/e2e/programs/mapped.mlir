//===- mapped.mlir - an all-to-all by warps, threads and blocks -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 3 --repeat 3 --seed 3

// Who does the iterations of a loop is said by its mapping. Warps put rows, threads
// wait for them and answer, and a block doubles each row, half of it by each warp,
// whose first lane then adds 1 to the first element of its half.

!window = memref<?x16xi32, #gin.window>
!row = memref<1x16xi32, strided<[16, 1], offset: ?>, #gin.window>
#ranks = affine_map<()[ranks, a, b, c] -> (ranks)>

func.func @mapped(%x: !window, %y: !window, %z: !window {gin.source},
                  %there: !gin.signals<?> {gin.sizes = #ranks},
                  %seen: !gin.signals<?> {gin.sizes = #ranks})
    attributes {gin.run = {dims = {x = "ranks, 16", y = "ranks, 16", z = "ranks, 16"},
                           args = {x = "random"}, reference = "mapped.py"}} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %me = gin.rank
  %ranks = gin.num_ranks

  scf.forall (%p) in (%ranks) {
    %row = memref.subview %x[%p, 0] [1, 16] [1, 1] : !window to !row
    gin.put %row into %y[%me, 0] on %p : !row into !window
    gin.signal %there[%me] on %p : !gin.signals<?>
  } {mapping = [#gpu.warp<x>]}
  scf.forall (%p) in (%ranks) {
    gin.wait %there[%p] >= 1 : !gin.signals<?>
    gin.signal %seen[%me] on %p : !gin.signals<?>
  } {mapping = [#gpu.thread<x>]}

  scf.forall (%i) in (%ranks) {
    scf.forall (%half) in (2) {
      %begin = arith.muli %half, %c8 : index
      scf.forall (%k) in (8) {
        %at = arith.addi %begin, %k : index
        %v = memref.load %y[%i, %at] : !window
        %twice = arith.addi %v, %v : i32
        memref.store %twice, %z[%i, %at] : !window
      } {mapping = [#gpu.thread<x>]}
      %v = memref.load %z[%i, %begin] : !window
      %more = arith.addi %v, %one : i32
      memref.store %more, %z[%i, %begin] : !window
    } {mapping = [#gpu.warp<x>]}
  } {mapping = [#gpu.block<linear_dim_0>]}

  // Nobody puts into our %y again before all have seen that theirs are there.
  scf.forall (%p) in (%ranks) {
    gin.wait %seen[%p] >= 1 : !gin.signals<?>
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return
}
