// RUN: gin-opt %s --split-input-file --verify-diagnostics --gin-verify

// What views, selects, passes on or returns a window is fine.
func.func private @pick(%w: memref<8xf32, #gin.window>) -> memref<8xf32, #gin.window> {
  return %w : memref<8xf32, #gin.window>
}

func.func @entry(%w: memref<?x8xf32, #gin.window>, %x: memref<8xf32, #gin.window>,
                 %plain: memref<?xi1>, %s: !gin.signals<?>, %n: index, %a: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %row = memref.subview %w[%c0, 0] [1, 8] [1, 1]
    : memref<?x8xf32, #gin.window> to memref<8xf32, strided<[1], offset: ?>, #gin.window>
  %cast = memref.cast %x : memref<8xf32, #gin.window> to memref<?xf32, #gin.window>
  %flat = memref.collapse_shape %w [[0, 1]]
    : memref<?x8xf32, #gin.window> into memref<?xf32, #gin.window>
  %two = memref.expand_shape %x [[0, 1]] output_shape [2, 4]
    : memref<8xf32, #gin.window> into memref<2x4xf32, #gin.window>
  %turned = memref.transpose %two (i, j) -> (j, i)
    : memref<2x4xf32, #gin.window> to memref<4x2xf32, strided<[1, 4]>, #gin.window>
  %other = func.call @pick(%x) : (memref<8xf32, #gin.window>) -> memref<8xf32, #gin.window>
  %one = arith.select %c, %x, %other : memref<8xf32, #gin.window>
  %two_ways = scf.if %c -> memref<8xf32, #gin.window> {
    scf.yield %one : memref<8xf32, #gin.window>
  } else {
    scf.yield %x : memref<8xf32, #gin.window>
  }
  %theirs = gin.peer_view %x on 0 : memref<8xf32, #gin.window> to memref<8xf32, #gin.peer>
  %part = memref.subview %theirs[0] [4] [1]
    : memref<8xf32, #gin.peer> to memref<4xf32, strided<[1]>, #gin.peer>
  return
}

// -----

func.func @makes() {
  // expected-error @below {{'memref.alloc' op makes a window; windows come from arguments of the entry function only}}
  %0 = memref.alloc() : memref<8xf32, #gin.window>
  // expected-error @below {{'memref.alloca' op makes a window; windows come}}
  %1 = memref.alloca() : memref<8xf32, #gin.window>
  // expected-error @below {{'memref.alloc' op makes a peer view; only gin.peer_view does, and views of its result}}
  %2 = memref.alloc() : memref<8xf32, #gin.peer>
  return
}

// -----

memref.global "private" @global : memref<8xf32, #gin.window>
func.func @makes_from_global() {
  // expected-error @below {{'memref.get_global' op makes a window}}
  %0 = memref.get_global @global : memref<8xf32, #gin.window>
  return
}

// -----

func.func @casts(%m: memref<8xf32>, %i: memref<8xi8>) {
  // expected-error @below {{'memref.memory_space_cast' op makes a window}}
  %0 = memref.memory_space_cast %m : memref<8xf32> to memref<8xf32, #gin.window>
  // expected-error @below {{'builtin.unrealized_conversion_cast' op makes a window}}
  %1 = builtin.unrealized_conversion_cast %m : memref<8xf32> to memref<8xf32, #gin.window>
  // expected-error @below {{'builtin.unrealized_conversion_cast' op makes a bank of signals; banks come from arguments of the entry function only}}
  %2 = builtin.unrealized_conversion_cast %m : memref<8xf32> to !gin.signals<4>
  return
}

// -----

func.func @leaves(%w: memref<8xf32, #gin.window>) {
  // expected-error @below {{'memref.memory_space_cast' op takes a window out of its memory space}}
  %0 = memref.memory_space_cast %w : memref<8xf32, #gin.window> to memref<8xf32>
  // expected-error @below {{'memref.extract_aligned_pointer_as_index' op takes a window out of its memory space}}
  %1 = memref.extract_aligned_pointer_as_index %w : memref<8xf32, #gin.window> -> index
  // expected-error @below {{'bufferization.to_tensor' op takes a window out of its memory space}}
  %2 = bufferization.to_tensor %w : memref<8xf32, #gin.window> to tensor<8xf32>
  return
}

// -----

func.func @reinterprets(%w: memref<8xf32, #gin.window>) {
  // expected-error @below {{'memref.reinterpret_cast' op makes a window}}
  %0 = memref.reinterpret_cast %w to offset: [0], sizes: [16], strides: [1]
    : memref<8xf32, #gin.window> to memref<16xf32, strided<[1]>, #gin.window>
  return
}

// -----

func.func @reallocates(%w: memref<8xf32, #gin.window>) {
  // expected-error @below {{'memref.realloc' op makes a window}}
  // expected-error @below {{'memref.realloc' op frees a window; it belongs to whoever launches the program}}
  %0 = memref.realloc %w : memref<8xf32, #gin.window> to memref<16xf32, #gin.window>
  return
}

// -----

func.func @frees(%w: memref<8xf32, #gin.window>) {
  // expected-error @below {{'memref.dealloc' op frees a window; it belongs to whoever launches the program}}
  memref.dealloc %w : memref<8xf32, #gin.window>
  return
}

// -----

func.func private @external() -> memref<8xf32, #gin.window>
func.func @asks_c() {
  // expected-error @below {{'func.call' op gets a window from a function without a body, which may not make one}}
  %0 = func.call @external() : () -> memref<8xf32, #gin.window>
  return
}

// -----

func.func @hides(%m: memref<1xmemref<8xf32, #gin.window>>, %w: memref<8xf32, #gin.window>) {
// expected-error @above {{argument 0 of entry function @hides is 'memref<1xmemref<8xf32, #gin.window>>', which no launcher can make: its elements are no scalars}}
  %c0 = arith.constant 0 : index
  // expected-error @below {{'memref.store' op stores a window in memory, where its identity would be lost}}
  memref.store %w, %m[%c0] : memref<1xmemref<8xf32, #gin.window>>
  // expected-error @below {{'memref.load' op makes a window}}
  %0 = memref.load %m[%c0] : memref<1xmemref<8xf32, #gin.window>>
  return
}

// -----

// expected-error @below {{'func.func' op argument 0 is a window of elements of type 'i1', which cannot be moved; use i8 to i64, f16, bf16, f32, f64, f8E4M3FN or f8E5M2}}
func.func @elements(%w: memref<8xi1, #gin.window>) {
  return
}

// -----

func.func @token_in_loop(%x: memref<8xf32, #gin.window>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{the token comes from here}}
  %t = gin.put %x into %x[0] on 0 -> !gin.token
    : memref<8xf32, #gin.window> into memref<8xf32, #gin.window>
  scf.forall (%i) in (8) {
    // expected-error @below {{'scf.for' op uses a token of another agent; await it before scf.forall}}
    scf.for %j = %c0 to %n step %c1 iter_args(%u = %t) -> !gin.token {
      gin.await %u
      scf.yield %u : !gin.token
    }
  }
  return
}

// -----

// What is ready belongs to no queue; an agent's own tokens may go round its loops.
func.func @own_token(%x: memref<8xf32, #gin.window>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ready = gin.ready_token
  scf.forall (%i) in (8) {
    scf.for %j = %c0 to %n step %c1 iter_args(%u = %ready) -> !gin.token {
      gin.await %u
      %t = gin.put %x into %x[0] on 0 -> !gin.token
        : memref<8xf32, #gin.window> into memref<8xf32, #gin.window>
      scf.yield %t : !gin.token
    }
  }
  return
}

// -----

// expected-error @below {{'func.func' op passes a token; tokens do not leave their function: await them where they come from}}
func.func private @takes_token(%t: !gin.token) {
  return
}

// -----

// expected-error @below {{'func.func' op is an entry function and returns a value, which nobody receives; store it in an argument, or make the function private}}
func.func @returns() -> index {
  %c0 = arith.constant 0 : index
  return %c0 : index
}

// -----

func.func @views(
    // expected-error @below {{argument 0 of entry function @views is 'memref<8xf32, #gin.peer>', which no launcher can make: peer views are made by gin.peer_view alone}}
    %p: memref<8xf32, #gin.peer>,
    // expected-error @below {{which no launcher can make: it must be whole, without a layout}}
    %l: memref<8xf32, strided<[2]>, #gin.window>,
    // expected-error @below {{which no launcher can make: its rank must be known}}
    %u: memref<*xf32, #gin.window>,
    // expected-error @below {{which no launcher can make: its memory space is neither #gin.window nor the default}}
    %g: memref<8xf32, 3>,
    // expected-error @below {{which no launcher can make: there are windows, memrefs, banks, integers and floats}}
    %v: vector<4xf32>) {
  return
}
