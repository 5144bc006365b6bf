//===- GinDialect.td - the gin dialect ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_DIALECT_TD
#define GIN_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"

def Gin_Dialect : Dialect {
  let name = "gin";
  let summary = "GPU-initiated communication";
  let description = [{
    Programs in which every rank runs the same text and moves data itself:
    one-sided `put` and `get` into *windows*, `signal` and `wait` on *banks* of
    counts, next to ordinary `linalg`, `scf`, `arith`, `memref` and `vector`.

    A window is a memref in the memory space `#gin.window`: memory that every
    rank of a team registers. A rank's own part is used with ordinary ops; a
    remote place is named by a root window, offsets and a peer. Element type and
    all dimensions but the first agree on all ranks; the first may differ
    (`gin.window_dim`). Nothing allocates, frees or casts into the window space:
    windows come from function arguments (the pass `gin-verify` guards this).

    The memory model (docs/memory-model.md) says which accesses are ordered. In
    short: puts are unordered; a signal bundled with a put covers that put; a plain
    `gin.signal` covers the agent's earlier puts to the same peer on the same
    context and its earlier loads and stores; a wait is certain of what enough
    arrivals cover. Signals only grow: a wait counts above a base that is carried
    from launch to launch, and nothing is ever reset.

    Attributes of the dialect on arguments of functions:

    | attribute | on | meaning |
    |---|---|---|
    | `gin.name = "x"` | any | the name that tools use (default: the SSA name) |
    | `gin.source` | window | only its own rank touches it: any existing allocation |
    | `gin.scratch` | window | the launcher allocates it; contents do not outlive a launch for the host |
    | `gin.sizes = affine_map<()[ranks, …] -> (…)>` | scratch window, bank | one result for each `?`: symbol 0 is the number of ranks, the others are the dynamic sizes of the arguments that are not scratch, in order |
    | `gin.rights = #gin.rights<read, write, atomic>` | window | what other ranks may do (default: all) |

    and on functions:

    | attribute | meaning |
    |---|---|
    | `gin.run = {…}` | defaults of `ginc run`: sizes, arguments, reference (see docs/ginc.md) |
    | `gin.litmus = {…}` | what `ginc litmus` expects of the program (see docs/ginc.md) |
  }];
  let cppNamespace = "::gin";
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    void registerOperations();
  }];
}

#endif // GIN_DIALECT_TD
