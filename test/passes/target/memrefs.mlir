// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

!matrix = memref<?x?xf32, #gin.window>
!row = memref<?xf32, strided<[1], offset: ?>, #gin.window>
!tile = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
!every = memref<?xf32, strided<[2], offset: ?>, #gin.window>
!cube = memref<4x?x8xf32, #gin.window>
!peer = memref<?x?xf32, #gin.peer>

gpu.module @memrefs {
  gpu.func @memrefs(%x: !matrix, %y: !matrix, %cube: !cube, %table: memref<?xi32>,
                    %i: index, %rows: index, %counts: memref<16xi32, #gin.window>)
      workgroup(%shared: memref<32xf32, #gpu.address_space<workgroup>>)
      private(%own: memref<2x2xf32, #gpu.address_space<private>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %one = arith.constant 1 : i32
    %cols = memref.dim %x, %c1 : !matrix
    %zero = arith.constant 0.0 : f32

    // One use: where it is, is part of the access.
    %row = memref.subview %x[%i, 0] [1, %cols] [1, 1] : !matrix to !row
    %a = memref.load %row[%c2] : !row
    memref.store %a, %y[%i, %c1] : !matrix

    // Several: a pointer, with the source's name.
    %tile = memref.subview %x[%i, %c2] [%rows, 8] [1, 1]
      : !matrix to memref<?x8xf32, strided<[?, 1], offset: ?>, #gin.window>
    scf.for %j = %c0 to %rows step %c1 {
      %b = memref.load %tile[%j, %c1] : memref<?x8xf32, strided<[?, 1], offset: ?>, #gin.window>
      %c = memref.load %tile[%j, %c0] : memref<?x8xf32, strided<[?, 1], offset: ?>, #gin.window>
      %d = arith.addf %b, %c : f32
      memref.store %d, %tile[%j, %c0] : memref<?x8xf32, strided<[?, 1], offset: ?>, #gin.window>
    }

    // Shapes.
    %flat = memref.collapse_shape %cube [[0, 1], [2]] : !cube into memref<?x8xf32, #gin.window>
    %height = memref.dim %flat, %c0 : memref<?x8xf32, #gin.window>
    memref.store %zero, %flat[%height, %c1] : memref<?x8xf32, #gin.window>
    %pairs = memref.expand_shape %table [[0, 1]] output_shape [%rows, 2]
      : memref<?xi32> into memref<?x2xi32>
    memref.store %one, %pairs[%i, %c1] : memref<?x2xi32>
    %slab = memref.subview %cube[%c1, 0, 0] [1, %rows, 8] [1, 1, 1]
      : !cube to memref<?x8xf32, strided<[8, 1], offset: ?>, #gin.window>
    %cast = memref.cast %slab : memref<?x8xf32, strided<[8, 1], offset: ?>, #gin.window>
      to memref<?x8xf32, strided<[?, ?], offset: ?>, #gin.window>
    memref.store %zero, %cast[%i, %i] : memref<?x8xf32, strided<[?, ?], offset: ?>, #gin.window>
    %again = memref.reinterpret_cast %cast to offset: [%i], sizes: [%rows], strides: [2]
      : memref<?x8xf32, strided<[?, ?], offset: ?>, #gin.window> to !every
    memref.store %zero, %again[%c2] : !every

    // Of the block, of the thread, of another rank.
    memref.store %zero, %shared[%i] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %zero, %own[%c1, %i] : memref<2x2xf32, #gpu.address_space<private>>
    %buffer = memref.alloca() : memref<4xf32>
    memref.store %zero, %buffer[%i] : memref<4xf32>
    %mine = memref.load %own[%c0, %i] : memref<2x2xf32, #gpu.address_space<private>>
    %kept = memref.load %buffer[%c1] : memref<4xf32>
    %local = arith.addf %mine, %kept : f32
    memref.store %local, %x[%c1, %i] : !matrix
    %theirs = gin.peer_view %x on %i : !matrix to !peer
    %their_rows = memref.dim %theirs, %c0 : !peer
    %e = memref.load %theirs[%their_rows, %i] : !peer
    memref.store %e, %x[%c0, %c0] : !matrix
    %old = memref.atomic_rmw addi %one, %counts[%i] : (i32, memref<16xi32, #gin.window>) -> i32
    %bigger = memref.atomic_rmw maxs %old, %counts[%c0] : (i32, memref<16xi32, #gin.window>) -> i32
    %sum = memref.atomic_rmw addf %zero, %theirs[%c0, %c1] : (f32, !peer) -> f32
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void memrefs_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program,
// CHECK-NEXT:    const __grid_constant__ gin::Window x_window, int64_t cols, float *y,
// CHECK-NEXT:    int64_t y_size1, float *cube, int64_t cube_size1, int32_t *table, int64_t i,
// CHECK-NEXT:    int64_t rows, int32_t *counts) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    float *x = gin::elements<float>(x_window);
// CHECK-NEXT:    float own[4];
// CHECK-NEXT:    float *shared = reinterpret_cast<float *>(gin::sharedMemory() + 16);
// CHECK-NEXT:    y[i * y_size1 + 1] = x[i * cols + 2];
// CHECK-NEXT:    float *tile = x + i * cols + 2;
// CHECK-NEXT:    // memrefs.mlir:31: scf.for %j
// CHECK-NEXT:    for (int64_t j = 0; j < rows; ++j)
// CHECK-NEXT:      tile[j * cols] = tile[j * cols + 1] + tile[j * cols];
// CHECK-NEXT:    cube[8 * (4 * cube_size1) + 1] = 0.0f;
// CHECK-NEXT:    table[2 * i + 1] = 1;
// CHECK-NEXT:    float *slab = cube + 8 * cube_size1;
// CHECK-NEXT:    slab[9 * i] = 0.0f;
// CHECK-NEXT:    slab[i - 8 * cube_size1 + 4] = 0.0f;
// CHECK-NEXT:    shared[i] = 0.0f;
// CHECK-NEXT:    own[i + 2] = 0.0f;
// CHECK-NEXT:    float buffer[4];
// CHECK-NEXT:    buffer[i] = 0.0f;
// CHECK-NEXT:    x[cols + i] = own[i] + buffer[1];
// CHECK-NEXT:    // memrefs.mlir:63: gin.peer_view %x on %i
// CHECK-NEXT:    float *theirs = gin::viewAt<float>(context, gin::peer(i), x_window,
// CHECK-NEXT:                                       AT("gin.peer_view %x on %i", 63));
// CHECK-NEXT:    const int64_t theirs_size0 =
// CHECK-NEXT:        gin::extentAt(context, gin::peer(i), x_window, sizeof(float) * cols,
// CHECK-NEXT:                      AT("gin.peer_view %x on %i", 63));
// CHECK-NEXT:    x[0] = theirs[theirs_size0 * cols + i];
// CHECK-NEXT:    // memrefs.mlir:67: memref.atomic_rmw %counts
// CHECK-NEXT:    const int32_t old = gin::fetchAdd(&counts[i], 1);
// CHECK-NEXT:    // memrefs.mlir:68: memref.atomic_rmw %counts
// CHECK-NEXT:    gin::fetchMax(&counts[0], old);
// CHECK-NEXT:    // memrefs.mlir:69: memref.atomic_rmw %theirs
// CHECK-NEXT:    gin::fetchAdd(&theirs[1], 0.0f);
// CHECK-NEXT:  });
// CHECK-NEXT:}
