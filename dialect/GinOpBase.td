//===- GinOpBase.td - what the ops of the gin dialect share -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_OP_BASE_TD
#define GIN_OP_BASE_TD

include "dialect/GinTypes.td"
include "dialect/GinInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Gin_Op<string mnemonic, list<Trait> traits = []>
    : Op<Gin_Dialect, mnemonic, traits>;

/// An op that communicates. Read and Write of the default resource without a
/// value keep upstream passes from deleting, merging or moving it across other
/// memory accesses: with less, canonicalisation deletes a wait, CSE merges two
/// tests and store forwarding deletes the store before a signal.
class Gin_CommOp<string mnemonic, list<Trait> traits = []>
    : Gin_Op<mnemonic, traits # [MemoryEffects<[MemRead, MemWrite]>]>;

/// One that orders accesses and touches no memory itself.
class Gin_SyncOp<string mnemonic, list<Trait> traits = []>
    : Gin_CommOp<mnemonic, traits # [Gin_AccessOpInterface]>;

/// An op suggests names for its results.
def Gin_NamesResults : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;

/// An op about ranks, without effects. It names its result and knows its range.
class Gin_RankOp<string mnemonic, list<Trait> traits = []>
    : Gin_Op<mnemonic, traits # [Gin_NamesResults,
        DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>]>;

def Gin_Remote : DeclareOpInterfaceMethods<Gin_RemoteOpInterface>;
def Gin_Slot : DeclareOpInterfaceMethods<Gin_SlotOpInterface>;
def Gin_Accesses : DeclareOpInterfaceMethods<Gin_AccessOpInterface, ["getAccesses"]>;

#endif // GIN_OP_BASE_TD
