//===- rotate.mlir - vectors travel around a ring -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 3 --repeat 3 --seed 3

// Each rank's vector goes %hops ranks to the right. Two buffers change their roles
// in each step: from one the vector goes on, into the other the next one comes.

!vector = memref<?xf32, #gin.window>

func.func @rotate(%x: !vector {gin.source}, %y: !vector {gin.source}, %hops: index,
                  %even: !vector, %odd: !vector, %filled: !gin.signals<1>,
                  %credits: !gin.signals<1>)
    attributes {gin.run = {dims = {m = "37", x = "m", y = "m", even = "m", odd = "m"},
                           args = {x = "random", hops = "5"}, reference = "rotate.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %left = gin.neighbor -1
  %right = gin.neighbor 1
  linalg.copy ins(%x : !vector) outs(%even : !vector)
  gin.barrier   // the right neighbour's launch before this is over

  %last, %free = scf.for %step = %c0 to %hops step %c1
      iter_args(%here = %even, %there = %odd) -> (!vector, !vector) {
    // The neighbour has done %step steps: what was in its %there is sent on, and what
    // we put last is there, so that signals cannot overtake each other.
    gin.wait %credits[0] >= %step : !gin.signals<1>
    gin.put %here into %there[0] on %right signal %filled[0] : !vector into !vector, !gin.signals<1>
    gin.flush
    %next = arith.addi %step, %c1 : index
    gin.wait %filled[0] >= %next : !gin.signals<1>
    gin.signal %credits[0] on %left : !gin.signals<1>
    scf.yield %there, %here : !vector, !vector
  }
  gin.wait %credits[0] >= %hops : !gin.signals<1>   // drain

  linalg.copy ins(%last : !vector) outs(%y : !vector)
  return
}
