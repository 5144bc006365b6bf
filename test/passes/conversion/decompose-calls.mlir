// RUN: gin-opt %s --gin-decompose-collectives | FileCheck %s
// RUN: gin-opt %s --gin-decompose-collectives --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// Called functions with collectives stand in the place of their calls, each call
// with slots of its own; sizes are those of the function that is launched.

!vector = memref<?xf32, #gin.window>
!all = memref<?x?xf32, #gin.window>

// CHECK-NOT: func private @gather
func.func private @gather(%all: !all, %x: !vector) -> index {
  %c0 = arith.constant 0 : index
  gin.all_reduce sum %x into %x : !vector into !vector
  gin.all_gather %x into %all : !vector into !all
  %n = memref.dim %x, %c0 : !vector
  return %n : index
}

// CHECK-NOT: func private @nested
func.func private @nested(%x: !vector, %all: !all) -> index {
  %n = call @gather(%all, %x) : (!all, !vector) -> index
  return %n : index
}

// CHECK-LABEL: func @main(
// CHECK-SAME:    %arg0: memref<?xf32, #gin.window>, %arg1: memref<?xf32, #gin.window>, %arg2: memref<?x?xf32, #gin.window>, %arg3: memref<?xi64>,
// CHECK-SAME:    gin.name = "all_reduce0_inbox", gin.scratch, gin.sizes = affine_map<()[s0, s1, s2] -> (s0 * s2)>
// CHECK-SAME:    "all_reduce0_arrived"
// CHECK-SAME:    "all_gather0_arrived"
// CHECK-SAME:    gin.name = "all_reduce1_inbox", gin.scratch, gin.sizes = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-SAME:    "all_gather1_arrived"
// CHECK-NOT:     call @
// CHECK:         memref.store
// CHECK-NOT:     call @
// CHECK:         call @plain()
// LOC:           gin.barrier loc(callsite(callsite("{{.*}}":13:3 at "{{.*}}":21:8) at "{{.*}}":[[#@LINE+4]]:8))
func.func @main(%x: !vector, %y: !vector, %all: !all, %sizes: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = call @nested(%y, %all) : (!vector, !all) -> index
  %i = arith.index_cast %n : index to i64
  memref.store %i, %sizes[%c0] : memref<?xi64>
  scf.for %k = %c0 to %c1 step %c1 {
    %m = func.call @gather(%all, %x) : (!all, !vector) -> index
  }
  call @plain() : () -> ()
  return
}

// CHECK: func private @plain
func.func private @plain() {
  return
}

// A public one is kept, with arguments of its own.
// CHECK-LABEL: func @public(
// CHECK-SAME:    "all_gather0_arrived"
func.func @public(%all: !all, %x: !vector) {
  gin.all_gather %x into %all : !vector into !all
  return
}
// CHECK-LABEL: func @caller(
// CHECK-SAME:    "all_gather0_arrived"
// CHECK-NOT:     call
// CHECK:         return
func.func @caller(%all: !all, %x: !vector) {
  call @public(%all, %x) : (!all, !vector) -> ()
  return
}
