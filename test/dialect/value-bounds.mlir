// What upstream's value-bounds analysis knows of ranks and windows.

// REQUIRES: plugin
// RUN: mlir-opt %s --load-dialect-plugin=%plugin \
// RUN:   -pass-pipeline='builtin.module(func.func(test-affine-reify-value-bounds))' \
// RUN:   --verify-diagnostics --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @upper(
func.func @upper() -> (index, index, index, index) {
  // CHECK: %[[C8:.*]] = arith.constant 8 : index
  // CHECK: %[[C4:.*]] = arith.constant 4 : index
  // CHECK: %[[C4_0:.*]] = arith.constant 4 : index
  // CHECK: %[[C9:.*]] = arith.constant 9 : index
  %me = gin.rank team grid 2x4
  %k = arith.constant 7 : index
  %q = gin.neighbor %k team row of ?x4
  %i, %j = gin.coords #gin.grid<?x4>
  %n = gin.num_ranks team grid 2x4
  %0 = "test.reify_bound"(%me) {type = "UB", constant} : (index) -> (index)
  %1 = "test.reify_bound"(%q) {type = "UB", constant} : (index) -> (index)
  %2 = "test.reify_bound"(%j) {type = "UB", constant} : (index) -> (index)
  %3 = "test.reify_bound"(%n) {type = "UB", constant} : (index) -> (index)
  // CHECK: return %[[C8]], %[[C4]], %[[C4_0]], %[[C9]]
  return %0, %1, %2, %3 : index, index, index, index
}

// -----

// CHECK-LABEL: func.func @lower(
func.func @lower(%w: memref<?xf32, #gin.window>, %p: index) -> (index, index, index, index) {
  // CHECK: %[[C0:.*]] = arith.constant 0 : index
  // CHECK: %[[C1:.*]] = arith.constant 1 : index
  // CHECK: %[[C0_0:.*]] = arith.constant 0 : index
  // CHECK: %[[C0_1:.*]] = arith.constant 0 : index
  %me = gin.rank
  %n = gin.num_ranks
  %rows = gin.window_dim %w, 0 on %p : memref<?xf32, #gin.window>
  %launch = gin.launch
  %0 = "test.reify_bound"(%me) {type = "LB", constant} : (index) -> (index)
  %1 = "test.reify_bound"(%n) {type = "LB", constant} : (index) -> (index)
  %2 = "test.reify_bound"(%rows) {type = "LB", constant} : (index) -> (index)
  %3 = "test.reify_bound"(%launch) {type = "LB", constant} : (index) -> (index)
  // CHECK: return %[[C0]], %[[C1]], %[[C0_0]], %[[C0_1]]
  return %0, %1, %2, %3 : index, index, index, index
}

// -----

func.func @unknown() -> index {
  %me = gin.rank
  // expected-error@+1 {{could not reify bound}}
  %0 = "test.reify_bound"(%me) {type = "UB", constant} : (index) -> (index)
  return %0 : index
}

// -----

// All extents of a peer's part but the first are those of the own part.
// CHECK-LABEL: func.func @extents(
// CHECK-SAME: %[[W:.*]]: memref<?x?xf32, #gin.window>, %[[P:.*]]: index)
func.func @extents(%w: memref<?x?xf32, #gin.window>, %p: index) -> (index, index) {
  %view = gin.peer_view %w on %p : memref<?x?xf32, #gin.window> to memref<?x?xf32, #gin.peer>
  %columns = gin.window_dim %w, 1 on %p : memref<?x?xf32, #gin.window>
  // CHECK: %[[C1:.*]] = arith.constant 1 : index
  // CHECK: %[[DIM:.*]] = memref.dim %[[W]], %[[C1]]
  // CHECK: %[[C1_0:.*]] = arith.constant 1 : index
  // CHECK: %[[DIM_0:.*]] = memref.dim %[[W]], %[[C1_0]]
  %0 = "test.reify_bound"(%view) {dim = 1, type = "EQ", vars = [0]} : (memref<?x?xf32, #gin.peer>) -> (index)
  %1 = "test.reify_bound"(%columns) {type = "EQ"} : (index) -> (index)
  return %0, %1 : index, index
}
