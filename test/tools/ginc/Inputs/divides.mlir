func.func @divides(%x: memref<2xi32>) attributes {gin.run = {args = {x = "0"}}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<2xi32>
  %b = memref.load %x[%c1] : memref<2xi32>
  %q = arith.divsi %a, %b : i32
  memref.store %q, %x[%c0] : memref<2xi32>
  return
}
