//===- Accesses.cpp - footprints of ops -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// AccessOpInterface for gin's transfers and, by external models, for memref,
// linalg, vector and affine.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "dialect/Gin.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// The place of a peer's window that a block of shape `block` covers. Dynamic
/// extents are those of the block, which the op does not name as values.
template <typename OpTy>
static Access remoteAccess(OpTy op, AccessKind kind, ArrayRef<int64_t> block) {
  Access access{kind, op.getWindow(),    op.getMixedIndices(),
                {},   op.getMixedPeer(), op.getTeamAttr()};
  Builder builder(op.getContext());
  int64_t rank = access.offsets.size();
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t extent = getBlockExtent(block, rank, dim);
    access.sizes.push_back(ShapedType::isDynamic(extent)
                               ? OpFoldResult()
                               : builder.getIndexAttr(extent));
  }
  return access;
}

static ArrayRef<int64_t> shapeOf(Value memref) {
  return cast<MemRefType>(memref.getType()).getShape();
}

static Access wholeAccess(AccessKind kind, Value memref) {
  return {kind, memref, {}, {}, {}, {}};
}

void PutOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back(wholeAccess(AccessKind::Read, getSource()));
  accesses.push_back(remoteAccess(
      *this, getAccumulate() ? AccessKind::Atomic : AccessKind::Write,
      shapeOf(getSource())));
}

void PutValueOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back(remoteAccess(*this, AccessKind::Write, {}));
}

void GetOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back(
      remoteAccess(*this, AccessKind::Read, shapeOf(getTarget())));
  accesses.push_back(wholeAccess(AccessKind::Write, getTarget()));
}

void AtomicAddOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back(remoteAccess(*this, AccessKind::Atomic, {}));
}

//===----------------------------------------------------------------------===//
// External models
//===----------------------------------------------------------------------===//

/// One element of `memref` at `indices`.
static Access elementAccess(AccessKind kind, Value memref, ValueRange indices) {
  SmallVector<OpFoldResult> offsets(indices.begin(), indices.end());
  SmallVector<OpFoldResult> sizes(indices.size(),
                                  Builder(memref.getContext()).getIndexAttr(1));
  return {kind, memref, std::move(offsets), std::move(sizes), {}, {}};
}

namespace {
template <typename OpTy, AccessKind kind>
struct ElementModel
    : AccessOpInterface::ExternalModel<ElementModel<OpTy, kind>, OpTy> {
  void getAccesses(Operation *op, SmallVectorImpl<Access> &accesses) const {
    auto access = cast<OpTy>(op);
    accesses.push_back(
        elementAccess(kind, access.getMemRef(), access.getIndices()));
  }
};

struct AtomicModel
    : AccessOpInterface::ExternalModel<AtomicModel, memref::AtomicRMWOp> {
  void getAccesses(Operation *op, SmallVectorImpl<Access> &accesses) const {
    auto atomic = cast<memref::AtomicRMWOp>(op);
    accesses.push_back(elementAccess(AccessKind::Atomic, atomic.getMemref(),
                                     atomic.getIndices()));
  }
};

struct CopyModel : AccessOpInterface::ExternalModel<CopyModel, memref::CopyOp> {
  void getAccesses(Operation *op, SmallVectorImpl<Access> &accesses) const {
    auto copy = cast<memref::CopyOp>(op);
    accesses.push_back(wholeAccess(AccessKind::Read, copy.getSource()));
    accesses.push_back(wholeAccess(AccessKind::Write, copy.getTarget()));
  }
};

/// Affine accesses: their maps are applied by analyses that need the place;
/// here the whole memref stands for it.
template <typename OpTy, AccessKind kind>
struct AffineModel
    : AccessOpInterface::ExternalModel<AffineModel<OpTy, kind>, OpTy> {
  void getAccesses(Operation *op, SmallVectorImpl<Access> &accesses) const {
    accesses.push_back(wholeAccess(kind, cast<OpTy>(op).getMemRef()));
  }
};

/// A vector of the trailing dimensions, clipped by the memref's bounds at run
/// time. A permuted or masked transfer, or one of a memref of vectors, may
/// touch anything.
template <typename OpTy, AccessKind kind>
struct VectorModel
    : AccessOpInterface::ExternalModel<VectorModel<OpTy, kind>, OpTy> {
  void getAccesses(Operation *op, SmallVectorImpl<Access> &accesses) const {
    auto access = cast<OpTy>(op);
    Value base = access.getBase();
    if (!isa<MemRefType>(base.getType()))
      return;
    VectorType vector = access.getVectorType();
    bool plain =
        !isa<VectorType>(cast<MemRefType>(base.getType()).getElementType());
    if constexpr (std::is_same_v<OpTy, vector::TransferReadOp> ||
                  std::is_same_v<OpTy, vector::TransferWriteOp>)
      plain &=
          access.getPermutationMap().isMinorIdentity() && !access.getMask();
    if (!plain || vector.isScalable()) {
      accesses.push_back(wholeAccess(kind, base));
      return;
    }
    Access result = elementAccess(kind, base, access.getIndices());
    Builder builder(op->getContext());
    size_t leading = result.sizes.size() - vector.getRank();
    for (auto [dim, extent] : llvm::enumerate(vector.getShape()))
      result.sizes[leading + dim] = builder.getIndexAttr(extent);
    accesses.push_back(std::move(result));
  }
};

/// Elements that a mask or a vector of indices chooses.
template <typename OpTy, AccessKind kind>
struct ScatteredModel
    : AccessOpInterface::ExternalModel<ScatteredModel<OpTy, kind>, OpTy> {
  void getAccesses(Operation *op, SmallVectorImpl<Access> &accesses) const {
    Value base = cast<OpTy>(op).getBase();
    if (isa<MemRefType>(base.getType()))
      accesses.push_back(wholeAccess(kind, base));
  }
};

template <typename OpTy>
struct LinalgModel : AccessOpInterface::ExternalModel<LinalgModel<OpTy>, OpTy> {
  void getAccesses(Operation *op, SmallVectorImpl<Access> &accesses) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      if (linalgOp.payloadUsesValueFromOperand(&operand))
        accesses.push_back(wholeAccess(AccessKind::Read, operand.get()));
      if (linalgOp.isDpsInit(&operand))
        accesses.push_back(wholeAccess(AccessKind::Write, operand.get()));
    }
  }
};
} // namespace

template <typename... OpTys>
static void attachLinalg(MLIRContext *context) {
  (OpTys::template attachInterface<LinalgModel<OpTys>>(*context), ...);
}

void gin::registerAccessModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    memref::LoadOp::attachInterface<
        ElementModel<memref::LoadOp, AccessKind::Read>>(*context);
    memref::StoreOp::attachInterface<
        ElementModel<memref::StoreOp, AccessKind::Write>>(*context);
    memref::AtomicRMWOp::attachInterface<AtomicModel>(*context);
    memref::CopyOp::attachInterface<CopyModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, affine::AffineDialect *) {
    affine::AffineLoadOp::attachInterface<
        AffineModel<affine::AffineLoadOp, AccessKind::Read>>(*context);
    affine::AffineStoreOp::attachInterface<
        AffineModel<affine::AffineStoreOp, AccessKind::Write>>(*context);
    affine::AffineVectorLoadOp::attachInterface<
        AffineModel<affine::AffineVectorLoadOp, AccessKind::Read>>(*context);
    affine::AffineVectorStoreOp::attachInterface<
        AffineModel<affine::AffineVectorStoreOp, AccessKind::Write>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, vector::VectorDialect *) {
    vector::LoadOp::attachInterface<
        VectorModel<vector::LoadOp, AccessKind::Read>>(*context);
    vector::StoreOp::attachInterface<
        VectorModel<vector::StoreOp, AccessKind::Write>>(*context);
    vector::TransferReadOp::attachInterface<
        VectorModel<vector::TransferReadOp, AccessKind::Read>>(*context);
    vector::TransferWriteOp::attachInterface<
        VectorModel<vector::TransferWriteOp, AccessKind::Write>>(*context);
    vector::MaskedLoadOp::attachInterface<
        ScatteredModel<vector::MaskedLoadOp, AccessKind::Read>>(*context);
    vector::MaskedStoreOp::attachInterface<
        ScatteredModel<vector::MaskedStoreOp, AccessKind::Write>>(*context);
    vector::GatherOp::attachInterface<
        ScatteredModel<vector::GatherOp, AccessKind::Read>>(*context);
    vector::ScatterOp::attachInterface<
        ScatteredModel<vector::ScatterOp, AccessKind::Write>>(*context);
    vector::ExpandLoadOp::attachInterface<
        ScatteredModel<vector::ExpandLoadOp, AccessKind::Read>>(*context);
    vector::CompressStoreOp::attachInterface<
        ScatteredModel<vector::CompressStoreOp, AccessKind::Write>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachLinalg<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
        >(context);
  });
}
