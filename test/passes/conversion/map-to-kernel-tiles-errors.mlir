// RUN: gin-opt %s --split-input-file --verify-diagnostics --gin-map-to-kernel

func.func @tiles(%a: memref<?x?xf16>, %c: memref<?x?xf32>) {
  // expected-error @+1 {{has tiles of 64 x 64 and steps of 64; kernels have tiles of 128 rows and 64, 128, 192, 224 or 256 columns, and steps of 64}}
  gin.matmul %a, %a into %c tiles [64, 64, 64]
    : memref<?x?xf16>, memref<?x?xf16> into memref<?x?xf32>
  return
}

// -----

func.func @parts(%a: memref<17x?x?xf16>, %b: memref<?x?xf16>, %c: memref<17x?x?xf32>) {
  // expected-error @+1 {{has 17 parts; kernels have at most 16}}
  gin.matmul %a, %b into %c
    : memref<17x?x?xf16>, memref<?x?xf16> into memref<17x?x?xf32>
  return
}

// -----

func.func @grouped_parts(%a: memref<65536x?x?xf16>, %b: memref<4x?x?xf16>,
                         %c: memref<65536x?x?xf32>) {
  // expected-error @+1 {{has 65536 parts; kernels have at most 65535}}
  gin.matmul %a, %b into %c
    : memref<65536x?x?xf16>, memref<4x?x?xf16> into memref<65536x?x?xf32>
  return
}

// -----

func.func @views(%a: memref<?x?xf16>, %c: memref<?x?xf32>) {
  %part = memref.subview %a[0, 0] [8, 8] [1, 1] : memref<?x?xf16> to memref<8x8xf16, strided<[?, 1]>>
  // expected-error @+1 {{has a right factor that is no argument of the entry function; kernels describe operands before the launch, so pass the whole memref}}
  gin.matmul %a, %part into %c
    : memref<?x?xf16>, memref<8x8xf16, strided<[?, 1]>> into memref<?x?xf32>
  return
}

// -----

func.func @agents(%a: memref<?x?xf16>, %c: memref<?x?xf32>, %s: !gin.signals<4>) {
  scf.forall (%i) in (4) {
    gin.wait %s[%i] >= 1 : !gin.signals<4>
    // expected-error @+1 {{stands in an agent that has a single block; tiles need blocks: put it in the rank's body or in a role of gin.specialize}}
    gin.matmul %a, %a into %c
      : memref<?x?xf16>, memref<?x?xf16> into memref<?x?xf32>
  }
  return
}

// -----

func.func @numbers(%a: memref<?x?xf16>, %c: memref<?x?xf32>, %s: !gin.signals<4>) {
  // expected-error @+1 {{has a role that multiplies beside one of a warp; it has all blocks, so state no number for it}}
  gin.specialize {
    role "send" warps 1 {
      gin.signal %s[0] on 0 : !gin.signals<4>
    }
    role "multiply" ctas 4 {
      gin.matmul %a, %a into %c
        : memref<?x?xf16>, memref<?x?xf16> into memref<?x?xf32>
    }
  }
  return
}

// -----

func.func @undivided(%a: memref<?x?xf16>, %c: memref<?x?xf32>, %s: !gin.signals<4>) {
  gin.specialize {
    role "send" warps 1 {
      // expected-error @+1 {{cannot be done by the warps beside a matmul; they put and signal, in an scf.forall or scf.parallel that is divided among them}}
      gin.signal %s[0] on 0 : !gin.signals<4>
    }
    role "multiply" {
      gin.matmul %a, %a into %c
        : memref<?x?xf16>, memref<?x?xf16> into memref<?x?xf32>
    }
  }
  return
}

// -----

func.func @in_warps(%a: memref<?x?xf16>, %c: memref<?x?xf32>, %s: !gin.signals<4>) {
  gin.specialize {
    role "send" warps 2 {
      gin.signal %s[0] on 0 : !gin.signals<4>
    }
    role "multiply" {
      // expected-error @+1 {{stands in a role of warps; tiles need whole blocks: give the roles CTAs; or have two roles, one of a single warp, and this product as all that the other one does}}
      gin.matmul %a, %a into %c
        : memref<?x?xf16>, memref<?x?xf16> into memref<?x?xf32>
    }
  }
  return
}

// -----

func.func @allocation(%a: memref<?x?xf16>, %c: memref<?x?xf32>) {
  gin.matmul %a, %a into %c
    publish(%part, %row, %column) {
      // expected-error @+1 {{allocates in an agent of a kernel; allocate before the agents fork, with a part for each}}
      %own = memref.alloc() : memref<1xindex>
      memref.store %row, %own[%part] : memref<1xindex>
    } : memref<?x?xf16>, memref<?x?xf16> into memref<?x?xf32>
  return
}
