// RUN: gin-opt %s --gin-decompose-collectives --split-input-file --verify-diagnostics -o /dev/null

!vector = memref<?xf32, #gin.window>
func.func @tensors(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{is on tensors; run one-shot-bufferize before}}
  %r = gin.all_reduce sum %x into %y : tensor<?xf32> into tensor<?xf32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

!vector = memref<?xf32, #gin.window>
func.func @parallel(%x: !vector) {
  scf.forall (%i) in (2) {
    // expected-error @below {{stands in scf.forall, whose iterations have no order in which their barriers could meet those of other ranks; use scf.for}}
    gin.all_reduce sum %x into %x : !vector into !vector
  }
  return
}

// -----

!vector = memref<?xf32, #gin.window>
func.func @roles(%x: !vector, %y: !vector) {
  gin.specialize {
    role "a" {
      // expected-error @below {{stands in a role beside another role that has a barrier or a collective: their barriers have no order; keep all of them in one role}}
      gin.all_reduce sum %x into %x : !vector into !vector
    }
    role "b" {
      gin.barrier
    }
  }
  return
}

// -----

// One role of several may have collectives.
!vector = memref<?xf32, #gin.window>
func.func @role(%x: !vector, %y: !vector) {
  gin.specialize {
    role "a" {
      gin.all_reduce sum %x into %x : !vector into !vector
      gin.all_reduce sum %x into %y : !vector into !vector
    }
    role "b" {
    }
  }
  return
}

// -----

!blocks = memref<?x5xf32, #gin.window>
func.func @same_window(%x: !blocks, %ranks: index) {
  %part = memref.subview %x[0, 0] [%ranks, 5] [1, 1]
    : !blocks to memref<?x5xf32, strided<[5, 1]>, #gin.window>
  // expected-error @below {{receives into the window that it sends from, where peers would overwrite what is still to be sent; give it another window for its result}}
  gin.all_to_all %part into %x : memref<?x5xf32, strided<[5, 1]>, #gin.window> into !blocks
  return
}

// -----

!vector = memref<?xf32, #gin.window>
func.func @size_from_data(%x: !vector, %y: !vector, %sizes: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %n = memref.load %sizes[%c0] : memref<1xindex>
  // expected-note @below {{the input is made here}}
  %part = memref.subview %x[0] [%n] [1] : !vector to memref<?xf32, strided<[1]>, #gin.window>
  %result = memref.subview %y[0] [%n] [1] : !vector to memref<?xf32, strided<[1]>, #gin.window>
  %whole = memref.cast %result : memref<?xf32, strided<[1]>, #gin.window> to !vector
  // expected-error @below {{needs a scratch window, but extent 0 of its input is not known when the program is launched; derive it from the number of ranks and the sizes of the function's arguments}}
  gin.all_reduce sum %part into %whole : memref<?xf32, strided<[1]>, #gin.window> into !vector
  return
}

// -----

!vector = memref<?xf32, #gin.window>
// expected-error @below {{has a collective and calls itself, so that nothing bounds the signals and scratch windows it needs; use a loop instead}}
func.func @recursive(%x: !vector, %again: i1) {
  gin.all_reduce sum %x into %x : !vector into !vector
  scf.if %again {
    func.call @recursive(%x, %again) : (!vector, i1) -> ()
  }
  return
}

// -----

!vector = memref<?xf32, #gin.window>
// expected-error @below {{has a collective and calls itself}}
func.func private @ping(%x: !vector) {
  call @pong(%x) : (!vector) -> ()
  return
}
func.func private @pong(%x: !vector) {
  gin.all_reduce sum %x into %x : !vector into !vector
  call @ping(%x) : (!vector) -> ()
  return
}

// -----

!vector = memref<?xf32, #gin.window>
// expected-note @below {{the function is here}}
func.func private @blocks(%x: !vector, %now: i1) {
  cf.cond_br %now, ^do, ^end
^do:
  gin.all_reduce sum %x into %x : !vector into !vector
  cf.br ^end
^end:
  return
}
func.func @main(%x: !vector, %now: i1) {
  // expected-error @below {{of @blocks, which has a collective: its body must have one block to be put in the call's place; use scf instead of branches}}
  call @blocks(%x, %now) : (!vector, i1) -> ()
  return
}

// -----

!vector = memref<?xf32, #gin.window>
// expected-error @below {{has a collective and is referred to by something that is not a direct call of it}}
func.func private @indirect(%x: !vector) {
  gin.all_reduce sum %x into %x : !vector into !vector
  return
}
func.func @main(%x: !vector) {
  %f = constant @indirect : (!vector) -> ()
  call_indirect %f(%x) : (!vector) -> ()
  return
}
