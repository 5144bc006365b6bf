// RUN: gin-opt %s --gin-decompose-collectives --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,DIRECT
// RUN: gin-opt %s --gin-decompose-collectives=algorithm=ring --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,RING
// RUN: gin-opt %s --gin-decompose-collectives=algorithm=tree --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,TREE
// RUN: gin-opt %s --gin-decompose-collectives --gin-verify=level=program -o /dev/null
// RUN: gin-opt %s --gin-decompose-collectives=algorithm=ring --gin-verify=level=program -o /dev/null
// RUN: gin-opt %s --gin-decompose-collectives=algorithm=tree --gin-verify=level=program -o /dev/null

!block = memref<5x7xf32, #gin.window>
!blocks = memref<?x5x7xf32, #gin.window>

// CHECK-LABEL: func @all_gather(
// CHECK-SAME:    %[[X:arg0]]: memref<5x7xf32, #gin.window>, %[[ALL:arg1]]: memref<?x5x7xf32, #gin.window>
// DIRECT-SAME:   %[[S:arg2]]: !gin.signals<?> {gin.name = "all_gather0_arrived", gin.sizes = affine_map<()[s0] -> (s0)>})
// RING-SAME:     %[[S:arg2]]: !gin.signals<?> {gin.name = "all_gather0_arrived", gin.sizes = affine_map<()[s0] -> (s0)>})
// TREE-SAME:     %[[OWN:arg2]]: !gin.signals<1> {gin.name = "all_gather0_own"}
// TREE-SAME:     %[[S:arg3]]: !gin.signals<32> {gin.name = "all_gather0_arrived"})
func.func @all_gather(%x: !block, %all: !blocks) {
  // CHECK: %[[ME:.*]] = gin.rank
  // CHECK: %[[N:.*]] = gin.num_ranks
  // CHECK: gin.barrier

  // DIRECT:      scf.for %[[K:.*]] = %c0 to %[[N]] step %c1 {
  // DIRECT-NEXT:   %[[P:.*]] = gin.neighbor %[[K]]
  // DIRECT-NEXT:   gin.put %[[X]] into %[[ALL]][%[[ME]], 0, 0] on %[[P]] signal %[[S]][%[[ME]]]
  // DIRECT-NEXT: }
  // DIRECT-NEXT: scf.for %[[Q:.*]] = %c0 to %[[N]] step %c1 {
  // DIRECT-NEXT:   gin.wait %[[S]][%[[Q]]] >= 1
  // DIRECT-NEXT: }

  // RING:      %[[RIGHT:.*]] = gin.neighbor 1
  // RING-NEXT: gin.put %[[X]] into %[[ALL]][%[[ME]], 0, 0] on %[[ME]] signal %[[S]][%[[ME]]]
  // RING-NEXT: %[[LAST:.*]] = arith.subi %[[N]], %c1
  // RING-NEXT: scf.for %[[STEP:.*]] = %c0 to %[[LAST]] step %c1 {
  // RING-NEXT:   %[[BACK:.*]] = arith.subi %c0, %[[STEP]]
  // RING-NEXT:   %[[FROM:.*]] = gin.neighbor %[[BACK]]
  // RING-NEXT:   gin.wait %[[S]][%[[FROM]]] >= 1
  // RING-NEXT:   %[[BLOCK:.*]] = memref.subview %[[ALL]][%[[FROM]], 0, 0] [1, 5, 7] [1, 1, 1]
  // RING-NEXT:   gin.put %[[BLOCK]] into %[[ALL]][%[[FROM]], 0, 0] on %[[RIGHT]] signal %[[S]][%[[FROM]]]
  // RING-NEXT: }
  // RING-NEXT: gin.wait %[[S]][%[[RIGHT]]] >= 1

  // TREE-NEXT: gin.put %[[X]] into %[[ALL]][%[[ME]], 0, 0] on %[[ME]] signal %[[OWN]][0]
  // TREE-NEXT: gin.wait %[[OWN]][0] >= 1
  // TREE:      math.ctlz
  // TREE:      scf.for %[[STEP:.*]] = %c0 to
  // TREE-NEXT:   %[[D:.*]] = arith.shli %c1, %[[STEP]]
  // TREE-NEXT:   %[[BACK:.*]] = arith.subi %c0, %[[D]]
  // TREE-NEXT:   %[[P:.*]] = gin.neighbor %[[BACK]]
  // TREE-NEXT:   %[[MISSING:.*]] = arith.subi %[[N]], %[[D]]
  // TREE-NEXT:   %[[COUNT:.*]] = arith.minui %[[D]], %[[MISSING]]
  // TREE-NEXT:   %[[ABOVE:.*]] = arith.subi %[[N]], %[[ME]]
  // TREE-NEXT:   %[[UPPER:.*]] = arith.minui %[[COUNT]], %[[ABOVE]]
  // TREE-NEXT:   %[[LOWER:.*]] = arith.subi %[[COUNT]], %[[UPPER]]
  // TREE-NEXT:   %[[A:.*]] = memref.subview %[[ALL]][%[[ME]], 0, 0] [%[[UPPER]], 5, 7]
  // TREE-NEXT:   gin.put %[[A]] into %[[ALL]][%[[ME]], 0, 0] on %[[P]] signal %[[S]][%[[STEP]]]
  // TREE-NEXT:   %[[B:.*]] = memref.subview %[[ALL]][0, 0, 0] [%[[LOWER]], 5, 7]
  // TREE-NEXT:   gin.put %[[B]] into %[[ALL]][0, 0, 0] on %[[P]] signal %[[S]][%[[STEP]]]
  // TREE-NEXT:   gin.wait %[[S]][%[[STEP]]] >= 2
  // TREE-NEXT: }

  // CHECK-NEXT: gin.flush
  // CHECK-NEXT: return
  gin.all_gather %x into %all : !block into !blocks
  return
}

// CHECK-LABEL: func @all_to_all(
// CHECK-SAME:    %[[X:arg0]]: memref<?x5x7xf32, #gin.window>, %[[Y:arg1]]: memref<?x5x7xf32, #gin.window>
// DIRECT-SAME:   %[[S:arg2]]: !gin.signals<?> {gin.name = "all_to_all0_arrived"
// RING-SAME:     %[[S:arg2]]: !gin.signals<?> {gin.name = "all_to_all0_arrived"
// TREE-SAME:     %[[HELD:arg2]]: memref<?x5x7xf32, #gin.window> {gin.name = "all_to_all0_held", gin.scratch, gin.sizes = affine_map<()[s0] -> (s0)>}
// TREE-SAME:     %[[OUT:arg3]]: memref<?x5x7xf32, #gin.window> {gin.name = "all_to_all0_outgoing", gin.scratch, gin.sizes = affine_map<()[s0] -> (s0 ceildiv 2)>}
// TREE-SAME:     %[[IN:arg4]]: memref<?x5x7xf32, #gin.window> {gin.name = "all_to_all0_incoming", gin.scratch, gin.sizes = affine_map<()[s0] -> (s0 ceildiv 2)>}
// TREE-SAME:     %[[READY:arg5]]: !gin.signals<32> {gin.name = "all_to_all0_ready"}
// TREE-SAME:     %[[S:arg6]]: !gin.signals<32> {gin.name = "all_to_all0_arrived"}
func.func @all_to_all(%x: !blocks, %y: !blocks) {
  // DIRECT: %[[ME:.*]] = gin.rank
  // RING: %[[ME:.*]] = gin.rank
  // CHECK: %[[N:.*]] = gin.num_ranks
  // CHECK: gin.barrier

  // DIRECT:      scf.for %[[K:.*]] = %c0 to %[[N]] step %c1 {
  // DIRECT-NEXT:   %[[P:.*]] = gin.neighbor %[[K]]
  // DIRECT-NEXT:   %[[BLOCK:.*]] = memref.subview %[[X]][%[[P]], 0, 0] [1, 5, 7] [1, 1, 1]
  // DIRECT-NEXT:   gin.put %[[BLOCK]] into %[[Y]][%[[ME]], 0, 0] on %[[P]] signal %[[S]][%[[ME]]]
  // DIRECT-NEXT: }
  // DIRECT-NEXT: scf.for %[[Q:.*]] = %c0 to %[[N]] step %c1 {
  // DIRECT-NEXT:   gin.wait %[[S]][%[[Q]]] >= 1
  // DIRECT-NEXT: }

  // RING:      scf.for %[[K:.*]] = %c0 to %[[N]] step %c1 {
  // RING-NEXT:   %[[P:.*]] = gin.neighbor %[[K]]
  // RING-NEXT:   %[[BACK:.*]] = arith.subi %c0, %[[K]]
  // RING-NEXT:   %[[Q:.*]] = gin.neighbor %[[BACK]]
  // RING-NEXT:   %[[BLOCK:.*]] = memref.subview %[[X]][%[[P]], 0, 0]
  // RING-NEXT:   gin.put %[[BLOCK]] into %[[Y]][%[[ME]], 0, 0] on %[[P]] signal %[[S]][%[[ME]]]
  // RING-NEXT:   gin.wait %[[S]][%[[Q]]] >= 1
  // RING-NEXT: }

  // TREE:      scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 {
  // TREE-NEXT:   %[[P:.*]] = gin.neighbor %[[I]]
  // TREE:        memref.copy
  // TREE-NEXT: }
  // TREE:      scf.for %[[STEP:.*]] = %c0 to
  // TREE-NEXT:   %[[D:.*]] = arith.shli %c1, %[[STEP]]
  // TREE-NEXT:   %[[RIGHT:.*]] = gin.neighbor %[[D]]
  // TREE-NEXT:   %[[BACK:.*]] = arith.subi %c0, %[[D]]
  // TREE-NEXT:   %[[LEFT:.*]] = gin.neighbor %[[BACK]]
  // TREE-NEXT:   gin.signal %[[READY]][%[[STEP]]] on %[[LEFT]]
  // TREE:        scf.for %{{.*}} = %c0 to %[[COUNT:.*]] step %c1 {
  // TREE:          memref.copy
  // TREE-NEXT:   }
  // TREE-NEXT:   gin.wait %[[READY]][%[[STEP]]] >= 1
  // TREE-NEXT:   %[[PACKED:.*]] = memref.subview %[[OUT]][0, 0, 0] [%[[COUNT]], 5, 7]
  // TREE-NEXT:   gin.put %[[PACKED]] into %[[IN]][0, 0, 0] on %[[RIGHT]] signal %[[S]][%[[STEP]]]
  // TREE-NEXT:   gin.wait %[[S]][%[[STEP]]] >= 1
  // TREE-NEXT:   scf.for
  // TREE:          memref.copy
  // TREE-NEXT:   }
  // TREE-NEXT:   gin.flush
  // TREE-NEXT: }
  // TREE-NEXT: scf.for
  // TREE:        memref.copy
  // TREE-NEXT: }

  // CHECK-NEXT: gin.flush
  // CHECK-NEXT: return
  gin.all_to_all %x into %y : !blocks into !blocks
  return
}

// All ops have the collective's team.

// CHECK-LABEL: func @team(
// DIRECT-SAME:   !gin.signals<3> {gin.name = "all_gather0_arrived"}
func.func @team(%x: !block, %all: memref<3x5x7xf32, #gin.window>) {
  // DIRECT:      %[[ME:.*]] = gin.rank team row of 2x3
  // DIRECT-NEXT: gin.barrier team row of 2x3
  // DIRECT-NEXT: scf.for %[[K:.*]] = %c0 to %c3 step %c1 {
  // DIRECT-NEXT:   %[[P:.*]] = gin.neighbor %[[K]] team row of 2x3
  // DIRECT-NEXT:   gin.put %{{.*}} into %{{.*}}[%[[ME]], 0, 0] on %[[P]] team row of 2x3 signal
  gin.all_gather %x into %all team row of 2x3 : !block into memref<3x5x7xf32, #gin.window>
  return
}
