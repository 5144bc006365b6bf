// RUN: gin-translate --gin-to-cuda --split-input-file --verify-diagnostics %s

// expected-error @below {{has no kernel (gpu.func ... kernel) to emit as CUDA; run gin-map-to-kernel}}
module {
  func.func @f() {
    return
  }
}

// -----

gpu.module @two {
  // expected-note @below {{this is the first one}}
  gpu.func @one() kernel {
    gpu.return
  }
  // expected-error @below {{is the second kernel, and one can be emitted, or several that a function launches}}
  gpu.func @two() kernel {
    gpu.return
  }
}

// -----

gpu.module @copies {
  gpu.func @copies(%x: memref<4xf32, #gin.window>, %y: memref<4xf32, #gin.window>) kernel {
    // expected-error @below {{cannot be emitted as CUDA; use arithmetic, views of memrefs, and the ops that gin-translate --gin-to-cuda-ops lists}}
    memref.copy %x, %y : memref<4xf32, #gin.window> to memref<4xf32, #gin.window>
    gpu.return
  }
}

// -----

gpu.module @width {
  gpu.func @width(%a: i32) kernel {
    // expected-error @below {{cannot be emitted as CUDA, which has no 'i4' here; kernels have index, i1, i8 to i64, f32, f64, f16, bf16, f8E4M3FN, f8E5M2, vectors of these of one dimension, and memrefs with strides}}
    %b = arith.trunci %a : i32 to i4
    gpu.return
  }
}

// -----

gpu.module @vector_math {
  gpu.func @vector_math(%v: vector<4xf32>) kernel {
    // expected-error @below {{cannot be emitted as CUDA on vectors of this type; run gin-lower-vectors with 'unroll', which makes it ops on single elements}}
    %w = math.exp %v : vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @vector_cast {
  gpu.func @vector_cast(%v: vector<4xf32>) kernel {
    // expected-error @below {{cannot be emitted as CUDA on vectors of this type; run gin-lower-vectors with 'unroll', which makes it ops on single elements}}
    %w = arith.fptosi %v : vector<4xf32> to vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @vector_small {
  gpu.func @vector_small(%v: vector<4xbf16>) kernel {
    // expected-error @below {{cannot be emitted as CUDA on vectors of this type; run gin-lower-vectors with 'unroll', which makes it ops on single elements}}
    %w = arith.addf %v, %v : vector<4xbf16>
    gpu.return
  }
}

// -----

gpu.module @vector_narrow {
  gpu.func @vector_narrow(%v: vector<4xi8>) kernel {
    // expected-error @below {{cannot be emitted as CUDA on vectors of this type; run gin-lower-vectors with 'unroll', which makes it ops on single elements}}
    %w = arith.muli %v, %v : vector<4xi8>
    gpu.return
  }
}

// -----

gpu.module @vector_floor {
  gpu.func @vector_floor(%v: vector<4xi32>) kernel {
    // expected-error @below {{cannot be emitted as CUDA on vectors of this type; run gin-lower-vectors with 'unroll', which makes it ops on single elements}}
    %w = arith.floordivsi %v, %v : vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @vector_fma {
  gpu.func @vector_fma(%v: vector<4xf16>) kernel {
    // expected-error @below {{cannot be emitted as CUDA on vectors of this type; run gin-lower-vectors with 'unroll', which makes it ops on single elements}}
    %w = vector.fma %v, %v, %v : vector<4xf16>
    gpu.return
  }
}

// -----

gpu.module @vector_select {
  gpu.func @vector_select(%c: vector<4xi1>, %v: vector<4xf32>) kernel {
    // expected-error @below {{cannot be emitted as CUDA on vectors of this type; run gin-lower-vectors with 'unroll', which makes it ops on single elements}}
    %w = arith.select %c, %v, %v : vector<4xi1>, vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @vector_shuffle {
  gpu.func @vector_shuffle(%v: vector<4xf32>) kernel {
    // expected-error @below {{cannot be emitted as CUDA on vectors of this type; run gin-lower-vectors with 'unroll', which makes it ops on single elements}}
    %w = vector.shuffle %v, %v [1, 0] : vector<4xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @reduction_unsigned {
  gpu.func @reduction_unsigned(%v: vector<4xi32>) kernel {
    // expected-error @below {{cannot be emitted as CUDA on vectors of this type; run gin-lower-vectors with 'unroll', which makes it ops on single elements}}
    %w = vector.reduction <minui>, %v : vector<4xi32> into i32
    gpu.return
  }
}

// -----

gpu.module @reduction_start {
  gpu.func @reduction_start(%v: vector<4xf32>, %a: f32) kernel {
    // expected-error @below {{cannot be emitted as CUDA on vectors of this type; run gin-lower-vectors with 'unroll', which makes it ops on single elements}}
    %w = vector.reduction <add>, %v, %a : vector<4xf32> into f32
    gpu.return
  }
}

// -----

gpu.module @reduction_small {
  gpu.func @reduction_small(%v: vector<4xf16>) kernel {
    // expected-error @below {{cannot be emitted as CUDA on vectors of this type; run gin-lower-vectors with 'unroll', which makes it ops on single elements}}
    %w = vector.reduction <add>, %v : vector<4xf16> into f16
    gpu.return
  }
}

// -----

gpu.module @vector_stretch {
  gpu.func @vector_stretch(%v: vector<1xf32>) kernel {
    // expected-error @below {{cannot be emitted as CUDA; use arithmetic}}
    %w = vector.broadcast %v : vector<1xf32> to vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @two_dimensions {
  gpu.func @two_dimensions() kernel {
    // expected-error @below {{cannot be emitted as CUDA, which has no 'vector<2x4xf32>' here}}
    %v = arith.constant dense<0.0> : vector<2x4xf32>
    gpu.return
  }
}

// -----

gpu.module @scope {
  gpu.func @scope(%s: !gin.signals<1>) kernel {
    // expected-error @below {{cannot be emitted as CUDA without a gin.scope of thread, warp or block; run gin-map-to-kernel}}
    gin.wait %s[0] >= 1 : !gin.signals<1>
    gpu.return
  }
}

// -----

gpu.module @dimension {
  gpu.func @dimension(%x: memref<4xf32>, %v: f32) kernel {
    // expected-error @below {{kernels have one dimension of threads and blocks, so only x can be emitted}}
    %y = gpu.thread_id y
    memref.store %v, %x[%y] : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @size_of_source {
  gpu.func @size_of_source(%x: memref<?xf32, #gin.window> {gin.source}, %y: memref<1xindex>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @below {{asks another rank for the size of a gin.source window, which only its own rank registers; pass it without gin.source}}
    %theirs = gin.window_dim %x, 0 on 1 : memref<?xf32, #gin.window>
    memref.store %theirs, %y[%c0] : memref<1xindex>
    gpu.return
  }
}

// -----

gpu.module @small {
  gpu.func @small(%x: memref<4xi8, #gin.window>, %v: i8) kernel {
    // expected-error @below {{GPUs have no atomic addition of 'i8'}}
    gin.atomic_add %v into %x[0] on 1 {gin.scope = #gin.scope<thread>}
      : i8 into memref<4xi8, #gin.window>
    gpu.return
  }
}

// -----

gpu.module @private {
  gpu.func @private(%v: i32) kernel {
    %c0 = arith.constant 0 : index
    %own = memref.alloca() : memref<4xi32>
    // expected-error @below {{an atomic update of this kind and type cannot be emitted as CUDA}}
    %old = memref.atomic_rmw addi %v, %own[%c0] : (i32, memref<4xi32>) -> i32
    gpu.return
  }
}

// -----

gpu.module @no_cast {
  gpu.func @no_cast(%x: memref<4xf32, #gin.window>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @below {{cannot be emitted as CUDA}}
    %size = index.sizeof
    gpu.return
  }
}

// -----

gpu.module @classes {
  gpu.func @classes(%v: f32) kernel {
    // expected-error @below {{cannot be emitted as CUDA}}
    %class = math.isnormal %v : f32
    gpu.return
  }
}

// -----

gpu.module @pairs {
  gpu.func @pairs(%v: f32) kernel {
    // expected-error @below {{cannot be emitted as CUDA}}
    %sine, %cosine = math.sincos %v : f32
    gpu.return
  }
}

// -----

gpu.module @names {
  // expected-error @below {{files and functions of C are called after '../../x', which is no identifier of C; rename the function to letters, digits and '_'}}
  gpu.func @"../../x"() kernel {
    gpu.return
  }
}

// -----

gpu.module @dots {
  // expected-error @below {{are called after 'a.b', which is no identifier of C}}
  gpu.func @a.b() kernel {
    gpu.return
  }
}

// -----

gpu.module @taken {
  // expected-error @below {{files and functions of C are called after 'size', and C or gin has such a name already; rename the function}}
  gpu.func @size() kernel {
    gpu.return
  }
}

// -----

gpu.module @ours {
  // expected-error @below {{are called after 'ginComm', and C or gin has such a name already}}
  gpu.func @ginComm() kernel {
    gpu.return
  }
}

// -----

gpu.module @wide {
  // expected-error @below {{argument 1 is 'memref<?xi128>', and CUDA has no 'i128'}}
  gpu.func @wide(%a: i32, %b: memref<?xi128>) kernel {
    gpu.return
  }
}

// -----

gpu.module @large {
  // expected-error @below {{takes 38224 bytes of parameters, and kernels at most 32764; it has 6 products, 2 arguments and banks: divide it into several programs}}
  gpu.func @large(%a: memref<64x64xf32>, %c: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 384, 1, 1>} {
    %c0 = arith.constant 0 : index
    %n = gpu.grid_dim x
    gin.matmul %a, %a into %c blocks %c0 count %n : memref<64x64xf32>, memref<64x64xf32> into memref<64x64xf32>
    gin.matmul %a, %a into %c blocks %c0 count %n : memref<64x64xf32>, memref<64x64xf32> into memref<64x64xf32>
    gin.matmul %a, %a into %c blocks %c0 count %n : memref<64x64xf32>, memref<64x64xf32> into memref<64x64xf32>
    gin.matmul %a, %a into %c blocks %c0 count %n : memref<64x64xf32>, memref<64x64xf32> into memref<64x64xf32>
    gin.matmul %a, %a into %c blocks %c0 count %n : memref<64x64xf32>, memref<64x64xf32> into memref<64x64xf32>
    gin.matmul %a, %a into %c blocks %c0 count %n : memref<64x64xf32>, memref<64x64xf32> into memref<64x64xf32>
    gpu.return
  }
}

// -----

// Only a release carries what the agent has waited for.
gpu.module @relaxed {
  gpu.func @relaxed(%s: !gin.signals<1>) kernel {
    // expected-error @below {{a relaxed signal cannot be emitted as CUDA; run gin-map-to-kernel, which makes it a plain one}}
    gin.signal %s[0] on 1 relaxed {gin.scope = #gin.scope<thread>} : !gin.signals<1>
    gpu.return
  }
}

// -----

gpu.module @sizes {
  // expected-error @below {{argument 0 is '!gin.signals<4x?>', whose sizes nothing gives; add 'gin.sizes'}}
  gpu.func @sizes(%s: !gin.signals<4x?>) kernel {
    gpu.return
  }
}

// -----

gpu.module @typedef {
  // expected-error @below {{files and functions of C are called after 'double', and C or gin has such a name already; rename the function}}
  gpu.func @double() kernel {
    gpu.return
  }
}
