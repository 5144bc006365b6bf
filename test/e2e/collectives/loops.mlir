//===- loops.mlir - the same collective many times in one launch ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --algorithm direct --ranks 3 --repeat 3 --seed 3
// RUN: ginc run %s --algorithm ring --ranks 4 --repeat 3 --seed 4
// RUN: ginc run %s --algorithm tree --ranks 7 --repeat 3 --seed 7

// Each execution uses the same slots and scratch windows. Between executions the
// ranks change what they send, at once: a late read or an early arrival would show.

!vector = memref<?xf32, #gin.window>
!matrix = memref<?x?xf32, #gin.window>
!row = memref<?xf32, strided<[1], offset: ?>, #gin.window>

// Turns a vector by one place.
func.func private @turn(%v: !vector) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %v, %c0 : !vector
  %some = arith.cmpi ugt, %n, %c0 : index
  scf.if %some {
    %last = arith.subi %n, %c1 : index
    %first = memref.load %v[%c0] : !vector
    scf.for %i = %c0 to %last step %c1 {
      %next = arith.addi %i, %c1 : index
      %e = memref.load %v[%next] : !vector
      memref.store %e, %v[%i] : !vector
    }
    memref.store %first, %v[%last] : !vector
  }
  return
}

// A called function with a collective.
func.func private @sum_and_turn(%v: !vector, %w: !vector) {
  gin.all_reduce max %v into %w : !vector into !vector
  func.call @turn(%v) : (!vector) -> ()
  return
}

func.func @loops(%x: !vector, %y: !vector, %h: !matrix, %history: !matrix,
                 %blocks: !matrix, %turned: !matrix, %own: !vector, %times: index)
    attributes {gin.run = {
      dims = {m = "5", x = "m", y = "m", h = "4, m", history = "4, m", own = "m",
              blocks = "ranks, m", turned = "ranks, m"},
      args = {x = "integers:-2:2:1", h = "integers:-2:2:2", blocks = "integers:-2:2:3", times = "3"},
      reference = "loops.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %m = memref.dim %h, %c1 : !matrix

  // One loop, in place: x becomes the maximum, turned each time.
  scf.for %i = %c0 to %times step %c1 {
    gin.all_reduce max %x into %x : !vector into !vector
    func.call @turn(%x) : (!vector) -> ()
  }

  // Loops in each other, the second not beginning at 0; a row in each iteration.
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c1 to %c4 step %c2 {
      %twice = arith.muli %i, %c2 : index
      %half = arith.divui %j, %c2 : index
      %r = arith.addi %twice, %half : index
      %row = memref.subview %h[%r, 0] [1, %m] [1, 1] : !matrix to !row
      gin.all_reduce sum %row into %y : !row into !vector
      %out = memref.subview %history[%r, 0] [1, %m] [1, 1] : !matrix to !row
      memref.copy %y, %out : !vector to !row
    }
  }

  // Executed in some iterations only, by a call; and a while loop.
  scf.for %i = %c0 to %times step %c1 {
    %odd = arith.remui %i, %c2 : index
    %now = arith.cmpi eq, %odd, %c0 : index
    scf.if %now {
      func.call @sum_and_turn(%own, %y) : (!vector, !vector) -> ()
      memref.copy %y, %own : !vector to !vector
    }
  }
  %end = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi ult, %i, %times : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    gin.all_to_all %blocks into %turned : !matrix into !matrix
    memref.copy %turned, %blocks : !matrix to !matrix
    gin.reduce_scatter max %turned into %own : !matrix into !vector
    func.call @turn(%own) : (!vector) -> ()
    gin.all_gather %own into %turned : !vector into !matrix
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}
