// RUN: gin-opt %s --gin-lower-vectors | FileCheck %s

// CHECK-LABEL: func.func @transpose(
// CHECK-NOT: vector.transpose
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 4, 1, 5, 2, 6, 3, 7] : vector<8xf32>, vector<8xf32>
// CHECK: return
func.func @transpose(%v: vector<2x4xf32>) -> vector<4x2xf32> {
  %t = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  return %t : vector<4x2xf32>
}

// Transfers of several dimensions become loops, and one-dimensional ones loads and
// stores; the memory space stays.
// CHECK-LABEL: func.func @transfers(
// CHECK-NOT: vector.transfer
// CHECK: scf.for
// CHECK: vector.{{.*}}load %{{.*}} : memref<?x?xf32, #gin.window>
// CHECK: scf.for
// CHECK: vector.{{.*}}store %{{.*}} : memref<?x?xf32, #gin.window>
// CHECK-NOT: vector.transfer
// CHECK: return
func.func @transfers(%w: memref<?x?xf32, #gin.window>, %i: index) {
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %w[%i, %i], %zero {in_bounds = [false, true]}
    : memref<?x?xf32, #gin.window>, vector<2x4xf32>
  vector.transfer_write %v, %w[%i, %i] {in_bounds = [false, true]}
    : vector<2x4xf32>, memref<?x?xf32, #gin.window>
  return
}

// CHECK-LABEL: func.func @contract(
// CHECK-NOT: vector.contract
// CHECK: vector.fma
// CHECK: return
func.func @contract(%a: vector<2x3xf32>, %b: vector<3x4xf32>, %c: vector<2x4xf32>) -> vector<2x4xf32> {
  %r = vector.contract {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    %a, %b, %c : vector<2x3xf32>, vector<3x4xf32> into vector<2x4xf32>
  return %r : vector<2x4xf32>
}

// CHECK-LABEL: func.func @multi_reduction(
// CHECK-NOT: vector.multi_reduction
// CHECK: vector.reduction <add>
func.func @multi_reduction(%a: vector<2x3xf32>, %acc: vector<2xf32>) -> vector<2xf32> {
  %r = vector.multi_reduction <add>, %a, %acc [1] : vector<2x3xf32> to vector<2xf32>
  return %r : vector<2xf32>
}
