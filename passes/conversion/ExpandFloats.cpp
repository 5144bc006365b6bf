//===- ExpandFloats.cpp - bf16 and fp8 by f32 and integers ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace gin {
#define GEN_PASS_DEF_EXPANDFLOATS
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;

static bool isExpanded(Type type) {
  return isa<BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(
      getElementTypeOrSelf(type));
}

namespace {
/// Emits arithmetic on values of one shape: scalars, or vectors like `model`.
class Emitter {
public:
  Emitter(PatternRewriter &rewriter, Operation *op, Type model)
      : b(op->getLoc(), rewriter), shape(dyn_cast<VectorType>(model)) {}

  Type like(Type element) {
    return shape ? Type(shape.clone(element)) : element;
  }
  Type integer(unsigned width) { return like(b.getIntegerType(width)); }
  Value constant(Type element, APInt value) {
    return splat(b.getIntegerAttr(element, value));
  }
  Value constant(unsigned width, uint64_t value) {
    return splat(
        b.getIntegerAttr(b.getIntegerType(width), APInt(width, value)));
  }
  Value powerOfTwo(FloatType type, int exponent) {
    return splat(b.getFloatAttr(type, std::ldexp(1.0, exponent)));
  }
  Value bitcast(Type element, Value value) {
    return arith::BitcastOp::create(b, like(element), value);
  }
  Value extend(unsigned width, Value value) {
    return arith::ExtUIOp::create(b, integer(width), value);
  }
  Value signExtend(unsigned width, Value value) {
    return arith::ExtSIOp::create(b, integer(width), value);
  }
  Value truncate(unsigned width, Value value) {
    return arith::TruncIOp::create(b, integer(width), value);
  }
  Value greater(Value value, Value limit) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, value, limit);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, condition, yes, no);
  }
  template <typename OpTy>
  Value op(Value left, Value right) {
    return OpTy::create(b, left, right);
  }

  ImplicitLocOpBuilder b;

private:
  Value splat(TypedAttr value) {
    if (shape)
      value = DenseElementsAttr::get(shape.clone(value.getType()),
                                     ArrayRef<Attribute>(value));
    return arith::ConstantOp::create(b, value);
  }

  VectorType shape;
};
} // namespace

//===----------------------------------------------------------------------===//
// To f32
//===----------------------------------------------------------------------===//

static Value extendBF16(Emitter &e, Value value) {
  Value bits = e.extend(32, e.bitcast(e.b.getI16Type(), value));
  bits = e.op<arith::ShLIOp>(bits, e.constant(32, 16));
  return e.bitcast(e.b.getF32Type(), bits);
}

/// The upper half of an f16 with zeros below.
static Value extendE5M2(Emitter &e, Value value) {
  Value bits = e.extend(16, e.bitcast(e.b.getI8Type(), value));
  bits = e.op<arith::ShLIOp>(bits, e.constant(16, 8));
  return arith::ExtFOp::create(e.b, e.like(e.b.getF32Type()),
                               e.bitcast(e.b.getF16Type(), bits));
}

/// With its fields in the place of an f32's, the magnitude lacks the difference
/// of the exponents' biases; a product supplies it, for subnormals as well.
static Value extendE4M3FN(Emitter &e, Value value) {
  Value bits = e.extend(32, e.bitcast(e.b.getI8Type(), value));
  Value magnitude = e.op<arith::AndIOp>(bits, e.constant(32, 0x7f));
  Value scaled = e.op<arith::MulFOp>(
      e.bitcast(e.b.getF32Type(),
                e.op<arith::ShLIOp>(magnitude, e.constant(32, 20))),
      e.powerOfTwo(e.b.getF32Type(), 120));
  Value isNaN = e.greater(magnitude, e.constant(32, 0x7e));
  Value result = e.select(isNaN, e.constant(32, 0x7fc00000),
                          e.bitcast(e.b.getI32Type(), scaled));
  Value sign = e.op<arith::ShLIOp>(
      e.op<arith::AndIOp>(bits, e.constant(32, 0x80)), e.constant(32, 24));
  return e.bitcast(e.b.getF32Type(), e.op<arith::OrIOp>(result, sign));
}

namespace {
struct ExpandExtF : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn().getType());
    Type to = getElementTypeOrSelf(op.getType());
    if (!isExpanded(from))
      return rewriter.notifyMatchFailure(op, "the processor knows the type");
    Emitter e(rewriter, op, op.getType());
    Value result = isa<BFloat16Type>(from)     ? extendBF16(e, op.getIn())
                   : isa<Float8E5M2Type>(from) ? extendE5M2(e, op.getIn())
                                               : extendE4M3FN(e, op.getIn());
    if (to.isF64())
      result = arith::ExtFOp::create(e.b, op.getType(), result);
    else if (!to.isF32()) // Exact: f16 and bf16 hold every f8.
      result = arith::TruncFOp::create(e.b, op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// From f32 and f64
//===----------------------------------------------------------------------===//

namespace {
/// A format by its fields; magnitudes are bit patterns without the sign.
struct Format {
  unsigned width, mantissa;
  int bias;
  uint64_t largest, overflow, nan;
};
} // namespace

static Format formatOf(Type type) {
  if (isa<BFloat16Type>(type))
    return {16, 7, 127, 0x7f7f, 0x7f80, 0x7fc0};
  if (isa<Float8E5M2Type>(type))
    return {8, 2, 15, 0x7b, 0x7c, 0x7e};
  return {8, 3, 7, 0x7e, 0x7f, 0x7f}; // f8E4M3FN: no infinity
}

/// Rounds to nearest, ties to even.
static Value truncateTo(Emitter &e, Type to, Value value) {
  auto from = cast<FloatType>(getElementTypeOrSelf(value.getType()));
  unsigned width = from.getWidth();
  unsigned mantissa = from.getFPMantissaWidth() - 1;
  int bias = from.isF64() ? 1023 : 127;
  Format format = formatOf(to);
  unsigned dropped = mantissa - format.mantissa;
  Type integer = e.b.getIntegerType(width);
  auto constant = [&](uint64_t value) { return e.constant(width, value); };

  Value bits = e.bitcast(integer, value);
  Value magnitude = e.op<arith::AndIOp>(
      bits, constant(APInt::getSignedMaxValue(width).getZExtValue()));

  // Normal results: change the bias, then add just less than half of the last
  // place that stays, or half if that place is odd.
  Value rebiased = e.op<arith::SubIOp>(
      magnitude, constant(uint64_t(bias - format.bias) << mantissa));
  Value odd = e.op<arith::AndIOp>(
      e.op<arith::ShRUIOp>(rebiased, constant(dropped)), constant(1));
  Value rounded = e.op<arith::AddIOp>(
      e.op<arith::AddIOp>(rebiased, constant((1ull << (dropped - 1)) - 1)),
      odd);
  Value result = e.op<arith::ShRUIOp>(rounded, constant(dropped));

  // Subnormal results: the sum with a number whose last place is the smallest
  // subnormal is rounded to it by the processor.
  int magic = 1 - format.bias - int(format.mantissa) + int(mantissa);
  Value offset = e.powerOfTwo(from, magic);
  Value sum = e.op<arith::AddFOp>(e.bitcast(from, magnitude), offset);
  Value subnormal =
      e.op<arith::SubIOp>(e.bitcast(integer, sum), e.bitcast(integer, offset));
  Value isNormal = e.greater(
      magnitude, constant((uint64_t(bias - format.bias + 1) << mantissa) - 1));
  result = e.select(isNormal, result, subnormal);

  result = e.select(e.greater(result, constant(format.largest)),
                    constant(format.overflow), result);
  uint64_t infinity = ((1ull << (width - 1 - mantissa)) - 1) << mantissa;
  result = e.select(e.greater(magnitude, constant(infinity)),
                    constant(format.nan), result);

  Value sign = e.op<arith::ShRUIOp>(bits, constant(width - format.width));
  sign = e.op<arith::AndIOp>(sign, constant(1ull << (format.width - 1)));
  result = e.op<arith::OrIOp>(result, sign);
  return e.bitcast(to, e.truncate(format.width, result));
}

namespace {
struct ExpandTruncF : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type to = getElementTypeOrSelf(op.getType());
    if (!isExpanded(to))
      return rewriter.notifyMatchFailure(op, "the processor knows the type");
    if (op.getRoundingmode() &&
        *op.getRoundingmode() != arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "rounds to nearest only");
    Emitter e(rewriter, op, op.getType());
    Value value = op.getIn();
    Type from = getElementTypeOrSelf(value.getType());
    if (!from.isF32() && !from.isF64())
      value = arith::ExtFOp::create(e.b, e.like(e.b.getF32Type()), value);
    rewriter.replaceOp(op, truncateTo(e, to, value));
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// From integers
//===----------------------------------------------------------------------===//

/// Rounds i64 to an integer that f64 holds, so that rounding that to fewer
/// places gives what rounding `value` does: to odd, which is never half way
/// between two numbers of fewer places.
static Value roundToOdd(Emitter &e, Value value, bool isSigned) {
  auto constant = [&](uint64_t value) { return e.constant(64, value); };
  constexpr uint64_t unit = 1ull << 11, limit = 1ull << 53;
  Value low = e.op<arith::AndIOp>(value, constant(unit - 1));
  // unit if any bit of `low` is set
  Value odd = e.op<arith::AndIOp>(e.op<arith::AddIOp>(low, constant(unit - 1)),
                                  constant(unit));
  Value rounded = e.op<arith::OrIOp>(e.op<arith::SubIOp>(value, low), odd);
  Value isLarge = isSigned
                      ? e.greater(e.op<arith::AddIOp>(value, constant(limit)),
                                  constant(2 * limit))
                      : e.greater(value, constant(limit));
  return e.select(isLarge, rounded, value);
}

namespace {
/// To bf16 by way of f64, which holds what f32 may round. f8 needs no care:
/// what f32 does not hold is more than it can hold.
template <typename OpTy>
struct ExpandIntToFloat : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    constexpr bool isSigned = std::is_same_v<OpTy, arith::SIToFPOp>;
    Value value = op.getIn();
    unsigned width =
        getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
    if (!isa<BFloat16Type>(getElementTypeOrSelf(op.getType())) || width <= 24 ||
        width > 64)
      return rewriter.notifyMatchFailure(op, "f32 rounds nothing");
    Emitter e(rewriter, op, op.getType());
    if (width > 53) {
      if (width < 64)
        value = isSigned ? e.signExtend(64, value) : e.extend(64, value);
      value = roundToOdd(e, value, isSigned);
    }
    value = OpTy::create(e.b, e.like(e.b.getF64Type()), value);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), value);
    return success();
  }
};

/// Upstream's emulation is of arithmetic alone, and its extension of math
/// leaves out this op.
struct ExpandFMA : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    if (!isExpanded(op.getType()))
      return rewriter.notifyMatchFailure(op, "the processor knows the type");
    Emitter e(rewriter, op, op.getType());
    SmallVector<Value> wide;
    for (Value operand : op->getOperands())
      wide.push_back(
          arith::ExtFOp::create(e.b, e.like(e.b.getF32Type()), operand));
    Value result = math::FmaOp::create(e.b, wide[0], wide[1], wide[2]);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), result);
    return success();
  }
};

struct ExpandFloats : gin::impl::ExpandFloatsBase<ExpandFloats> {
  using ExpandFloatsBase::ExpandFloatsBase;

  bool isNeeded() {
    return getOperation()
        ->walk([](Operation *op) {
          return llvm::any_of(op->getOperandTypes(), isExpanded) ||
                         llvm::any_of(op->getResultTypes(), isExpanded)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Wraps arithmetic on the small types in conversions from and to them.
  LogicalResult emulate() {
    MLIRContext *context = &getContext();
    SmallVector<Type> types{BFloat16Type::get(context),
                            Float8E4M3FNType::get(context),
                            Float8E5M2Type::get(context)};
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(
        converter, types, Float32Type::get(context));
    RewritePatternSet patterns(context);
    arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
    ConversionTarget target(*context);
    arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    // It computes nothing.
    target.addLegalOp<arith::SelectOp>();
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }

  /// Upstream's conversions may be folded where one follows another; but each
  /// op rounds.
  void keepRoundings() {
    getOperation()->walk([](Operation *op) {
      if (auto extend = dyn_cast<arith::ExtFOp>(op))
        extend.removeFastmathAttr();
      else if (auto truncate = dyn_cast<arith::TruncFOp>(op))
        truncate.removeFastmathAttr();
    });
  }

  void runOnOperation() override {
    keepRoundings();
    if (!isNeeded())
      return;
    RewritePatternSet ops(&getContext());
    ops.add<ExpandIntToFloat<arith::SIToFPOp>,
            ExpandIntToFloat<arith::UIToFPOp>, ExpandFMA>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(ops));
    if (failed(emulate()))
      return signalPassFailure();
    keepRoundings();
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandExtF, ExpandTruncF>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
