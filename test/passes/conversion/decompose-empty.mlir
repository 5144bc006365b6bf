// RUN: gin-opt %s --gin-decompose-collectives --canonicalize | FileCheck %s
// RUN: gin-opt %s --gin-decompose-collectives=algorithm=ring --canonicalize | FileCheck %s
// RUN: gin-opt %s --gin-decompose-collectives=algorithm=tree --canonicalize | FileCheck %s

// Where types say that there are no elements, a collective is its barrier: no banks,
// no scratch windows.

!none = memref<7x0x13xf32, #gin.window>
!nones = memref<?x7x0x13xf32, #gin.window>

// CHECK-LABEL: func @empty(
// CHECK-NOT:     gin.name
// CHECK-NOT:     gin.put
// CHECK-COUNT-4: gin.barrier
// CHECK-NEXT:    return
func.func @empty(%x: !none, %y: !none, %xs: !nones, %ys: !nones) {
  gin.all_gather %x into %xs : !none into !nones
  gin.all_to_all %xs into %ys : !nones into !nones
  gin.all_reduce sum %x into %y : !none into !none
  gin.reduce_scatter max %xs into %y : !nones into !none
  return
}

// The leading extent is never right.
// CHECK-LABEL: func @no_ranks(
// CHECK:         %[[NO:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK:         cf.assert %[[NO]], "all_to_all: dimension 0 of input differs from the team's number of ranks"
func.func @no_ranks(%x: memref<0x5xf32, #gin.window>, %y: memref<?x5xf32, #gin.window>) {
  gin.all_to_all %x into %y : memref<0x5xf32, #gin.window> into memref<?x5xf32, #gin.window>
  return
}

!choices = memref<?x2xi32, #gin.window>

// Tokens without elements are counted nevertheless.
// CHECK-LABEL: func @no_elements(
// CHECK:         gin.barrier
// CHECK-NOT:     gin.put
// CHECK:         memref.store %{{.*}}, %arg4[
// CHECK:         gin.put {{.*}} into %arg3
// CHECK:         gin.flush
func.func @no_elements(%x: memref<?x0xf32, #gin.window>, %e: !choices,
                       %r: memref<?x3x4x0xf32, #gin.window>, %c: memref<?x3xi32, #gin.window>,
                       %p: !choices) {
  gin.dispatch %x, %e into %r, %c, %p
    : memref<?x0xf32, #gin.window>, !choices
      into memref<?x3x4x0xf32, #gin.window>, memref<?x3xi32, #gin.window>, !choices
  return
}

// All are dropped.
// CHECK-LABEL: func @no_capacity(
// CHECK:         gin.barrier
// CHECK-NEXT:    linalg.fill ins(%c0_i32 : i32) outs(%arg3 :
// CHECK-NEXT:    linalg.fill ins(%c-1_i32 : i32) outs(%arg4 :
// CHECK-NEXT:    return
func.func @no_capacity(%x: memref<?x5xf32, #gin.window>, %e: !choices,
                       %r: memref<?x3x0x5xf32, #gin.window>, %c: memref<?x3xi32, #gin.window>,
                       %p: !choices) {
  gin.dispatch %x, %e into %r, %c, %p
    : memref<?x5xf32, #gin.window>, !choices
      into memref<?x3x0x5xf32, #gin.window>, memref<?x3xi32, #gin.window>, !choices
  return
}

// Sums of nothing.
// CHECK-LABEL: func @no_experts(
// CHECK:         gin.barrier
// CHECK-NEXT:    linalg.fill ins(%{{.*}} : f32) outs(%arg4 :
// CHECK-NEXT:    return
func.func @no_experts(%o: memref<?x0x4x5xf32, #gin.window>, %e: !choices, %p: !choices,
                      %w: memref<?x2xf32, #gin.window>, %y: memref<?x5xf32, #gin.window>) {
  gin.combine %o, %e, %p, %w into %y
    : memref<?x0x4x5xf32, #gin.window>, !choices, !choices, memref<?x2xf32, #gin.window>
      into memref<?x5xf32, #gin.window>
  return
}
