//===- Passes.td - gin's passes ----------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_PASSES_TD
#define GIN_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// From the collective to the program level
//===----------------------------------------------------------------------===//

def DecomposeCollectives : Pass<"gin-decompose-collectives", "::mlir::ModuleOp"> {
  let summary = "Lower collectives to puts, signals and waits";
  let description = [{
    Replaces each collective by loops of program-level ops: a barrier of its team,
    puts with signals, a wait for each of them, and `gin.flush`, after which the
    inputs may be reused. The banks and scratch windows that it needs become
    arguments behind those of the function, with `gin.name`, `gin.sizes` and
    `gin.scratch`; the launcher allocates them. Calls of functions that have
    collectives are replaced by their bodies first, so that these arguments are ones
    of the function that is launched.

    A collective in a loop uses the same slots each time: its wait counts on from
    its earlier executions in the launch, by the loops' induction variables or, where
    these do not tell, by a counter in memory.

    `algorithm` chooses how data travels. With n ranks, inputs of b bytes on each (all n
    blocks where they have blocks) and S = ⌈log2 n⌉, each rank sends this, what goes
    to itself included:

    | collective | algorithm | steps | puts, bytes | slots | scratch |
    |---|---|---|---|---|---|
    | all_gather | direct | 1 | n, n b | n | – |
    | | ring: each block goes around | n − 1 | n, n b | n | – |
    | | tree: dissemination | S | 2 S + 1, n b | 33 | – |
    | all_to_all | direct | 1 | n, b | n | – |
    | | ring: in step k with those k ranks away | n | n, b | n | – |
    | | tree: Bruck's, packed | S | S, ≤ S b/2 | 64 | 2 b |
    | reduce_scatter | direct | 1 | n, b | n | b |
    | | ring: each block takes up shares on its way | n − 1 | n − 1, b | n | b |
    | | tree: dissemination backwards | S | S, b | 32 | 2 b |
    | all_reduce | direct | 1 | n, n b | n | n b |
    | | ring: chunks as in reduce_scatter, then all_gather | 2 (n − 1) | 2 (n − 1), 2 b | 2 n | b; 2 b unless it has one dimension |
    | | tree: binomial, up to rank 0 and down again | 2 S | ≤ S, ≤ S b | 65 | b |
    | dispatch | a put for each row that is not dropped | 1 | ≤ T K + n | n | a count for each expert |
    | combine | a put for each peer and expert | 1 | n (E + 1) | n | as `outputs`, and two counts for each expert |

    Where narrow floats (less than 32 bits) are combined, each addition is done in
    f32. `direct` and combine round once, at the end, and keep the sums in a further
    scratch window; `ring` and `tree` round whenever data travels on. Integers are
    signed and wrap around; max and min give NaN if any element is one. All ranks get
    the same bits from all_reduce.

    In dispatch and combine, a number that is not one of an expert's chooses none.

    Shapes that types leave open are checked first, by `cf.assert` before the barrier:
    what verifiers demand of static shapes, and that ranks agree on the first extent of
    what is reduced. Where types say that there are no elements, only the checks and the
    barrier remain. Not checked is whether ranks agree on sizes that neither a whole
    window nor a scratch window carries: views on both sides, with sizes from data or,
    behind their first dimension, from the rank.

    Refuses collectives on tensors, in parallel loops, in roles beside roles that
    have barriers, in functions that call themselves, and those whose scratch windows
    have sizes that follow neither from the number of ranks nor from the sizes of
    arguments.

    ```mlir
    func.func @f(%x: memref<5xf32, #gin.window>, %all: memref<?x5xf32, #gin.window>) {
      gin.all_gather %x into %all
        : memref<5xf32, #gin.window> into memref<?x5xf32, #gin.window>
      return
    }
    ```
    ==>
    ```mlir
    func.func @f(%x: memref<5xf32, #gin.window>, %all: memref<?x5xf32, #gin.window>,
                 %arrived: !gin.signals<?> {gin.name = "all_gather0_arrived",
                                            gin.sizes = affine_map<()[s0] -> (s0)>}) {
      %me = gin.rank
      %n = gin.num_ranks
      %rows = memref.dim %all, %c0 : memref<?x5xf32, #gin.window>
      %fits = arith.cmpi eq, %rows, %n : index
      cf.assert %fits, "all_gather: dimension 0 of result differs from ..."
      gin.barrier
      scf.for %k = %c0 to %n step %c1 {
        %p = gin.neighbor %k
        gin.put %x into %all[%me, 0] on %p signal %arrived[%me] : ...
      }
      scf.for %q = %c0 to %n step %c1 {
        gin.wait %arrived[%q] >= 1 : !gin.signals<?>
      }
      gin.flush
      return
    }
    ```
  }];
  let options = [
    Option<"algorithm", "algorithm", "::gin::CollectiveAlgorithm",
           "::gin::CollectiveAlgorithm::Direct", "How data travels",
           [{::llvm::cl::values(
             clEnumValN(::gin::CollectiveAlgorithm::Direct, "direct",
                        "everybody to everybody"),
             clEnumValN(::gin::CollectiveAlgorithm::Ring, "ring",
                        "through all ranks in a circle"),
             clEnumValN(::gin::CollectiveAlgorithm::Tree, "tree",
                        "up and down a binary tree"))}]>
  ];
  let dependentDialects = [
    "::gin::GinDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Checks and preparation
//===----------------------------------------------------------------------===//

def SelectEntry : Pass<"gin-select-entry", "::mlir::ModuleOp"> {
  let summary = "Keep the function that is launched and what it needs";
  let description = [{
    The function `entry`, or without that option the only entry function of the
    module, stays public and gets a C wrapper (`llvm.emit_c_interface`). Functions
    that it reaches become private; all others are erased. None but the wrapper has
    external linkage, so that LLVM can drop what it has inlined. An
    *entry function* is a public one with a body that nothing else in the module
    refers to.

    Refuses an entry that does not exist, has no body or is not unique.

    ```mlir
    func.func @helper(%w: memref<8xf32, #gin.window>) { return }
    func.func @main(%w: memref<8xf32, #gin.window>) {
      call @helper(%w) : (memref<8xf32, #gin.window>) -> ()
      return
    }
    func.func private @unused() { return }
    ```
    ==>
    ```mlir
    func.func private @helper(%w: memref<8xf32, #gin.window>)
        attributes {llvm.linkage = #llvm.linkage<internal>} { return }
    func.func @main(%w: memref<8xf32, #gin.window>)
        attributes {llvm.emit_c_interface, llvm.linkage = #llvm.linkage<internal>} {
      call @helper(%w) : (memref<8xf32, #gin.window>) -> ()
      return
    }
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", "",
           "Name of the function that is launched">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def Verify : Pass<"gin-verify"> {
  let summary = "Guard the window space and the level of the program";
  let description = [{
    Changes nothing. Refuses

    - what could make a window, a peer view or a bank out of something else: any op
      with such a result that is not a view (`memref.subview`, `memref.cast`,
      `memref.collapse_shape`, …), a selection, control flow, a call of a function
      with a body, or `gin.peer_view`; so windows and banks come from arguments of
      the entry function alone;
    - what frees a window or takes it out of its memory space;
    - windows of other element types than those that can be moved;
    - tokens in signatures of functions: they do not leave their agent;
    - on an entry function: results, tensors, peer views, windows and buffers that
      are not whole (a layout), arguments that no launcher can make;
    - ops above `level`. `collective`: none. `program`: collectives and tensors.
      `agents`: also `gin.specialize`, and `scf.forall` and `scf.parallel` with
      communication inside, which `gin-outline-agents` lowers.

    ```mlir
    %w = memref.alloc() : memref<8xf32, #gin.window>
    ```
    ==>
    ```
    error: 'memref.alloc' op makes a window; windows come from arguments of the entry function only
    ```
  }];
  let options = [
    Option<"level", "level", "::gin::Level", "::gin::Level::Collective",
           "The level that nothing may be above",
           [{::llvm::cl::values(
             clEnumValN(::gin::Level::Collective, "collective",
                        "everything is allowed"),
             clEnumValN(::gin::Level::Program, "program",
                        "no collectives and no tensors"),
             clEnumValN(::gin::Level::Agents, "agents",
                        "and no roles or loops that fork agents"))}]>
  ];
}

def LaunchBarrier : Pass<"gin-launch-barrier", "::mlir::ModuleOp"> {
  let summary = "Keep launches of a program apart";
  let description = [{
    A fast rank may be in its next launch while a slow one is still in this one. A
    program that such a launch can disturb needs a barrier of all ranks where it
    begins; a program that is *launch-closed* does not.

    `mode=auto` inserts the barrier at the entry of every entry function that is not
    known to be closed; known is one that takes no window and no bank, or that begins
    with a barrier of the world anyway (assertions may stand before it). Where a program
    says what its kernels are, the barrier is part of the first one, or a `gin.kernel`
    of its own before what the host does first. `always`
    inserts it in any case, `never` in none: an error where closedness is not known,
    unless `reason` says why it holds.

    Emits the remarks `LaunchBarrier` (passed) where it inserts one and
    `LaunchBarrierOmitted` (analysis) where it does not, with the reason.

    ```mlir
    func.func @f(%s: !gin.signals<1>) {
      gin.wait %s[0] >= 1 : !gin.signals<1>
      return
    }
    ```
    ==>
    ```mlir
    func.func @f(%s: !gin.signals<1>) {
      gin.barrier
      gin.wait %s[0] >= 1 : !gin.signals<1>
      return
    }
    ```
  }];
  let options = [
    Option<"mode", "mode", "::gin::LaunchBarrierMode",
           "::gin::LaunchBarrierMode::Auto", "When to insert the barrier",
           [{::llvm::cl::values(
             clEnumValN(::gin::LaunchBarrierMode::Auto, "auto",
                        "where closedness is not known"),
             clEnumValN(::gin::LaunchBarrierMode::Always, "always",
                        "in any case"),
             clEnumValN(::gin::LaunchBarrierMode::Never, "never",
                        "in no case; unproved programs need a reason"))}]>,
    Option<"reason", "reason", "std::string", "",
           "Why a program without a barrier is closed (mode=never)">
  ];
  let dependentDialects = ["::gin::GinDialect"];
}

//===----------------------------------------------------------------------===//
// Agents and accesses
//===----------------------------------------------------------------------===//

def OutlineAgents : Pass<"gin-outline-agents", "::mlir::ModuleOp"> {
  let summary = "Turn roles and parallel iterations into forked agents";
  let description = [{
    `gin.specialize`, and each `scf.forall` and `scf.parallel` whose body touches
    windows or communicates, becomes a `gin.fork` of a new private function. Its
    first argument is the number of the agent: the role, or the iterations counted in
    row-major order. Values from outside become further arguments, except constants
    and what the calling rank can recompute (`gin.rank`, `gin.num_ranks`, …), which
    are computed again inside. Other parallel loops stay. A `gin.kernel` becomes its
    ops: to agents it is no more than those.

    Refuses an agent that uses a token from outside, an `scf.forall` on tensors, and
    an `scf.parallel` with reductions that communicates.

    ```mlir
    func.func @f(%x: memref<8xf32, #gin.window>, %w: memref<8xf32, #gin.window>) {
      %n = gin.num_ranks
      scf.forall (%p) in (%n) {
        gin.put %x into %w[0] on %p
          : memref<8xf32, #gin.window> into memref<8xf32, #gin.window>
      }
      return
    }
    ```
    ==>
    ```mlir
    func.func private @f_forall(%i: index, %x: memref<8xf32, #gin.window>,
                                %w: memref<8xf32, #gin.window>) {
      gin.put %x into %w[0] on %i
        : memref<8xf32, #gin.window> into memref<8xf32, #gin.window>
      return
    }
    func.func @f(%x: memref<8xf32, #gin.window>, %w: memref<8xf32, #gin.window>) {
      %n = gin.num_ranks
      gin.fork @f_forall(%x, %w) count %n
        : memref<8xf32, #gin.window>, memref<8xf32, #gin.window>
      return
    }
    ```
  }];
  let dependentDialects = [
    "::gin::GinDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
}

def WeakenAccesses : Pass<"gin-weaken-accesses"> {
  let summary = "Let element accesses of windows be late";
  let description = [{
    Marks `memref.load` and `memref.store` of windows and peer views with `gin.weak`:
    they become calls of the executor, which may perform them as late as the memory
    model allows. Additions by `memref.atomic_rmw` become such calls in any case. Before
    any other op that touches such memory by plain instructions, `gin.drain` performs
    what the agent has pending. Which ops these are is asked of `AccessOpInterface`,
    then of memory effects; an op about which neither knows anything gets a drain. Loads
    and stores inside an op that is itself plain (the body of a `linalg.generic`) stay
    plain.

    ```mlir
    %v = memref.load %w[%i] : memref<8xf32, #gin.window>
    linalg.fill ins(%v : f32) outs(%w : memref<8xf32, #gin.window>)
    ```
    ==>
    ```mlir
    %v = memref.load %w[%i] {gin.weak} : memref<8xf32, #gin.window>
    gin.drain
    linalg.fill ins(%v : f32) outs(%w : memref<8xf32, #gin.window>)
    ```
  }];
  let dependentDialects = ["::gin::GinDialect"];
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def LowerLinalg : Pass<"gin-lower-linalg"> {
  let summary = "Turn linalg into loops, with sums in registers";
  let description = [{
    As upstream's `convert-linalg-to-parallel-loops`, but what a reduction adds up is
    loaded before its loop and stored after it, unless an input may be the same
    memory.

    ```mlir
    linalg.matvec ins(%a, %x : memref<?x?xf32, #gin.window>, memref<?xf32>)
                  outs(%y : memref<?xf32, #gin.window>)
    ```
    ==>
    ```mlir
    scf.parallel (%i) = (%c0) to (%m) step (%c1) {
      %before = memref.load %y[%i] : memref<?xf32, #gin.window>
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%part = %before) -> (f32) {
        ...
        scf.yield %more : f32
      }
      memref.store %sum, %y[%i] : memref<?xf32, #gin.window>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def MapToKernel : Pass<"gin-map-to-kernel", "::mlir::ModuleOp"> {
  let summary = "Turn programs into GPU kernels";
  let description = [{
    Each entry function becomes a `gpu.func` of a `gpu.module` of its name. Calls have
    been inlined, collectives decomposed and linalg made into loops. All threads of
    all blocks run the kernel; `gin.scope` says who performs an op together.

    In the rank's body, parallel loops that do not communicate are divided among all
    threads, and those whose iterations are agents among the blocks. What
    communicates is done by the first block, all of its threads together, and
    sequential code that stores by its first thread. What others need to reach their
    part of the work, such as bounds of loops, they compute too; values that only the
    first one has are handed on by `gin.broadcast`. All go into a loop or branch that
    yields a memref to them, since memrefs are not handed on. In an agent the same
    holds for the threads of its block.

    A mapping of `scf.forall` says who does its iterations instead: `#gpu.block`,
    `#gpu.warp` or `#gpu.thread`, of all that go on there; dimensions do not matter, since
    all are counted through. So a block can divide its part among its warps, and those
    among their lanes, and what communicates is done by a whole block, a whole warp or a
    thread.

    `gin.join` stands where an access comes after one by other threads that it must
    not overtake, and where a signal covers work of several blocks. Windows are
    disjoint, so that the arguments that memrefs come from tell accesses apart; one
    that control flow chooses comes from any of its choices.

    The roles of `gin.specialize` that state their CTAs get the lowest blocks, the
    others share the rest. If roles state warps instead, each block has all roles, in
    order (`gin.warps`): to a role its warps of a block are the block, and those of
    all blocks the grid; roles that state none share the other warps. What the rank
    allocates is shared by its threads and becomes an argument with `gin.scratch`.

    Without work for several blocks the kernel has one (`known_grid_size`). Awaits
    become flushes, and relaxed signals plain ones: what an agent acquired comes
    before its relaxed signal, which no relaxed addition of a GPU promises. `threads`
    is the size of a block.

    With `gin.kernel` ops, each of them becomes a `gpu.func`, called after the program
    and its name or number, and the program becomes the function that launches them by
    `gpu.launch_func`: it takes the number of blocks, too. A kernel takes all that the
    program takes, computes again what the host computes of that, and takes numbers of
    the host's loops and branches as further arguments. What stands outside of kernels
    stays: loops, branches, roles, numbers, puts and gets. The launch ends with a
    kernel, which is empty if the program ends with something else.

    Refuses what the host cannot do outside of kernels: waits, signals, loads, roles of
    warps or inside of others; and memrefs that a kernel would take from a loop or branch
    of the host.
    Refuses mappings to anything else, or to more than goes on there.
    Refuses roles inside agents and other roles, roles of CTAs beside roles of warps,
    calls that could not be inlined, unstructured control flow, allocations in agents
    or of sizes that are not known before the launch, and iterations that wait for
    others where they cannot run at once.

    ```mlir
    func.func @f(%x: memref<?xf32, #gin.window>, %y: memref<?xf32, #gin.window>,
                 %n: index, %v: f32, %s: !gin.signals<1>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      gin.wait %s[0] >= 1 : !gin.signals<1>
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        memref.store %v, %y[%i] : memref<?xf32, #gin.window>
      }
      return
    }
    ```
    ==>
    ```mlir
    gpu.module @f {
      gpu.func @f(%x: memref<?xf32, #gin.window>, %y: memref<?xf32, #gin.window>,
                  %n: index, %v: f32, %s: !gin.signals<1>) kernel
          attributes {known_block_size = array<i32: 256, 1, 1>} {
        ...
        scf.if %first_block {
          gin.wait %s[0] >= 1 {gin.scope = #gin.scope<block>} : !gin.signals<1>
        }
        gin.join grid
        scf.for %i = %place to %n step %places {
          memref.store %v, %y[%i] : memref<?xf32, #gin.window>
        }
        gpu.return
      }
    }
    ```
  }];
  let options = [
    Option<"threads", "threads", "unsigned", "256",
           "Threads of a block: a multiple of 32, at most 1024">
  ];
  let dependentDialects = [
    "::gin::GinDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"
  ];
}

//===----------------------------------------------------------------------===//
// What upstream's lowerings leave open
//===----------------------------------------------------------------------===//

def ExpandTiles : Pass<"gin-expand-tiles"> {
  let summary = "Turn tile loops into agents and loops";
  let description = [{
    `gin.matmul` becomes an `scf.forall` of `workers` agents, each of which computes
    every so many tiles by loops and linalg, with the op's regions in between; tiles
    for other ranks go there element by element. Of a product of groups or of rows, a tile
    stands in an `scf.if`, behind its first `acquire`. `gin.pace` disappears. For executors
    that have no tile functions: the simulator.

    ```mlir
    func.func @f(%a: memref<8x4xf32>, %b: memref<4x8xf32>, %c: memref<8x8xf32>) {
      gin.matmul %a, %b into %c tiles [4, 4, 2]
        : memref<8x4xf32>, memref<4x8xf32> into memref<8x8xf32>
      return
    }
    ```
    ==>
    ```mlir
    func.func @f(%a: memref<8x4xf32>, %b: memref<4x8xf32>, %c: memref<8x8xf32>) {
      ...
      scf.forall (%worker) in (3) {
        scf.for %tile = %worker to %tiles step %c3 {
          ...
        }
      }
      return
    }
    ```
  }];
  let options = [
    Option<"workers", "workers", "unsigned", "3", "Agents that compute tiles">
  ];
  let dependentDialects = [
    "::gin::GinDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def ExpandCopies : Pass<"gin-expand-copies"> {
  let summary = "Turn copies of strided memrefs into loops";
  let description = [{
    Upstream lowers `memref.copy` of memrefs that are not contiguous to a call of a
    run-time library; this makes it a `linalg.copy`, which becomes loops. Copies of
    contiguous memrefs stay, for `memcpy`.

    ```mlir
    memref.copy %a, %b : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
    ```
    ==>
    ```mlir
    linalg.copy ins(%a : memref<4x8xf32, strided<[16, 1]>>) outs(%b : memref<4x8xf32>)
    ```
  }];
  let options = [
    Option<"all", "all", "bool", "false", "Contiguous memrefs too">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def LowerVectors : Pass<"gin-lower-vectors"> {
  let summary = "Lower vector ops to those that executors know";
  let description = [{
    The progressive lowerings of `convert-vector-to-scf` and
    `convert-vector-to-llvm` without the conversion itself, which would not know the
    memory space of windows.

    ```mlir
    %t = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
    ```
    ==>
    ```mlir
    %0 = vector.shape_cast %v : vector<2x4xf32> to vector<8xf32>
    %1 = vector.shuffle %0, %0 [0, 4, 1, 5, 2, 6, 3, 7] : vector<8xf32>, vector<8xf32>
    %t = vector.shape_cast %1 : vector<8xf32> to vector<4x2xf32>
    ```

    With `unroll`, for kernels: ops on vectors of one dimension that CUDA C++ gets no
    function for become the same ops on single elements, and so do shuffles and
    reductions. Kernels keep sums, differences, products and quotients of f32, f64,
    i32, i64 and index, `vector.fma` of f32 and f64, and reductions without an
    accumulator by addition, multiplication, signed minimum and maximum of these types.

    ```mlir
    %r = math.exp %v : vector<2xf32>
    ```
    ==>
    ```mlir
    %0 = vector.extract %v[0] : f32 from vector<2xf32>
    %1 = math.exp %0 : f32
    %2 = vector.extract %v[1] : f32 from vector<2xf32>
    %3 = math.exp %2 : f32
    %r = vector.from_elements %1, %3 : vector<2xf32>
    ```
  }];
  let options = [
    Option<"unroll", "unroll", "bool", "false",
           "Ops that kernels have for single elements alone, too">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ExpandMath : Pass<"gin-expand-math"> {
  let summary = "Expand math ops that not every executor has";
  let description = [{
    Classes of numbers become comparisons in the number's own type, `math.sincos` two
    ops, `math.clampf` a minimum of a maximum, and `arith.addui_extended` of type
    index a sum and a comparison.

    ```mlir
    %b = math.isinf %x : f32
    ```
    ==>
    ```mlir
    %0 = math.absf %x : f32
    %largest = arith.constant 0x7F7FFFFF : f32
    %b = arith.cmpf ogt, %0, %largest : f32
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"
  ];
}

def ExpandFloats : Pass<"gin-expand-floats"> {
  let summary = "Compute bf16 and fp8 with f32 and integers";
  let description = [{
    Arithmetic on bf16, f8E4M3FN and f8E5M2 is done in f32 and rounded to nearest,
    ties to even, after each op; the conversions become integer arithmetic, so that
    neither the processor nor a run-time library need know the types. Conversions of
    integers round once. Overflow gives infinity, or NaN in f8E4M3FN, which has no infinity.

    ```mlir
    %c = arith.addf %a, %b : bf16
    ```
    ==>
    ```mlir
    %0 = arith.bitcast %a : bf16 to i16
    %1 = arith.extui %0 : i16 to i32
    %2 = arith.shli %1, %c16 : i32
    %3 = arith.bitcast %2 : i32 to f32
    ...
    %7 = arith.addf %3, %6 : f32
    ...
    %c = arith.bitcast %20 : i16 to bf16
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"
  ];
}

//===----------------------------------------------------------------------===//
// On the LLVM dialect
//===----------------------------------------------------------------------===//

def SinkLoads : Pass<"gin-sink-loads", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "End loads of windows where their values are needed";
  let description = [{
    Moves each call of `gin_load_end`, and the casts of its result, down to just
    before the first use, so that a load can be late on the CPU as it can be on a GPU.
    Each load still ends exactly as often as it began: it is moved into no block that
    runs more or less often than the one it stands in.

    ```mlir
    %l = llvm.call @gin_load_begin(%site, %w, %p, %bits) : (...) -> i64
    %v = llvm.call @gin_load_end(%l) : (i64) -> i64
    llvm.call @gin_wait(...) : (...) -> i32
    %r = llvm.add %v, %one : i64
    ```
    ==>
    ```mlir
    %l = llvm.call @gin_load_begin(%site, %w, %p, %bits) : (...) -> i64
    llvm.call @gin_wait(...) : (...) -> i32
    %v = llvm.call @gin_load_end(%l) : (i64) -> i64
    %r = llvm.add %v, %one : i64
    ```
  }];
}

#endif // GIN_PASSES_TD
