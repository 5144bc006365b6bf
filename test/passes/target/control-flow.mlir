// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

!vector = memref<?xf32, #gin.window>
!one = memref<1xi64, #gin.window>

gpu.module @control_flow {
  gpu.func @control_flow(%x: !vector, %y: !one, %n: index, %kind: index,
                         %s: !gin.signals<4>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %true = arith.constant true
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : i64

    // A loop that carries a sum, and one that exchanges two values.
    %total = scf.for %i = %c0 to %n step %c2 iter_args(%sum = %zero) -> (f32) {
      %element = memref.load %x[%i] : !vector
      %next = arith.addf %sum, %element : f32
      scf.yield %next : f32
    }
    %first, %second = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c1, %b = %c2)
        -> (index, index) {
      %both = arith.addi %a, %b : index
      scf.yield %b, %both : index, index
    }
    memref.store %total, %x[%first] : !vector

    // Branches, with a value and without.
    %is_large = arith.cmpi sgt, %n, %c8 : index
    %limit = scf.if %is_large -> (index) {
      scf.yield %c8 : index
    } else {
      %half = arith.divui %n, %c2 : index
      memref.store %zero, %x[%half] : !vector
      scf.yield %half : index
    }
    scf.if %is_large {
      memref.store %total, %x[%limit] : !vector
    }
    scf.index_switch %kind
    case 0 {
      memref.store %zero, %x[%c0] : !vector
      scf.yield
    }
    case 7 {
      memref.store %total, %x[%c1] : !vector
      scf.yield
    }
    default {
    }

    // Until something is true, and as long as something is.
    scf.while : () -> () {
      %there = gin.test %s[0] >= 1 {gin.scope = #gin.scope<block>} : !gin.signals<4>
      %waiting = arith.xori %there, %true : i1
      scf.condition(%waiting)
    } do {
      scf.yield
    }
    %last = scf.while (%at = %n) : (index) -> index {
      %more = arith.cmpi sgt, %at, %c0 : index
      scf.condition(%more) %at : index
    } do {
    ^bb0(%at: index):
      %before = arith.subi %at, %c1 : index
      memref.store %zero, %x[%before] : !vector
      scf.yield %before : index
    }
    %seen = scf.while (%round = %c0) : (index) -> index {
      %count = gin.read %s[1] {gin.scope = #gin.scope<thread>} : !gin.signals<4>
      %old = memref.load %x[%round] : !vector
      memref.store %old, %x[%count] : !vector
      %some = arith.cmpi slt, %count, %limit : index
      scf.condition(%some) %count : index
    } do {
    ^bb0(%so_far: index):
      %round = arith.addi %so_far, %last : index
      scf.yield %round : index
    }
    %seen_i64 = arith.index_cast %seen : index to i64
    memref.store %seen_i64, %y[%c0] : !one
    cf.assert %is_large, "too few elements"
    %thread = gpu.thread_id x
    %own = arith.cmpi slt, %thread, %n : index
    scf.if %own {
      %positive = arith.cmpi sgt, %second, %thread : index
      cf.assert %positive, "not \22positive\22"
    }
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void control_flow_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program, float *x, int64_t *y,
// CHECK-NEXT:    int64_t n, int64_t kind, const __grid_constant__ gin::Bank s) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    // control-flow.mlir:19: scf.for %i
// CHECK-NEXT:    float sum = 0.0f;
// CHECK-NEXT:    for (int64_t i = 0; i < n; i += 2)
// CHECK-NEXT:      sum += x[i];
// CHECK-NEXT:    // control-flow.mlir:24: scf.for %i
// CHECK-NEXT:    int64_t a = 1;
// CHECK-NEXT:    int64_t b = 2;
// CHECK-NEXT:    for (int64_t i = 0; i < n; ++i) {
// CHECK-NEXT:      const int64_t b_next = a + b;
// CHECK-NEXT:      a = b;
// CHECK-NEXT:      b = b_next;
// CHECK-NEXT:    }
// CHECK-NEXT:    x[a] = sum;
// CHECK-NEXT:    const bool is_large = n > 8;
// CHECK-NEXT:    // control-flow.mlir:33: scf.if
// CHECK-NEXT:    int64_t limit;
// CHECK-NEXT:    if (is_large) {
// CHECK-NEXT:      limit = 8;
// CHECK-NEXT:    } else {
// CHECK-NEXT:      const int64_t half = int64_t(uint64_t(n) / 2);
// CHECK-NEXT:      x[half] = 0.0f;
// CHECK-NEXT:      limit = half;
// CHECK-NEXT:    }
// CHECK-NEXT:    if (is_large)
// CHECK-NEXT:      x[limit] = sum;
// CHECK-NEXT:    // control-flow.mlir:43: scf.index_switch
// CHECK-NEXT:    switch (kind) {
// CHECK-NEXT:    case 0: {
// CHECK-NEXT:      x[0] = 0.0f;
// CHECK-NEXT:      break;
// CHECK-NEXT:    }
// CHECK-NEXT:    case 7: {
// CHECK-NEXT:      x[1] = sum;
// CHECK-NEXT:      break;
// CHECK-NEXT:    }
// CHECK-NEXT:    default: {
// CHECK-NEXT:      break;
// CHECK-NEXT:    }
// CHECK-NEXT:    }
// CHECK-NEXT:    // control-flow.mlir:56: scf.while
// CHECK-NEXT:    // control-flow.mlir:57: gin.test %s
// CHECK-NEXT:    while (!gin::test(context, gin::Block(), s, 0, 1, AT("gin.test %s", 57)) &&
// CHECK-NEXT:           !context.failed) {
// CHECK-NEXT:    }
// CHECK-NEXT:    GIN_MUST(!context.failed);
// CHECK-NEXT:    // control-flow.mlir:63: scf.while
// CHECK-NEXT:    int64_t at = n;
// CHECK-NEXT:    while (at > 0) {
// CHECK-NEXT:      const int64_t before = at - 1;
// CHECK-NEXT:      x[before] = 0.0f;
// CHECK-NEXT:      at = before;
// CHECK-NEXT:    }
// CHECK-NEXT:    // control-flow.mlir:72: scf.while
// CHECK-NEXT:    int64_t round = 0;
// CHECK-NEXT:    int64_t so_far;
// CHECK-NEXT:    while (true) {
// CHECK-NEXT:      // control-flow.mlir:73: gin.read %s
// CHECK-NEXT:      const int64_t count = gin::read(context, s, 1, AT("gin.read %s", 73));
// CHECK-NEXT:      x[count] = x[round];
// CHECK-NEXT:      so_far = count;
// CHECK-NEXT:      if (!(count < limit) || context.failed)
// CHECK-NEXT:        break;
// CHECK-NEXT:      round = so_far + at;
// CHECK-NEXT:    }
// CHECK-NEXT:    y[0] = so_far;
// CHECK-NEXT:    // control-flow.mlir:85: cf.assert
// CHECK-NEXT:    GIN_MUST(gin::check(context, gin::Block(), is_large,
// CHECK-NEXT:                        AT("too few elements", 85)));
// CHECK-NEXT:    const int64_t thread = context.thread;
// CHECK-NEXT:    // control-flow.mlir:90: cf.assert
// CHECK-NEXT:    if (thread < n)
// CHECK-NEXT:      gin::check(context, gin::Thread(), b > thread,
// CHECK-NEXT:                 AT("not \"positive\"", 90));
// CHECK-NEXT:  });
// CHECK-NEXT:}
