// RUN: gin-opt %s --split-input-file --mlir-print-debuginfo \
// RUN:   --pass-pipeline='builtin.module(func.func(gin-expand-copies{all=true},gin-lower-linalg))' | FileCheck %s

// All loops know which op they were, with its operands.
// CHECK-LABEL: func.func @matmul(
// CHECK: scf.parallel
// CHECK: scf.for
// CHECK: } loc(#[[MATMUL:.*]])
// CHECK: scf.reduce
// CHECK: } loc(#[[MATMUL]])
// CHECK: #[[MATMUL]] = loc(fused<"linalg.matmul ins(%a, %b) outs(%c)">[#{{.*}}])
func.func @matmul(%a: memref<?x?xf32> loc("a"("a.mlir":6:1)),
                  %b: memref<?x?xf32> loc("b"("a.mlir":6:2)),
                  %c: memref<?x?xf32> loc("c"("a.mlir":6:3))) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)
                outs(%c : memref<?x?xf32>) loc("a.mlir":7:3)
  return
}

// -----

// What has no name in the source is left out, and a copy remains one.
// CHECK-LABEL: func.func @others(
// CHECK-DAG: = loc(fused<"linalg.fill outs(%b)">[
// CHECK-DAG: = loc(fused<"memref.copy %a into %b">[
func.func @others(%a: memref<?xf32> loc("a"("a.mlir":6:1)),
                  %b: memref<?xf32> loc("b"("a.mlir":6:2))) {
  %zero = arith.constant 0.0 : f32 loc("a.mlir":7:3)
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>) loc("a.mlir":8:3)
  memref.copy %a, %b : memref<?xf32> to memref<?xf32> loc("a.mlir":9:3)
  return
}
