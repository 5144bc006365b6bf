// RUN: gin-opt %s --split-input-file --verify-diagnostics

// Kinds of operands.

func.func @f(%x: memref<4xf32>, %y: memref<?x4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.all_gather' op operand #0 must be a memref in #gin.window or a ranked tensor, of a supported element type, but got 'memref<4xf32>'}}
  gin.all_gather %x into %y : memref<4xf32> into memref<?x4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: tensor<4xi1>, %y: tensor<?x4xi1>) {
  // expected-error@+1 {{'gin.all_gather' op operand #0 must be a memref in #gin.window or a ranked tensor, of a supported element type, but got 'tensor<4xi1>'}}
  %0 = gin.all_gather %x into %y : tensor<4xi1> into tensor<?x4xi1> -> tensor<?x4xi1>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: memref<?x4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.all_gather' op has both tensors and windows; give one kind of operand}}
  gin.all_gather %x into %y : tensor<4xf32> into memref<?x4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<?x4xf32>) {
  // expected-error@+1 {{'gin.all_gather' op expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  gin.all_gather %x into %y : tensor<4xf32> into tensor<?x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<?x4xf32>) {
  // expected-error@+1 {{'gin.all_gather' op expected type of operand #1 ('tensor<?x4xf32>') to match type of corresponding result ('tensor<8x4xf32>')}}
  %0 = gin.all_gather %x into %y : tensor<4xf32> into tensor<?x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %y: memref<?x4xf32, strided<[8, 1]>, #gin.window>) {
  // expected-error@+1 {{'gin.all_gather' op writes into 'memref<?x4xf32, strided<[8, 1]>, #gin.window>', which is not a whole window}}
  gin.all_gather %x into %y : memref<4xf32, #gin.window> into memref<?x4xf32, strided<[8, 1]>, #gin.window>
  return
}

// -----

func.func @f(%x: memref<?x4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.all_to_all' op has one window as operands 0 and 1; peers write the latter while the former is in use}}
  gin.all_to_all %x into %x : memref<?x4xf32, #gin.window> into memref<?x4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{expected sum, prod, max or min}}
  gin.all_reduce mean %x into %x : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  return
}

// -----

// Shapes.

func.func @f(%x: memref<4xf32, #gin.window>, %y: memref<?x5xf32, #gin.window>) {
  // expected-error@+1 {{'gin.all_gather' op result is 'memref<?x5xf32, #gin.window>', which is not ranks x the input's shape, ?x4}}
  gin.all_gather %x into %y : memref<4xf32, #gin.window> into memref<?x5xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %y: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.all_gather' op result is 'memref<4xf32, #gin.window>', which is not ranks x the input's shape, 6x4}}
  gin.all_gather %x into %y team grid 2x3 : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %y: memref<?x4xf16, #gin.window>) {
  // expected-error@+1 {{'gin.all_gather' op result has elements of type 'f16', not 'f32'}}
  gin.all_gather %x into %y : memref<4xf32, #gin.window> into memref<?x4xf16, #gin.window>
  return
}

// -----

func.func @f(%x: memref<f32, #gin.window>, %y: memref<f32, #gin.window>) {
  // expected-error@+1 {{'gin.all_to_all' op input has no dimension for the ranks}}
  gin.all_to_all %x into %y : memref<f32, #gin.window> into memref<f32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<5xf32, #gin.window>, %y: memref<5xf32, #gin.window>) {
  // expected-error@+1 {{'gin.all_to_all' op input has 5 blocks, but the team has 4 ranks}}
  gin.all_to_all %x into %y team grid 2x2 : memref<5xf32, #gin.window> into memref<5xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<?x5xf32, #gin.window>, %y: memref<?x6xf32, #gin.window>) {
  // expected-error@+1 {{'gin.all_to_all' op result is 'memref<?x6xf32, #gin.window>', which is not the input's shape, ?x5}}
  gin.all_to_all %x into %y : memref<?x5xf32, #gin.window> into memref<?x6xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<5xf32, #gin.window>, %y: memref<6xf32, #gin.window>) {
  // expected-error@+1 {{'gin.all_reduce' op result is 'memref<6xf32, #gin.window>', which is not the input's shape, 5}}
  gin.all_reduce sum %x into %y : memref<5xf32, #gin.window> into memref<6xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<?x6xf32, #gin.window>, %y: memref<5xf32, #gin.window>) {
  // expected-error@+1 {{'gin.reduce_scatter' op input is 'memref<?x6xf32, #gin.window>', which is not ranks x the result's shape, ?x5}}
  gin.reduce_scatter sum %x into %y : memref<?x6xf32, #gin.window> into memref<5xf32, #gin.window>
  return
}

// -----

// Mixture of experts. tokens 8x64, experts 8x2, received ?x2x16x64, counts ?x2, positions 8x2.

!tokens = memref<8x64xf32, #gin.window>
!pairs = memref<8x2xi32, #gin.window>
!counts = memref<?x2xi32, #gin.window>
!blocks = memref<?x2x16x64xf32, #gin.window>
func.func @f(%x: !tokens, %e: memref<8x2xf32, #gin.window>, %r: !blocks, %c: !counts, %p: !pairs) {
  // expected-error@+1 {{'gin.dispatch' op experts is 'memref<8x2xf32, #gin.window>', which is not tokens x choices of i32 or i64}}
  gin.dispatch %x, %e into %r, %c, %p : !tokens, memref<8x2xf32, #gin.window> into !blocks, !counts, !pairs
  return
}

// -----

!pairs = memref<8x2xi32, #gin.window>
!counts = memref<?x2xi32, #gin.window>
!blocks = memref<?x2x16x64xf32, #gin.window>
func.func @f(%x: memref<9x64xf32, #gin.window>, %e: !pairs, %r: !blocks, %c: !counts, %p: !pairs) {
  // expected-error@+1 {{'gin.dispatch' op tokens is 'memref<9x64xf32, #gin.window>', which is not tokens x elements, 8 tokens as in experts}}
  gin.dispatch %x, %e into %r, %c, %p : memref<9x64xf32, #gin.window>, !pairs into !blocks, !counts, !pairs
  return
}

// -----

!tokens = memref<8x64xf32, #gin.window>
!pairs = memref<8x2xi32, #gin.window>
!counts = memref<?x2xi32, #gin.window>
!blocks = memref<?x2x16x64xf32, #gin.window>
func.func @f(%x: !tokens, %e: !pairs, %r: !blocks, %c: !counts, %p: memref<8x3xi32, #gin.window>) {
  // expected-error@+1 {{'gin.dispatch' op positions is 'memref<8x3xi32, #gin.window>', which is not tokens x choices, 8x2}}
  gin.dispatch %x, %e into %r, %c, %p : !tokens, !pairs into !blocks, !counts, memref<8x3xi32, #gin.window>
  return
}

// -----

!tokens = memref<8x64xf32, #gin.window>
!pairs = memref<8x2xi32, #gin.window>
!counts = memref<?x2xi32, #gin.window>
!blocks = memref<?x2x16x64xf32, #gin.window>
func.func @f(%x: !tokens, %e: !pairs, %r: !blocks, %c: !counts, %p: memref<8x2xi64, #gin.window>) {
  // expected-error@+1 {{'gin.dispatch' op positions has elements of type 'i64', not 'i32'}}
  gin.dispatch %x, %e into %r, %c, %p : !tokens, !pairs into !blocks, !counts, memref<8x2xi64, #gin.window>
  return
}

// -----

!tokens = memref<8x64xf32, #gin.window>
!pairs = memref<8x2xi32, #gin.window>
!counts = memref<?x2xi32, #gin.window>
func.func @f(%x: !tokens, %e: !pairs, %r: memref<4x2x16x65xf32, #gin.window>, %c: !counts, %p: !pairs) {
  // expected-error@+1 {{'gin.dispatch' op received is 'memref<4x2x16x65xf32, #gin.window>', which is not ranks x local experts x capacity x elements, ?x?x?x64}}
  gin.dispatch %x, %e into %r, %c, %p : !tokens, !pairs into memref<4x2x16x65xf32, #gin.window>, !counts, !pairs
  return
}

// -----

!tokens = memref<8x64xf32, #gin.window>
!pairs = memref<8x2xi32, #gin.window>
!blocks = memref<?x2x16x64xf32, #gin.window>
func.func @f(%x: !tokens, %e: !pairs, %r: !blocks, %c: memref<?x3xi32, #gin.window>, %p: !pairs) {
  // expected-error@+1 {{'gin.dispatch' op counts is 'memref<?x3xi32, #gin.window>', which is not ranks x local experts, ?x2}}
  gin.dispatch %x, %e into %r, %c, %p : !tokens, !pairs into !blocks, memref<?x3xi32, #gin.window>, !pairs
  return
}

// -----

!tokens = memref<8x64xf32, #gin.window>
!pairs = memref<8x2xi32, #gin.window>
!counts = memref<?x2xi32, #gin.window>
!blocks = memref<?x2x16x64xf32, #gin.window>
func.func @f(%x: !tokens, %e: !pairs, %r: !blocks, %c: !counts) {
  // expected-error@+1 {{'gin.dispatch' op has one window as operands 1 and 4; peers write the latter while the former is in use}}
  gin.dispatch %x, %e into %r, %c, %e : !tokens, !pairs into !blocks, !counts, !pairs
  return
}

// -----

!tokens = memref<8x64xf32, #gin.window>
!pairs = memref<8x2xi32, #gin.window>
!blocks = memref<?x2x16x64xf32, #gin.window>
func.func @f(%out: !blocks, %e: !pairs, %p: !pairs, %w: memref<8x2xf64, #gin.window>, %y: !tokens) {
  // expected-error@+1 {{'gin.combine' op weights has elements of type 'f64', not 'f32'}}
  gin.combine %out, %e, %p, %w into %y : !blocks, !pairs, !pairs, memref<8x2xf64, #gin.window> into !tokens
  return
}

// -----

!tokens = memref<8x64xf32, #gin.window>
!pairs = memref<8x2xi32, #gin.window>
!weights = memref<8x2xf32, #gin.window>
func.func @f(%out: memref<6x2x16x64xf32, #gin.window>, %e: !pairs, %p: !pairs, %w: !weights, %y: !tokens) {
  // expected-error@+1 {{'gin.combine' op outputs is 'memref<6x2x16x64xf32, #gin.window>', which is not ranks x local experts x capacity x elements, 4x?x?x64}}
  gin.combine %out, %e, %p, %w into %y team row of ?x4 : memref<6x2x16x64xf32, #gin.window>, !pairs, !pairs, !weights into !tokens
  return
}

// -----

!pairs = memref<8x2xi32, #gin.window>
!weights = memref<8x2xf32, #gin.window>
!blocks = memref<?x2x16x64xf32, #gin.window>
func.func @f(%out: !blocks, %e: !pairs, %p: !pairs, %w: !weights, %y: memref<8xf32, #gin.window>) {
  // expected-error@+1 {{'gin.combine' op result is 'memref<8xf32, #gin.window>', which is not tokens x elements, 8 tokens as in experts}}
  gin.combine %out, %e, %p, %w into %y : !blocks, !pairs, !pairs, !weights into memref<8xf32, #gin.window>
  return
}
