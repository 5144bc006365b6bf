//===- summa.mlir - matrix product on a grid of any shape -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 6 --grid 2x3 --repeat 3 --seed 3
// RUN: ginc run %s --ranks 7 --grid 7x1 --seed 4

// C = A B, where A is cut into panels of columns and B into panels of rows. On a
// p x q grid, panel t of A lies in column t mod q of the grid, its rows shared
// among the ranks there, and panel t of B in row t mod p. In step t their owners
// send them along their rows and columns, one step ahead of their use, and every
// rank adds one product to its tile of C.

#grid = #gin.grid<?x?>
#row = #gin.team<row of ?x?>
#column = #gin.team<column of ?x?>

!panels = memref<?x?x?xf32, #gin.window>   // a rank uses those that it owns
!places = memref<2x?x?xf32, #gin.window>
!tile = memref<?x?xf32, #gin.window>
!panel = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
!signals = !gin.signals<2x2>   // for A and B, for each place

// Sends panel t to place t mod 2 of those who need it, if we own it.
func.func private @send(%a: !panels, %b: !panels, %as: !places, %bs: !places,
                        %arrived: !signals, %t: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.dim %a, %c1 : !panels
  %k = memref.dim %a, %c2 : !panels
  %n = memref.dim %b, %c2 : !panels
  %i, %j = gin.coords #grid
  %height = gin.num_ranks team #column
  %width = gin.num_ranks team #row
  %place = arith.remui %t, %c2 : index

  %column = arith.remui %t, %width : index
  %owns_a = arith.cmpi eq, %j, %column : index
  scf.if %owns_a {
    %panel = memref.subview %a[%t, 0, 0] [1, %m, %k] [1, 1, 1] : !panels to !panel
    scf.for %distance = %c0 to %width step %c1 {
      %p = gin.neighbor %distance team #row
      gin.put %panel into %as[%place, 0, 0] on %p team #row signal %arrived[0, %place]
        : !panel into !places, !signals
    }
  }
  %row = arith.remui %t, %height : index
  %owns_b = arith.cmpi eq, %i, %row : index
  scf.if %owns_b {
    %panel = memref.subview %b[%t, 0, 0] [1, %k, %n] [1, 1, 1] : !panels to !panel
    scf.for %distance = %c0 to %height step %c1 {
      %p = gin.neighbor %distance team #column
      gin.put %panel into %bs[%place, 0, 0] on %p team #column signal %arrived[1, %place]
        : !panel into !places, !signals
    }
  }
  return
}

func.func @summa(%a: !panels {gin.source}, %b: !panels {gin.source}, %c: !tile {gin.source},
    %as: !places {gin.scratch, gin.sizes = affine_map<()[ranks, panels, m, k] -> (m, k)>},
    %bs: !places {gin.scratch,
      gin.sizes = affine_map<()[ranks, panels, m, k, panels_b, k_b, n] -> (k, n)>},
    %arrived: !signals)
    attributes {gin.run = {
      dims = {panels = "5", m = "4", k = "3", n = "2",
              a = "panels, m, k", b = "panels, k, n", c = "m, n"},
      args = {a = "random", b = "random"}, reference = "summa.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %panels = memref.dim %a, %c0 : !panels
  %m = memref.dim %a, %c1 : !panels
  %k = memref.dim %a, %c2 : !panels
  %n = memref.dim %b, %c2 : !panels

  linalg.fill ins(%zero : f32) outs(%c : !tile)
  func.call @send(%a, %b, %as, %bs, %arrived, %c0)
    : (!panels, !panels, !places, !places, !signals, index) -> ()
  scf.for %t = %c0 to %panels step %c1 {
    %next = arith.addi %t, %c1 : index
    %more = arith.cmpi ult, %next, %panels : index
    scf.if %more {
      func.call @send(%a, %b, %as, %bs, %arrived, %next)
        : (!panels, !panels, !places, !places, !signals, index) -> ()
    }
    // Place t mod 2 is filled for the (t / 2 + 1)st time.
    %place = arith.remui %t, %c2 : index
    %earlier = arith.divui %t, %c2 : index
    %fillings = arith.addi %earlier, %c1 : index
    gin.wait %arrived[0, %place] >= %fillings : !signals
    gin.wait %arrived[1, %place] >= %fillings : !signals
    %panel_a = memref.subview %as[%place, 0, 0] [1, %m, %k] [1, 1, 1] : !places to !panel
    %panel_b = memref.subview %bs[%place, 0, 0] [1, %k, %n] [1, 1, 1] : !places to !panel
    linalg.matmul ins(%panel_a, %panel_b : !panel, !panel) outs(%c : !tile)

    // The place is free on all who share a row or a column with us.
    gin.barrier team #row
    gin.barrier team #column
  }
  return
}
