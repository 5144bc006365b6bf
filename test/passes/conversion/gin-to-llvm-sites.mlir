// RUN: gin-opt %s --convert-to-llvm | FileCheck %s

// Sites tell names of operands where locations have them, and are found under all
// kinds of locations.

// CHECK-DAG: @"site a.mlir:3:7 gin.put %x into %w on %p"
// CHECK-DAG: @"site a.mlir:4:7 gin.wait %s"
// CHECK-DAG: @"site a.mlir:5:7 gin.signal %s on 2"
// CHECK-DAG: @"site a.mlir:6:7 gin.get %w on %p into %x"
// CHECK-DAG: @"site a.mlir:7:7 gin.await %t"
// CHECK-DAG: @"site ?:0:0 gin.barrier"
func.func @sites(%x: memref<8xf32, #gin.window> loc("x"("a.mlir":1:1)),
                 %w: memref<8xf32, #gin.window> loc("%w"("a.mlir":1:9)),
                 %p: index loc(fused["a.mlir":1:5, "p"("a.mlir":1:5)]),
                 %s: !gin.signals<1> loc(callsite("s"("a.mlir":1:1) at "b.mlir":9:9))) {
  gin.put %x into %w[0] on %p
    : memref<8xf32, #gin.window> into memref<8xf32, #gin.window> loc("a.mlir":3:7)
  gin.wait %s[0] >= 1 : !gin.signals<1> loc("here"("a.mlir":4:7))
  gin.signal %s[0] on 2 : !gin.signals<1> loc(callsite("a.mlir":5:7 at "b.mlir":1:1))
  %t = gin.get %w[0] on %p into %x -> !gin.token
    : memref<8xf32, #gin.window> into memref<8xf32, #gin.window> loc(fused["t"("a.mlir":6:7), "b.mlir":1:1])
  gin.await %t loc("a.mlir":7:7)
  gin.barrier loc(unknown)
  return
}
