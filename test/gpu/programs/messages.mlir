//===- messages.mlir - ranks that may fall silent -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each rank waits for %rounds messages of its left neighbour, but sends %sent.
// Faults.cpp says what happens then.

!window = memref<64xi32, #gin.window>

func.func @messages(%x: !window, %y: !window, %arrived: !gin.signals<1>,
                    %rounds: index, %sent: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %right = gin.neighbor 1
  scf.for %i = %c0 to %rounds step %c1 {
    %sends = arith.cmpi slt, %i, %sent : index
    scf.if %sends {
      %number = arith.index_cast %i : index to i32
      memref.store %number, %x[%c0] : !window
      gin.put %x into %y[0] on %right signal %arrived[0]
        : !window into !window, !gin.signals<1>
    }
    %count = arith.addi %i, %c1 : index
    gin.wait %arrived[0] >= %count : !gin.signals<1>
  }
  return
}
