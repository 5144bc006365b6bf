// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

!line = memref<?xf32, #gin.window>

gpu.module @vectors {
  gpu.func @vectors(%x: !line, %y: !line, %i: index, %a: f32) kernel
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
    %sum = vector.reduction <add>, %changed, %a : vector<4xf32> into f32
    memref.store %sum, %y[%i] : !line
    gpu.return
  }
}

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void vectors_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program, float *x, float *y, int64_t i,
// CHECK-NEXT:    float a) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &) {
// CHECK-NEXT:    const gin::Vector<float, 4> scaled =
// CHECK-NEXT:        gin::Vector<float, 4>::load(&x[i]) * gin::Vector<float, 4>::all(a);
// CHECK-NEXT:    const gin::Vector<float, 4> more =
// CHECK-NEXT:        gin::fma(scaled, gin::Vector<float, 4>{1.0f, 2.0f, 3.0f, 4.0f},
// CHECK-NEXT:                 gin::Vector<float, 4>::all(0.0f));
// CHECK-NEXT:    const float second = more[1];
// CHECK-NEXT:    const gin::Vector<float, 4> changed = more.with(0, second);
// CHECK-NEXT:    changed.store(&y[i]);
// CHECK-NEXT:    y[i] = a + changed.sum();
// CHECK-NEXT:  });
// CHECK-NEXT:}
