// RUN: gin-opt %s --gin-expand-tiles | FileCheck %s
// RUN: gin-opt %s --gin-expand-tiles=workers=7 | FileCheck %s --check-prefix=SEVEN

// Known sizes agree; each worker computes every third tile, and rounds once.
// CHECK-LABEL: func.func @plain(
// CHECK-NOT: cf.assert
// CHECK: scf.forall (%[[WORKER:.*]]) in (%{{.*}}) {
// CHECK: scf.for %{{.*}} = %[[WORKER]] to %{{.*}} step %c3
// CHECK: %[[SUMS:.*]] = memref.alloc(%{{.*}}, %{{.*}}) : memref<?x?xf32>
// CHECK: linalg.fill
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: memref.dealloc %[[SUMS]]
// SEVEN: step %c7
func.func @plain(%a: memref<8x4xf16>, %b: memref<4x6xf16>, %c: memref<8x6xf16>) {
  gin.matmul %a, %b into %c tiles [4, 4, 2]
    : memref<8x4xf16>, memref<4x6xf16> into memref<8x6xf16>
  return
}

// Sizes that are not known are compared, and regions stand where they act.
// CHECK-LABEL: func.func @regions(
// CHECK: cf.assert %{{.*}}, "operands disagree about k"
// CHECK: cf.assert %{{.*}}, "operands disagree about m"
// CHECK: cf.assert %{{.*}}, "operands disagree about n"
// CHECK: cf.assert %{{.*}}, "operands disagree about the number of parts"
// CHECK: scf.forall
// CHECK: scf.for
// CHECK: scf.for
// CHECK: gin.wait %{{.*}} >= 1
// CHECK: linalg.generic
// CHECK: gin.wait %{{.*}} >= 2
// CHECK: linalg.generic
// CHECK: arith.addi
// CHECK: gin.signal
// CHECK-NEXT: memref.dealloc
func.func @regions(%a: memref<?x?x?xi8>, %b: memref<?x?xi8>, %c: memref<?x?x?xi32>,
                   %s: !gin.signals<?>) {
  gin.matmul %a, %b into %c accumulate transposed
    acquire(%part, %row, %k) {
      gin.wait %s[%part] >= 1 : !gin.signals<?>
    }
    reserve(%part, %row, %column) {
      gin.wait %s[%part] >= 2 : !gin.signals<?>
    }
    publish(%part, %row, %column) {
      gin.signal %s[0] on %part : !gin.signals<?>
    } : memref<?x?x?xi8>, memref<?x?xi8> into memref<?x?x?xi32>
  return
}

// The first step of each tile is acquired before its rows and its group are read; the rest
// of a tile is there if both are. Later steps are acquired in the loop.
// CHECK-LABEL: func.func @groups(
// CHECK: cf.assert %{{.*}}, "operands disagree about k"
// CHECK: cf.assert %{{.*}}, "operands disagree about m"
// CHECK: cf.assert %{{.*}}, "operands disagree about n"
// CHECK: cf.assert %{{.*}}, "operands disagree about the number of parts"
// CHECK: cf.assert %{{.*}}, "operands disagree about the number of parts"
// CHECK: cf.assert %{{.*}}, "operands disagree about the number of parts"
// CHECK: %[[GROUPS:.*]] = memref.dim %arg1, %c0
// CHECK: scf.forall
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c4
// CHECK: gin.wait %{{.*}}[%[[PART:.*]]] >= 1
// CHECK: %[[N:.*]] = memref.load %arg3[%[[PART]]]
// CHECK: %[[ROWS:.*]] = arith.index_cast %[[N]]
// CHECK: %[[SOME:.*]] = arith.maxsi %[[ROWS]], %c0
// CHECK: %[[END:.*]] = arith.minsi %[[SOME]]
// CHECK: %[[GROUP:.*]] = memref.load %arg4[%[[PART]]]
// CHECK: arith.cmpi ult, %[[ROW]], %[[END]]
// CHECK: arith.cmpi ult, %[[GROUP]], %[[GROUPS]]
// CHECK: %[[THERE:.*]] = arith.andi
// CHECK-NEXT: scf.if %[[THERE]] {
// CHECK-NEXT: arith.subi %[[END]], %[[ROW]]
// CHECK: scf.for %[[AT:.*]] = %c0
// CHECK: %[[LATER:.*]] = arith.cmpi ne, %[[AT]], %c0
// CHECK: scf.if %[[LATER]] {
// CHECK-NEXT: gin.wait %{{.*}}[%[[PART]]] >= 1
// CHECK: memref.subview %arg1[%[[GROUP]],
// CHECK: gin.signal
// CHECK: return
func.func @groups(%a: memref<?x?x?xf32>, %b: memref<?x?x?xf32>, %c: memref<?x?x?xf32>,
                  %n: memref<?xi32>, %g: memref<?xindex>, %s: !gin.signals<?>) {
  gin.matmul %a, %b into %c rows %n groups %g tiles [4, 4, 2]
    acquire(%part, %row, %k) {
      gin.wait %s[%part] >= 1 : !gin.signals<?>
    }
    publish(%part, %row, %column) {
      gin.signal %s[0] on %part : !gin.signals<?>
    } : memref<?x?x?xf32>, memref<?x?x?xf32> into memref<?x?x?xf32>
      rows memref<?xi32> groups memref<?xindex>
  return
}

// Without data, a part's group is its number round about, of one group at least.
// CHECK-LABEL: func.func @round_about(
// CHECK: %[[GROUPS:.*]] = memref.dim %arg1, %c0
// CHECK: %[[SOME:.*]] = arith.maxui %[[GROUPS]], %c1
// CHECK: %[[GROUP:.*]] = arith.remui %{{.*}}, %[[SOME]]
// CHECK: arith.cmpi ult, %[[GROUP]], %[[GROUPS]]
// CHECK: memref.subview %arg1[%[[GROUP]],
func.func @round_about(%a: memref<4x8x4xf32>, %b: memref<?x4x4xf32>, %c: memref<4x8x4xf32>) {
  gin.matmul %a, %b into %c
    : memref<4x8x4xf32>, memref<?x4x4xf32> into memref<4x8x4xf32>
  return
}

// Paces in regions are gone too, wherever the copies of a region stand.
// CHECK-LABEL: func.func @paces(
// CHECK-NOT: gin.pace
// CHECK: return
func.func @paces(%a: memref<4x4xf32>) {
  gin.matmul %a, %a into %a
    acquire(%part, %row, %k) {
      gin.pace 3
    }
    publish(%part, %row, %column) {
      gin.pace 4
    } : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  return
}

// Without elements there are no tiles.
// CHECK-LABEL: func.func @nothing(
// CHECK-NOT: scf.for
// CHECK: return
func.func @nothing(%a: memref<2x0x4xf32>, %b: memref<4x4xf32>, %c: memref<0x4xf32, #gin.window>) {
  gin.matmul %a, %b into %c on parts accumulate
    : memref<2x0x4xf32>, memref<4x4xf32> into memref<0x4xf32, #gin.window>
  return
}

// Tiles for other ranks travel by element, as their pieces may; paces are gone.
// CHECK-LABEL: func.func @remote(
// CHECK-NOT: gin.pace
// CHECK: gin.atomic_add %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] on %{{.*}} : f32
// CHECK-LABEL: func.func @remote_put(
// CHECK: gin.put_value %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] on %{{.*}} : f32
func.func @remote(%a: memref<?x?x?xf32>, %b: memref<?x?xf32>,
                  %c: memref<?x?xf32, #gin.window>) {
  gin.pace 100
  gin.matmul %a, %b into %c on parts accumulate
    : memref<?x?x?xf32>, memref<?x?xf32> into memref<?x?xf32, #gin.window>
  return
}
func.func @remote_put(%a: memref<?x?x?xf32>, %b: memref<?x?xf32>,
                      %c: memref<?x?xf32, #gin.window>) {
  gin.matmul %a, %b into %c on parts
    : memref<?x?x?xf32>, memref<?x?xf32> into memref<?x?xf32, #gin.window>
  return
}
