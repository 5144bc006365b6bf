//===- floats.mlir - rounding, equal bits, NaN ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --algorithm direct --ranks 7 --arg exact=1
// RUN: ginc run %s --algorithm ring --ranks 7 --seed 1
// RUN: ginc run %s --algorithm tree --ranks 7 --seed 2
// RUN: ginc run %s --algorithm ring --ranks 4 --seed 3
// RUN: ginc run %s --algorithm tree --ranks 8 --seed 4

// With %exact, the reference expects sums in the order of ranks, rounded once.

!vector = memref<?xf32, #gin.window>
!matrix = memref<?x?xf32, #gin.window>
!narrow = memref<?xbf16, #gin.window>

func.func @floats(%x: !vector, %sum: !vector, %n: !narrow, %narrow_sum: !narrow,
                  %all: !matrix, %differ: memref<?xi32>, %max: !vector, %nans: memref<?xi32>,
                  %exact: i32)
    attributes {gin.run = {
      dims = {m = "29", x = "m", sum = "m", n = "m", narrow_sum = "m", all = "ranks, m", differ = "m",
              max = "m", nans = "m"},
      args = {x = "random:1", n = "random:2", exact = "0"},
      reference = "floats.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %nan = arith.constant 0x7FC00000 : f32
  %ranks = gin.num_ranks
  %me = gin.rank
  %m = memref.dim %x, %c0 : !vector
  gin.all_reduce sum %x into %sum : !vector into !vector
  gin.all_reduce sum %n into %narrow_sum : !narrow into !narrow

  // All ranks have the same bits.
  gin.all_gather %sum into %all : !vector into !matrix
  scf.for %q = %c0 to %ranks step %c1 {
    scf.for %i = %c0 to %m step %c1 {
      %mine = memref.load %sum[%i] : !vector
      %theirs = memref.load %all[%q, %i] : !matrix
      %a = arith.bitcast %mine : f32 to i32
      %b = arith.bitcast %theirs : f32 to i32
      %other = arith.cmpi ne, %a, %b : i32
      scf.if %other {
        memref.store %one, %differ[%i] : memref<?xi32>
      }
    }
  }

  // Each rank has a NaN in one place; the maximum of all has all of them.
  %has_place = arith.cmpi ult, %me, %m : index
  scf.if %has_place {
    memref.store %nan, %x[%me] : !vector
  }
  gin.all_reduce max %x into %max : !vector into !vector
  scf.for %i = %c0 to %m step %c1 {
    %v = memref.load %max[%i] : !vector
    %is_nan = arith.cmpf uno, %v, %v : f32
    scf.if %is_nan {
      memref.store %one, %nans[%i] : memref<?xi32>
    }
  }
  return
}
