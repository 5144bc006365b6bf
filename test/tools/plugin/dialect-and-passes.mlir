// A stock mlir-opt of the same LLVM loads the dialect and the passes.

// REQUIRES: plugin
// RUN: mlir-opt %s --load-dialect-plugin=%plugin | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(gin-verify,canonicalize,cse)' | FileCheck %s
// RUN: not mlir-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT

// WITHOUT: error: {{.*}}gin

// CHECK-LABEL: func.func @shift
func.func @shift(%w: memref<?x4xf32, #gin.window>, %s: !gin.signals<1>,
                 %row: memref<4xf32, #gin.window>) {
  // CHECK: gin.neighbor
  // CHECK: gin.put
  // CHECK: gin.wait
  %me = gin.rank
  %right = gin.neighbor 1
  gin.put %row into %w[%me, 0] on %right signal %s[0] add 1
    : memref<4xf32, #gin.window> into memref<?x4xf32, #gin.window>, !gin.signals<1>
  gin.wait %s[0] >= 1 : !gin.signals<1>
  return
}
