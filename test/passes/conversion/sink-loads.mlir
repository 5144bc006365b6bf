// RUN: gin-opt %s --pass-pipeline='builtin.module(llvm.func(gin-sink-loads))' | FileCheck %s

llvm.func @gin_load_begin(!llvm.ptr) -> i64
llvm.func @gin_load_end(i64) -> i64
llvm.func @use(f32)
llvm.func @wait()

// The casts move along, to just before the first use.
// CHECK-LABEL: llvm.func @straight(
// CHECK-NEXT: %[[L:.*]] = llvm.call @gin_load_begin
// CHECK-NEXT: %[[M:.*]] = llvm.call @gin_load_begin
// CHECK-NEXT: llvm.call @wait
// CHECK-NEXT: %[[V:.*]] = llvm.call @gin_load_end(%[[L]])
// CHECK-NEXT: %[[T:.*]] = llvm.trunc %[[V]]
// CHECK-NEXT: %[[F:.*]] = llvm.bitcast %[[T]]
// CHECK-NEXT: llvm.call @use(%[[F]])
// CHECK-NEXT: llvm.call @wait
// CHECK-NEXT: %[[W:.*]] = llvm.call @gin_load_end(%[[M]])
// CHECK-NEXT: llvm.return %[[W]]
llvm.func @straight(%p: !llvm.ptr) -> i64 {
  %l = llvm.call @gin_load_begin(%p) : (!llvm.ptr) -> i64
  %v = llvm.call @gin_load_end(%l) : (i64) -> i64
  %t = llvm.trunc %v : i64 to i32
  %f = llvm.bitcast %t : i32 to f32
  %m = llvm.call @gin_load_begin(%p) : (!llvm.ptr) -> i64
  %w = llvm.call @gin_load_end(%m) : (i64) -> i64
  llvm.call @wait() : () -> ()
  llvm.call @use(%f) : (f32) -> ()
  llvm.call @wait() : () -> ()
  llvm.return %w : i64
}

// It moves past a diamond, but not into a branch: the load would not end there.
// CHECK-LABEL: llvm.func @branches(
// CHECK: %[[L:.*]] = llvm.call @gin_load_begin
// CHECK-NEXT: %[[M:.*]] = llvm.call @gin_load_begin
// CHECK-NEXT: llvm.call @wait
// CHECK-NEXT: llvm.call @gin_load_end(%[[M]])
// CHECK-NEXT: llvm.cond_br
// CHECK: ^bb1:
// CHECK-NEXT: llvm.add
// CHECK: ^bb3:
// CHECK-NEXT: llvm.call @wait
// CHECK-NEXT: %[[V:.*]] = llvm.call @gin_load_end(%[[L]])
// CHECK-NEXT: llvm.return %[[V]]
llvm.func @branches(%p: !llvm.ptr, %c: i1) -> i64 {
  %l = llvm.call @gin_load_begin(%p) : (!llvm.ptr) -> i64
  %v = llvm.call @gin_load_end(%l) : (i64) -> i64
  %m = llvm.call @gin_load_begin(%p) : (!llvm.ptr) -> i64
  %w = llvm.call @gin_load_end(%m) : (i64) -> i64
  llvm.call @wait() : () -> ()
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  %x = llvm.add %w, %w : i64
  llvm.br ^bb3
^bb2:
  llvm.br ^bb3
^bb3:
  llvm.call @wait() : () -> ()
  llvm.return %v : i64
}

// Nor into a loop, where it would end often, nor out of one.
// CHECK-LABEL: llvm.func @loops(
// CHECK: %[[L:.*]] = llvm.call @gin_load_begin
// CHECK-NEXT: llvm.call @wait
// CHECK-NEXT: %[[V:.*]] = llvm.call @gin_load_end(%[[L]])
// CHECK-NEXT: llvm.br ^bb1
// CHECK: ^bb1:
// CHECK-NEXT: %[[M:.*]] = llvm.call @gin_load_begin
// CHECK-NEXT: llvm.add %[[V]]
// CHECK-NEXT: %[[W:.*]] = llvm.call @gin_load_end(%[[M]])
// CHECK-NEXT: llvm.cond_br
// CHECK: ^bb2:
// CHECK-NEXT: llvm.call @wait
// CHECK-NEXT: llvm.return %[[W]]
llvm.func @loops(%p: !llvm.ptr, %c: i1) -> i64 {
  %l = llvm.call @gin_load_begin(%p) : (!llvm.ptr) -> i64
  %v = llvm.call @gin_load_end(%l) : (i64) -> i64
  llvm.call @wait() : () -> ()
  llvm.br ^bb1
^bb1:
  %m = llvm.call @gin_load_begin(%p) : (!llvm.ptr) -> i64
  %w = llvm.call @gin_load_end(%m) : (i64) -> i64
  %x = llvm.add %v, %v : i64
  llvm.cond_br %c, ^bb1, ^bb2
^bb2:
  llvm.call @wait() : () -> ()
  llvm.return %w : i64
}

// A load whose value nobody needs ends where it did.
// CHECK-LABEL: llvm.func @unused(
// CHECK: llvm.call @gin_load_begin
// CHECK-NEXT: llvm.call @gin_load_end
// CHECK-NEXT: llvm.call @wait
llvm.func @unused(%p: !llvm.ptr) {
  %l = llvm.call @gin_load_begin(%p) : (!llvm.ptr) -> i64
  %v = llvm.call @gin_load_end(%l) : (i64) -> i64
  llvm.call @wait() : () -> ()
  llvm.return
}
