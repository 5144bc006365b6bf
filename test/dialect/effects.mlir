// What upstream's cleanup may do to the ops: pure ones are merged, hoisted and
// dropped, all others stay where they are. (upstream-passes.mlir has the passes
// that would break programs if ops had fewer effects.)

// RUN: gin-opt %s --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: gin-opt %s --loop-invariant-code-motion --split-input-file | FileCheck %s --check-prefixes=CHECK,LICM
// RUN: gin-opt %s --canonicalize --cse --canonicalize --split-input-file | FileCheck %s --check-prefixes=CHECK,CLEAN

!row = memref<4xf32, #gin.window>
!rows = memref<?x4xf32, #gin.window>

func.func private @use(index, index, index, index)

// CHECK-LABEL: func.func @pure(
func.func @pure(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // LICM: gin.rank{{$}}
  // LICM: gin.num_ranks
  // LICM: gin.neighbor
  // LICM: gin.launch
  // LICM: gin.coords
  // LICM: scf.for
  // CSE: scf.for
  // CSE-NEXT: gin.rank{{$}}
  // CSE-NEXT: gin.num_ranks
  // CSE-NEXT: gin.neighbor
  // CSE-NEXT: gin.launch
  // CSE-NEXT: gin.rank team lsa
  // CSE-NOT: gin.
  // CSE: return
  scf.for %i = %c0 to %n step %c1 {
    %me = gin.rank
    %me2 = gin.rank
    %num = gin.num_ranks
    %next = gin.neighbor 1
    %next2 = gin.neighbor 1
    %launch = gin.launch
    %unused:2 = gin.coords #gin.grid<?x?>
    %lsa = gin.rank team lsa
    func.call @use(%me, %num, %next, %launch) : (index, index, index, index) -> ()
    func.call @use(%me2, %num, %next2, %lsa) : (index, index, index, index) -> ()
  }
  return
}

// The peer of a view may be out of range, so that it is not taken where the program
// does not; but two views are one, and an unused one goes.
// CHECK-LABEL: func.func @views(
func.func @views(%w: !rows, %p: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // LICM: gin.peer_view
  // CSE: gin.peer_view
  // CSE-NOT: gin.peer_view
  // CSE: return
  scf.for %i = %c0 to %n step %c1 {
    %a = gin.peer_view %w on %p : !rows to memref<?x4xf32, #gin.peer>
    %b = gin.peer_view %w on %p : !rows to memref<?x4xf32, #gin.peer>
    %unused = gin.peer_view %w on 1 : !rows to memref<?x4xf32, #gin.peer>
    %v = memref.load %a[%i, %c0] : memref<?x4xf32, #gin.peer>
    memref.store %v, %b[%i, %c1] : memref<?x4xf32, #gin.peer>
  }
  return
}

// Likewise for the extent of a peer's part, unless the peer is one for certain.
// CHECK-LABEL: func.func @extents(
func.func @extents(%w: !rows, %p: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %me = gin.rank
  %next = gin.neighbor 1
  %row = gin.neighbor 1 team row of ?x?
  // LICM: gin.window_dim {{.*}} on %neighbor :
  // LICM-NEXT: gin.window_dim {{.*}} on %{{.*}} team row of ?x? :
  // LICM-NEXT: gin.window_dim {{.*}} on 0 :
  // LICM-NEXT: gin.window_dim {{.*}} on 3 team grid 2x2 :
  // LICM-NEXT: scf.for
  // LICM-NEXT: gin.window_dim {{.*}} on %{{.*}} :
  // LICM-NEXT: gin.window_dim {{.*}} on 3 :
  // LICM-NEXT: gin.window_dim {{.*}} on %{{.*}} team lsa :
  // LICM-NEXT: func.call
  scf.for %i = %c0 to %n step %c1 {
    %unknown = gin.window_dim %w, 0 on %p : !rows
    %maybe = gin.window_dim %w, 0 on 3 : !rows
    %other = gin.window_dim %w, 0 on %next team lsa : !rows
    %neighbor = gin.window_dim %w, 0 on %next : !rows
    %inrow = gin.window_dim %w, 0 on %row team row of ?x? : !rows
    %first = gin.window_dim %w, 0 on 0 : !rows
    %static = gin.window_dim %w, 0 on 3 team grid 2x2 : !rows
    func.call @use(%unknown, %maybe, %other, %neighbor) : (index, index, index, index) -> ()
    func.call @use(%inrow, %first, %static, %neighbor) : (index, index, index, index) -> ()
  }
  return
}

// Ready tokens are one; they may come into another agent, which awaits nothing then.
// CHECK-LABEL: func.func @ready(
func.func @ready(%x: !row, %c: i1) {
  %ready = gin.ready_token
  %token = gin.put %x into %x[0] on 0 -> !gin.token : !row into !row
  %t = arith.select %c, %token, %ready : !gin.token
  gin.await %t
  // CSE: gin.specialize
  // CSE-NEXT: role "a"
  // CSE-NEXT: gin.put
  // CSE-NEXT: arith.select %{{.*}}, %{{.*}}, %ready
  gin.specialize {
    role "a" {
      %again = gin.ready_token
      %other = gin.put %x into %x[0] on 0 -> !gin.token : !row into !row
      %u = arith.select %c, %other, %again : !gin.token
      gin.await %u
    }
  }
  return
}

// -----

// Nothing that communicates is dropped, merged or moved, whatever of it is unused.

!row = memref<4xf32, #gin.window>

func.func private @role(index)

// CHECK-LABEL: func.func @effects(
func.func @effects(%x: !row, %y: !row, %v: f32, %s: !gin.signals<4>, %n: index, %p: index,
                   %all: memref<?x4xf32, #gin.window>, %t: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK-NEXT: gin.put
    // CHECK-NEXT: gin.put
    gin.put %x into %y[0] on %p : !row into !row
    gin.put %x into %y[0] on %p : !row into !row
    // CHECK-NEXT: gin.put_value
    // CHECK-NEXT: gin.put_value
    gin.put_value %v into %y[0] on %p : f32 into !row
    gin.put_value %v into %y[0] on %p : f32 into !row
    // CHECK-NEXT: gin.get
    // CHECK-NEXT: gin.get
    gin.get %y[0] on %p into %x : !row into !row
    gin.get %y[0] on %p into %x : !row into !row
    // CHECK-NEXT: gin.atomic_add
    // CHECK-NEXT: gin.atomic_add
    gin.atomic_add %v into %y[0] on %p : f32 into !row
    gin.atomic_add %v into %y[0] on %p : f32 into !row
    // CHECK-NEXT: gin.signal %
    // CHECK-NEXT: gin.signal %
    gin.signal %s[0] on %p : !gin.signals<4>
    gin.signal %s[0] on %p : !gin.signals<4>
    // CHECK-NEXT: gin.wait
    // CHECK-NEXT: gin.wait
    // CHECK-NEXT: gin.wait
    gin.wait %s[0] >= 1 : !gin.signals<4>
    gin.wait %s[0] >= 1 : !gin.signals<4>
    %arrived = gin.wait %s[0] >= 1 timeout 9 -> i1 : !gin.signals<4>
    // CHECK-NEXT: gin.test
    // CHECK-NEXT: gin.test
    %a = gin.test %s[0] >= 1 : !gin.signals<4>
    %b = gin.test %s[0] >= 1 : !gin.signals<4>
    // CHECK-NEXT: gin.read
    // CHECK-NEXT: gin.read
    %d = gin.read %s[0] : !gin.signals<4>
    %e = gin.read %s[0] : !gin.signals<4>
    // CHECK-NEXT: gin.barrier
    // CHECK-NEXT: gin.barrier
    gin.barrier
    gin.barrier
    // CHECK-NEXT: gin.flush
    // CHECK-NEXT: gin.drain
    // CHECK-NEXT: gin.drain
    // CHECK-NEXT: gin.flush
    gin.flush
    gin.drain
    gin.drain
    gin.flush
    // CHECK-NEXT: gin.fork
    // CHECK-NEXT: gin.fork
    gin.fork @role() count %n
    gin.fork @role() count %n
    // CHECK-NEXT: gin.all_reduce
    // CHECK-NEXT: gin.all_reduce
    gin.all_reduce sum %x into %x : !row into !row
    gin.all_reduce sum %x into %x : !row into !row
    // On tensors too: other ranks take part.
    // CHECK-NEXT: gin.all_reduce
    // CHECK-NEXT: gin.all_reduce
    %u = gin.all_reduce sum %t into %t : tensor<4xf32> into tensor<4xf32> -> tensor<4xf32>
    %w = gin.all_reduce sum %t into %t : tensor<4xf32> into tensor<4xf32> -> tensor<4xf32>
    // CHECK-NEXT: gin.specialize
    // CHECK-NEXT: role "a"
    // CHECK-NEXT: gin.signal %
    gin.specialize {
      role "a" {
        gin.signal %s[0] on %p : !gin.signals<4>
      }
    }
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    // CHECK-NEXT: }
  }
  // CHECK-NEXT: return
  return
}

// -----

// Loads do not pass what may write the window, and stores are not forwarded past it.

!row = memref<4xf32, #gin.window>

// CHECK-LABEL: func.func @loads(
func.func @loads(%x: !row, %s: !gin.signals<1>, %i: index) -> (f32, f32, f32) {
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: gin.wait
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: gin.specialize
  %a = memref.load %x[%i] : !row
  gin.wait %s[0] >= 1 : !gin.signals<1>
  %b = memref.load %x[%i] : !row
  gin.specialize {
    role "r" {
      gin.wait %s[0] >= 2 : !gin.signals<1>
    }
  }
  // CHECK: }
  // CHECK-NEXT: }
  // CHECK-NEXT: memref.load
  %c = memref.load %x[%i] : !row
  return %a, %b, %c : f32, f32, f32
}

// A specialize without anything in it is nothing.
// CHECK-LABEL: func.func @nothing(
func.func @nothing() {
  // CLEAN-NEXT: return
  gin.specialize {
    role "a" {
    }
  }
  return
}
