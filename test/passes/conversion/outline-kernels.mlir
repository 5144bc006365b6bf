// RUN: gin-opt %s --split-input-file --gin-map-to-kernel --canonicalize | FileCheck %s

// Kernels take what the program takes, compute again what the host computes of it,
// and take numbers of the host's loops. Roles outside of them stay, and limit the
// blocks of their kernels; the others have as many as the caller says.

!window = memref<?xf32, #gin.window>

// CHECK-LABEL: gpu.module @gather_tell
// CHECK: gpu.func @gather_tell(%{{.*}}: memref<?xf32, #gin.window> {gin.name = "x"}, %{{.*}}: memref<?xf32, #gin.window>, %[[S:[a-z0-9]+]]: !gin.signals<?>
// CHECK-SAME: {gin.sizes = affine_map<()[s0, s1, s2] -> (s0)>}, %[[D:[a-z0-9]+]]: index) kernel
// CHECK-DAG: %[[ME:.*]] = gin.rank
// CHECK-DAG: %[[PEER:.*]] = gin.neighbor %[[D]]
// CHECK: gin.signal %[[S]][%[[ME]]] on %[[PEER]] {gin.scope = #gin.scope<block>}
// CHECK-LABEL: gpu.module @gather_2
// CHECK: gpu.func @gather_2(%{{.*}}, %{{.*}}, %{{.*}}: !gin.signals<?> {{.*}}) kernel
// CHECK-NOT: known_grid_size
// CHECK: gin.wait
// CHECK: gin.join grid
// CHECK: gpu.return

// CHECK-LABEL: func.func @gather(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf32, #gin.window> {gin.name = "x"}, %[[W:[a-z0-9]+]]: memref<?xf32, #gin.window>, %[[S:[a-z0-9]+]]: !gin.signals<?> {{.*}}, %[[BLOCKS:[a-z0-9]+]]: index)
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK: gin.specialize {
// CHECK-NEXT: role "send" ctas 3 {
// CHECK-NEXT: scf.for %[[D:.*]] =
// CHECK: gin.put %[[X]] into %[[W]]
// CHECK-NEXT: gpu.launch_func @gather_tell::@gather_tell blocks in (%[[C3]], %[[C1]], %[[C1]]) threads in (%[[C1]], %[[C1]], %[[C1]]) args(%[[X]] : memref<?xf32, #gin.window>, %[[W]] : memref<?xf32, #gin.window>, %[[S]] : !gin.signals<?>, %[[D]] : index)
// CHECK: role "use" {
// CHECK-NEXT: gpu.launch_func @gather_2::@gather_2 blocks in (%[[BLOCKS]],
// CHECK: }
// CHECK: gpu.launch_func @gather_end::@gather_end
// CHECK-NEXT: return
func.func @gather(%x: !window {gin.name = "x"}, %w: !window,
                  %s: !gin.signals<?> {gin.sizes = affine_map<()[ranks, m, r] -> (ranks)>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : !window
  %me = gin.rank
  %ranks = gin.num_ranks
  %begin = arith.muli %me, %m : index
  gin.specialize {
    role "send" ctas 3 {
      scf.for %d = %c0 to %ranks step %c1 {
        %peer = gin.neighbor %d
        %token = gin.put %x into %w[%begin] on %peer -> !gin.token : !window into !window
        gin.await %token
        gin.kernel "tell" {
          gin.signal %s[%me] on %peer : !gin.signals<?>
        }
      }
    }
    role "use" {
      gin.kernel {
        gin.wait %s[%me] >= 1 : !gin.signals<?>
        scf.parallel (%i) = (%c0) to (%m) step (%c1) {
          %v = memref.load %w[%i] : !window
          memref.store %v, %x[%i] : !window
        }
      }
    }
  }
  return
}

// -----

// The launch of one kernel that is the last thing to do ends the launch. What a
// kernel allocates is an argument, like what the program allocates.
// CHECK-LABEL: gpu.module @scratch_only
// CHECK: gpu.func @scratch_only(%{{.*}}: !gin.signals<1>, %{{.*}}: memref<8xf32> {gin.scratch}) kernel
// CHECK-NOT: gpu.module
// CHECK-LABEL: func.func @scratch(
// CHECK: gpu.launch_func
// CHECK-NEXT: return
func.func @scratch(%s: !gin.signals<1>) {
  %one = arith.constant 1.0 : f32
  gin.kernel "only" {
    %a = memref.alloc() : memref<8xf32>
    linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
    gin.signal %s[0] on 0 : !gin.signals<1>
  }
  return
}

// -----

// Names that are taken get a number.
// CHECK-LABEL: gpu.module @f_a_2
// CHECK-LABEL: gpu.module @f_a_3
// CHECK-LABEL: gpu.module @f_end
// CHECK-LABEL: gpu.module @f_end_2
func.func private @f_a()
func.func @f(%s: !gin.signals<1>) {
  gin.kernel "a" {
  }
  gin.kernel "a" {
  }
  gin.specialize {
    role "b" {
      gin.kernel "end" {
      }
    }
  }
  return
}
