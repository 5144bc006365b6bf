// RUN: gin-opt %s | FileCheck %s
// RUN: gin-opt %s --mlir-print-op-generic | gin-opt | FileCheck %s
// RUN: gin-opt %s --emit-bytecode | gin-opt | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK-NEXT: gin.matmul %{{.*}}, %{{.*}} into %{{.*}} : memref<8x4xf16>, memref<4x6xf16> into memref<8x6xf32>
func.func @plain(%a: memref<8x4xf16>, %b: memref<4x6xf16>, %c: memref<8x6xf32>) {
  gin.matmul %a, %b into %c : memref<8x4xf16>, memref<4x6xf16> into memref<8x6xf32>
  return
}

// CHECK-LABEL: func.func @all(
// CHECK: gin.matmul %[[A:.*]], %[[B:.*]] into %[[C:.*]] on parts accumulate transposed from %[[P:.*]] alternating tiles [128, 192, 64]
// CHECK-NEXT: acquire(%[[PART:.*]], %[[ROW:.*]], %[[K:.*]]) {
// CHECK-NEXT:   gin.wait %{{.*}}[%[[PART]]] >= 1
// CHECK-NEXT: }
// CHECK-NEXT: reserve(%[[PART:.*]], %{{.*}}, %{{.*}}) {
// CHECK-NEXT:   gin.wait %{{.*}}[%[[PART]]] >= 2
// CHECK-NEXT: }
// CHECK-NEXT: publish(%[[PART:.*]], %{{.*}}, %{{.*}}) {
// CHECK-NEXT:   gin.signal %{{.*}}[0] on %[[PART]]
// CHECK-NEXT: } : memref<?x?x?xbf16, #gin.window>, memref<?x?xbf16> into memref<?x?xbf16, #gin.window>
func.func @all(%a: memref<?x?x?xbf16, #gin.window>, %b: memref<?x?xbf16>,
               %c: memref<?x?xbf16, #gin.window>, %p: index, %s: !gin.signals<?>) {
  gin.matmul %a, %b into %c on parts accumulate transposed from %p alternating
      tiles [128, 192, 64]
    acquire(%part, %row, %k) {
      gin.wait %s[%part] >= 1 : !gin.signals<?>
    }
    reserve(%part, %row, %column) {
      gin.wait %s[%part] >= 2 : !gin.signals<?>
    }
    publish(%part, %row, %column) {
      gin.signal %s[0] on %part : !gin.signals<?>
    } : memref<?x?x?xbf16, #gin.window>, memref<?x?xbf16> into memref<?x?xbf16, #gin.window>
  return
}

// CHECK-LABEL: func.func @groups(
// CHECK: gin.matmul %{{.*}}, %{{.*}} into %{{.*}} rows %[[N:.*]] groups %[[G:.*]] accumulate transposed
// CHECK-NEXT: acquire
// CHECK: } : memref<?x?x?xbf16, #gin.window>, memref<4x?x?xbf16> into memref<?x?x?xf32> rows memref<?xi32, #gin.window> groups memref<?xindex>
// CHECK: gin.matmul %{{.*}}, %{{.*}} into %{{.*}} groups %[[G]] tiles [128, 64, 64] : {{.*}} into memref<?x?x?xf32> groups memref<?xindex>
// CHECK: gin.matmul %{{.*}}, %{{.*}} into %{{.*}} rows %[[N]] : {{.*}} into memref<?x?x?xf32> rows memref<?xi32, #gin.window>
// CHECK: gin.matmul %{{.*}}, %{{.*}} into %{{.*}} : memref<?x?x?xbf16, #gin.window>, memref<4x?x?xbf16> into memref<?x?x?xf32>
func.func @groups(%a: memref<?x?x?xbf16, #gin.window>, %b: memref<4x?x?xbf16>, %one: memref<?x?xbf16>,
                  %c: memref<?x?x?xf32>, %n: memref<?xi32, #gin.window>, %g: memref<?xindex>,
                  %s: !gin.signals<?>) {
  gin.matmul %a, %b into %c rows %n groups %g accumulate transposed
    acquire(%part, %row, %k) {
      gin.wait %s[%part] >= 1 : !gin.signals<?>
    } : memref<?x?x?xbf16, #gin.window>, memref<4x?x?xbf16> into memref<?x?x?xf32>
      rows memref<?xi32, #gin.window> groups memref<?xindex>
  gin.matmul %a, %b into %c groups %g tiles [128, 64, 64]
    : memref<?x?x?xbf16, #gin.window>, memref<4x?x?xbf16> into memref<?x?x?xf32>
      groups memref<?xindex>
  gin.matmul %a, %one into %c rows %n
    : memref<?x?x?xbf16, #gin.window>, memref<?x?xbf16> into memref<?x?x?xf32>
      rows memref<?xi32, #gin.window>
  gin.matmul %a, %b into %c
    : memref<?x?x?xbf16, #gin.window>, memref<4x?x?xbf16> into memref<?x?x?xf32>
  return
}

// As kernels have it.
// CHECK-LABEL: func.func @kernel(
// CHECK: gin.matmul %{{.*}} into %{{.*}} blocks %[[FIRST:.*]] count %[[COUNT:.*]]
// CHECK-NEXT: spare {
// CHECK-NEXT:   gin.pace 4000
// CHECK-NEXT: } :
// CHECK: gin.async_fence
func.func @kernel(%a: memref<?x?xi8>, %b: memref<?x?xi8>, %c: memref<?x?xi32>,
                  %first: index, %count: index) {
  gin.matmul %a, %b into %c blocks %first count %count
    spare {
      gin.pace 4000
    } : memref<?x?xi8>, memref<?x?xi8> into memref<?x?xi32>
  gin.async_fence
  return
}

// Upstream passes see that the op reads and writes, and keep it.
// CHECK-LABEL: func.func @empty_regions_stay
// CHECK: acquire(%{{.*}}, %{{.*}}, %{{.*}}) {
// CHECK-NEXT: }
func.func @empty_regions_stay(%a: memref<2x2xf64>) {
  gin.matmul %a, %a into %a
    acquire(%part, %row, %k) {} : memref<2x2xf64>, memref<2x2xf64> into memref<2x2xf64>
  return
}
