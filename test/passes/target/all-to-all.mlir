// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

!matrix = memref<?x?xf32, #gin.window>
!row = memref<?xf32, strided<[1], offset: ?>, #gin.window>

gpu.module @all_to_all {
  gpu.func @all_to_all(%x: !matrix, %y: !matrix,
      %arrived: !gin.signals<?> {gin.sizes = affine_map<()[ranks] -> (ranks)>})
      kernel attributes {known_block_size = array<i32: 256, 1, 1>,
                         known_grid_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    gin.barrier {gin.scope = #gin.scope<block>}
    %me = gin.rank
    %ranks = gin.num_ranks
    %m = memref.dim %x, %c1 : !matrix
    scf.for %k = %c0 to %ranks step %c1 {
      %peer = gin.neighbor %k
      %row = memref.subview %x[%peer, 0] [1, %m] [1, 1] : !matrix to !row
      gin.put %row into %y[%me, 0] on %peer signal %arrived[%me]
        {gin.scope = #gin.scope<block>} : !row into !matrix, !gin.signals<?>
    }
    scf.for %k = %c0 to %ranks step %c1 {
      gin.wait %arrived[%k] >= 1 {gin.scope = #gin.scope<block>} : !gin.signals<?>
    }
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(256, 2) void all_to_all_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program,
// CHECK-NEXT:    const __grid_constant__ gin::Window x_window, int64_t m,
// CHECK-NEXT:    const __grid_constant__ gin::Window y_window, int64_t y_size1,
// CHECK-NEXT:    const __grid_constant__ gin::Bank arrived) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    const int64_t ranks = context.ranks;
// CHECK-NEXT:    // all-to-all.mlir:13: gin.barrier
// CHECK-NEXT:    GIN_MUST(gin::barrier(context, gin::Block(), gin::world(context),
// CHECK-NEXT:                          AT("gin.barrier", 13)));
// CHECK-NEXT:    const int64_t me = context.rank;
// CHECK-NEXT:    // all-to-all.mlir:17: scf.for %k
// CHECK-NEXT:    for (int64_t k = 0; k < ranks; ++k) {
// CHECK-NEXT:      const int64_t peer = gin::neighbor(context, k);
// CHECK-NEXT:      // all-to-all.mlir:20: gin.put %row into %y on %peer
// CHECK-NEXT:      gin::put(context, gin::Block(), peer, y_window,
// CHECK-NEXT:               sizeof(float) * me * y_size1, x_window, sizeof(float) * peer * m,
// CHECK-NEXT:               sizeof(float) * m, {&arrived, gin::slot(me)},
// CHECK-NEXT:               AT("gin.put %row into %y on %peer", 20));
// CHECK-NEXT:    }
// CHECK-NEXT:    // all-to-all.mlir:23: scf.for %k
// CHECK-NEXT:    for (int64_t k = 0; k < ranks; ++k) {
// CHECK-NEXT:      // all-to-all.mlir:24: gin.wait %arrived
// CHECK-NEXT:      GIN_MUST(gin::wait(context, gin::Block(), arrived, gin::slot(k), 1,
// CHECK-NEXT:                         AT("gin.wait %arrived", 24)));
// CHECK-NEXT:    }
// CHECK-NEXT:  });
// CHECK-NEXT:}
