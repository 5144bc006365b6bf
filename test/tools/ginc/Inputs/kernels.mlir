// Several kernels: in a function that is called twice, in branches of an argument, in
// loops of the host that carry numbers; arguments of each size; and what goes wrong.
!window = memref<16xi32, #gin.window>
#row = #gin.team<row of ?x2>

func.func private @add(%y: !window, %more: i32) {
  %c0 = arith.constant 0 : index
  gin.kernel "add" {
    %v = memref.load %y[%c0] : !window
    %sum = arith.addi %v, %more : i32
    memref.store %sum, %y[%c0] : !window
  }
  return
}

func.func @kernels(%x: !window, %y: !window, %flag: i1, %byte: i8, %half: bf16, %times: index,
                   %peer: index, %divisor: i32)
    attributes {gin.run = {args = {x = "iota", flag = "1", byte = "-100", half = "3", times = "4",
                                   peer = "1", divisor = "-1"}}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %least = arith.constant -2147483648 : i32
  %me = gin.rank
  %first = arith.cmpi eq, %me, %c0 : index
  scf.if %first {
    gin.put %x into %y[0] on %peer team #row : !window into !window
  }
  gin.kernel {
    gin.barrier
  }
  func.call @add(%y, %least) : (!window, i32) -> ()
  scf.if %flag {
    gin.kernel "flag" {
      %wide = arith.extsi %byte : i8 to i32
      memref.store %wide, %y[%c1] : !window
      %number = arith.fptosi %half : bf16 to i32
      memref.store %number, %y[%c2] : !window
    }
  }
  // 0 + 0 + 1 + 2 + 3
  %sum = scf.for %i = %c0 to %times step %c1 iter_args(%before = %c0) -> index {
    gin.kernel "loop" {
      %next = arith.addi %before, %i : index
      %number = arith.index_cast %next : index to i32
      memref.store %number, %y[%c4] : !window
    }
    %after = arith.addi %before, %i : index
    scf.yield %after : index
  }
  %small = arith.cmpi ult, %sum, %c4 : index
  %none = arith.cmpi eq, %sum, %c0 : index
  %is = arith.ori %small, %none : i1
  %rest = arith.remsi %least, %divisor : i32
  // No kernel does this division: only the host needs its result.
  %turns = arith.index_cast %rest : i32 to index
  scf.for %i = %turns to %c2 step %c1 {
    func.call @add(%y, %least) : (!window, i32) -> ()
  }
  scf.if %is {
    cf.assert %none, "few"
  }
  gin.kernel {
    memref.store %least, %y[%times] : !window
    gin.barrier
  }
  return
}
