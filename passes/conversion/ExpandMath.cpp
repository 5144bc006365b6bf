//===- ExpandMath.cpp - math by ops that all executors have -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace gin {
#define GEN_PASS_DEF_EXPANDMATH
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;

/// A constant of `type`, a scalar or a vector.
static Value constant(OpBuilder &builder, Location loc, Type type,
                      const APFloat &value) {
  TypedAttr attribute = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attribute = DenseElementsAttr::get(shaped, ArrayRef<Attribute>(attribute));
  return arith::ConstantOp::create(builder, loc, attribute);
}

namespace {
/// The classes of numbers, each in its own type: what is subnormal there is
/// normal in a wider one.
template <typename OpTy>
struct ExpandClass : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    using Predicate = arith::CmpFPredicate;
    Location loc = op.getLoc();
    Value value = op.getOperand();
    Type type = value.getType();
    const llvm::fltSemantics &semantics =
        cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
    auto compare = [&](Predicate predicate, Value left, Value right) -> Value {
      return arith::CmpFOp::create(rewriter, loc, predicate, left, right);
    };
    if constexpr (std::is_same_v<OpTy, math::IsNaNOp>) {
      rewriter.replaceOp(op, compare(Predicate::UNO, value, value));
      return success();
    } else {
      Value magnitude = math::AbsFOp::create(rewriter, loc, value);
      Value largest =
          constant(rewriter, loc, type, APFloat::getLargest(semantics));
      if constexpr (std::is_same_v<OpTy, math::IsInfOp>) {
        rewriter.replaceOp(op, compare(Predicate::OGT, magnitude, largest));
        return success();
      }
      Value finite = compare(Predicate::OLE, magnitude, largest);
      if constexpr (std::is_same_v<OpTy, math::IsNormalOp>) {
        Value least = constant(rewriter, loc, type,
                               APFloat::getSmallestNormalized(semantics));
        finite = arith::AndIOp::create(
            rewriter, loc, finite, compare(Predicate::OGE, magnitude, least));
      }
      rewriter.replaceOp(op, finite);
      return success();
    }
  }
};

struct ExpandSincos : OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::SincosOp op,
                                PatternRewriter &rewriter) const override {
    Value angle = op.getOperand();
    arith::FastMathFlags flags = op.getFastmath();
    rewriter.replaceOp(
        op, {math::SinOp::create(rewriter, op.getLoc(), angle, flags),
             math::CosOp::create(rewriter, op.getLoc(), angle, flags)});
    return success();
  }
};

/// Upstream's expansion takes the minimum with the least value.
struct ExpandClamp : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    arith::FastMathFlags flags = op.getFastmath();
    Value atLeast = arith::MaximumFOp::create(
        rewriter, op.getLoc(), op.getValue(), op.getMin(), flags);
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, atLeast, op.getMax(),
                                                   flags);
    return success();
  }
};

/// Of type index; upstream lowers it to a struct of which `index` is a member.
struct ExpandCarry : OpRewritePattern<arith::AddUIExtendedOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AddUIExtendedOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<IndexType>(getElementTypeOrSelf(op.getLhs().getType())))
      return rewriter.notifyMatchFailure(op, "upstream lowers it");
    Value sum =
        arith::AddIOp::create(rewriter, op.getLoc(), op.getLhs(), op.getRhs());
    Value carry = arith::CmpIOp::create(
        rewriter, op.getLoc(), arith::CmpIPredicate::ult, sum, op.getLhs());
    rewriter.replaceOp(op, {sum, carry});
    return success();
  }
};

struct ExpandMath : gin::impl::ExpandMathBase<ExpandMath> {
  using ExpandMathBase::ExpandMathBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandClass<math::IsFiniteOp>, ExpandClass<math::IsInfOp>,
                 ExpandClass<math::IsNaNOp>, ExpandClass<math::IsNormalOp>,
                 ExpandClamp, ExpandSincos, ExpandCarry>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
