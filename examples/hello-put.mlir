//===- hello-put.mlir - every rank sends to the rank on its right ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

!window = memref<4xf32, #gin.window>

func.func @hello(%x: !window, %y: !window, %arrived: !gin.signals<1>)
    attributes {gin.run = {args = {x = "random"}, reference = "hello-put.py"}} {
  %right = gin.neighbor 1
  // Starts to copy %x into the right neighbour's %y; when all bytes are there,
  // the neighbour's slot 0 counts one more.
  gin.put %x into %y[0] on %right signal %arrived[0]
    : !window into !window, !gin.signals<1>
  // The left neighbour has done the same: its data is in our %y from here on.
  gin.wait %arrived[0] >= 1 : !gin.signals<1>
  return
}
