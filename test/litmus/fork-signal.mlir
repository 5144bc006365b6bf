//===- fork-signal.mlir - a litmus program of the memory model ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rule 4: an iteration's plain signal covers puts before the fork, and not its siblings'.
//
//   rank 0: put 1 -> y[0]@1; fork { signal s@1 | put 2 -> y[1]@1 signal g }
//   rank 1: wait s >= 1; load a = y[0]; load b = y[1]; wait g >= 1
//
// ALLOW:   a=1 b=0
// ALLOW:   a=1 b=2
// FORBID:  a=0
// VERDICT: race y@1
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cells_2 = memref<2xi64, #gin.window>

func.func @fork_signal(%y: !cells_2, %s: !gin.signals<1>, %g: !gin.signals<1>,
                       %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["a=1 b=0", "a=1 b=2"],
                              forbid = ["a=0"],
                              verdict = ["race y@1"],
                              registers = ["a", "b"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 1 : i64 into !cells_2
    gin.specialize {
      role "a" {
        gin.signal %s[0] on 1 : !gin.signals<1>
      }
      role "b" {
        gin.put_value %v2 into %y[1] on 1 signal %g[0] : i64 into !cells_2, !gin.signals<1>
      }
    }
    scf.yield
  }
  case 1 {
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %a = memref.load %y[%c0] : !cells_2
    %b = memref.load %y[%c1] : !cells_2
    gin.wait %g[0] >= 1 : !gin.signals<1>
    memref.store %a, %out[%c0] : memref<2xi64>
    memref.store %b, %out[%c1] : memref<2xi64>
    scf.yield
  }
  default {
  }
  return
}
