//===- ring-all-reduce-collective.mlir - the same as one op ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// `--algorithm ring` (or direct, or tree) chooses how it is done.

!vector = memref<?xf32, #gin.window>

func.func @all_reduce(%x: !vector, %y: !vector)
    attributes {gin.run = {dims = {m = "61", x = "m", y = "m"},
                           args = {x = "random"}, reference = "ring-all-reduce.py"}} {
  gin.all_reduce sum %x into %y : !vector into !vector
  return
}
