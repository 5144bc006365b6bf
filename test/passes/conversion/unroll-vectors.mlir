// RUN: gin-opt %s --gin-lower-vectors=unroll --cse --split-input-file | FileCheck %s

// No op of the vector dialect is here; flags stay.
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME:    %[[V:.*]]: vector<2xf32>
// CHECK:         %[[A:.*]] = vector.extract %[[V]][0] : f32 from vector<2xf32>
// CHECK-NEXT:    %[[X:.*]] = math.exp %[[A]] fastmath<nnan> : f32
// CHECK-NEXT:    %[[B:.*]] = vector.extract %[[V]][1] : f32 from vector<2xf32>
// CHECK-NEXT:    %[[Y:.*]] = math.exp %[[B]] fastmath<nnan> : f32
// CHECK-NEXT:    %[[R:.*]] = vector.from_elements %[[X]], %[[Y]] : vector<2xf32>
// CHECK-NEXT:    return %[[R]]
func.func @elementwise(%v: vector<2xf32>) -> vector<2xf32> {
  %r = math.exp %v fastmath<nnan> : vector<2xf32>
  return %r : vector<2xf32>
}

// -----

// What lies between is scalar, constants are folded, and a scalar condition stays.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[V:.*]]: vector<2xi32>, %[[C:.*]]: i1
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2 : i32
// CHECK:         %[[A:.*]] = vector.extract %[[V]][0]
// CHECK:         %[[LESS:.*]] = arith.cmpi ult, %[[A]], %[[ONE]] : i32
// CHECK:         %[[B:.*]] = vector.extract %[[V]][1]
// CHECK:         %[[LESS2:.*]] = arith.cmpi ult, %[[B]], %[[TWO]] : i32
// CHECK:         %[[X:.*]] = arith.select %[[LESS]], %[[A]], %[[ONE]] : i32
// CHECK:         %[[Y:.*]] = arith.select %[[LESS2]], %[[B]], %[[TWO]] : i32
// CHECK:         %[[R:.*]] = vector.from_elements %[[X]], %[[Y]] : vector<2xi32>
// CHECK:         arith.select %[[C]], %[[R]], %[[V]] : vector<2xi32>
func.func @chain(%v: vector<2xi32>, %c: i1) -> vector<2xi32> {
  %list = arith.constant dense<[1, 2]> : vector<2xi32>
  %less = arith.cmpi ult, %v, %list : vector<2xi32>
  %r = arith.select %less, %v, %list : vector<2xi1>, vector<2xi32>
  %s = arith.select %c, %r, %v : vector<2xi32>
  return %s : vector<2xi32>
}

// -----

// CHECK-LABEL: func.func @casts(
// CHECK-COUNT-2: arith.extf %{{.*}} : f16 to f32
// CHECK-COUNT-2: arith.bitcast %{{.*}} : f32 to i32
// CHECK-NOT:     vector.bitcast
func.func @casts(%v: vector<2xf16>) -> vector<2xi32> {
  %wide = arith.extf %v : vector<2xf16> to vector<2xf32>
  %bits = vector.bitcast %wide : vector<2xf32> to vector<2xi32>
  return %bits : vector<2xi32>
}

// -----

// CHECK-LABEL: func.func @two_results(
// CHECK:         %[[X:.*]], %[[XC:.*]] = arith.addui_extended %{{.*}}, %{{.*}} : i32, i1
// CHECK:         %[[Y:.*]], %[[YC:.*]] = arith.addui_extended %{{.*}}, %{{.*}} : i32, i1
// CHECK-DAG:     %[[SUMS:.*]] = vector.from_elements %[[X]], %[[Y]] : vector<2xi32>
// CHECK-DAG:     %[[CARRIES:.*]] = vector.from_elements %[[XC]], %[[YC]] : vector<2xi1>
// CHECK:         return %[[SUMS]], %[[CARRIES]]
func.func @two_results(%a: vector<2xi32>, %b: vector<2xi32>) -> (vector<2xi32>, vector<2xi1>) {
  %sum, %carry = arith.addui_extended %a, %b : vector<2xi32>, vector<2xi1>
  return %sum, %carry : vector<2xi32>, vector<2xi1>
}

// -----

// Kernels have these.
// CHECK-LABEL: func.func @kept(
// CHECK-NEXT:    arith.addf %{{.*}} : vector<4xf32>
// CHECK-NEXT:    vector.fma %{{.*}} : vector<4xf32>
// CHECK-NEXT:    vector.reduction <add>, %{{.*}} : vector<4xf32> into f32
// CHECK-NEXT:    arith.muli %{{.*}} : vector<4xi64>
// CHECK-NEXT:    vector.reduction <maxsi>, %{{.*}} : vector<4xi64> into i64
// CHECK-NEXT:    return
func.func @kept(%a: vector<4xf32>, %b: vector<4xi64>) -> (f32, i64) {
  %c = arith.addf %a, %a : vector<4xf32>
  %d = vector.fma %a, %c, %a : vector<4xf32>
  %e = vector.reduction <add>, %d : vector<4xf32> into f32
  %f = arith.muli %b, %b : vector<4xi64>
  %g = vector.reduction <maxsi>, %f : vector<4xi64> into i64
  return %e, %g : f32, i64
}

// -----

// But not for these types.
// CHECK-LABEL: func.func @small(
// CHECK-COUNT-2: arith.addf %{{.*}} : bf16
// CHECK-COUNT-2: math.fma %{{.*}} : bf16
// CHECK-COUNT-2: arith.divsi %{{.*}} : i8
// CHECK:         return
func.func @small(%a: vector<2xbf16>, %b: vector<2xi8>) -> (vector<2xbf16>, vector<2xi8>) {
  %c = arith.addf %a, %a : vector<2xbf16>
  %d = vector.fma %a, %c, %a : vector<2xbf16>
  %e = arith.divsi %b, %b : vector<2xi8>
  return %d, %e : vector<2xbf16>, vector<2xi8>
}

// -----

// In order, beginning with the accumulator.
// CHECK-LABEL: func.func @reductions(
// CHECK-SAME:    %[[V:.*]]: vector<2xf32>, %[[S:.*]]: f32, %[[U:.*]]: vector<2xi8>
// CHECK:         %[[A:.*]] = vector.extract %[[V]][0]
// CHECK:         %[[B:.*]] = vector.extract %[[V]][1]
// CHECK:         %[[ONE:.*]] = arith.addf %[[S]], %[[A]] fastmath<nnan> : f32
// CHECK:         %[[ALL:.*]] = arith.addf %[[ONE]], %[[B]] fastmath<nnan> : f32
// CHECK:         %[[C:.*]] = vector.extract %[[U]][0]
// CHECK:         %[[D:.*]] = vector.extract %[[U]][1]
// CHECK:         %[[LEAST:.*]] = arith.minui %[[C]], %[[D]] : i8
// CHECK:         return %[[ALL]], %[[LEAST]]
func.func @reductions(%v: vector<2xf32>, %s: f32, %u: vector<2xi8>) -> (f32, i8) {
  %sum = vector.reduction <add>, %v, %s fastmath<nnan> : vector<2xf32> into f32
  %least = vector.reduction <minui>, %u : vector<2xi8> into i8
  return %sum, %least : f32, i8
}

// -----

// CHECK-LABEL: func.func @moves(
// CHECK-SAME:    %[[V:.*]]: vector<4xi32>, %[[W:.*]]: vector<2xi32>
// CHECK-DAG:     %[[POISON:.*]] = ub.poison : i32
// CHECK-DAG:     %[[V0:.*]] = vector.extract %[[V]][0]
// CHECK-DAG:     %[[V3:.*]] = vector.extract %[[V]][3]
// CHECK-DAG:     %[[W1:.*]] = vector.extract %[[W]][1]
// CHECK:         vector.from_elements %[[W1]], %[[POISON]], %[[V3]], %[[V0]] : vector<4xi32>
// CHECK-NOT:     interleave
// CHECK-NOT:     shuffle
// CHECK-NOT:     to_elements
// CHECK:         return
func.func @moves(%v: vector<4xi32>, %w: vector<2xi32>) -> (vector<4xi32>, vector<4xi32>, i32) {
  %a = vector.shuffle %v, %w [5, -1, 3, 0] : vector<4xi32>, vector<2xi32>
  %even, %odd = vector.deinterleave %v : vector<4xi32> -> vector<2xi32>
  %b = vector.interleave %odd, %even : vector<2xi32> -> vector<4xi32>
  %e:4 = vector.to_elements %v : vector<4xi32>
  return %a, %b, %e#2 : vector<4xi32>, vector<4xi32>, i32
}

// -----

// Vectors of several dimensions, or of an unknown size, are nothing that kernels have.
// CHECK-LABEL: func.func @stays(
// CHECK:         math.exp %{{.*}} : vector<2x4xf32>
// CHECK:         math.exp %{{.*}} : vector<[4]xf32>
func.func @stays(%v: vector<2x4xf32>, %w: vector<[4]xf32>) -> (vector<2x4xf32>, vector<[4]xf32>) {
  %r = math.exp %v : vector<2x4xf32>
  %s = math.exp %w : vector<[4]xf32>
  return %r, %s : vector<2x4xf32>, vector<[4]xf32>
}
