//===- forall-store-signal.mlir - a litmus program of the memory model ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rule 4: a plain signal after the loop releases the iterations' stores.
//
//   rank 0: fork { store x = 1 | store w = 1 }; signal s@1
//   rank 1: wait s >= 1; get x@0 -> z as g; await g; load r = z
//
// ALLOW:   r=1
// FORBID:  r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @forall_store_signal(%x: !cell, %w: !cell, %z: !cell, %s: !gin.signals<1>,
                               %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2, allow = ["r=1"], forbid = ["r=0"], registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    scf.forall (%i) in (2) {
      scf.index_switch %i
      case 0 {
        memref.store %v1, %x[%c0] : !cell
        scf.yield
      }
      case 1 {
        memref.store %v1, %w[%c0] : !cell
        scf.yield
      }
      default {
      }
    }
    gin.signal %s[0] on 1 : !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %g = gin.get %x[0] on 0 into %z -> !gin.token : !cell into !cell
    gin.await %g
    %r = memref.load %z[%c0] : !cell
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
