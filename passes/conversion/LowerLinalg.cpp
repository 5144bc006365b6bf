//===- LowerLinalg.cpp - linalg becomes loops of kernels --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Upstream's lowering adds to memory in each step of a reduction. Here a sum
// stays in a register: linalg's outputs are there whether or not a reduction
// has steps, so that loading before the loop and storing after it is safe.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "MapToKernel.h"

#include "dialect/SourceText.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/PatternMatch.h"

namespace gin {
#define GEN_PASS_DEF_LOWERLINALG
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;
using namespace gin;

/// The only store of `loop`'s body and the load of the same element, neither of
/// which depends on the loop, if nothing else there touches that memory.
static std::pair<memref::LoadOp, memref::StoreOp>
findAccumulator(scf::ForOp loop) {
  memref::StoreOp store;
  SmallVector<memref::LoadOp> loads;
  for (Operation &op : *loop.getBody()) {
    if (auto other = dyn_cast<memref::StoreOp>(op)) {
      if (store)
        return {};
      store = other;
    } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
      loads.push_back(load);
    } else if (!footprintOf(&op).writes.empty() || footprintOf(&op).anything) {
      return {};
    }
  }
  if (!store || llvm::any_of(store.getIndices(), [&](Value index) {
        return !loop.isDefinedOutsideOfLoop(index);
      }))
    return {};
  if (!loop.isDefinedOutsideOfLoop(store.getMemRef()))
    return {};
  memref::LoadOp accumulator;
  Footprint others;
  for (memref::LoadOp load : loads) {
    if (!accumulator && load.getMemRef() == store.getMemRef() &&
        llvm::equal(load.getIndices(), store.getIndices()) &&
        load->isBeforeInBlock(store))
      accumulator = load;
    else
      others.add(footprintOf(load));
  }
  for (Operation &op : *loop.getBody())
    if (op.getNumRegions())
      others.add(footprintOf(&op));
  if (!accumulator || footprintOf(store).conflicts(others))
    return {};
  return {accumulator, store};
}

static void keepInRegister(RewriterBase &rewriter, scf::ForOp loop) {
  auto [load, store] = findAccumulator(loop);
  if (!load)
    return;
  Location loc = load.getLoc();
  rewriter.setInsertionPoint(loop);
  Value before = memref::LoadOp::create(rewriter, loc, load.getMemRef(),
                                        load.getIndices());
  Value stored = store.getValueToStore(), memref = store.getMemRef();
  SmallVector<Value> indices(store.getIndices());
  Location storeLoc = store.getLoc();
  FailureOr<LoopLikeOpInterface> replaced =
      cast<LoopLikeOpInterface>(loop.getOperation())
          .replaceWithAdditionalYields(
              rewriter, before, /*replaceInitOperandUsesInLoop=*/false,
              [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
                return SmallVector<Value>{stored};
              });
  if (failed(replaced))
    return;
  auto better = cast<scf::ForOp>(replaced->getOperation());
  rewriter.replaceAllUsesWith(load.getResult(),
                              better.getRegionIterArgs().back());
  rewriter.eraseOp(load);
  rewriter.eraseOp(store);
  rewriter.setInsertionPointAfter(better);
  memref::StoreOp::create(rewriter, storeLoc, better.getResults().back(),
                          memref, indices);
}

/// What fills or copies whole arrays without gaps, on arrays of one dimension:
/// no index has to be taken apart.
static linalg::LinalgOp flatten(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (!isa<linalg::FillOp, linalg::CopyOp>(op))
    return op;
  int64_t rank = cast<MemRefType>(op.getDpsInits()[0].getType()).getRank();
  if (rank < 2 || llvm::any_of(
                      op->getOperandTypes(),
                      [](Type type) {
                        auto memref = dyn_cast<MemRefType>(type);
                        return memref && !memref.getLayout().isIdentity();
                      }))
    return op;
  ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(rank));
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isa<MemRefType>(operand.getType())
                           ? memref::CollapseShapeOp::create(
                                 rewriter, op.getLoc(), operand, {all})
                           : operand);
  Operation *flat = isa<linalg::FillOp>(op)
                        ? linalg::FillOp::create(rewriter, op.getLoc(),
                                                 operands[0], operands[1])
                        : linalg::CopyOp::create(rewriter, op.getLoc(),
                                                 operands[0], operands[1])
                              .getOperation();
  rewriter.setInsertionPoint(flat);
  rewriter.eraseOp(op);
  return cast<linalg::LinalgOp>(flat);
}

namespace {
struct LowerLinalg : gin::impl::LowerLinalgBase<LowerLinalg> {
  using LowerLinalgBase::LowerLinalgBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      Location origin = locationWithOrigin(op);
      op = flatten(rewriter, op);
      FailureOr<linalg::LinalgLoops> loops =
          linalg::linalgOpToParallelLoops(rewriter, op);
      if (failed(loops)) {
        op->emitOpError("cannot become loops; write it with linalg.generic on "
                        "memrefs, or scf");
        return signalPassFailure();
      }
      rewriter.eraseOp(op);
      if (loops->empty())
        continue;
      // Who reads the loops wants to know what they were.
      for (Operation *loop : *loops)
        loop->setLoc(origin);
      // Indices that are the same value look the same from here on.
      loops->front()->walk([&](affine::AffineApplyOp index) {
        SmallVector<Value> folded;
        if (succeeded(rewriter.tryFold(index, folded)) && !folded.empty())
          rewriter.replaceOp(index, folded);
      });
      for (Operation *loop : llvm::reverse(*loops))
        if (auto sequential = dyn_cast<scf::ForOp>(loop))
          keepInRegister(rewriter, sequential);
    }
  }
};
} // namespace
