// RUN: gin-opt %s --gin-expand-math | FileCheck %s

// CHECK-LABEL: func.func @classes(
// CHECK-SAME: %[[X:.*]]: f32)
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]] : f32
// CHECK: %[[SIZE:.*]] = math.absf %[[X]] : f32
// CHECK: %[[LARGEST:.*]] = arith.constant 3.40282347E+38 : f32
// CHECK: %[[INF:.*]] = arith.cmpf ogt, %[[SIZE]], %[[LARGEST]] : f32
// CHECK: %[[FINITE:.*]] = arith.cmpf ole, %{{.*}}, %{{.*}} : f32
// CHECK: %[[BELOW:.*]] = arith.cmpf ole, %{{.*}}, %{{.*}} : f32
// CHECK: %[[LEAST:.*]] = arith.constant 1.17549435E-38 : f32
// CHECK: %[[ABOVE:.*]] = arith.cmpf oge, %{{.*}}, %[[LEAST]] : f32
// CHECK: %[[NORMAL:.*]] = arith.andi %[[BELOW]], %[[ABOVE]] : i1
// CHECK: return %[[NAN]], %[[INF]], %[[FINITE]], %[[NORMAL]]
func.func @classes(%x: f32) -> (i1, i1, i1, i1) {
  %nan = math.isnan %x : f32
  %inf = math.isinf %x : f32
  %finite = math.isfinite %x : f32
  %normal = math.isnormal %x : f32
  return %nan, %inf, %finite, %normal : i1, i1, i1, i1
}

// Each type has its own limits, vectors too; nothing is above the largest number of a
// type without infinity.
// CHECK-LABEL: func.func @types(
// CHECK: arith.constant dense<6.550400e+04> : vector<4xf16>
// CHECK: arith.cmpf ogt, %{{.*}}, %{{.*}} : vector<4xf16>
// CHECK: arith.constant 4.480000e+02 : f8E4M3FN
// CHECK: arith.cmpf ogt, %{{.*}}, %{{.*}} : f8E4M3FN
func.func @types(%h: vector<4xf16>, %e: f8E4M3FN) -> (vector<4xi1>, i1) {
  %0 = math.isinf %h : vector<4xf16>
  %1 = math.isinf %e : f8E4M3FN
  return %0, %1 : vector<4xi1>, i1
}

// CHECK-LABEL: func.func @sincos(
// CHECK-SAME: %[[X:.*]]: f32)
// CHECK: %[[SIN:.*]] = math.sin %[[X]] fastmath<nnan> : f32
// CHECK: %[[COS:.*]] = math.cos %[[X]] fastmath<nnan> : f32
// CHECK: return %[[SIN]], %[[COS]]
func.func @sincos(%x: f32) -> (f32, f32) {
  %sin, %cos = math.sincos %x fastmath<nnan> : f32
  return %sin, %cos : f32, f32
}

// CHECK-LABEL: func.func @clamp(
// CHECK-SAME: %[[X:.*]]: f32, %[[LEAST:.*]]: f32, %[[MOST:.*]]: f32)
// CHECK: %[[ABOVE:.*]] = arith.maximumf %[[X]], %[[LEAST]] : f32
// CHECK: %[[R:.*]] = arith.minimumf %[[ABOVE]], %[[MOST]] : f32
// CHECK: return %[[R]]
func.func @clamp(%x: f32, %least: f32, %most: f32) -> f32 {
  %0 = math.clampf %x to [%least, %most] : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @carry(
// CHECK-SAME: %[[A:.*]]: index, %[[B:.*]]: index, %[[C:.*]]: i64)
// CHECK: %[[SUM:.*]] = arith.addi %[[A]], %[[B]] : index
// CHECK: %[[CARRY:.*]] = arith.cmpi ult, %[[SUM]], %[[A]] : index
// CHECK: arith.addui_extended %[[C]], %[[C]] : i64, i1
// CHECK: return %[[SUM]], %[[CARRY]]
func.func @carry(%a: index, %b: index, %c: i64) -> (index, i1, i64, i1) {
  %0, %1 = arith.addui_extended %a, %b : index, i1
  %2, %3 = arith.addui_extended %c, %c : i64, i1
  return %0, %1, %2, %3 : index, i1, i64, i1
}
