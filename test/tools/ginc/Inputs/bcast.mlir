// The root puts its x into the y of every rank.
!w = memref<?xf32, #gin.window>
func.func @bcast(%x: !w {gin.source}, %y: !w, %s: !gin.signals<1>)
  attributes {gin.run = {dims = {n = "10", x = "n", y = "n"}, args = {x = "random:3"}, ranks = 3}} {
  %me = gin.rank
  %n = gin.num_ranks
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %root = arith.cmpi eq, %me, %c0 : index
  scf.if %root {
    scf.for %p = %c0 to %n step %c1 {
      gin.put %x into %y[0] on %p signal %s[0] : !w into !w, !gin.signals<1>
    }
  }
  gin.wait %s[0] >= 1 : !gin.signals<1>
  return
}
