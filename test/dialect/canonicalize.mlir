// RUN: gin-opt %s --canonicalize --split-input-file | FileCheck %s

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @num_ranks(
func.func @num_ranks() -> (index, index, index, index) {
  // CHECK-DAG: %[[C6:.*]] = arith.constant 6 : index
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
  // CHECK-DAG: %[[ROW:.*]] = gin.num_ranks team row of 4x?
  // CHECK-DAG: %[[WORLD:.*]] = gin.num_ranks{{$}}
  // CHECK: return %[[C6]], %[[C4]], %[[ROW]], %[[WORLD]]
  %all = gin.num_ranks team grid 2x3
  %column = gin.num_ranks team column of 4x?
  %row = gin.num_ranks team row of 4x?
  %world = gin.num_ranks team world
  return %all, %column, %row, %world : index, index, index, index
}

// CHECK-LABEL: func.func @rank(
func.func @rank() -> (index, index, index) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[ME:.*]] = gin.rank{{$}}
  // CHECK-DAG: %[[LSA:.*]] = gin.rank team lsa
  // CHECK: return %[[C0]], %[[ME]], %[[LSA]]
  %alone = gin.rank team column of 1x?
  %world = gin.rank team world
  %lsa = gin.rank team lsa
  return %alone, %world, %lsa : index, index, index
}

// CHECK-LABEL: func.func @neighbor(
func.func @neighbor() -> (index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %cm3 = arith.constant -3 : index
  // CHECK-DAG: %[[ME:.*]] = gin.rank{{$}}
  // CHECK-DAG: %[[IN_ROW:.*]] = gin.rank team row of ?x4
  // CHECK-DAG: %[[LEFT:.*]] = gin.neighbor -3{{$}}
  // CHECK-DAG: %[[NEXT:.*]] = gin.neighbor 5 team row of ?x4
  // CHECK-DAG: %[[WORLD:.*]] = gin.neighbor 1{{$}}
  // CHECK: return %[[ME]], %[[LEFT]], %[[IN_ROW]], %[[NEXT]], %[[WORLD]]
  %me = gin.neighbor %c0
  %left = gin.neighbor %cm3
  // All the way round.
  %round = gin.neighbor -8 team row of ?x4
  %next = gin.neighbor 5 team row of ?x4
  %world = gin.neighbor 1 team world
  return %me, %left, %round, %next, %world : index, index, index, index, index
}

// CHECK-LABEL: func.func @window_dim(
// CHECK-SAME: %[[W:.*]]: memref<?x?x128xf32, #gin.window>, %[[P:.*]]: index)
func.func @window_dim(%w: memref<?x?x128xf32, #gin.window>, %p: index) -> (index, index, index, index, index, index) {
  %c3 = arith.constant 3 : index
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C128:.*]] = arith.constant 128 : index
  // CHECK-DAG: %[[ME:.*]] = gin.rank{{$}}
  // Static extents and those that all ranks have alike are known here.
  // CHECK-DAG: %[[COLUMNS:.*]] = memref.dim %[[W]], %[[C1]]
  // CHECK-DAG: %[[OWN:.*]] = memref.dim %[[W]], %[[C0]]
  // CHECK-DAG: %[[THEIRS:.*]] = gin.window_dim %[[W]], 0 on %[[P]] :
  // CHECK-DAG: %[[THREE:.*]] = gin.window_dim %[[W]], 0 on 3 :
  // Our number in another team.
  // CHECK-DAG: %[[LSA:.*]] = gin.window_dim %[[W]], 0 on %[[ME]] team lsa :
  // CHECK: return %[[C128]], %[[COLUMNS]], %[[OWN]], %[[THEIRS]], %[[THREE]], %[[LSA]]
  %static = gin.window_dim %w, 2 on %p : memref<?x?x128xf32, #gin.window>
  %columns = gin.window_dim %w, 1 on %p : memref<?x?x128xf32, #gin.window>
  %me = gin.rank
  %own = gin.window_dim %w, 0 on %me team world : memref<?x?x128xf32, #gin.window>
  %theirs = gin.window_dim %w, 0 on %p team world : memref<?x?x128xf32, #gin.window>
  %three = gin.window_dim %w, 0 on %c3 : memref<?x?x128xf32, #gin.window>
  %lsa = gin.window_dim %w, 0 on %me team lsa : memref<?x?x128xf32, #gin.window>
  return %static, %columns, %own, %theirs, %three, %lsa : index, index, index, index, index, index
}

// -----

//===----------------------------------------------------------------------===//
// Constants become literals
//===----------------------------------------------------------------------===//

!row = memref<4xf32, #gin.window>
!rows = memref<?x8xf32, #gin.window>

// CHECK-LABEL: func.func @literals(
// CHECK-SAME: %[[X:.*]]: memref<4xf32, #gin.window>, %[[W:.*]]: memref<?x8xf32, #gin.window>, %[[S:.*]]: !gin.signals<?x3>, %[[V:.*]]: f32, %[[I:.*]]: index)
func.func @literals(%x: !row, %w: !rows, %s: !gin.signals<?x3>, %v: f32, %i: index) -> (i1, index, memref<?x8xf32, #gin.peer>) {
  // CHECK-NOT: arith.constant
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  // CHECK: gin.put %[[X]] into %[[W]][%[[I]], 4] on 2 signal %[[S]][4, %[[I]]] add 2 :
  gin.put %x into %w[%i, %c4] on %c2 signal %s[%c4, %i] add %c2 : !row into !rows, !gin.signals<?x3>
  // CHECK: gin.put_value %[[V]] into %[[W]][4, %[[I]]] on 0 signal %[[S]][%[[I]], 2] add 4 :
  gin.put_value %v into %w[%c4, %i] on %c0 signal %s[%i, %c2] add %c4 : f32 into !rows, !gin.signals<?x3>
  // CHECK: gin.get %[[W]][4, 0] on %[[I]] into %[[X]] :
  gin.get %w[%c4, %c0] on %i into %x : !rows into !row
  // CHECK: gin.atomic_add %[[V]] into %[[W]][0, 4] on 2 :
  gin.atomic_add %v into %w[0, %c4] on %c2 : f32 into !rows
  // CHECK: gin.signal %[[S]][%[[I]], 0] on 4 add 2 relaxed :
  gin.signal %s[%i, %c0] on %c4 add %c2 relaxed : !gin.signals<?x3>
  // CHECK: gin.wait %[[S]][2, 2] >= 4 timeout 2 :
  gin.wait %s[%c2, %c2] >= %c4 timeout %c2 : !gin.signals<?x3>
  // CHECK: gin.test %[[S]][%[[I]], 0] >= 2 :
  %there = gin.test %s[%i, %c0] >= %c2 : !gin.signals<?x3>
  // CHECK: gin.read %[[S]][4, 0] :
  %count = gin.read %s[%c4, %c0] : !gin.signals<?x3>
  // CHECK: gin.peer_view %[[W]] on 2 team lsa :
  %view = gin.peer_view %w on %c2 team lsa : !rows to memref<?x8xf32, #gin.peer>
  return %there, %count, %view : i1, index, memref<?x8xf32, #gin.peer>
}

// Code that is never executed may hold constants that no literal may be.
// CHECK-LABEL: func.func @impossible(
// CHECK-SAME: %[[X:.*]]: memref<4xf32, #gin.window>, %[[W:.*]]: memref<?x8xf32, #gin.window>, %[[S:.*]]: !gin.signals<?x3>
func.func @impossible(%x: !row, %w: !rows, %s: !gin.signals<?x3>, %never: i1, %v: f32) {
  // CHECK-DAG: %[[CM1:.*]] = arith.constant -1 : index
  // CHECK-DAG: %[[C5:.*]] = arith.constant 5 : index
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %cm1 = arith.constant -1 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  scf.if %never {
    // CHECK: gin.put %[[X]] into %[[W]][%[[CM1]], %[[C5]]] on %[[CM1]] signal %[[S]][%[[CM1]], %[[C8]]] add %[[CM1]] :
    gin.put %x into %w[%cm1, %c5] on %cm1 signal %s[%cm1, %c8] add %cm1 : !row into !rows, !gin.signals<?x3>
    // CHECK: gin.get %[[W]][0, %[[C5]]] on %[[C5]] team row of ?x4 into %[[X]] :
    gin.get %w[%c0, %c5] on %c5 team row of ?x4 into %x : !rows into !row
    // CHECK: gin.put_value %{{.*}} into %[[W]][0, %[[C8]]] on 0 signal %[[S]][0, 0] add %[[CM1]] :
    gin.put_value %v into %w[%c0, %c8] on %c0 signal %s[%c0, %c0] add %cm1 : f32 into !rows, !gin.signals<?x3>
    // CHECK: gin.wait %[[S]][0, %[[C5]]] >= 8 timeout %[[CM1]] :
    gin.wait %s[%c0, %c5] >= %c8 timeout %cm1 : !gin.signals<?x3>
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// The world is the default team
//===----------------------------------------------------------------------===//

!row = memref<4xf32, #gin.window>

// CHECK-LABEL: func.func @world(
func.func @world(%x: !row, %y: !row, %all: memref<?x4xf32, #gin.window>, %all2: memref<?x4xf32, #gin.window>,
                 %s: !gin.signals<1>, %v: f32) -> memref<4xf32, #gin.peer> {
  // CHECK-NOT: team
  gin.put %x into %y[0] on 0 team world : !row into !row
  gin.put_value %v into %y[0] on 0 team world : f32 into !row
  gin.get %y[0] on 0 team world into %x : !row into !row
  gin.atomic_add %v into %y[0] on 0 team world : f32 into !row
  %view = gin.peer_view %x on 0 team world : !row to memref<4xf32, #gin.peer>
  gin.signal %s[0] on 0 team world : !gin.signals<1>
  gin.barrier team world
  gin.all_gather %x into %all team world : !row into memref<?x4xf32, #gin.window>
  gin.all_to_all %all into %all2 team world : memref<?x4xf32, #gin.window> into memref<?x4xf32, #gin.window>
  gin.all_reduce sum %x into %y team world : !row into !row
  gin.reduce_scatter sum %all into %x team world : memref<?x4xf32, #gin.window> into !row
  return %view : memref<4xf32, #gin.peer>
}

!tokens = memref<8x64xf32, #gin.window>
!pairs = memref<8x2xi32, #gin.window>
!counts = memref<?x2xi32, #gin.window>
!blocks = memref<?x2x16x64xf32, #gin.window>

// CHECK-LABEL: func.func @world_moe(
func.func @world_moe(%x: !tokens, %e: !pairs, %r: !blocks, %c: !counts, %p: !pairs,
                     %weights: memref<8x2xf32, #gin.window>) {
  // CHECK-NOT: team
  gin.dispatch %x, %e into %r, %c, %p team world : !tokens, !pairs into !blocks, !counts, !pairs
  gin.combine %r, %e, %p, %weights into %x team world : !blocks, !pairs, !pairs, memref<8x2xf32, #gin.window> into !tokens
  return
}

// -----

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

!row = memref<4xf32, #gin.window>
!none = memref<0x4xf32, #gin.window>
!rows = memref<8x4xf32, #gin.window>

// CHECK-LABEL: func.func @unused_tokens(
func.func @unused_tokens(%x: !row, %w: !rows, %v: f32, %s: !gin.signals<1>, %p: index) {
  // CHECK-NEXT: gin.put %{{.*}} into %{{.*}}[0, 0] on %{{.*}} context 1 accumulate signal %{{.*}}[0] add 3 {test.attr} : memref
  %t = gin.put %x into %w[0, 0] on %p context 1 accumulate signal %s[0] add 3 -> !gin.token {test.attr}
    : !row into !rows, !gin.signals<1>
  // CHECK-NEXT: gin.put_value %{{.*}} into %{{.*}}[0, 0] on %{{.*}} : f32
  %u = gin.put_value %v into %w[0, 0] on %p -> !gin.token : f32 into !rows
  // CHECK-NEXT: gin.get %{{.*}}[0, 0] on %{{.*}} into %{{.*}} : memref
  %g = gin.get %w[0, 0] on %p into %x -> !gin.token : !rows into !row
  // CHECK-NEXT: %[[TOKEN:.*]] = gin.put
  // CHECK-NEXT: gin.await %[[TOKEN]]
  %used = gin.put %x into %w[0, 0] on %p -> !gin.token : !row into !rows
  gin.await %used
  // CHECK-NEXT: return
  return
}

// CHECK-LABEL: func.func @empty(
func.func @empty(%none: !none, %w: !rows, %s: !gin.signals<1>, %p: index) {
  // A put of no elements still signals.
  // CHECK-NEXT: gin.put {{.*}} signal
  gin.put %none into %w[0, 0] on %p signal %s[0] : !none into !rows, !gin.signals<1>
  gin.put %none into %w[0, 0] on %p : !none into !rows
  gin.get %w[0, 0] on %p into %none : !rows into !none
  %t = gin.put %none into %w[8, 0] on %p -> !gin.token : !none into !rows
  %u = gin.get %w[0, 0] on %p into %none -> !gin.token : !rows into !none
  gin.await %t, %u
  // CHECK-NEXT: return
  return
}

// -----

//===----------------------------------------------------------------------===//
// Waits, completion
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @empty_waits(
func.func @empty_waits(%s: !gin.signals<1>) -> (i1, i1, i1) {
  %cm1 = arith.constant -1 : index
  // CHECK: %[[TRUE:.*]] = arith.constant true
  gin.wait %s[0] >= 0 : !gin.signals<1>
  gin.wait %s[0] >= %cm1 timeout 5 : !gin.signals<1>
  %a = gin.wait %s[0] >= 0 timeout 5 -> i1 : !gin.signals<1>
  %b = gin.test %s[0] >= %cm1 : !gin.signals<1>
  // A test counts as waited for, whether its result is used or not.
  // CHECK-NEXT: gin.test
  // CHECK-NEXT: %[[C:.*]] = gin.test
  %unused = gin.test %s[0] >= 2 : !gin.signals<1>
  %c = gin.test %s[0] >= 1 : !gin.signals<1>
  // CHECK-NEXT: return %[[TRUE]], %[[TRUE]], %[[C]]
  return %a, %b, %c : i1, i1, i1
}

// CHECK-LABEL: func.func @await(
// CHECK-SAME: %[[T:.*]]: !gin.token, %[[U:.*]]: !gin.token)
func.func @await(%t: !gin.token, %u: !gin.token) {
  %ready = gin.ready_token
  gin.await %ready
  // CHECK-NEXT: gin.await %[[T]], %[[U]]
  gin.await %t, %ready, %u, %t
  // CHECK-NEXT: gin.await %[[T]]
  gin.await %t
  // CHECK-NEXT: return
  return
}

// CHECK-LABEL: func.func @flush(
func.func @flush(%s: !gin.signals<1>) {
  // CHECK-NEXT: gin.flush
  gin.flush
  gin.flush
  // CHECK-NEXT: gin.signal
  gin.signal %s[0] on 0 : !gin.signals<1>
  // CHECK-NEXT: gin.flush
  gin.flush
  // Two barriers are two: other ranks count them.
  // CHECK-NEXT: gin.barrier
  // CHECK-NEXT: gin.barrier
  gin.barrier
  gin.barrier
  // CHECK-NEXT: return
  return
}
