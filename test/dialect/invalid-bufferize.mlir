// RUN: gin-opt %s --split-input-file --verify-diagnostics \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries use-encoding-for-memory-space"

func.func @f(%x: tensor<4xf32>, %all: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error@+2 {{'gin.all_gather' op would be bufferised on 'memref<4xf32, strided<[?], offset: ?>>', which is not a window; give the tensor the encoding #gin.window and bufferise with use-encoding-for-memory-space}}
  // expected-error@+1 {{failed to bufferize op}}
  %0 = gin.all_gather %x into %all : tensor<4xf32> into tensor<?x4xf32> -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @f(%x: tensor<4xf32, #gin.window>) -> tensor<4xf32, #gin.window> {
  // expected-error@+2 {{'gin.all_reduce' op would write into 'memref<4xf32, strided<[?], offset: ?>, #gin.window>', which is not a whole window; bufferise with function-boundary-type-conversion=identity-layout-map}}
  // expected-error@+1 {{failed to bufferize op}}
  %0 = gin.all_reduce sum %x into %x : tensor<4xf32, #gin.window> into tensor<4xf32, #gin.window> -> tensor<4xf32, #gin.window>
  return %0 : tensor<4xf32, #gin.window>
}
