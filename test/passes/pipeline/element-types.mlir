// RUN: ginc run %s --ranks 2

// Arithmetic, comparison, math and memory in every element type. It rounds after
// each operation, to nearest and ties to even.

memref.global "private" constant @want : memref<8x6xf32> = dense<[
  // bf16: exp   f16: sqrt   e4m3: x/4   e5m2    f64: erf(tanh)   i16: n^n
  [1.6484375,   0.70703125, 0.125, 1.5, 0.48658686, 1.0],
  [4.46875,     1.2246094,  0.375, 1.5, 0.79948051, 1.0],
  [12.1875,     1.5810547,  0.625, 2.5, 0.83706957, 4.0],
  [33.0,        1.8710938,  0.875, 3.5, 0.84194305, 27.0],
  [90.0,        2.1210938,  1.125, 4.0, 0.84259832, 256.0],
  [245.0,       2.3457031,  1.375, 6.0, 0.84268693, 3125.0],
  [664.0,       2.5488281,  1.625, 6.0, 0.84269892, -18880.0],
  [1808.0,      2.7382812,  1.875, 8.0, 0.84270054, -28425.0]]>

func.func private @check(%n: index, %column: index, %got: f32) {
  %epsilon = arith.constant 1.0e-6 : f32
  %table = memref.get_global @want : memref<8x6xf32>
  %want = memref.load %table[%n, %column] : memref<8x6xf32>
  %difference = arith.subf %got, %want : f32
  %distance = math.absf %difference : f32
  %right = arith.cmpf ole, %distance, %epsilon : f32
  cf.assert %right, "every value is as a reference has computed it"
  return
}

func.func @types(%bf16: memref<8xbf16, #gin.window>, %f16: memref<8xf16, #gin.window>,
                 %e4m3: memref<8xf8E4M3FN, #gin.window>, %e5m2: memref<8xf8E5M2, #gin.window>,
                 %f64: memref<8xf64, #gin.window>, %i16: memref<8xi16, #gin.window>,
                 %plain: memref<8xf8E5M2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %half = arith.constant 0.5 : bf16
  %quarter = arith.constant 0.25 : f8E4M3FN
  %least = arith.constant 1.5 : f8E5M2
  scf.for %i = %c0 to %c8 step %c1 {
    %n = arith.index_cast %i : index to i16
    %whole = arith.sitofp %n : i16 to bf16
    %x = arith.addf %whole, %half : bf16
    %e = math.exp %x : bf16
    memref.store %e, %bf16[%i] : memref<8xbf16, #gin.window>

    %x32 = arith.extf %x : bf16 to f32
    %x16 = arith.truncf %x32 : f32 to f16
    %root = math.sqrt %x16 : f16
    memref.store %root, %f16[%i] : memref<8xf16, #gin.window>

    %small = arith.truncf %x32 : f32 to f8E4M3FN
    %product = arith.mulf %small, %quarter : f8E4M3FN
    memref.store %product, %e4m3[%i] : memref<8xf8E4M3FN, #gin.window>

    %smaller = arith.truncf %x32 : f32 to f8E5M2
    %enough = arith.cmpf ogt, %smaller, %least : f8E5M2
    %chosen = arith.select %enough, %smaller, %least : f8E5M2
    memref.store %chosen, %e5m2[%i] : memref<8xf8E5M2, #gin.window>

    %x64 = arith.extf %x : bf16 to f64
    %tanh = math.tanh %x64 : f64
    %erf = math.erf %tanh : f64
    memref.store %erf, %f64[%i] : memref<8xf64, #gin.window>

    %power = math.ipowi %n, %n : i16
    memref.store %power, %i16[%i] : memref<8xi16, #gin.window>
  }
  memref.copy %e5m2, %plain : memref<8xf8E5M2, #gin.window> to memref<8xf8E5M2>
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = memref.load %bf16[%i] : memref<8xbf16, #gin.window>
    %1 = arith.extf %0 : bf16 to f32
    func.call @check(%i, %c0, %1) : (index, index, f32) -> ()
    %2 = memref.load %f16[%i] : memref<8xf16, #gin.window>
    %3 = arith.extf %2 : f16 to f32
    func.call @check(%i, %c1, %3) : (index, index, f32) -> ()
    %4 = memref.load %e4m3[%i] : memref<8xf8E4M3FN, #gin.window>
    %5 = arith.extf %4 : f8E4M3FN to f32
    func.call @check(%i, %c2, %5) : (index, index, f32) -> ()
    %6 = memref.load %plain[%i] : memref<8xf8E5M2>
    %7 = arith.extf %6 : f8E5M2 to f32
    func.call @check(%i, %c3, %7) : (index, index, f32) -> ()
    %8 = memref.load %f64[%i] : memref<8xf64, #gin.window>
    %9 = arith.truncf %8 : f64 to f32
    func.call @check(%i, %c4, %9) : (index, index, f32) -> ()
    %10 = memref.load %i16[%i] : memref<8xi16, #gin.window>
    %11 = arith.sitofp %10 : i16 to f32
    func.call @check(%i, %c5, %11) : (index, index, f32) -> ()
  }
  return
}
