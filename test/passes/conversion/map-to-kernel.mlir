// RUN: gin-opt %s --split-input-file --gin-map-to-kernel=threads=128 --canonicalize | FileCheck %s

// The first block waits and signals, all threads compute in between.
// CHECK-LABEL: gpu.func @wait_compute_signal(
// CHECK-SAME: %[[X:.*]]: memref<?xf32, #gin.window>, %[[Y:.*]]: memref<?xf32, #gin.window> {gin.name = "y"}, %[[V:.*]]: f32, %[[S:.*]]: !gin.signals<2>)
// CHECK-SAME: kernel attributes {known_block_size = array<i32: 128, 1, 1>}
// CHECK-DAG: %[[THREAD:.*]] = gpu.thread_id x
// CHECK-DAG: %[[THREADS:.*]] = gpu.block_dim x
// CHECK-DAG: %[[BLOCK:.*]] = gpu.block_id x
// CHECK-DAG: %[[BLOCKS:.*]] = gpu.grid_dim x
// CHECK-DAG: %[[FIRST:.*]] = arith.cmpi eq, %[[BLOCK]], %c0
// CHECK-DAG: %[[BEFORE:.*]] = arith.muli %[[BLOCK]], %[[THREADS]]
// CHECK-DAG: %[[PLACE:.*]] = arith.addi %[[BEFORE]], %[[THREAD]]
// CHECK-DAG: %[[PLACES:.*]] = arith.muli %[[BLOCKS]], %[[THREADS]]
// CHECK: %[[N:.*]] = memref.dim %[[X]]
// CHECK: scf.if %[[FIRST]] {
// CHECK-NEXT: gin.wait %[[S]][0] >= 1 {gin.scope = #gin.scope<block>}
// CHECK-NEXT: }
// CHECK-NEXT: gin.join grid
// CHECK-NEXT: scf.for %[[I:.*]] = %[[PLACE]] to %[[N]] step %[[PLACES]] {
// CHECK-NEXT: memref.load %[[X]][%[[I]]]
// CHECK: memref.store %{{.*}}, %[[Y]][%[[I]]]
// CHECK-NEXT: }
// CHECK-NEXT: gin.join grid
// CHECK-NEXT: scf.if %[[FIRST]] {
// CHECK-NEXT: gin.signal %[[S]][1] on 0 {gin.scope = #gin.scope<block>}
// CHECK-NEXT: }
// CHECK-NEXT: gpu.return
func.func @wait_compute_signal(%x: memref<?xf32, #gin.window>,
                               %y: memref<?xf32, #gin.window> {gin.name = "y"},
                               %v: f32, %s: !gin.signals<2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32, #gin.window>
  gin.wait %s[0] >= 1 : !gin.signals<2>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.load %x[%i] : memref<?xf32, #gin.window>
    %b = arith.addf %a, %v : f32
    memref.store %b, %y[%i] : memref<?xf32, #gin.window>
  }
  gin.signal %s[1] on 0 : !gin.signals<2>
  return
}

// -----

// What only communicates has one block, and no conditions. An await is a flush.
// CHECK-LABEL: gpu.func @one_block(
// CHECK-SAME: known_grid_size = array<i32: 1, 1, 1>
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK-NEXT: gin.put {{.*}} on %{{.*}} {gin.scope = #gin.scope<block>}
// CHECK-NEXT: gin.flush {gin.scope = #gin.scope<block>}
// CHECK-NEXT: }
// CHECK-NEXT: gin.barrier {gin.scope = #gin.scope<block>}
func.func @one_block(%x: memref<8xf32, #gin.window>, %y: memref<8xf32, #gin.window>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = gin.num_ranks
  scf.for %p = %c0 to %n step %c1 {
    %t = gin.put %x into %y[0] on %p -> !gin.token
      : memref<8xf32, #gin.window> into memref<8xf32, #gin.window>
    gin.await %t
  }
  gin.barrier
  return
}

// -----

// A count that all need but only one thread reads; a bound that all load.
// CHECK-LABEL: gpu.func @needed_by_all(
// CHECK-SAME: %[[X:.*]]: memref<?xindex>, %[[Y:.*]]: memref<?xf32, #gin.window>, %[[V:.*]]: f32, %[[S:.*]]: !gin.signals<1>)
// CHECK: %[[READ:.*]] = scf.if %[[FIRST:.*]] -> (index) {
// CHECK: %[[ALONE:.*]] = scf.if %{{.*}} -> (index) {
// CHECK-NEXT: %[[COUNT:.*]] = gin.read %[[S]][0] {gin.scope = #gin.scope<thread>}
// CHECK-NEXT: scf.yield %[[COUNT]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %{{.*}}
// CHECK-NEXT: }
// CHECK-NEXT: %[[HERE:.*]] = gin.broadcast %[[ALONE]] block : index
// CHECK-NEXT: scf.yield %[[HERE]]
// CHECK: %[[ALL:.*]] = gin.broadcast %[[READ]] grid : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[ALL]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[FIRST]]
// CHECK: scf.if %[[BOTH]] {
// CHECK-NEXT: memref.store %{{.*}}, %[[X]][%c0]
// CHECK: gin.join grid
// CHECK-NEXT: %[[BOUND:.*]] = memref.load %[[X]][%c0]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[BOUND]]
func.func @needed_by_all(%x: memref<?xindex>, %y: memref<?xf32, #gin.window>, %v: f32,
                         %s: !gin.signals<1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %count = gin.read %s[0] : !gin.signals<1>
  scf.parallel (%i) = (%c0) to (%count) step (%c1) {
    memref.store %v, %y[%i] : memref<?xf32, #gin.window>
  }
  memref.store %c7, %x[%c0] : memref<?xindex>
  %n = memref.load %x[%c0] : memref<?xindex>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %y[%i] : memref<?xf32, #gin.window>
  }
  return
}

// -----

// Agents go to blocks; inside, a block's threads divide the work.
// CHECK-LABEL: gpu.func @agents(
// CHECK-SAME: %[[X:.*]]: memref<4x?xf32, #gin.window>
// CHECK-DAG: %[[THREAD:.*]] = gpu.thread_id x
// CHECK-DAG: %[[THREADS:.*]] = gpu.block_dim x
// CHECK-DAG: %[[BLOCK:.*]] = gpu.block_id x
// CHECK-DAG: %[[BLOCKS:.*]] = gpu.grid_dim x
// CHECK: scf.for %[[P:.*]] = %[[BLOCK]] to %c4 step %[[BLOCKS]] {
// CHECK: gin.join block
// CHECK-NEXT: scf.for %{{.*}} = %[[THREAD]] to %{{.*}} step %[[THREADS]] {
// CHECK-NEXT: memref.store
// CHECK-NEXT: }
// CHECK-NEXT: gin.put %{{.*}} {gin.scope = #gin.scope<block>}
// CHECK-NEXT: }
// CHECK-NEXT: gin.join grid
// CHECK-NEXT: scf.if %{{.*}} {
// CHECK-NEXT: gin.signal
func.func @agents(%x: memref<4x?xf32, #gin.window>, %y: memref<4x?xf32, #gin.window>, %v: f32,
                  %s: !gin.signals<1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c1 : memref<4x?xf32, #gin.window>
  scf.forall (%p) in (4) {
    %row = memref.subview %x[%p, 0] [1, %n] [1, 1]
      : memref<4x?xf32, #gin.window> to memref<?xf32, strided<[1], offset: ?>, #gin.window>
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      memref.store %v, %row[%i] : memref<?xf32, strided<[1], offset: ?>, #gin.window>
    }
    gin.put %row into %y[%p, 0] on 0
      : memref<?xf32, strided<[1], offset: ?>, #gin.window> into memref<4x?xf32, #gin.window>
  }
  gin.signal %s[0] on 0 : !gin.signals<1>
  return
}

// -----

// Agents that wait must all run at once.
// CHECK-LABEL: gpu.func @waiting_agents(
// CHECK: %[[BLOCKS:.*]] = gpu.grid_dim x
// CHECK: %[[N:.*]] = gin.num_ranks
// CHECK-NEXT: %[[FITS:.*]] = arith.cmpi sle, %[[N]], %[[BLOCKS]]
// CHECK-NEXT: cf.assert %[[FITS]], "more agents that wait than blocks of the grid"
// CHECK-NEXT: scf.for
// CHECK-NEXT: gin.wait
func.func @waiting_agents(%s: !gin.signals<8>) {
  %n = gin.num_ranks
  scf.forall (%p) in (%n) {
    gin.wait %s[%p] >= 1 : !gin.signals<8>
  }
  return
}

// -----

// Roles: 3 blocks send, the others compute, and join among themselves.
// CHECK-LABEL: gpu.func @roles(
// CHECK-DAG: %[[BLOCK:.*]] = gpu.block_id x
// CHECK-DAG: %[[BLOCKS:.*]] = gpu.grid_dim x
// CHECK: %[[ENOUGH:.*]] = arith.cmpi sge, %[[BLOCKS]], %c4
// CHECK-NEXT: cf.assert %[[ENOUGH]], "fewer blocks than the roles need"
// CHECK: %[[LAST:.*]] = arith.cmpi slt, %[[BLOCK]], %c3
// CHECK: scf.if
// CHECK: scf.if
// CHECK-NEXT: gin.wait %{{.*}}[0] >= 1 {gin.scope = #gin.scope<block>}
// CHECK: gin.join grid role 0 at %c0 count %c3
// CHECK-NEXT: scf.for
// CHECK: scf.if
// CHECK: %[[REST:.*]] = arith.subi %[[BLOCKS]], %c3
// CHECK: %[[INDEX:.*]] = arith.subi %[[BLOCK]], %c3
// CHECK: scf.for
// CHECK: gin.join grid role 1 at %c3 count %[[REST]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: gin.signal
func.func @roles(%x: memref<?xf32, #gin.window>, %y: memref<?xf32, #gin.window>, %v: f32,
                 %n: index, %s: !gin.signals<1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gin.specialize {
    role "compute" {
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        memref.store %v, %x[%i] : memref<?xf32, #gin.window>
      }
      gin.signal %s[0] on 0 : !gin.signals<1>
    }
    role "send" ctas 3 {
      gin.wait %s[0] >= 1 : !gin.signals<1>
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        memref.store %v, %y[%i] : memref<?xf32, #gin.window>
      }
    }
  }
  return
}

// -----

// A loop of tests is the block's; sequential stores are one thread's.
// CHECK-LABEL: gpu.func @polling(
// CHECK: %[[ONE:.*]] = arith.cmpi eq
// CHECK: scf.while : () -> () {
// CHECK-NEXT: %[[THERE:.*]] = gin.test {{.*}} {gin.scope = #gin.scope<block>}
// CHECK: scf.condition
// CHECK: scf.if %[[ONE]] {
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.store
func.func @polling(%x: memref<?xf32, #gin.window>, %y: memref<?xf32, #gin.window>,
                   %s: !gin.signals<1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  scf.while : () -> () {
    %there = gin.test %s[0] >= 1 : !gin.signals<1>
    %not_there = arith.xori %there, %true : i1
    scf.condition(%not_there)
  } do {
    scf.yield
  }
  %n = memref.dim %x, %c0 : memref<?xf32, #gin.window>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf32, #gin.window>
    memref.store %a, %y[%i] : memref<?xf32, #gin.window>
  }
  return
}

// -----

// A relaxed signal carries what its agent acquired; on a GPU only a release does.
// CHECK-LABEL: gpu.func @strength(
// CHECK: gin.wait
// CHECK-NEXT: gin.signal %{{.*}}[1] on 0 {gin.scope = #gin.scope<block>} : !gin.signals<2>
func.func @strength(%s: !gin.signals<2>) {
  gin.wait %s[0] >= 1 : !gin.signals<2>
  gin.signal %s[1] on 0 relaxed : !gin.signals<2>
  return
}

// -----

// Roles of different gin.specialize do not run at once, and may have one number.
// CHECK-LABEL: gpu.func @roles_in_turn(
// CHECK: gin.join grid role 0
// CHECK: gin.join grid role 0
// CHECK-NOT: role 1
func.func @roles_in_turn(%x: memref<?xf32, #gin.window>, %v: f32, %n: index,
                         %s: !gin.signals<1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gin.specialize {
    role "a" {
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        memref.store %v, %x[%i] : memref<?xf32, #gin.window>
      }
      gin.signal %s[0] on 0 : !gin.signals<1>
    }
  }
  gin.specialize {
    role "b" {
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        memref.store %v, %x[%i] : memref<?xf32, #gin.window>
      }
      gin.signal %s[0] on 0 : !gin.signals<1>
    }
  }
  return
}

// -----

// What a loop did before comes round to its beginning.
// CHECK-LABEL: gpu.func @around(
// CHECK: scf.for
// CHECK-NEXT: gin.join grid
// CHECK-NEXT: %[[BOUND:.*]] = memref.load
// CHECK-NEXT: scf.for %{{.*}} = %{{.*}} to %[[BOUND]]
// CHECK: gin.join grid
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi
// CHECK-NEXT: scf.if %[[BOTH]] {
// CHECK-NEXT: memref.store
func.func @around(%x: memref<1xindex>, %y: memref<?xindex>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %step = %c0 to %steps step %c1 {
    %n = memref.load %x[%c0] : memref<1xindex>
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      memref.store %i, %y[%i] : memref<?xindex>
    }
    memref.store %step, %x[%c0] : memref<1xindex>
  }
  return
}

// -----

// Loops of several dimensions are divided as one; reductions are sequential.
// CHECK-LABEL: gpu.func @dimensions(
// CHECK-SAME: %[[X:.*]]: memref<?x4xf32, #gin.window>
// CHECK: %[[M:.*]] = memref.dim %[[X]], %c0
// CHECK: %[[ALL:.*]] = arith.muli %[[M]], %c4
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[ALL]]
// CHECK-DAG: %[[COLUMN:.*]] = arith.remui %[[I]], %c4
// CHECK-DAG: %[[ROW:.*]] = arith.divui %[[I]], %c4
// CHECK: memref.store %{{.*}}, %[[X]][%[[ROW]], %[[COLUMN]]]
// CHECK: gin.join grid
// CHECK: scf.if
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %c0 to %[[M]] step %c1 iter_args(%[[PART:.*]] = %{{.*}}) -> (f32) {
// CHECK: arith.addf %[[PART]],
// CHECK: memref.store %[[SUM]], %[[X]][%c0, %c0]
func.func @dimensions(%x: memref<?x4xf32, #gin.window>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.dim %x, %c0 : memref<?x4xf32, #gin.window>
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %c4) step (%c1, %c1) {
    memref.store %v, %x[%i, %j] : memref<?x4xf32, #gin.window>
  }
  %sum = scf.parallel (%i) = (%c0) to (%m) step (%c1) init (%v) -> f32 {
    %a = memref.load %x[%i, %c1] : memref<?x4xf32, #gin.window>
    scf.reduce(%a : f32) {
    ^bb0(%left: f32, %right: f32):
      %both = arith.addf %left, %right : f32
      scf.reduce.return %both : f32
    }
  }
  memref.store %sum, %x[%c0, %c0] : memref<?x4xf32, #gin.window>
  return
}

// -----

// What the rank allocates comes from the launcher; what an iteration allocates is
// its thread's.
// CHECK-LABEL: gpu.func @allocations(
// CHECK-SAME: %[[X:.*]]: memref<?xf32, #gin.window>, %[[V:.*]]: f32, %[[A:.*]]: memref<?x2xf32> {gin.scratch, gin.sizes = affine_map<()[s0, s1] -> (s0 * s1)>})
// CHECK-NOT: memref.alloc(
// CHECK: scf.for
// CHECK: memref.store %[[V]], %[[A]]
// CHECK: scf.for
// CHECK-NEXT: %[[OWN:.*]] = memref.alloca() : memref<2xf32>
// CHECK: memref.store %[[V]], %[[OWN]]
func.func @allocations(%x: memref<?xf32, #gin.window>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32, #gin.window>
  %ranks = gin.num_ranks
  %all = arith.muli %n, %ranks : index
  %a = memref.alloc(%all) : memref<?x2xf32>
  scf.parallel (%i) = (%c0) to (%all) step (%c1) {
    memref.store %v, %a[%i, %c0] : memref<?x2xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %own = memref.alloca() : memref<2xf32>
    memref.store %v, %own[%c1] : memref<2xf32>
    %b = memref.load %own[%c1] : memref<2xf32>
    memref.store %b, %x[%i] : memref<?xf32, #gin.window>
  }
  memref.dealloc %a : memref<?x2xf32>
  return
}

// -----

// A loop that only communicates is the first block's, unless it says to others
// where something is: then all go into it, and its numbers stay the first one's.
// CHECK-LABEL: gpu.func @carried(
// CHECK: scf.if %[[FIRST:.*]] {
// CHECK-NEXT: scf.for
// CHECK-NEXT: gin.put
// CHECK: %[[LAST:.*]]:2 = scf.for {{.*}} iter_args(%[[HERE:.*]] = %{{.*}}, %[[THERE:.*]] = %{{.*}})
// CHECK-NEXT: scf.if %[[FIRST]] {
// CHECK-NEXT: gin.put %[[HERE]] into %[[THERE]]
// CHECK-NEXT: gin.wait {{.*}}
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[THERE]], %[[HERE]]
// CHECK: gin.join grid
// CHECK: scf.for
// CHECK-NEXT: memref.load %[[LAST]]#0
func.func @carried(%x: memref<?xf32, #gin.window>, %y: memref<?xf32, #gin.window>,
                   %z: memref<?xf32, #gin.window>, %n: index, %s: !gin.signals<1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %unused:2 = scf.for %i = %c0 to %n step %c1 iter_args(%here = %x, %there = %y)
      -> (memref<?xf32, #gin.window>, memref<?xf32, #gin.window>) {
    gin.put %here into %there[0] on 1
      : memref<?xf32, #gin.window> into memref<?xf32, #gin.window>
    scf.yield %there, %here : memref<?xf32, #gin.window>, memref<?xf32, #gin.window>
  }
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%here = %x, %there = %y)
      -> (memref<?xf32, #gin.window>, memref<?xf32, #gin.window>) {
    gin.put %here into %there[0] on 1 signal %s[0]
      : memref<?xf32, #gin.window> into memref<?xf32, #gin.window>, !gin.signals<1>
    gin.wait %s[0] >= %i : !gin.signals<1>
    scf.yield %there, %here : memref<?xf32, #gin.window>, memref<?xf32, #gin.window>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.load %last#0[%i] : memref<?xf32, #gin.window>
    memref.store %a, %z[%i] : memref<?xf32, #gin.window>
  }
  return
}

// -----

// What a branch hands on past work that is divided, too.
// CHECK-LABEL: gpu.func @past(
// CHECK: %[[CHOICE:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : memref<8xf32>
// CHECK: scf.if
// CHECK-NEXT: memref.store %{{.*}}, %arg1
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[CHOICE]]
func.func @past(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>, %n: index,
                %v: f32, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = scf.if %c -> memref<8xf32> {
    memref.store %v, %y[%c1] : memref<8xf32>
    scf.yield %x : memref<8xf32>
  } else {
    scf.yield %y : memref<8xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %z[%i] : memref<8xf32>
  }
  memref.store %v, %one[%c0] : memref<8xf32>
  return
}

// -----

// A carried memref is any of those that it may be, another one in each step: %z is
// none of them.
// CHECK-LABEL: gpu.func @footprints(
// CHECK: scf.for
// CHECK-NEXT: gin.join grid
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.store {{.*}}
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield {{.*}}
// CHECK-NEXT: }
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.store %{{.*}}, %arg2[{{.*}}
// CHECK-NEXT: }
// CHECK-NEXT: gin.join grid
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.store %{{.*}}, %arg1
func.func @footprints(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>,
                      %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %step = %c0 to %n step %c1 iter_args(%here = %x, %there = %y)
      -> (memref<8xf32>, memref<8xf32>) {
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      memref.store %v, %here[%i] : memref<8xf32>
    }
    scf.yield %there, %here : memref<8xf32>, memref<8xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %z[%i] : memref<8xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %y[%i] : memref<8xf32>
  }
  return
}

// Tables come along.
// CHECK-LABEL: gpu.module @table
// CHECK: memref.global "private" constant @constants : memref<2xf32>
// CHECK: gpu.func @table(
// CHECK: memref.get_global @constants : memref<2xf32>
memref.global "private" constant @constants : memref<2xf32> = dense<[1.0, 2.0]>
func.func @table(%y: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %table = memref.get_global @constants : memref<2xf32>
  %a = memref.load %table[%c0] : memref<2xf32>
  memref.store %a, %y[%c0] : memref<2xf32>
  return
}
