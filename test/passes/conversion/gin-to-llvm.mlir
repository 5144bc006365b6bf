// RUN: gin-opt %s --split-input-file --convert-to-llvm | FileCheck %s

// CHECK-DAG: llvm.mlir.global private constant @"text [[FILE:.*]]gin-to-llvm.mlir"
// CHECK-DAG: llvm.mlir.global private constant @"site {{.*}}gin-to-llvm.mlir:[[#@LINE+12]]:3 gin.put on 1"() {{.*}} : !llvm.struct<(ptr, ptr, i32, i32)> {
// CHECK-DAG: llvm.func @gin_put(!llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr, !llvm.ptr, i32, i32, !llvm.ptr, i64) -> i64

// The allocated pointer of a window, here %arg0, is its record and goes along.
// CHECK-LABEL: llvm.func @put(
// CHECK-SAME: %[[RECORD:[a-z0-9]+]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64,
func.func @put(%x: memref<4xf32, #gin.window> {gin.name = "x", gin.source},
               %w: memref<?x4xf32, #gin.window> {gin.rights = #gin.rights<write>},
               %s: !gin.signals<?x2>, %i: index) attributes {gin.run = {}} {
  // CHECK-DAG: %[[SLOT:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, i64, ptr)> {role = "slot"}
  // CHECK-DAG: %[[SOURCE:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, i64, ptr)> {role = "source"}
  // CHECK-DAG: %[[TARGET:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, i64, ptr)> {role = "target"}
  gin.put %x into %w[%i, 0] on 1 context 3 accumulate signal %s[%i, 1] add 5
    : memref<4xf32, #gin.window> into memref<?x4xf32, #gin.window>, !gin.signals<?x2>
  // CHECK: llvm.insertvalue %[[RECORD]], %{{.*}}[0]
  // CHECK: %[[SITE:.*]] = llvm.mlir.addressof @"site {{.*}} gin.put on 1" : !llvm.ptr
  // CHECK: %[[WORLD:.*]] = llvm.mlir.zero : !llvm.ptr
  // CHECK: %[[PEER:.*]] = llvm.mlir.constant(1 : i64) : i64
  // CHECK: %[[CONTEXT:.*]] = llvm.mlir.constant(3 : i64) : i64
  // CHECK: %[[F32:.*]] = llvm.mlir.constant(6 : i32) : i32
  // CHECK: %[[ACCUMULATE:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK: %[[WEIGHT:.*]] = llvm.mlir.constant(5 : i64) : i64
  // CHECK: llvm.call @gin_put(%[[SITE]], %[[WORLD]], %[[PEER]], %[[CONTEXT]], %[[SOURCE]], %[[TARGET]], %[[F32]], %[[ACCUMULATE]], %[[SLOT]], %[[WEIGHT]])
  return
}

// -----

// CHECK-DAG: llvm.mlir.global private constant @"no signal"() {{.*}} : !llvm.struct<(ptr, i64, ptr)>
// CHECK-LABEL: llvm.func @transfers(
func.func @transfers(%x: memref<4xbf16, #gin.window>, %w: memref<4xbf16, #gin.window>,
                     %v: bf16, %b: i8, %bytes: memref<2xi8, #gin.window>) {
  // CHECK: %[[NONE:.*]] = llvm.mlir.addressof @"no signal"
  // CHECK: %[[T:.*]] = llvm.call @gin_put(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[NONE]], %{{.*}})
  %t = gin.put %x into %w[0] on 0 -> !gin.token
    : memref<4xbf16, #gin.window> into memref<4xbf16, #gin.window>
  // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : bf16 to i16
  // CHECK: %[[VALUE:.*]] = llvm.zext %[[BITS]] : i16 to i64
  // CHECK: %[[BF16:.*]] = llvm.mlir.constant(5 : i32) : i32
  // CHECK: %[[U:.*]] = llvm.call @gin_put_value(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[VALUE]], %{{.*}}, %[[BF16]], %{{.*}}, %{{.*}})
  %u = gin.put_value %v into %w[1] on 0 -> !gin.token : bf16 into memref<4xbf16, #gin.window>
  // CHECK: %[[G:.*]] = llvm.call @gin_get(
  %g = gin.get %w[0] on 0 into %x -> !gin.token
    : memref<4xbf16, #gin.window> into memref<4xbf16, #gin.window>
  // CHECK: %[[I8:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK: llvm.call @gin_atomic_add(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[I8]])
  gin.atomic_add %b into %bytes[0] on 0 : i8 into memref<2xi8, #gin.window>
  // CHECK: llvm.call @gin_await(%{{.*}}, %[[T]])
  // CHECK: llvm.call @gin_await(%{{.*}}, %[[U]])
  gin.await %t, %u
  // CHECK: %[[READY:.*]] = llvm.mlir.constant(0 : i64) : i64
  %r = gin.ready_token
  // CHECK: llvm.call @gin_await(%{{.*}}, %[[READY]])
  gin.await %r
  // CHECK: llvm.call @gin_flush(
  gin.flush
  return
}

// -----

// CHECK-LABEL: llvm.func @signals(
func.func @signals(%s: !gin.signals<8>, %n: index) -> (i1, i1, index) {
  // CHECK: %[[RELAXED:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK: llvm.call @gin_signal(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %arg1, %[[RELAXED]])
  gin.signal %s[0] on 1 add %n relaxed : !gin.signals<8>
  // A wait without a result must end.
  // CHECK: %[[EVER:.*]] = llvm.mlir.constant(-1 : i64) : i64
  // CHECK: %[[MUST:.*]] = llvm.mlir.constant(1 : i32) : i32
  // CHECK: llvm.call @gin_wait(%{{.*}}, %{{.*}}, %arg1, %[[EVER]], %[[MUST]])
  gin.wait %s[1] >= %n : !gin.signals<8>
  // CHECK: %[[TIME:.*]] = llvm.mlir.constant(1000 : i64) : i64
  // CHECK: %[[MAY:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK: %[[W:.*]] = llvm.call @gin_wait(%{{.*}}, %{{.*}}, %{{.*}}, %[[TIME]], %[[MAY]])
  // CHECK: llvm.icmp "ne" %[[W]], %{{.*}} : i32
  %a = gin.wait %s[2] >= 1 timeout 1000 -> i1 : !gin.signals<8>
  // CHECK: %[[T:.*]] = llvm.call @gin_test(%{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: llvm.icmp "ne" %[[T]], %{{.*}} : i32
  %b = gin.test %s[3] >= 1 : !gin.signals<8>
  // CHECK: llvm.call @gin_read(
  %c = gin.read %s[4] : !gin.signals<8>
  // CHECK: llvm.call @gin_barrier(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, i32) -> ()
  gin.barrier global
  return %a, %b, %c : i1, i1, index
}

// -----

// Asking again gives the same answer.
// CHECK-DAG: llvm.func @gin_rank(!llvm.ptr) -> i64 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none{{.*}}>, no_unwind, will_return}
// CHECK-DAG: llvm.mlir.global private constant @"extents of #gin.team<row of ?x?>"(dense<-9223372036854775808> : tensor<2xi64>)
// CHECK-DAG: llvm.mlir.global private constant @"team #gin.team<row of ?x?>"
// CHECK-DAG: llvm.mlir.global private constant @"team #gin.team<lsa>"
// CHECK-DAG: llvm.mlir.global private constant @"team #gin.grid<?x2>"

// CHECK-LABEL: llvm.func @ranks(
func.func @ranks(%w: memref<?x4xf32, #gin.window>, %k: index) -> (index, index, index, index, index, index, index) {
  // CHECK: %[[LSA:.*]] = llvm.mlir.addressof @"team #gin.team<lsa>"
  // CHECK: llvm.call @gin_rank(%[[LSA]])
  %0 = gin.rank team lsa
  // CHECK: %[[ROW:.*]] = llvm.mlir.addressof @"team #gin.team<row of ?x?>"
  // CHECK: llvm.call @gin_num_ranks(%[[ROW]])
  %1 = gin.num_ranks team row of ?x?
  // CHECK: %[[ME:.*]] = llvm.call @gin_rank
  // CHECK: %[[N:.*]] = llvm.call @gin_num_ranks
  // CHECK: %[[R:.*]] = llvm.srem %{{.*}}, %[[N]]
  // CHECK: %[[P:.*]] = llvm.add %[[R]], %[[N]]
  // CHECK: %[[Q:.*]] = llvm.add %[[P]], %[[ME]]
  // CHECK: llvm.srem %[[Q]], %[[N]]
  %2 = gin.neighbor %k
  // CHECK: llvm.call @gin_coord(%{{.*}}, %{{.*}})
  // CHECK: llvm.call @gin_coord(%{{.*}}, %{{.*}})
  %3, %4 = gin.coords #gin.grid<?x2>
  // CHECK: llvm.call @gin_window_dim(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  %5 = gin.window_dim %w, 0 on %k : memref<?x4xf32, #gin.window>
  // CHECK: llvm.call @gin_launch()
  %6 = gin.launch
  return %0, %1, %2, %3, %4, %5, %6 : index, index, index, index, index, index, index
}

// -----

// Slots on the stack are shared by all ops of a function and stand at its head,
// not in loops.
// CHECK-LABEL: llvm.func @stack(
// CHECK: llvm.alloca %{{.*}} {role = "slot"}
// CHECK: llvm.alloca %{{.*}} {role = "slot.indices"}
// CHECK-NOT: llvm.alloca
// CHECK: llvm.return
func.func @stack(%s: !gin.signals<8>, %c: i1) {
  cf.br ^loop
^loop:
  gin.wait %s[0] >= 1 : !gin.signals<8>
  gin.signal %s[1] on 0 : !gin.signals<8>
  gin.signal %s[2] on 0 : !gin.signals<8>
  cf.cond_br %c, ^loop, ^end
^end:
  return
}

// -----

// CHECK-LABEL: llvm.func @view(
func.func @view(%w: memref<?x4xf32, #gin.window>, %p: index) -> f32 {
  %c0 = arith.constant 0 : index
  // CHECK: %[[VIEW:.*]] = llvm.alloca %{{.*}} x !llvm.struct<{{.*}}> {role = "view"}
  // CHECK: llvm.call @gin_peer_view(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[VIEW]])
  // CHECK: llvm.load %[[VIEW]] : !llvm.ptr -> !llvm.struct<
  %v = gin.peer_view %w on %p : memref<?x4xf32, #gin.window> to memref<?x4xf32, #gin.peer>
  %x = memref.load %v[%c0, %c0] : memref<?x4xf32, #gin.peer>
  return %x : f32
}

// -----

// CHECK-LABEL: llvm.func @accesses(
func.func @accesses(%w: memref<8xf16, #gin.window>, %b: memref<8xi1, #gin.window>, %i: index) {
  // CHECK: %[[AT:.*]] = llvm.getelementptr
  // CHECK: %[[RECORD:.*]] = llvm.extractvalue %{{.*}}[0]
  // CHECK: %[[B16:.*]] = llvm.mlir.constant(16 : i32) : i32
  // CHECK: %[[L:.*]] = llvm.call @gin_load_begin(%{{.*}}, %[[RECORD]], %[[AT]], %[[B16]])
  // CHECK: %[[BITS:.*]] = llvm.call @gin_load_end(%[[L]])
  // CHECK: %[[LOW:.*]] = llvm.trunc %[[BITS]] : i64 to i16
  // CHECK: %[[V:.*]] = llvm.bitcast %[[LOW]] : i16 to f16
  %v = memref.load %w[%i] {gin.weak} : memref<8xf16, #gin.window>
  // CHECK: %[[OUT:.*]] = llvm.bitcast %[[V]] : f16 to i16
  // CHECK: %[[WIDE:.*]] = llvm.zext %[[OUT]] : i16 to i64
  // CHECK: llvm.call @gin_store(%{{.*}}, %{{.*}}, %{{.*}}, %[[WIDE]], %{{.*}})
  memref.store %v, %w[%i] {gin.weak} : memref<8xf16, #gin.window>
  // An i1 takes a byte.
  // CHECK: %[[B8:.*]] = llvm.mlir.constant(8 : i32) : i32
  // CHECK: llvm.call @gin_load_begin(%{{.*}}, %{{.*}}, %{{.*}}, %[[B8]])
  // CHECK: llvm.trunc %{{.*}} : i64 to i1
  %c = memref.load %b[%i] {gin.weak} : memref<8xi1, #gin.window>
  // CHECK: llvm.zext %{{.*}} : i1 to i64
  memref.store %c, %b[%i] {gin.weak} : memref<8xi1, #gin.window>
  // Without the mark, accesses are plain.
  // CHECK: llvm.load %{{.*}} : !llvm.ptr -> f16
  %p = memref.load %w[%i] : memref<8xf16, #gin.window>
  // CHECK: llvm.call @gin_drain()
  gin.drain
  // CHECK: llvm.call @gin_local_atomic_add(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i32) -> ()
  memref.atomic_rmw addf %p, %w[%i] : (f16, memref<8xf16, #gin.window>) -> f16
  // CHECK: %[[OLD:.*]] = llvm.call @gin_local_atomic_fetch_add(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i32) -> i64
  // CHECK: llvm.trunc %[[OLD]] : i64 to i16
  %a = memref.atomic_rmw addf %p, %w[%i] : (f16, memref<8xf16, #gin.window>) -> f16
  memref.store %a, %w[%i] : memref<8xf16, #gin.window>
  // CHECK: llvm.atomicrmw fmax
  %m = memref.atomic_rmw maximumf %p, %w[%i] : (f16, memref<8xf16, #gin.window>) -> f16
  return
}

// -----

// CHECK-DAG: llvm.mlir.global private constant @"text must hold"("must hold\00")
// CHECK-LABEL: llvm.func @asserts(
// CHECK: llvm.cond_br %{{.*}}, ^[[GO:.*]], ^[[FAIL:.*]]
// CHECK: ^[[GO]]:
// CHECK-NEXT: llvm.return
// CHECK: ^[[FAIL]]:
// CHECK: %[[TEXT:.*]] = llvm.mlir.addressof @"text must hold"
// CHECK: llvm.call @gin_fail(%{{.*}}, %[[TEXT]])
// CHECK-NEXT: llvm.unreachable
func.func @asserts(%c: i1, %s: !gin.signals<1>) {
  cf.assert %c, "must hold"
  return
}

// -----

// CHECK-DAG: llvm.mlir.global private constant @"texts send recv"
// CHECK-LABEL: llvm.func @body(%{{.*}}: i64, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: f32)
func.func private @body(%i: index, %w: memref<8xf32, #gin.window>, %v: f32) {
  return
}
// CHECK-LABEL: llvm.func @forks(
// CHECK: %[[CAPTURES:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(struct<{{.*}}>, f32)> {role = "captures"}
// CHECK: %[[BODY:.*]] = llvm.mlir.addressof @body.agent
// CHECK: %[[NAMES:.*]] = llvm.mlir.addressof @"texts send recv"
// CHECK: llvm.call @gin_fork(%{{.*}}, %{{.*}}, %[[BODY]], %[[CAPTURES]], %[[NAMES]])
// CHECK: %[[BODY2:.*]] = llvm.mlir.addressof @body.agent
// CHECK: %[[NULL:.*]] = llvm.mlir.zero
// CHECK: llvm.call @gin_fork(%{{.*}}, %{{.*}}, %[[BODY2]], %{{.*}}, %[[NULL]])
// CHECK-LABEL: llvm.func internal @body.agent(
// CHECK-SAME: %[[PACKED:.*]]: !llvm.ptr, %[[I:.*]]: i64)
// CHECK: llvm.load %[[PACKED]]
// CHECK: llvm.call @body(%[[I]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NOT: @body.agent
func.func @forks(%w: memref<8xf32, #gin.window>, %v: f32) {
  %c2 = arith.constant 2 : index
  gin.fork @body(%w, %v) count %c2 names ["send", "recv"] : memref<8xf32, #gin.window>, f32
  gin.fork @body(%w, %v) count %c2 : memref<8xf32, #gin.window>, f32
  return
}
