//===- Expressions.cpp - values that are computed ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace gin;
using namespace gin::cuda;

//===----------------------------------------------------------------------===//
// Products and sums
//===----------------------------------------------------------------------===//

Product Product::operator*(const Product &other) const {
  Product result = *this;
  result.factor *= other.factor;
  result.names.append(other.names.begin(), other.names.end());
  return result;
}

Expr Product::print() const {
  if (isConstant())
    return {std::to_string(factor), factor < 0 ? Unary : Primary};
  if (names.size() == 1 && factor == 1)
    return names.front();
  std::string text = factor == 1    ? ""
                     : factor == -1 ? "-"
                                    : std::to_string(factor) + " * ";
  llvm::interleave(
      names, [&](const Expr &name) { text += name.in(Unary); },
      [&] { text += " * "; });
  return {text, names.size() == 1 && factor == -1 ? Unary : Multiplied};
}

void Sum::add(const Product &term) {
  if (term.isZero())
    return;
  for (Product *it = terms.begin(); it != terms.end(); ++it) {
    if (it->names != term.names)
      continue;
    it->factor += term.factor;
    if (it->isZero())
      terms.erase(it);
    return;
  }
  terms.push_back(term);
}

Expr Sum::print() const {
  if (terms.empty())
    return {"0"};
  if (terms.size() == 1)
    return terms.front().print();
  SmallVector<Product> order; // constants come last
  for (bool constants : {false, true})
    for (const Product &term : terms)
      if (term.isConstant() == constants)
        order.push_back(term);
  std::string text = order.front().print().in(Additive);
  for (Product term : llvm::drop_begin(order)) {
    bool negative = term.factor < 0;
    if (negative)
      term.factor = -term.factor;
    text += (negative ? " - " : " + ") +
            term.print().in(negative ? Multiplied : Additive);
  }
  return {text, Additive};
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

Expr Emitter::use(Value value) {
  TypedAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return literal(constant);
  if (value.getDefiningOp<ub::PoisonOp>())
    return {typeName(value.getType()) + "()"};
  auto found = values.find(value);
  // Not reached: every op is emitted after those that it uses.
  return found != values.end() ? found->second : Expr{"undefined"};
}

std::string Emitter::use(OpFoldResult value, Precedence least) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return literal(cast<TypedAttr>(attribute)).in(least);
  return use(cast<Value>(value)).in(least);
}

/// As an operand of arithmetic in which its bits are an unsigned number.
Expr Emitter::useUnsigned(Value value) {
  Type type = value.getType();
  Expr expr = use(value);
  bool isNumber = matchPattern(value, m_Constant()) && expr.text[0] != '-' &&
                  llvm::isDigit(expr.text[0]);
  if (isNumber || type.isInteger(1))
    return expr;
  return {unsignedName(type) + "(" + expr.text + ")"};
}

/// What C++ computes in int, back in the type of 8 or 16 bits.
Expr Emitter::narrow(Type type, Expr expr) {
  if (type.isInteger(8) || type.isInteger(16))
    return {typeName(type) + "(" + expr.text + ")"};
  return expr;
}

/// An operand of floating-point arithmetic: at least a float.
Expr Emitter::floatOf(Value value) {
  if (!isSmallFloat(getElementTypeOrSelf(value)))
    return use(value);
  return {"gin::toFloat(" + use(value).text + ")"};
}

/// The result of arithmetic on floats, in the type of 8 or 16 bits.
static Expr fromFloat(Type type, Expr expr) {
  if (!isSmallFloat(type))
    return expr;
  return {"gin::fromFloat<" + typeName(type) + ">(" + expr.text + ")"};
}

static bool isBitwise(Precedence precedence) {
  return precedence == BitwiseAnd || precedence == BitwiseOr ||
         precedence == BitwiseXor || precedence == Shift;
}

Expr Emitter::binary(Operation *op, StringRef symbol, Precedence precedence) {
  Type type = getElementTypeOrSelf(op->getOperand(0));
  Value left = op->getOperand(0), right = op->getOperand(1);
  // Readers, and compilers' warnings, want parentheses around other arithmetic
  // in bitwise operations and around && in ||.
  Precedence least = isBitwise(precedence)     ? Unary
                     : precedence == LogicalOr ? Equal
                                               : precedence;
  auto tighter = static_cast<Precedence>(std::min<int>(least + 1, Unary));
  if (precedence == LogicalAnd || precedence == LogicalOr)
    tighter = least;
  std::string a = floatOf(left).in(least), b = floatOf(right).in(tighter);
  if (symbol == "-" && isa<IntegerType, IndexType>(left.getType()) &&
      matchPattern(left, m_Zero()))
    return narrow(type, {"-" + use(right, Unary), Unary});
  // A literal is an int, whatever is shifted.
  if (precedence == Shift && matchPattern(left, m_Constant()))
    a = typeName(type) + "(" + use(left).text + ")";
  if (symbol == "+" && isa<IntegerType, IndexType>(type) &&
      StringRef(b).starts_with("-") && matchPattern(right, m_Constant()))
    return narrow(type, {a + " - " + b.substr(1), precedence});
  Expr result{a + " " + symbol.str() + " " + b, precedence};
  return fromFloat(type, narrow(type, result));
}

/// An operation that looks at its operands as unsigned numbers. The result is
/// signed again, as all integers are here.
Expr Emitter::unsignedBinary(Operation *op, StringRef symbol,
                             Precedence precedence) {
  Value left = op->getOperand(0), right = op->getOperand(1);
  if (isNonNegative(left) && (precedence == Shift || isNonNegative(right)))
    return binary(op, symbol, precedence);
  Precedence least = isBitwise(precedence) ? Unary : precedence;
  std::string a = useUnsigned(left).in(least);
  std::string b =
      precedence == Shift ? use(right, Unary) : useUnsigned(right).in(Unary);
  std::string text = a + " " + symbol.str() + " " + b;
  Type type = op->getResult(0).getType();
  if (type.isInteger(1))
    return {text, precedence};
  return {typeName(type) + "(" + text + ")"};
}

/// function(operands...), whose type is that of the first.
Expr Emitter::call(StringRef function, Operation *op, bool isUnsigned) {
  Type type = getElementTypeOrSelf(op->getOperand(0));
  bool convert = isUnsigned && !llvm::all_of(op->getOperands(), [&](Value v) {
                   return isNonNegative(v);
                 });
  std::string text = function.str();
  // Deduced from a literal, it would be int or double.
  if (function.starts_with("gin::") &&
      matchPattern(op->getOperand(0), m_Constant()))
    text += "<" + (convert ? unsignedName(type) : typeName(type)) + ">";
  text += "(";
  llvm::interleave(
      op->getOperands(),
      [&](Value operand) {
        text += (convert ? useUnsigned(operand) : floatOf(operand)).text;
      },
      [&] { text += ", "; });
  text += ")";
  Type result = op->getResult(0).getType();
  if (convert)
    return {typeName(result) + "(" + text + ")"};
  return fromFloat(getElementTypeOrSelf(result), {text});
}

//===----------------------------------------------------------------------===//
// By dialect
//===----------------------------------------------------------------------===//

/// The function of <cmath> that a math op is; empty for others.
static StringRef mathFunction(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Case("math.absf", "fabs")
      .Case("math.acos", "acos")
      .Case("math.acosh", "acosh")
      .Case("math.asin", "asin")
      .Case("math.asinh", "asinh")
      .Case("math.atan", "atan")
      .Case("math.atan2", "atan2")
      .Case("math.atanh", "atanh")
      .Case("math.cbrt", "cbrt")
      .Case("math.ceil", "ceil")
      .Case("math.copysign", "copysign")
      .Case("math.cos", "cos")
      .Case("math.cosh", "cosh")
      .Case("math.erf", "erf")
      .Case("math.erfc", "erfc")
      .Case("math.exp", "exp")
      .Case("math.exp2", "exp2")
      .Case("math.expm1", "expm1")
      .Case("math.floor", "floor")
      .Case("math.fma", "fma")
      .Case("math.log", "log")
      .Case("math.log10", "log10")
      .Case("math.log1p", "log1p")
      .Case("math.log2", "log2")
      .Case("math.powf", "pow")
      .Case("math.round", "round")
      .Case("math.roundeven", "rint")
      .Case("math.sin", "sin")
      .Case("math.sinh", "sinh")
      .Case("math.sqrt", "sqrt")
      .Case("math.tan", "tan")
      .Case("math.tanh", "tanh")
      .Case("math.trunc", "trunc")
      .Case("arith.remf", "fmod")
      .Case("arith.maxnumf", "fmax")
      .Case("arith.minnumf", "fmin")
      .Default("");
}

/// The function of gin of an op that C++ has no word for, or empty.
static StringRef ginFunction(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Cases({"arith.ceildivsi", "arith.ceildivui", "index.ceildivs",
              "index.ceildivu"},
             "gin::ceilDiv")
      .Cases({"arith.floordivsi", "index.floordivs"}, "gin::floorDiv")
      .Cases({"arith.maxsi", "arith.maxui", "index.maxs", "index.maxu"},
             "gin::max")
      .Cases({"arith.minsi", "arith.minui", "index.mins", "index.minu"},
             "gin::min")
      .Case("arith.maximumf", "gin::maximum")
      .Case("arith.minimumf", "gin::minimum")
      .Case("math.absi", "gin::absolute")
      .Case("math.ctlz", "gin::countLeadingZeros")
      .Case("math.ctpop", "gin::countOnes")
      .Case("math.cttz", "gin::countTrailingZeros")
      .Cases({"math.fpowi", "math.ipowi"}, "gin::power")
      .Case("math.rsqrt", "gin::rsqrt")
      .Default("");
}

static bool isUnsignedOp(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return name == "arith.ceildivui" || name == "index.ceildivu" ||
         name == "arith.maxui" || name == "arith.minui" ||
         name == "index.maxu" || name == "index.minu";
}

struct Operator {
  StringRef symbol;
  Precedence precedence;
  bool isUnsigned;
};

/// C++'s operator for an op, without a symbol if it has none.
static Operator operatorOf(Operation *op) {
  return llvm::StringSwitch<Operator>(op->getName().getStringRef())
      .Cases({"arith.addi", "arith.addf", "index.add"}, {"+", Additive, false})
      .Cases({"arith.subi", "arith.subf", "index.sub"}, {"-", Additive, false})
      .Cases({"arith.muli", "arith.mulf", "index.mul"},
             {"*", Multiplied, false})
      .Cases({"arith.divsi", "arith.divf", "index.divs"},
             {"/", Multiplied, false})
      .Cases({"arith.divui", "index.divu"}, {"/", Multiplied, true})
      .Cases({"arith.remsi", "index.rems"}, {"%", Multiplied, false})
      .Cases({"arith.remui", "index.remu"}, {"%", Multiplied, true})
      .Cases({"arith.andi", "index.and"}, {"&", BitwiseAnd, false})
      .Cases({"arith.ori", "index.or"}, {"|", BitwiseOr, false})
      .Cases({"arith.xori", "index.xor"}, {"^", BitwiseXor, false})
      .Cases({"arith.shli", "index.shl"}, {"<<", Shift, false})
      .Cases({"arith.shrsi", "index.shrs"}, {">>", Shift, false})
      .Cases({"arith.shrui", "index.shru"}, {">>", Shift, true})
      .Default({"", Primary, false});
}

/// Operations of truth values, which are 0 and -1 as signed numbers.
static Operator booleanOperatorOf(Operation *op) {
  return llvm::StringSwitch<Operator>(op->getName().getStringRef())
      .Cases({"arith.andi", "arith.muli", "arith.minui", "arith.maxsi"},
             {"&&", LogicalAnd, false})
      .Cases({"arith.ori", "arith.maxui", "arith.minsi"},
             {"||", LogicalOr, false})
      .Cases({"arith.xori", "arith.addi", "arith.subi"}, {"!=", Equal, false})
      .Default({"", Primary, false});
}

bool cuda::isArithmetic(Operation *op) {
  if (isa<arith::ConstantOp, index::ConstantOp, index::BoolConstantOp,
          arith::CmpIOp, arith::CmpFOp, index::CmpOp, arith::SelectOp,
          arith::NegFOp, arith::MulSIExtendedOp, arith::MulUIExtendedOp,
          arith::AddUIExtendedOp>(op))
    return true;
  return mathFunction(op) != "" || ginFunction(op) != "" ||
         !operatorOf(op).symbol.empty() || isCast(op);
}

FailureOr<Expr> Emitter::expression(Operation *op, unsigned result) {
  if (isThreadInGrid(op))
    return Expr{"gin::threadInGrid(context)"};
  if (isThreadsOfGrid(op))
    return Expr{"gin::threadsOfGrid(context)"};
  Type type = getElementTypeOrSelf(op->getResult(result));
  if (Operator word = booleanOperatorOf(op);
      type.isInteger(1) && ginFunction(op) != "" && !word.symbol.empty())
    return binary(op, word.symbol, word.precedence);
  if (mathFunction(op) != "")
    return call(("std::" + mathFunction(op)).str(), op);
  if (ginFunction(op) != "")
    return call(ginFunction(op), op, isUnsignedOp(op));
  if (isa<arith::XOrIOp>(op) && type.isInteger(1) &&
      matchPattern(op->getOperand(1), m_One()))
    return Expr{"!" + use(op->getOperand(0), Unary), Unary};
  if (mayOverflow(op))
    return call("gin::product", op);
  Operator word = type.isInteger(1) ? booleanOperatorOf(op) : operatorOf(op);
  if (!word.symbol.empty())
    return word.isUnsigned ? unsignedBinary(op, word.symbol, word.precedence)
                           : binary(op, word.symbol, word.precedence);
  if (isa<arith::CmpIOp, arith::CmpFOp, index::CmpOp>(op))
    return compare(op);
  if (auto coords = dyn_cast<CoordsOp>(op))
    return Expr{"gin::coordinate(context, " + gridOf(coords.getGrid()) + ", " +
                std::to_string(result) + ")"};
  if (isa<RankIdOp, NumRanksOp, NeighborOp, LaunchOp, gpu::ThreadIdOp,
          gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>(op))
    return rankExpression(op);

  using Result = FailureOr<Expr>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::SelectOp select) -> Result {
        Value yes = select.getTrueValue(), no = select.getFalseValue();
        Expr expr{use(select.getCondition(), LogicalOr) + " ? " +
                      use(yes, LogicalOr) + " : " + use(no, LogicalOr),
                  Ternary};
        // A literal is an int: with it, C++ has an int of the other one, too.
        unsigned literals =
            matchPattern(yes, m_Constant()) + matchPattern(no, m_Constant());
        if (isa<IntegerType, IndexType>(select.getType()) &&
            !type.isInteger(1) && literals > 0)
          return literals == 2 ? Expr{typeName(type) + "(" + expr.text + ")"}
                               : narrow(type, expr);
        return expr;
      })
      .Case([&](arith::NegFOp) -> Result {
        return fromFloat(type,
                         {"-" + floatOf(op->getOperand(0)).in(Unary), Unary});
      })
      .Case<arith::MulSIExtendedOp, arith::MulUIExtendedOp>(
          [&](auto) -> Result {
            if (result == 0)
              return binary(op, "*", Multiplied);
            bool isUnsigned = isa<arith::MulUIExtendedOp>(op);
            return Expr{std::string("gin::mulHigh") +
                        (isUnsigned ? "Unsigned" : "") + "<" + typeName(type) +
                        ">(" + use(op->getOperand(0)).text + ", " +
                        use(op->getOperand(1)).text + ")"};
          })
      .Case([&](arith::AddUIExtendedOp) -> Result {
        if (result == 0)
          return binary(op, "+", Additive);
        Type operand = op->getOperand(0).getType();
        return Expr{"gin::carries<" + typeName(operand) + ">(" +
                    use(op->getOperand(0)).text + ", " +
                    use(op->getOperand(1)).text + ")"};
      })
      .Case([&](affine::AffineApplyOp apply) -> Result {
        AffineMap map = apply.getAffineMap();
        return affine(map.getResult(0), apply.getMapOperands(),
                      map.getNumDims());
      })
      .Case<affine::AffineMinOp, affine::AffineMaxOp>(
          [&](auto bound) -> Result {
            AffineMap map = bound.getMap();
            std::string text;
            bool isMin = isa<affine::AffineMinOp>(op);
            for (AffineExpr each : llvm::reverse(map.getResults())) {
              Expr next =
                  affine(each, bound.getMapOperands(), map.getNumDims());
              text = text.empty()
                         ? next.text
                         : std::string(isMin ? "gin::min" : "gin::max") +
                               "<int64_t>(" + next.text + ", " + text + ")";
            }
            return Expr{text};
          })
      .Case([&](memref::LoadOp load) -> Result {
        return Expr{element(view(load.getMemRef()), load.getIndices())};
      })
      .Case([&](memref::DimOp dim) -> Result {
        return view(dim.getSource())
            .sizes[static_cast<size_t>(*dim.getConstantIndex())]
            .print();
      })
      .Case([&](ReadyTokenOp) -> Result { return Expr{"gin::Token()"}; })
      .Case([&](vector::LoadOp load) -> Result {
        return Expr{typeName(op->getResult(0).getType()) + "::load(&" +
                    element(view(load.getBase()), load.getIndices()) + ")"};
      })
      .Case([&](vector::BroadcastOp broadcast) -> Result {
        return Expr{typeName(op->getResult(0).getType()) + "::all(" +
                    use(broadcast.getSource()).text + ")"};
      })
      .Case([&](vector::ExtractOp extract) -> Result {
        return Expr{use(extract.getSource(), Primary) + "[" +
                    use(extract.getMixedPosition().front(), Ternary) + "]"};
      })
      .Case([&](vector::FromElementsOp from) -> Result {
        std::string text = typeName(op->getResult(0).getType()) + "{";
        llvm::interleave(
            from.getElements(),
            [&](Value element) { text += use(element).text; },
            [&] { text += ", "; });
        return Expr{text + "}"};
      })
      .Case([&](vector::InsertOp insert) -> Result {
        return Expr{use(insert.getDest(), Primary) + ".with(" +
                    use(insert.getMixedPosition().front(), Ternary) + ", " +
                    use(insert.getValueToStore()).text + ")"};
      })
      .Case([&](vector::FMAOp fma) -> Result {
        return Expr{"gin::fma(" + use(fma.getLhs()).text + ", " +
                    use(fma.getRhs()).text + ", " + use(fma.getAcc()).text +
                    ")"};
      })
      .Case([&](vector::ReductionOp reduction) -> Result {
        return Expr{use(reduction.getVector(), Primary) + "." +
                    llvm::StringSwitch<std::string>(
                        vector::stringifyCombiningKind(reduction.getKind()))
                        .Case("add", "sum()")
                        .Case("mul", "product()")
                        .Cases({"minsi", "minimumf"}, "minimum()")
                        .Default("maximum()")};
      })
      .Default([&](Operation *) -> Result {
        assert(isCast(op) && "isArithmetic has let it in");
        return convert(op);
      });
}

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

Expr Emitter::affine(AffineExpr expr, ValueRange operands, unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {std::to_string(constant.getValue()),
            constant.getValue() < 0 ? Unary : Primary};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return use(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return use(operands[numDims + symbol.getPosition()]);
  auto operation = cast<AffineBinaryOpExpr>(expr);
  Expr left = affine(operation.getLHS(), operands, numDims);
  Expr right = affine(operation.getRHS(), operands, numDims);
  auto division = [&](StringRef function) {
    return Expr{
        (function + "<int64_t>(" + left.text + ", " + right.text + ")").str()};
  };
  switch (expr.getKind()) {
  case AffineExprKind::Add: {
    // `a + -b` and `a + b * -1` are differences.
    if (auto product = dyn_cast<AffineBinaryOpExpr>(operation.getRHS());
        product && product.getKind() == AffineExprKind::Mul)
      if (auto minus = dyn_cast<AffineConstantExpr>(product.getRHS());
          minus && minus.getValue() == -1)
        return {left.in(Additive) + " - " +
                    affine(product.getLHS(), operands, numDims).in(Multiplied),
                Additive};
    if (StringRef(right.text).starts_with("-"))
      return {left.in(Additive) + " - " + right.text.substr(1), Additive};
    return {left.in(Additive) + " + " + right.in(Multiplied), Additive};
  }
  case AffineExprKind::Mul:
    return {left.in(Multiplied) + " * " + right.in(Unary), Multiplied};
  case AffineExprKind::CeilDiv:
    return division("gin::ceilDiv");
  case AffineExprKind::FloorDiv:
    return division("gin::floorDiv");
  default:
    return division("gin::modulo");
  }
}
