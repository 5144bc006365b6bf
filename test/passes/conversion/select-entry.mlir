// RUN: gin-opt %s --split-input-file --gin-select-entry | FileCheck %s
// RUN: gin-opt %s --split-input-file --gin-select-entry=entry=main | FileCheck %s

// CHECK-LABEL: func.func private @helper(
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>
func.func @helper(%w: memref<8xf32, #gin.window>) {
  call @c_function() : () -> ()
  return
}
// CHECK: func.func private @c_function()
// CHECK-NOT: llvm.linkage
func.func private @c_function()
// CHECK: memref.global "private" constant @table
memref.global "private" constant @table : memref<2xf32> = dense<[1.0, 2.0]>
// CHECK: func.func @main(
// CHECK-SAME: attributes {llvm.emit_c_interface, llvm.linkage = #llvm.linkage<internal>}
func.func @main(%w: memref<8xf32, #gin.window>) {
  %t = memref.get_global @table : memref<2xf32>
  call @helper(%w) : (memref<8xf32, #gin.window>) -> ()
  return
}
// CHECK-NOT: @unused
func.func private @unused() {
  return
}

// -----

// CHECK-LABEL: func.func @main()
// CHECK-SAME: attributes {llvm.emit_c_interface, llvm.linkage = #llvm.linkage<internal>}
func.func @main() {
  return
}
