// RUN: gin-opt %s --gin-decompose-collectives | FileCheck %s
// RUN: gin-opt %s --gin-decompose-collectives=algorithm=ring | FileCheck %s --check-prefix=RING

// How elements of each kind are combined; narrow floats in f32.

// CHECK-LABEL: func @sum_i8
// CHECK: arith.addi %{{.*}} : i8
func.func @sum_i8(%x: memref<8xi8, #gin.window>) {
  gin.all_reduce sum %x into %x : memref<8xi8, #gin.window> into memref<8xi8, #gin.window>
  return
}

// CHECK-LABEL: func @prod_i64
// CHECK: arith.muli %{{.*}} : i64
func.func @prod_i64(%x: memref<8xi64, #gin.window>) {
  gin.all_reduce prod %x into %x : memref<8xi64, #gin.window> into memref<8xi64, #gin.window>
  return
}

// CHECK-LABEL: func @max_i32
// CHECK: arith.maxsi %{{.*}} : i32
func.func @max_i32(%x: memref<8xi32, #gin.window>) {
  gin.all_reduce max %x into %x : memref<8xi32, #gin.window> into memref<8xi32, #gin.window>
  return
}

// CHECK-LABEL: func @min_i16
// CHECK: arith.minsi %{{.*}} : i16
func.func @min_i16(%x: memref<8xi16, #gin.window>) {
  gin.all_reduce min %x into %x : memref<8xi16, #gin.window> into memref<8xi16, #gin.window>
  return
}

// CHECK-LABEL: func @max_f64
// CHECK: arith.maximumf %{{.*}} : f64
func.func @max_f64(%x: memref<8xf64, #gin.window>) {
  gin.all_reduce max %x into %x : memref<8xf64, #gin.window> into memref<8xf64, #gin.window>
  return
}

// CHECK-LABEL: func @min_f32
// CHECK: arith.minimumf %{{.*}} : f32
func.func @min_f32(%x: memref<8xf32, #gin.window>) {
  gin.all_reduce min %x into %x : memref<8xf32, #gin.window> into memref<8xf32, #gin.window>
  return
}

// Direct: widened when it is taken up, rounded once at the end. Ring: rounded each
// time that it goes on.
// CHECK-LABEL: func @sum_bf16
// CHECK-SAME:    %[[SUM:arg3]]: memref<8xf32, #gin.window> {gin.name = "all_reduce0_sum", gin.scratch}
// CHECK:       linalg.generic {{.*}} ins(%{{.*}} : memref<8xbf16, {{.*}}>) outs(%[[WIDE:.*]] : memref<8xf32,
// CHECK:         arith.extf %{{.*}} : bf16 to f32
// CHECK-NOT:     arith.truncf
// CHECK:       scf.for
// CHECK:         linalg.generic {{.*}} outs(%[[WIDE]] : memref<8xf32,
// CHECK:           arith.extf %{{.*}} : bf16 to f32
// CHECK-NEXT:      arith.addf %{{.*}} : f32
// CHECK-NEXT:      linalg.yield
// CHECK:       linalg.generic {{.*}} ins(%[[WIDE]] : {{.*}}) outs(%arg0 : memref<8xbf16,
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
// RING-LABEL: func @sum_bf16
// RING:         linalg.generic
// RING:           arith.extf %{{.*}} : bf16 to f32
// RING-NEXT:      arith.extf %{{.*}} : bf16 to f32
// RING-NEXT:      arith.addf %{{.*}} : f32
// RING-NEXT:      arith.truncf %{{.*}} : f32 to bf16
func.func @sum_bf16(%x: memref<8xbf16, #gin.window>) {
  gin.all_reduce sum %x into %x : memref<8xbf16, #gin.window> into memref<8xbf16, #gin.window>
  return
}

// CHECK-LABEL: func @prod_fp8
// CHECK: arith.extf %{{.*}} : f8E4M3FN to f32
// CHECK: arith.mulf %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f8E4M3FN
func.func @prod_fp8(%x: memref<8xf8E4M3FN, #gin.window>) {
  gin.all_reduce prod %x into %x
    : memref<8xf8E4M3FN, #gin.window> into memref<8xf8E4M3FN, #gin.window>
  return
}
