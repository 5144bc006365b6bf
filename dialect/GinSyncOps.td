//===- GinSyncOps.td - signals, completion, barriers, roles -*- tablegen -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_SYNC_OPS_TD
#define GIN_SYNC_OPS_TD

include "dialect/GinOpBase.td"

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

def Gin_SignalOp : Gin_SyncOp<"signal", [AttrSizedOperandSegments, Gin_Remote, Gin_Slot]> {
  let summary = "adds to a slot of a peer";
  let description = [{
    Adds `add` (default 1) to the slot of `bank` on `peer`. Unless `relaxed`, the
    arrival comes after the delivery of every earlier put of this agent to that peer
    on this context (of children that it has joined and of ancestors before the fork,
    too), and after its earlier loads and stores. A relaxed one carries only what the
    agent had acquired. Signals overtake each other. Does not cover a pending get:
    await it first.

    **Constraints:**
    - as many slot indices as the bank has dimensions, literals in range
    - the peer, a value or a literal, is at least 0 and below a static number of ranks
    - `context` (default 0) is at least 0; the weight is at least 1 and below 2^63

    Effects: reads and writes unnamed memory. Orders what it covers before whoever
    waits for its arrival. Lowers to `gin_signal`.

    ```mlir
    gin.signal %s[%me] on %p add 2 : !gin.signals<8>
    gin.signal %s[0] on %p relaxed : !gin.signals<8>
    ```
  }];
  let arguments = (ins
    Gin_Signals:$bank, Variadic<Index>:$slot, DenseI64ArrayAttr:$static_slot,
    Optional<Index>:$peer, OptionalAttr<I64Attr>:$static_peer, OptionalAttr<Gin_AnyTeam>:$team,
    OptionalAttr<I64Attr>:$ctx,
    Optional<Index>:$weight, OptionalAttr<I64Attr>:$static_weight, UnitAttr:$relaxed);
  let assemblyFormat = [{
    $bank `` custom<DynamicIndexList>($slot, $static_slot)
    `on` custom<IndexOrInt>($peer, $static_peer) `` custom<Team>($team) (`context` $ctx^)?
    `` custom<Weight>($weight, $static_weight) `` custom<Relaxed>($relaxed)
    attr-dict `:` qualified(type($bank))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$bank, "::llvm::ArrayRef<::mlir::OpFoldResult>":$slot,
    "::mlir::OpFoldResult":$peer, CArg<"::mlir::Attribute", "{}">:$team,
    CArg<"::mlir::OpFoldResult", "{}">:$weight, CArg<"bool", "false">:$relaxed,
    CArg<"::std::optional<int64_t>", "{}">:$context)>];
  let extraClassDeclaration = [{ ::mlir::OpFoldResult getMixedWeight(); }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

class Gin_ProbeOp<string mnemonic, list<Trait> traits = []>
    : Gin_SyncOp<mnemonic, traits # [Gin_Slot, Gin_NamesResults]> {
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def Gin_WaitOp : Gin_ProbeOp<"wait", [AttrSizedOperandSegments]> {
  let summary = "waits for arrivals at a slot";
  let description = [{
    Blocks until the slot of the own rank has counted at least `count` above its
    base, then acquires: it is certain of every event that the arrivals cannot
    have come to that count without (rule 5 of the memory model). The count is a
    weight, not a number of signals; a count of 0 or less never blocks.

    With `timeout`, in nanoseconds, and a result, the wait returns false when time
    is up, having acquired nothing; with `timeout` alone, or when the launch is
    aborted, the program ends with an error that names this place.

    **Constraints:**
    - as many slot indices as the bank has dimensions, literals in range
    - count and time-out are either values or literals; a literal time-out is at
      least 0
    - a result only beside a time-out

    Effects: reads and writes unnamed memory. Orders what it is certain of before
    what follows. Lowers to `gin_wait`.

    ```mlir
    gin.wait %s[%q] >= 1 : !gin.signals<8>
    %ok = gin.wait %s[%q] >= %n timeout 1000000 -> i1 : !gin.signals<8>
    ```
  }];
  let arguments = (ins
    Gin_Signals:$bank, Variadic<Index>:$slot, DenseI64ArrayAttr:$static_slot,
    Optional<Index>:$count, OptionalAttr<I64Attr>:$static_count,
    Optional<Index>:$timeout, OptionalAttr<I64Attr>:$static_timeout);
  let results = (outs Optional<I1>:$arrived);
  let assemblyFormat = [{
    $bank `` custom<DynamicIndexList>($slot, $static_slot)
    custom<Count>($count, $static_count) `` custom<Timeout>($timeout, $static_timeout)
    (`->` type($arrived)^)? attr-dict `:` qualified(type($bank))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$bank, "::llvm::ArrayRef<::mlir::OpFoldResult>":$slot,
      "::mlir::OpFoldResult":$count)>,
    // With a time-out: `branches` gives the op a result.
    OpBuilder<(ins "::mlir::Value":$bank, "::llvm::ArrayRef<::mlir::OpFoldResult>":$slot,
      "::mlir::OpFoldResult":$count, "::mlir::OpFoldResult":$timeout, "bool":$branches)>
  ];
  let extraClassDeclaration = [{
    ::mlir::OpFoldResult getMixedCount();
    /// The time-out in nanoseconds, or null.
    ::mlir::OpFoldResult getMixedTimeout();
  }];
}

def Gin_TestOp : Gin_ProbeOp<"test", [AttrSizedOperandSegments]> {
  let summary = "asks whether arrivals have reached a count";
  let description = [{
    True if the slot of the own rank has counted at least `count` above its base. A
    success acquires like a wait for that count, and counts as waited for; a failure
    does neither.

    **Constraints:**
    - as many slot indices as the bank has dimensions, literals in range
    - the count is either a value or a literal

    Effects: reads and writes unnamed memory. A success orders what it is certain of
    before what follows. Lowers to `gin_test`.

    ```mlir
    %there = gin.test %s[%q] >= 1 : !gin.signals<8>
    ```
  }];
  let arguments = (ins
    Gin_Signals:$bank, Variadic<Index>:$slot, DenseI64ArrayAttr:$static_slot,
    Optional<Index>:$count, OptionalAttr<I64Attr>:$static_count);
  let results = (outs I1:$arrived);
  let assemblyFormat = [{
    $bank `` custom<DynamicIndexList>($slot, $static_slot)
    custom<Count>($count, $static_count) attr-dict `:` qualified(type($bank))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$bank, "::llvm::ArrayRef<::mlir::OpFoldResult>":$slot,
    "::mlir::OpFoldResult":$count)>];
  let extraClassDeclaration = [{ ::mlir::OpFoldResult getMixedCount(); }];
}

def Gin_ReadOp : Gin_ProbeOp<"read", [
    DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]> {
  let summary = "reads the count of a slot";
  let description = [{
    The weight that the slot of the own rank has counted above its base, at least 0.
    Acquires like a wait for that count, which counts as waited for.

    **Constraints:** as many slot indices as the bank has dimensions, literals in
    range.

    Effects: reads and writes unnamed memory. Orders what it is certain of before
    what follows. Lowers to `gin_read`.

    ```mlir
    %count = gin.read %s[%q] : !gin.signals<8>
    ```
  }];
  let arguments = (ins Gin_Signals:$bank, Variadic<Index>:$slot, DenseI64ArrayAttr:$static_slot);
  let results = (outs Index:$count);
  let assemblyFormat = [{
    $bank `` custom<DynamicIndexList>($slot, $static_slot) attr-dict `:` qualified(type($bank))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$bank, "::llvm::ArrayRef<::mlir::OpFoldResult>":$slot)>];
}

//===----------------------------------------------------------------------===//
// Local completion
//===----------------------------------------------------------------------===//

def Gin_AwaitOp : Gin_SyncOp<"await"> {
  let summary = "waits for local completion";
  let description = [{
    Blocks until each token's operation is done: a put's source may be reused, a
    get's data is there. Never says that a put's bytes are visible to its peer.

    **Constraints:** there is a token; the tokens come from the agent that awaits them:
    not from outside of a role of `gin.specialize`, or of the `scf.forall` or
    `scf.parallel` whose iteration this is. A `gin.ready_token` belongs to nobody.

    Effects: reads and writes unnamed memory. Orders the local side of the tokens'
    operations before what follows. Lowers to `gin_await`, once for each token.

    ```mlir
    gin.await %t, %u
    ```
  }];
  let arguments = (ins Variadic<Gin_Token>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def Gin_FlushOp : Gin_SyncOp<"flush"> {
  let summary = "waits for local completion of everything";
  let description = [{
    As `gin.await` of every earlier put and get of this agent, those without a token
    included.

    Effects: reads and writes unnamed memory. Orders the local side of these
    operations before what follows. Lowers to `gin_flush`.

    ```mlir
    gin.flush
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasCanonicalizer = 1;
}

def Gin_ReadyTokenOp : Gin_Op<"ready_token", [Pure, Gin_NamesResults]> {
  let summary = "a token that is already done";
  let description = [{
    The initial value of a loop-carried token. It belongs to no agent, so that any
    may await it.

    Pure. Orders nothing. Lowers to the constant 0.

    ```mlir
    %ready = gin.ready_token
    ```
  }];
  let results = (outs Gin_Token:$token);
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Barriers and roles
//===----------------------------------------------------------------------===//

def Gin_BarrierOp : Gin_SyncOp<"barrier"> {
  let summary = "a barrier of a team";
  let description = [{
    What precedes it on any member, loads and stores included, and the delivery to
    this rank of every earlier put of this launch on any context, comes before all
    that follows it here. Puts to third ranks are covered only by `global`, at the
    price of a second round. A pending get is not covered. All members of the team
    (default: the world) must execute the same barriers in the same order.

    Effects: reads and writes unnamed memory. Lowers to `gin_barrier`.

    ```mlir
    gin.barrier
    gin.barrier global team row of ?x?
    ```
  }];
  let arguments = (ins UnitAttr:$global, OptionalAttr<Gin_AnyTeam>:$team);
  let assemblyFormat = "(`global` $global^)? `` custom<Team>($team) attr-dict";
  let hasCanonicalizer = 1;
}

def Gin_SpecializeOp : Gin_Op<"specialize", [AutomaticAllocationScope, NoRegionArguments,
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"::gin::YieldOp">]> {
  let summary = "concurrent roles of one rank";
  let description = [{
    Each region is a role: an agent that is forked here and joined at the end. A role
    may state its share of the GPU, in CTAs or in warps of each CTA; without one the
    mapping chooses. Kernels have roles of the one kind or the other. Roles synchronise
    through signals to their own rank. Values from outside may be used; tokens may not
    (they do not leave their agent), except for `gin.ready_token`.

    **Constraints:** at least one role; names are not empty and differ; a role has
    CTAs or warps, not both, and at least 1.

    Effects: those of its roles. Orders what precedes it before its roles, and them
    before what follows; the roles' ops are unordered with each other. Lowers to
    `gin.fork`, by `gin-outline-agents`.

    ```mlir
    gin.specialize {
      role "send" ctas 16 {
        gin.put %x into %w[0] on %p signal %s[0]
          : memref<8xf32, #gin.window> into memref<8xf32, #gin.window>, !gin.signals<1>
      }
      role "compute" {
        gin.wait %s[0] >= 1 : !gin.signals<1>
      }
    }
    ```
  }];
  let arguments = (ins StrArrayAttr:$names, DenseI64ArrayAttr:$ctas, DenseI64ArrayAttr:$warps);
  let regions = (region VariadicRegion<SizedRegion<1>>:$roles);
  let assemblyFormat = "custom<Roles>($roles, $names, $ctas, $warps) attr-dict";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Gin_KernelOp : Gin_Op<"kernel", [NoRegionArguments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"::gin::YieldOp">]> {
  let summary = "a part of a program that is a kernel of its own";
  let description = [{
    A program is one kernel, unless it says which parts are. Then the host does what
    stands outside of them, in the order of the program: it computes sizes, ranks and
    loop bounds, launches the kernels, and has copy engines perform each `gin.put` and
    `gin.get`, which takes no multiprocessor. Roles of a `gin.specialize` outside of
    kernels are streams, which run at the same time; one with CTAs has kernels of at
    most so many blocks, and the others leave them free.

    A kernel takes values from outside that the host can compute, and hands on none.
    `name` is part of the kernel's; without one it has a number. What precedes a kernel
    in its role has ended on GPUs when it begins; a program may not rely on that, but
    awaits or flushes what a kernel reads, as any other op, which costs nothing there.

    **Constraints:** stands in a function, in `scf.for`, `scf.if` and roles of
    `gin.specialize`, and in no other kernel; `name`, if there is one, is of letters,
    digits and underscores.

    Effects: those of its region. Orders what program order does: it has no meaning of
    its own where programs are simulated. Lowers to a `gpu.func` and its
    `gpu.launch_func`, by `gin-map-to-kernel`.

    ```mlir
    gin.put %x into %w[0] on %p
      : memref<8xf32, #gin.window> into memref<8xf32, #gin.window>
    gin.kernel "tell" {
      gin.signal %s[0] on %p : !gin.signals<1>
    }
    gin.kernel {
      gin.wait %s[0] >= 1 : !gin.signals<1>
    }
    ```
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "($name^)? $body attr-dict";
  let hasVerifier = 1;
}

def Gin_YieldOp : Gin_Op<"yield", [
    Pure, Terminator, ParentOneOf<["SpecializeOp", "KernelOp", "WarpsOp", "MatmulOp"]>]> {
  let summary = "ends a role, a kernel or a tile loop's region";
  let description = [{
    The terminator of a role of `gin.specialize`, of `gin.kernel`, of `gin.warps` and of
    the regions of `gin.matmul`. It is implicit: neither written nor printed.
  }];
  let assemblyFormat = "attr-dict";
}

#endif // GIN_SYNC_OPS_TD
