// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines

// Where a thread is stands where it is used, as long as a number without a sign
// and of 32 bits means the same there; and its number among all threads is a call.

gpu.module @places {
  gpu.func @places(%x: memref<?xf32, #gin.window>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %minus = arith.constant -1 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %thread = gpu.thread_id x
    %threads = gpu.block_dim x
    %block = gpu.block_id x
    %blocks = gpu.grid_dim x
    // As a begin, a step, and beside a literal.
    %few = arith.cmpi slt, %thread, %c32 : index
    scf.if %few {
      memref.store %zero, %x[%c0] : memref<?xf32, #gin.window>
    }
    scf.for %i = %thread to %n step %threads {
      memref.store %zero, %x[%i] : memref<?xf32, #gin.window>
    }
    // The grid's threads.
    %before = arith.muli %block, %threads : index
    %at = arith.addi %before, %thread : index
    %all = arith.muli %blocks, %threads : index
    scf.for %i = %at to %n step %all {
      memref.store %one, %x[%i] : memref<?xf32, #gin.window>
    }
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void places_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program, float *x, int64_t n) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    if (context.thread < 32)
// CHECK-NEXT:      x[0] = 0.0f;
// CHECK-NEXT:    // places.mlir:24: scf.for %i
// CHECK-NEXT:    for (int64_t i = context.thread; i < n; i += context.threads)
// CHECK-NEXT:      x[i] = 0.0f;
// CHECK-NEXT:    const int64_t all = gin::threadsOfGrid(context);
// CHECK-NEXT:    // places.mlir:31: scf.for %i
// CHECK-NEXT:    for (int64_t i = gin::threadInGrid(context); i < n; i += all)
// CHECK-NEXT:      x[i] = 1.0f;
// CHECK-NEXT:  });
// CHECK-NEXT:}
