//===- GinRankOps.td - who and where a rank is -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_RANK_OPS_TD
#define GIN_RANK_OPS_TD

include "dialect/GinOpBase.td"

def Gin_RankIdOp : Gin_RankOp<"rank", [Pure]> {
  let summary = "the calling rank";
  let description = [{
    The number of the calling rank in the team (default: the world), from 0 to the
    team's number of ranks less one.

    Pure. Lowers to `gin_rank`.

    ```mlir
    %me = gin.rank
    %local = gin.rank team lsa
    ```
  }];
  let arguments = (ins OptionalAttr<Gin_AnyTeam>:$team);
  let results = (outs Index:$result);
  let assemblyFormat = "`` custom<Team>($team) attr-dict";
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}

def Gin_NumRanksOp : Gin_RankOp<"num_ranks", [Pure]> {
  let summary = "the number of ranks of a team";
  let description = [{
    At least 1, and the same on all members. Folds to a constant where the team's
    extents are static.

    Pure. Lowers to `gin_num_ranks`.

    ```mlir
    %n = gin.num_ranks
    %columns = gin.num_ranks team row of ?x?
    ```
  }];
  let arguments = (ins OptionalAttr<Gin_AnyTeam>:$team);
  let results = (outs Index:$result);
  let assemblyFormat = "`` custom<Team>($team) attr-dict";
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}

def Gin_NeighborOp : Gin_RankOp<"neighbor", [Pure]> {
  let summary = "the rank at a distance on the ring of a team";
  let description = [{
    (rank + `distance`) mod n, n being the team's number of ranks; the result counts
    from 0 for a negative distance too. Analyses take the modulo for a piecewise
    affine fact, which they could not do for `arith.remsi`. Neighbour 0 is the rank
    itself.

    **Constraints:** the distance is either a value or a literal.

    Pure. Lowers to `gin_rank`, `gin_num_ranks` and arithmetic.

    ```mlir
    %right = gin.neighbor 1
    %left = gin.neighbor -1
    %p = gin.neighbor %k team row of ?x?
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

def Gin_CoordsOp : Gin_RankOp<"coords", [Pure, InferTypeOpAdaptor]> {
  let summary = "the calling rank's coordinates on a grid";
  let description = [{
    One result for each dimension of the grid, each from 0 to its extent less one.
    Ranks are numbered in row-major order: the last coordinate runs fastest.

    Pure. Lowers to one `gin_coord` for each result.

    ```mlir
    %i, %j = gin.coords #gin.grid<?x?>
    ```
  }];
  let arguments = (ins Gin_GridAttr:$grid);
  let results = (outs Variadic<Index>:$coordinates);
  let assemblyFormat = "qualified($grid) attr-dict";
}

def Gin_WindowDimOp : Gin_RankOp<"window_dim", [NoMemoryEffect, Gin_Remote,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "an extent of a peer's part of a window";
  let description = [{
    The extent of dimension `dim` of the part that `peer` has of `window`, in
    elements. Only dimension 0 may differ between ranks; the others are those of the
    own part, and a static extent is the same on all ranks. A peer that is not in
    the team ends the run with an error.

    **Constraints:**
    - `window` is a whole window, and `dim` one of its dimensions
    - the peer is either a value or a literal; a literal is at least 0 and below the
      team's number of ranks where that is static

    No effects. May be speculated only where the peer is known to be in the team: it
    is the rank itself or a neighbour of it, or a literal below a static number of
    ranks. Lowers to `gin_window_dim`.

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
  let hasCanonicalizer = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Gin_LaunchOp : Gin_RankOp<"launch", [Pure]> {
  let summary = "the number of earlier launches of this program";
  let description = [{
    0 in the first launch; equal on all ranks. Buffers and slots can alternate by
    it (`launch` mod m). Kept beside the banks' bases, so that it is right under
    graph replay.

    Pure. Lowers to `gin_launch`.

    ```mlir
    %k = gin.launch
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

#endif // GIN_RANK_OPS_TD
