//===- GinCollectiveOps.td - collective level --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_COLLECTIVE_OPS_TD
#define GIN_COLLECTIVE_OPS_TD

include "dialect/GinOpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"

/// A window, or a tensor of a supported element type (embedding; bufferises to a
/// window where the tensor's encoding is #gin.window).
def Gin_CollectiveOperand : AnyTypeOf<[Gin_Window, RankedTensorOf<[Gin_Element]>],
    "a memref in #gin.window or a ranked tensor, of a supported element type">;

/// All members of the team must execute the same collectives in the same order.
/// On return the own result is complete and the own inputs may be reused; the op
/// also begins with a barrier of its team, since it writes into its peers'
/// results.
class Gin_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Gin_Op<mnemonic, traits # [DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

class Gin_SimpleCollectiveOp<string mnemonic> : Gin_CollectiveOp<mnemonic> {
  let arguments = (ins Gin_CollectiveOperand:$input, Gin_CollectiveOperand:$init,
                       OptionalAttr<Gin_AnyTeam>:$team);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $input `into` $init `` custom<Team>($team) attr-dict
    `:` type($input) `into` type($init) (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
  }];
}

class Gin_ReducingCollectiveOp<string mnemonic> : Gin_CollectiveOp<mnemonic> {
  let arguments = (ins Gin_ReduceKindAttr:$kind, Gin_CollectiveOperand:$input,
                       Gin_CollectiveOperand:$init, OptionalAttr<Gin_AnyTeam>:$team);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    custom<ReduceKind>($kind) $input `into` $init `` custom<Team>($team) attr-dict
    `:` type($input) `into` type($init) (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
  }];
}

def Gin_AllGatherOp : Gin_SimpleCollectiveOp<"all_gather"> {
  let summary = "every rank gets every rank's input";
  let description = [{
    `init[q, …] = input[…] of rank q`: the result has the input's shape with the
    number of ranks before it.

    Begins with a barrier of the team; all members must execute the same collectives
    in the same order. On return the own result is complete and the own input may be
    reused.

    **Constraints:** all operands are windows, or all are tensors, and there is a
    result for tensors; `init` is a whole window; shapes agree as above, the team's
    number of ranks included; one element type. Where shapes are not static, a run that
    violates this ends with an error of the op before anything is sent; there, the
    leading dimension may be larger than a team of a grid with `?`.

    Effects on windows: reads `input`, writes `init`; on windows and tensors alike,
    reads and writes unnamed memory, since other ranks take part. Lowers to
    program-level ops, by `gin-decompose-collectives`.

    ```mlir
    gin.all_gather %x into %all
      : memref<5x7xf32, #gin.window> into memref<?x5x7xf32, #gin.window>
    ```
  }];
}

def Gin_AllToAllOp : Gin_SimpleCollectiveOp<"all_to_all"> {
  let summary = "every rank gets its block of every rank's input";
  let description = [{
    `init[q, …] = input[me, …] of rank q`: both have one shape, whose leading
    dimension is the number of ranks.

    Begins with a barrier of the team; all members must execute the same collectives
    in the same order. On return the own result is complete and the own input may be
    reused.

    **Constraints:** those of `gin.all_gather`; `init` is another window than `input`.

    Effects on windows: reads `input`, writes `init`; on windows and tensors alike,
    reads and writes unnamed memory, since other ranks take part. Lowers to
    program-level ops, by `gin-decompose-collectives`.

    ```mlir
    gin.all_to_all %x into %y
      : memref<?x5xf32, #gin.window> into memref<?x5xf32, #gin.window>
    ```
  }];
}

def Gin_AllReduceOp : Gin_ReducingCollectiveOp<"all_reduce"> {
  let summary = "every rank gets the sum of all inputs";
  let description = [{
    `init[…] = op over q of input[…] of rank q`, op being `sum`, `prod`, `max` or
    `min`. The order of the combination is that of the algorithm that
    `gin-decompose-collectives` chooses, the same on all ranks for each element; so
    all ranks get the same bits, and floating-point results differ between
    algorithms by rounding. Input and init may be the same window.

    Begins with a barrier of the team; all members must execute the same collectives
    in the same order. On return the own result is complete and the own input may be
    reused.

    **Constraints:** those of `gin.all_gather`; input and result have one shape.

    Effects on windows: reads `input`, writes `init`; on windows and tensors alike,
    reads and writes unnamed memory, since other ranks take part. Lowers to
    program-level ops, by `gin-decompose-collectives`.

    ```mlir
    gin.all_reduce sum %x into %y
      : memref<13xf32, #gin.window> into memref<13xf32, #gin.window>
    ```
  }];
}

def Gin_ReduceScatterOp : Gin_ReducingCollectiveOp<"reduce_scatter"> {
  let summary = "every rank gets the sum of its block of all inputs";
  let description = [{
    `init[…] = op over q of input[me, …] of rank q`: the input has the result's shape
    with the number of ranks before it. Kinds and rounding are those of
    `gin.all_reduce`.

    Begins with a barrier of the team; all members must execute the same collectives
    in the same order. On return the own result is complete and the own input may be
    reused.

    **Constraints:** those of `gin.all_gather`; `init` is another window than `input`.

    Effects on windows: reads `input`, writes `init`; on windows and tensors alike,
    reads and writes unnamed memory, since other ranks take part. Lowers to
    program-level ops, by `gin-decompose-collectives`.

    ```mlir
    gin.reduce_scatter sum %x into %y
      : memref<?x5xf32, #gin.window> into memref<5xf32, #gin.window>
    ```
  }];
}

def Gin_DispatchOp : Gin_CollectiveOp<"dispatch"> {
  let summary = "sends each token to the experts that it chose";
  let description = [{
    Mixture of experts, first half. Token t of T on each rank has H elements,
    `tokens : T×H`, and chooses K experts, `experts : T×K` (global numbers, i32 or
    i64; a number that is negative or past the last expert chooses none). Rank p holds the E experts p·E … p·E + E − 1.

    On return, on the rank of expert e (local number l): `received[q, l, c, …]` for
    c < `counts[q, l]` are the tokens of rank q that chose e, in the order of their
    (t, k), and `positions[t, k]` is the c at which the pair was placed. `received :
    ranks×E×C×H`, `counts : ranks×E` (i32), `positions : T×K` (i32).

    Capacity and overflow: at most C tokens of each source for each expert. Further
    ones are dropped: they are not sent, and their position is −1. What lies beyond
    `counts` in `received` is unspecified.

    **Constraints:** all operands are windows, or all are tensors, and there are three
    results for tensors; what is written is a whole window and no other operand; shapes
    agree as above, in a run where they are not static; `received` has the tokens'
    element type.

    Effects on windows: reads the inputs, writes the others; on windows and tensors
    alike, reads and writes unnamed memory. Begins with a barrier of the team. Lowers
    to program-level ops, by `gin-decompose-collectives`.

    ```mlir
    gin.dispatch %x, %experts into %recv, %counts, %pos
      : memref<?x64xf32, #gin.window>, memref<?x2xi32, #gin.window>
        into memref<?x2x16x64xf32, #gin.window>, memref<?x2xi32, #gin.window>,
             memref<?x2xi32, #gin.window>
    ```
  }];
  let arguments = (ins Gin_CollectiveOperand:$tokens, Gin_CollectiveOperand:$experts,
    Gin_CollectiveOperand:$received, Gin_CollectiveOperand:$counts,
    Gin_CollectiveOperand:$positions, OptionalAttr<Gin_AnyTeam>:$team);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $tokens `,` $experts `into` $received `,` $counts `,` $positions `` custom<Team>($team) attr-dict
    `:` type($tokens) `,` type($experts) `into` type($received) `,` type($counts) `,` type($positions)
    (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(getOperation(), 2, 3);
    }
  }];
}

def Gin_CombineOp : Gin_CollectiveOp<"combine"> {
  let summary = "returns the experts' results to their tokens";
  let description = [{
    Mixture of experts, second half. `outputs : ranks×E×C×H` holds, on the rank of an
    expert, the result for what `gin.dispatch` placed there; `experts` and
    `positions` are those of the dispatch, `weights : T×K` has the tokens' element
    type. On return `init[t, …] = Σ over k of weights[t, k] · (result of expert
    experts[t, k] for t)`, in the order of k; pairs that were dropped or chose none
    add nothing, and a token with no pair left is 0.

    **Constraints:** those of `gin.dispatch`, with one result for tensors.

    Effects on windows: reads the inputs, writes the others; on windows and tensors
    alike, reads and writes unnamed memory. Begins with a barrier of the team. Lowers
    to program-level ops, by `gin-decompose-collectives`.

    ```mlir
    gin.combine %out, %experts, %pos, %weights into %y
      : memref<?x2x16x64xf32, #gin.window>, memref<?x2xi32, #gin.window>,
        memref<?x2xi32, #gin.window>, memref<?x2xf32, #gin.window>
        into memref<?x64xf32, #gin.window>
    ```
  }];
  let arguments = (ins Gin_CollectiveOperand:$outputs, Gin_CollectiveOperand:$experts,
    Gin_CollectiveOperand:$positions, Gin_CollectiveOperand:$weights,
    Gin_CollectiveOperand:$init, OptionalAttr<Gin_AnyTeam>:$team);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $outputs `,` $experts `,` $positions `,` $weights `into` $init `` custom<Team>($team) attr-dict
    `:` type($outputs) `,` type($experts) `,` type($positions) `,` type($weights) `into` type($init)
    (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
  }];
}

#endif // GIN_COLLECTIVE_OPS_TD
