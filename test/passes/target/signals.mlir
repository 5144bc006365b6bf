// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

#grid = #gin.grid<?x2>
#row = #gin.team<row of ?x2>
#column = #gin.team<column of ?x2>
#lsa = #gin.team<lsa>

gpu.module @signals {
  gpu.func @signals(%s: !gin.signals<2x?> {gin.sizes = affine_map<()[ranks] -> (2 * ranks + 1)>},
                    %credits: !gin.signals<4>, %n: index, %x: memref<8xi64, #gin.window>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %me = gin.rank
    %i, %j = gin.coords #grid
    %in_row = gin.rank team #row
    %east = gin.neighbor 1 team #row
    %height = gin.num_ranks team #column
    %launch = gin.launch
    gin.signal %s[0, %me] on %east team #row add 2 {gin.scope = #gin.scope<block>}
      : !gin.signals<2x?>
    gin.signal %credits[%n] on %i team #column {gin.scope = #gin.scope<thread>}
      : !gin.signals<4>
    gin.wait %s[1, %n] >= %n timeout 1000000 {gin.scope = #gin.scope<block>} : !gin.signals<2x?>
    %came = gin.wait %credits[0] >= 1 timeout %n -> i1 {gin.scope = #gin.scope<block>}
      : !gin.signals<4>
    scf.if %came {
      gin.wait %credits[1] >= %launch {gin.scope = #gin.scope<warp>} : !gin.signals<4>
    }
    gin.pace 500 {gin.scope = #gin.scope<block>}
    %there = gin.test %credits[2] >= 1 {gin.scope = #gin.scope<warp>} : !gin.signals<4>
    %both = arith.andi %there, %came : i1
    scf.if %both {
      gin.barrier {gin.scope = #gin.scope<block>}
    }
    gin.barrier global team #row {gin.scope = #gin.scope<block>}
    gin.barrier team #lsa {gin.scope = #gin.scope<thread>}
    gin.join block
    gin.join grid
    gin.join grid role 1 at %c0 count %n
    %count = gin.read %credits[3] {gin.scope = #gin.scope<thread>} : !gin.signals<4>
    %all = gin.broadcast %count grid : index
    %sum = arith.addi %all, %in_row : index
    %sum2 = arith.addi %sum, %height : index
    %sum3 = arith.addi %sum2, %j : index
    %word = arith.index_cast %sum3 : index to i64
    memref.store %word, %x[%c1] : memref<8xi64, #gin.window>
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void signals_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program,
// CHECK-NEXT:    const __grid_constant__ gin::Bank s, int64_t s_size1,
// CHECK-NEXT:    const __grid_constant__ gin::Bank credits, int64_t n, int64_t *x,
// CHECK-NEXT:    int64_t grid_size0) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    const gin::RankGrid<2> grid{{[{][{]}}grid_size0, 2}};
// CHECK-NEXT:    const gin::Team row_team = gin::axis(context, grid, 1, 1);
// CHECK-NEXT:    const gin::Team column_team = gin::axis(context, grid, 0, 2);
// CHECK-NEXT:    const gin::Team lsa_team = gin::lsaTeam(context, 3);
// CHECK-NEXT:    const int64_t me = context.rank;
// CHECK-NEXT:    const int64_t i = gin::coordinate(context, grid, 0);
// CHECK-NEXT:    const int64_t j = gin::coordinate(context, grid, 1);
// CHECK-NEXT:    const int64_t in_row = gin::rankIn(context, row_team);
// CHECK-NEXT:    const int64_t east = gin::neighbor(context, row_team, 1);
// CHECK-NEXT:    const int64_t height = column_team.size;
// CHECK-NEXT:    const int64_t launch = gin::launchNumber(context);
// CHECK-NEXT:    // signals.mlir:20: gin.signal %s on %east
// CHECK-NEXT:    gin::signal(context, gin::Block(), gin::peer(row_team, east),
// CHECK-NEXT:                {&s, gin::slot({0, me}, {s_size1}), 2},
// CHECK-NEXT:                AT("gin.signal %s on %east", 20));
// CHECK-NEXT:    // signals.mlir:22: gin.signal %credits on %i
// CHECK-NEXT:    gin::signal(context, gin::Thread(), gin::peer(column_team, i),
// CHECK-NEXT:                {&credits, gin::slot(n)}, AT("gin.signal %credits on %i", 22));
// CHECK-NEXT:    // signals.mlir:24: gin.wait %s
// CHECK-NEXT:    GIN_MUST(gin::wait(context, gin::Block(), s, gin::slot({1, n}, {s_size1}),
// CHECK-NEXT:                       gin::count(n), gin::timeout(1000000),
// CHECK-NEXT:                       AT("gin.wait %s", 24)));
// CHECK-NEXT:    // signals.mlir:25: gin.wait %credits
// CHECK-NEXT:    const bool came =
// CHECK-NEXT:        gin::waitFor(context, gin::Block(), credits, 0, 1, gin::timeout(n),
// CHECK-NEXT:                     AT("gin.wait %credits", 25));
// CHECK-NEXT:    // signals.mlir:28: gin.wait %credits
// CHECK-NEXT:    if (came)
// CHECK-NEXT:      gin::wait(context, gin::Warp(), credits, 1, launch,
// CHECK-NEXT:                AT("gin.wait %credits", 28));
// CHECK-NEXT:    // signals.mlir:30: gin.pace
// CHECK-NEXT:    gin::pace(context, gin::Block(), 500);
// CHECK-NEXT:    // signals.mlir:31: gin.test %credits
// CHECK-NEXT:    const bool there = gin::test(context, gin::Warp(), credits, 2, 1,
// CHECK-NEXT:                                 AT("gin.test %credits", 31));
// CHECK-NEXT:    // signals.mlir:34: gin.barrier
// CHECK-NEXT:    if (there && came)
// CHECK-NEXT:      GIN_MUST(gin::barrier(context, gin::Block(), gin::world(context),
// CHECK-NEXT:                            AT("gin.barrier", 34)));
// CHECK-NEXT:    // signals.mlir:36: gin.barrier
// CHECK-NEXT:    GIN_MUST(gin::barrier(context, gin::Block(), row_team, gin::Extent::Global,
// CHECK-NEXT:                          AT("gin.barrier", 36)));
// CHECK-NEXT:    // signals.mlir:37: gin.barrier
// CHECK-NEXT:    gin::barrier(context, gin::Thread(), lsa_team, AT("gin.barrier", 37));
// CHECK-NEXT:    GIN_MUST(gin::join(context, gin::Block()));
// CHECK-NEXT:    GIN_MUST(gin::join(context, gin::Grid()));
// CHECK-NEXT:    GIN_MUST(gin::join(context, gin::role(1, 0, n)));
// CHECK-NEXT:    // signals.mlir:41: gin.read %credits
// CHECK-NEXT:    const int64_t count =
// CHECK-NEXT:        gin::read(context, credits, 3, AT("gin.read %credits", 41));
// CHECK-NEXT:    const int64_t all = gin::broadcast<int64_t>(context, gin::Grid(), count);
// CHECK-NEXT:    x[1] = all + in_row + height + j;
// CHECK-NEXT:  });
// CHECK-NEXT:}
