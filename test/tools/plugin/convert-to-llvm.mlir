// The plug-in brings gin's extensions of upstream: here, convert-to-llvm lowers
// the program level to calls of the runtime, and gin-to-cpu is a pipeline.

// REQUIRES: plugin
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --convert-to-llvm | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(gin-to-cpu)' | FileCheck %s

// CHECK: llvm.func {{.*}}@store_rank
// CHECK: llvm.call @gin_rank
func.func @store_rank(%out: memref<index>) {
  %me = gin.rank
  memref.store %me, %out[] : memref<index>
  return
}
