//===- GinTransferOps.td - one-sided transfers -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_TRANSFER_OPS_TD
#define GIN_TRANSFER_OPS_TD

include "dialect/GinOpBase.td"

def Gin_PutOp : Gin_CommOp<"put", [AttrSizedOperandSegments, Gin_Remote, Gin_Slot,
                                   Gin_Accesses, Gin_NamesResults]> {
  let summary = "non-blocking one-sided write";
  let description = [{
    Copies the block `source` into `window` of `peer` at `indices` (in elements, one
    for each dimension). The block's dimensions align with the window's last ones; it
    must lie inside the *peer's* part, or the run ends with an error.

    The op only issues. The source is read at any time until the put is done: it
    must not be written before the token is awaited or a flush. Bytes are delivered
    in any pieces and any order, unordered with every other put. `signal` bundles an
    arrival of weight `add` (default 1) that comes after all bytes of *this* put, and
    says nothing about others. A put of zero elements still signals.

    With `accumulate`, delivery adds elementwise and atomically; accumulating
    deliveries do not race with each other, and floating-point sums are
    reassociated.

    A put onto its own source is a no-op that still signals; a partial overlap is an
    error.

    **Constraints:**
    - `source` and `window` have the same element type; `window` is a whole window
    - as many indices as the window has dimensions, none of them negative; the
      source has no more dimensions than the window
    - static extents fit: index + extent ≤ the window's extent
    - the peer, a value or a literal, is at least 0 and below a static number of ranks
    - `context` (default 0) is at least 0
    - as many slot indices as the bank has dimensions, literals in range; the weight
      is at least 1 and below 2^63

    Effects: reads `source`, and reads and writes unnamed memory. Orders nothing by
    itself: a bundled signal, a later `gin.signal` or a barrier does, and the token
    orders the source's reuse. Lowers to `gin_put`.

    ```mlir
    gin.put %row into %w[%me, 0] on %p signal %s[%me] add 1
      : memref<128xf32, #gin.window> into memref<?x128xf32, #gin.window>, !gin.signals<8>
    %t = gin.put %row into %w[%me, 0] on %p -> !gin.token
      : memref<128xf32, #gin.window> into memref<?x128xf32, #gin.window>
    gin.put %row into %w[%me, 0] on 0 team lsa context 1 accumulate
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
    attr-dict `:` type($source) `into` type($window) `` custom<BankType>(ref($bank), type($bank))
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

def Gin_PutValueOp : Gin_CommOp<"put_value", [AttrSizedOperandSegments, Gin_Remote, Gin_Slot,
                                              Gin_Accesses, Gin_NamesResults]> {
  let summary = "non-blocking one-sided write of a scalar";
  let description = [{
    Writes `value` to one element of `window` of `peer`, at `indices`. The value is
    read at issue, so there is no source to keep, and delivered whole: an element of
    at most 8 bytes, naturally aligned. Ordering, signal and token are those of
    `gin.put`.

    **Constraints:** those of `gin.put`; `value` has the window's element type.

    Effects: reads and writes unnamed memory. Orders nothing by itself. Lowers to
    `gin_put_value`.

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
    attr-dict `:` type($value) `into` type($window) `` custom<BankType>(ref($bank), type($bank))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$window,
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

def Gin_GetOp : Gin_CommOp<"get", [AttrSizedOperandSegments, Gin_Remote, Gin_Accesses,
                                   Gin_NamesResults]> {
  let summary = "non-blocking one-sided read";
  let description = [{
    Copies a block of `window` of `peer`, at `indices` (in elements) and of `target`'s
    shape, into `target`. Remote read and local write happen at any time until the
    get is done: the data is there after `gin.await` of the token or a `gin.flush`,
    and neither a signal nor a barrier covers a pending get.

    **Constraints:** those of `gin.put`, `target` standing for the source.

    Effects: writes `target`, and reads and writes unnamed memory. Orders nothing by
    itself. Lowers to `gin_get`.

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
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def Gin_AtomicAddOp : Gin_CommOp<"atomic_add", [AttrSizedOperandSegments, Gin_Remote, Gin_Accesses]> {
  let summary = "remote atomic addition";
  let description = [{
    Adds `value` to one element of `window` of `peer`, at `indices`: a relaxed atomic
    at system scope through any transport. For the memory model it is a put whose
    addition is its delivery: unordered with others, covered by a later `gin.signal`
    to the peer or a barrier.

    **Constraints:** those of `gin.put`; `value` has the window's element type.

    Effects: reads and writes unnamed memory. Orders nothing by itself. Lowers to
    `gin_atomic_add`.

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
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$window,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$indices, "::mlir::OpFoldResult":$peer,
    "const ::gin::RemoteOptions &":$options)>];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedIndices();
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def Gin_PeerViewOp : Gin_Op<"peer_view", [NoMemoryEffect, Gin_Remote, Gin_NamesResults]> {
  let summary = "a peer's part of a window as a memref";
  let description = [{
    Loads and stores through the view go to the peer's memory, and
    `memref.atomic_rmw` through it is a relaxed atomic at system scope. LSA only: a
    peer whose memory cannot be loaded and stored ends the run with an error. For the
    memory model they are loads and stores like own ones. The view's first extent is
    the peer's.

    **Constraints:**
    - `window` is a whole window; the view differs from it in the memory space only
    - the peer is either a value or a literal, at least 0 and below a static number
      of ranks

    No effects. Not view-like on purpose: upstream alias analyses would take the view
    for the own part. Not speculatable, since the peer may be out of range. Orders
    nothing. Lowers to `gin_peer_view`.

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
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

#endif // GIN_TRANSFER_OPS_TD
