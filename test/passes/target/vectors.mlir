// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

!line = memref<?xf32, #gin.window>

gpu.module @vectors {
  gpu.func @vectors(%x: !line, %y: !line, %i: index, %a: f32, %k: i8, %c: i1) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zeros = arith.constant dense<0.0> : vector<4xf32>
    %list = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
    %four = vector.load %x[%i] : !line, vector<4xf32>
    %scale = vector.broadcast %a : f32 to vector<4xf32>
    %scaled = arith.mulf %four, %scale : vector<4xf32>
    %more = vector.fma %scaled, %list, %zeros : vector<4xf32>
    %second = vector.extract %more[1] : f32 from vector<4xf32>
    %changed = vector.insert %second, %more[0] : f32 into vector<4xf32>
    vector.store %changed, %y[%i] : !line, vector<4xf32>
    %sum = vector.reduction <add>, %changed : vector<4xf32> into f32
    memref.store %sum, %y[%i] : !line
    %product = vector.reduction <mul>, %changed : vector<4xf32> into f32
    %largest = vector.reduction <maximumf>, %changed : vector<4xf32> into f32
    %least = vector.reduction <minimumf>, %changed : vector<4xf32> into f32
    %minus = arith.subf %zeros, %changed : vector<4xf32>
    %one = arith.addf %minus, %list : vector<4xf32>
    %ratio = arith.divf %a, %sum : f32
    %parts = vector.from_elements %product, %largest, %ratio, %least : vector<4xf32>
    %all = arith.addf %parts, %one : vector<4xf32>
    vector.store %all, %y[%i] : !line, vector<4xf32>
    // Of 8 bits, in which C++ computes nothing.
    %c3 = arith.constant 3 : i8
    %chosen = arith.select %c, %k, %c3 : i8
    %next = arith.addi %k, %c3 : i8
    %bytes = vector.from_elements %chosen, %next : vector<2xi8>
    %own = memref.alloca() : memref<2xi8>
    %c0 = arith.constant 0 : index
    vector.store %bytes, %own[%c0] : memref<2xi8>, vector<2xi8>
    // Subtraction from zeros has no shorter word.
    %none = arith.constant dense<0> : vector<2xi32>
    %wide = arith.constant dense<[1, 2]> : vector<2xi32>
    %m = arith.extsi %next : i8 to i32
    %same = vector.broadcast %m : i32 to vector<2xi32>
    %negative = arith.subi %none, %same : vector<2xi32>
    %either = arith.select %c, %none, %wide : vector<2xi32>
    %total = arith.muli %negative, %either : vector<2xi32>
    %small = vector.reduction <minsi>, %total : vector<2xi32> into i32
    %as_float = arith.sitofp %small : i32 to f32
    memref.store %as_float, %y[%i] : !line
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void vectors_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program, float *x, float *y, int64_t i,
// CHECK-NEXT:    float a, int8_t k, bool c) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &) {
// CHECK-NEXT:    const gin::Vector<float, 4> scaled =
// CHECK-NEXT:        gin::Vector<float, 4>::load(&x[i]) * gin::Vector<float, 4>::all(a);
// CHECK-NEXT:    const gin::Vector<float, 4> more =
// CHECK-NEXT:        gin::fma(scaled, gin::Vector<float, 4>{1.0f, 2.0f, 3.0f, 4.0f},
// CHECK-NEXT:                 gin::Vector<float, 4>::all(0.0f));
// CHECK-NEXT:    const float second = more[1];
// CHECK-NEXT:    const gin::Vector<float, 4> changed = more.with(0, second);
// CHECK-NEXT:    changed.store(&y[i]);
// CHECK-NEXT:    const float sum = changed.sum();
// CHECK-NEXT:    y[i] = sum;
// CHECK-NEXT:    const gin::Vector<float, 4> one =
// CHECK-NEXT:        gin::Vector<float, 4>::all(0.0f) - changed +
// CHECK-NEXT:        gin::Vector<float, 4>{1.0f, 2.0f, 3.0f, 4.0f};
// CHECK-NEXT:    const gin::Vector<float, 4> parts = gin::Vector<float, 4>{
// CHECK-NEXT:        changed.product(), changed.maximum(), a / sum, changed.minimum()};
// CHECK-NEXT:    (parts + one).store(&y[i]);
// CHECK-NEXT:    const int8_t next = int8_t(k + 3);
// CHECK-NEXT:    int8_t own[2];
// CHECK-NEXT:    gin::Vector<int8_t, 2>{int8_t(c ? k : 3), next}.store(&own[0]);
// CHECK-NEXT:    const gin::Vector<int32_t, 2> negative =
// CHECK-NEXT:        gin::Vector<int32_t, 2>::all(0) -
// CHECK-NEXT:        gin::Vector<int32_t, 2>::all(int32_t(next));
// CHECK-NEXT:    const gin::Vector<int32_t, 2> either =
// CHECK-NEXT:        c ? gin::Vector<int32_t, 2>::all(0) : gin::Vector<int32_t, 2>{1, 2};
// CHECK-NEXT:    y[i] = float((negative * either).minimum());
// CHECK-NEXT:  });
// CHECK-NEXT:}
