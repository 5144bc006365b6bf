// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines
// RUN: gin-translate --gin-to-cuda-requirements %s | FileCheck %s --check-prefix=JSON

// Tile loops: configurations, hooks, operands that the launcher describes.
gpu.module @tiles {
  gpu.func @tiles(%a: memref<?x?x?xbf16, #gin.window>, %b: memref<?x?xbf16>,
      %c: memref<?x?x?xf32, #gin.window> {gin.source}, %d: memref<?x64xbf16, #gin.window>,
      %s: !gin.signals<?> {gin.sizes = affine_map<()[ranks] -> (ranks)>}) kernel
      attributes {gin.least_blocks = 5 : i64, known_block_size = array<i32: 384, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %me = gin.rank
    %blocks = gpu.grid_dim x
    %rest = arith.subi %blocks, %c2 : index
    gin.matmul %a, %b into %c from %me blocks %c2 count %rest
      acquire(%part, %row, %at) {
        gin.wait %s[%part] >= 1 {gin.scope = #gin.scope<thread>} : !gin.signals<?>
        gin.async_fence
      }
      publish(%part, %row, %column) {
        gin.signal %s[%me] on %part {gin.scope = #gin.scope<thread>} : !gin.signals<?>
      }
      spare {
        gin.pace 4000 {gin.scope = #gin.scope<warp>}
      } : memref<?x?x?xbf16, #gin.window>, memref<?x?xbf16> into memref<?x?x?xf32, #gin.window>
    gin.join grid
    gin.matmul %a, %b into %d on parts accumulate transposed alternating tiles [128, 64, 64] blocks %c0 count %blocks
      : memref<?x?x?xbf16, #gin.window>, memref<?x?xbf16> into memref<?x64xbf16, #gin.window>
    gpu.return
  }
}

// JSON: "least_blocks": 5,
// JSON: "tiles": [

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(384) void tiles_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program,
// CHECK-NEXT:    const __grid_constant__ gin::Bank s,
// CHECK-NEXT:    const __grid_constant__ gin::MatmulParts operands,
// CHECK-NEXT:    const __grid_constant__ gin::MatmulParts operands_2) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    const int64_t me = context.rank;
// CHECK-NEXT:    const int64_t blocks = gin::blocksOfGrid();
// CHECK-NEXT:    // tiles.mlir:15: gin.matmul
// CHECK-NEXT:    auto acquire = [&](int64_t part, int64_t, int64_t) {
// CHECK-NEXT:      // tiles.mlir:17: gin.wait %s
// CHECK-NEXT:      gin::wait(context, gin::Thread(), s, gin::slot(part), 1,
// CHECK-NEXT:                AT("gin.wait %s", 17));
// CHECK-NEXT:      gin::fenceAsync();
// CHECK-NEXT:    };
// CHECK-NEXT:    auto publish = [&](int64_t part, int64_t, int64_t) {
// CHECK-NEXT:      // tiles.mlir:21: gin.signal %s on %part
// CHECK-NEXT:      gin::signal(context, gin::Thread(), gin::peer(part), {&s, gin::slot(me)},
// CHECK-NEXT:                  AT("gin.signal %s on %part", 21));
// CHECK-NEXT:    };
// CHECK-NEXT:    auto spare = [&]() {
// CHECK-NEXT:      // tiles.mlir:24: gin.pace
// CHECK-NEXT:      gin::pace(context, gin::Warp(), 4000);
// CHECK-NEXT:    };
// CHECK-NEXT:    GIN_MUST(gin::matmul<Tiles>(context, operands, gin::blocks(2, blocks - 2),
// CHECK-NEXT:                                {me}, gin::sharedMemory(), acquire,
// CHECK-NEXT:                                gin::NoHook(), publish, spare));
// CHECK-NEXT:    GIN_MUST(gin::join(context, gin::Grid()));
// CHECK-NEXT:    // tiles.mlir:27: gin.matmul
// CHECK-NEXT:    GIN_MUST(gin::matmul<Tiles_2>(context, operands_2, gin::blocks(0, blocks),
// CHECK-NEXT:                                  {0, true}, gin::sharedMemory()));
// CHECK-NEXT:  });
// CHECK-NEXT:}
