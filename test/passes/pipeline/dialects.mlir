// RUN: ginc run %s --ranks 3

// What programs may use beside gin: each result is compared with that of plain loops
// or with a constant. The data are small integers, so that all sums are exact.

!z = memref<?x8xf32, #gin.window>

func.func private @cbrt(f64) -> f64

func.func private @equal(%a: f32, %b: f32) {
  %same = arith.cmpf oeq, %a, %b : f32
  cf.assert %same, "both ways give the same"
  return
}

func.func private @product(%x: !z, %y: memref<8x8xf32, #gin.window>, %i: index, %j: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %zero) -> f32 {
    %a = memref.load %x[%i, %k] : !z
    %b = memref.load %y[%k, %j] : memref<8x8xf32, #gin.window>
    %ab = arith.mulf %a, %b : f32
    %t = arith.addf %s, %ab : f32
    scf.yield %t : f32
  }
  return %sum : f32
}

func.func @dialects(%x: !z, %y: memref<8x8xf32, #gin.window>, %z: !z, %big: memref<?x16xf32>)
    attributes {gin.run = {dims = {rows = "5 + rank", x = "rows, 8", z = "rows, 8", big = "rows, 16"},
                           args = {x = "integers:-3:3:1", y = "integers:-3:3:2"}}} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %x, %c0 : !z

  // linalg, named and generic
  linalg.fill ins(%zero : f32) outs(%z : !z)
  linalg.matmul ins(%x, %y : !z, memref<8x8xf32, #gin.window>) outs(%z : !z)
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %want = func.call @product(%x, %y, %i, %j) : (!z, memref<8x8xf32, #gin.window>, index, index) -> f32
      %got = memref.load %z[%i, %j] : !z
      func.call @equal(%got, %want) : (f32, f32) -> ()
    }
  }
  %sum = memref.alloc() : memref<f32>
  memref.store %zero, %sum[] : memref<f32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%z : !z) outs(%sum : memref<f32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %a, %s : f32
    linalg.yield %t : f32
  }

  // A sequential sum, and a parallel one whose iterations only reduce.
  %total = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c8) step (%c1, %c1) init (%zero) -> f32 {
    %a = memref.load %z[%i, %j] : !z
    scf.reduce(%a : f32) {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      scf.reduce.return %t : f32
    }
  }
  %sum0 = memref.load %sum[] : memref<f32>
  func.call @equal(%sum0, %total) : (f32, f32) -> ()
  memref.dealloc %sum : memref<f32>

  // Copies: into a part of rows, out of a column, contiguous; and reshapes.
  %part = memref.subview %big[0, 4] [%n, 8] [1, 1]
    : memref<?x16xf32> to memref<?x8xf32, strided<[16, 1], offset: 4>>
  memref.copy %z, %part : !z to memref<?x8xf32, strided<[16, 1], offset: 4>>
  %whole = memref.alloc(%n) : memref<?x8xf32>
  memref.copy %z, %whole : !z to memref<?x8xf32>
  %flat = memref.collapse_shape %whole [[0, 1]] : memref<?x8xf32> into memref<?xf32>
  %column = memref.alloc(%n) : memref<?xf32>
  %third = memref.subview %z[0, 3] [%n, 1] [1, 1]
    : !z to memref<?xf32, strided<[8], offset: 3>, #gin.window>
  memref.copy %third, %column : memref<?xf32, strided<[8], offset: 3>, #gin.window> to memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %z[%i, %c3] : !z
    %j = arith.addi %c3, %c4 : index
    %1 = memref.load %big[%i, %j] : memref<?x16xf32>
    func.call @equal(%1, %0) : (f32, f32) -> ()
    %k = affine.apply affine_map<(i) -> (i * 8 + 3)>(%i)
    %2 = memref.load %flat[%k] : memref<?xf32>
    func.call @equal(%2, %0) : (f32, f32) -> ()
    %3 = memref.load %column[%i] : memref<?xf32>
    func.call @equal(%3, %0) : (f32, f32) -> ()
  }
  memref.dealloc %whole : memref<?x8xf32>
  memref.dealloc %column : memref<?xf32>

  // vector: a transfer over the edge, transposition, contraction, reductions, a mask
  %v = vector.transfer_read %z[%c0, %c2], %zero {in_bounds = [true, false]} : !z, vector<4x8xf32>
  %turned = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %nothing = arith.constant dense<0.0> : vector<4x4xf32>
  %squares = vector.contract {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    %v, %turned, %nothing : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  %corner = vector.extract %squares[0, 0] : f32 from vector<4x4xf32>
  %norm = affine.for %j = 2 to 8 iter_args(%s = %zero) -> f32 {
    %a = affine.load %z[0, %j] : !z
    %aa = arith.mulf %a, %a : f32
    %t = arith.addf %s, %aa : f32
    affine.yield %t : f32
  }
  func.call @equal(%corner, %norm) : (f32, f32) -> ()
  %two = vector.create_mask %c2 : vector<4xi1>
  %masked = vector.mask %two {
    vector.transfer_read %z[%c0, %c0], %zero {in_bounds = [true]} : !z, vector<4xf32>
  } : vector<4xi1> -> vector<4xf32>
  %first_two = vector.reduction <add>, %masked : vector<4xf32> into f32
  %a0 = memref.load %z[%c0, %c0] : !z
  %a1 = memref.load %z[%c0, %c1] : !z
  %a01 = arith.addf %a0, %a1 : f32
  func.call @equal(%first_two, %a01) : (f32, f32) -> ()

  // Atomics on the own part; the addition is the executor's.
  %old = memref.atomic_rmw addf %a1, %z[%c0, %c0] : (f32, !z) -> f32
  func.call @equal(%old, %a0) : (f32, f32) -> ()
  %large = arith.constant 1.0e6 : f32
  %before = memref.atomic_rmw maximumf %large, %z[%c0, %c0] : (f32, !z) -> f32
  func.call @equal(%before, %a01) : (f32, f32) -> ()
  %now = memref.load %z[%c0, %c0] : !z
  func.call @equal(%now, %large) : (f32, f32) -> ()

  // math that is loops, math that is libm's, a C function, integers
  %i3 = arith.constant 3 : i32
  %f2 = arith.constant 2.0 : f32
  %f8 = arith.constant 8.0 : f32
  %cube = math.fpowi %f2, %i3 : f32, i32
  func.call @equal(%cube, %f8) : (f32, f32) -> ()
  %f8_64 = arith.constant 8.0 : f64
  %root64 = func.call @cbrt(%f8_64) : (f64) -> f64
  %root = arith.truncf %root64 : f64 to f32
  func.call @equal(%root, %f2) : (f32, f32) -> ()
  %minus = arith.constant -7 : index
  %floor = arith.floordivsi %minus, %c2 : index
  %floor_is = arith.cmpi eq, %floor, %minus : index
  %c_4 = arith.constant -4 : index
  %right = arith.cmpi eq, %floor, %c_4 : index
  cf.assert %right, "division rounds down"
  return
}
