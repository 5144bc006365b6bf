// RUN: gin-translate --gin-to-cuda %s | FileCheck %s --match-full-lines --strict-whitespace

// Names that mean something else in C++, that two values have, that none has.
!matrix = memref<?x?xf32, #gin.window>

gpu.module @names {
  gpu.func @names(%x: !matrix {gin.name = "tokens"}, %y: !matrix, %float: index, %M_PI: index,
                  %context: memref<?xf32>, %0: index, %signals: !gin.signals<2>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // Extents: by the first memref.dim, where that is one thing.
    %rows = memref.dim %x, %c0 : !matrix
    %cols = memref.dim %x, %c1 : !matrix
    %cols_0 = memref.dim %y, %c1 : !matrix
    %all = arith.addi %float, %M_PI : index
    %both = arith.addi %all, %0 : index
    %class = arith.muli %both, %both : index
    %1 = arith.addi %class, %both : index
    %2 = arith.subi %1, %cols : index
    %element = memref.load %x[%1, %2] : !matrix
    memref.store %element, %y[%2, %1] : !matrix
    // Siblings may have one name.
    scf.for %i = %c0 to %rows step %c1 {
      %q = arith.addi %i, %1 : index
      %value = memref.load %x[%q, %q] : !matrix
      memref.store %value, %context[%i] : memref<?xf32>
      memref.store %value, %context[%q] : memref<?xf32>
    }
    scf.for %i = %c0 to %cols_0 step %c1 {
      %q = arith.muli %i, %1 : index
      scf.for %3 = %c0 to %q step %c1 {
        memref.store %element, %y[%3, %q] : !matrix
      }
    }
    // From another file: an inlined function.
    gin.wait %signals[0] >= 1 {gin.scope = #gin.scope<block>} : !gin.signals<2>
      loc(#call)
    gpu.return
  }
}
#callee = loc("library.mlir":7:3)
#caller = loc("names.mlir":99:1)
#call = loc(callsite(#callee at #caller))

// CHECK-LABEL:extern "C" __global__ __launch_bounds__(64, 2) void names_kernel(
// CHECK-NEXT:    const __grid_constant__ gin::Program program, float *tokens, int64_t rows,
// CHECK-NEXT:    int64_t cols, float *y, int64_t cols_0, int64_t float_2, int64_t M_PI_,
// CHECK-NEXT:    float *context_2, int64_t argument5,
// CHECK-NEXT:    const __grid_constant__ gin::Bank signals) {
// CHECK-NEXT:  gin::run(program, [&](gin::Context &context) {
// CHECK-NEXT:    const int64_t both = float_2 + M_PI_ + argument5;
// CHECK-NEXT:    const int64_t sum = both * both + both;
// CHECK-NEXT:    const int64_t difference = sum - cols;
// CHECK-NEXT:    const float element = tokens[sum * cols + difference];
// CHECK-NEXT:    y[difference * cols_0 + sum] = element;
// CHECK-NEXT:    // names.mlir:24: scf.for %i
// CHECK-NEXT:    for (int64_t i = 0; i < rows; ++i) {
// CHECK-NEXT:      const int64_t q = i + sum;
// CHECK-NEXT:      const float value = tokens[q * cols + q];
// CHECK-NEXT:      context_2[i] = value;
// CHECK-NEXT:      context_2[q] = value;
// CHECK-NEXT:    }
// CHECK-NEXT:    // names.mlir:30: scf.for %i
// CHECK-NEXT:    for (int64_t i = 0; i < cols_0; ++i) {
// CHECK-NEXT:      const int64_t q = i * sum;
// CHECK-NEXT:      // names.mlir:32: scf.for
// CHECK-NEXT:      for (int64_t j = 0; j < q; ++j)
// CHECK-NEXT:        y[j * cols_0 + q] = element;
// CHECK-NEXT:    }
// CHECK-NEXT:    // library.mlir:7: gin.wait %signals
// CHECK-NEXT:    GIN_MUST(gin::wait(context, gin::Block(), signals, 0, 1,
// CHECK-NEXT:                       gin::Site{"gin.wait %signals", "library.mlir", 7}));
// CHECK-NEXT:  });
// CHECK-NEXT:}
