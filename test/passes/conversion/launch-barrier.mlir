// RUN: gin-opt %s --gin-launch-barrier | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: gin-opt %s --gin-launch-barrier=mode=always | FileCheck %s --check-prefixes=CHECK,ALWAYS
// RUN: gin-opt %s --pass-pipeline='builtin.module(gin-launch-barrier{mode=never reason="ranks are joined by the host"})' | FileCheck %s --check-prefixes=CHECK,NEVER
// RUN: gin-opt %s --gin-launch-barrier --remark-format=emitRemark --remarks-filter='gin.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @exchanges(
// AUTO-NEXT: gin.barrier
// ALWAYS-NEXT: gin.barrier
// NEVER-NOT: gin.barrier
// CHECK: gin.wait
// REMARK: launch-barrier.mlir:[[#@LINE+1]]:1: remark: [Passed] LaunchBarrier | Category:gin | Function=exchanges | Remark="inserted a barrier at the entry: nothing proves
func.func @exchanges(%s: !gin.signals<1>) {
  gin.wait %s[0] >= 1 : !gin.signals<1>
  return
}

// CHECK-LABEL: func.func @local(
// AUTO-NOT: gin.barrier
// ALWAYS-NEXT: gin.barrier
// CHECK: return
// REMARK: remark: [Analysis] LaunchBarrierOmitted | Category:gin | Function=local | Reason="it takes no window and no bank", Remark="no barrier at the entry"
func.func @local(%m: memref<8xf32>) {
  return
}

// Constants and other pure ops may come first.
// CHECK-LABEL: func.func @begins_with_one(
// ALWAYS-NEXT: gin.barrier
// CHECK-NEXT: gin.rank
// CHECK-NEXT: gin.barrier
// CHECK-NEXT: gin.signal
// REMARK: Function=begins_with_one | Reason="it begins with a barrier of all ranks"
func.func @begins_with_one(%s: !gin.signals<?>) {
  %me = gin.rank
  gin.barrier
  gin.signal %s[%me] on 0 : !gin.signals<?>
  return
}

// A barrier of a part of the ranks is not enough.
// CHECK-LABEL: func.func @begins_with_row(
// AUTO-NEXT: gin.barrier{{$}}
// CHECK: gin.barrier team
func.func @begins_with_row(%s: !gin.signals<1>) {
  gin.barrier team row of ?x?
  gin.signal %s[0] on 0 : !gin.signals<1>
  return
}

// CHECK-LABEL: func.func @called(
// CHECK-NEXT: gin.flush
func.func @called(%s: !gin.signals<1>) {
  gin.flush
  return
}
// CHECK-LABEL: func.func @calls(
// AUTO-NEXT: gin.barrier
func.func @calls(%s: !gin.signals<1>) {
  call @called(%s) : (!gin.signals<1>) -> ()
  return
}

// The barrier is part of the first kernel, or a kernel of its own before a put.
// CHECK-LABEL: func.func @begins_with_kernel(
// CHECK-NEXT: gin.rank
// CHECK-NEXT: gin.kernel "first" {
// AUTO-NEXT: gin.barrier
// ALWAYS-NEXT: gin.barrier
// CHECK-NEXT: gin.signal
func.func @begins_with_kernel(%s: !gin.signals<?>) {
  %me = gin.rank
  gin.kernel "first" {
    gin.signal %s[%me] on 0 : !gin.signals<?>
  }
  return
}

// CHECK-LABEL: func.func @begins_with_put(
// AUTO-NEXT: gin.kernel "begin" {
// AUTO-NEXT: gin.barrier
// AUTO-NEXT: }
// CHECK: gin.put
// CHECK-NEXT: gin.kernel "last" {
func.func @begins_with_put(%x: memref<8xf32, #gin.window>, %w: memref<8xf32, #gin.window>) {
  gin.put %x into %w[0] on 0 : memref<8xf32, #gin.window> into memref<8xf32, #gin.window>
  gin.kernel "last" {
    gin.barrier
  }
  return
}

// CHECK-LABEL: func.func @kernel_with_barrier(
// CHECK-NEXT: gin.kernel "first" {
// AUTO-NEXT: gin.barrier
// AUTO-NEXT: gin.signal
// REMARK: Function=kernel_with_barrier | Reason="it begins with a barrier of all ranks"
func.func @kernel_with_barrier(%s: !gin.signals<?>) {
  gin.kernel "first" {
    gin.barrier
    gin.signal %s[0] on 0 : !gin.signals<?>
  }
  return
}
