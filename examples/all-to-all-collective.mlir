//===- all-to-all-collective.mlir - the same as one op --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

!matrix = memref<?x?xf32, #gin.window>

func.func @all_to_all(%x: !matrix, %y: !matrix)
    attributes {gin.run = {dims = {m = "16", x = "ranks, m", y = "ranks, m"},
                           args = {x = "random"}, reference = "all-to-all.py"}} {
  gin.all_to_all %x into %y : !matrix into !matrix
  return
}
