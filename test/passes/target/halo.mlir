// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

// A step of examples/halo.mlir, as gin-map-to-kernel divides it among threads.
#grid = #gin.grid<?x?>
#row = #gin.team<row of ?x?>
#column = #gin.team<column of ?x?>

!field = memref<?x?xf64, #gin.window>
!fields = memref<2x?x?xf64, #gin.window>
!tile = memref<?x?xf64, strided<[?, 1], offset: ?>, #gin.window>
!line = memref<?xf64, strided<[1], offset: ?>, #gin.window>
!post = memref<?x1xf64, strided<[?, 1], offset: ?>, #gin.window>

gpu.module @halo {
  gpu.func @halo(%x: !field {gin.source}, %y: !field {gin.source}, %steps: index,
      %u: !fields {gin.scratch, gin.sizes = affine_map<()[ranks, h, w] -> (h + 2, w + 2)>},
      %arrived: !gin.signals<4>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %quarter = arith.constant 0.25 : f64
    %thread = gpu.thread_id x
    %threads = gpu.block_dim x
    %block = gpu.block_id x
    %blocks = gpu.grid_dim x
    %first_block = arith.cmpi eq, %block, %c0 : index
    %begin = arith.muli %block, %threads : index
    %place = arith.addi %begin, %thread : index
    %places = arith.muli %blocks, %threads : index
    %h = memref.dim %x, %c0 : !field
    %w = memref.dim %x, %c1 : !field
    %edge = arith.addi %w, %c1 : index
    %i, %j = gin.coords #grid
    %height = gin.num_ranks team #column
    %south = arith.addi %i, %c1 : index
    %west = arith.subi %j, %c1 : index
    %has_south = arith.cmpi slt, %south, %height : index
    %has_west = arith.cmpi sgt, %j, %c0 : index
    %points = arith.muli %h, %w : index
    scf.for %step = %c0 to %steps step %c1 {
      %now = arith.remui %step, %c2 : index
      %then = arith.subi %c1, %now : index
      gin.join grid
      scf.if %first_block {
        scf.if %has_south {
          %line = memref.subview %u[%now, %h, 1] [1, 1, %w] [1, 1, 1] : !fields to !line
          gin.put %line into %u[%now, 0, 1] on %south team #column
            {gin.scope = #gin.scope<block>} : !line into !fields
          gin.signal %arrived[0] on %south team #column
            {gin.scope = #gin.scope<block>} : !gin.signals<4>
        }
        scf.if %has_west {
          %post = memref.subview %u[%now, 1, 1] [1, %h, 1] [1, 1, 1] : !fields to !post
          gin.put %post into %u[%now, 1, %edge] on %west team #row
            {gin.scope = #gin.scope<block>} : !post into !fields
          gin.signal %arrived[3] on %west team #row
            {gin.scope = #gin.scope<block>} : !gin.signals<4>
        }
        %count = arith.addi %step, %c1 : index
        scf.if %has_south {
          gin.wait %arrived[1] >= %count {gin.scope = #gin.scope<block>} : !gin.signals<4>
        }
        scf.if %has_west {
          gin.wait %arrived[2] >= %count {gin.scope = #gin.scope<block>} : !gin.signals<4>
        }
      }
      gin.join grid
      %up = memref.subview %u[%now, 0, 1] [1, %h, %w] [1, 1, 1] : !fields to !tile
      %before = memref.subview %u[%now, 1, 0] [1, %h, %w] [1, 1, 1] : !fields to !tile
      %new = memref.subview %u[%then, 1, 1] [1, %h, %w] [1, 1, 1] : !fields to !tile
      scf.for %point = %place to %points step %places {
        %column = arith.remui %point, %w : index
        %row = arith.divui %point, %w : index
        %a = memref.load %up[%row, %column] : !tile
        %b = memref.load %before[%row, %column] : !tile
        %sum = arith.addf %a, %b : f64
        %mean = arith.mulf %sum, %quarter : f64
        memref.store %mean, %new[%row, %column] : !tile
      } loc(#generic)
    }
    %last = arith.remui %steps, %c2 : index
    %result = memref.subview %u[%last, 1, 1] [1, %h, %w] [1, 1, 1] : !fields to !tile
    gin.join grid
    scf.for %point = %place to %points step %places {
      %column = arith.remui %point, %w : index
      %row = arith.divui %point, %w : index
      %value = memref.load %result[%row, %column] : !tile
      memref.store %value, %y[%row, %column] : !field
    } loc(#copy)
    gpu.return
  }
}
#generic = loc(fused<"linalg.generic">["halo.mlir":105:5])
#copy = loc(fused<"memref.copy %result">["halo.mlir":122:3])

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(256, 2) void halo_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program, int64_t h, int64_t w,
// CHECK-NEXT:    double *y, int64_t y_size1, int64_t steps,
// CHECK-NEXT:    const __grid_constant__ gin::Window u_window, int64_t u_size1,
// CHECK-NEXT:    int64_t u_size2, const __grid_constant__ gin::Bank arrived,
// CHECK-NEXT:    int64_t grid_size0, int64_t grid_size1) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    double *u = gin::elements<double>(u_window);
// CHECK-NEXT:    const gin::RankGrid<2> grid{{[{][{]}}grid_size0, grid_size1}};
// CHECK-NEXT:    const gin::Team column_team = gin::axis(context, grid, 0, 1);
// CHECK-NEXT:    const gin::Team row_team = gin::axis(context, grid, 1, 2);
// CHECK-NEXT:    const bool first_block = gin::blockInGrid() == 0;
// CHECK-NEXT:    const int64_t place = gin::threadInGrid(context);
// CHECK-NEXT:    const int64_t places = gin::threadsOfGrid(context);
// CHECK-NEXT:    const int64_t edge = w + 1;
// CHECK-NEXT:    const int64_t i = gin::coordinate(context, grid, 0);
// CHECK-NEXT:    const int64_t j = gin::coordinate(context, grid, 1);
// CHECK-NEXT:    const int64_t height = column_team.size;
// CHECK-NEXT:    const int64_t south = i + 1;
// CHECK-NEXT:    const int64_t west = j - 1;
// CHECK-NEXT:    const bool has_south = south < height;
// CHECK-NEXT:    const bool has_west = j > 0;
// CHECK-NEXT:    const int64_t points = h * w;
// CHECK-NEXT:    // halo.mlir:41: scf.for %step
// CHECK-NEXT:    for (int64_t step = 0; step < steps; ++step) {
// CHECK-NEXT:      const int64_t now = step % 2;
// CHECK-NEXT:      const int64_t then = 1 - now;
// CHECK-NEXT:      GIN_MUST(gin::join(context, gin::Grid()));
// CHECK-NEXT:      if (first_block) {
// CHECK-NEXT:        if (has_south) {
// CHECK-NEXT:          // halo.mlir:48: gin.put %line into %u on %south
// CHECK-NEXT:          gin::put(
// CHECK-NEXT:              context, gin::Block(), gin::peer(column_team, south), u_window,
// CHECK-NEXT:              sizeof(double) * (now * u_size1 * u_size2 + 1), u_window,
// CHECK-NEXT:              sizeof(double) * (now * u_size1 * u_size2 + h * u_size2 + 1),
// CHECK-NEXT:              sizeof(double) * w, AT("gin.put %line into %u on %south", 48));
// CHECK-NEXT:          // halo.mlir:50: gin.signal %arrived on %south
// CHECK-NEXT:          gin::signal(context, gin::Block(), gin::peer(column_team, south),
// CHECK-NEXT:                      {&arrived, 0}, AT("gin.signal %arrived on %south", 50));
// CHECK-NEXT:        }
// CHECK-NEXT:        if (has_west) {
// CHECK-NEXT:          // halo.mlir:55: gin.put %post into %u on %west
// CHECK-NEXT:          gin::putBlock<double>(
// CHECK-NEXT:              context, gin::Block(), gin::peer(row_team, west), u_window,
// CHECK-NEXT:              now * u_size1 * u_size2 + u_size2 + edge, {u_size2, 1}, u_window,
// CHECK-NEXT:              now * u_size1 * u_size2 + u_size2 + 1, {u_size2, 1}, {h, 1},
// CHECK-NEXT:              AT("gin.put %post into %u on %west", 55));
// CHECK-NEXT:          // halo.mlir:57: gin.signal %arrived on %west
// CHECK-NEXT:          gin::signal(context, gin::Block(), gin::peer(row_team, west),
// CHECK-NEXT:                      {&arrived, 3}, AT("gin.signal %arrived on %west", 57));
// CHECK-NEXT:        }
// CHECK-NEXT:        const int64_t count = step + 1;
// CHECK-NEXT:        // halo.mlir:62: gin.wait %arrived
// CHECK-NEXT:        if (has_south)
// CHECK-NEXT:          GIN_MUST(gin::wait(context, gin::Block(), arrived, 1, count,
// CHECK-NEXT:                             AT("gin.wait %arrived", 62)));
// CHECK-NEXT:        // halo.mlir:65: gin.wait %arrived
// CHECK-NEXT:        if (has_west)
// CHECK-NEXT:          GIN_MUST(gin::wait(context, gin::Block(), arrived, 2, count,
// CHECK-NEXT:                             AT("gin.wait %arrived", 65)));
// CHECK-NEXT:      }
// CHECK-NEXT:      GIN_MUST(gin::join(context, gin::Grid()));
// CHECK-NEXT:      double *up = u + now * u_size1 * u_size2 + 1;
// CHECK-NEXT:      double *before = u + now * u_size1 * u_size2 + u_size2;
// CHECK-NEXT:      double *new_2 = u + then * u_size1 * u_size2 + u_size2 + 1;
// CHECK-NEXT:      // halo.mlir:105: linalg.generic
// CHECK-NEXT:      for (int64_t point = place; point < points; point += places) {
// CHECK-NEXT:        const int64_t column = point % w;
// CHECK-NEXT:        const int64_t row = point / w;
// CHECK-NEXT:        const double sum =
// CHECK-NEXT:            up[row * u_size2 + column] + before[row * u_size2 + column];
// CHECK-NEXT:        new_2[row * u_size2 + column] = sum * 0.25;
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    const int64_t last = int64_t(uint64_t(steps) % 2);
// CHECK-NEXT:    double *result = u + last * u_size1 * u_size2 + u_size2 + 1;
// CHECK-NEXT:    GIN_MUST(gin::join(context, gin::Grid()));
// CHECK-NEXT:    // halo.mlir:122: memref.copy %result
// CHECK-NEXT:    for (int64_t point = place; point < points; point += places) {
// CHECK-NEXT:      const int64_t column = point % w;
// CHECK-NEXT:      const int64_t row = point / w;
// CHECK-NEXT:      y[row * y_size1 + column] = result[row * u_size2 + column];
// CHECK-NEXT:    }
// CHECK-NEXT:  });
// CHECK-NEXT:}
