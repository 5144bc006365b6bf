//===- groups.mlir - grouped products, of each kind -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// No example, but a test, on GPUs and elsewhere: products of groups whose data is of each
// kind. Rows are known only when a part is acquired; some are fewer than 0, or more than
// there are; some groups are none. %calls counts how often regions run: acquire, reserve
// and publish. Tensor maps describe the operands of %c, %d and %e, not those of %h.

!parts = memref<5x130x72xbf16>
!products = memref<5x130x80xbf16>
!rows = memref<5xi32>

func.func @groups(
    %a: !parts, %b: memref<2x72x80xbf16>, %bt: memref<2x80x72xbf16>, %one: memref<72x80xbf16>,
    %odd: memref<3x72x77xbf16>, %none: memref<0x72x80xbf16>, %empty: memref<5x130x0xf32>,
    %wide: memref<3x0x80xf32>,
    %c: !products, %d: memref<5x130x80xf32>, %e: !products, %f: memref<5x130x80xf32>,
    %g: !products, %h: memref<5x130x77xbf16>,
    %rows: !rows, %longs: memref<5xi64>, %groups: memref<5xindex>, %calls: memref<3x5xi32>,
    %s: !gin.signals<5>)
    attributes {gin.run = {
      args = {a = "random", b = "random:2", bt = "random:3", one = "random:4", odd = "random:5",
              c = "1", d = "2", e = "3", f = "4", g = "5", h = "6"},
      reference = "groups.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %n128 = arith.constant 128 : i32
  %n129 = arith.constant 129 : i32
  %many = arith.constant 999 : i32
  %fewer = arith.constant -1 : i32
  %no_group = arith.constant -1 : index
  %me = gin.rank
  memref.store %c1, %groups[%c0] : memref<5xindex>
  memref.store %no_group, %groups[%c1] : memref<5xindex>
  memref.store %c2, %groups[%c2] : memref<5xindex>
  memref.store %c0, %groups[%c3] : memref<5xindex>
  memref.store %c1, %groups[%c4] : memref<5xindex>
  linalg.fill ins(%n0 : i32) outs(%calls : memref<3x5xi32>)
  gin.specialize {
    role "count" ctas 1 {
      memref.store %n128, %rows[%c0] : !rows
      memref.store %n129, %rows[%c1] : !rows
      memref.store %fewer, %rows[%c2] : !rows
      memref.store %many, %rows[%c3] : !rows
      memref.store %n1, %rows[%c4] : !rows
      scf.for %i = %c0 to %c5 step %c1 {
        %n = memref.load %rows[%i] : !rows
        %long = arith.extsi %n : i32 to i64
        memref.store %long, %longs[%i] : memref<5xi64>
        gin.signal %s[%i] on %me : !gin.signals<5>
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
        } : !parts, memref<2x72x80xbf16> into !products rows !rows
    }
  }
  gin.matmul %a, %bt into %d rows %longs groups %groups accumulate transposed alternating
      tiles [128, 64, 64]
    : !parts, memref<2x80x72xbf16> into memref<5x130x80xf32>
      rows memref<5xi64> groups memref<5xindex>
  gin.matmul %a, %one into %e rows %rows accumulate tiles [128, 224, 64]
    : !parts, memref<72x80xbf16> into !products rows !rows
  gin.matmul %empty, %wide into %f rows %rows tiles [128, 64, 64]
    : memref<5x130x0xf32>, memref<3x0x80xf32> into memref<5x130x80xf32> rows !rows
  gin.matmul %a, %none into %g tiles [128, 64, 64]
    : !parts, memref<0x72x80xbf16> into !products
  gin.matmul %a, %odd into %h rows %rows tiles [128, 128, 64]
    : !parts, memref<3x72x77xbf16> into memref<5x130x77xbf16> rows !rows
  return
}
