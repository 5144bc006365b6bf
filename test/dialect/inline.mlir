// RUN: gin-opt %s --inline | FileCheck %s

!row = memref<4xf32, #gin.window>

// CHECK-LABEL: func.func @main(
func.func @main(%x: !row, %s: !gin.signals<1>, %c: i1) {
  // CHECK-NEXT: %[[N:.*]] = gin.neighbor 1
  // CHECK-NEXT: gin.put %{{.*}} into %{{.*}}[0] on %[[N]] signal
  // CHECK-NEXT: gin.wait
  // CHECK-NEXT: gin.specialize
  // CHECK-NEXT: role "a"
  // CHECK-NEXT: %[[M:.*]] = gin.neighbor 1
  // CHECK-NEXT: gin.put %{{.*}} into %{{.*}}[0] on %[[M]] signal
  // CHECK-NEXT: gin.wait
  call @shift(%x, %s) : (!row, !gin.signals<1>) -> ()
  gin.specialize {
    role "a" {
      func.call @shift(%x, %s) : (!row, !gin.signals<1>) -> ()
    }
  }
  // CHECK: gin.specialize
  // CHECK-NEXT: role "inner"
  call @roles(%s) : (!gin.signals<1>) -> ()
  // A role is one block: what has several stays a call.
  // CHECK: gin.specialize
  // CHECK-NEXT: role "b"
  // CHECK-NEXT: func.call @blocks
  gin.specialize {
    role "b" {
      func.call @blocks(%s, %c) : (!gin.signals<1>, i1) -> ()
    }
  }
  // Memory on the stack of a role stays in it.
  // CHECK: gin.specialize
  // CHECK-NEXT: role "c"
  // CHECK-NEXT: memref.alloca()
  // CHECK-NOT: alloca_scope
  gin.specialize {
    role "c" {
      func.call @stack(%s) : (!gin.signals<1>) -> ()
    }
  }
  return
}

func.func private @shift(%x: !row, %s: !gin.signals<1>) {
  %p = gin.neighbor 1
  gin.put %x into %x[0] on %p signal %s[0] : !row into !row, !gin.signals<1>
  gin.wait %s[0] >= 1 : !gin.signals<1>
  return
}

func.func private @roles(%s: !gin.signals<1>) {
  gin.specialize {
    role "inner" {
      gin.wait %s[0] >= 2 : !gin.signals<1>
    }
  }
  return
}

func.func private @blocks(%s: !gin.signals<1>, %c: i1) {
  cf.cond_br %c, ^wait, ^end
^wait:
  gin.wait %s[0] >= 1 : !gin.signals<1>
  cf.br ^end
^end:
  gin.flush
  return
}

func.func private @sink(memref<4xi32>)
func.func private @stack(%s: !gin.signals<1>) {
  %m = memref.alloca() : memref<4xi32>
  gin.wait %s[0] >= 3 : !gin.signals<1>
  call @sink(%m) : (memref<4xi32>) -> ()
  return
}
