//===- signals-overtake.mlir - a litmus program of the memory model -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Signals to two slots arrive in any order.
//
//   rank 0: signal s@1; signal t@1
//   rank 1: wait t >= 1; test f = s >= 1; wait s >= 1
//
// ALLOW:   f=0
// ALLOW:   f=1
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s


func.func @signals_overtake(%s: !gin.signals<1>, %t: !gin.signals<1>, %out: memref<1xi64>)
    attributes {gin.litmus = {ranks = 2, allow = ["f=0", "f=1"], registers = ["f"]}} {
  %me = gin.rank
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.signal %s[0] on 1 : !gin.signals<1>
    gin.signal %t[0] on 1 : !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.wait %t[0] >= 1 : !gin.signals<1>
    %f = gin.test %s[0] >= 1 : !gin.signals<1>
    %f_out = arith.extui %f : i1 to i64
    gin.wait %s[0] >= 1 : !gin.signals<1>
    memref.store %f_out, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
