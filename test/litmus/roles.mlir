//===- roles.mlir - a litmus program of the memory model ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Roles run concurrently and meet by local signals.
//
//   rank 0: fork { wait s >= 1; load r = x | store x = 1; signal s@0 }
//
// ALLOW:   r=1
// FORBID:  r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @roles(%x: !cell, %s: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 1, allow = ["r=1"], forbid = ["r=0"], registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.specialize {
      role "a" {
        gin.wait %s[0] >= 1 : !gin.signals<1>
        %r = memref.load %x[%c0] : !cell
        memref.store %r, %out[%c0] : memref<1xi64>
      }
      role "b" {
        memref.store %v1, %x[%c0] : !cell
        gin.signal %s[0] on 0 : !gin.signals<1>
      }
    }
    scf.yield
  }
  default {
  }
  return
}
