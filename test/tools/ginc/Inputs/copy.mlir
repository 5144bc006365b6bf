// Every rank copies its x to its right neighbour's y.
!part = memref<?x?xf32, #gin.window>

func.func @main(%x: !part {gin.source}, %y: !part, %arrived: !gin.signals<1>)
    attributes {gin.run = {dims = {m = "3", x = "2, m", y = "2, m"}, args = {x = "iota"}}} {
  %right = gin.neighbor 1
  gin.put %x into %y[0, 0] on %right signal %arrived[0] : !part into !part, !gin.signals<1>
  gin.wait %arrived[0] >= 1 : !gin.signals<1>
  return
}
