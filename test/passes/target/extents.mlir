// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines

// An extent that gin.sizes says is an argument's, or the number of ranks, is no
// parameter; one that it computes is. The caller's own extents stay apart.

#same = affine_map<()[ranks, a, b, c] -> (ranks, b)>
#other = affine_map<()[ranks, a, b, c] -> (a + 1, c)>
gpu.module @extents {
  gpu.func @extents(%x: memref<?x?xf32, #gin.window>, %y: memref<?xf32>,
                    %u: memref<?x?xf32, #gin.window> {gin.scratch, gin.sizes = #same},
                    %v: memref<?x?xf32> {gin.scratch, gin.sizes = #other},
                    %s: !gin.signals<2x?> {gin.sizes = affine_map<()[ranks] -> (ranks)>}) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %size = gin.num_ranks
    %u0 = memref.dim %u, %c0 : memref<?x?xf32, #gin.window>
    %u1 = memref.dim %u, %c1 : memref<?x?xf32, #gin.window>
    %v0 = memref.dim %v, %c0 : memref<?x?xf32>
    %v1 = memref.dim %v, %c1 : memref<?x?xf32>
    %y0 = memref.dim %y, %c0 : memref<?xf32>
    memref.store %zero, %u[%size, %u0] : memref<?x?xf32, #gin.window>
    memref.store %zero, %v[%v0, %v1] : memref<?x?xf32>
    memref.store %zero, %x[%u1, %y0] : memref<?x?xf32, #gin.window>
    gin.wait %s[%size, %c1] >= 1 {gin.scope = #gin.scope<block>} : !gin.signals<2x?>
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void extents_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program, float *x, int64_t x_size1,
// CHECK-NEXT:    int64_t y0, float *u, float *v, int64_t v0,
// CHECK-NEXT:    const __grid_constant__ gin::Bank s) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    const int64_t size = context.ranks;
// CHECK-NEXT:    u[size * x_size1 + size] = 0.0f;
// CHECK-NEXT:    v[v0 * y0 + y0] = 0.0f;
// CHECK-NEXT:    x[x_size1 * x_size1 + y0] = 0.0f;
// CHECK-NEXT:    // extents.mlir:26: gin.wait %s
// CHECK-NEXT:    GIN_MUST(gin::wait(context, gin::Block(), s, gin::slot({size, 1}, {size}),
// CHECK-NEXT:                       1, AT("gin.wait %s", 26)));
// CHECK-NEXT:  });
// CHECK-NEXT:}
