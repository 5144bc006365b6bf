// What comes out, how often, and with which seed first; replaying a seed.

// RUN: ginc litmus %s | FileCheck %s
// CHECK:      race: 2 ranks, 2000 seeds from 0
// CHECK-NEXT: {{^ +[0-9]+}}  r=0 y[0]@1=7  allowed    seed {{[0-9]+$}}
// CHECK-NEXT: {{^ +[0-9]+}}  r=7 y[0]@1=7             seed {{[0-9]+$}}
// CHECK-NEXT: verdict: race y@1
// CHECK-NEXT: {{^}}ok{{$}}

// RUN: ginc litmus --quiet %s %s | FileCheck %s --check-prefix=QUIET
// QUIET:      {{^}}ok      race{{$}}
// QUIET-NEXT: {{^}}ok      race{{$}}
// QUIET-NEXT: {{^}}2 passed, 0 failed{{$}}

// RUN: ginc litmus --seeds 1 --seed 1000000 %s | FileCheck %s --check-prefix=ONE
// ONE: race: 2 ranks, 1 seeds from 1000000
// ONE: {{^ +}}1  r={{.*}}  seed 1000000

// The same seed gives the same run.
// RUN: ginc litmus --json --seeds 500 %s > %t.1
// RUN: ginc litmus --json --seeds 500 %s > %t.2
// RUN: grep -v Ms %t.1 > %t.1.counts
// RUN: grep -v Ms %t.2 > %t.2.counts
// RUN: diff %t.1.counts %t.2.counts
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.1
// JSON:      "name": "race",
// JSON-NEXT: "ranks": 2,
// JSON-NEXT: "launches": 1,
// JSON-NEXT: "seeds": 500,
// JSON-NEXT: "seed": 0,
// JSON-NEXT: "outcomes": [
// JSON-NEXT:   {
// JSON-NEXT:     "values": {
// JSON-NEXT:       "r": 0,
// JSON-NEXT:       "y[0]@1": 7
// JSON-NEXT:     },
// JSON-NEXT:     "status": "allowed",
// JSON-NEXT:     "count": {{[0-9]+}},
// JSON-NEXT:     "seed": {{[0-9]+}}
// JSON:      "deadlocks": {
// JSON-NEXT:   "count": 0,
// JSON:      "unconsumed": {
// JSON:      "errors": [],
// JSON-NEXT: "checked": true,
// JSON-NEXT: "failures": [],

// Bytecode keeps the expectations.
// RUN: gin-opt --emit-bytecode %s -o %t.mlirbc
// RUN: ginc litmus --quiet %t.mlirbc | FileCheck %s --check-prefix=BYTECODE
// BYTECODE: ok race

// More runs until all is seen: a number that one run cannot show.
// RUN: ginc litmus --seeds 1 --max-seeds 5000 --quiet %s

// Other ranks than the program's.
// RUN: ginc litmus --ranks 3 %s | FileCheck %s --check-prefix=RANKS
// RANKS: race: 3 ranks
// RANKS: not checked: the expectations are for other numbers of ranks or launches

func.func @race(%y: memref<1xi64, #gin.window> {gin.name = "y"}, %out: memref<1xi64> {gin.name = "out"})
    attributes {gin.litmus = {ranks = 2, registers = ["r"], allow = ["r=0 y[0]@1=7"],
                              forbid = ["r=8"], verdict = ["race y@1"]}} {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i64
  %me = gin.rank
  scf.index_switch %me
  case 0 {
    gin.put_value %seven into %y[0] on 1 : i64 into memref<1xi64, #gin.window>
    scf.yield
  }
  case 1 {
    %r = memref.load %y[%c0] : memref<1xi64, #gin.window>
    memref.store %r, %out[%c0] : memref<1xi64>
    scf.yield
  }
  default {
  }
  return
}
