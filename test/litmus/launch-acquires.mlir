//===- launch-acquires.mlir - a litmus program of the memory model --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A relaxed signal carries what the stream did before the launch.
//
//   rank 0, launch 0: wait c >= 1; put x -> y@1 signal s
//   rank 0, launch 1: wait c >= 1; put x -> y@1 signal s
//   rank 1, launch 0: signal c@0 relaxed; wait s >= 1; load r0 = y
//   rank 1, launch 1: signal c@0 relaxed; wait s >= 1; load r1 = y
//
// ALLOW:   r0=10 r1=20 h1.y[0]@1=10
// FORBID:  h1.y[0]@1=20
// VERDICT: ok
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>

func.func @launch_acquires(%x: !cell, %y: !cell, %c: !gin.signals<1>, %s: !gin.signals<1>,
                           %out: memref<10xi64>)
    attributes {gin.litmus = {ranks = 2, launches = 2,
                              allow = ["r0=10 r1=20 h1.y[0]@1=10"],
                              forbid = ["h1.y[0]@1=20"],
                              registers = ["r0", "r1", "h0.x[0]@0", "h0.y[0]@0", "h0.x[0]@1",
                                "h0.y[0]@1", "h1.x[0]@0", "h1.y[0]@0", "h1.x[0]@1", "h1.y[0]@1"],
                              host = @host}} {
  %me = gin.rank
  %k = gin.launch
  %c0 = arith.constant 0 : index
  scf.index_switch %me
  case 0 {
    gin.wait %c[0] >= 1 : !gin.signals<1>
    gin.put %x into %y[0] on 1 signal %s[0] : !cell into !cell, !gin.signals<1>
    scf.yield
  }
  case 1 {
    gin.signal %c[0] on 0 relaxed : !gin.signals<1>
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %r0 = memref.load %y[%c0] : !cell
    memref.store %r0, %out[%k] : memref<10xi64>
    scf.yield
  }
  default {
  }
  return
}

// Between launches: the host reads every window that is not scratch, and writes
// 10 * (launch + 1) + rank to it.
func.func private @host(%x: !cell, %y: !cell, %c: !gin.signals<1>, %s: !gin.signals<1>,
                        %out: memref<10xi64>) {
  %me = gin.rank
  %k = gin.launch
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %nth = arith.addi %k, %c1 : index
  %tens = arith.muli %nth, %c10 : index
  %number = arith.addi %tens, %me : index
  %value = arith.index_cast %number : index to i64
  %x0 = memref.load %x[%c0] : !cell
  memref.store %value, %x[%c0] : !cell
  %y0 = memref.load %y[%c0] : !cell
  memref.store %value, %y[%c0] : !cell
  %before = arith.muli %k, %c2 : index
  %row = arith.addi %before, %me : index
  %start = arith.muli %row, %c2 : index
  %slot0 = arith.addi %start, %c2 : index
  memref.store %x0, %out[%slot0] : memref<10xi64>
  %slot1 = arith.addi %start, %c3 : index
  memref.store %y0, %out[%slot1] : memref<10xi64>
  return
}
