//===- double-buffer-one-slot.mlir - a litmus program of the memory model -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Alternating buffers are not enough: the next launch's arrival comes early on the one slot.
//
//   rank 0, launch 0: put x -> y[0]@1 signal s[0]; wait s[1] >= 1; load r010 = y[1]
//   rank 0, launch 1: put x -> y[2]@1 signal s[0]; wait s[1] >= 1; load r011 = y[3]
//   rank 0, launch 2: put x -> y[0]@1 signal s[0]; wait s[1] >= 1; load r012 = y[1]
//   rank 1, launch 0: put x -> y[1]@0 signal s[1]; wait s[0] >= 1; load r100 = y[0]
//   rank 1, launch 1: put x -> y[3]@0 signal s[1]; wait s[0] >= 1; load r101 = y[2]
//   rank 1, launch 2: put x -> y[1]@0 signal s[1]; wait s[0] >= 1; load r102 = y[0]
//
// ALLOW:   r010=11
// ALLOW:   r010=0
// VERDICT: not-closed y@0, not-closed y@1, not-closed s[0]@1, not-closed s[1]@0
//
// Written by generate.py; change the program there.
// RUN: ginc litmus %s

!cell = memref<1xi64, #gin.window>
!cells_4 = memref<4xi64, #gin.window>

func.func @double_buffer_one_slot(%x: !cell, %y: !cells_4 {gin.scratch}, %s: !gin.signals<2>,
                                  %out: memref<12xi64>)
    attributes {gin.litmus = {ranks = 2, launches = 3,
                              allow = ["r010=11", "r010=0"],
                              verdict = ["not-closed y@0", "not-closed y@1", "not-closed s[0]@1",
                                "not-closed s[1]@0"],
                              registers = ["r010", "r011", "r012", "r100", "r101", "r102",
                                "h0.x[0]@0", "h0.x[0]@1", "h1.x[0]@0", "h1.x[0]@1", "h2.x[0]@0",
                                "h2.x[0]@1"],
                              host = @host}} {
  %me = gin.rank
  %k = gin.launch
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.index_switch %me
  case 0 {
    scf.index_switch %k
    case 0 {
      gin.put %x into %y[0] on 1 signal %s[0] : !cell into !cells_4, !gin.signals<2>
      gin.wait %s[1] >= 1 : !gin.signals<2>
      %r010 = memref.load %y[%c1] : !cells_4
      memref.store %r010, %out[%c0] : memref<12xi64>
      scf.yield
    }
    case 1 {
      gin.put %x into %y[2] on 1 signal %s[0] : !cell into !cells_4, !gin.signals<2>
      gin.wait %s[1] >= 1 : !gin.signals<2>
      %r011 = memref.load %y[%c3] : !cells_4
      memref.store %r011, %out[%c1] : memref<12xi64>
      scf.yield
    }
    case 2 {
      gin.put %x into %y[0] on 1 signal %s[0] : !cell into !cells_4, !gin.signals<2>
      gin.wait %s[1] >= 1 : !gin.signals<2>
      %r012 = memref.load %y[%c1] : !cells_4
      memref.store %r012, %out[%c2] : memref<12xi64>
      scf.yield
    }
    default {
    }
    scf.yield
  }
  case 1 {
    scf.index_switch %k
    case 0 {
      gin.put %x into %y[1] on 0 signal %s[1] : !cell into !cells_4, !gin.signals<2>
      gin.wait %s[0] >= 1 : !gin.signals<2>
      %r100 = memref.load %y[%c0] : !cells_4
      memref.store %r100, %out[%c3] : memref<12xi64>
      scf.yield
    }
    case 1 {
      gin.put %x into %y[3] on 0 signal %s[1] : !cell into !cells_4, !gin.signals<2>
      gin.wait %s[0] >= 1 : !gin.signals<2>
      %r101 = memref.load %y[%c2] : !cells_4
      memref.store %r101, %out[%c4] : memref<12xi64>
      scf.yield
    }
    case 2 {
      gin.put %x into %y[1] on 0 signal %s[1] : !cell into !cells_4, !gin.signals<2>
      gin.wait %s[0] >= 1 : !gin.signals<2>
      %r102 = memref.load %y[%c0] : !cells_4
      memref.store %r102, %out[%c5] : memref<12xi64>
      scf.yield
    }
    default {
    }
    scf.yield
  }
  default {
  }
  return
}

// Between launches: the host reads every window that is not scratch, and writes
// 10 * (launch + 1) + rank to it.
func.func private @host(%x: !cell, %y: !cells_4 {gin.scratch}, %s: !gin.signals<2>,
                        %out: memref<12xi64>) {
  %me = gin.rank
  %k = gin.launch
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c10 = arith.constant 10 : index
  %nth = arith.addi %k, %c1 : index
  %tens = arith.muli %nth, %c10 : index
  %number = arith.addi %tens, %me : index
  %value = arith.index_cast %number : index to i64
  %x0 = memref.load %x[%c0] : !cell
  memref.store %value, %x[%c0] : !cell
  %before = arith.muli %k, %c2 : index
  %row = arith.addi %before, %me : index
  %slot0 = arith.addi %row, %c6 : index
  memref.store %x0, %out[%slot0] : memref<12xi64>
  return
}
