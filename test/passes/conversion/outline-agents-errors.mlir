// RUN: gin-opt %s --split-input-file --verify-diagnostics --gin-outline-agents

func.func @token(%x: memref<8xf32, #gin.window>, %w: memref<8xf32, #gin.window>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{the value comes from here}}
  %t = gin.put %x into %w[0] on 0 -> !gin.token
    : memref<8xf32, #gin.window> into memref<8xf32, #gin.window>
  scf.forall (%i) in (8) {
    // expected-error @below {{'scf.for' op uses a token from outside of its agent; tokens do not leave their agent: await it before the agents fork}}
    scf.for %j = %c0 to %n step %c1 iter_args(%u = %t) -> !gin.token {
      gin.await %u
      scf.yield %u : !gin.token
    }
  }
  return
}

// -----

func.func @reduction(%s: !gin.signals<1>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-error @below {{'scf.parallel' op communicates and reduces; its iterations are agents, which end without a value: let each store its value in a buffer, and reduce that after the loop}}
  %sum = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%c0) -> index {
    %v = gin.read %s[0] : !gin.signals<1>
    scf.reduce(%v : index) {
    ^bb0(%a: index, %b: index):
      %r = arith.addi %a, %b : index
      scf.reduce.return %r : index
    }
  }
  return %sum : index
}

// -----

func.func @tensors(%t: tensor<8xf32>, %s: !gin.signals<1>) -> tensor<8xf32> {
  // expected-error @below {{'scf.forall' op touches windows, so that its iterations are agents, but has tensors as outputs; run one-shot-bufferize before}}
  %0 = scf.forall (%i) in (8) shared_outs(%o = %t) -> tensor<8xf32> {
    gin.signal %s[0] on 0 : !gin.signals<1>
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @tensor_inside(%t: tensor<8xf32>, %w: memref<8xf32, #gin.window>) {
// expected-note @above {{the value comes from here}}
  scf.forall (%i) in (8) {
    // expected-error @below {{'tensor.extract' op uses a tensor inside an agent; run one-shot-bufferize before}}
    %v = tensor.extract %t[%i] : tensor<8xf32>
    memref.store %v, %w[%i] : memref<8xf32, #gin.window>
  }
  return
}
