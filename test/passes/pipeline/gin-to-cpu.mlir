// RUN: gin-opt %s --gin-to-cpu=entry=main > %t
// RUN: FileCheck %s < %t
// RUN: mlir-translate --mlir-to-llvmir %t -o /dev/null
// RUN: FileCheck %s --check-prefix=CLEAN < %t
// RUN: gin-opt %s --pass-pipeline='builtin.module(gin-to-cpu{entry=main launch-barrier=never launch-barrier-reason="tested" algorithm=ring})' | FileCheck %s --check-prefix=NEVER

// The whole way down: nothing of the levels above is left, and nothing needs a cast.
// CLEAN-NOT: gin.{{[a-z_]+}} %
// CLEAN-NOT: unrealized_conversion_cast
// CLEAN-NOT: func.func
// CLEAN-NOT: memref<
// CLEAN-NOT: @unused

// Agents come first: each iteration of the loop is one.
// CHECK-LABEL: llvm.func internal @main_forall(
// CHECK: llvm.call @gin_put(
// CHECK-LABEL: llvm.func internal @main(
// CHECK: llvm.call @gin_barrier(
// CHECK: llvm.call @gin_fork(
// CHECK: llvm.call @gin_wait(
// CHECK: %[[L:.*]] = llvm.call @gin_load_begin(
// CHECK-NOT: llvm.call @gin_load_end(
// CHECK: llvm.call @gin_drain()
// CHECK-NOT: gin_load_begin
// The value of the load is needed here, and no earlier.
// CHECK: llvm.call @gin_load_end(%[[L]])
// CHECK: llvm.call @gin_store(
// CHECK-LABEL: llvm.func internal @main_forall.agent(
// CHECK: llvm.call @main_forall(
// CHECK-LABEL: llvm.func @_mlir_ciface_main(
// CHECK: llvm.call @main(

// NEVER-NOT: llvm.call @gin_barrier(
func.func @main(%x: memref<?x4xf32, #gin.window>, %y: memref<?x4xf32, #gin.window>,
                %s: !gin.signals<?> {gin.sizes = affine_map<()[ranks] -> (ranks)>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %me = gin.rank
  %n = gin.num_ranks
  scf.forall (%p) in (%n) {
    %row = memref.subview %x[%p, 0] [1, 4] [1, 1]
      : memref<?x4xf32, #gin.window> to memref<4xf32, strided<[1], offset: ?>, #gin.window>
    gin.put %row into %y[%me, 0] on %p signal %s[%me]
      : memref<4xf32, strided<[1], offset: ?>, #gin.window> into memref<?x4xf32, #gin.window>, !gin.signals<?>
  }
  scf.for %p = %c0 to %n step %c1 {
    gin.wait %s[%p] >= 1 : !gin.signals<?>
  }
  %v = memref.load %y[%c0, %c0] : memref<?x4xf32, #gin.window>
  linalg.fill ins(%one : f32) outs(%x : memref<?x4xf32, #gin.window>)
  memref.store %v, %x[%c0, %c0] : memref<?x4xf32, #gin.window>
  return
}

func.func @unused() {
  return
}
