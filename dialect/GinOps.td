//===- GinOps.td - program level of the gin dialect --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_OPS_TD
#define GIN_OPS_TD

include "dialect/GinOpBase.td"

//===----------------------------------------------------------------------===//
// Who am I
//===----------------------------------------------------------------------===//

def Gin_RankIdOp : Gin_RankOp<"rank"> {
  let summary = "the calling rank";
  let description = [{
    The number of the calling rank in the team (default: the world), from 0.

    Lowers to `gin_rank`.

    ```mlir
    %me = gin.rank
    %local = gin.rank team #gin.team<lsa>
    ```
  }];
  let arguments = (ins OptionalAttr<Gin_AnyTeam>:$team);
  let results = (outs Index:$result);
  let assemblyFormat = "`` custom<Team>($team) attr-dict";
}

def Gin_NumRanksOp : Gin_RankOp<"num_ranks"> {
  let summary = "the number of ranks of a team";
  let description = [{
    At least 1, and the same on all members. Folds to a constant for a grid of
    static extents. Lowers to `gin_num_ranks`.

    ```mlir
    %n = gin.num_ranks
    %columns = gin.num_ranks team #gin.team<row of ?x?>
    ```
  }];
  let arguments = (ins OptionalAttr<Gin_AnyTeam>:$team);
  let results = (outs Index:$result);
  let assemblyFormat = "`` custom<Team>($team) attr-dict";
  let hasFolder = 1;
}

def Gin_NeighborOp : Gin_RankOp<"neighbor"> {
  let summary = "the rank at a distance on the ring of a team";
  let description = [{
    (rank + k) mod n, n being the number of ranks; k may be negative. Analyses
    take the modulo for a piecewise affine fact, which they could not do for
    `arith.remsi`. Neighbour 0 is the rank itself.

    ```mlir
    %right = gin.neighbor 1
    %p = gin.neighbor %k team #gin.team<row of ?x?>
    ```
  }];
  let arguments = (ins Optional<Index>:$distance, OptionalAttr<I64Attr>:$static_distance,
                       OptionalAttr<Gin_AnyTeam>:$team);
  let results = (outs Index:$result);
  let assemblyFormat = [{
    custom<IndexOrInt>($distance, $static_distance) `` custom<Team>($team) attr-dict
  }];
  let builders = [OpBuilder<(ins "::mlir::OpFoldResult":$distance, CArg<"::mlir::Attribute", "{}">:$team)>];
  let extraClassDeclaration = [{ ::mlir::OpFoldResult getMixedDistance(); }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def Gin_CoordsOp : Gin_RankOp<"coords", [InferTypeOpAdaptor]> {
  let summary = "the calling rank's coordinates on a grid";
  let description = [{
    One result for each dimension of the grid, each from 0 to its extent less one.

    ```mlir
    %i, %j = gin.coords #gin.grid<?x?>
    ```
  }];
  let arguments = (ins Gin_GridAttr:$grid);
  let results = (outs Variadic<Index>:$coordinates);
  let assemblyFormat = "qualified($grid) attr-dict";
  let hasVerifier = 1;
}

def Gin_WindowDimOp : Gin_RankOp<"window_dim", [Gin_Remote]> {
  let summary = "an extent of a peer's part of a window";
  let description = [{
    Extent `dim` of the part of `peer`, in elements. Only dimension 0 may differ
    between ranks; a static extent is the same on all of them and folds.
    A peer or dimension out of range is undefined at compile time and an error at
    run time.

    ```mlir
    %rows = gin.window_dim %w, 0 on %p : memref<?x128xf32, #gin.window>
    ```
  }];
  let arguments = (ins Gin_RootWindow:$window, I64Attr:$dim, Optional<Index>:$peer,
                       OptionalAttr<I64Attr>:$static_peer, OptionalAttr<Gin_AnyTeam>:$team);
  let results = (outs Index:$result);
  let assemblyFormat = [{
    $window `,` $dim `on` custom<IndexOrInt>($peer, $static_peer) `` custom<Team>($team)
    attr-dict `:` type($window)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$window, "int64_t":$dim, "::mlir::OpFoldResult":$peer,
                                 CArg<"::mlir::Attribute", "{}">:$team)>];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Gin_LaunchOp : Gin_RankOp<"launch"> {
  let summary = "the number of earlier launches of this program";
  let description = [{
    0 in the first launch; equal on all ranks. Buffers and slots can alternate by
    it (`launch` mod m). Kept beside the banks' bases, so that it is right under
    graph replay.

    ```mlir
    %k = gin.launch
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// One-sided transfers
//===----------------------------------------------------------------------===//

def Gin_PutOp : Gin_CommOp<"put", [AttrSizedOperandSegments, Gin_Remote, Gin_Slot, Gin_Accesses]> {
  let summary = "non-blocking one-sided write";
  let description = [{
    Copies the block `source` into `window` of `peer` at `indices` (in elements,
    one for each dimension). The block's dimensions align with the window's last
    ones; it must lie inside the *peer's* part, or the run ends with an error.

    The op only issues. The source is read at any time until the put is done: it
    must not be written before the token is awaited or a flush. Bytes are delivered
    in any pieces and any order, unordered with every other put. `signal` bundles an
    arrival of weight `add` (default 1, at least 1) that comes after all bytes of
    *this* put, and says nothing about others. A put of zero elements still signals.

    With `accumulate`, delivery adds elementwise and atomically; accumulating
    deliveries do not race with each other, and floating-point sums are
    reassociated.

    A put onto its own source is a no-op that still signals; a partial overlap is
    an error.

    **Constraints:**
    - `source` and `window` have the same element type; `window` is a whole window
    - as many indices as the window has dimensions; the source has no more dimensions
    - static extents fit: index + extent ≤ the window's extent
    - `context` ≥ 0; a static weight is at least 1
    - as many slot indices as the bank has dimensions, static ones in range

    Effects: reads `source`, and reads and writes unnamed memory. Orders nothing by
    itself. Lowers to `gin_put`.

    ```mlir
    gin.put %row into %w[%me, 0] on %p signal %s[%me] add 1
      : memref<128xf32, #gin.window> into memref<?x128xf32, #gin.window>, !gin.signals<8>
    %t = gin.put %row into %w[%me, 0] on %p -> !gin.token
      : memref<128xf32, #gin.window> into memref<?x128xf32, #gin.window>
    ```
  }];
  let arguments = (ins
    Arg<Gin_Window, "block of the own part", [MemRead]>:$source,
    Gin_RootWindow:$window, Variadic<Index>:$indices, DenseI64ArrayAttr:$static_indices,
    Optional<Index>:$peer, OptionalAttr<I64Attr>:$static_peer, OptionalAttr<Gin_AnyTeam>:$team,
    OptionalAttr<I64Attr>:$ctx, UnitAttr:$accumulate,
    Optional<Gin_Signals>:$bank, Variadic<Index>:$slot, DenseI64ArrayAttr:$static_slot,
    Optional<Index>:$weight, OptionalAttr<I64Attr>:$static_weight);
  let results = (outs Optional<Gin_Token>:$token);
  let assemblyFormat = [{
    $source `into` $window `` custom<DynamicIndexList>($indices, $static_indices)
    `on` custom<IndexOrInt>($peer, $static_peer)
    `` custom<Team>($team) (`context` $ctx^)? (`accumulate` $accumulate^)?
    `` custom<Bundle>($bank, $slot, $static_slot, $weight, $static_weight)
    `` custom<TokenResult>(type($token))
    attr-dict `:` type($source) `into` type($window) (`,` qualified(type($bank))^)?
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$window,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$indices, "::mlir::OpFoldResult":$peer,
    "const ::gin::RemoteOptions &":$options)>];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedIndices();
    /// The weight of the bundled signal.
    ::mlir::OpFoldResult getMixedWeight();
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def Gin_PutValueOp : Gin_CommOp<"put_value", [AttrSizedOperandSegments, Gin_Remote, Gin_Slot, Gin_Accesses]> {
  let summary = "non-blocking one-sided write of a scalar";
  let description = [{
    Writes `value` to one element of `window` of `peer`. The value is read at issue,
    so there is no source to keep. Ordering, signal and token are those of
    `gin.put`. Lowers to `gin_put_value`.

    ```mlir
    gin.put_value %count into %counts[%me] on %p signal %s[%me]
      : i32 into memref<?xi32, #gin.window>, !gin.signals<?>
    ```
  }];
  let arguments = (ins
    Gin_Element:$value,
    Gin_RootWindow:$window, Variadic<Index>:$indices, DenseI64ArrayAttr:$static_indices,
    Optional<Index>:$peer, OptionalAttr<I64Attr>:$static_peer, OptionalAttr<Gin_AnyTeam>:$team,
    OptionalAttr<I64Attr>:$ctx,
    Optional<Gin_Signals>:$bank, Variadic<Index>:$slot, DenseI64ArrayAttr:$static_slot,
    Optional<Index>:$weight, OptionalAttr<I64Attr>:$static_weight);
  let results = (outs Optional<Gin_Token>:$token);
  let assemblyFormat = [{
    $value `into` $window `` custom<DynamicIndexList>($indices, $static_indices)
    `on` custom<IndexOrInt>($peer, $static_peer) `` custom<Team>($team) (`context` $ctx^)?
    `` custom<Bundle>($bank, $slot, $static_slot, $weight, $static_weight)
    `` custom<TokenResult>(type($token))
    attr-dict `:` type($value) `into` type($window) (`,` qualified(type($bank))^)?
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$window,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$indices, "::mlir::OpFoldResult":$peer,
    "const ::gin::RemoteOptions &":$options)>];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedIndices();
    ::mlir::OpFoldResult getMixedWeight();
  }];
  let hasVerifier = 1;
}

def Gin_GetOp : Gin_CommOp<"get", [AttrSizedOperandSegments, Gin_Remote, Gin_Accesses]> {
  let summary = "non-blocking one-sided read";
  let description = [{
    Copies a block of `window` of `peer`, at `indices` and of `target`'s shape, into
    `target`. Remote read and local write happen at any time until the get is done:
    the data is there after `gin.await` of the token or a `gin.flush`, and neither a
    signal nor a barrier covers a pending get. Lowers to `gin_get`.

    ```mlir
    %t = gin.get %w[%p, 0] on %p into %row -> !gin.token
      : memref<?x128xf32, #gin.window> into memref<128xf32, #gin.window>
    gin.await %t
    ```
  }];
  let arguments = (ins
    Gin_RootWindow:$window, Variadic<Index>:$indices, DenseI64ArrayAttr:$static_indices,
    Optional<Index>:$peer, OptionalAttr<I64Attr>:$static_peer, OptionalAttr<Gin_AnyTeam>:$team,
    OptionalAttr<I64Attr>:$ctx,
    Arg<Gin_Window, "block of the own part", [MemWrite]>:$target);
  let results = (outs Optional<Gin_Token>:$token);
  let assemblyFormat = [{
    $window `` custom<DynamicIndexList>($indices, $static_indices)
    `on` custom<IndexOrInt>($peer, $static_peer) `` custom<Team>($team) (`context` $ctx^)?
    `into` $target `` custom<TokenResult>(type($token))
    attr-dict `:` type($window) `into` type($target)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$window,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$indices, "::mlir::OpFoldResult":$peer,
    "::mlir::Value":$target, "const ::gin::RemoteOptions &":$options)>];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedIndices();
  }];
  let hasVerifier = 1;
}

def Gin_AtomicAddOp : Gin_CommOp<"atomic_add", [AttrSizedOperandSegments, Gin_Remote, Gin_Accesses]> {
  let summary = "remote atomic addition";
  let description = [{
    Adds `value` to one element of `window` of `peer`: a relaxed atomic at system
    scope through any transport. For the memory model a put whose addition is its
    delivery. Lowers to `gin_atomic_add`.

    ```mlir
    gin.atomic_add %one into %hits[0] on %p : i32 into memref<1xi32, #gin.window>
    ```
  }];
  let arguments = (ins
    Gin_Element:$value,
    Gin_RootWindow:$window, Variadic<Index>:$indices, DenseI64ArrayAttr:$static_indices,
    Optional<Index>:$peer, OptionalAttr<I64Attr>:$static_peer, OptionalAttr<Gin_AnyTeam>:$team,
    OptionalAttr<I64Attr>:$ctx);
  let assemblyFormat = [{
    $value `into` $window `` custom<DynamicIndexList>($indices, $static_indices)
    `on` custom<IndexOrInt>($peer, $static_peer) `` custom<Team>($team) (`context` $ctx^)?
    attr-dict `:` type($value) `into` type($window)
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedIndices();
  }];
  let hasVerifier = 1;
}

def Gin_PeerViewOp : Gin_Op<"peer_view", [Gin_Remote, NoMemoryEffect,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a peer's part of a window as a memref";
  let description = [{
    Loads and stores through the view go to the peer's memory, and
    `memref.atomic_rmw` through it is a relaxed atomic at system scope. LSA only:
    other transports refuse it. For the memory model they are loads and stores like
    own ones. The view's first extent is the peer's. Lowers to `gin_peer_view`.

    Not view-like on purpose: upstream alias analyses would take the view for the
    own part. Not speculatable, since the peer may be out of range.

    ```mlir
    %theirs = gin.peer_view %w on %p
      : memref<?x128xf32, #gin.window> to memref<?x128xf32, #gin.peer>
    ```
  }];
  let arguments = (ins Gin_RootWindow:$window, Optional<Index>:$peer,
                       OptionalAttr<I64Attr>:$static_peer, OptionalAttr<Gin_AnyTeam>:$team);
  let results = (outs Gin_PeerMemRef:$view);
  let assemblyFormat = [{
    $window `on` custom<IndexOrInt>($peer, $static_peer) `` custom<Team>($team)
    attr-dict `:` type($window) `to` type($view)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$window, "::mlir::OpFoldResult":$peer,
                                 CArg<"::mlir::Attribute", "{}">:$team)>];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

def Gin_SignalOp : Gin_CommOp<"signal", [AttrSizedOperandSegments, Gin_Remote, Gin_Slot]> {
  let summary = "adds to a slot of a peer";
  let description = [{
    Adds `add` (default 1, at least 1, below 2^63) to the slot of `peer`. Unless
    `relaxed`, the arrival comes after the delivery of every earlier put of this
    agent to that peer on this context (of children that it has joined and of
    ancestors before the fork, too), and after its earlier loads and stores. A
    relaxed one carries only what the agent had acquired. Signals overtake each
    other. Does not cover a pending get: await it first. Lowers to `gin_signal`.

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
    `` custom<Weight>($weight, $static_weight) (`relaxed` $relaxed^)? attr-dict `:` qualified(type($bank))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$bank, "::llvm::ArrayRef<::mlir::OpFoldResult>":$slot,
    "::mlir::OpFoldResult":$peer, CArg<"::mlir::Attribute", "{}">:$team,
    CArg<"::mlir::OpFoldResult", "{}">:$weight, CArg<"bool", "false">:$relaxed)>];
  let extraClassDeclaration = [{ ::mlir::OpFoldResult getMixedWeight(); }];
  let hasVerifier = 1;
}

class Gin_ProbeOp<string mnemonic, list<Trait> traits = []>
    : Gin_CommOp<mnemonic, traits # [Gin_Slot]> {
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

    Lowers to `gin_wait`.

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
  let builders = [OpBuilder<(ins "::mlir::Value":$bank, "::llvm::ArrayRef<::mlir::OpFoldResult>":$slot,
    "::mlir::OpFoldResult":$count)>];
  let extraClassDeclaration = [{
    ::mlir::OpFoldResult getMixedCount();
    /// The time-out in nanoseconds, or null.
    ::mlir::OpFoldResult getMixedTimeout();
  }];
  let hasCanonicalizer = 1;
}

def Gin_TestOp : Gin_ProbeOp<"test", [AttrSizedOperandSegments]> {
  let summary = "asks whether arrivals have reached a count";
  let description = [{
    True if the slot has counted at least `count` above its base; a success acquires
    like a wait for that count, and counts as waited for. Lowers to `gin_test`.

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
  let extraClassDeclaration = [{ ::mlir::OpFoldResult getMixedCount(); }];
}

def Gin_ReadOp : Gin_ProbeOp<"read"> {
  let summary = "reads the count of a slot";
  let description = [{
    What the slot has counted above its base; acquires like a wait for that count,
    which counts as waited for. Lowers to `gin_read`.

    ```mlir
    %count = gin.read %s[%q] : !gin.signals<8>
    ```
  }];
  let arguments = (ins Gin_Signals:$bank, Variadic<Index>:$slot, DenseI64ArrayAttr:$static_slot);
  let results = (outs Index:$count);
  let assemblyFormat = [{
    $bank `` custom<DynamicIndexList>($slot, $static_slot) attr-dict `:` qualified(type($bank))
  }];
}

//===----------------------------------------------------------------------===//
// Local completion
//===----------------------------------------------------------------------===//

def Gin_AwaitOp : Gin_CommOp<"await"> {
  let summary = "waits for local completion";
  let description = [{
    Blocks until each token's operation is done: a put's source may be reused, a
    get's data is there. Never says that a put's bytes are visible to its peer.
    Lowers to `gin_await`.

    ```mlir
    gin.await %t, %u
    ```
  }];
  let arguments = (ins Variadic<Gin_Token>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
  let hasCanonicalizer = 1;
}

def Gin_FlushOp : Gin_CommOp<"flush"> {
  let summary = "waits for local completion of everything";
  let description = [{
    As `gin.await` of every earlier put and get of this agent. Lowers to `gin_flush`.

    ```mlir
    gin.flush
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasCanonicalizer = 1;
}

def Gin_ReadyTokenOp : Gin_Op<"ready_token", [Pure,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a token that is already done";
  let description = [{
    The initial value of a loop-carried token.

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

def Gin_BarrierOp : Gin_CommOp<"barrier"> {
  let summary = "a barrier of a team";
  let description = [{
    What precedes it on any member, loads and stores included, and the delivery to
    this rank of every earlier put of this launch on any context, comes before all
    that follows it here. Puts to third ranks are covered only by `global`, at the
    price of a second round. A pending get is not covered. All members must execute
    the same barriers in the same order. Lowers to `gin_barrier`.

    ```mlir
    gin.barrier
    gin.barrier global team #gin.team<row of ?x?>
    ```
  }];
  let arguments = (ins UnitAttr:$global, OptionalAttr<Gin_AnyTeam>:$team);
  let assemblyFormat = "(`global` $global^)? `` custom<Team>($team) attr-dict";
}

def Gin_SpecializeOp : Gin_Op<"specialize", [NoRegionArguments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"::gin::YieldOp">]> {
  let summary = "concurrent roles of one rank";
  let description = [{
    Each region is a role: an agent that is forked here and joined at the end. A role
    may state its share of the GPU, in CTAs or in warps of each CTA; without one the
    mapping chooses. Roles synchronise through signals to their own rank. Values from
    outside may be used; tokens may not (they do not leave their agent).

    **Constraints:** at least one role; names are not empty and differ; a role has CTAs or warps,
    not both, and at least 1.

    Lowers to `gin_fork`.

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

def Gin_YieldOp : Gin_Op<"yield", [Pure, Terminator, HasParent<"SpecializeOp">]> {
  let summary = "ends a role";
  let description = [{ Implicit: it is neither written nor printed. }];
  let assemblyFormat = "attr-dict";
}

#endif // GIN_OPS_TD
