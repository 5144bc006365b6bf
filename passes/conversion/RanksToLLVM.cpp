//===- RanksToLLVM.cpp - who am I -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ContractCalls.h"

using namespace mlir;
using namespace gin;

namespace {
/// gin.rank and gin.num_ranks: a call with the team.
template <typename OpTy>
struct LowerTeamQuery : ConvertOpToLLVMPattern<OpTy> {
  LowerTeamQuery(const LLVMTypeConverter &converter, StringRef name)
      : ConvertOpToLLVMPattern<OpTy>(converter), name(name) {}

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *this->getTypeConverter());
    rewriter.replaceOp(op, call.ask(name, {call.team(op.getTeamAttr())}));
    return success();
  }

  StringRef name;
};

struct LowerNeighbor : ConvertOpToLLVMPattern<NeighborOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  /// (rank + distance) mod n. The distance is reduced first, so that nothing
  /// overflows; its remainder has the sign of the distance.
  LogicalResult
  matchAndRewrite(NeighborOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value team = call.team(op.getTeamAttr());
    Value rank = call.ask("gin_rank", {team});
    Value ranks = call.ask("gin_num_ranks", {team});
    Value distance = call.index(op.getMixedDistance());
    Value sum = LLVM::SRemOp::create(b, distance, ranks);
    sum = LLVM::AddOp::create(b, sum, ranks);
    sum = LLVM::AddOp::create(b, sum, rank);
    rewriter.replaceOpWithNewOp<LLVM::SRemOp>(op, sum, ranks);
    return success();
  }
};

struct LowerCoords : ConvertOpToLLVMPattern<CoordsOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(CoordsOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    Value grid = call.team(op.getGrid());
    SmallVector<Value> coordinates;
    for (int64_t axis = 0; axis < op.getGrid().getRank(); ++axis)
      coordinates.push_back(
          call.ask("gin_coord", {grid, call.constant(64, axis)}));
    rewriter.replaceOp(op, coordinates);
    return success();
  }
};

struct LowerWindowDim : ConvertOpToLLVMPattern<WindowDimOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(WindowDimOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    int64_t rank = op.getWindow().getType().getRank();
    Value extent =
        call.call("gin_window_dim", call.intType(64),
                  {call.site(), call.team(op.getTeamAttr()),
                   call.index(op.getMixedPeer()),
                   call.onStack(adaptor.getWindow(), "window"),
                   call.constant(64, rank), call.constant(64, op.getDim())});
    rewriter.replaceOp(op, extent);
    return success();
  }
};

struct LowerLaunch : ConvertOpToLLVMPattern<LaunchOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(LaunchOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ContractCall call(op, rewriter, *getTypeConverter());
    rewriter.replaceOp(op, call.ask("gin_launch", {}));
    return success();
  }
};
} // namespace

void gin::populateRankPatterns(const LLVMTypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<LowerTeamQuery<RankIdOp>>(converter, "gin_rank");
  patterns.add<LowerTeamQuery<NumRanksOp>>(converter, "gin_num_ranks");
  patterns.add<LowerNeighbor, LowerCoords, LowerWindowDim, LowerLaunch>(
      converter);
}
