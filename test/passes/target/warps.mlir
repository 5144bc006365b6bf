// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

!vector = memref<?xf32, #gin.window>

gpu.module @warps {
  gpu.func @warps(%x: !vector, %y: !vector, %n: index, %v: f32, %s: !gin.signals<2>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %blocks = gpu.grid_dim x
    // A role is a function: who fails leaves it, and nothing else.
    gin.warps "send" at 0 count 1 barrier 1 {
      gin.put %x into %y[%c0] on 1 signal %s[0] {gin.scope = #gin.scope<block>}
        : !vector into !vector, !gin.signals<2>
      gin.wait %s[1] >= 1 {gin.scope = #gin.scope<block>} : !gin.signals<2>
      gin.flush {gin.scope = #gin.scope<block>}
      gin.signal %s[0] on 1 {gin.scope = #gin.scope<thread>} : !gin.signals<2>
    }
    gin.warps "8 more" at 1 count 3 barrier 2 {
      gin.join grid role 1 at %c0 count %blocks
      gin.join block
      %sum = arith.addf %v, %v : f32
      %sums = gin.broadcast %sum grid role 1 at %c0 count %blocks : f32
      %all = gin.broadcast %sums block : f32
      %fits = arith.cmpi slt, %c1, %n : index
      cf.assert %fits, "too few"
      %is_first = arith.cmpi eq, %thread, %c1 : index
      scf.if %is_first {
        cf.assert %fits, "too few for the first"
        memref.store %all, %x[%c0] : !vector
      }
    }
    gin.join block
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(128, 2) void warps_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program,
// CHECK-NEXT:    const __grid_constant__ gin::Window x_window, int64_t x_size0,
// CHECK-NEXT:    const __grid_constant__ gin::Window y_window, int64_t n, float v,
// CHECK-NEXT:    const __grid_constant__ gin::Bank s) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    float *x = gin::elements<float>(x_window);
// CHECK-NEXT:    const int64_t blocks = gin::blocksOfGrid();
// CHECK-NEXT:    // warps.mlir:13: role "send"
// CHECK-NEXT:    const gin::Warps send(0, 1, 1);
// CHECK-NEXT:    auto run_send = [&] {
// CHECK-NEXT:      // warps.mlir:14: gin.put %x into %y on 1
// CHECK-NEXT:      gin::put(context, send, 1, y_window, 0, x_window, 0,
// CHECK-NEXT:               sizeof(float) * x_size0, {&s, 0},
// CHECK-NEXT:               AT("gin.put %x into %y on 1", 14));
// CHECK-NEXT:      // warps.mlir:16: gin.wait %s
// CHECK-NEXT:      GIN_MUST(gin::wait(context, send, s, 1, 1, AT("gin.wait %s", 16)));
// CHECK-NEXT:      // warps.mlir:17: gin.flush
// CHECK-NEXT:      gin::flush(context, send);
// CHECK-NEXT:      // warps.mlir:18: gin.signal %s on 1
// CHECK-NEXT:      gin::signal(context, gin::Thread(), 1, {&s, 0},
// CHECK-NEXT:                  AT("gin.signal %s on 1", 18));
// CHECK-NEXT:    };
// CHECK-NEXT:    if (send.has(context))
// CHECK-NEXT:      run_send();
// CHECK-NEXT:    // warps.mlir:20: role "8 more"
// CHECK-NEXT:    const gin::Warps role_8_more(1, 3, 2);
// CHECK-NEXT:    auto run_role_8_more = [&] {
// CHECK-NEXT:      GIN_MUST(gin::join(context, role_8_more, gin::role(1, 0, blocks)));
// CHECK-NEXT:      GIN_MUST(gin::join(context, role_8_more));
// CHECK-NEXT:      const float sums = gin::broadcast<float>(context, role_8_more,
// CHECK-NEXT:                                               gin::role(1, 0, blocks), v + v);
// CHECK-NEXT:      const float all = gin::broadcast<float>(context, role_8_more, sums);
// CHECK-NEXT:      const bool fits = 1 < n;
// CHECK-NEXT:      // warps.mlir:27: cf.assert
// CHECK-NEXT:      GIN_MUST(gin::check(context, role_8_more, fits, AT("too few", 27)));
// CHECK-NEXT:      if (context.thread == 1) {
// CHECK-NEXT:        // warps.mlir:30: cf.assert
// CHECK-NEXT:        gin::check(context, gin::Thread(), fits,
// CHECK-NEXT:                   AT("too few for the first", 30));
// CHECK-NEXT:        x[0] = all;
// CHECK-NEXT:      }
// CHECK-NEXT:    };
// CHECK-NEXT:    if (role_8_more.has(context))
// CHECK-NEXT:      run_role_8_more();
// CHECK-NEXT:    GIN_MUST(gin::join(context, gin::Block()));
// CHECK-NEXT:  });
// CHECK-NEXT:}
