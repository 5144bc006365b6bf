// RUN: gin-opt %s --gin-decompose-collectives | FileCheck %s

// Scratch windows are as large as the number of ranks and the sizes of arguments
// say: symbol 0, then each `?` of an argument that is not scratch. Of a window only
// the first extent may differ between ranks: where that of a block may, the blocks
// of all ranks are rows of the scratch window.

!vector = memref<?xf32, #gin.window>
!matrix = memref<?x?xf32, #gin.window>
!strided = memref<?xf32, strided<[1], offset: ?>, #gin.window>

// CHECK-LABEL: func @arguments(
// CHECK-SAME:    "all_reduce0_inbox", gin.scratch, gin.sizes = affine_map<()[s0, s1, s2, s3] -> (s0 * s3)>
func.func @arguments(%i: index, %a: memref<?xi8>, %s: !vector {gin.scratch, gin.sizes = affine_map<()[s0] -> (s0)>},
                     %b: memref<4x?xf32, #gin.window>, %signals: !gin.signals<?>, %x: !vector) {
  gin.all_reduce sum %x into %x : !vector into !vector
  return
}

// A scratch window has the sizes that its own map says.
// CHECK-LABEL: func @of_scratch(
// CHECK-SAME:    "all_reduce0_inbox", gin.scratch, gin.sizes = affine_map<()[s0, s1] -> (s0 * (s1 * 2))>
func.func @of_scratch(%x: !vector, %y: !vector {gin.scratch, gin.sizes = affine_map<()[r, m] -> (m * 2)>}) {
  gin.all_reduce sum %y into %y : !vector into !vector
  return
}

// CHECK-LABEL: func @views(
// CHECK-SAME:    "reduce_scatter0_inbox", gin.scratch, gin.sizes = affine_map<()[s0, s1, s2] -> (s0 * (s2 floordiv s0))>
// CHECK-SAME:    "all_reduce0_inbox", gin.scratch, gin.sizes = affine_map<()[s0, s1] -> (s0 * (s1 * 3))>
// CHECK-SAME:    "all_reduce1_inbox", gin.scratch, gin.sizes = affine_map<()[s0, s1, s2] -> (s0 * (s2 ceildiv 2 + 1))>
func.func @views(%x: memref<?x3xf32, #gin.window>, %v: !vector, %y: !vector) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ranks = gin.num_ranks
  %n = memref.dim %v, %c0 : !vector
  %share = arith.divui %n, %ranks : index
  %blocks = memref.expand_shape %v [[0, 1]] output_shape [%ranks, %share] : !vector into !matrix
  %own = memref.subview %y[0] [%share] [1] : !vector to memref<?xf32, strided<[1]>, #gin.window>
  %whole = memref.cast %own : memref<?xf32, strided<[1]>, #gin.window> to !vector
  gin.reduce_scatter sum %blocks into %whole : !matrix into !vector

  %flat = memref.collapse_shape %x [[0, 1]] : memref<?x3xf32, #gin.window> into !vector
  gin.all_reduce sum %flat into %flat : !vector into !vector

  %half = arith.ceildivui %n, %c2 : index
  %more = arith.addi %half, %c1 : index
  %part = memref.subview %v[%c1] [%more] [1] : !vector to !strided
  gin.all_reduce sum %part into %y : !strided into !vector
  return
}

// A bound will do: pieces of at most 64.
// CHECK-LABEL: func @pieces(
// CHECK-SAME:    memref<?x64xf32, #gin.window> {gin.name = "all_reduce0_inbox", gin.scratch, gin.sizes = affine_map<()[s0] -> (s0)>}
// CHECK:         gin.put %{{.*}} into %arg2[%{{.*}}, 0] on
func.func @pieces(%x: !vector, %y: !vector) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %x, %c0 : !vector
  scf.for %i = %c0 to %n step %c64 {
    %rest = arith.subi %n, %i : index
    %size = arith.minui %rest, %c64 : index
    %part = memref.subview %x[%i] [%size] [1] : !vector to !strided
    gin.all_reduce sum %part into %y : !strided into !vector
  }
  return
}

// Any operand may tell.
// CHECK-LABEL: func @static_result(
// CHECK-SAME:    memref<?x5xf32, #gin.window> {gin.name = "all_reduce0_inbox"
func.func @static_result(%x: !vector, %n: index, %y: memref<5xf32, #gin.window>) {
  %part = memref.subview %x[0] [%n] [1] : !vector to memref<?xf32, strided<[1]>, #gin.window>
  gin.all_reduce sum %part into %y
    : memref<?xf32, strided<[1]>, #gin.window> into memref<5xf32, #gin.window>
  return
}

// The number of ranks of a team, if it is known; else that of all ranks, which is
// not less.
// CHECK-LABEL: func @teams(
// CHECK-SAME:    memref<?xf32, #gin.window> {gin.name = "all_reduce0_inbox", gin.scratch, gin.sizes = affine_map<()[s0, s1] -> (s1 * 3)>}
// CHECK-SAME:    !gin.signals<3> {gin.name = "all_reduce0_arrived"}
// CHECK-SAME:    "all_reduce1_inbox", gin.scratch, gin.sizes = affine_map<()[s0, s1] -> (s0 * s1)>
func.func @teams(%x: !vector) {
  gin.all_reduce sum %x into %x team row of 2x3 : !vector into !vector
  gin.all_reduce sum %x into %x team row of ?x? : !vector into !vector
  return
}

// The extents of blocks that all ranks have alike are those of a window behind its
// first; the blocks then have a dimension of their own.
// CHECK-LABEL: func @alike(
// CHECK-SAME:    memref<?x?xf32, #gin.window> {gin.name = "reduce_scatter0_inbox", gin.scratch, gin.sizes = affine_map<()[s0, s1, s2] -> (s0, s2)>
// CHECK-SAME:    memref<?x?xf32, #gin.window> {gin.name = "all_reduce0_inbox", gin.scratch, gin.sizes = affine_map<()[s0, s1, s2] -> (s0 * s1, s2)>
// CHECK:         gin.put %{{.*}} into %{{.*}}[%{{.*}}, 0] on
// CHECK:         %[[AT:.*]] = arith.muli %{{.*}}, %{{.*}}
// CHECK:         gin.put %arg0 into %{{.*}}[%[[AT]], 0] on
func.func @alike(%x: !matrix, %y: !vector) {
  gin.reduce_scatter sum %x into %y : !matrix into !vector
  gin.all_reduce sum %x into %x : !matrix into !matrix
  return
}
