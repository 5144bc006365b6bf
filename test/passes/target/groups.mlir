// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines
// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --check-prefix=LAUNCHER

// Products of groups: functions say what rows and which matrix a part has; the launcher
// describes all parts at once.
gpu.module @groups {
  gpu.func @groups(%a: memref<?x?x?xbf16, #gin.window>, %b: memref<4x?x?xbf16>,
      %one: memref<?x?xbf16>, %c: memref<?x?x?xbf16, #gin.window>,
      %counts: memref<?xi32, #gin.window>, %table: memref<?x4xi64>, %map: memref<?xindex>,
      %s: !gin.signals<?> {gin.sizes = affine_map<()[ranks] -> (ranks)>}) kernel
      attributes {known_block_size = array<i32: 384, 1, 1>} {
    %c0 = arith.constant 0 : index
    %me = gin.rank
    %blocks = gpu.grid_dim x
    gin.matmul %a, %b into %c rows %counts from %me tiles [128, 128, 64] blocks %c0 count %blocks
      acquire(%part, %row, %at) {
        gin.wait %s[%part] >= 1 {gin.scope = #gin.scope<thread>} : !gin.signals<?>
        gin.async_fence
      }
      publish(%part, %row, %column) {
        gin.signal %s[%me] on %part {gin.scope = #gin.scope<thread>} : !gin.signals<?>
      } : memref<?x?x?xbf16, #gin.window>, memref<4x?x?xbf16> into memref<?x?x?xbf16, #gin.window>
        rows memref<?xi32, #gin.window>
    gin.join grid
    gin.matmul %a, %b into %c groups %map accumulate transposed blocks %c0 count %blocks
      : memref<?x?x?xbf16, #gin.window>, memref<4x?x?xbf16> into memref<?x?x?xbf16, #gin.window>
        groups memref<?xindex>
    gin.join grid
    // Rows may be a column of a table, of which each element is somewhere.
    %n = memref.dim %table, %c0 : memref<?x4xi64>
    %column = memref.subview %table[0, 1] [%n, 1] [1, 1]
      : memref<?x4xi64> to memref<?xi64, strided<[4], offset: 1>>
    gin.matmul %a, %one into %c rows %column alternating tiles [128, 64, 64] blocks %c0 count %blocks
      : memref<?x?x?xbf16, #gin.window>, memref<?x?xbf16> into memref<?x?x?xbf16, #gin.window>
        rows memref<?xi64, strided<[4], offset: 1>>
    gpu.return
  }
}

// LAUNCHER: gin::MatmulGroups operands;
// LAUNCHER-NEXT: GIN_TRY(gin::launcher::groupedOperands<Tiles>(
// LAUNCHER: {b, 4, program->sizes.b_size1, program->sizes.b_size2}
// LAUNCHER: groupedOperands<Tiles_2>(
// LAUNCHER: true, operands_2));
// LAUNCHER: groupedOperands<Tiles_3>(
// LAUNCHER: {one, 1, program->sizes.one_size0, program->sizes.one_size1}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(384) void groups_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program, int32_t *counts,
// CHECK-NEXT:    int64_t *table, int64_t *map, const __grid_constant__ gin::Bank s,
// CHECK-NEXT:    const __grid_constant__ gin::MatmulGroups operands,
// CHECK-NEXT:    const __grid_constant__ gin::MatmulGroups operands_2,
// CHECK-NEXT:    const __grid_constant__ gin::MatmulGroups operands_3) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    const int64_t me = context.rank;
// CHECK-NEXT:    const int64_t blocks = gin::blocksOfGrid();
// CHECK-NEXT:    // groups.mlir:15: gin.matmul
// CHECK-NEXT:    auto rows = [&](int64_t part) { return counts[part]; };
// CHECK-NEXT:    auto acquire = [&](int64_t part, int64_t, int64_t) {
// CHECK-NEXT:      // groups.mlir:17: gin.wait %s
// CHECK-NEXT:      gin::wait(context, gin::Thread(), s, gin::slot(part), 1,
// CHECK-NEXT:                AT("gin.wait %s", 17));
// CHECK-NEXT:      gin::fenceAsync();
// CHECK-NEXT:    };
// CHECK-NEXT:    auto publish = [&](int64_t part, int64_t, int64_t) {
// CHECK-NEXT:      // groups.mlir:21: gin.signal %s on %part
// CHECK-NEXT:      gin::signal(context, gin::Thread(), gin::peer(part), {&s, gin::slot(me)},
// CHECK-NEXT:                  AT("gin.signal %s on %part", 21));
// CHECK-NEXT:    };
// CHECK-NEXT:    GIN_MUST(gin::matmul<Tiles>(context, operands, gin::blocks(0, blocks), {me},
// CHECK-NEXT:                                gin::sharedMemory(), rows, gin::NoHook(),
// CHECK-NEXT:                                acquire, gin::NoHook(), publish));
// CHECK-NEXT:    GIN_MUST(gin::join(context, gin::Grid()));
// CHECK-NEXT:    // groups.mlir:25: gin.matmul
// CHECK-NEXT:    auto group = [&](int64_t part) { return map[part]; };
// CHECK-NEXT:    GIN_MUST(gin::matmul<Tiles_2>(context, operands_2, gin::blocks(0, blocks),
// CHECK-NEXT:                                  {}, gin::sharedMemory(), gin::NoHook(),
// CHECK-NEXT:                                  group));
// CHECK-NEXT:    GIN_MUST(gin::join(context, gin::Grid()));
// CHECK-NEXT:    // groups.mlir:33: gin.matmul
// CHECK-NEXT:    auto rows_2 = [&](int64_t part) { return table[4 * part + 1]; };
// CHECK-NEXT:    GIN_MUST(gin::matmul<Tiles_3>(context, operands_3, gin::blocks(0, blocks),
// CHECK-NEXT:                                  {0, true}, gin::sharedMemory(), rows_2,
// CHECK-NEXT:                                  gin::NoHook()));
// CHECK-NEXT:  });
// CHECK-NEXT:}
