//===- LowerVectors.cpp - progressive lowering of vector ops ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace gin {
#define GEN_PASS_DEF_LOWERVECTORS
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;

static bool hasVectorOps(Operation *root) {
  return root
      ->walk([](Operation *op) {
        return isa_and_nonnull<vector::VectorDialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

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

namespace {
struct LowerVectors : gin::impl::LowerVectorsBase<LowerVectors> {
  using LowerVectorsBase::LowerVectorsBase;

  void runOnOperation() override {
    // Collecting the patterns takes longer than finding out that none applies.
    if (!hasVectorOps(getOperation()))
      return;
    for (auto populate : {populateMasksAndTransfers, populateRest}) {
      RewritePatternSet patterns(&getContext());
      populate(patterns);
      // What remains is refused by convert-to-llvm.
      (void)applyPatternsGreedily(getOperation(), std::move(patterns));
    }
  }
};
} // namespace
