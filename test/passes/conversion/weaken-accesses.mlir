// RUN: gin-opt %s --gin-weaken-accesses | FileCheck %s

func.func private @external(memref<8xf32>)
// CHECK-LABEL: func.func private @internal
func.func private @internal(%w: memref<8xf32, #gin.window>) {
  return
}

// CHECK-LABEL: func.func @elements(
func.func @elements(%w: memref<8xf32, #gin.window>, %m: memref<8xf32>, %s: !gin.signals<1>) {
  %c0 = arith.constant 0 : index
  // CHECK: memref.load %{{.*}}[%{{.*}}] {gin.weak} : memref<8xf32, #gin.window>
  %v = memref.load %w[%c0] : memref<8xf32, #gin.window>
  // CHECK: memref.store %{{.*}}[%{{.*}}] {gin.weak} : memref<8xf32, #gin.window>
  memref.store %v, %w[%c0] : memref<8xf32, #gin.window>
  %p = gin.peer_view %w on 0 : memref<8xf32, #gin.window> to memref<8xf32, #gin.peer>
  // CHECK: memref.load %{{.*}}[%{{.*}}] {gin.weak} : memref<8xf32, #gin.peer>
  %u = memref.load %p[%c0] : memref<8xf32, #gin.peer>
  // Other memory is nobody else's.
  // CHECK: memref.load %{{.*}}[%{{.*}}] : memref<8xf32>
  %x = memref.load %m[%c0] : memref<8xf32>
  // CHECK: memref.store %{{.*}}[%{{.*}}] : memref<8xf32>
  memref.store %x, %m[%c0] : memref<8xf32>
  // CHECK-NOT: gin.drain
  // CHECK: gin.wait
  gin.wait %s[0] >= 1 : !gin.signals<1>
  return
}

// CHECK-LABEL: func.func @plain(
func.func @plain(%w: memref<8xf32, #gin.window>, %m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  // Ops on other memory need no drain.
  // CHECK-NOT: gin.drain
  // CHECK: linalg.fill
  linalg.fill ins(%f : f32) outs(%m : memref<8xf32>)
  // CHECK-NEXT: gin.drain
  // CHECK-NEXT: linalg.fill
  linalg.fill ins(%f : f32) outs(%w : memref<8xf32, #gin.window>)
  // Nothing is pending after it, so that one is enough for a row.
  // CHECK-NEXT: memref.copy
  memref.copy %w, %m : memref<8xf32, #gin.window> to memref<8xf32>
  // CHECK-NEXT: vector.load
  %v = vector.load %w[%c0] : memref<8xf32, #gin.window>, vector<4xf32>
  // CHECK-NEXT: memref.store {{.*}} {gin.weak}
  memref.store %f, %w[%c0] : memref<8xf32, #gin.window>
  // CHECK-NEXT: gin.drain
  // CHECK-NEXT: vector.transfer_write
  vector.transfer_write %v, %w[%c0] : vector<4xf32>, memref<8xf32, #gin.window>
  return
}

// A view touches nothing.
// CHECK-LABEL: func.func @views(
// CHECK-NOT: gin.drain
// CHECK: return
func.func @views(%w: memref<8xf32, #gin.window>) {
  %part = memref.subview %w[0] [4] [1] : memref<8xf32, #gin.window> to memref<4xf32, strided<[1]>, #gin.window>
  %c0 = arith.constant 0 : index
  %d = memref.dim %w, %c0 : memref<8xf32, #gin.window>
  return
}

// CHECK-LABEL: func.func @calls(
func.func @calls(%w: memref<8xf32, #gin.window>, %m: memref<8xf32>) {
  // A function with a body sees to itself, and may leave something pending.
  // CHECK-NEXT: call @internal
  func.call @internal(%w) : (memref<8xf32, #gin.window>) -> ()
  // One without may touch anything.
  // CHECK-NEXT: gin.drain
  // CHECK-NEXT: call @external
  func.call @external(%m) : (memref<8xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @atomics(
func.func @atomics(%w: memref<8xi32, #gin.window>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  // CHECK-NOT: gin.drain
  // CHECK: memref.atomic_rmw addi
  %a = memref.atomic_rmw addi %one, %w[%c0] : (i32, memref<8xi32, #gin.window>) -> i32
  // CHECK-NEXT: gin.drain
  // CHECK-NEXT: memref.atomic_rmw maxs
  %b = memref.atomic_rmw maxs %one, %w[%c0] : (i32, memref<8xi32, #gin.window>) -> i32
  return
}

// Loops are looked into, and may leave something pending.
// CHECK-LABEL: func.func @loops(
func.func @loops(%w: memref<8xf32, #gin.window>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %f = arith.constant 1.0 : f32
  // CHECK: gin.drain
  // CHECK-NEXT: linalg.fill
  linalg.fill ins(%f : f32) outs(%w : memref<8xf32, #gin.window>)
  // CHECK-NEXT: scf.for
  scf.for %i = %c0 to %c8 step %c1 {
    // CHECK-NEXT: memref.store {{.*}} {gin.weak}
    memref.store %f, %w[%i] : memref<8xf32, #gin.window>
  }
  // CHECK: gin.drain
  // CHECK-NEXT: linalg.fill
  linalg.fill ins(%f : f32) outs(%w : memref<8xf32, #gin.window>)
  return
}

// The body of a plain op is a part of its plain access.
// CHECK-LABEL: func.func @inside(
// CHECK: gin.drain
// CHECK-NEXT: linalg.generic
// CHECK: memref.load %{{.*}} : memref<8xf32, #gin.window>
func.func @inside(%w: memref<8xf32, #gin.window>, %m: memref<8xindex>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%m : memref<8xindex>) outs(%w : memref<8xf32, #gin.window>) {
  ^bb0(%i: index, %old: f32):
    %v = memref.load %w[%i] : memref<8xf32, #gin.window>
    linalg.yield %v : f32
  }
  return
}

// A mask holds one op only: the drain stands before it.
// CHECK-LABEL: func.func @masked(
// CHECK: gin.drain
// CHECK-NEXT: vector.mask
// CHECK-SAME: vector.transfer_read
func.func @masked(%w: memref<8xf32, #gin.window>, %mask: vector<4xi1>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.mask %mask {
    vector.transfer_read %w[%c0], %zero : memref<8xf32, #gin.window>, vector<4xf32>
  } : vector<4xi1> -> vector<4xf32>
  return %v : vector<4xf32>
}

// Nothing is known of this op.
// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT: gin.drain
// CHECK-NEXT: llvm.inline_asm
func.func @unknown() {
  llvm.inline_asm has_side_effects "", "" : () -> ()
  return
}
