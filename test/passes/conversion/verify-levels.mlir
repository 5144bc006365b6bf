// RUN: gin-opt %s --split-input-file --verify-diagnostics --gin-verify
// RUN: not gin-opt %s --split-input-file --gin-verify=level=program 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: not gin-opt %s --split-input-file --gin-verify=level=agents 2>&1 | FileCheck %s --check-prefix=AGENTS

func.func @collective(%x: memref<5xf32, #gin.window>, %all: memref<?x5xf32, #gin.window>) {
  // PROGRAM: [[#@LINE+2]]:3: error: 'gin.all_gather' op is a collective, above the level that is reached here; run gin-decompose-collectives before
  // AGENTS: [[#@LINE+1]]:3: error: 'gin.all_gather' op is a collective
  gin.all_gather %x into %all : memref<5xf32, #gin.window> into memref<?x5xf32, #gin.window>
  return
}

// -----

func.func private @tensors(%t: tensor<4xf32>) -> tensor<4xf32> {
  // PROGRAM: [[#@LINE+2]]:8: error: 'arith.addf' op uses tensors, above the level that is reached here; run one-shot-bufferize before
  // AGENTS: [[#@LINE+1]]:8: error: 'arith.addf' op uses tensors
  %0 = arith.addf %t, %t : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @roles(%s: !gin.signals<1>) {
  // AGENTS: [[#@LINE+1]]:3: error: 'gin.specialize' op forks agents, above the level that is reached here; run gin-outline-agents before
  gin.specialize {
    role "wait" {
      gin.wait %s[0] >= 1 : !gin.signals<1>
    }
  }
  return
}

// -----

// Only loops that touch windows fork; these do not, and neither does a reduction.
func.func @loops(%m: memref<8xf32>, %w: memref<8xf32, #gin.window>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    memref.store %zero, %m[%i] : memref<8xf32>
  }
  %sum = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
    %v = memref.load %w[%i] : memref<8xf32, #gin.window>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %b : f32
      scf.reduce.return %r : f32
    }
  }
  // AGENTS: [[#@LINE+1]]:3: error: 'scf.forall' op forks agents
  scf.forall (%i) in (8) {
    memref.store %sum, %w[%i] : memref<8xf32, #gin.window>
  }
  return
}

// -----

func.func @kernel_level() {
  // PROGRAM: [[#@LINE+2]]:3: error: 'gin.async_fence' op is of the kernel level, where gin-map-to-kernel puts it; leave it out here
  // expected-error @+1 {{is of the kernel level, where gin-map-to-kernel puts it; leave it out here}}
  gin.async_fence
  return
}

// -----

func.func @warps_of_a_kernel() {
  // expected-error @+1 {{is of the kernel level}}
  gin.warps "send" at 0 count 1 barrier 1 {
    gin.pace 3
  }
  return
}

// -----

// Where it belongs.
gpu.module @kernels {
  gpu.func @fence() kernel {
    gin.async_fence
    gpu.return
  }
}
