//===- halo-copies.mlir - Jacobi iteration with copy engines --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The program of halo.mlir as several kernels: between them the host has copy engines
// put the edges, north and south in one stream, west and east in another, where the
// columns are strided. The host knows how many steps there are, and who has which
// neighbours; it waits for none of them.

#grid = #gin.grid<?x?>
#row = #gin.team<row of ?x?>         // peers to the west and east, by their column
#column = #gin.team<column of ?x?>   // peers to the north and south, by their row
#same = affine_map<(i, j) -> (i, j)>

!field = memref<?x?xf64, #gin.window>
!fields = memref<2x?x?xf64, #gin.window>
!tile = memref<?x?xf64, strided<[?, 1], offset: ?>, #gin.window>
!line = memref<?xf64, strided<[1], offset: ?>, #gin.window>
!post = memref<?x1xf64, strided<[?, 1], offset: ?>, #gin.window>

func.func @halo_copies(%x: !field {gin.source}, %y: !field {gin.source}, %steps: index,
    %u: !fields {gin.scratch, gin.sizes = affine_map<()[ranks, h, w] -> (h + 2, w + 2)>},
    %arrived: !gin.signals<4>)   // from the north, south, west and east
    attributes {gin.run = {dims = {h = "12", w = "9", x = "h, w", y = "h, w"},
                           args = {x = "random", steps = "7"}, reference = "halo.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %quarter = arith.constant 0.25 : f64
  %h = memref.dim %x, %c0 : !field
  %w = memref.dim %x, %c1 : !field
  %bottom = arith.addi %h, %c1 : index   // the halo's last row
  %edge = arith.addi %w, %c1 : index     // and last column

  // Where on the grid we are, and who is there beside us. The grid does not wrap.
  %i, %j = gin.coords #grid
  %height = gin.num_ranks team #column
  %width = gin.num_ranks team #row
  %north = arith.subi %i, %c1 : index
  %south = arith.addi %i, %c1 : index
  %west = arith.subi %j, %c1 : index
  %east = arith.addi %j, %c1 : index
  %has_north = arith.cmpi sgt, %i, %c0 : index
  %has_south = arith.cmpi slt, %south, %height : index
  %has_west = arith.cmpi sgt, %j, %c0 : index
  %has_east = arith.cmpi slt, %east, %width : index

  // The neighbours write our halo: not before the zeros are there.
  gin.kernel "start" {
    linalg.fill ins(%zero : f64) outs(%u : !fields)
    %start = memref.subview %u[0, 1, 1] [1, %h, %w] [1, 1, 1] : !fields to !tile
    memref.copy %x, %start : !field to !tile
    gin.barrier
  }

  scf.for %step = %c0 to %steps step %c1 {
    %now = arith.remui %step, %c2 : index
    %then = arith.subi %c1, %now : index

    // Our edges go to the facing halos. The signals come after the puts and after
    // what we read in the step before, so that a neighbour who has one may also put
    // into the copy that we read then.
    gin.specialize {
      role "lines" {
        scf.if %has_north {
          %line = memref.subview %u[%now, 1, 1] [1, 1, %w] [1, 1, 1] : !fields to !line
          gin.put %line into %u[%now, %bottom, 1] on %north team #column
            : !line into !fields
        }
        scf.if %has_south {
          %line = memref.subview %u[%now, %h, 1] [1, 1, %w] [1, 1, 1] : !fields to !line
          gin.put %line into %u[%now, 0, 1] on %south team #column : !line into !fields
        }
      }
      role "posts" {
        scf.if %has_west {
          %post = memref.subview %u[%now, 1, 1] [1, %h, 1] [1, 1, 1] : !fields to !post
          gin.put %post into %u[%now, 1, %edge] on %west team #row : !post into !fields
        }
        scf.if %has_east {
          %post = memref.subview %u[%now, 1, %w] [1, %h, 1] [1, 1, 1] : !fields to !post
          gin.put %post into %u[%now, 1, 0] on %east team #row : !post into !fields
        }
      }
    }

    // One arrival from each neighbour in each step. One slot serves all steps: a
    // neighbour's signals for later steps come after this wait, or cover this step too.
    gin.kernel "step" {
      scf.if %has_north {
        gin.signal %arrived[1] on %north team #column : !gin.signals<4>
      }
      scf.if %has_south {
        gin.signal %arrived[0] on %south team #column : !gin.signals<4>
      }
      scf.if %has_west {
        gin.signal %arrived[3] on %west team #row : !gin.signals<4>
      }
      scf.if %has_east {
        gin.signal %arrived[2] on %east team #row : !gin.signals<4>
      }
      %count = arith.addi %step, %c1 : index
      scf.if %has_north {
        gin.wait %arrived[0] >= %count : !gin.signals<4>
      }
      scf.if %has_south {
        gin.wait %arrived[1] >= %count : !gin.signals<4>
      }
      scf.if %has_west {
        gin.wait %arrived[2] >= %count : !gin.signals<4>
      }
      scf.if %has_east {
        gin.wait %arrived[3] >= %count : !gin.signals<4>
      }

      %up = memref.subview %u[%now, 0, 1] [1, %h, %w] [1, 1, 1] : !fields to !tile
      %down = memref.subview %u[%now, 2, 1] [1, %h, %w] [1, 1, 1] : !fields to !tile
      %before = memref.subview %u[%now, 1, 0] [1, %h, %w] [1, 1, 1] : !fields to !tile
      %after = memref.subview %u[%now, 1, 2] [1, %h, %w] [1, 1, 1] : !fields to !tile
      %new = memref.subview %u[%then, 1, 1] [1, %h, %w] [1, 1, 1] : !fields to !tile
      linalg.generic {indexing_maps = [#same, #same, #same, #same, #same],
                      iterator_types = ["parallel", "parallel"]}
          ins(%up, %down, %before, %after : !tile, !tile, !tile, !tile)
          outs(%new : !tile) {
      ^bb0(%a: f64, %b: f64, %c: f64, %d: f64, %old: f64):
        %vertical = arith.addf %a, %b : f64
        %horizontal = arith.addf %c, %d : f64
        %sum = arith.addf %vertical, %horizontal : f64
        %mean = arith.mulf %sum, %quarter : f64
        linalg.yield %mean : f64
      }
    }
  }

  gin.kernel "finish" {
    %last = arith.remui %steps, %c2 : index
    %result = memref.subview %u[%last, 1, 1] [1, %h, %w] [1, 1, 1] : !fields to !tile
    memref.copy %result, %y : !tile to !field
  }
  return
}
