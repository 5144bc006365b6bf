// As copy.mlir, with names that bytecode keeps.
!part = memref<?x?xf32, #gin.window>

func.func @main(%0: !part {gin.source, gin.name = "x"}, %1: !part {gin.name = "y"}, %2: !gin.signals<1> {gin.name = "arrived"})
    attributes {gin.run = {dims = {m = "3", x = "2, m", y = "2, m"}, args = {x = "iota"}}} {
  %right = gin.neighbor 1
  gin.put %0 into %1[0, 0] on %right signal %2[0] : !part into !part, !gin.signals<1>
  gin.wait %2[0] >= 1 : !gin.signals<1>
  return
}
