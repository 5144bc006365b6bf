// RUN: gin-opt %s --split-input-file --gin-outline-agents | FileCheck %s

// What the rank can recompute is not captured.
// CHECK-LABEL: func.func private @f_forall(
// CHECK-SAME: %[[I:.*]]: index, %[[X:.*]]: memref<8xf32, #gin.window>, %[[W:.*]]: memref<8xf32, #gin.window> {gin.name = "w", gin.rights = #gin.rights<write>})
// CHECK-SAME: attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK-DAG: %[[ME:.*]] = gin.rank
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK: gin.put %[[X]] into %[[W]][%[[ME]]] on %[[I]]
// CHECK: gin.put_value
// CHECK-NEXT: return
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8xf32, #gin.window>, %[[W:[a-z0-9]+]]: memref
// CHECK: %[[N:.*]] = gin.num_ranks
// CHECK: gin.fork @f_forall(%[[X]], %[[W]]) count %[[N]] : memref<8xf32, #gin.window>, memref<8xf32, #gin.window>
// CHECK-NEXT: return
func.func @f(%x: memref<8xf32, #gin.window>,
             %w: memref<8xf32, #gin.window> {gin.name = "w", gin.rights = #gin.rights<write>}) {
  %me = gin.rank
  %n = gin.num_ranks
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  scf.forall (%p) in (%n) {
    gin.put %x into %w[%me] on %p : memref<8xf32, #gin.window> into memref<8xf32, #gin.window>
    gin.put_value %one into %w[%c2] on %p : f32 into memref<8xf32, #gin.window>
  }
  return
}

// -----

// Iterations count in row-major order; bounds and steps that are not constant are
// passed. More iterations than an index counts do not wrap.
// CHECK-LABEL: func.func private @grid_forall(
// CHECK-SAME: %[[A:.*]]: index, %[[S:[a-z0-9]+]]: !gin.signals<?x?>, %[[TRIP:[a-z0-9]+]]: index, %[[LB:[a-z0-9]+]]: index)
// CHECK: %[[J:.*]] = arith.remsi %[[A]], %[[TRIP]]
// CHECK: %[[ROW:.*]] = arith.divsi %[[A]], %[[TRIP]]
// CHECK: %[[JS:.*]] = arith.muli %[[J]], %{{.*}}
// CHECK: %[[JV:.*]] = arith.addi %[[JS]], %[[LB]]
// CHECK: gin.signal %[[S]][%[[ROW]], %[[JV]]] on 0
// CHECK-LABEL: func.func @grid(
// CHECK: %[[T0:.*]] = arith.maxsi
// CHECK: arith.ceildivsi
// CHECK: %[[T1:.*]] = arith.maxsi
// CHECK: %[[SOME:.*]] = arith.maxsi %[[T1]]
// CHECK: %[[MOST:.*]] = arith.divsi %{{.*}}, %[[SOME]]
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[T0]], %[[MOST]]
// CHECK: %[[PRODUCT:.*]] = arith.muli %[[T0]], %[[T1]]
// CHECK: %[[COUNT:.*]] = arith.select %[[FITS]], %[[PRODUCT]]
// CHECK: gin.fork @grid_forall({{.*}}) count %[[COUNT]]
func.func @grid(%s: !gin.signals<?x?>, %rows: index, %from: index, %to: index) {
  scf.forall (%i, %j) = (0, %from) to (%rows, %to) step (1, 2) {
    gin.signal %s[%i, %j] on 0 : !gin.signals<?x?>
  }
  return
}

// -----

// Constant bounds need no arguments.
// CHECK-LABEL: func.func private @constant_parallel(
// CHECK-SAME: %[[A:[a-z0-9]+]]: index, %[[S:[a-z0-9]+]]: !gin.signals<8>)
// CHECK: %[[C2:.*]] = arith.constant 2 : index
// CHECK: %[[X:.*]] = arith.muli %[[A]], %[[C2]]
// CHECK: %[[C1:.*]] = arith.constant 1 : index
// CHECK: %[[I:.*]] = arith.addi %[[X]], %[[C1]]
// CHECK: gin.signal %[[S]][%[[I]]] on 0
// CHECK-LABEL: func.func @constant(
// CHECK: %[[C3:.*]] = arith.constant 3 : index
// CHECK: gin.fork @constant_parallel(%{{.*}}) count %[[C3]] : !gin.signals<8>
func.func @constant(%s: !gin.signals<8>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  scf.parallel (%i) = (%c1) to (%c7) step (%c2) {
    gin.signal %s[%i] on 0 : !gin.signals<8>
    scf.reduce
  }
  return
}

// -----

// CHECK-LABEL: func.func private @roles_roles(
// CHECK-SAME: %[[ROLE:.*]]: index, %[[S:.*]]: !gin.signals<2>)
// CHECK: scf.index_switch %[[ROLE]]
// CHECK: case 0 {
// CHECK: gin.signal %[[S]][0] on 0
// CHECK: case 1 {
// CHECK: gin.wait %[[S]][0] >= 1
// CHECK: default {
// CHECK: gin.wait %[[S]][1] >= 1
// CHECK-LABEL: func.func @roles(
// CHECK: %[[C3:.*]] = arith.constant 3 : index
// CHECK: gin.fork @roles_roles(%{{.*}}) count %[[C3]] names ["send", "compute", "drain"] : !gin.signals<2>
func.func @roles(%s: !gin.signals<2>) {
  gin.specialize {
    role "send" ctas 16 {
      gin.signal %s[0] on 0 : !gin.signals<2>
    }
    role "compute" {
      gin.wait %s[0] >= 1 : !gin.signals<2>
      gin.signal %s[1] on 0 : !gin.signals<2>
    }
    role "drain" {
      gin.wait %s[1] >= 1 : !gin.signals<2>
    }
  }
  return
}

// -----

// Forks nest: the inner loop's function is called by the role's.
// CHECK-LABEL: func.func private @nested_forall(
// CHECK: gin.signal
// CHECK-LABEL: func.func private @nested_roles(
// CHECK-SAME: %{{.*}}: index, %[[S:.*]]: !gin.signals<?>)
// CHECK-NOT: scf.index_switch
// CHECK: %[[N:.*]] = gin.num_ranks
// CHECK: gin.fork @nested_forall(%[[S]]) count %[[N]] : !gin.signals<?>
// CHECK: return
// CHECK-LABEL: func.func @nested(
// CHECK: gin.fork @nested_roles
func.func @nested(%s: !gin.signals<?>) {
  gin.specialize {
    role "all" {
      %n = gin.num_ranks
      scf.forall (%i) in (%n) {
        gin.signal %s[%i] on %i : !gin.signals<?>
      }
    }
  }
  return
}

// -----

// A loop that only calls something that communicates forks as well; loops on other
// memory, and reductions of windows, stay.
// CHECK-LABEL: func.func private @barrier
func.func private @barrier() {
  gin.flush
  return
}
// CHECK: func.func private @stay_forall(
// CHECK: call @barrier
// CHECK-LABEL: func.func @stay(
// CHECK: scf.forall
// CHECK: scf.parallel
// CHECK: gin.fork @stay_forall() count %{{.*}}{{$}}
// CHECK-NOT: scf.forall
func.func @stay(%m: memref<8xf32>, %w: memref<8xf32, #gin.window>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    memref.store %zero, %m[%i] : memref<8xf32>
  }
  %sum = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
    %v = memref.load %w[%i] : memref<8xf32, #gin.window>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %b : f32
      scf.reduce.return %r : f32
    }
  }
  scf.forall (%i) in (8) {
    func.call @barrier() : () -> ()
  }
  return
}

// -----

// A token that is done already can be made again.
// CHECK-LABEL: func.func private @ready_forall(
// CHECK: %[[T:.*]] = gin.ready_token
// CHECK: gin.await %[[T]]
func.func @ready() {
  %t = gin.ready_token
  scf.forall (%i) in (8) {
    gin.await %t
  }
  return
}

// -----

// To agents, kernels are no more than their ops.
// CHECK-LABEL: func.func private @kernels_roles(
// CHECK: gin.signal
// CHECK-LABEL: func.func @kernels(
// CHECK-NOT: gin.kernel
// CHECK: gin.fork @kernels_roles
// CHECK: gin.wait
func.func @kernels(%s: !gin.signals<1>) {
  gin.specialize {
    role "a" {
      gin.kernel "tell" {
        gin.signal %s[0] on 0 : !gin.signals<1>
      }
    }
  }
  gin.kernel {
    gin.wait %s[0] >= 1 : !gin.signals<1>
  }
  return
}
