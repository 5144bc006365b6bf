// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

!fields = memref<2x?x?xf64, #gin.window>
!row = memref<?xf64, strided<[1], offset: ?>, #gin.window>
!post = memref<?x1xf64, strided<[?, 1], offset: ?>, #gin.window>
!tile = memref<?x?xf64, strided<[?, 1], offset: ?>, #gin.window>
!whole = memref<?x?xf64, strided<[?, 1], offset: ?>, #gin.window>
!counts = memref<?xi32, #gin.window>

gpu.module @transfers {
  gpu.func @transfers(%u: !fields, %v: !fields, %counts: !counts, %i: index, %p: index,
                      %weight: index, %s: !gin.signals<3x?> {gin.sizes = affine_map<()[r] -> (r)>})
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %h = memref.dim %u, %c1 : !fields
    %w = memref.dim %u, %c2 : !fields
    %right = gin.neighbor 1
    %three = arith.constant 3 : i32

    // Without gaps: a row, and a whole field.
    %row = memref.subview %u[0, %i, 0] [1, 1, %w] [1, 1, 1] : !fields to !row
    gin.put %row into %u[1, %i, 0] on %right signal %s[2, %i] {gin.scope = #gin.scope<block>}
      : !row into !fields, !gin.signals<3x?>
    %field = memref.subview %u[%i, 0, 0] [1, %h, %w] [1, 1, 1] : !fields to !whole
    gin.put %field into %u[%c0, 0, 0] on 2 signal %s[1, 0] add %weight
      {gin.scope = #gin.scope<block>} : !whole into !fields, !gin.signals<3x?>

    // With gaps on one side or both.
    %post = memref.subview %u[0, 1, 1] [1, %h, 1] [1, 1, 1] : !fields to !post
    gin.put %post into %u[1, 1, 0] on %p {gin.scope = #gin.scope<block>} : !post into !fields
    %t = gin.get %v[0, 0, 0] on %right into %field -> !gin.token {gin.scope = #gin.scope<warp>}
      : !fields into !whole
    gin.await %t {gin.scope = #gin.scope<warp>}
    gin.put %row into %u[1, 0, 0] on %right accumulate {gin.scope = #gin.scope<block>}
      : !row into !fields
    gin.put %post into %v[0, 0, 0] on %right accumulate {gin.scope = #gin.scope<block>}
      : !post into !fields

    // A remainder is a factor of its own.
    %turn = arith.remui %w, %c2 : index
    gin.atomic_add %three into %counts[%turn] on %right {gin.scope = #gin.scope<block>}
      : i32 into !counts

    // Values.
    gin.put_value %three into %counts[%i] on %right signal %s[0, 0] add 5
      {gin.scope = #gin.scope<thread>} : i32 into !counts, !gin.signals<3x?>
    gin.atomic_add %three into %counts[0] on %p {gin.scope = #gin.scope<thread>}
      : i32 into !counts
    gin.flush {gin.scope = #gin.scope<block>}
    %rows = gin.window_dim %counts, 0 on %right : !counts
    %last = arith.subi %rows, %c1 : index
    gin.put_value %three into %counts[%last] on %right {gin.scope = #gin.scope<block>}
      : i32 into !counts

    // A token that a loop carries.
    %ready = gin.ready_token
    %token = scf.for %k = %c0 to %i step %c1 iter_args(%pending = %ready) -> (!gin.token) {
      gin.await %pending {gin.scope = #gin.scope<block>}
      %put = gin.put %row into %u[0, %k, 0] on %right -> !gin.token {gin.scope = #gin.scope<block>}
        : !row into !fields
      scf.yield %put : !gin.token
    }
    gin.await %token {gin.scope = #gin.scope<block>}
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void transfers_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program,
// CHECK-NEXT:    const __grid_constant__ gin::Window u_window, int64_t h, int64_t w,
// CHECK-NEXT:    const __grid_constant__ gin::Window v_window, int64_t v_size2,
// CHECK-NEXT:    const __grid_constant__ gin::Window counts_window, int64_t i, int64_t p,
// CHECK-NEXT:    int64_t weight, const __grid_constant__ gin::Bank s) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    const int64_t ranks = context.ranks;
// CHECK-NEXT:    const int64_t right = gin::neighbor(context, 1);
// CHECK-NEXT:    // transfers.mlir:24: gin.put %row into %u on %right
// CHECK-NEXT:    gin::put(context, gin::Block(), right, u_window,
// CHECK-NEXT:             sizeof(double) * (h * w + i * w), u_window, sizeof(double) * i * w,
// CHECK-NEXT:             sizeof(double) * w, {&s, gin::slot({2, i}, {ranks})},
// CHECK-NEXT:             AT("gin.put %row into %u on %right", 24));
// CHECK-NEXT:    // transfers.mlir:27: gin.put %field into %u on 2
// CHECK-NEXT:    gin::put(context, gin::Block(), 2, u_window, 0, u_window,
// CHECK-NEXT:             sizeof(double) * i * h * w, sizeof(double) * h * w,
// CHECK-NEXT:             {&s, gin::slot({1, 0}, {ranks}), uint64_t(weight)},
// CHECK-NEXT:             AT("gin.put %field into %u on 2", 27));
// CHECK-NEXT:    // transfers.mlir:32: gin.put %post into %u on %p
// CHECK-NEXT:    gin::putBlock<double>(context, gin::Block(), gin::peer(p), u_window,
// CHECK-NEXT:                          h * w + w, {w, 1}, u_window, w + 1, {w, 1}, {h, 1},
// CHECK-NEXT:                          AT("gin.put %post into %u on %p", 32));
// CHECK-NEXT:    // transfers.mlir:33: gin.get %v on %right into %field
// CHECK-NEXT:    const gin::Token t = gin::getBlock<double>(
// CHECK-NEXT:        context, gin::Warp(), right, v_window, 0, {v_size2, 1}, u_window,
// CHECK-NEXT:        i * h * w, {w, 1}, {h, w}, AT("gin.get %v on %right into %field", 33));
// CHECK-NEXT:    // transfers.mlir:35: gin.await %t
// CHECK-NEXT:    gin::await(context, gin::Warp(), t);
// CHECK-NEXT:    // transfers.mlir:36: gin.put %row into %u on %right
// CHECK-NEXT:    gin::putAccumulate<double>(context, gin::Block(), right, u_window,
// CHECK-NEXT:                               sizeof(double) * h * w, u_window,
// CHECK-NEXT:                               sizeof(double) * i * w, w,
// CHECK-NEXT:                               AT("gin.put %row into %u on %right", 36));
// CHECK-NEXT:    // transfers.mlir:38: gin.put %post into %v on %right
// CHECK-NEXT:    gin::putAccumulateBlock<double>(
// CHECK-NEXT:        context, gin::Block(), right, v_window, 0, {v_size2, 1}, u_window,
// CHECK-NEXT:        w + 1, {w, 1}, {h, 1}, AT("gin.put %post into %v on %right", 38));
// CHECK-NEXT:    // transfers.mlir:43: gin.atomic_add %three into %counts on %right
// CHECK-NEXT:    gin::atomicAdd<int32_t>(
// CHECK-NEXT:        context, gin::Block(), right, counts_window, sizeof(int32_t) * (w % 2),
// CHECK-NEXT:        3, AT("gin.atomic_add %three into %counts on %right", 43));
// CHECK-NEXT:    // transfers.mlir:47: gin.put_value %three into %counts on %right
// CHECK-NEXT:    gin::putValue<int32_t>(
// CHECK-NEXT:        context, gin::Thread(), right, counts_window, sizeof(int32_t) * i, 3,
// CHECK-NEXT:        {&s, gin::slot({0, 0}, {ranks}), 5},
// CHECK-NEXT:        AT("gin.put_value %three into %counts on %right", 47));
// CHECK-NEXT:    // transfers.mlir:49: gin.atomic_add %three into %counts on %p
// CHECK-NEXT:    gin::atomicAdd<int32_t>(context, gin::Thread(), gin::peer(p), counts_window,
// CHECK-NEXT:                            0, 3,
// CHECK-NEXT:                            AT("gin.atomic_add %three into %counts on %p", 49));
// CHECK-NEXT:    // transfers.mlir:51: gin.flush
// CHECK-NEXT:    gin::flush(context, gin::Block());
// CHECK-NEXT:    const int64_t rows =
// CHECK-NEXT:        gin::extentAt(context, right, counts_window, sizeof(int32_t),
// CHECK-NEXT:                      AT("gin.window_dim %counts on %right", 52));
// CHECK-NEXT:    // transfers.mlir:54: gin.put_value %three into %counts on %right
// CHECK-NEXT:    gin::putValue<int32_t>(
// CHECK-NEXT:        context, gin::Block(), right, counts_window,
// CHECK-NEXT:        sizeof(int32_t) * (rows - 1), 3,
// CHECK-NEXT:        AT("gin.put_value %three into %counts on %right", 54));
// CHECK-NEXT:    // transfers.mlir:59: scf.for %k
// CHECK-NEXT:    gin::Token pending = gin::Token();
// CHECK-NEXT:    for (int64_t k = 0; k < i; ++k) {
// CHECK-NEXT:      // transfers.mlir:60: gin.await %pending
// CHECK-NEXT:      gin::await(context, gin::Block(), pending);
// CHECK-NEXT:      // transfers.mlir:61: gin.put %row into %u on %right
// CHECK-NEXT:      const gin::Token put = gin::put(
// CHECK-NEXT:          context, gin::Block(), right, u_window, sizeof(double) * k * w,
// CHECK-NEXT:          u_window, sizeof(double) * i * w, sizeof(double) * w,
// CHECK-NEXT:          AT("gin.put %row into %u on %right", 61));
// CHECK-NEXT:      pending = put;
// CHECK-NEXT:    }
// CHECK-NEXT:    // transfers.mlir:65: gin.await %token
// CHECK-NEXT:    gin::await(context, gin::Block(), pending);
// CHECK-NEXT:  });
// CHECK-NEXT:}
