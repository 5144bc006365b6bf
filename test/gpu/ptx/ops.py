# ===- ops.py - what PTX each op must and must not become ---------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Kernels of the kernel level, one for each row and scope, and what their PTX must
and must not have. docs/memory-model.md says what each op promises; a missing fence
shows on no machine by itself."""

from collections import namedtuple

from patterns import *
from ptx import BEGIN, between, order

ALL = list(MEETINGS)

# The kernels' arguments. %t is the thread's number, %p a peer.
PROLOGUE = """
!w = memref<?xf32, #gin.window>
!peer = memref<?xf32, #gin.peer>
!m = memref<?x?xf32, #gin.window>
!tile = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
gpu.module @ops {
  gpu.func @NAME(%x: !w, %y: !w, %m: !m, %large: memref<1024xf32, #gin.window>,
      %small: memref<64xf32, #gin.window>, %i32s: memref<?xi32, #gin.window>,
      %i64s: memref<?xi64, #gin.window>, %halves: memref<?xbf16, #gin.window>,
      %a: memref<2x256x256xbf16, #gin.window>, %b: memref<256x256xbf16>,
      %c: memref<2x256x256xbf16, #gin.window>,
      %out: memref<?xi32>, %i: index, %n: index, %p: index, %f: f32, %k32: i32,
      %k64: i64, %s: !gin.signals<4>) kernel
      attributes {known_block_size = array<i32: THREADS, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %blocks = gpu.grid_dim x
"""
EPILOGUE = """
    gpu.return
  }
}
"""

# What stands before and after an op: a store of each thread, and a load of what
# others may have written.
STORING = "memref.store %f, %x[%t] : !w\n"
LOADING = """
    %seen = memref.load %y[%t] : !w
    %cut = arith.fptosi %seen : f32 to i32
    memref.store %cut, %out[%t] : memref<?xi32>
"""
# In the branch of %arrived.
IF_ARRIVED = "scf.if %arrived {" + LOADING + "}"

# `program` is of MLIR, with SCOPE for the op's scope attribute. `archs`: all if
# None. `may`: of NEVER, what may occur.
Row = namedtuple("Row", "name ops scopes program must never archs threads may",
                 defaults=[[], None, 256, []])

TILES = """
    gin.matmul %a, %b into %c from %c0 blocks %c0 count %blocks
      acquire(%part, %row, %at) {
        gin.wait %s[1] >= 1 SCOPE : !gin.signals<4>
        gin.async_fence
      }
      publish(%part, %row, %column) {
        gin.signal %s[2] on %part SCOPE : !gin.signals<4>
      }
      : memref<2x256x256xbf16, #gin.window>, memref<256x256xbf16>
        into memref<2x256x256xbf16, #gin.window>
"""
# A wait is short: no fence after it, and none of its threads alone.
WAITS = [between(WAITED, LOAD, MEET), between(BEGIN, LOAD, MEET), ACQUIRE]
SILENT = [ANY_RELEASE, RELAXED]

ROWS = [
    # -- Transfers. One alone releases nothing. What the agent's threads wrote is
    # -- before the reads of the source, and all of the payload before a signal.
    Row("put", "gin.put", ALL,
        "gin.put %x into %y[%i] on %p SCOPE : !w into !w",
        [LOAD16, STORE16, between(BEGIN, PAYLOAD_IN, MEET)],
        [*SILENT, BULK]),
    Row("put_signal", "gin.put", ALL,
        "gin.put %large into %y[%i] on %p signal %s[1] SCOPE"
        " : memref<1024xf32, #gin.window> into !w, !gin.signals<4>",
        [between(BEGIN, PAYLOAD_IN, MEET), between(PAYLOAD_OUT, RELEASE, MEET)],
        [RELAXED, FENCE_SYSTEM, BULK]),
    # So short that one warp does it, which meets the others before; but not of a
    # block, which might have less than a warp.
    Row("put_short_signal", "gin.put", ["warps"],
        "gin.put %small into %y[%i] on %p signal %s[1] SCOPE"
        " : memref<64xf32, #gin.window> into !w, !gin.signals<4>",
        [between(BEGIN, PAYLOAD_IN, MEET), between(PAYLOAD_OUT, RELEASE, WARP)],
        [RELAXED, FENCE_SYSTEM, BULK]),
    Row("put_short_signal", "gin.put", ["block"],
        "gin.put %small into %y[%i] on %p signal %s[1] SCOPE"
        " : memref<64xf32, #gin.window> into !w, !gin.signals<4>",
        [between(BEGIN, PAYLOAD_IN, MEET), between(PAYLOAD_OUT, RELEASE, f"{SYNC}|{WARP}")],
        [RELAXED, FENCE_SYSTEM, BULK]),
    Row("put_strided", "gin.put", ALL,
        "%tile = memref.subview %m[1, 1] [%i, %n] [1, 1] : !m to !tile\n"
        "gin.put %tile into %m[0, 0] on %p SCOPE : !tile into !m",
        [LOAD16, STORE16, r"st\.relaxed\.sys\.global\.u32",
         between(BEGIN, PAYLOAD_IN, MEET)],
        [*SILENT, BULK], may=[LOCAL]),
    Row("put_strided_signal", "gin.put", ALL,
        "%tile = memref.subview %m[1, 1] [%i, %n] [1, 1] : !m to !tile\n"
        "gin.put %tile into %m[0, 0] on %p signal %s[1] SCOPE"
        " : !tile into !m, !gin.signals<4>",
        [between(BEGIN, PAYLOAD_IN, MEET), between(STRIDED_OUT, RELEASE, f"{MEET}|{WARP}")],
        [RELAXED, FENCE_SYSTEM, BULK], may=[LOCAL]),
    Row("put_accumulate", "gin.put", ALL,
        "gin.put %x into %y[%i] on %p accumulate SCOPE : !w into !w",
        [between(BEGIN, ADD_F32, MEET)],
        [*SILENT, STORE16]),
    Row("put_accumulate_signal", "gin.put", ALL,
        "gin.put %x into %y[%i] on %p accumulate signal %s[1] SCOPE"
        " : !w into !w, !gin.signals<4>",
        [between(BEGIN, ADD_F32, MEET), between(ADD_F32, RELEASE, MEET)],
        [RELAXED, FENCE_SYSTEM, STORE16]),
    Row("put_accumulate_strided", "gin.put", ALL,
        "%tile = memref.subview %m[1, 1] [%i, %n] [1, 1] : !m to !tile\n"
        "gin.put %tile into %m[0, 0] on %p accumulate signal %s[1] SCOPE"
        " : !tile into !m, !gin.signals<4>",
        [between(BEGIN, ADD_F32, MEET), between(ADD_F32, RELEASE, MEET)],
        [RELAXED, FENCE_SYSTEM, STORE16], may=[LOCAL]),
    # There is an instruction for bf16 since sm_90.
    Row("put_accumulate_bf16", "gin.put", ["block"],
        "gin.put %halves into %halves[%i] on %p accumulate SCOPE"
        " : memref<?xbf16, #gin.window> into memref<?xbf16, #gin.window>",
        [r"red\.relaxed\.sys\.global\.add\.noftz\.bf16"], SILENT, NEW),
    Row("put_accumulate_bf16", "gin.put", ["block"],
        "gin.put %halves into %halves[%i] on %p accumulate SCOPE"
        " : memref<?xbf16, #gin.window> into memref<?xbf16, #gin.window>",
        [r"atom\.relaxed\.sys\.global\.cas\.b32"], SILENT, OLD),
    # A value is written at once, by the thread that then signals.
    Row("put_value", "gin.put_value", ALL,
        "gin.put_value %f into %y[%i] on %p SCOPE : f32 into !w",
        [r"st\.relaxed\.sys\.global\.u32"], SILENT),
    Row("put_value_signal", "gin.put_value", ALL,
        "gin.put_value %k64 into %i64s[%i] on %p signal %s[1] SCOPE"
        " : i64 into memref<?xi64, #gin.window>, !gin.signals<4>",
        [order(r"st\.relaxed\.sys\.global\.u64 \[%rd\w+\], %rd", RELEASE)],
        [RELAXED, FENCE_SYSTEM]),
    # A get's destination is written after what the agent's threads did before.
    Row("get", "gin.get", ALL,
        "gin.get %y[%i] on %p into %x SCOPE : !w into !w",
        [LOAD16, STORE16, between(BEGIN, PAYLOAD_IN, MEET)],
        [*SILENT, BULK]),
    Row("get_strided", "gin.get", ALL,
        "%tile = memref.subview %m[1, 1] [%i, %n] [1, 1] : !m to !tile\n"
        "gin.get %m[0, 0] on %p into %tile SCOPE : !m into !tile",
        [LOAD16, STORE16, between(BEGIN, PAYLOAD_IN, MEET)],
        [*SILENT, BULK], may=[LOCAL]),
    Row("atomic_add_i32", "gin.atomic_add", ALL,
        "gin.atomic_add %k32 into %i32s[%i] on %p SCOPE"
        " : i32 into memref<?xi32, #gin.window>",
        [r"red\.relaxed\.sys\.global\.add\.u32"], [ANY_RELEASE]),
    Row("atomic_add_i64", "gin.atomic_add", ["block"],
        "gin.atomic_add %k64 into %i64s[%i] on %p SCOPE"
        " : i64 into memref<?xi64, #gin.window>",
        [RELAXED], [ANY_RELEASE]),
    Row("atomic_add_f32", "gin.atomic_add", ["block"],
        "gin.atomic_add %f into %x[%i] on %p SCOPE : f32 into !w",
        [ADD_F32], [ANY_RELEASE]),

    # -- Local completion: the payload is read and written before what follows.
    Row("await_put", "gin.await", ALL,
        "%token = gin.put %x into %y[%i] on %p -> !gin.token SCOPE : !w into !w\n"
        "gin.await %token SCOPE\n" + STORING,
        [between(PAYLOAD_IN, STORE, MEET)], SILENT),
    Row("await_get", "gin.await", ALL,
        "%token = gin.get %x[%i] on %p into %y -> !gin.token SCOPE : !w into !w\n"
        "gin.await %token SCOPE\n" + LOADING,
        [between(PAYLOAD_OUT, LOAD, MEET)], SILENT),
    Row("await_ready", "gin.ready_token gin.await", ["block"],
        "%ready = gin.ready_token\n"
        "%last = scf.for %k = %c0 to %n step %c1 iter_args(%before = %ready) -> (!gin.token) {\n"
        "gin.await %before SCOPE\n" + STORING +
        "%token = gin.put %x into %y[%k] on %p -> !gin.token SCOPE : !w into !w\n"
        "scf.yield %token : !gin.token\n}\n",
        [between(PAYLOAD_IN, STORE, MEET)], SILENT),
    Row("flush", "gin.flush", ALL,
        "gin.get %x[%i] on %p into %y SCOPE : !w into !w\n"
        "gin.flush SCOPE\n" + LOADING,
        [between(PAYLOAD_OUT, LOAD, MEET)], SILENT),

    # -- Signals and waits.
    Row("signal", "gin.signal", ALL,
        STORING + "gin.signal %s[1] on %p SCOPE : !gin.signals<4>",
        [between(STORE, RELEASE, MEET)], [RELAXED, FENCE_SYSTEM]),
    # After puts, which it covers.
    Row("signal_after_put", "gin.signal", ALL,
        "gin.put %x into %y[%i] on %p SCOPE : !w into !w\n"
        "gin.signal %s[%i] on %p add %n SCOPE : !gin.signals<4>",
        [between(PAYLOAD_OUT, RELEASE, MEET)], [RELAXED, FENCE_SYSTEM]),
    Row("wait", "gin.wait", ALL,
        "gin.wait %s[1] >= %n SCOPE : !gin.signals<4>" + LOADING,
        WAITS, [*SILENT, FENCE_SYSTEM]),
    Row("wait_timeout", "gin.wait", ALL,
        "gin.wait %s[1] >= %n timeout 1000000 SCOPE : !gin.signals<4>" + LOADING,
        WAITS, [*SILENT, FENCE_SYSTEM]),
    Row("wait_result", "gin.wait", ALL,
        "%arrived = gin.wait %s[1] >= %n timeout %i -> i1 SCOPE : !gin.signals<4>\n"
        + IF_ARRIVED,
        WAITS, [*SILENT, FENCE_SYSTEM]),
    # What has arrived is passed on.
    Row("wait_put", "gin.wait", ALL,
        "gin.wait %s[1] >= %n SCOPE : !gin.signals<4>\n"
        "gin.put %large into %y[%i] on %p signal %s[1] SCOPE"
        " : memref<1024xf32, #gin.window> into !w, !gin.signals<4>",
        [between(WAITED, PAYLOAD_IN, MEET), between(PAYLOAD_OUT, RELEASE, MEET)],
        [RELAXED, FENCE_SYSTEM]),
    Row("test", "gin.test", ALL,
        "%arrived = gin.test %s[1] >= %n SCOPE : !gin.signals<4>\n" + IF_ARRIVED,
        WAITS, [*SILENT, FENCE_SYSTEM]),
    # By one thread; others have it by gin.broadcast.
    Row("read", "gin.read", ["thread"],
        "%count = gin.read %s[1] SCOPE : !gin.signals<4>\n"
        "%arrived = arith.cmpi uge, %count, %n : index\n" + IF_ARRIVED,
        [order(ACQUIRE, LOAD)], [*SILENT, FENCE_SYSTEM]),
    Row("read_broadcast", "gin.read gin.broadcast", ["block", "warps"],
        "%count = gin.read %s[1] {gin.scope = #gin.scope<thread>} : !gin.signals<4>\n"
        "%all = gin.broadcast %count block : index\n"
        "%arrived = arith.cmpi uge, %all, %n : index\n" + IF_ARRIVED,
        [between(ACQUIRE, LOAD, MEET), between(SHARED_STORE, SHARED_LOAD, MEET)],
        [*SILENT, FENCE_SYSTEM]),

    # -- Barriers: what the team did before them is before what it does after,
    # -- also at third ranks.
    *[
        Row("barrier_" + name, "gin.barrier", ["thread", "block", "warps"],
            STORING + "gin.put %x into %y[%i] on %p SCOPE : !w into !w\n"
            "gin.barrier " + words + " SCOPE" + LOADING,
            [between(STORE, RELEASE, MEET), between(PAYLOAD_OUT, RELEASE, MEET),
             order(RELEASE, ACQUIRE), between(WAITED, LOAD, MEET)],
            [RELAXED, FENCE_SYSTEM])
        for name, words in [
            ("world", ""),
            ("global", "global"),
            ("row", "team #gin.team<row of 2x4>"),
        ]
    ],

    # -- Loads, stores and atomic updates: of the own part and of a peer's.
    Row("load_store", "memref.load memref.store", ["thread"],
        "%one = memref.load %x[%t] : !w\nmemref.store %one, %y[%t] : !w",
        [order(LOAD, STORE)], SILENT),
    Row("vector_load_store", "vector.load vector.store", ["thread"],
        "%four = vector.load %x[%t] : !w, vector<4xf32>\n"
        "vector.store %four, %y[%t] : !w, vector<4xf32>",
        [order(LOAD, STORE)], SILENT),
    Row("vector_load_after_wait", "vector.load", ALL,
        "gin.wait %s[1] >= %n SCOPE : !gin.signals<4>\n"
        "%four = vector.load %x[%t] : !w, vector<4xf32>\n"
        "vector.store %four, %y[%t] : !w, vector<4xf32>",
        WAITS, SILENT),
    Row("peer_view", "gin.peer_view", ALL,
        "%theirs = gin.peer_view %y on %p : !w to !peer\n"
        "gin.wait %s[1] >= %n SCOPE : !gin.signals<4>\n"
        "%one = memref.load %theirs[%t] : !peer\n"
        "memref.store %one, %theirs[%i] : !peer\n"
        "gin.signal %s[2] on %p SCOPE : !gin.signals<4>",
        [*WAITS, between(STORE, RELEASE, MEET)], [RELAXED, FENCE_SYSTEM]),
    *[
        Row(f"atomic_{kind}_{type}_{values}", "memref.atomic_rmw", ["thread"],
            f"%old = memref.atomic_rmw {kind} %{value}, %{memory}[%i]"
            f" : ({type}, memref<?x{type}, #gin.window>) -> {type}\n"
            + (f"memref.store %old, %{memory}[%n] : memref<?x{type}, #gin.window>\n"
               if values == "used" else ""),
            must, [ANY_RELEASE])
        for kind, value, memory, type, values, must in [
            ("addi", "k32", "i32s", "i32", "used", [r"atom(\.relaxed)?(\.global)?\.sys\S*\.add\.(u|s)32"]),
            ("addi", "k32", "i32s", "i32", "alone", [r"(atom|red)\S*\.sys\S*add\.(u|s)32"]),
            ("addi", "k64", "i64s", "i64", "alone", [r"(atom|red)\S*\.sys\S*add\.(u|s)64"]),
            ("addf", "f", "x", "f32", "used", [r"atom\S*\.sys\S*add\.f32"]),
            ("maxs", "k32", "i32s", "i32", "used", [r"atom\.relaxed\.sys\.global\.cas\.b32"]),
            ("assign", "k32", "i32s", "i32", "used", [r"atom\.relaxed\.sys\.global\.cas\.b32"]),
        ]
    ],
    Row("atomic_of_peer", "memref.atomic_rmw gin.peer_view", ["thread"],
        "%theirs = gin.peer_view %y on %p : !w to !peer\n"
        "%old = memref.atomic_rmw addf %f, %theirs[%i] : (f32, !peer) -> f32",
        [r"(atom|red)\S*\.sys\S*add\.f32"], [ANY_RELEASE]),

    # -- What threads of a rank share.
    Row("join_block", "gin.join", ["block", "warps"],
        STORING + "gin.join block" + LOADING,
        [between(STORE, LOAD, MEET)], SILENT),
    # Blocks meet by the GPU's memory.
    *[
        Row(name, op, ["block", "warps"], STORING + program + LOADING,
            [between(STORE, FENCE_GPU, MEET), between(STORE, ARRIVE_GPU, FENCE_GPU),
             between(ARRIVE_GPU, LOAD, FENCE_GPU), between(ARRIVE_GPU, LOAD, MEET)],
            SILENT)
        for name, op, program in [
            ("join_role", "gin.join", "gin.join grid role 1 at %c0 count %blocks"),
            ("broadcast_role", "gin.broadcast",
             "%all = gin.broadcast %n grid role 1 at %c0 count %blocks : index\n"
             "memref.store %k32, %i32s[%all] : memref<?xi32, #gin.window>"),
        ]
    ],
    Row("join_grid", "gin.join", ["block"], STORING + "gin.join grid" + LOADING,
        [between(STORE, FENCE_GPU, MEET), between(STORE, ARRIVE_GPU, FENCE_GPU),
         between(ARRIVE_GPU, LOAD, FENCE_GPU), between(ARRIVE_GPU, LOAD, MEET)],
        SILENT),
    Row("broadcast_block", "gin.broadcast", ["block", "warps"],
        "%all = gin.broadcast %f block : f32\n"
        "memref.store %all, %x[%t] : !w",
        [between(SHARED_STORE, SHARED_LOAD, MEET)], SILENT),
    # Warps of a role do not wait for others, but where all of the block meet.
    Row("warps", "gin.warps gin.join", ["block"],
        "gin.warps \"role\" at 0 count 2 barrier 1 {\n" + STORING + "}\n"
        "gin.join block" + LOADING,
        [between(STORE, LOAD, MEET)], [*SILENT, MEETINGS["warps"]]),
    Row("pace", "gin.pace", ALL, "gin.pace 4000 SCOPE",
        [r"%globaltimer", r"nanosleep"], [*SILENT, r"%clock"]),
    # What does no more than compute, or read what no other rank writes.
    Row("ranks", "gin.rank gin.num_ranks gin.neighbor gin.coords gin.window_dim gin.launch",
        ["thread"],
        "%rank = gin.rank\n%ranks = gin.num_ranks\n%right = gin.neighbor 1\n"
        "%row, %column = gin.coords #gin.grid<2x?>\n"
        "%size = gin.window_dim %y, 0 on %p : !w\n%launch = gin.launch\n"
        "%sum = affine.apply affine_map<(a, b, c, d, e, f, g) -> (a + b + c + d + e + f + g)>"
        "(%rank, %ranks, %right, %row, %column, %size, %launch)\n"
        "%cut = arith.index_cast %sum : index to i32\n"
        "memref.store %cut, %out[%t] : memref<?xi32>",
        [r"\bst(\.global)?\.(b|u)32"], [*SILENT, ACQUIRE, FENCE_SYSTEM]),
    # Says what is wrong, and where, before the block goes on to its end.
    Row("assert", "cf.assert", ["thread"],
        '%fits = arith.cmpi slt, %i, %n : index\ncf.assert %fits, "too few"\n' + STORING,
        [r"call \S*recordFault", STORE], SILENT),
    # Whatever the body, the last block of a launch goes on alone.
    Row("frame", "gpu.return", ["thread"], STORING,
        [between(STORE, ARRIVE_GPU, BLOCK),
         between(STORE, ARRIVE_GPU, FENCE_GPU)],
        SILENT),

    # -- Tile loops. What has arrived is ordered before the copy engine's loads,
    # -- and its stores have written before a tile is published.
    Row("async_fence", "gin.async_fence", ["thread"],
        "gin.wait %s[1] >= 1 SCOPE : !gin.signals<4>\ngin.async_fence",
        [order(ACQUIRE, PROXY)], [ANY_RELEASE], NEW),
    Row("async_fence", "gin.async_fence", ["thread"],
        "gin.wait %s[1] >= 1 SCOPE : !gin.signals<4>\ngin.async_fence",
        [ACQUIRE], [ANY_RELEASE, PROXY], OLD),
    Row("matmul", "gin.matmul gin.async_fence", ["thread"], TILES,
        [between(BEGIN, r"mbarrier\.init", PROXY), between(r"mbarrier\.init", TENSOR_LOAD, ANY_SYNC),
         between(WAITED, TENSOR_LOAD, PROXY), r"wgmma\.mma_async",
         between(TENSOR_STORE, END, BULK_DONE), RELEASE],
        [RELAXED, FENCE_SYSTEM], NEW, 384),
    Row("matmul", "gin.matmul gin.async_fence", ["thread"], TILES,
        [r"mma\.sync\.aligned", r"cp\.async\.cg", between(WAITED, r"cp\.async\.cg", ANY_SYNC),
         between(r"\bst(\.global)?\S*\.(b|u)(16|32)", RELEASE, ANY_SYNC)],
        [RELAXED, FENCE_SYSTEM, BULK], ["80"], 384),
    Row("matmul", "gin.matmul gin.async_fence", ["thread"], TILES,
        [r"fma\.rn\.f32", between(WAITED, r"\bld(\.global)?\.u16", ANY_SYNC),
         between(r"\bst(\.global)?\.u16", RELEASE, ANY_SYNC)],
        [RELAXED, FENCE_SYSTEM, BULK], ["75"], 384),
]

# Ops of the emitter's list that have no row: they access no memory of a window or
# of another rank, and order nothing.
WITHOUT_ROW = {
    "affine.apply affine.max affine.min ub.poison": "arithmetic",
    "vector.broadcast vector.extract vector.fma vector.from_elements vector.insert "
    "vector.reduction": "arithmetic",
    "gpu.block_dim gpu.block_id gpu.grid_dim gpu.thread_id": "registers",
    "memref.dim": "the kernel's parameters have it",
    "memref.alloca": "memory of a thread alone",
    "memref.get_global": "a table of constants",
    "scf.condition scf.for scf.if scf.index_switch scf.while scf.yield": "control flow",
    "gin.yield": "ends a region",
}

# ===----------------------------------------------------------------------=== #
# Programs, from source to PTX
# ===----------------------------------------------------------------------=== #

# Functions that `ginc build` compiles: what a program orders is there after all
# passes.
Source = namedtuple("Source", "name program must never")
SOURCES = [
    Source("message", """
!w = memref<1024xf32, #gin.window>
func.func @message(%x: !w, %y: !w, %i: index, %f: f32, %s: !gin.signals<1>) {
  %right = gin.neighbor 1
  memref.store %f, %x[%i] : !w
  gin.put %x into %y[0] on %right : !w into !w
  gin.signal %s[0] on %right : !gin.signals<1>
  gin.wait %s[0] >= 1 : !gin.signals<1>
  %seen = memref.load %y[%i] : !w
  memref.store %seen, %x[%i] : !w
  return
}
""",
        [between(STORE, PAYLOAD_IN, BLOCK), between(PAYLOAD_OUT, RELEASE, BLOCK),
         between(WAITED, LOAD, BLOCK)],
        [RELAXED, FENCE_SYSTEM]),
    # What was waited for comes before a relaxed signal.
    Source("relaxed", """
func.func @relaxed(%s: !gin.signals<2>) {
  %right = gin.neighbor 1
  gin.signal %s[0] on %right : !gin.signals<2>
  gin.wait %s[0] >= 1 : !gin.signals<2>
  gin.signal %s[1] on %right relaxed : !gin.signals<2>
  gin.wait %s[1] >= 1 : !gin.signals<2>
  return
}
""",
        [RELEASE, between(WAITED, END, BLOCK)], [RELAXED, FENCE_SYSTEM]),
    # Awaits become flushes.
    Source("await", """
!w = memref<1024xf32, #gin.window>
func.func @await(%x: !w, %y: !w, %f: f32, %s: !gin.signals<1>) {
  %right = gin.neighbor 1
  %c0 = arith.constant 0 : index
  %token = gin.put %x into %y[0] on %right signal %s[0] -> !gin.token
    : !w into !w, !gin.signals<1>
  gin.await %token
  memref.store %f, %x[%c0] : !w
  gin.wait %s[0] >= 1 : !gin.signals<1>
  return
}
""",
        [between(PAYLOAD_IN, STORE, BLOCK)], [RELAXED, FENCE_SYSTEM]),
]
