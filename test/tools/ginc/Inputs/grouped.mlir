// Products of groups beside each other, with each kind of data: rows that are known only
// when a part is acquired, fewer than 0 or more than there are, groups that are none, and
// what `calls` counts of a region's runs: acquire, reserve and publish.
func.func @grouped(%a: memref<5x130x70xbf16>, %b: memref<2x70x68xbf16>, %bt: memref<2x68x70xbf16>,
                   %one: memref<70x68xbf16>, %none: memref<0x70x68xbf16>, %empty: memref<5x130x0xf32>,
                   %wide: memref<3x0x68xf32>,
                   %c: memref<5x130x68xbf16>, %d: memref<5x130x68xf32>, %e: memref<5x130x68xbf16>,
                   %f: memref<5x130x68xf32>, %g: memref<5x130x68xbf16>,
                   %rows: memref<5xi32>, %longs: memref<5xi64>, %groups: memref<5xindex>,
                   %calls: memref<3x5xi32>, %s: !gin.signals<5>)
    attributes {gin.run = {ranks = 1, args = {a = "random", b = "random:2", bt = "random:3",
                                              one = "random:4", c = "1", d = "2", e = "3", f = "4",
                                              g = "5"}, reference = "grouped.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %minus = arith.constant -1 : i32
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %n128 = arith.constant 128 : i32
  %n999 = arith.constant 999 : i32
  %n129 = arith.constant 129 : i32
  %other = arith.constant -1 : index
  memref.store %c1, %groups[%c0] : memref<5xindex>
  memref.store %other, %groups[%c1] : memref<5xindex>
  memref.store %c2, %groups[%c2] : memref<5xindex>
  memref.store %c0, %groups[%c3] : memref<5xindex>
  memref.store %c1, %groups[%c4] : memref<5xindex>
  gin.specialize {
    role "counts" ctas 1 {
      memref.store %n128, %rows[%c0] : memref<5xi32>
      memref.store %n129, %rows[%c1] : memref<5xi32>
      memref.store %minus, %rows[%c2] : memref<5xi32>
      memref.store %n999, %rows[%c3] : memref<5xi32>
      memref.store %n1, %rows[%c4] : memref<5xi32>
      scf.for %i = %c0 to %c5 step %c1 {
        %n = memref.load %rows[%i] : memref<5xi32>
        %long = arith.extsi %n : i32 to i64
        memref.store %long, %longs[%i] : memref<5xi64>
        gin.signal %s[%i] on 0 : !gin.signals<5>
      }
    }
    role "multiply" {
      gin.matmul %a, %b into %c rows %rows from %c2 tiles [128, 64, 64]
        acquire(%part, %row, %k) {
          gin.wait %s[%part] >= 1 : !gin.signals<5>
          memref.atomic_rmw addi %n1, %calls[%c0, %part] : (i32, memref<3x5xi32>) -> i32
        }
        reserve(%part, %row, %column) {
          memref.atomic_rmw addi %n1, %calls[%c1, %part] : (i32, memref<3x5xi32>) -> i32
        }
        publish(%part, %row, %column) {
          memref.atomic_rmw addi %n1, %calls[%c2, %part] : (i32, memref<3x5xi32>) -> i32
        } : memref<5x130x70xbf16>, memref<2x70x68xbf16> into memref<5x130x68xbf16>
          rows memref<5xi32>
    }
  }
  gin.matmul %a, %bt into %d rows %longs groups %groups accumulate transposed alternating
      tiles [128, 64, 64]
    : memref<5x130x70xbf16>, memref<2x68x70xbf16> into memref<5x130x68xf32>
      rows memref<5xi64> groups memref<5xindex>
  gin.matmul %a, %one into %e rows %rows accumulate tiles [128, 64, 64]
    : memref<5x130x70xbf16>, memref<70x68xbf16> into memref<5x130x68xbf16> rows memref<5xi32>
  gin.matmul %empty, %wide into %f rows %rows tiles [128, 64, 64]
    : memref<5x130x0xf32>, memref<3x0x68xf32> into memref<5x130x68xf32> rows memref<5xi32>
  gin.matmul %a, %none into %g tiles [128, 64, 64]
    : memref<5x130x70xbf16>, memref<0x70x68xbf16> into memref<5x130x68xbf16>
  return
}
