// Tile loops in two roles: small floats beside a product that waits for its left
// factor, whose regions assert and have memory of their own.
func.func @tiles(%a: memref<5x7xf8E4M3FN>, %b: memref<7x3xf8E4M3FN>,
                 %c: memref<5x3xf8E4M3FN>, %d: memref<5x3xf64>, %x: memref<130x64xf32>,
                 %y: memref<64x65xf32>, %z: memref<130x65xf32>,
                 %seen: memref<2x2xindex>, %s: !gin.signals<1>, %parts: index)
    attributes {gin.run = {ranks = 1, args = {a = "random", b = "random:2", c = "random:3",
                                              x = "0", y = "1", parts = "1"}}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c130 = arith.constant 130 : index
  %one = arith.constant 1.0 : f32
  gin.specialize {
    role "small" ctas 1 {
      gin.matmul %a, %b into %c accumulate tiles [128, 64, 64]
        : memref<5x7xf8E4M3FN>, memref<7x3xf8E4M3FN> into memref<5x3xf8E4M3FN>
      gin.matmul %a, %b into %d tiles [128, 64, 64]
        : memref<5x7xf8E4M3FN>, memref<7x3xf8E4M3FN> into memref<5x3xf64>
      scf.for %i = %c0 to %c130 step %c1 {
        scf.for %j = %c0 to %c64 step %c1 {
          memref.store %one, %x[%i, %j] : memref<130x64xf32>
        }
      }
      gin.signal %s[0] on 0 : !gin.signals<1>
    }
    role "large" ctas 2 {
      gin.matmul %x, %y into %z tiles [128, 64, 64]
        acquire(%part, %row, %k) {
          %good = arith.cmpi ult, %part, %parts : index
          cf.assert %good, "no such part"
          gin.wait %s[0] >= 1 : !gin.signals<1>
        }
        publish(%part, %row, %column) {
          %own = memref.alloca() : memref<1xindex>
          memref.store %row, %own[%c0] : memref<1xindex>
          gin.pace 1000
          %v = memref.load %own[%c0] : memref<1xindex>
          %i = arith.divui %row, %c128 : index
          %j = arith.divui %column, %c64 : index
          memref.store %v, %seen[%i, %j] : memref<2x2xindex>
        } : memref<130x64xf32>, memref<64x65xf32> into memref<130x65xf32>
    }
  }
  return
}
