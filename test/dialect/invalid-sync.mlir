// RUN: gin-opt %s --split-input-file --verify-diagnostics

// Signals.

func.func @f(%s: !gin.signals<4x4>) {
  // expected-error@+1 {{'gin.signal' op names a slot by 1 indices, but the bank '!gin.signals<4x4>' has 2 dimensions}}
  gin.signal %s[0] on 0 : !gin.signals<4x4>
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.signal' op slot index 4 in dimension 0 is out of the range of the bank '!gin.signals<4>'}}
  gin.signal %s[4] on 0 : !gin.signals<4>
  return
}

// -----

func.func @f(%s: !gin.signals<?>) {
  // expected-error@+1 {{'gin.signal' op has 0 values for its slot, but 1 places for them among the literals}}
  gin.signal %s[-9223372036854775808] on 0 : !gin.signals<?>
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.signal' op peer -1 is negative; ranks count from 0}}
  gin.signal %s[0] on -1 : !gin.signals<4>
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.signal' op peer 2 is not in the team #gin.team<axis 2 of ?x?x2> of 2 ranks; peers are relative to the team}}
  gin.signal %s[0] on 2 team axis 2 of ?x?x2 : !gin.signals<4>
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.signal' op needs its peer either as a value or as a literal}}
  "gin.signal"(%s) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_slot = array<i64: 0>}> : (!gin.signals<4>) -> ()
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.signal' op context -3 is negative; contexts count from 0}}
  gin.signal %s[0] on 0 context -3 : !gin.signals<4>
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.signal' op weight -1 is less than 1; signals only grow}}
  gin.signal %s[0] on 0 add -1 : !gin.signals<4>
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{`add` does not stand here; the order is `on`, `team`, `context`, `add`, `relaxed`}}
  gin.signal %s[0] on 0 relaxed add 2 : !gin.signals<4>
  return
}

// -----

// Waits.

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.wait' op slot index -1 in dimension 0 is out of the range of the bank '!gin.signals<4>'}}
  gin.wait %s[-1] >= 1 : !gin.signals<4>
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.wait' op has a result but no time-out, so the result could only be true; add `timeout`, or drop the result}}
  %ok = gin.wait %s[0] >= 1 -> i1 : !gin.signals<4>
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.wait' op time-out -1 ns is negative; leave it out to wait for ever}}
  gin.wait %s[0] >= 1 timeout -1 : !gin.signals<4>
  return
}

// -----

func.func @f(%s: !gin.signals<4>, %n: index) {
  // expected-error@+1 {{'gin.wait' op needs its time-out either as a value or as a literal}}
  "gin.wait"(%s, %n) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>, static_slot = array<i64: 0>,
    static_count = 1 : i64, static_timeout = 1 : i64}> : (!gin.signals<4>, index) -> ()
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.wait' op needs its count either as a value or as a literal}}
  "gin.wait"(%s) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_slot = array<i64: 0>}> : (!gin.signals<4>) -> ()
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.wait' op result #0 must be 1-bit signless integer, but got 'i8'}}
  %ok = gin.wait %s[0] >= 1 timeout 1 -> i8 : !gin.signals<4>
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{expected `>=` and a count}}
  gin.wait %s[0] > 0 : !gin.signals<4>
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{expected `>=` and a count}}
  gin.wait %s[0] : !gin.signals<4>
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.test' op slot index 4 in dimension 0 is out of the range of the bank '!gin.signals<4>'}}
  %there = gin.test %s[4] >= 1 : !gin.signals<4>
  return
}

// -----

func.func @f(%s: !gin.signals<4>, %n: index) {
  // expected-error@+1 {{'gin.test' op needs its count either as a value or as a literal}}
  %there = "gin.test"(%s, %n) <{operandSegmentSizes = array<i32: 1, 0, 1>, static_slot = array<i64: 0>,
    static_count = 1 : i64}> : (!gin.signals<4>, index) -> i1
  return
}

// -----

func.func @f(%s: !gin.signals<4>) {
  // expected-error@+1 {{'gin.read' op names a slot by 2 indices, but the bank '!gin.signals<4>' has 1 dimensions}}
  %n = gin.read %s[0, 0] : !gin.signals<4>
  return
}

// -----

func.func @f(%s: !gin.signals<4>, %i: index) {
  // expected-error@+1 {{'gin.read' op has 1 values for its slot, but 0 places for them among the literals}}
  %n = "gin.read"(%s, %i) <{static_slot = array<i64: 0>}> : (!gin.signals<4>, index) -> index
  return
}

// -----

func.func @f(%s: memref<4xi64>) {
  // expected-error@+1 {{'gin.read' op operand #0 must be a bank of signals, but got 'memref<4xi64>'}}
  %n = gin.read %s[0] : memref<4xi64>
  return
}

// -----

// Tokens.

func.func @f() {
  // expected-error@+1 {{'gin.await' op awaits no token; name at least one, or use gin.flush for all of this agent's transfers}}
  "gin.await"() : () -> ()
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @f(%t: i64) {
  // expected-error@+1 {{use of value '%t' expects different type than prior uses: '!gin.token' vs 'i64'}}
  gin.await %t
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>) {
  // expected-note@+1 {{the token comes from here}}
  %t = gin.put %x into %x[0] on 0 -> !gin.token : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  scf.forall (%i) in (4) {
    // expected-error@+1 {{'gin.await' op uses a token of another agent; await it before scf.forall}}
    gin.await %t
  }
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %c0: index, %c1: index, %c4: index) {
  // expected-note@+1 {{the token comes from here}}
  %t = gin.put %x into %x[0] on 0 -> !gin.token : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.for %j = %c0 to %i step %c1 {
      // expected-error@+1 {{'gin.await' op uses a token of another agent; await it before scf.parallel}}
      gin.await %t
    }
  }
  return
}

// -----

func.func @f(%x: memref<4xf32, #gin.window>, %c0: index, %c1: index, %c4: index) {
  // expected-note@+1 {{the token comes from here}}
  %t = gin.put %x into %x[0] on 0 -> !gin.token : memref<4xf32, #gin.window> into memref<4xf32, #gin.window>
  gin.specialize {
    role "a" {
      // However it gets there.
      // expected-error@+1 {{'scf.for' op uses a token of another agent; await it before gin.specialize}}
      %u = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %t) -> (!gin.token) {
        gin.await %v
        scf.yield %v : !gin.token
      }
    }
  }
  return
}

// -----

// Roles.

func.func @f() {
  // expected-error@+1 {{'gin.specialize' op needs at least one role}}
  gin.specialize {
  }
  return
}

// -----

func.func @f() {
  gin.specialize {
    // expected-error@+1 {{expected `role "name" { ... }` or the closing brace}}
    gin.flush
  }
  return
}

// -----

func.func @f() {
  gin.specialize {
    // expected-error@+1 {{expected string}}
    role send {
    }
  }
  return
}

// -----

func.func @f() {
  gin.specialize {
    // expected-error@+1 {{a role has at least one of its ctas, not 0}}
    role "send" ctas 0 {
    }
  }
  return
}

// -----

func.func @f() {
  gin.specialize {
    // expected-error@+1 {{a role has at least one of its warps, not -4}}
    role "send" warps -4 {
    }
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gin.specialize' op role "send" has both CTAs and warps; give one of them}}
  gin.specialize {
    role "send" ctas 2 warps 4 {
    }
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gin.specialize' op has a role whose name is empty}}
  gin.specialize {
    role "" {
    }
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gin.specialize' op has two roles named "send"}}
  gin.specialize {
    role "send" {
    }
    role "send" {
    }
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gin.specialize' op role "a" has -1 CTAs; give at least 1, or leave it out}}
  "gin.specialize"() <{names = ["a"], ctas = array<i64: -1>, warps = array<i64: 0>}> ({
    gin.yield
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gin.specialize' op role "a" has -2 warps; give at least 1, or leave it out}}
  "gin.specialize"() <{names = ["a"], ctas = array<i64: 0>, warps = array<i64: -2>}> ({
    gin.yield
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gin.specialize' op has 1 roles, but names, ctas and warps for another number}}
  "gin.specialize"() <{names = ["a", "b"], ctas = array<i64: 0>, warps = array<i64: 0>}> ({
    gin.yield
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gin.specialize' op region should have no arguments}}
  "gin.specialize"() <{names = ["a"], ctas = array<i64: 0>, warps = array<i64: 0>}> ({
  ^bb0(%i: index):
    gin.yield
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gin.yield' op expects parent op to be one of 'gin.specialize, gin.kernel, gin.warps, gin.matmul'}}
  gin.yield
}

// -----

// Forks.

func.func @f(%n: index) {
  // expected-error@+1 {{'gin.fork' op has no function @missing to run}}
  gin.fork @missing() count %n
  return
}

// -----

func.func private @body(index, f32)
func.func @f(%n: index, %v: f64) {
  // expected-error@+1 {{'gin.fork' op runs @body, whose type is '(index, f32) -> ()', not '(index, f64) -> ()': the agent's number, then the captures}}
  gin.fork @body(%v) count %n : f64
  return
}

// -----

func.func private @body(index) -> i32
func.func @f(%n: index) {
  // expected-error@+1 {{'gin.fork' op runs @body, whose type is '(index) -> i32', not '(index) -> ()': the agent's number, then the captures}}
  gin.fork @body() count %n
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected warp, block or grid}}
  gin.join thread
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gin.join' op needs a scope of several threads: warp, block or grid}}
  "gin.join"() <{scope = #gin.scope<thread>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  return
}

// -----

func.func @f(%first: index, %n: index) {
  // expected-error@+1 {{'gin.join' op has a role, which needs the scope grid and a number of at least 0}}
  gin.join block role 0 at %first count %n
  return
}

// -----

func.func @f(%first: index) {
  // expected-error@+1 {{'gin.join' op needs the first block and the number of blocks of its role}}
  "gin.join"(%first) <{scope = #gin.scope<grid>, operandSegmentSizes = array<i32: 1, 0>}> : (index) -> ()
  return
}

// -----

func.func @f() {
  gin.warps "send" at 0 count 2 barrier 1 {
    // expected-error@+1 {{'gin.join' op stands in a role of warps, and needs its role}}
    gin.join grid
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gin.warps' op attribute 'barrier' failed to satisfy constraint}}
  gin.warps "send" at 0 count 2 barrier 16 {
  }
  return
}

// -----

func.func @f() {
  gin.warps "send" at 0 count 2 barrier 1 {
    // expected-error@+1 {{'gin.warps' op stands in warps of another one}}
    gin.warps "half" at 0 count 1 barrier 2 {
    }
  }
  return
}

// -----

func.func @f(%v: tensor<4xf32>) {
  // expected-error@+1 {{operand #0 must be an index, or an integer or float of at most 64 bits}}
  %a = gin.broadcast %v block : tensor<4xf32>
  return
}

// -----

func.func @f(%v: index) {
  // expected-error@+1 {{'arith.addi' op 'gin.scope' is a #gin.scope on an op of the gin dialect}}
  %a = arith.addi %v, %v {gin.scope = #gin.scope<block>} : index
  return
}

// -----

func.func @many_ctas() {
  // expected-error@+1 {{role "a" has 9223372036854775807 CTAs; at most 1048576 are taken}}
  gin.specialize {
    role "a" ctas 9223372036854775807 {
    }
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gin.kernel' op is named 'a b'; name it by letters, digits and '_'}}
  gin.kernel "a b" {
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'gin.kernel' op is named ''; name it by letters, digits and '_'}}
  gin.kernel "" {
  }
  return
}

// -----

func.func @f() {
  gin.kernel "outer" {
    // expected-error@+1 {{'gin.kernel' op stands in another gin.kernel; end that one before}}
    gin.kernel "inner" {
    }
  }
  return
}

// -----

func.func @f(%n: index) {
  scf.forall (%i) in (%n) {
    // expected-error@+1 {{'gin.kernel' op stands in scf.forall; the host launches kernels, in scf.for, scf.if and roles of gin.specialize}}
    gin.kernel {
    }
  }
  return
}
