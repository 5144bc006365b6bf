// RUN: gin-opt %s --split-input-file --verify-diagnostics

func.func @f(%a: memref<4xf32>, %b: memref<4x4xf32>) {
  // expected-error @+1 {{takes m x k or parts x m x k as its left factor, not 'memref<4xf32>'}}
  gin.matmul %a, %b into %b : memref<4xf32>, memref<4x4xf32> into memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>, %b: memref<4xf32>) {
  // expected-error @+1 {{takes n x k or groups x n x k as its right factor, not 'memref<4xf32>'}}
  gin.matmul %a, %b into %a transposed : memref<4x4xf32>, memref<4xf32> into memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<2x4x4xf32>, %b: memref<4x4xf32>) {
  // expected-error @+1 {{makes parts x m x n, not 'memref<4x4xf32>'}}
  gin.matmul %a, %b into %b : memref<2x4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>, %c: memref<4x4xf32, #gin.window>) {
  // expected-error @+1 {{sends its parts to ranks, but the left factor has no parts; it is parts x m x k}}
  gin.matmul %a, %a into %c on parts
    : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32, #gin.window>
  return
}

// -----

func.func @f(%a: memref<2x4x4xf32>, %b: memref<4x4xf32>) {
  // expected-error @+1 {{sends its parts to ranks, into a whole window, not 'memref<4x4xf32>'}}
  gin.matmul %a, %b into %b on parts
    : memref<2x4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf16>) {
  // expected-error @+1 {{multiplies integers or floats of one type, not 'f32' and 'f16'}}
  gin.matmul %a, %b into %a : memref<4x4xf32>, memref<4x4xf16> into memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>, %c: memref<4x4xf16>) {
  // expected-error @+1 {{cannot store products of 'f32' as 'f16'}}
  gin.matmul %a, %a into %c : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf16>
  return
}

// -----

func.func @f(%a: memref<4x5xf32>, %b: memref<4x4xf32>) {
  // expected-error @+1 {{has operands that disagree about k: 5 and 4}}
  gin.matmul %a, %b into %b : memref<4x5xf32>, memref<4x4xf32> into memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<2x4x4xf32>, %b: memref<4x4xf32>, %c: memref<3x4x4xf32>) {
  // expected-error @+1 {{has operands that disagree about parts: 2 and 3}}
  gin.matmul %a, %b into %c : memref<2x4x4xf32>, memref<4x4xf32> into memref<3x4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>) {
  // expected-error @+1 {{needs three tile sizes of at least 1: rows, columns, and the step of k}}
  gin.matmul %a, %a into %a tiles [4, 4]
    : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>, %p: index) {
  // expected-error @+1 {{needs both the first block and their count, or none}}
  "gin.matmul"(%a, %a, %a, %p) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0>}>
    ({}, {}, {}, {})
    : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>, index) -> ()
  return
}

// -----

func.func @f(%a: memref<4x4xf32>) {
  gin.matmul %a, %a into %a
    // expected-error @+1 {{acquire takes three values: the part, the row, and k}}
    acquire(%part, %row) {} : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>) {
  // expected-error @+1 {{publish takes 3 values of type index}}
  "gin.matmul"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}>
    ({}, {}, {
    ^bb0(%p: i32):
      "gin.yield"() : () -> ()
    }, {}) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{has an interval of -1 ns; it must be at least 0}}
  gin.pace -1
  return
}

// -----

func.func @f(%a: memref<4x4xf32>) {
  gin.matmul %a, %a into %a
    acquire(%part, %row, %k) {
      // expected-error @+1 {{stands in 'acquire' of gin.matmul, which runs as often as the executor has agents and tiles, so that ranks would not meet; wait for signals there}}
      gin.barrier
    } : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>, %w: memref<4xf32, #gin.window>) {
  %c0 = arith.constant 0 : index
  gin.matmul %a, %a into %a
    publish(%part, %row, %column) {
      %first = arith.cmpi eq, %row, %c0 : index
      scf.if %first {
        // expected-error @+1 {{stands in 'publish' of gin.matmul}}
        gin.all_reduce sum %w into %w : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
      }
    } : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  gin.matmul %a, %a into %a
    reserve(%part, %row, %column) {
      // expected-error @+1 {{forks agents in 'reserve' of gin.matmul, whose agents have one thread of control each; do it before or after the product}}
      gin.matmul %b, %b into %b : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
    } : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xi1>) {
  // expected-error @+1 {{multiplies signless integers of 8 bits and more, not 'i1'}}
  gin.matmul %a, %a into %a : memref<4x4xi1>, memref<4x4xi1> into memref<4x4xi1>
  return
}

// -----

func.func @f(%a: memref<4x4xui8>) {
  // expected-error @+1 {{multiplies signless integers of 8 bits and more, not 'ui8'}}
  gin.matmul %a, %a into %a : memref<4x4xui8>, memref<4x4xui8> into memref<4x4xui8>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>, %b: memref<2x4x4xf32>) {
  // expected-error @+1 {{has groups of parts, but the left factor has no parts; it is parts x m x k}}
  gin.matmul %a, %b into %a : memref<4x4xf32>, memref<2x4x4xf32> into memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>, %n: memref<1xi32>) {
  // expected-error @+1 {{has rows of parts, but the left factor has no parts; it is parts x m x k}}
  gin.matmul %a, %a into %a rows %n
    : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32> rows memref<1xi32>
  return
}

// -----

func.func @f(%a: memref<2x4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32, #gin.window>,
             %n: memref<2xi32>) {
  // expected-error @+1 {{has rows of parts, which stay on this rank; put the tiles in 'publish', without 'on parts'}}
  gin.matmul %a, %b into %c rows %n on parts
    : memref<2x4x4xf32>, memref<4x4xf32> into memref<4x4xf32, #gin.window> rows memref<2xi32>
  return
}

// -----

func.func @f(%a: memref<2x4x4xf32>, %c: memref<4x4xf32, #gin.window>) {
  // expected-error @+1 {{has groups of parts, which stay on this rank; put the tiles in 'publish', without 'on parts'}}
  gin.matmul %a, %a into %c on parts
    : memref<2x4x4xf32>, memref<2x4x4xf32> into memref<4x4xf32, #gin.window>
  return
}

// -----

func.func @f(%a: memref<2x4x4xf32>, %b: memref<4x4xf32>, %g: memref<2xindex>) {
  // expected-error @+1 {{has groups of parts, but the right factor is one matrix; it is groups x k x n}}
  gin.matmul %a, %b into %a groups %g
    : memref<2x4x4xf32>, memref<4x4xf32> into memref<2x4x4xf32> groups memref<2xindex>
  return
}

// -----

func.func @f(%a: memref<2x4x4xf32>, %n: memref<3xi32>) {
  // expected-error @+1 {{has operands that disagree about parts: 2 and 3}}
  gin.matmul %a, %a into %a rows %n
    : memref<2x4x4xf32>, memref<2x4x4xf32> into memref<2x4x4xf32> rows memref<3xi32>
  return
}

// -----

func.func @f(%a: memref<2x4x4xf32>, %g: memref<4xi64>) {
  // expected-error @+1 {{has operands that disagree about parts: 2 and 4}}
  gin.matmul %a, %a into %a groups %g
    : memref<2x4x4xf32>, memref<2x4x4xf32> into memref<2x4x4xf32> groups memref<4xi64>
  return
}

// -----

func.func @f(%a: memref<2x4x4xf32>, %b: memref<3x5x4xf32>) {
  // expected-error @+1 {{has operands that disagree about k: 4 and 5}}
  gin.matmul %a, %b into %a : memref<2x4x4xf32>, memref<3x5x4xf32> into memref<2x4x4xf32>
  return
}

// -----

func.func @f(%a: memref<2x4x4xf32>, %n: memref<2xi8>) {
  // expected-error @+1 {{operand #3 must be 1D memref of index or 32-bit signless integer or 64-bit signless integer values, but got 'memref<2xi8>'}}
  gin.matmul %a, %a into %a rows %n
    : memref<2x4x4xf32>, memref<2x4x4xf32> into memref<2x4x4xf32> rows memref<2xi8>
  return
}
