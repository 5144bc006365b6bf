// RUN: gin-translate --gin-to-cuda %s | FileCheck %s
// RUN: gin-translate --gin-to-cuda-header %s | FileCheck %s --check-prefix=HEADER
// RUN: gin-translate --gin-to-cuda-requirements %s | FileCheck %s --check-prefix=JSON

// Several kernels, and what the host does between them: strided and whole copies,
// numbers, loops that carry some, assertions, and roles as lanes.

!source = memref<?x16xf32, #gin.window>
!window = memref<4x?x16xf32, #gin.window>
!line = memref<?xf32, strided<[16], offset: ?>, #gin.window>

module attributes {gpu.container_module} {
  gpu.module @steps_near {
    gpu.func @steps_near(%x: !source {gin.source}, %w: !window, %times: index, %divisor: index, %flag: i1, %scale: f32, %u: !window {gin.scratch, gin.sizes = affine_map<()[s0, s1, s2] -> (s2)>}, %arrived: !gin.signals<?> {gin.sizes = affine_map<()[s0, s1, s2] -> (s0)>}, %at: index, %i: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %peer = gin.neighbor %i
      gin.signal %arrived[%at] on %peer {gin.scope = #gin.scope<block>} : !gin.signals<?>
      gpu.return
    }
  }
  gpu.module @steps_far {
    gpu.func @steps_far(%x: !source {gin.source}, %w: !window, %times: index, %divisor: index, %flag: i1, %scale: f32, %u: !window {gin.scratch, gin.sizes = affine_map<()[s0, s1, s2] -> (s2)>}, %arrived: !gin.signals<?> {gin.sizes = affine_map<()[s0, s1, s2] -> (s0)>}) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %thread = gpu.thread_id  x
      %threads = gpu.block_dim  x
      %block = gpu.block_id  x
      %blocks = gpu.grid_dim  x
      %0 = arith.muli %block, %threads : index
      %place = arith.addi %0, %thread : index
      %places = arith.muli %blocks, %threads : index
      %m = memref.dim %x, %c0 : !source
      scf.for %arg8 = %place to %m step %places {
        memref.store %scale, %u[%c0, %arg8, %c0] : !window
      }
      gpu.return
    }
  }
  gpu.module @steps_end {
    gpu.func @steps_end(%x: !source {gin.source}, %w: !window, %times: index, %divisor: index, %flag: i1, %scale: f32, %u: !window {gin.scratch, gin.sizes = affine_map<()[s0, s1, s2] -> (s2)>}, %arrived: !gin.signals<?> {gin.sizes = affine_map<()[s0, s1, s2] -> (s0)>}) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
  func.func @steps(%x: !source {gin.source}, %w: !window, %times: index, %divisor: index, %flag: i1, %scale: f32, %u: !window {gin.scratch, gin.sizes = affine_map<()[s0, s1, s2] -> (s2)>}, %arrived: !gin.signals<?> {gin.sizes = affine_map<()[s0, s1, s2] -> (s0)>}, %blocks: index) {
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.dim %x, %c0 : !source
    %row, %column = gin.coords #gin.grid<?x2>
    %part = arith.divui %m, %divisor : index
    %line = memref.subview %x[0, %column] [%part, 1] [1, 1] : !source to !line
    scf.if %flag {
      gin.put %line into %w[0, 0, %row] on %column team row of ?x2 : !line into !window
    }
    %small = arith.cmpi ult, %part, %m : index
    cf.assert %small, "the part is too large"
    gin.specialize {
      role "near" ctas 2 {
        %2 = scf.for %i = %c0 to %times step %c1 iter_args(%at = %c0) -> (index) {
          gpu.launch_func  @steps_near::@steps_near blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1)  args(%x : !source, %w : !window, %times : index, %divisor : index, %flag : i1, %scale : f32, %u : !window, %arrived : !gin.signals<?>, %at : index, %i : index)
          %3 = arith.addi %at, %i : index
          scf.yield %3 : index
        }
      }
      role "far" {
        gin.get %u[0, 0, 0] on 0 into %w : !window into !window
        gpu.launch_func  @steps_far::@steps_far blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1)  args(%x : !source, %w : !window, %times : index, %divisor : index, %flag : i1, %scale : f32, %u : !window, %arrived : !gin.signals<?>)
      }
    }
    gpu.launch_func  @steps_end::@steps_end blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1)  args(%x : !source, %w : !window, %times : index, %divisor : index, %flag : i1, %scale : f32, %u : !window, %arrived : !gin.signals<?>)
    return
  }
}

// The launcher's own words are no names in it.
// CHECK: extern "C" __global__ __launch_bounds__(256, 2) void steps_near_kernel(
// CHECK-NEXT: const __grid_constant__ gin::Program program,
// CHECK-NEXT: const __grid_constant__ gin::Bank arrived, int64_t at, int64_t i) {
// CHECK: void steps_far_kernel(
// CHECK: gin::run(program, [&](gin::Context &) {});

// CHECK: static const auto steps_near_code = gin::launcher::Kernel(
// CHECK-NEXT: "steps_near", [[CODE:0x[0-9a-f]+]], GIN_KERNEL(steps_near_kernel),
// CHECK: static const auto steps_far_code = gin::launcher::Kernel(
// CHECK-NEXT: "steps_far", [[CODE]], GIN_KERNEL(steps_far_kernel),
// CHECK: GIN_TRY(self.program.create(
// CHECK-NEXT: comm, "steps", {&steps_near_code, &steps_far_code, &steps_end_code},
// CHECK-NEXT: {{.*}}product({ranks})}}, 2, 2));

// CHECK-LABEL: ginResult_t steps_launch(
// CHECK: gin::launcher::Steps run(program->program, blocks, stream);
// CHECK-NEXT: const int64_t m = program->sizes.m;
// CHECK-NEXT: const int64_t w_size1 = program->sizes.w_size1;
// CHECK-NEXT: const gin::Context context = run.context();
// CHECK-NEXT: const int64_t grid_size0 = program->grid[0];
// CHECK-NEXT: const gin::RankGrid<2> grid{{[{][{]}}grid_size0, 2}};
// CHECK-NEXT: const gin::Team row_team = gin::axis(context, grid, 1, 1);
// CHECK-NEXT: const int64_t row = gin::coordinate(context, grid, 0);
// CHECK-NEXT: const int64_t column = gin::coordinate(context, grid, 1);
// CHECK-NEXT: GIN_TRY(run.check(divisor != 0, AT("a division by 0", 48)));
// CHECK-NEXT: const int64_t part = int64_t(uint64_t(m) / uint64_t(divisor));
// CHECK-NEXT: // steps.mlir:51: gin.put %line into %w on %column
// CHECK-NEXT: if (flag)
// CHECK-NEXT: GIN_TRY(run.putBlock<float>({row_team, column}, arguments->w, row, {1},
// CHECK-NEXT: program->x.handle, column, {16}, {part},
// CHECK-NEXT: AT("gin.put %line into %w on %column", 51)));
// CHECK-NEXT: // steps.mlir:54: cf.assert
// CHECK-NEXT: GIN_TRY(run.check(part < m, AT("the part is too large", 54)));
// CHECK-NEXT: // steps.mlir:55: gin.specialize
// CHECK-NEXT: GIN_TRY(run.fork({2, 0}));
// CHECK-NEXT: run.enter(0); // role "near"
// CHECK-NEXT: // steps.mlir:57: scf.for %i
// CHECK-NEXT: int64_t at = 0;
// CHECK-NEXT: for (int64_t i = 0; i < times; ++i) {
// CHECK-NEXT: // steps.mlir:58: gpu.launch_func
// CHECK-NEXT: GIN_TRY(run.launch(steps_near_code, 1, program->arrived, at, i));
// CHECK-NEXT: at += i;
// CHECK-NEXT: }
// CHECK-NEXT: run.enter(1); // role "far"
// CHECK-NEXT: // steps.mlir:64: gin.get %u on 0 into %w
// CHECK-NEXT: GIN_TRY(run.get(0, program->u.handle, 0, arguments->w, 0,
// CHECK-NEXT: sizeof(float) * 64 * w_size1,
// CHECK-NEXT: AT("gin.get %u on 0 into %w", 64)));
// CHECK-NEXT: // steps.mlir:65: gpu.launch_func
// CHECK-NEXT: GIN_TRY(run.launch(steps_far_code, blocks, program->sizes.m, scale,
// CHECK-NEXT: program->u.device.base));
// CHECK-NEXT: GIN_TRY(run.join());
// CHECK-NEXT: // steps.mlir:68: gpu.launch_func
// CHECK-NEXT: return run.finish(steps_end_code, 1);
// CHECK-NEXT: }

// HEADER-LABEL: typedef struct steps_arguments {
// HEADER-NEXT: float *x;
// HEADER-NEXT: int64_t m;
// HEADER-NEXT: ginWindow_t w;
// HEADER-NEXT: int64_t w_size1;
// HEADER-NEXT: int64_t times;
// HEADER-NEXT: int64_t divisor;
// HEADER-NEXT: int flag;
// HEADER-NEXT: float scale;
// HEADER-NEXT: } steps_arguments;

// JSON: "kernels": [
// JSON: "grid": 1,
// JSON-NEXT: "name": "steps_near",
// JSON: "grid": "as many blocks as run at once",
// JSON-NEXT: "name": "steps_far",
// JSON: "name": "steps_end",
// JSON: "lanes": 2,
// JSON-NEXT: "name": "steps",
// JSON: "teams": 2
