// Every op of the program level in every form: text to text, through the generic
// form, and through bytecode.

// RUN: gin-opt %s | FileCheck %s
// RUN: gin-opt %s --mlir-print-op-generic | gin-opt | FileCheck %s
// RUN: gin-opt %s --emit-bytecode | gin-opt | FileCheck %s
// RUN: gin-opt %s > %t.once && gin-opt %t.once | diff %t.once -

!row = memref<128xf32, #gin.window>
!rows = memref<?x128xf32, #gin.window>
!strided = memref<4x16xf32, strided<[128, 2], offset: ?>, #gin.window>

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @ranks(
// CHECK-SAME: %[[W:.*]]: memref<?x128xf32, #gin.window>, %[[K:.*]]: index)
func.func @ranks(%w: !rows, %k: index) {
  // CHECK-NEXT: %rank = gin.rank
  %me = gin.rank
  // CHECK-NEXT: gin.rank team world
  %in_world = gin.rank team world
  // CHECK-NEXT: gin.rank team lsa
  %in_lsa = gin.rank team lsa
  // CHECK-NEXT: gin.rank team rail {test.attr = 1 : i64}
  %in_rail = gin.rank team rail {test.attr = 1 : i64}
  // CHECK-NEXT: gin.rank team row of ?x4
  %in_row = gin.rank team row of ?x4
  // CHECK-NEXT: gin.rank team column of 2x?
  %in_column = gin.rank team column of 2x?
  // Row and column are the axes of a grid of two dimensions.
  // CHECK-NEXT: gin.rank team row of 2x?
  %in_axis_1 = gin.rank team axis 1 of 2x?
  // CHECK-NEXT: gin.rank team axis 2 of 2x?x4
  %in_axis_2 = gin.rank team axis 2 of 2x?x4
  // CHECK-NEXT: gin.rank team axis 0 of ?
  %in_axis_0 = gin.rank team axis 0 of ?
  // CHECK-NEXT: gin.rank team grid ?x?
  %in_grid = gin.rank team grid ?x?

  // CHECK-NEXT: %num_ranks = gin.num_ranks
  %n = gin.num_ranks
  // CHECK-NEXT: gin.num_ranks team grid 2x3x4
  %in_total = gin.num_ranks team grid 2x3x4

  // CHECK-NEXT: %neighbor = gin.neighbor 1
  %right = gin.neighbor 1
  // CHECK-NEXT: gin.neighbor -1
  %left = gin.neighbor -1
  // CHECK-NEXT: gin.neighbor %[[K]] team row of ?x?
  %there = gin.neighbor %k team row of ?x?

  // CHECK-NEXT: %coord, %coord_{{[0-9]+}} = gin.coords #gin.grid<?x?>
  %i, %j = gin.coords #gin.grid<?x?>
  // CHECK-NEXT: gin.coords #gin.grid<2x3x4x5x6x7x8x?>
  %c:8 = gin.coords #gin.grid<2x3x4x5x6x7x8x?>

  // CHECK-NEXT: %window_dim = gin.window_dim %[[W]], 0 on %neighbor : memref<?x128xf32, #gin.window>
  %rows = gin.window_dim %w, 0 on %right : !rows
  // CHECK-NEXT: gin.window_dim %[[W]], 1 on 3 team lsa : memref<?x128xf32, #gin.window>
  %columns = gin.window_dim %w, 1 on 3 team lsa : !rows

  // CHECK-NEXT: %launch = gin.launch
  %launch = gin.launch
  return
}

// An alias or an attribute may name the team.
#my_row = #gin.team<row of ?x?>
// CHECK-LABEL: func.func @aliases(
func.func @aliases(%w: !rows, %v: f32) {
  // CHECK-NEXT: gin.put_value %{{.*}} into %{{.*}}[0, 0] on 0 team row of ?x? : f32
  gin.put_value %v into %w[0, 0] on 0 team #my_row : f32 into !rows
  // CHECK-NEXT: gin.put_value %{{.*}} into %{{.*}}[0, 0] on 0 team lsa context 1 : f32
  gin.put_value %v into %w[0, 0] on 0 team #gin.team<lsa> context 1 : f32 into !rows
  // CHECK-NEXT: gin.barrier team grid ?x?
  gin.barrier team #gin.grid<?x?>
  return
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @put(
// CHECK-SAME: %[[X:.*]]: memref<128xf32, #gin.window>, %[[W:.*]]: memref<?x128xf32, #gin.window>, %[[S:.*]]: !gin.signals<8>, %[[P:.*]]: index)
func.func @put(%x: !row, %w: !rows, %s: !gin.signals<8>, %p: index) {
  // CHECK-NEXT: gin.put %[[X]] into %[[W]][%[[P]], 0] on %[[P]] : memref<128xf32, #gin.window> into memref<?x128xf32, #gin.window>
  gin.put %x into %w[%p, 0] on %p : !row into !rows
  // CHECK-NEXT: gin.put %[[X]] into %[[W]][0, 0] on 1 : memref<128xf32, #gin.window> into memref<?x128xf32, #gin.window>
  gin.put %x into %w[0, 0] on 1 : !row into !rows
  // CHECK-NEXT: gin.put %[[X]] into %[[W]][0, %[[P]]] on 1 team lsa : memref
  gin.put %x into %w[0, %p] on 1 team lsa : !row into !rows
  // CHECK-NEXT: gin.put %[[X]] into %[[W]][0, 0] on 1 context 2 : memref
  gin.put %x into %w[0, 0] on 1 context 2 : !row into !rows
  // CHECK-NEXT: gin.put %[[X]] into %[[W]][0, 0] on 1 accumulate : memref
  gin.put %x into %w[0, 0] on 1 accumulate : !row into !rows
  // CHECK-NEXT: gin.put %[[X]] into %[[W]][0, 0] on 1 signal %[[S]][%[[P]]] : memref<128xf32, #gin.window> into memref<?x128xf32, #gin.window>, !gin.signals<8>
  gin.put %x into %w[0, 0] on 1 signal %s[%p] : !row into !rows, !gin.signals<8>
  // CHECK-NEXT: gin.put %[[X]] into %[[W]][0, 0] on 1 signal %[[S]][7] add 3 : memref
  gin.put %x into %w[0, 0] on 1 signal %s[7] add 3 : !row into !rows, !gin.signals<8>
  // CHECK-NEXT: %token = gin.put %[[X]] into %[[W]][0, 0] on 1 -> !gin.token : memref
  %t = gin.put %x into %w[0, 0] on 1 -> !gin.token : !row into !rows
  // CHECK-NEXT: %token_{{[0-9]+}} = gin.put %[[X]] into %[[W]][%[[P]], %[[P]]] on %[[P]] team grid ?x? context 1 accumulate signal %[[S]][%[[P]]] add %[[P]] -> !gin.token {test.attr} : memref<128xf32, #gin.window> into memref<?x128xf32, #gin.window>, !gin.signals<8>
  %u = gin.put %x into %w[%p, %p] on %p team grid ?x? context 1 accumulate
    signal %s[%p] add %p -> !gin.token {test.attr} : !row into !rows, !gin.signals<8>
  return
}

// CHECK-LABEL: func.func @shapes(
func.func @shapes(%block: !strided, %whole: !rows, %part: memref<?x?xf32, strided<[?, ?], offset: ?>, #gin.window>,
                  %cube: memref<?x4x128xf32, #gin.window>, %cell: memref<f32, #gin.window>,
                  %none: memref<0x128xf32, #gin.window>, %b: !gin.signals<2x?x3>, %p: index) {
  // A strided source, whose dimensions are the window's last ones.
  // CHECK: gin.put %{{.*}} into %{{.*}}[%{{.*}}, 0, 112] on %{{.*}} : memref<4x16xf32, strided<[128, 2], offset: ?>, #gin.window> into memref<?x4x128xf32, #gin.window>
  gin.put %block into %cube[%p, 0, 112] on %p : !strided into memref<?x4x128xf32, #gin.window>
  // A source of dynamic shape, a window onto itself.
  // CHECK: gin.put %{{.*}} into %{{.*}}[0, 0] on %{{.*}} : memref<?x?xf32, strided<[?, ?], offset: ?>, #gin.window> into memref<?x128xf32, #gin.window>
  gin.put %part into %whole[0, 0] on %p
    : memref<?x?xf32, strided<[?, ?], offset: ?>, #gin.window> into !rows
  // CHECK: gin.put %{{.*}} into %{{.*}}[0, 0] on %{{.*}} : memref<?x128xf32, #gin.window> into memref<?x128xf32, #gin.window>
  gin.put %whole into %whole[0, 0] on %p : !rows into !rows
  // Windows without dimensions.
  // CHECK: gin.put %{{.*}} into %{{.*}}[] on 0 : memref<f32, #gin.window> into memref<f32, #gin.window>
  gin.put %cell into %cell[] on 0 : memref<f32, #gin.window> into memref<f32, #gin.window>
  // CHECK: gin.put %{{.*}} into %{{.*}}[3, 127] on 0 : memref<f32, #gin.window> into memref<?x128xf32, #gin.window>
  gin.put %cell into %whole[3, 127] on 0 : memref<f32, #gin.window> into !rows
  // No elements, and a slot of a bank of three dimensions.
  // CHECK: gin.put %{{.*}} into %{{.*}}[0, 0] on 0 signal %{{.*}}[1, %{{.*}}, 2] : memref<0x128xf32, #gin.window> into memref<?x128xf32, #gin.window>, !gin.signals<2x?x3>
  gin.put %none into %whole[0, 0] on 0 signal %b[1, %p, 2]
    : memref<0x128xf32, #gin.window> into !rows, !gin.signals<2x?x3>
  return
}

// CHECK-LABEL: func.func @put_value(
func.func @put_value(%v: f32, %w: !rows, %cell: memref<f32, #gin.window>, %s: !gin.signals<8>, %p: index) {
  // CHECK: gin.put_value %{{.*}} into %{{.*}}[%{{.*}}, 127] on %{{.*}} : f32 into memref<?x128xf32, #gin.window>
  gin.put_value %v into %w[%p, 127] on %p : f32 into !rows
  // CHECK: gin.put_value %{{.*}} into %{{.*}}[] on 0 : f32 into memref<f32, #gin.window>
  gin.put_value %v into %cell[] on 0 : f32 into memref<f32, #gin.window>
  // CHECK: %token = gin.put_value %{{.*}} into %{{.*}}[0, 0] on 1 team rail context 3 signal %{{.*}}[0] add 2 -> !gin.token {test.attr} : f32 into memref<?x128xf32, #gin.window>, !gin.signals<8>
  %t = gin.put_value %v into %w[0, 0] on 1 team rail context 3 signal %s[0] add 2 -> !gin.token {test.attr}
    : f32 into !rows, !gin.signals<8>
  return
}

// CHECK-LABEL: func.func @get(
func.func @get(%w: !rows, %x: !row, %block: !strided, %p: index) {
  // CHECK: gin.get %{{.*}}[%{{.*}}, 0] on %{{.*}} into %{{.*}} : memref<?x128xf32, #gin.window> into memref<128xf32, #gin.window>
  gin.get %w[%p, 0] on %p into %x : !rows into !row
  // CHECK: %token = gin.get %{{.*}}[0, %{{.*}}] on 2 team lsa context 1 into %{{.*}} -> !gin.token {test.attr} : memref<?x128xf32, #gin.window> into memref<4x16xf32, strided<[128, 2], offset: ?>, #gin.window>
  %t = gin.get %w[0, %p] on 2 team lsa context 1 into %block -> !gin.token {test.attr} : !rows into !strided
  return
}

// CHECK-LABEL: func.func @others(
func.func @others(%w: !rows, %v: f32, %p: index) {
  // CHECK: gin.atomic_add %{{.*}} into %{{.*}}[%{{.*}}, 0] on %{{.*}} : f32 into memref<?x128xf32, #gin.window>
  gin.atomic_add %v into %w[%p, 0] on %p : f32 into !rows
  // CHECK: gin.atomic_add %{{.*}} into %{{.*}}[0, 0] on 1 team lsa context 1 {test.attr} : f32 into memref<?x128xf32, #gin.window>
  gin.atomic_add %v into %w[0, 0] on 1 team lsa context 1 {test.attr} : f32 into !rows
  // CHECK: %view = gin.peer_view %{{.*}} on %{{.*}} : memref<?x128xf32, #gin.window> to memref<?x128xf32, #gin.peer>
  %view = gin.peer_view %w on %p : !rows to memref<?x128xf32, #gin.peer>
  // CHECK: gin.peer_view %{{.*}} on 1 team lsa {test.attr} : memref<?x128xf32, #gin.window> to memref<?x128xf32, #gin.peer>
  %other = gin.peer_view %w on 1 team lsa {test.attr} : !rows to memref<?x128xf32, #gin.peer>
  return
}

// CHECK-LABEL: func.func @elements(
func.func @elements(%i8: memref<4xi8, #gin.window>, %i16: memref<4xi16, #gin.window>,
                    %i32: memref<4xi32, #gin.window>, %i64: memref<4xi64, #gin.window>,
                    %f16: memref<4xf16, #gin.window>, %bf16: memref<4xbf16, #gin.window>,
                    %f32: memref<4xf32, #gin.window>, %f64: memref<4xf64, #gin.window>,
                    %e4m3: memref<4xf8E4M3FN, #gin.window>, %e5m2: memref<4xf8E5M2, #gin.window>,
                    %v: f8E5M2) {
  // CHECK: memref<4xi8, #gin.window> into
  gin.put %i8 into %i8[0] on 0 : memref<4xi8, #gin.window> into memref<4xi8, #gin.window>
  // CHECK: memref<4xi16, #gin.window> into
  gin.put %i16 into %i16[0] on 0 : memref<4xi16, #gin.window> into memref<4xi16, #gin.window>
  // CHECK: memref<4xi32, #gin.window> into
  gin.put %i32 into %i32[0] on 0 : memref<4xi32, #gin.window> into memref<4xi32, #gin.window>
  // CHECK: memref<4xi64, #gin.window> into
  gin.put %i64 into %i64[0] on 0 : memref<4xi64, #gin.window> into memref<4xi64, #gin.window>
  // CHECK: memref<4xf16, #gin.window> into
  gin.put %f16 into %f16[0] on 0 : memref<4xf16, #gin.window> into memref<4xf16, #gin.window>
  // CHECK: memref<4xbf16, #gin.window> into
  gin.put %bf16 into %bf16[0] on 0 : memref<4xbf16, #gin.window> into memref<4xbf16, #gin.window>
  // CHECK: memref<4xf32, #gin.window> into
  gin.put %f32 into %f32[0] on 0 : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  // CHECK: memref<4xf64, #gin.window> into
  gin.put %f64 into %f64[0] on 0 : memref<4xf64, #gin.window> into memref<4xf64, #gin.window>
  // CHECK: memref<4xf8E4M3FN, #gin.window> into
  gin.put %e4m3 into %e4m3[0] on 0 : memref<4xf8E4M3FN, #gin.window> into memref<4xf8E4M3FN, #gin.window>
  // CHECK: f8E5M2 into memref<4xf8E5M2, #gin.window>
  gin.put_value %v into %e5m2[0] on 0 : f8E5M2 into memref<4xf8E5M2, #gin.window>
  return
}

//===----------------------------------------------------------------------===//
// Signals, completion, barriers
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @signals(
// CHECK-SAME: %[[S:.*]]: !gin.signals<8>, %[[B:.*]]: !gin.signals<?x?>, %[[N:.*]]: index)
func.func @signals(%s: !gin.signals<8>, %b: !gin.signals<?x?>, %n: index) {
  // CHECK-NEXT: gin.signal %[[S]][0] on 1 : !gin.signals<8>
  gin.signal %s[0] on 1 : !gin.signals<8>
  // CHECK-NEXT: gin.signal %[[S]][%[[N]]] on %[[N]] add 2 : !gin.signals<8>
  gin.signal %s[%n] on %n add 2 : !gin.signals<8>
  // CHECK-NEXT: gin.signal %[[B]][%[[N]], 3] on %[[N]] add %[[N]] : !gin.signals<?x?>
  gin.signal %b[%n, 3] on %n add %n : !gin.signals<?x?>
  // CHECK-NEXT: gin.signal %[[S]][0] on 1 relaxed : !gin.signals<8>
  gin.signal %s[0] on 1 relaxed : !gin.signals<8>
  // CHECK-NEXT: gin.signal %[[S]][0] on 1 team lsa context 1 add 9223372036854775807 relaxed {test.attr} : !gin.signals<8>
  gin.signal %s[0] on 1 team lsa context 1 add 9223372036854775807 relaxed {test.attr} : !gin.signals<8>

  // CHECK-NEXT: gin.wait %[[S]][0] >= 1 : !gin.signals<8>
  gin.wait %s[0] >= 1 : !gin.signals<8>
  // CHECK-NEXT: gin.wait %[[B]][0, %[[N]]] >= %[[N]] : !gin.signals<?x?>
  gin.wait %b[0, %n] >= %n : !gin.signals<?x?>
  // CHECK-NEXT: gin.wait %[[S]][0] >= -1 timeout 0 : !gin.signals<8>
  gin.wait %s[0] >= -1 timeout 0 : !gin.signals<8>
  // CHECK-NEXT: %arrived = gin.wait %[[S]][0] >= 1 timeout 1000 -> i1 : !gin.signals<8>
  %a = gin.wait %s[0] >= 1 timeout 1000 -> i1 : !gin.signals<8>
  // CHECK-NEXT: gin.wait %[[S]][0] >= 1 timeout %[[N]] -> i1 {test.attr} : !gin.signals<8>
  %c = gin.wait %s[0] >= 1 timeout %n -> i1 {test.attr} : !gin.signals<8>
  // CHECK-NEXT: %arrived_{{[0-9]+}} = gin.test %[[S]][%[[N]]] >= 1 : !gin.signals<8>
  %d = gin.test %s[%n] >= 1 : !gin.signals<8>
  // CHECK-NEXT: gin.test %[[S]][0] >= %[[N]] {test.attr} : !gin.signals<8>
  %e = gin.test %s[0] >= %n {test.attr} : !gin.signals<8>
  // CHECK-NEXT: %count = gin.read %[[S]][7] : !gin.signals<8>
  %f = gin.read %s[7] : !gin.signals<8>
  // CHECK-NEXT: gin.read %[[B]][%[[N]], %[[N]]] {test.attr} : !gin.signals<?x?>
  %g = gin.read %b[%n, %n] {test.attr} : !gin.signals<?x?>
  return
}

// CHECK-LABEL: func.func @completion(
func.func @completion(%x: !row, %w: !rows, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[READY:.*]] = gin.ready_token
  %ready = gin.ready_token
  // CHECK: %[[LAST:[a-z0-9]+]] = scf.for {{.*}} iter_args(%{{.*}} = %[[READY]]) -> (!gin.token)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %ready) -> (!gin.token) {
    // CHECK: gin.await %{{[a-z0-9]+$}}
    gin.await %before
    %t = gin.put %x into %w[%i, 0] on %i -> !gin.token : !row into !rows
    scf.yield %t : !gin.token
  }
  // CHECK: gin.await %[[READY]], %[[LAST]] {test.attr}
  gin.await %ready, %last {test.attr}
  // CHECK: gin.flush{{$}}
  gin.flush
  // CHECK: gin.flush {test.attr}
  gin.flush {test.attr}
  // CHECK: gin.barrier{{$}}
  gin.barrier
  // CHECK: gin.barrier global{{$}}
  gin.barrier global
  // CHECK: gin.barrier team lsa
  gin.barrier team lsa
  // CHECK: gin.barrier global team grid ?x? {test.attr}
  gin.barrier global team grid ?x? {test.attr}
  return
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @roles(
func.func @roles(%s: !gin.signals<8>, %p: index) {
  // CHECK-NEXT: gin.specialize {
  // CHECK-NEXT:   role "send" ctas 16 {
  // CHECK-NEXT:     gin.signal
  // CHECK-NEXT:   }
  // CHECK-NEXT:   role "compute on \22tiles\22" {
  // CHECK-NEXT:     gin.wait
  // CHECK-NEXT:   }
  // CHECK-NEXT:   role "reduce" warps 4 {
  // CHECK-NEXT:   }
  // CHECK-NEXT: } {test.attr}
  gin.specialize {
    role "send" ctas 16 {
      gin.signal %s[0] on %p : !gin.signals<8>
    }
    role "compute on \22tiles\22" {
      gin.wait %s[0] >= 1 : !gin.signals<8>
    }
    role "reduce" warps 4 {
    }
  } {test.attr}
  // Roles may fork again, and use tokens of their own and the ready one.
  // CHECK: gin.specialize {
  // CHECK:   role "outer" {
  // CHECK:     gin.specialize {
  // CHECK:       role "inner" {
  %ready = gin.ready_token
  gin.specialize {
    role "outer" {
      gin.specialize {
        role "inner" {
          gin.await %ready
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @kernels(
func.func @kernels(%s: !gin.signals<8>, %n: index, %c: i1) {
  // CHECK: gin.kernel "tell_1" {
  // CHECK-NEXT: gin.signal
  // CHECK-NEXT: }
  // CHECK-NEXT: gin.specialize {
  // CHECK-NEXT: role "a" ctas 2 {
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: gin.kernel {
  // CHECK-NEXT: } {test.attr}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gin.kernel "tell_1" {
    gin.signal %s[0] on 0 : !gin.signals<8>
  }
  gin.specialize {
    role "a" ctas 2 {
      scf.for %i = %c0 to %n step %c1 {
        scf.if %c {
          gin.kernel {
          } {test.attr}
        }
      }
      gin.wait %s[0] >= 1 : !gin.signals<8>
    }
  }
  return
}

//===----------------------------------------------------------------------===//
// What lowering adds
//===----------------------------------------------------------------------===//

func.func private @body(index, !row)
func.func private @nothing(index)

// CHECK-LABEL: func.func @execution(
// CHECK-SAME: %[[X:.*]]: memref<128xf32, #gin.window>, %[[N:.*]]: index)
func.func @execution(%x: !row, %n: index) {
  // CHECK-NEXT: gin.fork @body(%[[X]]) count %[[N]] : memref<128xf32, #gin.window>
  gin.fork @body(%x) count %n : !row
  // CHECK-NEXT: gin.fork @nothing() count %[[N]] names ["a", "b"] {test.attr}
  gin.fork @nothing() count %n names ["a", "b"] {test.attr}
  // CHECK-NEXT: gin.drain
  gin.drain
  // CHECK-NEXT: memref.load {{.*}} {gin.weak} : memref<128xf32, #gin.window>
  %v = memref.load %x[%n] {gin.weak} : !row
  // CHECK-NEXT: memref.store {{.*}} {gin.weak} : memref<128xf32, #gin.window>
  memref.store %v, %x[%n] {gin.weak} : !row
  return
}

//===----------------------------------------------------------------------===//
// Scopes of a kernel
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @scopes(
// CHECK-NEXT: gin.join warp
// CHECK-NEXT: gin.join block
// CHECK-NEXT: gin.join grid
// CHECK-NEXT: gin.join grid role 2 at %arg0 count %arg1
// CHECK-NEXT: gin.broadcast %arg2 block : f32
// CHECK-NEXT: gin.broadcast %arg0 grid role 0 at %arg0 count %arg1 : index
// CHECK-NEXT: gin.wait %arg3[0] >= 1 {gin.scope = #gin.scope<warp>}
// CHECK-NEXT: gin.warps "send" at 0 count 2 barrier 1 {
// CHECK-NEXT: gin.join grid role 2 at %arg0 count %arg1
// CHECK-NEXT: } {test.attr}
func.func @scopes(%first: index, %n: index, %v: f32, %s: !gin.signals<1>) {
  gin.join warp
  gin.join block
  gin.join grid
  gin.join grid role 2 at %first count %n
  %a = gin.broadcast %v block : f32
  %b = gin.broadcast %first grid role 0 at %first count %n : index
  gin.wait %s[0] >= 1 {gin.scope = #gin.scope<warp>} : !gin.signals<1>
  gin.warps "send" at 0 count 2 barrier 1 {
    gin.join grid role 2 at %first count %n
  } {test.attr}
  return
}

//===----------------------------------------------------------------------===//
// Attributes of functions and their arguments
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @arguments(
// CHECK-SAME: memref<?xf32, #gin.window> {gin.name = "x", gin.source}
// CHECK-SAME: memref<?xf32, #gin.window> {gin.rights = #gin.rights<read, write>}
// CHECK-SAME: memref<?xf32, #gin.window> {gin.rights = #gin.rights<none>}
// CHECK-SAME: memref<?x?xf32, #gin.window> {gin.rights = #gin.rights<read, write, atomic>, gin.scratch, gin.sizes = affine_map<()[s0, s1] -> (s0, s1)>}
// CHECK-SAME: memref<8xf32, #gin.window> {gin.scratch}
// CHECK-SAME: !gin.signals<?x4> {gin.sizes = #[[BY_RANK:map[0-9]*]]}
// CHECK-SAME: index {gin.name = "k"}
// CHECK-SAME: attributes {gin.run = {args = {x = "random:1"}, dims = {x = "ranks"}}}
func.func @arguments(
    %x: memref<?xf32, #gin.window> {gin.source, gin.name = "x"},
    %y: memref<?xf32, #gin.window> {gin.rights = #gin.rights<read, write>},
    %z: memref<?xf32, #gin.window> {gin.rights = #gin.rights<none>},
    %t: memref<?x?xf32, #gin.window> {gin.scratch, gin.sizes = affine_map<()[ranks, x] -> (ranks, x)>, gin.rights = #gin.rights<write, read, atomic>},
    %u: memref<8xf32, #gin.window> {gin.scratch},
    %s: !gin.signals<?x4> {gin.sizes = affine_map<()[ranks] -> (ranks)>},
    %k: index {gin.name = "k"})
    attributes {gin.run = {dims = {x = "ranks"}, args = {x = "random:1"}}} {
  return
}

// A declaration may have them too.
// CHECK: func.func private @declared(!gin.signals<?> {gin.sizes = #[[BY_RANK]]})
func.func private @declared(!gin.signals<?> {gin.sizes = affine_map<()[ranks] -> (ranks)>})
