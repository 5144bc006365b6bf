// RUN: gin-opt %s --gin-decompose-collectives --canonicalize --cse | FileCheck %s
// RUN: gin-opt %s --gin-decompose-collectives=algorithm=ring --gin-verify=level=program -o /dev/null

!tokens = memref<?x64xf32, #gin.window>
!choices = memref<?x2xi32, #gin.window>
!received = memref<?x3x16x64xf32, #gin.window>
!counts = memref<?x3xi32, #gin.window>

// CHECK-LABEL: func @dispatch(
// CHECK-SAME:    %[[X:arg0]]: {{.*}}, %[[E:arg1]]: {{.*}}, %[[R:arg2]]: {{.*}}, %[[C:arg3]]: {{.*}}, %[[P:arg4]]: memref<?x2xi32, #gin.window>,
// CHECK-SAME:    %[[FILLED:arg5]]: memref<?x3xi32, #gin.window> {gin.name = "dispatch0_filled", gin.scratch, gin.sizes = affine_map<()[s0] -> (s0)>}
// CHECK-SAME:    %[[S:arg6]]: !gin.signals<?> {gin.name = "dispatch0_arrived", gin.sizes = affine_map<()[s0] -> (s0)>})
func.func @dispatch(%x: !tokens, %experts: !choices, %recv: !received, %counts: !counts,
                    %pos: !choices) {
  // CHECK:      %[[ME:.*]] = gin.rank
  // CHECK:      %[[N:.*]] = gin.num_ranks
  // CHECK:      %[[T:.*]] = memref.dim %[[E]], %c0
  // CHECK:      gin.barrier
  // CHECK:      %[[ALL:.*]] = arith.muli %[[N]], %c3
  // CHECK:      linalg.fill ins(%c0_i32 : i32) outs(%[[FILLED]] :
  // CHECK:      scf.for %[[TOKEN:.*]] = %c0 to %[[T]] step %c1 {
  // CHECK-NEXT:   scf.for %[[K:.*]] = %c0 to %c2 step %c1 {
  // CHECK-NEXT:     %[[CHOICE:.*]] = memref.load %[[E]][%[[TOKEN]], %[[K]]]
  // CHECK-NEXT:     %[[EXPERT:.*]] = arith.index_cast %[[CHOICE]] : i32 to index
  // CHECK-NEXT:     %[[KNOWN:.*]] = arith.cmpi ult, %[[EXPERT]], %[[ALL]]
  // CHECK-NEXT:     scf.if %[[KNOWN]] {
  // CHECK-NEXT:       %[[OWNER:.*]] = arith.divui %[[EXPERT]], %c3
  // CHECK-NEXT:       %[[LOCAL:.*]] = arith.remui %[[EXPERT]], %c3
  // CHECK-NEXT:       %[[NEXT:.*]] = memref.load %[[FILLED]][%[[OWNER]], %[[LOCAL]]]
  // CHECK-NEXT:       %[[PLACE:.*]] = arith.index_cast %[[NEXT]] : i32 to index
  // CHECK-NEXT:       %[[FITS:.*]] = arith.cmpi ult, %[[PLACE]], %c16
  // CHECK-NEXT:       scf.if %[[FITS]] {
  // CHECK-NEXT:         %[[ROW:.*]] = memref.subview %[[X]][%[[TOKEN]], 0] [1, 64]
  // CHECK-NEXT:         gin.put %[[ROW]] into %[[R]][%[[ME]], %[[LOCAL]], %[[PLACE]], 0] on %[[OWNER]] :
  // CHECK:              memref.store %{{.*}}, %[[FILLED]][%[[OWNER]], %[[LOCAL]]]
  // CHECK:              memref.store %{{.*}}, %[[P]][%[[TOKEN]], %[[K]]]
  // CHECK-NEXT:       } else {
  // CHECK-NEXT:         memref.store %c-1_i32, %[[P]][%[[TOKEN]], %[[K]]]
  // CHECK-NEXT:       }
  // CHECK-NEXT:     } else {
  // CHECK-NEXT:       memref.store %c-1_i32, %[[P]][%[[TOKEN]], %[[K]]]
  // CHECK:      scf.for %[[D:.*]] = %c0 to %[[N]] step %c1 {
  // CHECK-NEXT:   %[[PEER:.*]] = gin.neighbor %[[D]]
  // CHECK-NEXT:   %[[MINE:.*]] = memref.subview %[[FILLED]][%[[PEER]], 0] [1, 3]
  // CHECK-NEXT:   gin.put %[[MINE]] into %[[C]][%[[ME]], 0] on %[[PEER]] :
  // CHECK-NEXT:   gin.signal %[[S]][%[[ME]]] on %[[PEER]] :
  // CHECK-NEXT: }
  // CHECK-NEXT: scf.for %[[Q:.*]] = %c0 to %[[N]] step %c1 {
  // CHECK-NEXT:   gin.wait %[[S]][%[[Q]]] >= 1
  // CHECK-NEXT: }
  // CHECK-NEXT: gin.flush
  // CHECK-NEXT: return
  gin.dispatch %x, %experts into %recv, %counts, %pos
    : !tokens, !choices into !received, !counts, !choices
  return
}

// CHECK-LABEL: func @combine(
// CHECK-SAME:    %[[R:arg0]]: {{.*}}, %[[E:arg1]]: {{.*}}, %[[P:arg2]]: {{.*}}, %[[W:arg3]]: {{.*}}, %[[Y:arg4]]: memref<?x64xf32, #gin.window>,
// CHECK-SAME:    %[[WANTED:arg5]]: memref<?x3xi32, #gin.window> {gin.name = "combine0_wanted", gin.scratch
// CHECK-SAME:    %[[ASKED:arg6]]: memref<?x3xi32, #gin.window> {gin.name = "combine0_asked", gin.scratch
// CHECK-SAME:    %[[BACK:arg7]]: memref<?x3x16x64xf32, #gin.window> {gin.name = "combine0_returned", gin.scratch
// CHECK-SAME:    %[[S:arg8]]: !gin.signals<?> {gin.name = "combine0_arrived"
func.func @combine(%out: !received, %experts: !choices, %pos: !choices,
                   %weights: memref<?x2xf32, #gin.window>, %y: !tokens) {
  // What is wanted goes out before the barrier, which covers it.
  // CHECK:      linalg.fill ins(%c0_i32 : i32) outs(%[[WANTED]] :
  // CHECK:      arith.maxsi
  // CHECK:      scf.for
  // CHECK-NEXT:   %[[PEER:.*]] = gin.neighbor
  // CHECK-NEXT:   %[[MINE:.*]] = memref.subview %[[WANTED]][%[[PEER]], 0] [1, 3]
  // CHECK-NEXT:   gin.put %[[MINE]] into %[[ASKED]][%[[ME:.*]], 0] on %[[PEER]] :
  // CHECK-NEXT: }
  // CHECK-NEXT: gin.barrier

  // CHECK-NEXT: scf.for
  // CHECK-NEXT:   %[[PEER:.*]] = gin.neighbor
  // CHECK-NEXT:   scf.for %[[L:.*]] = %c0 to %c3 step %c1 {
  // CHECK-NEXT:     %[[COUNT:.*]] = memref.load %[[ASKED]][%[[PEER]], %[[L]]]
  // CHECK-NEXT:     %[[ROWS:.*]] = arith.index_cast %[[COUNT]] : i32 to index
  // CHECK-NEXT:     %[[BLOCK:.*]] = memref.subview %[[R]][%[[PEER]], %[[L]], 0, 0] [1, 1, %[[ROWS]], 64]
  // CHECK-NEXT:     gin.put %[[BLOCK]] into %[[BACK]][%[[ME]], %[[L]], 0, 0] on %[[PEER]] :
  // CHECK-NEXT:   }
  // CHECK-NEXT:   gin.signal %[[S]][%[[ME]]] on %[[PEER]] :
  // CHECK:      gin.wait %[[S]]

  // CHECK:      scf.for %[[T:.*]] = %c0 to
  // CHECK-NEXT:   %[[ROW:.*]] = memref.subview %[[Y]][%[[T]], 0] [1, 64]
  // CHECK-NEXT:   linalg.fill ins(%{{.*}} : f32) outs(%[[ROW]] :
  // CHECK-NEXT:   scf.for %[[K:.*]] = %c0 to %c2 step %c1 {
  // CHECK:          %[[POS:.*]] = memref.load %[[P]][%[[T]], %[[K]]]
  // CHECK-NEXT:     %[[PLACE:.*]] = arith.index_cast %[[POS]] : i32 to index
  // CHECK-NEXT:     %[[PLACED:.*]] = arith.cmpi ult, %[[PLACE]], %c16
  // CHECK-NEXT:     scf.if %[[PLACED]] {
  // CHECK-NEXT:       %[[GATE:.*]] = memref.load %[[W]][%[[T]], %[[K]]]
  // CHECK-NEXT:       %[[RESULT:.*]] = memref.subview %[[BACK]]
  // CHECK-NEXT:       linalg.generic {{.*}} ins(%[[ROW]], %[[RESULT]] : {{.*}}) outs(%[[ROW]] :
  // CHECK:              %[[PRODUCT:.*]] = arith.mulf %[[GATE]], %{{.*}} : f32
  // CHECK-NEXT:         arith.addf %{{.*}}, %[[PRODUCT]] : f32
  // CHECK:      gin.flush
  // CHECK-NEXT: return
  gin.combine %out, %experts, %pos, %weights into %y
    : !received, !choices, !choices, memref<?x2xf32, #gin.window> into !tokens
  return
}

// Narrow floats are summed up in a row of f32.
// CHECK-LABEL: func @combine_f16(
// CHECK-SAME:    memref<64xf32, #gin.window> {gin.name = "combine0_sum", gin.scratch})
// CHECK:         arith.mulf %{{.*}} : f32
// CHECK:         arith.truncf %{{.*}} : f32 to f16
func.func @combine_f16(%out: memref<?x3x16x64xf16, #gin.window>, %experts: !choices,
                       %pos: !choices, %weights: memref<?x2xf16, #gin.window>,
                       %y: memref<?x64xf16, #gin.window>) {
  gin.combine %out, %experts, %pos, %weights into %y
    : memref<?x3x16x64xf16, #gin.window>, !choices, !choices, memref<?x2xf16, #gin.window>
      into memref<?x64xf16, #gin.window>
  return
}
