// RUN: gin-opt %s --split-input-file --gin-map-to-kernel=threads=256 --canonicalize | FileCheck %s

// Each block has all roles: what a block is to a program, its warps are to a role.
// A role that states no warps has the others.
// CHECK-LABEL: gpu.func @roles(
// CHECK-DAG: %[[THREAD:.*]] = gpu.thread_id x
// CHECK-DAG: %[[BLOCK:.*]] = gpu.block_id x
// CHECK-DAG: %[[BLOCKS:.*]] = gpu.grid_dim x
// CHECK: gin.join grid
// CHECK-NEXT: gin.warps "compute" at 0 count 5 barrier 1 {
// CHECK: %[[BEFORE:.*]] = arith.muli %[[BLOCK]], %c160
// CHECK-NEXT: %[[PLACE:.*]] = arith.addi %[[BEFORE]], %[[THREAD]]
// CHECK-NEXT: %[[PLACES:.*]] = arith.muli %[[BLOCKS]], %c160
// CHECK-NEXT: scf.for %{{.*}} = %[[PLACE]] to %{{.*}} step %[[PLACES]] {
// CHECK: gin.join grid role 0 at %c0 count %[[BLOCKS]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: gin.signal {{.*}} {gin.scope = #gin.scope<block>}
// CHECK: gin.warps "send" at 5 count 3 barrier 2 {
// CHECK: %[[OWN:.*]] = arith.subi %[[THREAD]], %c160
// CHECK: gin.wait {{.*}} {gin.scope = #gin.scope<block>}
// CHECK: gin.join grid role 1 at %c0 count %[[BLOCKS]]
// CHECK-NEXT: scf.for
// CHECK: gin.join block
// CHECK-NEXT: gin.join grid
// CHECK-NEXT: scf.for
func.func @roles(%x: memref<?xf32, #gin.window>, %y: memref<?xf32, #gin.window>,
                 %v: f32, %n: index, %s: !gin.signals<1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %x[%i] : memref<?xf32, #gin.window>
  }
  gin.specialize {
    role "compute" {
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        memref.store %v, %x[%i] : memref<?xf32, #gin.window>
      }
      gin.signal %s[0] on 0 : !gin.signals<1>
    }
    role "send" warps 3 {
      gin.wait %s[0] >= 1 : !gin.signals<1>
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        memref.store %v, %y[%i] : memref<?xf32, #gin.window>
      }
    }
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %x[%i] : memref<?xf32, #gin.window>
  }
  return
}

// -----

// Several share what is left, the last one with what that leaves over.
// CHECK-LABEL: gpu.func @shares(
// CHECK: gin.warps "a" at 0 count 2 barrier 1
// CHECK: gin.warps "b" at 2 count 3 barrier 2
// CHECK: gin.warps "c" at 5 count 3 barrier 3
func.func @shares() {
  gin.specialize {
    role "a" {
      gin.flush
    }
    role "b" warps 3 {
      gin.flush
    }
    role "c" {
      gin.flush
    }
  }
  return
}

// -----

// What one thread of a role has is handed on to the role.
// CHECK-LABEL: gpu.func @handed_on(
// CHECK: gin.warps
// CHECK: %[[SUM:.*]] = scf.if
// CHECK: gin.broadcast %[[SUM]] grid role 0 at %c0 count
func.func @handed_on(%x: memref<?xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gin.specialize {
    role "sum" warps 1 {
      %total = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %v) -> f32 {
        %next = arith.addf %sum, %v : f32
        memref.store %next, %x[%i] : memref<?xf32>
        scf.yield %next : f32
      }
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        memref.store %total, %x[%i] : memref<?xf32>
      }
    }
  }
  return
}
