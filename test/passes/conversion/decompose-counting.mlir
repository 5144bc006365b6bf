// RUN: gin-opt %s --gin-decompose-collectives --canonicalize | FileCheck %s

// Signals only grow within a launch: the wait of a later execution counts on.

!vector = memref<5xf32, #gin.window>
!all = memref<?x5xf32, #gin.window>

// CHECK-LABEL: func @once
// CHECK:         gin.wait %{{.*}} >= 1
func.func @once(%x: !vector, %all: !all, %condition: i1) {
  // Not in a loop, it is executed at most once.
  scf.if %condition {
    gin.all_gather %x into %all : !vector into !all
  }
  return
}

// CHECK-LABEL: func @loop
// CHECK:         scf.for %[[I:.*]] = %c0 to
// CHECK:           %[[COUNT:.*]] = arith.addi %[[I]], %c1
// CHECK:           gin.wait %{{.*}} >= %[[COUNT]]
func.func @loop(%x: !vector, %all: !all, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    gin.all_gather %x into %all : !vector into !all
  }
  return
}

// CHECK-LABEL: func @steps(
// CHECK-SAME:    %[[LB:arg2]]: index, %[[UB:arg3]]: index, %[[STEP:arg4]]: index
// CHECK:         scf.for %[[I:.*]] = %[[LB]] to %[[UB]] step %[[STEP]]
// CHECK:           %[[DONE:.*]] = arith.subi %[[I]], %[[LB]]
// CHECK:           %[[BEFORE:.*]] = arith.divui %[[DONE]], %[[STEP]]
// CHECK:           %[[COUNT:.*]] = arith.addi %[[BEFORE]], %c1
// CHECK:           gin.wait %{{.*}} >= %[[COUNT]]
func.func @steps(%x: !vector, %all: !all, %lb: index, %ub: index, %step: index) {
  scf.for %i = %lb to %ub step %step {
    gin.all_gather %x into %all : !vector into !all
  }
  return
}

// CHECK-LABEL: func @nest(
// CHECK-SAME:    %[[N:arg2]]: index
// CHECK:         scf.for %[[I:.*]] = %c0 to
// CHECK:           scf.for %[[J:.*]] = %c0 to %[[N]]
// CHECK:             %[[ROWS:.*]] = arith.muli %[[I]], %[[N]]
// CHECK:             %[[BEFORE:.*]] = arith.addi %[[ROWS]], %[[J]]
// CHECK:             %[[COUNT:.*]] = arith.addi %[[BEFORE]], %c1
// CHECK:             gin.wait %{{.*}} >= %[[COUNT]]
func.func @nest(%x: !vector, %all: !all, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      gin.all_gather %x into %all : !vector into !all
    }
  }
  return
}

// The inner loop has another length each time: counted in memory.
// CHECK-LABEL: func @triangle
// CHECK:         %[[COUNTER:.*]] = memref.alloca() : memref<index>
// CHECK:         memref.store %c0, %[[COUNTER]][]
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             %[[BEFORE:.*]] = memref.load %[[COUNTER]][]
// CHECK:             %[[COUNT:.*]] = arith.addi %[[BEFORE]], %c1
// CHECK:             memref.store %[[COUNT]], %[[COUNTER]][]
// CHECK:             gin.barrier
// CHECK:             gin.wait %{{.*}} >= %{{.*}} : !gin.signals<?>
func.func @triangle(%x: !vector, %all: !all, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      gin.all_gather %x into %all : !vector into !all
    }
  }
  return
}

// CHECK-LABEL: func @sometimes
// CHECK:         memref.alloca() : memref<index>
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             memref.load
func.func @sometimes(%x: !vector, %all: !all, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %now = arith.cmpi ult, %i, %m : index
    scf.if %now {
      gin.all_gather %x into %all : !vector into !all
    }
  }
  return
}

// CHECK-LABEL: func @while
// CHECK:         memref.alloca() : memref<index>
func.func @while(%x: !vector, %all: !all, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    gin.all_gather %x into %all : !vector into !all
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// CHECK-LABEL: func @branches
// CHECK:         memref.alloca() : memref<index>
// CHECK:       ^bb1
// CHECK:         memref.load
// CHECK:       ^bb2
// CHECK:         gin.wait %{{.*}} >= 1
func.func @branches(%x: !vector, %all: !all, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  gin.all_gather %x into %all : !vector into !all
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %next, %n : index
  cf.cond_br %more, ^loop(%next : index), ^end
^end:
  gin.all_gather %x into %all : !vector into !all
  return
}

// Each has slots of its own.
// CHECK-LABEL: func @names(
// CHECK-SAME:    "all_gather0_arrived"
// CHECK-SAME:    "all_gather1_arrived"
// CHECK-SAME:    "all_to_all0_arrived"
func.func @names(%x: !vector, %all: !all, %other: !all) {
  gin.all_gather %x into %all : !vector into !all
  gin.all_gather %x into %all : !vector into !all
  gin.all_to_all %all into %other : !all into !all
  return
}

// Names that arguments have already are not taken again.
// CHECK-LABEL: func @more_names(
// CHECK-SAME:    "all_gather1_arrived"
func.func @more_names(%x: !vector, %all: !all,
                      %s: !gin.signals<1> {gin.name = "all_gather0_arrived"}) {
  gin.all_gather %x into %all : !vector into !all
  return
}
