// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines

// Where the place of a thread is part of other arithmetic it is a variable, of 64
// bits and with a sign: a difference or product would be another number.

gpu.module @places_named {
  gpu.func @places_named(%x: memref<?xf32, #gin.window>, %n: index) kernel
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
    %positive = arith.cmpi sgt, %thread, %minus : index
    scf.if %positive {
      memref.store %zero, %x[%c0] : memref<?xf32, #gin.window>
    }
    %first = arith.cmpi eq, %block, %c0 : index
    scf.if %first {
      memref.store %zero, %x[%c1] : memref<?xf32, #gin.window>
    }
    %last = arith.subi %block, %c1 : index
    %product = arith.muli %block, %threads : index
    %there = arith.addi %product, %thread : index
    memref.store %zero, %x[%there] : memref<?xf32, #gin.window>
    memref.store %zero, %x[%product] : memref<?xf32, #gin.window>
    memref.store %one, %x[%last] : memref<?xf32, #gin.window>
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void places_named_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program, float *x) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    const int64_t thread = context.thread;
// CHECK-NEXT:    const int64_t threads = context.threads;
// CHECK-NEXT:    const int64_t block = gin::blockInGrid();
// CHECK-NEXT:    if (thread > -1)
// CHECK-NEXT:      x[0] = 0.0f;
// CHECK-NEXT:    if (block == 0)
// CHECK-NEXT:      x[1] = 0.0f;
// CHECK-NEXT:    const int64_t product = block * threads;
// CHECK-NEXT:    x[gin::threadInGrid(context)] = 0.0f;
// CHECK-NEXT:    x[product] = 0.0f;
// CHECK-NEXT:    x[block - 1] = 1.0f;
// CHECK-NEXT:  });
// CHECK-NEXT:}
