//===- ring-queue.mlir - a bounded queue between neighbours ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Each rank sends its messages, the rows of %x, to its right neighbour through a
// queue of three slots, and stores what comes from the left in %y. A slot may be
// filled again when the consumer has given a credit for what was in it.

!messages = memref<?x?xi64, #gin.window>
!queue = memref<3x?xi64, #gin.window>
!message = memref<?xi64, strided<[1], offset: ?>, #gin.window>

func.func @ring_queue(%x: !messages {gin.source}, %y: !messages {gin.source},
    %queue: !queue {gin.scratch, gin.sizes = affine_map<()[ranks, count, m] -> (m)>},
    %filled: !gin.signals<3>, %credits: !gin.signals<1>)
    attributes {gin.run = {dims = {count = "10", m = "5", x = "count, m", y = "count, m"},
                           args = {x = "integers:-1000:1000"}, reference = "ring-queue.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %slots = arith.constant 3 : index
  %count = memref.dim %x, %c0 : !messages
  %m = memref.dim %x, %c1 : !messages
  %left = gin.neighbor -1
  %right = gin.neighbor 1

  gin.specialize {
    role "produce" {
      scf.for %i = %c0 to %count step %c1 {
        // Message i goes where message i - 3 was: that one must have been read,
        // so i - 2 credits must have come. (A count of 0 or less never waits.)
        %slot = arith.remui %i, %slots : index
        %last = arith.subi %i, %slots : index
        %needed = arith.addi %last, %c1 : index
        gin.wait %credits[0] >= %needed : !gin.signals<1>
        %message = memref.subview %x[%i, 0] [1, %m] [1, 1] : !messages to !message
        gin.put %message into %queue[%slot, 0] on %right signal %filled[%slot]
          : !message into !queue, !gin.signals<3>
      }
      // Drain: take the last credits too, so that each launch starts with none.
      gin.wait %credits[0] >= %count : !gin.signals<1>
    }
    role "consume" {
      scf.for %i = %c0 to %count step %c1 {
        // The slot is filled for the (i / 3 + 1)st time. No later filling can be
        // taken for it, since that waits for the credit below.
        %slot = arith.remui %i, %slots : index
        %earlier = arith.divui %i, %slots : index
        %fillings = arith.addi %earlier, %c1 : index
        gin.wait %filled[%slot] >= %fillings : !gin.signals<3>
        scf.for %j = %c0 to %m step %c1 {
          %word = memref.load %queue[%slot, %j] : !queue
          memref.store %word, %y[%i, %j] : !messages
        }
        // A plain signal comes after our loads; a relaxed one could overtake them.
        gin.signal %credits[0] on %left : !gin.signals<1>
      }
    }
  }
  return
}
