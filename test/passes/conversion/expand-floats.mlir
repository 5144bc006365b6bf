// RUN: gin-opt %s --gin-expand-floats | FileCheck %s
// RUN: gin-opt %s --math-extend-to-supported-types --gin-expand-floats --canonicalize | FileCheck %s --check-prefix=ROUND

// Arithmetic is done in f32 and rounded after each op.
// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[A:.*]]: bf16, %[[B:.*]]: bf16)
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i32
// CHECK-DAG: %[[BITS:.*]] = arith.bitcast %[[A]] : bf16 to i16
// CHECK-DAG: %[[WIDE:.*]] = arith.extui %[[BITS]] : i16 to i32
// CHECK-DAG: %[[HIGH:.*]] = arith.shli %[[WIDE]], %[[C16]] : i32
// CHECK-DAG: %[[X:.*]] = arith.bitcast %[[HIGH]] : i32 to f32
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NOT: arith.truncf
// CHECK: %[[R:.*]] = arith.bitcast %{{.*}} : i16 to bf16
// CHECK: return %[[R]] : bf16
func.func @add(%a: bf16, %b: bf16) -> bf16 {
  %0 = arith.addf %a, %b : bf16
  return %0 : bf16
}

// CHECK-LABEL: func.func @vectors(
// CHECK-NOT: arith.extf
// CHECK: arith.mulf %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK: %[[R:.*]] = arith.bitcast %{{.*}} : vector<4xi8> to vector<4xf8E4M3FN>
// CHECK: return %[[R]]
func.func @vectors(%a: vector<4xf8E4M3FN>, %b: vector<4xf8E4M3FN>) -> vector<4xf8E4M3FN> {
  %0 = arith.mulf %a, %b : vector<4xf8E4M3FN>
  return %0 : vector<4xf8E4M3FN>
}

// Between small types, by way of f32.
// CHECK-LABEL: func.func @between(
// CHECK-NOT: arith.truncf
// CHECK-NOT: f8E5M2 to bf16
// CHECK: return
func.func @between(%a: f8E5M2, %x: f64) -> (bf16, f8E5M2) {
  %0 = arith.extf %a : f8E5M2 to bf16
  %1 = arith.truncf %x : f64 to f8E5M2
  return %0, %1 : bf16, f8E5M2
}

// The processor knows these.
// CHECK-LABEL: func.func @known(
// CHECK-NEXT: arith.addf %{{.*}} : f16
// CHECK-NEXT: arith.extf %{{.*}} : f16 to f32
// CHECK-NEXT: arith.addf %{{.*}} : f32
// CHECK-NEXT: arith.truncf %{{.*}} : f32 to f16
func.func @known(%a: f16) -> f16 {
  %0 = arith.addf %a, %a : f16
  %1 = arith.extf %0 : f16 to f32
  %2 = arith.addf %1, %1 : f32
  %3 = arith.truncf %2 : f32 to f16
  return %3 : f16
}

// Integers that f32 would round go by way of f64; those that even that would, are
// rounded to odd before.
// CHECK-LABEL: func @from_i32(
// CHECK: %[[WIDE:.*]] = arith.sitofp %{{.*}} : i32 to f64
// CHECK: arith.bitcast %[[WIDE]] : f64 to i64
func.func @from_i32(%n: i32) -> bf16 {
  %0 = arith.sitofp %n : i32 to bf16
  return %0 : bf16
}

// CHECK-LABEL: func @from_i64(
// CHECK-SAME: %[[N:.*]]: vector<4xi64>
// CHECK: %[[LOW:.*]] = arith.andi %[[N]], %{{.*}}
// CHECK: %[[HIGH:.*]] = arith.subi %[[N]], %[[LOW]]
// CHECK: %[[ODD:.*]] = arith.ori %[[HIGH]], %{{.*}}
// CHECK: %[[LARGE:.*]] = arith.cmpi ugt
// CHECK: %[[EXACT:.*]] = arith.select %[[LARGE]], %[[ODD]], %[[N]]
// CHECK: arith.uitofp %[[EXACT]] : vector<4xi64> to vector<4xf64>
func.func @from_i64(%n: vector<4xi64>) -> vector<4xbf16> {
  %0 = arith.uitofp %n : vector<4xi64> to vector<4xbf16>
  return %0 : vector<4xbf16>
}

// f32 holds these.
// CHECK-LABEL: func @from_i16(
// CHECK: arith.sitofp %{{.*}} : i16 to f32
// CHECK-NOT: f64
func.func @from_i16(%n: i16) -> bf16 {
  %0 = arith.sitofp %n : i16 to bf16
  return %0 : bf16
}

// CHECK-LABEL: func @fma(
// CHECK: math.fma %{{.*}} : f32
// CHECK-NOT: math.fma
// CHECK: return
func.func @fma(%a: f8E5M2) -> f8E5M2 {
  %0 = math.fma %a, %a, %a : f8E5M2
  return %0 : f8E5M2
}

// Upstream's pass lets the rounding between two functions be left out.
// ROUND-LABEL: func.func @rounds_each(
// ROUND: math.sin %{{.*}} : f32
// ROUND: arith.truncf %{{.*}} : f32 to f16
// ROUND: arith.extf %{{.*}} : f16 to f32
// ROUND: math.floor %{{.*}} : f32
func.func @rounds_each(%a: f16) -> f16 {
  %b = math.sin %a : f16
  %c = math.floor %b : f16
  return %c : f16
}
