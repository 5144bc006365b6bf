// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines

// A single simple statement has no braces: not over more than two levels, not in
// one branch of two, not after a comment of its own. An else never stands after an
// if that is not its own.

#block = #gin.scope<block>
gpu.module @braces {
  gpu.func @braces(%x: memref<?xf32, #gin.window>, %n: index, %a: i1, %b: i1,
                   %s: !gin.signals<4>) kernel
      attributes {known_block_size = array<i32: 512, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    // Two levels, then three.
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        memref.store %zero, %x[%j] : memref<?xf32, #gin.window>
      } loc(fused<"linalg.fill">["braces.mlir":17:5])
    } loc(fused<"linalg.fill">["braces.mlir":17:5])
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        scf.for %k = %c0 to %n step %c1 {
          memref.store %zero, %x[%k] : memref<?xf32, #gin.window>
        } loc(fused<"linalg.fill">["braces.mlir":23:5])
      } loc(fused<"linalg.fill">["braces.mlir":23:5])
    } loc(fused<"linalg.fill">["braces.mlir":23:5])
    // Both branches, or none.
    scf.if %a {
      memref.store %zero, %x[%c0] : memref<?xf32, #gin.window>
    } else {
      memref.store %one, %x[%c0] : memref<?xf32, #gin.window>
    }
    scf.if %a {
      memref.store %zero, %x[%c0] : memref<?xf32, #gin.window>
    } else {
      memref.store %one, %x[%c0] : memref<?xf32, #gin.window>
      memref.store %one, %x[%c1] : memref<?xf32, #gin.window>
    }
    // An else after an if in an if, on either side.
    scf.if %a {
      scf.if %b {
        memref.store %zero, %x[%c0] : memref<?xf32, #gin.window>
      } loc(unknown)
    } else {
      memref.store %one, %x[%c0] : memref<?xf32, #gin.window>
    } loc(unknown)
    scf.if %a {
      scf.if %b {
        memref.store %zero, %x[%c0] : memref<?xf32, #gin.window>
      } else {
        memref.store %one, %x[%c0] : memref<?xf32, #gin.window>
      } loc(unknown)
    } loc(unknown)
    // What is no branch of the source has the comment of what it contains.
    scf.if %a {
      gin.wait %s[0] >= 1 {gin.scope = #block} : !gin.signals<4> loc("braces.mlir":58:5)
    } loc("braces.mlir":58:5)
    scf.if %a {
      gin.wait %s[1] >= 1 {gin.scope = #block} : !gin.signals<4> loc("braces.mlir":62:5)
    } loc("braces.mlir":61:5)
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(512) void braces_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program, float *x, int64_t n, bool a,
// CHECK-NEXT:    bool b, const __grid_constant__ gin::Bank s) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    // braces.mlir:17: linalg.fill
// CHECK-NEXT:    for (int64_t i = 0; i < n; ++i)
// CHECK-NEXT:      for (int64_t j = 0; j < n; ++j)
// CHECK-NEXT:        x[j] = 0.0f;
// CHECK-NEXT:    // braces.mlir:23: linalg.fill
// CHECK-NEXT:    for (int64_t i = 0; i < n; ++i) {
// CHECK-NEXT:      for (int64_t j = 0; j < n; ++j)
// CHECK-NEXT:        for (int64_t k = 0; k < n; ++k)
// CHECK-NEXT:          x[k] = 0.0f;
// CHECK-NEXT:    }
// CHECK-NEXT:    if (a)
// CHECK-NEXT:      x[0] = 0.0f;
// CHECK-NEXT:    else
// CHECK-NEXT:      x[0] = 1.0f;
// CHECK-NEXT:    if (a) {
// CHECK-NEXT:      x[0] = 0.0f;
// CHECK-NEXT:    } else {
// CHECK-NEXT:      x[0] = 1.0f;
// CHECK-NEXT:      x[1] = 1.0f;
// CHECK-NEXT:    }
// CHECK-NEXT:    if (a) {
// CHECK-NEXT:      if (b)
// CHECK-NEXT:        x[0] = 0.0f;
// CHECK-NEXT:    } else {
// CHECK-NEXT:      x[0] = 1.0f;
// CHECK-NEXT:    }
// CHECK-NEXT:    if (a) {
// CHECK-NEXT:      if (b)
// CHECK-NEXT:        x[0] = 0.0f;
// CHECK-NEXT:      else
// CHECK-NEXT:        x[0] = 1.0f;
// CHECK-NEXT:    }
// CHECK-NEXT:    // braces.mlir:58: gin.wait %s
// CHECK-NEXT:    if (a)
// CHECK-NEXT:      GIN_MUST(gin::wait(context, gin::Block(), s, 0, 1,
// CHECK-NEXT:                         gin::Site{"gin.wait %s", "braces.mlir", 58}));
// CHECK-NEXT:    // braces.mlir:61: scf.if
// CHECK-NEXT:    if (a) {
// CHECK-NEXT:      // braces.mlir:62: gin.wait %s
// CHECK-NEXT:      GIN_MUST(gin::wait(context, gin::Block(), s, 1, 1,
// CHECK-NEXT:                         gin::Site{"gin.wait %s", "braces.mlir", 62}));
// CHECK-NEXT:    }
// CHECK-NEXT:  });
// CHECK-NEXT:}
