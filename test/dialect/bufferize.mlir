// Collectives on tensors become collectives on windows, where the tensors' encoding
// is #gin.window. Windows are never allocated for what can be done in place.

// RUN: gin-opt %s --split-input-file \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries use-encoding-for-memory-space function-boundary-type-conversion=identity-layout-map" \
// RUN:   | FileCheck %s

!x = tensor<5x7xbf16, #gin.window>
!all = tensor<?x5x7xbf16, #gin.window>

// CHECK-LABEL: func.func @gather(
// CHECK-SAME: %[[X:.*]]: memref<5x7xbf16, #gin.window>, %[[ALL:.*]]: memref<?x5x7xbf16, #gin.window>) -> memref<?x5x7xbf16, #gin.window>
func.func @gather(%x: !x, %all: !all) -> !all {
  // CHECK-NEXT: gin.all_gather %[[X]] into %[[ALL]] team lsa {test.attr} : memref<5x7xbf16, #gin.window> into memref<?x5x7xbf16, #gin.window>
  // CHECK-NEXT: return %[[ALL]]
  %0 = gin.all_gather %x into %all team lsa {test.attr} : !x into !all -> !all
  return %0 : !all
}

// One after the other, and an upstream op between them, with the destination read
// by none of them.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[X:.*]]: memref<5x7xbf16, #gin.window>, %[[ALL:.*]]: memref<?x5x7xbf16, #gin.window>, %[[OTHER:.*]]: memref<?x5x7xbf16, #gin.window>, %[[Y:.*]]: memref<5x7xbf16, #gin.window>)
func.func @chain(%x: !x, %all: !all, %other: !all, %y: !x) -> !x {
  // CHECK-NOT: alloc
  // CHECK: gin.all_gather %[[X]] into %[[ALL]]
  // CHECK-NEXT: gin.all_to_all %[[ALL]] into %[[OTHER]]
  // CHECK-NEXT: gin.reduce_scatter max %[[OTHER]] into %[[Y]]
  // CHECK-NEXT: linalg.exp ins(%[[Y]] : memref<5x7xbf16, #gin.window>) outs(%[[Y]] : memref<5x7xbf16, #gin.window>)
  // CHECK-NEXT: gin.all_reduce sum %[[Y]] into %[[Y]]
  // CHECK-NEXT: return %[[Y]]
  %0 = gin.all_gather %x into %all : !x into !all -> !all
  %1 = gin.all_to_all %0 into %other : !all into !all -> !all
  %2 = gin.reduce_scatter max %1 into %y : !all into !x -> !x
  %3 = linalg.exp ins(%2 : !x) outs(%2 : !x) -> !x
  %4 = gin.all_reduce sum %3 into %3 : !x into !x -> !x
  return %4 : !x
}

// What cannot be in place gets a copy, which gin-verify refuses: windows come from
// arguments.
// CHECK-LABEL: func.func @not_in_place(
// CHECK-SAME: %[[X:.*]]: memref<?xf32, #gin.window>)
func.func @not_in_place(%x: tensor<?xf32, #gin.window>) -> tensor<?xf32, #gin.window> {
  // CHECK: %[[ALLOC:.*]] = memref.alloc({{.*}}) {{.*}} : memref<?xf32, #gin.window>
  // CHECK: gin.all_to_all %[[X]] into %[[ALLOC]]
  %0 = gin.all_to_all %x into %x : tensor<?xf32, #gin.window> into tensor<?xf32, #gin.window> -> tensor<?xf32, #gin.window>
  return %0 : tensor<?xf32, #gin.window>
}

// -----

!tokens = tensor<?x64xf32, #gin.window>
!pairs = tensor<?x2xi32, #gin.window>
!weights = tensor<?x2xf32, #gin.window>
!blocks = tensor<?x2x16x64xf32, #gin.window>

// CHECK-LABEL: func.func @moe(
// CHECK-SAME: %[[X:.*]]: memref<?x64xf32, #gin.window>, %[[E:.*]]: memref<?x2xi32, #gin.window>, %[[R:.*]]: memref<?x2x16x64xf32, #gin.window>, %[[C:.*]]: memref<?x2xi32, #gin.window>, %[[P:.*]]: memref<?x2xi32, #gin.window>, %[[W:.*]]: memref<?x2xf32, #gin.window>, %[[Y:.*]]: memref<?x64xf32, #gin.window>)
func.func @moe(%x: !tokens, %e: !pairs, %r: !blocks, %c: !pairs, %p: !pairs, %w: !weights, %y: !tokens) -> (!tokens, !pairs) {
  // CHECK-NEXT: gin.dispatch %[[X]], %[[E]] into %[[R]], %[[C]], %[[P]] : memref
  // CHECK-NEXT: gin.combine %[[R]], %[[E]], %[[P]], %[[W]] into %[[Y]] : memref
  // CHECK-NEXT: return %[[Y]], %[[C]]
  %0:3 = gin.dispatch %x, %e into %r, %c, %p : !tokens, !pairs into !blocks, !pairs, !pairs -> !blocks, !pairs, !pairs
  %1 = gin.combine %0#0, %e, %0#2, %w into %y : !blocks, !pairs, !pairs, !weights into !tokens -> !tokens
  return %1, %0#1 : !tokens, !pairs
}
