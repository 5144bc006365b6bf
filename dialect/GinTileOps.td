//===- GinTileOps.td - tile loops of one rank --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_TILE_OPS_TD
#define GIN_TILE_OPS_TD

include "dialect/GinOpBase.td"

def Gin_MatmulOp : Gin_CommOp<"matmul", [AttrSizedOperandSegments, Gin_Accesses,
                                         SingleBlockImplicitTerminator<"::gin::YieldOp">]> {
  let summary = "a product, tile by tile, with communication in between";
  let description = [{
    `c[p] = a[p] b` for each part p: `a` is parts x m x k or, for one part, m x k; `b`
    is k x n, or n x k if `transposed`; `c` is parts x m x n or m x n. The tiles of `c`
    are computed by agents that are forked here, a number that the executor chooses,
    and joined at the end; each computes some tiles, in their order. Regions say what
    an agent does in between, as ops on its own thread of control:

    - `acquire(%part, %row, %k)`, before each step of k, before it reads rows from
      `%row` on of `a[%part]`, as many as a tile has, from `%k` on for a step: where it
      waits for what has been sent. All steps may be acquired before the first is
      multiplied.
    - `reserve(%part, %row, %column)`, before it writes the tile that begins there:
      where it waits until its place is free.
    - `publish(%part, %row, %column)`, after it has written the tile. A `gin.signal` in
      it covers the tile.

    `on parts`: `c` is a window of m x n, and part p goes to rank p of the world, as
    puts of the agents; a `gin.signal` after the op covers them all. With
    `accumulate` the product is added to what is there: each element atomically, if
    `on parts`.

    Sums are kept in f32 (of f64 in f64, of integers in the output's type) and rounded
    once. Parts follow each other from `from` on (any number, default 0), round about; with
    `alternating` their tiles take turns, so that a link is busy all the time.
    `tiles` are rows, columns and the step of k, by default `[128, 256, 64]`.

    **Groups.** If `b` has a third dimension, groups x k x n, part p is multiplied by the
    matrix of its group: element p of `groups`, or without that p modulo the number of
    groups, as where parts are slots for (source, expert). A part whose group is none
    of `b`'s, such as -1, has no product.

    `rows` says how many rows each part has, at most m, which is room: `c[p]` has as
    many, and what is behind them is not written (less than 0 means 0, more than m
    means m). Both operands are data, and are read when a tile needs them: after its
    `acquire` at k = 0, which is so called for each tile, even if there is no k, and may
    wait for what they say. A tile that begins behind the last row, or has no group, ends
    there: no other region is called for it.

    The level of schedules: kernels take tiles of 128 rows, 64, 128, 192, 224 or 256
    columns, and steps of 64; operands that are whole arguments of the entry function;
    at most 16 parts (65535 with `rows`, `groups` or a `b` of groups); and the op in the
    rank's body or a role of CTAs. f16 and bf16 use tensor cores.

    **Constraints:** shapes agree as above; `a` and `b` have one element type, signless
    integers of 8 bits and more or floats, and `c` the same or a wider one, or f16 or bf16 for each other; `on parts`
    needs a whole window as `c`, and parts in `a`; `rows` and a `b` of groups need parts
    in `a`, and are not for `on parts`: send tiles in `publish`; `rows` and `groups` have
    an element for each part; `groups` needs a `b` of groups; three positive tile sizes.

    Effects: reads `a`, `b`, `rows` and `groups`, writes `c`; reads and writes unnamed memory. Orders what
    precedes it before its agents, and them before what follows. Lowers to loops by
    `gin-expand-tiles`; in kernels to `gin::matmul`.

    ```mlir
    gin.matmul %x, %b into %y from %me
      acquire(%shard, %row, %step) {
        gin.wait %s[%shard] >= 1 : !gin.signals<?>
      } : memref<?x?x?xbf16, #gin.window>, memref<?x?xbf16> into memref<?x?x?xf32>
    gin.matmul %x, %b into %sum on parts accumulate from %p alternating tiles [128, 192, 64]
      : memref<?x?x?xbf16, #gin.window>, memref<?x?xbf16> into memref<?x?xbf16, #gin.window>
    gin.matmul %x, %experts into %y rows %counts
      acquire(%slot, %row, %step) {
        gin.wait %s[%slot] >= 1 : !gin.signals<?>
      } : memref<?x?x?xbf16, #gin.window>, memref<4x?x?xbf16> into memref<?x?x?xf32>
        rows memref<?xi32, #gin.window>
    ```
  }];
  let arguments = (ins
    Arg<AnyMemRef, "parts of the left factor", [MemRead]>:$a,
    Arg<AnyMemRef, "right factor", [MemRead]>:$b,
    Arg<AnyMemRef, "products", [MemWrite]>:$c,
    Arg<Optional<MemRefRankOf<[Index, I32, I64], [1]>>, "rows of each part", [MemRead]>:$rows,
    Arg<Optional<MemRefRankOf<[Index, I32, I64], [1]>>, "group of each part", [MemRead]>:$groups,
    UnitAttr:$remote, UnitAttr:$accumulate, UnitAttr:$transposed,
    Optional<Index>:$first, UnitAttr:$alternating, OptionalAttr<DenseI64ArrayAttr>:$tiles,
    // Of the kernel level: the blocks that compute.
    Optional<Index>:$firstBlock, Optional<Index>:$numBlocks);
  let regions = (region MaxSizedRegion<1>:$acquire, MaxSizedRegion<1>:$reserve,
                        MaxSizedRegion<1>:$publish,
                        // Of the kernel level: what a spare warp of each block does.
                        MaxSizedRegion<1>:$spare);
  let assemblyFormat = [{
    $a `,` $b `into` $c (`rows` $rows^)? (`groups` $groups^)? (`on` `parts` $remote^)? (`accumulate` $accumulate^)?
    (`transposed` $transposed^)? (`from` $first^)? (`alternating` $alternating^)?
    (`tiles` $tiles^)? (`blocks` $firstBlock^ `count` $numBlocks)?
    custom<TileRegions>($acquire, $reserve, $publish, $spare)
    attr-dict `:` type($a) `,` type($b) `into` type($c)
    (`rows` type($rows)^)? (`groups` type($groups)^)?
  }];
  let extraClassDeclaration = [{
    static constexpr int64_t defaultTiles[] = {128, 256, 64};
    /// Rows, columns and the step of k.
    ::llvm::ArrayRef<int64_t> getTileSizes() {
      return getTiles() ? *getTiles() : ::llvm::ArrayRef<int64_t>(defaultTiles);
    }
    /// Whether `a` has parts.
    bool hasParts() {
      return ::llvm::cast<::mlir::MemRefType>(getA().getType()).getRank() == 3;
    }
    /// Whether `b` has groups.
    bool hasGroups() {
      return ::llvm::cast<::mlir::MemRefType>(getB().getType()).getRank() == 3;
    }
    /// Whether what a tile computes depends on data: its rows, or its matrix.
    bool isRagged() { return getRows() || hasGroups(); }
    /// The element type of the sums.
    ::mlir::Type getSumType();
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Gin_PaceOp : Gin_SyncOp<"pace"> {
  let summary = "goes on no sooner than some time after the last time";
  let description = [{
    Of an agent that sends beside others that compute: at least `interval` nanoseconds
    pass from one execution to the next by the same threads. Has no meaning but time;
    where time is simulated it does nothing.

    **Constraints:** `interval` is at least 0.

    Effects: reads and writes unnamed memory. Orders nothing. Lowers to `gin::pace`.

    ```mlir
    gin.pace 4000
    ```
  }];
  let arguments = (ins I64Attr:$interval);
  let assemblyFormat = "$interval attr-dict";
  let hasVerifier = 1;
}

#endif // GIN_TILE_OPS_TD
