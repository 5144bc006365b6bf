// RUN: gin-opt %s --split-input-file --verify-diagnostics

// Operands.

func.func @f(%x: memref<4xf32>, %w: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put' op operand #0 must be a memref in the memory space #gin.window, of a supported element type, but got 'memref<4xf32>'}}
  gin.put %x into %w[0] on 0 : memref<4xf32> into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xi1, #gin.window>) {
  // expected-error@+1 {{'gin.put' op operand #0 must be a memref in the memory space #gin.window, of a supported element type, but got 'memref<4xi1, #gin.window>'}}
  gin.put %x into %x[0] on 0 : memref<4xi1, #gin.window> into memref<4xi1, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %w: memref<4xf32, strided<[2]>, #gin.window>) {
  // expected-error@+1 {{'gin.put' op operand #1 must be a whole window (a memref in #gin.window with the identity layout; name a part by offsets, not by a subview), but got 'memref<4xf32, strided<[2]>, #gin.window>'}}
  gin.put %x into %w[0] on 0 : memref<4xf32, #gin.window> into memref<4xf32, strided<[2]>, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %v: memref<4xf32, #gin.peer>) {
  // expected-error@+1 {{'gin.put' op operand #1 must be a whole window (a memref in #gin.window with the identity layout; name a part by offsets, not by a subview), but got 'memref<4xf32, #gin.peer>'}}
  gin.put %x into %v[0] on 0 : memref<4xf32, #gin.window> into memref<4xf32, #gin.peer>
  return
}

// -----

func.func @f(%x: memref<4xi32, #gin.window>, %w: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put' op moves elements of type 'i32', but the window has 'f32'}}
  gin.put %x into %w[0] on 0 : memref<4xi32, #gin.window> into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%v: f64, %w: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put_value' op moves elements of type 'f64', but the window has 'f32'}}
  gin.put_value %v into %w[0] on 0 : f64 into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%v: index, %w: memref<4xi64, #gin.window>) {
  // expected-error@+1 {{'gin.put_value' op operand #0 must be an integer of 8 to 64 bits, f16, bf16, f32, f64, f8E4M3FN or f8E5M2, but got 'index'}}
  gin.put_value %v into %w[0] on 0 : index into memref<4xi64, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xi32, #gin.window>, %w: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.get' op moves elements of type 'i32', but the window has 'f32'}}
  gin.get %w[0] on 0 into %x : memref<4xf32, #gin.window> into memref<4xi32, #gin.window>
  return
}

// -----

func.func @f(%v: i32, %w: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.atomic_add' op moves elements of type 'i32', but the window has 'f32'}}
  gin.atomic_add %v into %w[0] on 0 : i32 into memref<4xf32, #gin.window>
  return
}

// -----

// Peers and contexts.

func.func @f(%x: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put' op peer -2 is negative; ranks count from 0}}
  gin.put %x into %x[0] on -2 : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put' op peer 4 is not in the team #gin.team<row of ?x4> of 4 ranks; peers are relative to the team}}
  gin.put %x into %x[0] on 4 team row of ?x4 : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.get' op peer 6 is not in the team #gin.grid<2x3> of 6 ranks; peers are relative to the team}}
  gin.get %x[0] on 6 team grid 2x3 into %x : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%v: f32, %w: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.atomic_add' op peer -1 is negative; ranks count from 0}}
  gin.atomic_add %v into %w[0] on -1 : f32 into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put' op context -1 is negative; contexts count from 0}}
  gin.put %x into %x[0] on 0 context -1 : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %p: index) {
  // expected-error@+1 {{'gin.put' op needs its peer either as a value or as a literal}}
  "gin.put"(%x, %x, %p) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0>, static_indices = array<i64: 0>,
    static_peer = 0 : i64, static_slot = array<i64>}>
    : (memref<4xf32, #gin.window>, memref<4xf32, #gin.window>, index) -> ()
  return
}

// -----

// Places.

func.func @f(%x: memref<4xf32, #gin.window>, %w: memref<?x4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put' op names a place by 1 indices, but the window 'memref<?x4xf32, #gin.window>' has 2 dimensions}}
  gin.put %x into %w[0] on 0 : memref<4xf32, #gin.window> into memref<?x4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<1x1x4xf32, #gin.window>, %w: memref<?x4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put' op moves a block of 3 dimensions, more than the window 'memref<?x4xf32, #gin.window>' has}}
  gin.put %x into %w[0, 0] on 0 : memref<1x1x4xf32, #gin.window> into memref<?x4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %w: memref<?x8xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put' op reaches past the end of the window 'memref<?x8xf32, #gin.window>' in dimension 1: index 5 and extent 4 exceed 8}}
  gin.put %x into %w[0, 5] on 0 : memref<4xf32, #gin.window> into memref<?x8xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<9xf32, #gin.window>, %w: memref<?x8xf32, #gin.window>, %i: index) {
  // Wherever it begins.
  // expected-error@+1 {{'gin.put' op reaches past the end of the window 'memref<?x8xf32, #gin.window>' in dimension 1: index 0 and extent 9 exceed 8}}
  gin.put %x into %w[0, %i] on 0 : memref<9xf32, #gin.window> into memref<?x8xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<?xf32, #gin.window>, %w: memref<8xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put' op reaches past the end of the window 'memref<8xf32, #gin.window>' in dimension 0: index 9 exceeds 8}}
  gin.put %x into %w[9] on 0 : memref<?xf32, #gin.window> into memref<8xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %w: memref<4x4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put' op reaches past the end of the window 'memref<4x4xf32, #gin.window>' in dimension 0: index 4 and extent 1 exceed 4}}
  gin.put %x into %w[4, 0] on 0 : memref<4xf32, #gin.window> into memref<4x4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %w: memref<?x4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put' op index -1 in dimension 0 is negative}}
  gin.put %x into %w[-1, 0] on 0 : memref<4xf32, #gin.window> into memref<?x4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %w: memref<?x8xf32, #gin.window>) {
  // expected-error@+1 {{'gin.get' op reaches past the end of the window 'memref<?x8xf32, #gin.window>' in dimension 1: index 5 and extent 4 exceed 8}}
  gin.get %w[0, 5] on 0 into %x : memref<?x8xf32, #gin.window> into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%v: f32, %w: memref<8xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put_value' op reaches past the end of the window 'memref<8xf32, #gin.window>' in dimension 0: index 8 and extent 1 exceed 8}}
  gin.put_value %v into %w[8] on 0 : f32 into memref<8xf32, #gin.window>
  return
}

// -----

func.func @f(%v: f32, %w: memref<8xf32, #gin.window>) {
  // expected-error@+1 {{'gin.atomic_add' op names a place by 0 indices, but the window 'memref<8xf32, #gin.window>' has 1 dimensions}}
  gin.atomic_add %v into %w[] on 0 : f32 into memref<8xf32, #gin.window>
  return
}

// -----

func.func @f(%v: f32, %w: memref<?xf32, #gin.window>) {
  // The smallest integer marks a value.
  // expected-error@+1 {{'gin.put_value' op has 0 values for its indices, but 1 places for them among the literals}}
  gin.put_value %v into %w[-9223372036854775808] on 0 : f32 into memref<?xf32, #gin.window>
  return
}

// -----

func.func @f(%v: f32, %w: memref<?xf32, #gin.window>, %i: index) {
  // expected-error@+1 {{'gin.atomic_add' op has 1 values for its indices, but 0 places for them among the literals}}
  "gin.atomic_add"(%v, %w, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_indices = array<i64: 0>,
    static_peer = 0 : i64}> : (f32, memref<?xf32, #gin.window>, index) -> ()
  return
}

// -----

// Bundled signals.

func.func @f(%x: memref<4xf32, #gin.window>, %s: !gin.signals<4x4>) {
  // expected-error@+1 {{'gin.put' op names a slot by 1 indices, but the bank '!gin.signals<4x4>' has 2 dimensions}}
  gin.put %x into %x[0] on 0 signal %s[0] : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>, !gin.signals<4x4>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %s: !gin.signals<?x4>) {
  // expected-error@+1 {{'gin.put' op slot index 4 in dimension 1 is out of the range of the bank '!gin.signals<?x4>'}}
  gin.put %x into %x[0] on 0 signal %s[9, 4] : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>, !gin.signals<?x4>
  return
}

// -----

func.func @f(%v: f32, %x: memref<4xf32, #gin.window>, %s: !gin.signals<?>) {
  // expected-error@+1 {{'gin.put_value' op slot index -1 in dimension 0 is out of the range of the bank '!gin.signals<?>'}}
  gin.put_value %v into %x[0] on 0 signal %s[-1] : f32 into memref<4xf32, #gin.window>, !gin.signals<?>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.put' op weight 0 is less than 1; signals only grow}}
  gin.put %x into %x[0] on 0 signal %s[0] add 0 : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>, !gin.signals<4>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %s: !gin.signals<4>, %n: index) {
  // expected-error@+1 {{'gin.put' op needs its weight either as a value or as a literal}}
  "gin.put"(%x, %x, %s, %n) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1, 0, 1>, static_indices = array<i64: 0>,
    static_peer = 0 : i64, static_slot = array<i64: 0>, static_weight = 1 : i64}>
    : (memref<4xf32, #gin.window>, memref<4xf32, #gin.window>, !gin.signals<4>, index) -> ()
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.put' op has a slot or a weight, but no bank to signal}}
  "gin.put"(%x, %x) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, static_indices = array<i64: 0>,
    static_peer = 0 : i64, static_slot = array<i64: 0>}>
    : (memref<4xf32, #gin.window>, memref<4xf32, #gin.window>) -> ()
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %s: memref<4xi64>) {
  // expected-error@+1 {{'gin.put' op operand #2 must be a bank of signals, but got 'memref<4xi64>'}}
  gin.put %x into %x[0] on 0 signal %s[0] : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>, memref<4xi64>
  return
}

// -----

// Peer views.

func.func @f(%w: memref<?x4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.peer_view' op views 'memref<?x4xf32, #gin.window>' as 'memref<8x4xf32, #gin.peer>', which differs in more than the memory space}}
  %v = gin.peer_view %w on 0 : memref<?x4xf32, #gin.window> to memref<8x4xf32, #gin.peer>
  return
}

// -----

func.func @f(%w: memref<?x4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.peer_view' op result #0 must be a memref in the memory space #gin.peer, of a supported element type, but got 'memref<?x4xf32>'}}
  %v = gin.peer_view %w on 0 : memref<?x4xf32, #gin.window> to memref<?x4xf32>
  return
}

// -----

func.func @f(%w: memref<?x4xf32, #gin.window>) {
  // expected-error@+1 {{'gin.peer_view' op peer 2 is not in the team #gin.team<column of 2x?> of 2 ranks; peers are relative to the team}}
  %v = gin.peer_view %w on 2 team column of 2x? : memref<?x4xf32, #gin.window> to memref<?x4xf32, #gin.peer>
  return
}

// -----

// Assembly.

func.func @f(%x: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{expected 'on'}}
  gin.put %x into %x[0] : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{expected a value of type index or an integer literal}}
  gin.put %x into %x[0] on right : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %s: !gin.signals<4>) {
  // expected-error@+1 {{expected `,` and the type of the bank that is signalled, !gin.signals<...>, after the others}}
  gin.put %x into %x[0] on 0 signal %s[0] : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %s: !gin.signals<4>) {
  // expected-error@+1 {{a third type is that of a bank, but there is no `signal`}}
  gin.put %x into %x[0] on 0 : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>, !gin.signals<4>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{`context` does not stand here; the order is `on`, `team`, `context`, `accumulate` (gin.put only), `signal` (not of gin.get), `->`}}
  gin.put %x into %x[0] on 0 accumulate context 1 : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%v: f32, %x: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{`accumulate` does not stand here; the order is `on`, `team`, `context`, `accumulate` (gin.put only), `signal` (not of gin.get), `->`}}
  gin.put_value %v into %x[0] on 0 accumulate : f32 into memref<4xf32, #gin.window>
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>) {
  // expected-error@+1 {{invalid kind of type specified: expected gin.token, but found 'i1'}}
  %t = gin.put %x into %x[0] on 0 -> i1 : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  return
}
