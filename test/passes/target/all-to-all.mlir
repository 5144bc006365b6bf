// RUN: gin-translate --gin-to-cuda %s

!matrix = memref<?x?xf32, #gin.window>
!row = memref<?xf32, strided<[1], offset: ?>, #gin.window>

gpu.module @all_to_all {
  gpu.func @all_to_all(%x: !matrix, %y: !matrix,
      %arrived: !gin.signals<?> {gin.sizes = affine_map<()[ranks] -> (ranks)>})
      kernel attributes {known_block_size = array<i32: 256, 1, 1>,
                         known_grid_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    gin.barrier {gin.scope = #gin.scope<block>}
    %me = gin.rank
    %ranks = gin.num_ranks
    %m = memref.dim %x, %c1 : !matrix
    scf.for %k = %c0 to %ranks step %c1 {
      %peer = gin.neighbor %k
      %row = memref.subview %x[%peer, 0] [1, %m] [1, 1] : !matrix to !row
      gin.put %row into %y[%me, 0] on %peer signal %arrived[%me]
        {gin.scope = #gin.scope<block>} : !row into !matrix, !gin.signals<?>
    }
    scf.for %k = %c0 to %ranks step %c1 {
      gin.wait %arrived[%k] >= 1 {gin.scope = #gin.scope<block>} : !gin.signals<?>
    }
    gpu.return
  }
}
