// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

!matrix = memref<?x?xf32, #gin.window>
!slots = memref<2x?x?xf32, #gin.window>
!tile = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
!any = memref<?xf32, strided<[?], offset: ?>>
!vector = memref<?xf32>

gpu.module @carried {
  gpu.func @carried(%x: !matrix, %y: !matrix, %z: !matrix, %slots: !slots, %v: !vector,
                    %w: !vector, %n: index, %c: i1, %kind: index,
                    %counts: memref<4xi32>, %more_counts: memref<4xi32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : i32

    // Windows that go around: what is put, where it is put, what is loaded.
    %last:3 = scf.for %step = %c0 to %n step %c1
        iter_args(%here = %x, %there = %y, %other = %z) -> (!matrix, !matrix, !matrix) {
      gin.put %here into %there[%c0, %c0] on 1 {gin.scope = #gin.scope<block>}
        : !matrix into !matrix
      %a = memref.load %here[%step, %c1] : !matrix
      memref.store %a, %z[%step, %c0] : !matrix
      scf.yield %there, %other, %here : !matrix, !matrix, !matrix
    }
    %height = memref.dim %last#1, %c0 : !matrix
    memref.store %zero, %last#0[%height, %c0] : !matrix

    // The same window throughout: only where in it.
    %rows = memref.dim %slots, %c1 : !slots
    %cols = memref.dim %slots, %c2 : !slots
    %slot0 = memref.subview %slots[0, 0, 0] [1, %rows, %cols] [1, 1, 1]
      : !slots to memref<?x?xf32, strided<[?, 1]>, #gin.window>
    %first = memref.cast %slot0 : memref<?x?xf32, strided<[?, 1]>, #gin.window> to !tile
    %slot1 = memref.subview %slots[1, 0, 0] [1, %rows, %cols] [1, 1, 1] : !slots to !tile
    scf.for %step = %c0 to %n step %c1 iter_args(%now = %first, %next = %slot1) -> (!tile, !tile) {
      gin.put %now into %x[%step, %c0] on 1 {gin.scope = #gin.scope<block>} : !tile into !matrix
      memref.store %zero, %next[%step, %step] : !tile
      scf.yield %next, %now : !tile, !tile
    }

    // Part by part further on.
    scf.for %step = %c0 to %n step %c2 iter_args(%rest = %slot1) -> (!tile) {
      %value = memref.load %rest[%c0, %step] : !tile
      memref.store %value, %x[%c0, %step] : !matrix
      gin.get %x[%c0, %c0] on 1 into %rest {gin.scope = #gin.scope<block>} : !matrix into !tile
      %further = memref.subview %rest[%step, 0] [%rows, %cols] [1, 1] : !tile to !tile
      scf.yield %further : !tile
    }

    // Branches, with other strides and sizes.
    %chosen = scf.if %c -> !any {
      %even = memref.subview %v[0] [%n] [2] : !vector to memref<?xf32, strided<[2]>>
      %cast = memref.cast %even : memref<?xf32, strided<[2]>> to !any
      scf.yield %cast : !any
    } else {
      %shifted = memref.subview %w[%n] [%c2] [1] : !vector to memref<?xf32, strided<[1], offset: ?>>
      %cast = memref.cast %shifted : memref<?xf32, strided<[1], offset: ?>> to !any
      memref.store %zero, %w[%c0] : !vector
      scf.yield %cast : !any
    }
    %length = memref.dim %chosen, %c0 : !any
    memref.store %zero, %chosen[%length] : !any
    %part = scf.index_switch %kind -> !matrix
    case 3 {
      scf.yield %x : !matrix
    }
    default {
      scf.yield %y : !matrix
    }
    %row = memref.subview %part[%n, 0] [1, %n] [1, 1]
      : !matrix to memref<?xf32, strided<[1], offset: ?>, #gin.window>
    gin.put %row into %slots[%c1, %c0, %c0] on 1 {gin.scope = #gin.scope<block>}
      : memref<?xf32, strided<[1], offset: ?>, #gin.window> into !slots

    // Selections; the value of a condition is computed once.
    %some = arith.cmpi slt, %n, %kind : index
    %target = arith.select %some, %x, %z : !matrix
    gin.put_value %zero into %target[%n, %c0] on 1 {gin.scope = #gin.scope<thread>}
      : f32 into !matrix
    %own = arith.select %some, %v, %w : !vector
    memref.store %zero, %own[%n] : !vector
    memref.store %zero, %own[%c1] : !vector
    %counters = arith.select %c, %counts, %more_counts : memref<4xi32>
    %old = memref.atomic_rmw addi %one, %counters[%c0] : (i32, memref<4xi32>) -> i32
    %theirs = gin.peer_view %target on %n : !matrix to memref<?x?xf32, #gin.peer>
    memref.store %zero, %theirs[%c1, %c1] : memref<?x?xf32, #gin.peer>

    // As long as something holds.
    %found:2 = scf.while (%at = %v, %i = %c0) : (!vector, index) -> (!vector, index) {
      %element = memref.load %at[%i] : !vector
      %positive = arith.cmpf ogt, %element, %zero : f32
      scf.condition(%positive) %at, %i : !vector, index
    } do {
    ^bb0(%at: !vector, %i: index):
      %swapped = arith.select %c, %own, %at : !vector
      %j = arith.addi %i, %c1 : index
      scf.yield %swapped, %j : !vector, index
    }
    memref.store %zero, %found#0[%found#1] : !vector
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void carried_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program,
// CHECK-NEXT:    const __grid_constant__ gin::Window x_window, int64_t x_size0,
// CHECK-NEXT:    int64_t x_size1, const __grid_constant__ gin::Window y_window,
// CHECK-NEXT:    int64_t y_size0, int64_t y_size1,
// CHECK-NEXT:    const __grid_constant__ gin::Window z_window, int64_t z_size0,
// CHECK-NEXT:    int64_t z_size1, const __grid_constant__ gin::Window slots_window,
// CHECK-NEXT:    int64_t rows, int64_t cols, float *v, float *w, int64_t n, bool c,
// CHECK-NEXT:    int64_t kind, int32_t *counts, int32_t *more_counts) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    float *x = gin::elements<float>(x_window);
// CHECK-NEXT:    float *y = gin::elements<float>(y_window);
// CHECK-NEXT:    float *z = gin::elements<float>(z_window);
// CHECK-NEXT:    float *slots = gin::elements<float>(slots_window);
// CHECK-NEXT:    // carried.mlir:21: scf.for %step
// CHECK-NEXT:    const gin::Window *here_window = &x_window;
// CHECK-NEXT:    float *here = x;
// CHECK-NEXT:    int64_t here_size0 = x_size0;
// CHECK-NEXT:    int64_t here_size1 = x_size1;
// CHECK-NEXT:    const gin::Window *there_window = &y_window;
// CHECK-NEXT:    float *there = y;
// CHECK-NEXT:    int64_t there_size0 = y_size0;
// CHECK-NEXT:    int64_t there_size1 = y_size1;
// CHECK-NEXT:    const gin::Window *other_window = &z_window;
// CHECK-NEXT:    float *other = z;
// CHECK-NEXT:    int64_t other_size0 = z_size0;
// CHECK-NEXT:    int64_t other_size1 = z_size1;
// CHECK-NEXT:    for (int64_t step = 0; step < n; ++step) {
// CHECK-NEXT:      // carried.mlir:23: gin.put %here into %there on 1
// CHECK-NEXT:      gin::putBlock<float>(context, gin::Block(), 1, *there_window, 0,
// CHECK-NEXT:                           {there_size1, 1}, *here_window, 0, {here_size1, 1},
// CHECK-NEXT:                           {here_size0, here_size1},
// CHECK-NEXT:                           AT("gin.put %here into %there on 1", 23));
// CHECK-NEXT:      z[step * z_size1] = here[step * here_size1 + 1];
// CHECK-NEXT:      const gin::Window *other_window_next = here_window;
// CHECK-NEXT:      float *other_next = here;
// CHECK-NEXT:      int64_t other_size0_next = here_size0;
// CHECK-NEXT:      int64_t other_size1_next = here_size1;
// CHECK-NEXT:      here_window = there_window;
// CHECK-NEXT:      here = there;
// CHECK-NEXT:      here_size0 = there_size0;
// CHECK-NEXT:      here_size1 = there_size1;
// CHECK-NEXT:      there_window = other_window;
// CHECK-NEXT:      there = other;
// CHECK-NEXT:      there_size0 = other_size0;
// CHECK-NEXT:      there_size1 = other_size1;
// CHECK-NEXT:      other_window = other_window_next;
// CHECK-NEXT:      other = other_next;
// CHECK-NEXT:      other_size0 = other_size0_next;
// CHECK-NEXT:      other_size1 = other_size1_next;
// CHECK-NEXT:    }
// CHECK-NEXT:    here[there_size0 * here_size1] = 0.0f;
// CHECK-NEXT:    // carried.mlir:39: scf.for %step
// CHECK-NEXT:    float *now = slots;
// CHECK-NEXT:    int64_t now_offset = 0;
// CHECK-NEXT:    float *next = slots + rows * cols;
// CHECK-NEXT:    int64_t next_offset = rows * cols;
// CHECK-NEXT:    for (int64_t step = 0; step < n; ++step) {
// CHECK-NEXT:      // carried.mlir:40: gin.put %now into %x on 1
// CHECK-NEXT:      gin::putBlock<float>(context, gin::Block(), 1, x_window, step * x_size1,
// CHECK-NEXT:                           {x_size1, 1}, slots_window, now_offset, {cols, 1},
// CHECK-NEXT:                           {rows, cols}, AT("gin.put %now into %x on 1", 40));
// CHECK-NEXT:      next[step * cols + step] = 0.0f;
// CHECK-NEXT:      float *next_next = now;
// CHECK-NEXT:      int64_t next_offset_next = now_offset;
// CHECK-NEXT:      now = next;
// CHECK-NEXT:      now_offset = next_offset;
// CHECK-NEXT:      next = next_next;
// CHECK-NEXT:      next_offset = next_offset_next;
// CHECK-NEXT:    }
// CHECK-NEXT:    // carried.mlir:46: scf.for %step
// CHECK-NEXT:    float *rest = slots + rows * cols;
// CHECK-NEXT:    int64_t rest_offset = rows * cols;
// CHECK-NEXT:    for (int64_t step = 0; step < n; step += 2) {
// CHECK-NEXT:      x[step] = rest[step];
// CHECK-NEXT:      // carried.mlir:49: gin.get %x on 1 into %rest
// CHECK-NEXT:      gin::getBlock<float>(context, gin::Block(), 1, x_window, 0, {x_size1, 1},
// CHECK-NEXT:                           slots_window, rest_offset, {cols, 1}, {rows, cols},
// CHECK-NEXT:                           AT("gin.get %x on 1 into %rest", 49));
// CHECK-NEXT:      rest = rest + step * cols;
// CHECK-NEXT:      rest_offset = rest_offset + step * cols;
// CHECK-NEXT:    }
// CHECK-NEXT:    // carried.mlir:55: scf.if
// CHECK-NEXT:    float *chosen;
// CHECK-NEXT:    int64_t chosen_size0;
// CHECK-NEXT:    int64_t chosen_stride0;
// CHECK-NEXT:    if (c) {
// CHECK-NEXT:      chosen = v;
// CHECK-NEXT:      chosen_size0 = n;
// CHECK-NEXT:      chosen_stride0 = 2;
// CHECK-NEXT:    } else {
// CHECK-NEXT:      w[0] = 0.0f;
// CHECK-NEXT:      chosen = w + n;
// CHECK-NEXT:      chosen_size0 = 2;
// CHECK-NEXT:      chosen_stride0 = 1;
// CHECK-NEXT:    }
// CHECK-NEXT:    chosen[chosen_size0 * chosen_stride0] = 0.0f;
// CHECK-NEXT:    // carried.mlir:67: scf.index_switch
// CHECK-NEXT:    const gin::Window *part_window;
// CHECK-NEXT:    int64_t part_size1;
// CHECK-NEXT:    switch (kind) {
// CHECK-NEXT:    case 3: {
// CHECK-NEXT:      part_window = &x_window;
// CHECK-NEXT:      part_size1 = x_size1;
// CHECK-NEXT:      break;
// CHECK-NEXT:    }
// CHECK-NEXT:    default: {
// CHECK-NEXT:      part_window = &y_window;
// CHECK-NEXT:      part_size1 = y_size1;
// CHECK-NEXT:      break;
// CHECK-NEXT:    }
// CHECK-NEXT:    }
// CHECK-NEXT:    // carried.mlir:76: gin.put %row into %slots on 1
// CHECK-NEXT:    gin::put(context, gin::Block(), 1, slots_window,
// CHECK-NEXT:             sizeof(float) * rows * cols, *part_window,
// CHECK-NEXT:             sizeof(float) * n * part_size1, sizeof(float) * n,
// CHECK-NEXT:             AT("gin.put %row into %slots on 1", 76));
// CHECK-NEXT:    const bool some = n < kind;
// CHECK-NEXT:    const gin::Window *target_window = some ? &x_window : &z_window;
// CHECK-NEXT:    const int64_t target_size1 = some ? x_size1 : z_size1;
// CHECK-NEXT:    // carried.mlir:82: gin.put_value %zero into %target on 1
// CHECK-NEXT:    gin::putValue<float>(context, gin::Thread(), 1, *target_window,
// CHECK-NEXT:                         sizeof(float) * n * target_size1, 0.0f,
// CHECK-NEXT:                         AT("gin.put_value %zero into %target on 1", 82));
// CHECK-NEXT:    float *own = some ? v : w;
// CHECK-NEXT:    own[n] = 0.0f;
// CHECK-NEXT:    own[1] = 0.0f;
// CHECK-NEXT:    int32_t *counters = c ? counts : more_counts;
// CHECK-NEXT:    // carried.mlir:88: memref.atomic_rmw %counters
// CHECK-NEXT:    gin::fetchAdd(&counters[0], 1);
// CHECK-NEXT:    // carried.mlir:89: gin.peer_view %target on %n
// CHECK-NEXT:    float *theirs = gin::viewAt<float>(context, gin::peer(n), *target_window,
// CHECK-NEXT:                                       AT("gin.peer_view %target on %n", 89));
// CHECK-NEXT:    theirs[target_size1 + 1] = 0.0f;
// CHECK-NEXT:    // carried.mlir:93: scf.while
// CHECK-NEXT:    float *at = v;
// CHECK-NEXT:    int64_t i = 0;
// CHECK-NEXT:    while (at[i] > 0.0f) {
// CHECK-NEXT:      float *swapped = c ? own : at;
// CHECK-NEXT:      at = swapped;
// CHECK-NEXT:      i = i + 1;
// CHECK-NEXT:    }
// CHECK-NEXT:    at[i] = 0.0f;
// CHECK-NEXT:  });
// CHECK-NEXT:}
