// The plug-in brings gin's extensions of upstream: here, one-shot-bufferize takes
// collectives from tensors to windows.

// REQUIRES: plugin
// RUN: mlir-opt %s --load-dialect-plugin=%plugin \
// RUN:   --one-shot-bufferize='bufferize-function-boundaries use-encoding-for-memory-space function-boundary-type-conversion=identity-layout-map' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @gather
// CHECK-SAME:    %[[X:.*]]: memref<4xf32, #gin.window>
// CHECK-SAME:    %[[ALL:.*]]: memref<?x4xf32, #gin.window>
// CHECK:         gin.all_gather %[[X]] into %[[ALL]]
func.func @gather(%x: tensor<4xf32, #gin.window>, %init: tensor<?x4xf32, #gin.window>)
    -> tensor<?x4xf32, #gin.window> {
  %all = gin.all_gather %x into %init
    : tensor<4xf32, #gin.window> into tensor<?x4xf32, #gin.window>
    -> tensor<?x4xf32, #gin.window>
  return %all : tensor<?x4xf32, #gin.window>
}
