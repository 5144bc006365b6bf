//===- expert-loop.mlir - the next expert's data travels meanwhile --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Each rank multiplies one expert after the other: %y[e] = tokens[e] %w[e]. The
// tokens come from the left neighbour, who keeps them as %x, through an inbox of
// two places. An expert's product is a loop over slices of k; in step
// %overlap_step of it the rank sends the right neighbour the tokens of the next
// expert, which travel while the rest of the product is computed.

!tokens = memref<?x?x?xf16, #gin.window>
!weights = memref<?x?x?xf16, #gin.window>
!results = memref<?x?x?xf32, #gin.window>
!inbox = memref<2x?x?xf16, #gin.window>
!matrix = memref<?x?xf16, strided<[?, 1], offset: ?>, #gin.window>
!result = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>

func.func @expert_loop(
    %x: !tokens {gin.source}, %w: !weights {gin.source}, %y: !results {gin.source},
    %overlap_step: index,
    %inbox: !inbox {gin.scratch, gin.sizes = affine_map<()[ranks, experts, m, k] -> (m, k)>},
    %filled: !gin.signals<2>, %credits: !gin.signals<1>)
    attributes {gin.run = {
      dims = {experts = "5", m = "12", k = "40", n = "16",
              x = "experts, m, k", w = "experts, k, n", y = "experts, m, n"},
      args = {x = "random", w = "random", overlap_step = "1"},
      reference = "expert-loop.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %slice = arith.constant 8 : index   // of k, in each step
  %zero = arith.constant 0.0 : f32
  %experts = memref.dim %x, %c0 : !tokens
  %m = memref.dim %x, %c1 : !tokens
  %k = memref.dim %x, %c2 : !tokens
  %n = memref.dim %w, %c2 : !weights
  %left = gin.neighbor -1
  %right = gin.neighbor 1

  // A product has this many steps; a later %overlap_step means the last of them.
  %steps = arith.ceildivui %k, %slice : index
  %last_step = arith.subi %steps, %c1 : index
  %send_step = arith.minui %overlap_step, %last_step : index

  linalg.fill ins(%zero : f32) outs(%y : !results)

  // Both places of the right neighbour's inbox are empty: no credit is needed yet.
  %first = memref.subview %x[%c0, 0, 0] [1, %m, %k] [1, 1, 1] : !tokens to !matrix
  gin.put %first into %inbox[0, 0, 0] on %right signal %filled[0]
    : !matrix into !inbox, !gin.signals<2>

  scf.for %e = %c0 to %experts step %c1 {
    // Our tokens are in place e mod 2, which is filled for the (e / 2 + 1)st time.
    %place = arith.remui %e, %c2 : index
    %earlier = arith.divui %e, %c2 : index
    %fillings = arith.addi %earlier, %c1 : index
    gin.wait %filled[%place] >= %fillings : !gin.signals<2>

    %next = arith.addi %e, %c1 : index
    %more = arith.cmpi ult, %next, %experts : index
    scf.for %step = %c0 to %steps step %c1 {
      %now = arith.cmpi eq, %step, %send_step : index
      %send = arith.andi %now, %more : i1
      scf.if %send {
        // The place of the next expert's tokens held those of expert e - 1: the
        // neighbour must have given e credits, one for each that it is done with.
        gin.wait %credits[0] >= %e : !gin.signals<1>
        %next_place = arith.remui %next, %c2 : index
        %tokens = memref.subview %x[%next, 0, 0] [1, %m, %k] [1, 1, 1] : !tokens to !matrix
        gin.put %tokens into %inbox[%next_place, 0, 0] on %right signal %filled[%next_place]
          : !matrix into !inbox, !gin.signals<2>
      }
      %begin = arith.muli %step, %slice : index
      %rest = arith.subi %k, %begin : index
      %size = arith.minui %rest, %slice : index
      %a = memref.subview %inbox[%place, 0, %begin] [1, %m, %size] [1, 1, 1] : !inbox to !matrix
      %b = memref.subview %w[%e, %begin, 0] [1, %size, %n] [1, 1, 1] : !weights to !matrix
      %c = memref.subview %y[%e, 0, 0] [1, %m, %n] [1, 1, 1] : !results to !result
      linalg.matmul ins(%a, %b : !matrix, !matrix) outs(%c : !result)
    }
    // The place may be filled again: a plain signal comes after our loads from it.
    gin.signal %credits[0] on %left : !gin.signals<1>
  }

  // Drain: take the last credits too, so that each launch starts with none.
  gin.wait %credits[0] >= %experts : !gin.signals<1>
  return
}
