// RUN: gin-opt %s --gin-decompose-collectives --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,DIRECT
// RUN: gin-opt %s --gin-decompose-collectives=algorithm=ring --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,RING
// RUN: gin-opt %s --gin-decompose-collectives=algorithm=tree --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,TREE
// RUN: gin-opt %s --gin-decompose-collectives --gin-verify=level=program -o /dev/null
// RUN: gin-opt %s --gin-decompose-collectives=algorithm=ring --gin-verify=level=program -o /dev/null
// RUN: gin-opt %s --gin-decompose-collectives=algorithm=tree --gin-verify=level=program -o /dev/null

!vector = memref<5xf32, #gin.window>
!blocks = memref<?x5xf32, #gin.window>

// CHECK-LABEL: func @reduce_scatter(
// CHECK-SAME:    %[[X:arg0]]: memref<?x5xf32, #gin.window>, %[[Y:arg1]]: memref<5xf32, #gin.window>
// DIRECT-SAME:   %[[IN:arg2]]: memref<?x5xf32, #gin.window> {gin.name = "reduce_scatter0_inbox", gin.scratch, gin.sizes = affine_map<()[s0] -> (s0)>}
// DIRECT-SAME:   %[[S:arg3]]: !gin.signals<?> {gin.name = "reduce_scatter0_arrived", gin.sizes = affine_map<()[s0] -> (s0)>})
// RING-SAME:     %[[IN:arg2]]: memref<?x5xf32, #gin.window> {gin.name = "reduce_scatter0_inbox"
// RING-SAME:     %[[S:arg3]]: !gin.signals<?> {gin.name = "reduce_scatter0_arrived"
// TREE-SAME:     %[[SUMS:arg2]]: memref<?x5xf32, #gin.window> {gin.name = "reduce_scatter0_partial"
// TREE-SAME:     %[[IN:arg3]]: memref<?x5xf32, #gin.window> {gin.name = "reduce_scatter0_inbox"
// TREE-SAME:     %[[S:arg4]]: !gin.signals<32> {gin.name = "reduce_scatter0_arrived"})
func.func @reduce_scatter(%x: !blocks, %y: !vector) {
  // DIRECT: %[[ME:.*]] = gin.rank
  // RING:   %[[ME:.*]] = gin.rank
  // CHECK:  %[[N:.*]] = gin.num_ranks
  // CHECK:  gin.barrier

  // DIRECT:      scf.for %[[K:.*]] = %c0 to %[[N]] step %c1 {
  // DIRECT-NEXT:   %[[P:.*]] = gin.neighbor %[[K]]
  // DIRECT-NEXT:   %[[BLOCK:.*]] = memref.subview %[[X]][%[[P]], 0] [1, 5]
  // DIRECT-NEXT:   gin.put %[[BLOCK]] into %[[IN]][%[[ME]], 0] on %[[P]] signal %[[S]][%[[ME]]]
  // DIRECT-NEXT: }
  // DIRECT-NEXT: scf.for %[[Q:.*]] = %c0 to %[[N]]
  // DIRECT-NEXT:   gin.wait %[[S]][%[[Q]]] >= 1
  // DIRECT-NEXT: }
  // DIRECT-NEXT: %[[FIRST:.*]] = memref.subview %[[IN]][0, 0] [1, 5]
  // DIRECT-NEXT: linalg.generic {{.*}} ins(%[[FIRST]] : {{.*}}) outs(%[[Y]] :
  // DIRECT:      scf.for %[[Q:.*]] = %c1 to %[[N]]
  // DIRECT-NEXT:   %[[NEXT:.*]] = memref.subview %[[IN]][%[[Q]], 0] [1, 5]
  // DIRECT-NEXT:   linalg.generic {{.*}} ins(%[[Y]], %[[NEXT]] : {{.*}}) outs(%[[Y]] :
  // DIRECT:          arith.addf

  // RING:      scf.if
  // RING:        memref.copy %{{.*}}, %[[Y]]
  // RING-NEXT: } else {
  // RING-NEXT:   %[[LEFT:.*]] = gin.neighbor -1
  // RING-NEXT:   %[[START:.*]] = memref.subview %[[X]][%[[LEFT]], 0]
  // RING-NEXT:   gin.put %[[START]] into %[[IN]][%[[LEFT]], 0] on %[[RIGHT:.*]] signal %[[S]][%[[LEFT]]]
  // RING-NEXT:   scf.for %[[K:.*]] = %c2 to %[[N]] step %c1 {
  // RING-NEXT:     %[[BACK:.*]] = arith.subi %c0, %[[K]]
  // RING-NEXT:     %[[B:.*]] = gin.neighbor %[[BACK]]
  // RING-NEXT:     gin.wait %[[S]][%[[B]]] >= 1
  // RING-NEXT:     %[[PARTIAL:.*]] = memref.subview %[[IN]][%[[B]], 0]
  // RING-NEXT:     %[[OWN:.*]] = memref.subview %[[X]][%[[B]], 0]
  // RING-NEXT:     linalg.generic {{.*}} ins(%[[PARTIAL]], %[[OWN]] : {{.*}}) outs(%[[PARTIAL]] :
  // RING:          gin.put %[[PARTIAL]] into %[[IN]][%[[B]], 0] on %[[RIGHT]] signal %[[S]][%[[B]]]
  // RING-NEXT:   }
  // RING-NEXT:   gin.wait %[[S]][%[[ME]]] >= 1
  // RING:        linalg.generic {{.*}} outs(%[[Y]] :

  // TREE:      scf.for
  // TREE:        memref.copy
  // TREE-NEXT: }
  // TREE:      scf.for
  // TREE-NEXT:   %[[STEP:.*]] = arith.subi
  // TREE-NEXT:   %[[D:.*]] = arith.shli %c1, %[[STEP]]
  // TREE-NEXT:   %[[MISSING:.*]] = arith.subi %[[N]], %[[D]]
  // TREE-NEXT:   %[[COUNT:.*]] = arith.minui %[[D]], %[[MISSING]]
  // TREE-NEXT:   %[[FAR:.*]] = memref.subview %[[SUMS]][%[[D]], 0] [%[[COUNT]], 5]
  // TREE-NEXT:   %[[P:.*]] = gin.neighbor %[[D]]
  // TREE-NEXT:   gin.put %[[FAR]] into %[[IN]][%[[D]], 0] on %[[P]] signal %[[S]][%[[STEP]]]
  // TREE-NEXT:   gin.wait %[[S]][%[[STEP]]] >= 1
  // TREE-NEXT:   %[[NEAR:.*]] = memref.subview %[[SUMS]][0, 0] [%[[COUNT]], 5]
  // TREE-NEXT:   %[[GOT:.*]] = memref.subview %[[IN]][%[[D]], 0] [%[[COUNT]], 5]
  // TREE-NEXT:   linalg.generic {{.*}} ins(%[[NEAR]], %[[GOT]] : {{.*}}) outs(%[[NEAR]] :
  // TREE:      memref.copy %{{.*}}, %[[Y]]

  // CHECK:      gin.flush
  // CHECK-NEXT: return
  gin.reduce_scatter sum %x into %y : !blocks into !vector
  return
}

// CHECK-LABEL: func @all_reduce(
// CHECK-SAME:    %[[X:arg0]]: memref<5xf32, #gin.window>, %[[Y:arg1]]: memref<5xf32, #gin.window>
// DIRECT-SAME:   %[[IN:arg2]]: memref<?x5xf32, #gin.window> {gin.name = "all_reduce0_inbox", gin.scratch, gin.sizes = affine_map<()[s0] -> (s0)>}
// DIRECT-SAME:   %[[S:arg3]]: !gin.signals<?> {gin.name = "all_reduce0_arrived"
// RING-SAME:     %[[IN:arg2]]: memref<5xf32, #gin.window> {gin.name = "all_reduce0_inbox", gin.scratch}
// RING-SAME:     %[[REDUCED:arg3]]: !gin.signals<?> {gin.name = "all_reduce0_reduced"
// RING-SAME:     %[[GATHERED:arg4]]: !gin.signals<?> {gin.name = "all_reduce0_gathered"
// TREE-SAME:     %[[IN:arg2]]: memref<5xf32, #gin.window> {gin.name = "all_reduce0_inbox", gin.scratch}
// TREE-SAME:     %[[READY:arg3]]: !gin.signals<32> {gin.name = "all_reduce0_ready"}
// TREE-SAME:     %[[UP:arg4]]: !gin.signals<32> {gin.name = "all_reduce0_up"}
// TREE-SAME:     %[[DOWN:arg5]]: !gin.signals<1> {gin.name = "all_reduce0_down"})
func.func @all_reduce(%x: !vector, %y: !vector) {
  // CHECK: %[[ME:.*]] = gin.rank
  // CHECK: %[[N:.*]] = gin.num_ranks
  // CHECK: gin.barrier

  // The flush, since the result may be the input.
  // DIRECT:      gin.put %[[X]] into %[[IN]][%[[ME]], 0] on %{{.*}} signal %[[S]][%[[ME]]]
  // DIRECT:      gin.wait
  // DIRECT:      gin.flush
  // DIRECT:      linalg.generic {{.*}} outs(%[[Y]] :
  // DIRECT:      linalg.generic {{.*}} outs(%[[Y]] :

  // Plain signals on the way to the sums, bundled ones afterwards.
  // RING:      scf.if
  // RING-NEXT:   memref.copy %[[X]], %[[Y]]
  // RING-NEXT: } else {
  // RING:        %[[OWN:.*]] = memref.subview %[[X]]
  // RING-NEXT:   gin.put %[[OWN]] into %[[IN]][%{{.*}}] on %[[RIGHT:[^ ]*]] :
  // RING-NEXT:   gin.signal %[[REDUCED]][%[[ME]]] on %[[RIGHT]] :
  // RING-NEXT:   scf.for
  // RING:          %[[C:.*]] = gin.neighbor
  // RING:          gin.wait %[[REDUCED]][%[[C]]] >= 1
  // RING:          linalg.generic {{.*}} outs(%[[SUM:.*]] :
  // RING:          gin.put %[[SUM]] into %[[IN]][%{{.*}}] on %[[RIGHT]] :
  // RING-NEXT:     gin.signal %[[REDUCED]][%[[C]]] on %[[RIGHT]] :
  // RING-NEXT:   }
  // RING:        gin.wait %[[REDUCED]][%[[RIGHT]]] >= 1
  // RING:        linalg.generic
  // RING:        scf.for
  // RING:          %[[C:.*]] = gin.neighbor
  // RING:          gin.put %{{.*}} into %[[Y]][%{{.*}}] on %[[RIGHT]] signal %[[GATHERED]][%[[C]]]
  // RING:          gin.wait %[[GATHERED]]
  // RING-NEXT:   }
  // RING-NEXT: }

  // TREE-NEXT: memref.copy %[[X]], %[[Y]]
  // TREE:      scf.for %[[STEP:.*]] = %c0 to
  // TREE:        scf.if
  // TREE-NEXT:     gin.signal %[[READY]][%[[STEP]]] on %[[CHILD:.*]] :
  // TREE-NEXT:     gin.wait %[[UP]][%[[STEP]]] >= 1
  // TREE-NEXT:     linalg.generic {{.*}} ins(%[[Y]], %[[IN]] : {{.*}}) outs(%[[Y]] :
  // TREE:        scf.if
  // TREE-NEXT:     %[[PARENT:.*]] = arith.subi %[[ME]],
  // TREE-NEXT:     gin.wait %[[READY]][%[[STEP]]] >= 1
  // TREE-NEXT:     gin.put %[[Y]] into %[[IN]][0] on %[[PARENT]] :
  // TREE-NEXT:     gin.signal %[[UP]][%[[STEP]]] on %[[PARENT]] :
  // TREE:      scf.for
  // TREE:        scf.if
  // TREE-NEXT:     gin.put %[[Y]] into %[[Y]][0] on %{{.*}} signal %[[DOWN]][0]
  // TREE:        scf.if
  // TREE-NEXT:     gin.wait %[[DOWN]][0] >= 1

  // CHECK:      gin.flush
  // CHECK-NEXT: return
  gin.all_reduce sum %x into %y : !vector into !vector
  return
}

// In place nothing is copied.
// CHECK-LABEL: func @in_place(
// RING-NOT:  memref.copy
// TREE-NOT:  memref.copy
// CHECK:     return
func.func @in_place(%x: !vector) {
  gin.all_reduce sum %x into %x : !vector into !vector
  return
}

// A chunk of the ring is a range of elements: remote places of a matrix could not
// name it, so that sums are gathered in scratch memory.
// CHECK-LABEL: func @matrix(
// RING-SAME:     memref<21xf32, #gin.window> {gin.name = "all_reduce0_inbox", gin.scratch}
// RING-SAME:     %[[SUM:arg.*]]: memref<21xf32, #gin.window> {gin.name = "all_reduce0_sum", gin.scratch}
// RING:          %[[FLAT:.*]] = memref.collapse_shape %arg0 {{\[}}[0, 1]]
// RING:          gin.put %{{.*}} into %[[SUM]][%{{.*}}] on
// RING:          %[[RESULT:.*]] = memref.collapse_shape %arg1 {{\[}}[0, 1]]
// RING-NEXT:     memref.copy %{{.*}}, %[[RESULT]]
func.func @matrix(%x: memref<3x7xf32, #gin.window>, %y: memref<3x7xf32, #gin.window>) {
  gin.all_reduce sum %x into %y : memref<3x7xf32, #gin.window> into memref<3x7xf32, #gin.window>
  return
}

// An input that is not contiguous is copied first.
// CHECK-LABEL: func @columns(
// RING:          %[[PART:.*]] = memref.subview %arg0[0, 0] [3, 2] [1, 1]
// RING:          memref.copy %[[PART]], %arg1
// RING-NEXT:     memref.collapse_shape %arg1
func.func @columns(%x: memref<3x7xf32, #gin.window>, %y: memref<3x2xf32, #gin.window>) {
  %part = memref.subview %x[0, 0] [3, 2] [1, 1]
    : memref<3x7xf32, #gin.window> to memref<3x2xf32, strided<[7, 1]>, #gin.window>
  gin.all_reduce sum %part into %y
    : memref<3x2xf32, strided<[7, 1]>, #gin.window> into memref<3x2xf32, #gin.window>
  return
}

// CHECK-LABEL: func @scalar(
// RING:          memref.expand_shape %arg0 [] output_shape [1]
func.func @scalar(%x: memref<f32, #gin.window>, %y: memref<f32, #gin.window>) {
  gin.all_reduce sum %x into %y : memref<f32, #gin.window> into memref<f32, #gin.window>
  return
}
