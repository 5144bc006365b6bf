// RUN: gin-opt %s --gin-expand-copies | FileCheck %s

// CHECK-LABEL: func.func @copies(
func.func @copies(%a: memref<4x8xf32, strided<[16, 1]>, #gin.window>, %b: memref<4x8xf32>,
                  %c: memref<?x8xf32, #gin.window>, %d: memref<?x8xf32>,
                  %e: memref<4x8xf32, strided<[8, 1], offset: ?>>, %u: memref<*xf32>,
                  %v: memref<*xf32>) {
  // CHECK-NEXT: linalg.copy ins(%{{.*}} : memref<4x8xf32, strided<[16, 1]>, #gin.window>) outs(%{{.*}} : memref<4x8xf32>)
  memref.copy %a, %b : memref<4x8xf32, strided<[16, 1]>, #gin.window> to memref<4x8xf32>
  // CHECK-NEXT: linalg.copy
  memref.copy %b, %a : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>, #gin.window>
  // Contiguous: memcpy.
  // CHECK-NEXT: memref.copy
  memref.copy %c, %d : memref<?x8xf32, #gin.window> to memref<?x8xf32>
  // CHECK-NEXT: memref.copy
  memref.copy %e, %b : memref<4x8xf32, strided<[8, 1], offset: ?>> to memref<4x8xf32>
  // No rank, no loops.
  // CHECK-NEXT: memref.copy
  memref.copy %u, %v : memref<*xf32> to memref<*xf32>
  return
}
