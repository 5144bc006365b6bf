// RUN: gin-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(gin-lower-linalg))' | FileCheck %s

// A sum is loaded once and stored once.
// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[A:.*]]: memref<?x?xf32, #gin.window>, %[[B:.*]]: memref<?x?xf32, #gin.window>, %[[C:.*]]: memref<?x?xf32, #gin.window>)
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK-NEXT: %[[BEFORE:.*]] = memref.load %[[C]][%[[I]], %[[J]]]
// CHECK-NEXT: %[[SUM:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[PART:.*]] = %[[BEFORE]]) -> (f32) {
// CHECK-NEXT: memref.load %[[A]][%[[I]], %[[K]]]
// CHECK-NEXT: memref.load %[[B]][%[[K]], %[[J]]]
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf
// CHECK-NEXT: %[[MORE:.*]] = arith.addf %[[PART]], %[[PRODUCT]]
// CHECK-NEXT: scf.yield %[[MORE]]
// CHECK-NEXT: }
// CHECK-NEXT: memref.store %[[SUM]], %[[C]][%[[I]], %[[J]]]
func.func @matmul(%a: memref<?x?xf32, #gin.window>, %b: memref<?x?xf32, #gin.window>,
                  %c: memref<?x?xf32, #gin.window>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32, #gin.window>, memref<?x?xf32, #gin.window>)
                outs(%c : memref<?x?xf32, #gin.window>)
  return
}

// -----

// An input that may be the output keeps each step in memory.
// CHECK-LABEL: func.func @same_memory(
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: memref.store
// CHECK: scf.reduce
func.func @same_memory(%a: memref<?x?xf32, #gin.window>, %b: memref<?x?xf32, #gin.window>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32, #gin.window>, memref<?x?xf32, #gin.window>)
                outs(%a : memref<?x?xf32, #gin.window>)
  return
}

// -----

// Two reductions, one inside the other, and nothing parallel.
// CHECK-LABEL: func.func @all(
// CHECK: memref.load %{{.*}}[]
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK: memref.store %{{.*}}[]
func.func @all(%a: memref<?x?xf32>, %sum: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%a : memref<?x?xf32>) outs(%sum : memref<f32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %s, %x : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @elementwise(
// CHECK: scf.parallel
// CHECK-NOT: scf.for
func.func @elementwise(%a: memref<?xf32>, %b: memref<?xf32>) {
  linalg.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  return
}

// -----

// Whole arrays without gaps are filled and copied as if they had one dimension.
// CHECK-LABEL: func.func @whole(
// CHECK-SAME: %[[A:.*]]: memref<?x4xf32, #gin.window>, %[[B:.*]]: memref<?x4xf32>)
// CHECK: %[[LINE:.*]] = memref.collapse_shape %[[A]] {{\[}}[0, 1]] : memref<?x4xf32, #gin.window> into memref<?xf32, #gin.window>
// CHECK: scf.parallel (%[[I:[^,)]*]]) =
// CHECK: memref.store %{{.*}}, %[[LINE]][%[[I]]]
// CHECK-DAG: %[[FROM:.*]] = memref.collapse_shape %[[A]]
// CHECK-DAG: %[[TO:.*]] = memref.collapse_shape %[[B]]
// CHECK: scf.parallel (%[[J:[^,)]*]]) =
// CHECK: %[[X:.*]] = memref.load %[[FROM]][%[[J]]]
// CHECK: memref.store %[[X]], %[[TO]][%[[J]]]
func.func @whole(%a: memref<?x4xf32, #gin.window>, %b: memref<?x4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%a : memref<?x4xf32, #gin.window>)
  linalg.copy ins(%a : memref<?x4xf32, #gin.window>) outs(%b : memref<?x4xf32>)
  return
}

// -----

// Not those with gaps, not a value in each place, not an op that takes elements
// together.
// CHECK-LABEL: func.func @parts(
// CHECK-NOT: memref.collapse_shape
// CHECK: return
func.func @parts(%a: memref<?x4xf32, strided<[8, 1]>>, %b: memref<?x4xf32>, %c: memref<f32>) {
  linalg.copy ins(%b : memref<?x4xf32>) outs(%a : memref<?x4xf32, strided<[8, 1]>>)
  linalg.add ins(%b, %b : memref<?x4xf32>, memref<?x4xf32>) outs(%b : memref<?x4xf32>)
  linalg.copy ins(%c : memref<f32>) outs(%c : memref<f32>)
  return
}
