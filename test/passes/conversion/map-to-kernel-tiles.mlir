// RUN: gin-opt %s --split-input-file --gin-map-to-kernel --canonicalize --cse | FileCheck %s

// All blocks multiply; a fence follows each wait for what tensor copies read.
// CHECK-LABEL: gpu.func @whole(
// CHECK-SAME: known_block_size = array<i32: 384, 1, 1>
// CHECK: %[[BLOCKS:.*]] = gpu.grid_dim x
// CHECK: cf.assert %{{.*}}, "operands disagree about k"
// CHECK: gin.matmul %arg0, %arg1 into %arg2 from %{{.*}} blocks %c0 count %[[BLOCKS]]
// CHECK-NEXT: acquire
// CHECK-NEXT: gin.wait %{{.*}} {gin.scope = #gin.scope<thread>}
// CHECK-NEXT: gin.async_fence
// CHECK: publish
// CHECK-NEXT: gin.signal %{{.*}} {gin.scope = #gin.scope<thread>}
// CHECK-NEXT: }
// CHECK: gin.join grid
// CHECK: gin.signal %{{.*}}[1]
func.func @whole(%a: memref<?x?x?xbf16, #gin.window>, %b: memref<?x?xbf16>,
                 %c: memref<?x?x?xbf16, #gin.window>, %s: !gin.signals<?>) {
  %me = gin.rank
  gin.matmul %a, %b into %c from %me
    acquire(%part, %row, %k) {
      gin.wait %s[%part] >= 1 : !gin.signals<?>
    }
    publish(%part, %row, %column) {
      gin.signal %s[0] on %part : !gin.signals<?>
    } : memref<?x?x?xbf16, #gin.window>, memref<?x?xbf16> into memref<?x?x?xbf16, #gin.window>
  gin.signal %s[1] on %me : !gin.signals<?>
  return
}

// -----

// A role of CTAs has the first ones; the matmul has the others.
// CHECK-LABEL: gpu.func @ctas(
// CHECK-SAME: gin.least_blocks = 3
// CHECK-SAME: known_block_size = array<i32: 384, 1, 1>
// CHECK: %[[REST:.*]] = arith.subi %{{.*}}, %c2
// CHECK: gin.matmul {{.*}} blocks %c2 count %[[REST]]
func.func @ctas(%a: memref<?x?xf16, #gin.window>, %b: memref<?x?xf16>,
                %c: memref<?x?xf32>, %s: !gin.signals<1>) {
  gin.specialize {
    role "send" ctas 2 {
      gin.signal %s[0] on 0 : !gin.signals<1>
    }
    role "multiply" {
      gin.matmul %a, %b into %c
        acquire(%part, %row, %k) {
          gin.wait %s[0] >= 1 : !gin.signals<1>
        } : memref<?x?xf16, #gin.window>, memref<?x?xf16> into memref<?x?xf32>
    }
  }
  return
}

// -----

// A role of a warp becomes what a spare warp of each block does; its loop is divided
// among these warps.
// CHECK-LABEL: gpu.func @warps(
// CHECK-NOT: gin.least_blocks
// CHECK: gin.matmul
// CHECK: spare {
// CHECK: scf.for %{{.*}} = %block_id_x to %{{.*}} step %grid_dim_x
// CHECK: gin.pace 4000 {gin.scope = #gin.scope<warp>}
// CHECK-NEXT: gin.put_value {{.*}} {gin.scope = #gin.scope<warp>}
func.func @warps(%a: memref<?x?xf16, #gin.window>, %b: memref<?x?xf16>,
                 %c: memref<?x?xf32>, %x: memref<?xi32, #gin.window>, %v: i32,
                 %s: !gin.signals<1>) {
  %n = gin.num_ranks
  gin.specialize {
    role "send" warps 1 {
      scf.forall (%i) in (%n) {
        gin.pace 4000
        gin.put_value %v into %x[%i] on %i signal %s[0] : i32 into memref<?xi32, #gin.window>, !gin.signals<1>
      }
    }
    role "multiply" {
      gin.matmul %a, %b into %c
        acquire(%part, %row, %k) {
          gin.wait %s[0] >= 1 : !gin.signals<1>
        } : memref<?x?xf16, #gin.window>, memref<?x?xf16> into memref<?x?xf32>
    }
  }
  return
}

// -----

// What a region has fetched or written itself is fenced too, once.
// CHECK-LABEL: gpu.func @pull(
// CHECK: acquire
// CHECK: gin.get
// CHECK-NOT: gin.async_fence
// CHECK: gin.flush
// CHECK-NEXT: gin.async_fence
// CHECK-NEXT: }
// CHECK-NOT: gin.async_fence
// CHECK: gpu.return
func.func @pull(%x: memref<?x?xf16, #gin.window>, %a: memref<?x?xf16, #gin.window>,
                %b: memref<?x?xf16>, %c: memref<?x?xf32>) {
  gin.matmul %a, %b into %c
    acquire(%part, %row, %k) {
      %own = memref.subview %a[0, 0] [128, 64] [1, 1] : memref<?x?xf16, #gin.window>
        to memref<128x64xf16, strided<[?, 1]>, #gin.window>
      gin.get %x[%row, 0] on 1 into %own : memref<?x?xf16, #gin.window>
        into memref<128x64xf16, strided<[?, 1]>, #gin.window>
      gin.flush
    } : memref<?x?xf16, #gin.window>, memref<?x?xf16> into memref<?x?xf32>
  return
}

// -----

// What says rows and groups is read by all blocks, which what writes it must be before.
// CHECK-LABEL: gpu.func @data(
// CHECK: memref.store %{{.*}}, %arg3
// CHECK: gin.join grid
// CHECK: gin.matmul %arg0, %arg1 into %arg2 rows %arg3 groups %arg4 blocks %c0
func.func @data(%a: memref<99x?x?xbf16>, %b: memref<8x?x?xbf16>, %c: memref<99x?x?xbf16>,
                %n: memref<99xi32>, %g: memref<99xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %n[%c0] : memref<99xi32>
  gin.matmul %a, %b into %c rows %n groups %g
    : memref<99x?x?xbf16>, memref<8x?x?xbf16> into memref<99x?x?xbf16>
      rows memref<99xi32> groups memref<99xi32>
  return
}
