// RUN: gin-translate --gin-to-cuda %s | FileCheck %s
// RUN: gin-translate --gin-to-cuda-header %s | FileCheck %s --check-prefix=HEADER
// RUN: gin-translate --gin-to-cuda-requirements %s | FileCheck %s --check-prefix=JSON

// What a launch needs beside its arguments is made once, by their sizes.
#grid = #gin.grid<?x2>

gpu.module @launcher {
  gpu.func @launcher(%x: memref<?x?xf16, #gin.window> {gin.source}, %n: i32, %flag: i1,
      %scale: f16, %table: memref<?xi64>,
      %y: memref<?x4xf32, #gin.window> {gin.rights = #gin.rights<read, write>},
      %u: memref<?x2x?xf64, #gin.window>
        {gin.scratch, gin.sizes = affine_map<()[ranks, h, w, t, r] -> (ranks * 2, (w + 3) floordiv 4)>},
      %own: memref<?xf32> {gin.scratch, gin.sizes = affine_map<()[ranks, h, w, t, r] -> (h)>},
      %s: !gin.signals<2x?> {gin.sizes = affine_map<()[ranks] -> (ranks + 1)>},
      %credits: !gin.signals<3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %h = memref.dim %x, %c0 : memref<?x?xf16, #gin.window>
    %i, %j = gin.coords #grid
    %all = gin.broadcast %n block : i32
    %chosen = arith.select %flag, %all, %n : i32
    %index = arith.index_cast %chosen : i32 to index
    memref.store %scale, %x[%h, %index] : memref<?x?xf16, #gin.window>
    %wide = arith.index_cast %index : index to i64
    memref.store %wide, %table[%j] : memref<?xi64>
    gin.signal %s[1, %i] on %j {gin.scope = #gin.scope<block>} : !gin.signals<2x?>
    gin.wait %credits[0] >= 1 {gin.scope = #gin.scope<block>} : !gin.signals<3>
    gin.barrier team row of ?x2 {gin.scope = #gin.scope<block>}
    %put = memref.subview %y[0, 0] [1, 4] [1, 1]
      : memref<?x4xf32, #gin.window> to memref<4xf32, strided<[1]>, #gin.window>
    %zero = arith.constant 0.0 : f64
    memref.store %zero, %u[%i, %c1, %j] : memref<?x2x?xf64, #gin.window>
    %one = arith.constant 1.0 : f32
    memref.store %one, %own[%i] : memref<?xf32>
    gpu.return
  }
}

// CHECK: static const auto launcher_code = gin::launcher::Kernel(
// CHECK-NEXT: "launcher", 0x{{[0-9a-f]+}}, GIN_KERNEL(launcher_kernel),
// CHECK-NEXT: GIN_ARCHITECTURES, 128, 16);

// CHECK: struct launcher_program {
// CHECK-NEXT: launcher_arguments sizes; // as they were at create
// CHECK-NEXT: gin::launcher::Program program;
// CHECK-NEXT: gin::launcher::Source x;
// CHECK-NEXT: gin::launcher::Scratch u;
// CHECK-NEXT: int64_t u_size2;
// CHECK-NEXT: gin::launcher::Scratch own;
// CHECK-NEXT: gin::Bank s;
// CHECK-NEXT: int64_t s_size1;
// CHECK-NEXT: gin::Bank credits;
// CHECK-NEXT: int64_t grid[2];
// CHECK-NEXT: bool ready = false; // all ranks have made the collective calls
// CHECK-NEXT: };

// CHECK: static ginResult_t setUp(launcher_program &self, ginComm_t comm) {
// CHECK-NEXT: using namespace gin::launcher;
// CHECK-NEXT: int count;
// CHECK-NEXT: GIN_TRY(ginCommSize(comm, &count));
// CHECK-NEXT: const Size ranks = count;
// CHECK-NEXT: const Size h = self.sizes.h;
// CHECK-NEXT: const Size x_size1 = self.sizes.x_size1;
// CHECK-NEXT: self.program.common("u 2", floorDiv(x_size1 + 3, 4));
// CHECK-NEXT: GIN_TRY(self.program.create(
// CHECK-NEXT: comm, launcher_code,
// CHECK-NEXT: {{[{][{]}}"s", product({2, ranks + 1})}, {"credits", product({3})}}, 2));
// CHECK-NEXT: GIN_TRY(self.program.extent("u", floorDiv(x_size1 + 3, 4), self.u_size2));
// CHECK-NEXT: GIN_TRY(self.u.create(self.program, "u", sizeof(double),
// CHECK-NEXT: {ranks * 2, 2, floorDiv(x_size1 + 3, 4)}, 7));
// CHECK-NEXT: GIN_TRY(self.own.create(self.program, "own", sizeof(float), {h}, 7));
// CHECK-NEXT: GIN_TRY(self.program.extent("s", ranks + 1, self.s_size1));
// CHECK-NEXT: GIN_TRY(self.program.gridExtents(count, {gin::anyExtent, 2}, self.grid));
// CHECK-NEXT: return GIN_SUCCESS;
// CHECK-NEXT: }

// CHECK: ginResult_t launcher_create(ginComm_t comm, const launcher_arguments *arguments,
// CHECK-NEXT: launcher_t *program) {
// CHECK-NEXT: return gin::launcher::create("launcher_create", setUp, launcher_destroy, comm,
// CHECK-NEXT: arguments, program);
// CHECK-NEXT: }

// CHECK: ginResult_t launcher_launch(launcher_t program,
// CHECK-NEXT: const launcher_arguments *arguments,
// CHECK-NEXT: unsigned blocks, void *stream) {
// CHECK-NEXT: if (!program || !arguments)
// CHECK-NEXT: return gin::launcher::nullPointer("launcher_launch");
// CHECK-NEXT: GIN_TRY(program->program.same("h", arguments->h, program->sizes.h));
// CHECK-NEXT: GIN_TRY(program->program.same("x_size1", arguments->x_size1,
// CHECK-NEXT: program->sizes.x_size1));
// CHECK-NEXT: GIN_TRY(program->program.same("table_size0", arguments->table_size0,
// CHECK-NEXT: program->sizes.table_size0));
// CHECK-NEXT: GIN_TRY(program->program.same("y_size0", arguments->y_size0,
// CHECK-NEXT: program->sizes.y_size0));
// CHECK-NEXT: if (!program->ready) {
// CHECK-NEXT: GIN_TRY(program->program.open());
// CHECK-NEXT: GIN_TRY(program->u.open());
// CHECK-NEXT: GIN_TRY(program->own.open());
// CHECK-NEXT: GIN_TRY(program->program.bank(0, program->s));
// CHECK-NEXT: GIN_TRY(program->program.bank(1, program->credits));
// CHECK-NEXT: program->ready = true;
// CHECK-NEXT: }
// CHECK-NEXT: GIN_TRY(program->x.update(program->program, "x", arguments->x,
// CHECK-NEXT: sizeof(gin::half),
// CHECK-NEXT: {arguments->h, arguments->x_size1}, stream));
// CHECK-NEXT: int32_t n = arguments->n;
// CHECK-NEXT: bool flag = arguments->flag != 0;
// CHECK-NEXT: gin::half scale = gin::bitCast<gin::half>(arguments->scale);
// CHECK-NEXT: int64_t *table;
// CHECK-NEXT: GIN_TRY(program->program.pointer("table", arguments->table,
// CHECK-NEXT: {arguments->table_size0}, table));
// CHECK-NEXT: GIN_TRY(program->program.window("y", arguments->y, sizeof(float),
// CHECK-NEXT: {arguments->y_size0, 4}));
// CHECK-NEXT: auto *own = reinterpret_cast<float *>(program->own.memory);
// CHECK-NEXT: return program->program.launch(
// CHECK-NEXT: blocks, stream, program->x.device.base, program->sizes.h,
// CHECK-NEXT: program->sizes.x_size1, n, flag, scale, table, program->u.device.base,
// CHECK-NEXT: program->u_size2, own, program->s, program->s_size1, program->credits,
// CHECK-NEXT: program->grid[0]);
// CHECK-NEXT: }

// CHECK: ginResult_t launcher_destroy(launcher_t program) {
// CHECK-NEXT: if (!program)
// CHECK-NEXT: return GIN_SUCCESS;
// CHECK-NEXT: ginResult_t result = program->program.destroy();
// CHECK-NEXT: gin::launcher::also(result, program->x.destroy());
// CHECK-NEXT: gin::launcher::also(result, program->u.destroy());
// CHECK-NEXT: gin::launcher::also(result, program->own.destroy());
// CHECK-NEXT: delete program;
// CHECK-NEXT: return result;
// CHECK-NEXT: }

// HEADER: typedef struct launcher_arguments {
// HEADER-NEXT: uint16_t *x; /* bits of f16 */
// HEADER-NEXT: int64_t h;
// HEADER-NEXT: int64_t x_size1;
// HEADER-NEXT: int32_t n;
// HEADER-NEXT: int flag;
// HEADER-NEXT: uint16_t scale; /* bits of f16 */
// HEADER-NEXT: int64_t *table;
// HEADER-NEXT: int64_t table_size0;
// HEADER-NEXT: ginWindow_t y;
// HEADER-NEXT: int64_t y_size0;
// HEADER-NEXT: } launcher_arguments;

// JSON: "name": "y"
// JSON: "rights": 3
// JSON: "slots": "2 * (ranks + 1)"
// JSON: "block": 128
// JSON: "shape": [
// JSON: "ranks * 2"
// JSON: "2"
// JSON: "floorDiv(x_size1 + 3, 4)"
// JSON: "shared": 16
// JSON: "teams": 2
