//===- read.mlir - a litmus program of the memory model -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A read acquires what it counted.
//
//   rank 0: put 1 -> y@1 signal s
//   rank 1: read v = s; if v: load r = y; wait s >= 1
//
// ALLOW:   v=0 r=0
// ALLOW:   v=1 r=1
// FORBID:  v=1 r=0
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @read(%y: !cell, %s: !gin.signals<1>, %out: memref<2xi64>)
    attributes {gin.litmus = {ranks = 2,
                              allow = ["v=0 r=0", "v=1 r=1"],
                              forbid = ["v=1 r=0"],
                              registers = ["v", "r"]}} {
  %me = gin.rank
  %v1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.index_switch %me
  case 0 {
    gin.put_value %v1 into %y[0] on 1 signal %s[0] : i64 into !cell, !gin.signals<1>
    scf.yield
  }
  case 1 {
    %v = gin.read %s[0] : !gin.signals<1>
    %v_any = arith.cmpi ne, %v, %c0 : index
    %v_out = arith.index_cast %v : index to i64
    scf.if %v_any {
      %r = memref.load %y[%c0] : !cell
      gin.wait %s[0] >= 1 : !gin.signals<1>
      memref.store %v_out, %out[%c0] : memref<2xi64>
      memref.store %r, %out[%c1] : memref<2xi64>
    } else {
      gin.wait %s[0] >= 1 : !gin.signals<1>
      memref.store %v_out, %out[%c0] : memref<2xi64>
    }
    scf.yield
  }
  default {
  }
  return
}
