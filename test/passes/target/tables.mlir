// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

// Constants of the module, where they are used; a long list is left as it is by
// clang-format.

gpu.module @tables {
  memref.global "private" constant @steps : memref<2x2xi32> = dense<[[5, 3], [-2147483648, 7]]>
  memref.global "private" constant @weights : memref<12xf64> = dense<[
    0.5, 1.25, -3.0, 7.0, 0.125, 0x7FF0000000000000, 3.0, 4.0e30, 1.0, 2.0, 3.0, 4.0]>
  gpu.func @tables(%z: memref<4xi32>, %y: memref<4xf64>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %steps = memref.get_global @steps : memref<2x2xi32>
    %step = memref.load %steps[%c1, %c0] : memref<2x2xi32>
    memref.store %step, %z[%c0] : memref<4xi32>
    %weights = memref.get_global @weights : memref<12xf64>
    %weight = memref.load %weights[%c1] : memref<12xf64>
    memref.store %weight, %y[%c0] : memref<4xf64>
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void tables_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program, int32_t *z, double *y) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &) {
// CHECK-NEXT:    static int32_t steps[4] = {5, 3, INT32_MIN, 7};
// CHECK-NEXT:    z[0] = steps[2];
// CHECK-NEXT:    // clang-format off
// CHECK-NEXT:    static double weights[12] = {
// CHECK-NEXT:        0.5, 1.25, -3.0, 7.0, 0.125, INFINITY, 3.0, 4.0e+30, 1.0, 2.0, 3.0, 4.0};
// CHECK-NEXT:    // clang-format on
// CHECK-NEXT:    y[0] = weights[1];
// CHECK-NEXT:  });
// CHECK-NEXT:}
