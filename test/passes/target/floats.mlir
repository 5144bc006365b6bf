// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

!f32 = memref<16xf32, #gin.window>
!f64 = memref<16xf64, #gin.window>
!f16 = memref<16xf16, #gin.window>
!bf16 = memref<16xbf16, #gin.window>
!e4m3 = memref<16xf8E4M3FN, #gin.window>
!e5m2 = memref<16xf8E5M2, #gin.window>
!i32 = memref<16xi32, #gin.window>

gpu.module @floats {
  gpu.func @floats(%a: f32, %b: f32, %c: f64, %h: f16, %x: !f32, %y: !f64, %u: !f16,
      %v: !bf16, %p: !e4m3, %q: !e5m2, %z: !i32,
      %whole: i64) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %quarter = arith.constant 0.25 : f32
    %third = arith.constant 0.1 : f64
    %large = arith.constant 1.0e30 : f32
    %nan = arith.constant 0x7FC00000 : f32
    %infinity = arith.constant 0xFF800000 : f32

    // Rounded once: 64 bits do not fit into a double.
    %short = arith.sitofp %whole : i64 to bf16
    memref.store %short, %v[%c3] : !bf16

    // Of 32 and 64 bits.
    %sum = arith.addf %a, %b : f32
    %scaled = arith.mulf %sum, %quarter : f32
    %negated = arith.negf %scaled : f32
    memref.store %negated, %x[%c0] : !f32
    %d = arith.divf %c, %third : f64
    %root = math.sqrt %d : f64
    memref.store %root, %y[%c0] : !f64
    %e = math.exp %a : f32
    %f = math.rsqrt %b : f32
    %g = math.fma %e, %f, %large : f32
    memref.store %g, %x[%c1] : !f32
    %m = arith.maximumf %a, %nan : f32
    %n = arith.minnumf %m, %infinity : f32
    memref.store %n, %x[%c2] : !f32
    %arc = math.acos %a : f32
    %rest = math.erfc %arc : f32
    memref.store %rest, %x[%c3] : !f32
    %k = math.powf %a, %b : f32
    %l = arith.remf %k, %a : f32
    memref.store %l, %x[%c3] : !f32
    %whole_power = math.fpowi %h, %whole : f16, i64
    memref.store %whole_power, %u[%c3] : !f16

    // Comparisons with NaNs.
    %one = arith.cmpf one, %a, %b : f32
    %ugt = arith.cmpf ugt, %a, %b : f32
    %ord = arith.cmpf ord, %a, %b : f32
    %both = arith.andi %one, %ugt : i1
    %all = arith.andi %both, %ord : i1
    %choice = arith.select %all, %a, %b : f32
    %bits = arith.bitcast %choice : f32 to i32
    memref.store %bits, %z[%c0] : !i32

    // Of 8 and 16 bits: computed in float.
    %loaded = memref.load %u[%c0] : !f16
    %halves = arith.addf %loaded, %h : f16
    memref.store %halves, %u[%c1] : !f16
    %wide = arith.extf %loaded : f16 to f32
    %more = arith.addf %wide, %a : f32
    %narrow = arith.truncf %more : f32 to bf16
    memref.store %narrow, %v[%c0] : !bf16
    %twice = arith.truncf %c : f64 to f16
    memref.store %twice, %u[%c2] : !f16
    %eight = arith.truncf %a : f32 to f8E4M3FN
    memref.store %eight, %p[%c0] : !e4m3
    %five = arith.truncf %loaded : f16 to f8E5M2
    memref.store %five, %q[%c0] : !e5m2
    %tanh = math.tanh %h : f16
    memref.store %tanh, %u[%c3] : !f16
    %half = arith.constant 0.5 : bf16
    memref.store %half, %v[%c1] : !bf16

    // Integers.
    %i = arith.fptosi %c : f64 to i32
    memref.store %i, %z[%c1] : !i32
    %j = arith.fptoui %a : f32 to i32
    memref.store %j, %z[%c2] : !i32
    %r = arith.uitofp %i : i32 to f64
    memref.store %r, %y[%c1] : !f64
    %s = arith.sitofp %i : i32 to f16
    memref.store %s, %u[%c0] : !f16
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void floats_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program, float a, float b, double c,
// CHECK-NEXT:    gin::half h, float *x, double *y, gin::half *u, gin::bfloat16 *v,
// CHECK-NEXT:    gin::float8e4m3 *p, gin::float8e5m2 *q, int32_t *z, int64_t whole) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &) {
// CHECK-NEXT:    v[3] = gin::narrow<gin::bfloat16>(gin::roundToOdd(whole));
// CHECK-NEXT:    x[0] = -((a + b) * 0.25f);
// CHECK-NEXT:    y[0] = std::sqrt(c / 0.1);
// CHECK-NEXT:    x[1] = std::fma(std::exp(a), gin::rsqrt(b), 1.0e+30f);
// CHECK-NEXT:    x[2] = std::fmin(gin::maximum(a, NAN), -INFINITY);
// CHECK-NEXT:    x[3] = std::erfc(std::acos(a));
// CHECK-NEXT:    x[3] = std::fmod(std::pow(a, b), a);
// CHECK-NEXT:    u[3] = gin::fromFloat<gin::half>(gin::power(gin::toFloat(h), whole));
// CHECK-NEXT:    const bool all =
// CHECK-NEXT:        gin::lessOrGreater(a, b) && !(a <= b) && !gin::unordered(a, b);
// CHECK-NEXT:    z[0] = gin::bitCast<int32_t>(all ? a : b);
// CHECK-NEXT:    const gin::half loaded = u[0];
// CHECK-NEXT:    u[1] = gin::fromFloat<gin::half>(gin::toFloat(loaded) + gin::toFloat(h));
// CHECK-NEXT:    v[0] = gin::fromFloat<gin::bfloat16>(gin::toFloat(loaded) + a);
// CHECK-NEXT:    u[2] = gin::narrow<gin::half>(c);
// CHECK-NEXT:    p[0] = gin::fromFloat<gin::float8e4m3>(a);
// CHECK-NEXT:    q[0] = gin::fromFloat<gin::float8e5m2>(gin::toFloat(loaded));
// CHECK-NEXT:    u[3] = gin::fromFloat<gin::half>(std::tanh(gin::toFloat(h)));
// CHECK-NEXT:    v[1] = gin::fromFloat<gin::bfloat16>(0.5f);
// CHECK-NEXT:    const int32_t i = int32_t(c);
// CHECK-NEXT:    z[1] = i;
// CHECK-NEXT:    z[2] = int32_t(uint32_t(a));
// CHECK-NEXT:    y[1] = double(uint32_t(i));
// CHECK-NEXT:    u[0] = gin::narrow<gin::half>(double(i));
// CHECK-NEXT:  });
// CHECK-NEXT:}
