//===- LowerVectors.cpp - progressive lowering of vector ops ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/target/Vectors.h"

#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace gin {
#define GEN_PASS_DEF_LOWERVECTORS
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;

/// Masks go first: transfers need to know theirs when they become loops.
static void populateMasksAndTransfers(RewritePatternSet &patterns) {
  vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
  populateVectorToSCFConversionPatterns(patterns);
}

static void populateRest(RewritePatternSet &patterns) {
  using namespace vector;
  populateVectorToVectorCanonicalizationPatterns(patterns);
  populateVectorBitCastLoweringPatterns(patterns);
  populateVectorBroadcastLoweringPatterns(patterns);
  populateVectorContractLoweringPatterns(patterns,
                                         VectorContractLowering::OuterProduct);
  populateVectorOuterProductLoweringPatterns(patterns);
  populateVectorMultiReductionLoweringPatterns(
      patterns, VectorMultiReductionLowering::InnerReduction);
  populateVectorMaskOpLoweringPatterns(patterns);
  populateVectorShapeCastLoweringPatterns(patterns);
  populateVectorInterleaveLoweringPatterns(patterns);
  populateVectorTransposeLoweringPatterns(patterns,
                                          VectorTransposeLowering::Shuffle1D);
  populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
  populateVectorMaskMaterializationPatterns(patterns,
                                            /*force32BitVectorIndices=*/false);
  populateVectorInsertExtractStridedSliceTransforms(patterns);
  populateVectorScanLoweringPatterns(patterns);
  populateVectorStepLoweringPatterns(patterns);
  populateVectorRankReducingFMAPattern(patterns);
  populateVectorGatherLoweringPatterns(patterns);
}

//===----------------------------------------------------------------------===//
// Unrolling
//===----------------------------------------------------------------------===//

/// By the name of the vector.
static Value elementOf(OpBuilder &builder, Value vector, int64_t number) {
  return builder.createOrFold<vector::ExtractOp>(vector.getLoc(), vector,
                                                 number);
}

static SmallVector<Value> elementsOf(OpBuilder &builder, Value vector) {
  SmallVector<Value> elements;
  for (int64_t i = 0; i < cast<VectorType>(vector.getType()).getDimSize(0); ++i)
    elements.push_back(elementOf(builder, vector, i));
  return elements;
}

/// Whether it has a known number of elements, one after the other.
static bool isLine(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 1 && !vector.isScalable();
}

/// What `op` does, with scalars.
static Operation *createScalar(OpBuilder &builder, Operation *op,
                               TypeRange types, ValueRange operands) {
  // These take vectors alone.
  if (isa<vector::FMAOp>(op))
    return math::FmaOp::create(builder, op->getLoc(), types, operands);
  if (isa<vector::BitCastOp>(op))
    return arith::BitcastOp::create(builder, op->getLoc(), types, operands);
  return clone(builder, op, types, operands);
}

namespace {
/// Upstream has no such pattern: its unrolling ends in vectors of one element.
struct UnrollElementwise : RewritePattern {
  explicit UnrollElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    bool mapsElements =
        isa<vector::BitCastOp>(op) || OpTrait::hasElementwiseMappableTraits(op);
    if (!mapsElements || !gin::needsScalars(op) ||
        !llvm::all_of(op->getResultTypes(), isLine))
      return rewriter.notifyMatchFailure(op, "kernels have it");
    Location loc = op->getLoc();
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(getElementTypeOrSelf(type));
    SmallVector<SmallVector<Value>> results(op->getNumResults());
    auto size = cast<VectorType>(op->getResult(0).getType()).getDimSize(0);
    for (int64_t i = 0; i < size; ++i) {
      SmallVector<Value> operands(op->getOperands());
      for (Value &operand : operands)
        if (isa<VectorType>(operand.getType()))
          operand = elementOf(rewriter, operand, i);
      Operation *scalar = createScalar(rewriter, op, types, operands);
      for (auto [elements, result] : llvm::zip(results, scalar->getResults()))
        elements.push_back(result);
    }
    SmallVector<Value> vectors;
    for (auto [type, elements] : llvm::zip(op->getResultTypes(), results))
      vectors.push_back(
          vector::FromElementsOp::create(rewriter, loc, type, elements));
    rewriter.replaceOp(op, vectors);
    return success();
  }
};

/// In order, beginning with the accumulator. Upstream's pattern, which ends
/// with it, rounds otherwise than an executor with the whole reduction.
struct UnrollReduction : OpRewritePattern<vector::ReductionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ReductionOp op,
                                PatternRewriter &rewriter) const override {
    if (!gin::needsScalars(op) || !isLine(op.getVector().getType()) ||
        op.isMasked())
      return rewriter.notifyMatchFailure(op, "kernels have it");
    Value result = op.getAcc();
    for (Value element : elementsOf(rewriter, op.getVector()))
      result = result
                   ? vector::makeArithReduction(rewriter, op.getLoc(),
                                                op.getKind(), result, element,
                                                op.getFastmathAttr())
                   : element;
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct UnrollShuffle : OpRewritePattern<vector::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    if (!isLine(op.getV1VectorType()) || !isLine(op.getV2VectorType()))
      return rewriter.notifyMatchFailure(op, "moves vectors");
    Location loc = op.getLoc();
    const int64_t first = op.getV1VectorType().getDimSize(0);
    Type type = op.getType().getElementType();
    SmallVector<Value> elements;
    for (int64_t from : op.getMask())
      elements.push_back(from == vector::ShuffleOp::kPoisonIndex
                             ? ub::PoisonOp::create(rewriter, loc, type)
                         : from < first
                             ? elementOf(rewriter, op.getV1(), from)
                             : elementOf(rewriter, op.getV2(), from - first));
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, op.getType(),
                                                        elements);
    return success();
  }
};

struct UnrollDeinterleave : OpRewritePattern<vector::DeinterleaveOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::DeinterleaveOp op,
                                PatternRewriter &rewriter) const override {
    if (!isLine(op.getSource().getType()))
      return rewriter.notifyMatchFailure(op, "has several dimensions");
    SmallVector<Value> elements = elementsOf(rewriter, op.getSource());
    SmallVector<Value> halves[2];
    for (auto [number, element] : llvm::enumerate(elements))
      halves[number % 2].push_back(element);
    SmallVector<Value> vectors;
    for (ArrayRef<Value> half : halves)
      vectors.push_back(vector::FromElementsOp::create(
          rewriter, op.getLoc(), op.getResultVectorType(), half));
    rewriter.replaceOp(op, vectors);
    return success();
  }
};

struct UnrollToElements : OpRewritePattern<vector::ToElementsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ToElementsOp op,
                                PatternRewriter &rewriter) const override {
    if (!isLine(op.getSource().getType()))
      return rewriter.notifyMatchFailure(op, "has several dimensions");
    rewriter.replaceOp(op, elementsOf(rewriter, op.getSource()));
    return success();
  }
};
} // namespace

static void populateUnrolling(RewritePatternSet &patterns) {
  vector::populateVectorInterleaveToShufflePatterns(patterns);
  patterns.add<UnrollDeinterleave, UnrollElementwise, UnrollReduction,
               UnrollShuffle, UnrollToElements>(patterns.getContext());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct LowerVectors : gin::impl::LowerVectorsBase<LowerVectors> {
  using LowerVectorsBase::LowerVectorsBase;

  void runOnOperation() override {
    // Collecting the patterns takes longer than finding out that none applies.
    SmallVector<void (*)(RewritePatternSet &)> stages;
    if (contains([](Operation *op) {
          return isa_and_nonnull<vector::VectorDialect>(op->getDialect());
        }))
      stages = {populateMasksAndTransfers, populateRest};
    if (unroll && (!stages.empty() || contains(gin::needsScalars)))
      stages.push_back(populateUnrolling);
    for (auto populate : stages) {
      RewritePatternSet patterns(&getContext());
      populate(patterns);
      // What remains is refused by convert-to-llvm, or where kernels are
      // emitted.
      (void)applyPatternsGreedily(getOperation(), std::move(patterns));
    }
  }

private:
  bool contains(llvm::function_ref<bool(Operation *)> isSuch) {
    return getOperation()
        ->walk([&](Operation *op) {
          return isSuch(op) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }
};
} // namespace
