// RUN: gin-opt %s --split-input-file --gin-map-to-kernel --canonicalize --cse | FileCheck %s

// Iterations are divided among what the mapping says, wherever that goes on.

// CHECK-LABEL: gpu.func @warps(
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[WARP:.*]] = arith.divui %{{.*}}, %[[C32]]
// CHECK-DAG: %[[WARPS:.*]] = arith.divui %{{.*}}, %[[C32]]
// CHECK: cf.assert %{{.*}}, "more agents that wait than warps of the grid"
// CHECK: scf.for %[[P:.*]] = %[[WARP]] to %{{.*}} step %[[WARPS]] {
// CHECK-NEXT: gin.wait %{{.*}}[%[[P]]] >= 1 {gin.scope = #gin.scope<warp>}
// CHECK-NEXT: gin.signal %{{.*}}[%[[P]]] on 0 {gin.scope = #gin.scope<warp>}
func.func @warps(%s: !gin.signals<?>, %n: index) {
  scf.forall (%p) in (%n) {
    gin.wait %s[%p] >= 1 : !gin.signals<?>
    gin.signal %s[%p] on 0 : !gin.signals<?>
  } {mapping = [#gpu.warp<x>]}
  return
}

// -----

// CHECK-LABEL: gpu.func @threads(
// CHECK: cf.assert %{{.*}}, "more agents that wait than threads of the grid"
// CHECK: scf.for
// CHECK-NEXT: gin.wait %{{.*}} {gin.scope = #gin.scope<thread>}
func.func @threads(%s: !gin.signals<?>, %n: index) {
  scf.forall (%p) in (%n) {
    gin.wait %s[%p] >= 1 : !gin.signals<?>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

// Blocks take iterations that do not communicate, too; warps of a block those inside,
// and lanes those inside of that. What a warp does alone, its first lane does.
// CHECK-LABEL: gpu.func @nest(
// CHECK-DAG: %[[BLOCK:.*]] = gpu.block_id x
// CHECK-DAG: %[[BLOCKS:.*]] = gpu.grid_dim x
// CHECK: scf.for %[[I:.*]] = %[[BLOCK]] to %{{.*}} step %[[BLOCKS]] {
// CHECK-NEXT: gin.join block
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[LANE:.*]] = arith.remui %{{.*}}, %{{.*}} : index
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]]
// CHECK: gin.join warp
// CHECK: scf.for %[[K:.*]] = %[[LANE]] to %{{.*}} step %{{.*}} {
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[K]]]
// CHECK: gin.join warp
// CHECK: scf.if %[[FIRST]] {
// CHECK-NEXT: memref.load %{{.*}}[%[[J]]]
// CHECK: memref.store
func.func @nest(%m: memref<?xf32>, %n: index, %v: f32) {
  scf.forall (%i) in (%n) {
    scf.forall (%j, %j2) in (%n, 1) {
      scf.forall (%k) in (%n) {
        memref.store %v, %m[%k] : memref<?xf32>
      } {mapping = [#gpu.thread<x>]}
      %w = memref.load %m[%j] : memref<?xf32>
      %sum = arith.addf %w, %v : f32
      memref.store %sum, %m[%i] : memref<?xf32>
    } {mapping = [#gpu.warp<y>, #gpu.warp<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
