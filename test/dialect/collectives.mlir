// The collective level, on windows and on tensors.

// RUN: gin-opt %s | FileCheck %s
// RUN: gin-opt %s --mlir-print-op-generic | gin-opt | FileCheck %s
// RUN: gin-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: gin-opt %s --emit-bytecode | gin-opt | FileCheck %s

// CHECK-LABEL: func.func @windows(
// CHECK-SAME: %[[X:.*]]: memref<5x7xbf16, #gin.window>, %[[ALL:.*]]: memref<?x5x7xbf16, #gin.window>, %[[OTHER:.*]]: memref<?x5x7xbf16, #gin.window>)
func.func @windows(%x: memref<5x7xbf16, #gin.window>, %all: memref<?x5x7xbf16, #gin.window>,
                   %other: memref<?x5x7xbf16, #gin.window>) {
  // CHECK-NEXT: gin.all_gather %[[X]] into %[[ALL]] : memref<5x7xbf16, #gin.window> into memref<?x5x7xbf16, #gin.window>
  gin.all_gather %x into %all : memref<5x7xbf16, #gin.window> into memref<?x5x7xbf16, #gin.window>
  // CHECK-NEXT: gin.all_gather %[[X]] into %[[ALL]] team lsa {test.attr} : memref
  gin.all_gather %x into %all team lsa {test.attr} : memref<5x7xbf16, #gin.window> into memref<?x5x7xbf16, #gin.window>
  // CHECK-NEXT: gin.all_to_all %[[ALL]] into %[[OTHER]] : memref<?x5x7xbf16, #gin.window> into memref<?x5x7xbf16, #gin.window>
  gin.all_to_all %all into %other : memref<?x5x7xbf16, #gin.window> into memref<?x5x7xbf16, #gin.window>
  // CHECK-NEXT: gin.reduce_scatter sum %[[ALL]] into %[[X]] : memref<?x5x7xbf16, #gin.window> into memref<5x7xbf16, #gin.window>
  gin.reduce_scatter sum %all into %x : memref<?x5x7xbf16, #gin.window> into memref<5x7xbf16, #gin.window>
  // CHECK-NEXT: gin.reduce_scatter prod %[[ALL]] into %[[X]] team grid ?x? : memref
  gin.reduce_scatter prod %all into %x team grid ?x? : memref<?x5x7xbf16, #gin.window> into memref<5x7xbf16, #gin.window>
  // In place, and the other kinds.
  // CHECK-NEXT: gin.all_reduce max %[[X]] into %[[X]] : memref<5x7xbf16, #gin.window> into memref<5x7xbf16, #gin.window>
  gin.all_reduce max %x into %x : memref<5x7xbf16, #gin.window> into memref<5x7xbf16, #gin.window>
  // CHECK-NEXT: gin.all_reduce min %[[X]] into %[[X]] team row of 2x? : memref
  // GENERIC: "gin.all_reduce"({{.*}}) <{kind = #gin.reduce<min>, team = #gin.team<row of 2x?>}>
  gin.all_reduce min %x into %x team row of 2x? : memref<5x7xbf16, #gin.window> into memref<5x7xbf16, #gin.window>
  return
}

// Shapes that agree where both are static; a team's static size is one of them.
// CHECK-LABEL: func.func @shapes(
func.func @shapes(%x: memref<?xf32, #gin.window>, %four: memref<4x8xf32, #gin.window>,
                  %eight: memref<?x8xf32, #gin.window>, %cell: memref<f32, #gin.window>,
                  %each: memref<?xf32, #gin.window>,
                  %part: memref<8xf32, strided<[3], offset: ?>, #gin.window>) {
  // CHECK: gin.all_gather
  gin.all_gather %x into %four team row of ?x4 : memref<?xf32, #gin.window> into memref<4x8xf32, #gin.window>
  // CHECK: gin.all_gather
  gin.all_gather %cell into %each : memref<f32, #gin.window> into memref<?xf32, #gin.window>
  // An input may be a part of a window.
  // CHECK: gin.all_gather
  gin.all_gather %part into %eight : memref<8xf32, strided<[3], offset: ?>, #gin.window> into memref<?x8xf32, #gin.window>
  // CHECK: gin.all_to_all
  gin.all_to_all %four into %eight team grid 2x2 : memref<4x8xf32, #gin.window> into memref<?x8xf32, #gin.window>
  return
}

!tokens = memref<?x64xf32, #gin.window>
!experts = memref<?x2xi32, #gin.window>
!weights = memref<?x2xf32, #gin.window>
!blocks = memref<?x2x16x64xf32, #gin.window>

// CHECK-LABEL: func.func @moe(
func.func @moe(%x: !tokens, %experts: !experts, %received: !blocks, %counts: !experts,
               %positions: !experts, %results: !blocks, %weights: !weights, %y: !tokens,
               %wide: memref<?x2xi64, #gin.window>) {
  // CHECK-NEXT: gin.dispatch %{{.*}}, %{{.*}} into %{{.*}}, %{{.*}}, %{{.*}} : memref<?x64xf32, #gin.window>, memref<?x2xi32, #gin.window> into memref<?x2x16x64xf32, #gin.window>, memref<?x2xi32, #gin.window>, memref<?x2xi32, #gin.window>
  gin.dispatch %x, %experts into %received, %counts, %positions
    : !tokens, !experts into !blocks, !experts, !experts
  // CHECK-NEXT: gin.dispatch {{.*}} team lsa {test.attr} : memref<?x64xf32, #gin.window>, memref<?x2xi64, #gin.window> into
  gin.dispatch %x, %wide into %received, %counts, %positions team lsa {test.attr}
    : !tokens, memref<?x2xi64, #gin.window> into !blocks, !experts, !experts
  // CHECK-NEXT: gin.combine %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} into %{{.*}} : memref<?x2x16x64xf32, #gin.window>, memref<?x2xi32, #gin.window>, memref<?x2xi32, #gin.window>, memref<?x2xf32, #gin.window> into memref<?x64xf32, #gin.window>
  gin.combine %results, %experts, %positions, %weights into %y
    : !blocks, !experts, !experts, !weights into !tokens
  // CHECK-NEXT: gin.combine {{.*}} team lsa : memref
  gin.combine %results, %experts, %positions, %weights into %y team lsa
    : !blocks, !experts, !experts, !weights into !tokens
  return
}

// Tensors need no encoding until they are bufferised.
// CHECK-LABEL: func.func @tensors(
func.func @tensors(%x: tensor<5x7xf32>, %all: tensor<?x5x7xf32>, %e: tensor<5x2xi32>, %counts: tensor<?x2xi32>,
                   %blocks: tensor<?x2x16x7xf32>, %gates: tensor<5x2xf32>) {
  // CHECK: %{{.*}} = gin.all_gather %{{.*}} into %{{.*}} : tensor<5x7xf32> into tensor<?x5x7xf32> -> tensor<?x5x7xf32>
  %0 = gin.all_gather %x into %all : tensor<5x7xf32> into tensor<?x5x7xf32> -> tensor<?x5x7xf32>
  // CHECK: gin.all_to_all {{.*}} -> tensor<?x5x7xf32>
  %1 = gin.all_to_all %0 into %all : tensor<?x5x7xf32> into tensor<?x5x7xf32> -> tensor<?x5x7xf32>
  // CHECK: gin.reduce_scatter sum {{.*}} -> tensor<5x7xf32>
  %2 = gin.reduce_scatter sum %1 into %x : tensor<?x5x7xf32> into tensor<5x7xf32> -> tensor<5x7xf32>
  // CHECK: gin.all_reduce sum {{.*}} -> tensor<5x7xf32>
  %3 = gin.all_reduce sum %2 into %2 : tensor<5x7xf32> into tensor<5x7xf32> -> tensor<5x7xf32>
  // CHECK: gin.dispatch {{.*}} -> tensor<?x2x16x7xf32>, tensor<?x2xi32>, tensor<5x2xi32>
  %4:3 = gin.dispatch %x, %e into %blocks, %counts, %e : tensor<5x7xf32>, tensor<5x2xi32> into tensor<?x2x16x7xf32>, tensor<?x2xi32>, tensor<5x2xi32>
    -> tensor<?x2x16x7xf32>, tensor<?x2xi32>, tensor<5x2xi32>
  // CHECK: gin.combine {{.*}} -> tensor<5x7xf32>
  %5 = gin.combine %4#0, %e, %4#2, %gates into %x : tensor<?x2x16x7xf32>, tensor<5x2xi32>, tensor<5x2xi32>, tensor<5x2xf32> into tensor<5x7xf32>
    -> tensor<5x7xf32>
  return
}
