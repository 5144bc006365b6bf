// RUN: gin-opt %s --split-input-file --verify-diagnostics --gin-map-to-kernel

func.func private @host(index)
func.func @external(%n: index) {
  // expected-error @+1 {{'func.call' op of 'host' cannot run on a GPU: the function is external, or calls itself}}
  call @host(%n) : (index) -> ()
  return
}

// -----

func.func @branches(%c: i1) {
  // expected-error @-1 {{'func.func' op has unstructured control flow; kernels are made from scf}}
  cf.cond_br %c, ^a, ^b
^a:
  return
^b:
  return
}

// -----

func.func @agents_in_agents(%s: !gin.signals<8>) {
  scf.forall (%p) in (4) {
    // expected-error @+1 {{'scf.forall' op has iterations that wait, which must run at once, inside an agent that has a single block; fork them from the rank's body, or map them to its warps or threads}}
    scf.forall (%q) in (4) {
      gin.wait %s[%q] >= 1 : !gin.signals<8>
    }
  }
  return
}

// -----

func.func @warps_and_ctas(%s: !gin.signals<1>) {
  // expected-error @+1 {{'gin.specialize' op has roles of CTAs and roles of warps; give all of them the one or the other}}
  gin.specialize {
    role "a" warps 1 {
      gin.wait %s[0] >= 1 : !gin.signals<1>
    }
    role "b" ctas 1 {
      gin.flush
    }
  }
  return
}

// -----

func.func @many_warps(%s: !gin.signals<1>) {
  // expected-error @+1 {{'gin.specialize' op needs 9 warps, but blocks have 8; choose more threads}}
  gin.specialize {
    role "a" warps 8 {
      gin.wait %s[0] >= 1 : !gin.signals<1>
    }
    role "b" {
      gin.flush
    }
  }
  return
}

// -----

func.func @roles_in_roles(%s: !gin.signals<1>) {
  gin.specialize {
    role "a" {
      // expected-error @+1 {{'gin.specialize' op stands in a role of another gin.specialize; roles are not divided further}}
      gin.specialize {
        role "b" {
          gin.wait %s[0] >= 1 : !gin.signals<1>
        }
      }
    }
  }
  return
}

// -----

func.func @roles_in_agents(%s: !gin.signals<1>) {
  scf.forall (%p) in (4) {
    // expected-error @+1 {{'gin.specialize' op stands in an agent that has a single block; its roles need blocks: specialize the rank's body}}
    gin.specialize {
      role "b" {
        gin.wait %s[0] >= 1 : !gin.signals<1>
      }
    }
  }
  return
}

// -----

func.func @in_agent(%x: memref<8xf32, #gin.window>, %s: !gin.signals<1>) {
  scf.forall (%p) in (4) {
    // expected-error @+1 {{'memref.alloc' op allocates in an agent of a kernel; allocate before the agents fork, with a part for each}}
    %a = memref.alloc() : memref<8xf32>
    gin.signal %s[0] on 0 : !gin.signals<1>
  }
  return
}

// -----

func.func @unknown_size(%x: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %n = memref.load %x[%c0] : memref<1xindex>
  // expected-error @+1 {{'memref.alloc' op has a size that is not known before the launch; make it one of the number of ranks and the arguments' sizes}}
  %a = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

func.func @selected(%x: memref<8xf32>, %y: memref<8xf32>, %flags: memref<8xi1>,
                    %n: index, %v: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%flag = %c) -> i1 {
    memref.store %flag, %flags[%i] : memref<8xi1>
    %next = memref.load %flags[%c0] : memref<8xi1>
    scf.yield %next : i1
  }
  // expected-error @+1 {{'arith.select' op makes a value of type 'memref<8xf32>' that other threads would need; move it next to its uses}}
  %one = arith.select %last, %x, %y : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %y[%i] : memref<8xf32>
  }
  memref.store %v, %one[%c0] : memref<8xf32>
  return
}

// -----

func.func @many_roles() {
  // expected-error @+1 {{'gin.specialize' op has 16 roles, but kernels have at most 15}}
  gin.specialize {
    role "r0" {
      gin.flush
    }
    role "r1" {
      gin.flush
    }
    role "r2" {
      gin.flush
    }
    role "r3" {
      gin.flush
    }
    role "r4" {
      gin.flush
    }
    role "r5" {
      gin.flush
    }
    role "r6" {
      gin.flush
    }
    role "r7" {
      gin.flush
    }
    role "r8" {
      gin.flush
    }
    role "r9" {
      gin.flush
    }
    role "r10" {
      gin.flush
    }
    role "r11" {
      gin.flush
    }
    role "r12" {
      gin.flush
    }
    role "r13" {
      gin.flush
    }
    role "r14" {
      gin.flush
    }
    role "r15" {
      gin.flush
    }
  }
  return
}

// -----

memref.global "private" @changes : memref<4xf32> = dense<0.0>
func.func @reads() {
  // expected-error @below {{of 'changes' cannot be a table of a kernel: it is not constant, or has no elements here; make it an argument}}
  %0 = memref.get_global @changes : memref<4xf32>
  return
}

// -----

memref.global "private" constant @narrow : memref<4xf16> = dense<0.0>
func.func @reads() {
  // expected-error @below {{of 'narrow' cannot be a table of a kernel: its elements have less than 32 bits; make it an argument}}
  %0 = memref.get_global @narrow : memref<4xf16>
  return
}

// -----

func.func @lanes(%y: memref<32xi32>) {
  %c1 = arith.constant 1 : i32
  scf.forall (%i) in (4) {
    // expected-error @below {{allocates memory of a single thread, and others use it; allocate before the agents fork, with a part for each}}
    %part = memref.alloca() : memref<32xi32>
    scf.forall (%j) in (32) {
      memref.store %c1, %part[%j] : memref<32xi32>
    } {mapping = [#gpu.thread<linear_dim_0>]}
    scf.forall (%j) in (32) {
      %v = memref.load %part[%j] : memref<32xi32>
      memref.store %v, %y[%j] : memref<32xi32>
    } {mapping = [#gpu.thread<linear_dim_0>]}
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return
}
