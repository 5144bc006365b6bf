//===- GinTypes.td - types of the gin dialect --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_TYPES_TD
#define GIN_TYPES_TD

include "dialect/GinAttrs.td"

class Gin_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Gin_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Gin_Signals : Gin_Type<"Signals", "signals"> {
  let summary = "a bank of signals";
  let description = [{
    An array of 64-bit counts of each rank: remote (or own) agents add to a slot,
    only agents of its rank wait on it. A slot is named by one index for each
    dimension, so that (source, chunk) can be a pair. `?` extents are given by the
    argument's `gin.sizes`. Banks come from function arguments only.

    ```mlir
    !gin.signals<8>
    !gin.signals<?x?>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
  }];
}

def Gin_Token : Gin_Type<"Token", "token"> {
  let summary = "local completion of a put or get";
  let description = [{
    May be awaited any number of times, none included. A put's token says that its
    source may be reused, a get's that its data is there; neither says anything
    about remote visibility. Tokens do not leave their agent or function.
  }];
}

/// Elements that can be moved: one of 8, 16, 32 or 64 bits.
def Gin_Element : AnyTypeOf<[I8, I16, I32, I64, F16, BF16, F32, F64, F8E4M3FN, F8E5M2],
    "an integer of 8 to 64 bits, f16, bf16, f32, f64, f8E4M3FN or f8E5M2">;

/// What fits into a 64-bit word.
def Gin_Scalar : TypeConstraint<CPred<
    "$_self.isIndex() || ($_self.isIntOrFloat() && $_self.getIntOrFloatBitWidth() <= 64)">,
    "an index, or an integer or float of at most 64 bits">;

class Gin_MemRefIn<string space, string what> : ConfinedType<MemRefOf<[Gin_Element]>, [
    CPred<"::llvm::isa_and_nonnull<::gin::" # space # "Attr>("
          "::llvm::cast<::mlir::MemRefType>($_self).getMemorySpace())">], what>;
def Gin_Window : Gin_MemRefIn<"Window",
    "a memref in the memory space #gin.window, of a supported element type">;
def Gin_PeerMemRef : Gin_MemRefIn<"Peer",
    "a memref in the memory space #gin.peer, of a supported element type">;

/// The whole of a window: what names a remote place.
def Gin_RootWindow : ConfinedType<Gin_Window, [
    CPred<"::llvm::cast<::mlir::MemRefType>($_self).getLayout().isIdentity()">],
    "a whole window (a memref in #gin.window with the identity layout; name a part by offsets, not by a subview)">;

#endif // GIN_TYPES_TD
