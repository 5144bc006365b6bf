//===- GinInterfaces.td - interfaces of the gin dialect ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_INTERFACES_TD
#define GIN_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Gin_AccessOpInterface : OpInterface<"AccessOpInterface"> {
  let cppNamespace = "::gin";
  let description = [{
    Which memory an op touches itself (ops nested in it not included). Analyses
    that ask for footprints use this interface alone; `linalg`, `memref`, `vector`
    and `affine` implement it through external models
    (`gin::registerExternalModels`).

    An op that does not implement it and whose memory effects are not known to be
    none must be taken to access anything. Ops that only order accesses (`gin.signal`,
    `gin.wait`, …) implement it and have none.
  }];
  let methods = [
    InterfaceMethod<"Appends the accesses of the op; by default it has none.",
      "void", "getAccesses",
      (ins "::llvm::SmallVectorImpl<::gin::Access> &":$accesses), "", "(void)accesses;">
  ];
}

def Gin_RemoteOpInterface : OpInterface<"RemoteOpInterface"> {
  let cppNamespace = "::gin";
  let description = [{
    An op that is addressed to a peer of a team. Peers are relative to the team; a
    null team is the world.
  }];
  let methods = [
    InterfaceMethod<"The peer: a value of type index, or an integer attribute.",
      "::mlir::OpFoldResult", "getMixedPeer", (ins), "", [{
        if (auto literal = $_op.getStaticPeerAttr())
          return ::mlir::OpFoldResult(literal);
        return ::mlir::OpFoldResult($_op.getPeer());
      }]>,
    InterfaceMethod<"The team, or null.", "::mlir::Attribute", "getTeamOrNull",
      (ins), "", [{ return $_op.getTeamAttr(); }]>
  ];
}

def Gin_SlotOpInterface : OpInterface<"SlotOpInterface"> {
  let cppNamespace = "::gin";
  let description = [{
    An op that names a slot of a bank: one that adds to it (on the op's peer) or one
    that looks at it (on the own rank). A put without a bundled signal has no bank.
  }];
  let methods = [
    InterfaceMethod<"The bank, or null.", "::mlir::Value", "getBankOrNull", (ins), "",
      [{ return $_op.getBank(); }]>,
    InterfaceMethod<"The slot's indices, values of type index or integer attributes.",
      "::llvm::SmallVector<::mlir::OpFoldResult>", "getMixedSlot", (ins), "", [{
        ::mlir::Builder b($_op.getContext());
        return ::mlir::getMixedValues($_op.getStaticSlot(), $_op.getSlot(), b);
      }]>
  ];
}

#endif // GIN_INTERFACES_TD
