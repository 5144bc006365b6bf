// RUN: gin-opt %s --canonicalize --remove-dead-values | FileCheck %s --check-prefixes=ALL,CANON
// RUN: gin-opt %s --cse | FileCheck %s --check-prefixes=ALL,CSE
// RUN: gin-opt %s --affine-scalrep | FileCheck %s --check-prefix=ALL
// RUN: gin-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefixes=ALL,LICM
// RUN: gin-opt %s --control-flow-sink --sccp --mem2reg --sroa | FileCheck %s --check-prefix=ALL

// Upstream passes know nothing of communication. The effects that gin ops declare
// keep these from deleting, merging or moving what orders it. With fewer, each of
// the following was seen to go wrong.

// Ops without results, or whose results nobody uses, still act.
// ALL-LABEL: func.func @unused_results(
// ALL: gin.put
// ALL: gin.get
// ALL: gin.atomic_add
// ALL: gin.signal
// ALL: gin.wait %{{.*}}[0] >= 1
// ALL: gin.wait %{{.*}}[0] >= 2 timeout 5
// ALL: gin.test
// ALL: gin.read
// ALL: gin.flush
// ALL: gin.barrier
func.func @unused_results(%x: memref<4xi32, #gin.window>, %w: memref<4xi32, #gin.window>,
                          %s: !gin.signals<1>, %v: i32) {
  %t = gin.put %x into %w[0] on 0 -> !gin.token
    : memref<4xi32, #gin.window> into memref<4xi32, #gin.window>
  %g = gin.get %w[0] on 0 into %x -> !gin.token
    : memref<4xi32, #gin.window> into memref<4xi32, #gin.window>
  gin.atomic_add %v into %w[0] on 0 : i32 into memref<4xi32, #gin.window>
  gin.signal %s[0] on 0 : !gin.signals<1>
  gin.wait %s[0] >= 1 : !gin.signals<1>
  %a = gin.wait %s[0] >= 2 timeout 5 -> i1 : !gin.signals<1>
  %b = gin.test %s[0] >= 3 : !gin.signals<1>
  %c = gin.read %s[0] : !gin.signals<1>
  gin.flush
  gin.barrier
  return
}

// Two questions may have two answers.
// ALL-LABEL: func.func @ask_twice(
// ALL: %[[A:.*]] = gin.test
// ALL: %[[B:.*]] = gin.test
// ALL: %[[C:.*]] = gin.read
// ALL: %[[D:.*]] = gin.read
// ALL: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @ask_twice(%s: !gin.signals<1>) -> (i1, i1, index, index) {
  %a = gin.test %s[0] >= 1 : !gin.signals<1>
  %b = gin.test %s[0] >= 1 : !gin.signals<1>
  %c = gin.read %s[0] : !gin.signals<1>
  %d = gin.read %s[0] : !gin.signals<1>
  return %a, %b, %c, %d : i1, i1, index, index
}

// The same put or signal twice is two of them.
// ALL-LABEL: func.func @send_twice(
// ALL-COUNT-2: gin.put
// ALL-COUNT-2: gin.signal
// ALL-COUNT-2: gin.barrier
func.func @send_twice(%x: memref<4xi32, #gin.window>, %w: memref<4xi32, #gin.window>,
                      %s: !gin.signals<1>) {
  gin.put %x into %w[0] on 0 : memref<4xi32, #gin.window> into memref<4xi32, #gin.window>
  gin.put %x into %w[0] on 0 : memref<4xi32, #gin.window> into memref<4xi32, #gin.window>
  gin.signal %s[0] on 0 : !gin.signals<1>
  gin.signal %s[0] on 0 : !gin.signals<1>
  gin.barrier
  gin.barrier
  return
}

// What somebody else wrote meanwhile must be loaded again.
// ALL-LABEL: func.func @load_again(
// ALL: %[[A:.*]] = memref.load
// ALL: gin.wait
// ALL: %[[B:.*]] = memref.load
// ALL: %[[C:.*]] = affine.load
// ALL: gin.wait
// ALL: %[[D:.*]] = affine.load
// ALL: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @load_again(%w: memref<4xi32, #gin.window>, %s: !gin.signals<1>) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %a = memref.load %w[%c0] : memref<4xi32, #gin.window>
  gin.wait %s[0] >= 1 : !gin.signals<1>
  %b = memref.load %w[%c0] : memref<4xi32, #gin.window>
  %c = affine.load %w[0] : memref<4xi32, #gin.window>
  gin.wait %s[0] >= 2 : !gin.signals<1>
  %d = affine.load %w[0] : memref<4xi32, #gin.window>
  return %a, %b, %c, %d : i32, i32, i32, i32
}

// A store before a signal, or before a put of the place, is for others to see,
// though this rank overwrites it.
// ALL-LABEL: func.func @store_before_signal(
// ALL: affine.store %{{.*}}, %[[W:.*]][0]
// ALL: gin.signal
// ALL: affine.store %{{.*}}, %[[W]][0]
// ALL: gin.put
// ALL: affine.store %{{.*}}, %[[W]][0]
// ALL: return
func.func @store_before_signal(%w: memref<4xi32, #gin.window>, %r: memref<4xi32, #gin.window>,
                               %s: !gin.signals<1>, %a: i32, %b: i32) {
  affine.store %a, %w[0] : memref<4xi32, #gin.window>
  gin.signal %s[0] on 0 : !gin.signals<1>
  affine.store %b, %w[0] : memref<4xi32, #gin.window>
  gin.put %w into %r[0] on 0 : memref<4xi32, #gin.window> into memref<4xi32, #gin.window>
  gin.flush
  affine.store %a, %w[0] : memref<4xi32, #gin.window>
  return
}

// A store is not forwarded to a load behind a wait or a get.
// ALL-LABEL: func.func @store_is_not_forwarded(
// ALL: affine.store
// ALL: gin.wait
// ALL: %[[A:.*]] = affine.load
// ALL: gin.get
// ALL: gin.await
// ALL: %[[B:.*]] = affine.load
// ALL: return %[[A]], %[[B]]
func.func @store_is_not_forwarded(%w: memref<4xi32, #gin.window>, %r: memref<4xi32, #gin.window>,
                                  %s: !gin.signals<1>, %v: i32) -> (i32, i32) {
  affine.store %v, %w[0] : memref<4xi32, #gin.window>
  gin.wait %s[0] >= 1 : !gin.signals<1>
  %a = affine.load %w[0] : memref<4xi32, #gin.window>
  %t = gin.get %r[0] on 0 into %w -> !gin.token
    : memref<4xi32, #gin.window> into memref<4xi32, #gin.window>
  gin.await %t
  %b = affine.load %w[0] : memref<4xi32, #gin.window>
  return %a, %b : i32, i32
}

// A view of a peer's part is not the own part: a store to one is not what a load
// of the other gives, though the rank may be its own peer.
// ALL-LABEL: func.func @peer_is_not_own(
// ALL: affine.store
// ALL: affine.store
// ALL: affine.load
func.func @peer_is_not_own(%w: memref<4xi32, #gin.window>, %p: index, %a: i32, %b: i32) -> i32 {
  %view = gin.peer_view %w on %p : memref<4xi32, #gin.window> to memref<4xi32, #gin.peer>
  affine.store %a, %w[0] : memref<4xi32, #gin.window>
  gin.barrier
  affine.store %b, %view[0] : memref<4xi32, #gin.peer>
  gin.barrier
  %r = affine.load %w[0] : memref<4xi32, #gin.window>
  return %r : i32
}

// Nothing that asks or acts leaves a loop, even where its operands do not change; a
// view does not either, since its peer may be out of range where the loop does not
// run. What is pure does.
// ALL-LABEL: func.func @loop(
// LICM: gin.rank
// LICM: gin.neighbor
// ALL: scf.for
// ALL: gin.peer_view
// ALL: gin.wait
// ALL: memref.load
// ALL: gin.test
// ALL: gin.signal
// ALL: }
func.func @loop(%w: memref<4xi32, #gin.window>, %s: !gin.signals<1>, %p: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %me = gin.rank
    %right = gin.neighbor 1
    %view = gin.peer_view %w on %p : memref<4xi32, #gin.window> to memref<4xi32, #gin.peer>
    gin.wait %s[0] >= 1 : !gin.signals<1>
    %v = memref.load %view[%me] : memref<4xi32, #gin.peer>
    %there = gin.test %s[0] >= 2 : !gin.signals<1>
    gin.signal %s[0] on %right : !gin.signals<1>
    scf.if %there {
      memref.store %v, %w[%c0] : memref<4xi32, #gin.window>
    }
  }
  return
}

// Pure questions about ranks are asked once, and not at all for nothing.
// ALL-LABEL: func.func @pure(
// CSE: %[[ME:.*]] = gin.rank
// CSE-NOT: gin.rank
// CSE: return %[[ME]], %[[ME]]
// CANON-NOT: gin.num_ranks
// CANON: return
func.func @pure() -> (index, index) {
  %n = gin.num_ranks
  %a = gin.rank
  %b = gin.rank
  return %a, %b : index, index
}
