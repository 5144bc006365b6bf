// RUN: gin-opt %s --gin-decompose-collectives --canonicalize --cse | FileCheck %s
// RUN: gin-opt %s --gin-decompose-collectives --gin-launch-barrier -o /dev/null \
// RUN:   --remark-format=emitRemark --remarks-filter='gin.*' 2>&1 | FileCheck %s --check-prefix=CLOSED

// What the verifier demands of static shapes is checked of others before the
// barrier, so that nobody has sent anything when a rank fails.

!vector = memref<?xf32, #gin.window>
!matrix = memref<?x?xf32, #gin.window>
!five = memref<5xf32, #gin.window>

// The checks do not need a further barrier at the entry.
// CLOSED: Function=all_gather | Reason="it begins with a barrier of all ranks"

// CHECK-LABEL: func @all_gather(
// CHECK:         %[[N:.*]] = gin.num_ranks
// CHECK-NEXT:    %[[COUNT:.*]] = memref.dim %arg1, %c0
// CHECK-NEXT:    %[[SAME:.*]] = arith.cmpi eq, %[[COUNT]], %[[N]]
// CHECK-NEXT:    cf.assert %[[SAME]], "all_gather: dimension 0 of result differs from the team's number of ranks"
// CHECK-NEXT:    %[[ROW:.*]] = memref.dim %arg1, %c1
// CHECK-NEXT:    %[[SIZE:.*]] = memref.dim %arg0, %c0
// CHECK-NEXT:    %[[SAME:.*]] = arith.cmpi eq, %[[ROW]], %[[SIZE]]
// CHECK-NEXT:    cf.assert %[[SAME]], "all_gather: dimension 1 of result differs from dimension 0 of input"
// CHECK-NEXT:    gin.barrier
// CHECK-NOT:     cf.assert
func.func @all_gather(%x: !vector, %all: !matrix) {
  gin.all_gather %x into %all : !vector into !matrix
  return
}

// One static extent is what the other has to be.
// CHECK-LABEL: func @half_static(
// CHECK:         %[[SIZE:.*]] = memref.dim %arg0, %c0
// CHECK-NEXT:    arith.cmpi eq, %[[SIZE]], %c5
// CHECK-NEXT:    cf.assert
// CHECK-NEXT:    gin.barrier
func.func @half_static(%x: !vector, %all: memref<3x5xf32, #gin.window>) {
  gin.all_gather %x into %all team row of 2x3 : !vector into memref<3x5xf32, #gin.window>
  return
}

// A window for a team whose size no launcher knows is made for all ranks.
// CHECK-LABEL: func @unknown_team(
// CHECK:         %[[N:.*]] = gin.num_ranks team column of ?x?
// CHECK:         %[[ENOUGH:.*]] = arith.cmpi uge, %{{.*}}, %[[N]]
// CHECK-NEXT:    cf.assert %[[ENOUGH]], "all_gather: dimension 0 of result is less than the team's number of ranks"
func.func @unknown_team(%x: !five, %all: memref<?x5xf32, #gin.window>) {
  gin.all_gather %x into %all team column of ?x? : !five into memref<?x5xf32, #gin.window>
  return
}

// CHECK-LABEL: func @static(
// CHECK-NOT:     cf.assert
// CHECK-NOT:     gin.window_dim
// CHECK:         return
func.func @static(%x: !five, %y: !five, %all: memref<3x5xf32, #gin.window>) {
  gin.all_reduce sum %x into %y team row of 2x3 : !five into !five
  gin.all_gather %x into %all team row of 2x3 : !five into memref<3x5xf32, #gin.window>
  gin.reduce_scatter sum %all into %x team row of 2x3 : memref<3x5xf32, #gin.window> into !five
  return
}

// Nor where both are computed from the same sizes.
// CHECK-LABEL: func @computed(
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @computed(%own: !matrix) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %me = gin.rank
  %ranks = gin.num_ranks
  %m = memref.dim %own, %c1 : !matrix
  %part = memref.subview %own[0, 0] [%ranks, %m] [1, 1]
    : !matrix to memref<?x?xf32, strided<[?, 1]>, #gin.window>
  %whole = memref.cast %part : memref<?x?xf32, strided<[?, 1]>, #gin.window> to !matrix
  %mine = memref.subview %own[%me, 0] [1, %m] [1, 1]
    : !matrix to memref<?xf32, strided<[1], offset: ?>, #gin.window>
  gin.all_gather %mine into %whole
    : memref<?xf32, strided<[1], offset: ?>, #gin.window> into !matrix
  return
}

// Nothing else makes ranks agree on the first extent: each compares its own with
// its neighbour's.
// CHECK-LABEL: func @all_reduce(
// CHECK-DAG:     %[[Y:.*]] = memref.dim %arg1, %c0
// CHECK-DAG:     %[[X:.*]] = memref.dim %arg0, %c0
// CHECK:         cf.assert %{{.*}}, "all_reduce: dimension 0 of result differs from dimension 0 of input"
// CHECK-NEXT:    %[[P:.*]] = gin.neighbor 1
// CHECK-NEXT:    %[[THEIRS:.*]] = gin.window_dim %arg0, 0 on %[[P]] :
// CHECK-NEXT:    %[[SAME:.*]] = arith.cmpi eq, %[[X]], %[[THEIRS]]
// CHECK-NEXT:    cf.assert %[[SAME]], "all_reduce: dimension 0 of input differs between ranks"
// CHECK-NEXT:    gin.barrier
func.func @all_reduce(%x: !vector, %y: !vector) {
  gin.all_reduce sum %x into %y : !vector into !vector
  return
}

// Of views the scratch window tells that is sized by them.
// CHECK-LABEL: func @flat(
// CHECK:         %[[SCRATCH:.*]] = memref.dim %arg1, %c0
// CHECK:         %[[THEIRS:.*]] = gin.window_dim %arg1, 0 on %{{.*}} team column of ?x? :
// CHECK:         arith.cmpi eq, %[[SCRATCH]], %[[THEIRS]]
// CHECK:         cf.assert %{{.*}}, "all_reduce: dimension 0 of input differs between ranks"
func.func @flat(%x: memref<?x3xf32, #gin.window>) {
  %flat = memref.collapse_shape %x [[0, 1]] : memref<?x3xf32, #gin.window> into !vector
  gin.all_reduce sum %flat into %flat team column of ?x? : !vector into !vector
  return
}

// The extents of a window behind its first are the same on all ranks.
// CHECK-LABEL: func @reduce_scatter(
// CHECK:         "reduce_scatter: dimension 0 of input differs from the team's number of ranks"
// CHECK:         "reduce_scatter: dimension 1 of input differs from dimension 0 of result"
// CHECK-NOT:     gin.window_dim
// CHECK:         return
func.func @reduce_scatter(%x: !matrix, %y: !vector) {
  gin.reduce_scatter sum %x into %y : !matrix into !vector
  return
}

// Those of a part of a window may differ.
// CHECK-LABEL: func @columns(
// CHECK:         %{{.*}} = gin.window_dim %arg1, 0 on %{{.*}}
// CHECK:         "reduce_scatter: dimension 1 of input differs between ranks"
func.func @columns(%x: !matrix, %y: !vector, %ranks: index, %n: index) {
  %part = memref.subview %x[0, 0] [%ranks, %n] [1, 1]
    : !matrix to memref<?x?xf32, strided<[?, 1]>, #gin.window>
  gin.reduce_scatter sum %part into %y
    : memref<?x?xf32, strided<[?, 1]>, #gin.window> into !vector
  return
}

// CHECK-LABEL: func @all_to_all(
// CHECK:         "all_to_all: dimension 0 of input differs from the team's number of ranks"
// CHECK:         "all_to_all: dimension 0 of result differs from the team's number of ranks"
// CHECK:         "all_to_all: dimension 1 of result differs from dimension 1 of input"
func.func @all_to_all(%x: !matrix, %y: !matrix) {
  gin.all_to_all %x into %y : !matrix into !matrix
  return
}

!choices = memref<?x?xi32, #gin.window>
!blocks = memref<?x?x?x?xf32, #gin.window>

// CHECK-LABEL: func @experts(
// CHECK:         "dispatch: dimension 0 of tokens differs from dimension 0 of experts"
// CHECK:         "dispatch: dimension 0 of positions differs from dimension 0 of experts"
// CHECK:         "dispatch: dimension 1 of positions differs from dimension 1 of experts"
// CHECK:         "dispatch: dimension 0 of received differs from the team's number of ranks"
// CHECK:         "dispatch: dimension 3 of received differs from dimension 1 of tokens"
// CHECK:         "dispatch: dimension 0 of counts differs from the team's number of ranks"
// CHECK:         "dispatch: dimension 1 of counts differs from dimension 1 of received"
// CHECK:         "combine: dimension 0 of result differs from dimension 0 of experts"
// CHECK:         "combine: dimension 0 of positions differs from dimension 0 of experts"
// CHECK:         "combine: dimension 1 of positions differs from dimension 1 of experts"
// CHECK:         "combine: dimension 0 of outputs differs from the team's number of ranks"
// CHECK:         "combine: dimension 3 of outputs differs from dimension 1 of result"
// CHECK:         "combine: dimension 0 of weights differs from dimension 0 of experts"
// CHECK:         "combine: dimension 1 of weights differs from dimension 1 of experts"
func.func @experts(%x: !matrix, %e: !choices, %r: !blocks, %c: !choices, %p: !choices,
                   %w: !matrix, %y: !matrix) {
  gin.dispatch %x, %e into %r, %c, %p : !matrix, !choices into !blocks, !choices, !choices
  gin.combine %r, %e, %p, %w into %y : !blocks, !choices, !choices, !matrix into !matrix
  return
}
