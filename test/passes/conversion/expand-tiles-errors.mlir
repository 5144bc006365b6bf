// RUN: gin-opt %s --split-input-file --verify-diagnostics --gin-expand-tiles
// RUN: not gin-opt %s --split-input-file --gin-expand-tiles=workers=0 2>&1 | FileCheck %s
// CHECK: needs at least one worker

func.func @kernel_level(%a: memref<4x4xf32>, %n: index) {
  // expected-error @+1 {{is of the kernel level, where blocks are stated}}
  gin.matmul %a, %a into %a blocks %n count %n
    : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  return
}

// -----

func.func @spare(%a: memref<4x4xf32>) {
  // expected-error @+1 {{is of the kernel level, where blocks are stated}}
  gin.matmul %a, %a into %a
    spare {
      gin.pace 1
    } : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  return
}
