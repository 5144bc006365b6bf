// RUN: gin-opt %s --gin-decompose-collectives=algorithm=ring --remarks-filter='gin.*' \
// RUN:   --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s

!blocks = memref<?x5xf32, #gin.window>
!choices = memref<?x2xi32, #gin.window>
!received = memref<?x2x16x5xf32, #gin.window>

func.func @f(%x: !blocks, %y: !blocks, %e: !choices, %r: !received, %c: !choices, %p: !choices) {
  // CHECK: decompose-remarks.mlir:[[#@LINE+1]]:3: remark: [Passed] DecomposeCollective | Category:gin | Function=f | Remark="gin.all_to_all by the ring algorithm"
  gin.all_to_all %x into %y : !blocks into !blocks
  // CHECK: Remark="gin.dispatch by the direct algorithm, the only one it has"
  gin.dispatch %x, %e into %r, %c, %p : !blocks, !choices into !received, !choices, !choices
  return
}
