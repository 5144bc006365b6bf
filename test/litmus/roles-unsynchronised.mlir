//===- roles-unsynchronised.mlir - a litmus program of the memory model ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Roles that share a cell without a signal.
//
//   rank 0: fork { load r = x | store x = 1 }
//
// ALLOW:   r=0
// ALLOW:   r=1
// VERDICT: race x@0
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @roles_unsynchronised(%x: !cell, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 1,
                              allow = ["r=0", "r=1"],
                              verdict = ["race x@0"],
                              registers = ["r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.specialize {
      role "a" {
        %r = memref.load %x[%c0] : !cell
        memref.store %r, %out[%c0] : memref<1xi64>
      }
      role "b" {
        memref.store %v1, %x[%c0] : !cell
      }
    }
    scf.yield
  }
  default {
  }
  return
}
