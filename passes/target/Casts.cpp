//===- Casts.cpp - comparisons, conversions, places of threads --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace gin;
using namespace gin::cuda;

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

Expr Emitter::compare(Operation *op) {
  Value left = op->getOperand(0), right = op->getOperand(1);
  auto print = [&](StringRef symbol, bool isUnsigned) -> Expr {
    Precedence precedence =
        symbol == "==" || symbol == "!=" ? Equal : Relational;
    auto operand = [&](Value value) {
      return (isUnsigned ? useUnsigned(value) : floatOf(value)).in(Shift);
    };
    return {operand(left) + " " + symbol.str() + " " + operand(right),
            precedence};
  };
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    auto call = [&](StringRef function) -> Expr {
      return {(function + "(" + floatOf(left).text + ", " +
               floatOf(right).text + ")")
                  .str()};
    };
    auto negate = [](const Expr &expr) -> Expr {
      return {"!" + expr.in(Unary), Unary};
    };
    switch (compare.getPredicate()) {
    case arith::CmpFPredicate::AlwaysFalse:
      return {"false"};
    case arith::CmpFPredicate::AlwaysTrue:
      return {"true"};
    case arith::CmpFPredicate::OEQ:
      return print("==", false);
    case arith::CmpFPredicate::OGT:
      return print(">", false);
    case arith::CmpFPredicate::OGE:
      return print(">=", false);
    case arith::CmpFPredicate::OLT:
      return print("<", false);
    case arith::CmpFPredicate::OLE:
      return print("<=", false);
    case arith::CmpFPredicate::UNE:
      return print("!=", false);
    case arith::CmpFPredicate::ONE:
      return call("gin::lessOrGreater");
    case arith::CmpFPredicate::UEQ:
      return negate(call("gin::lessOrGreater"));
    case arith::CmpFPredicate::UNO:
      return call("gin::unordered");
    case arith::CmpFPredicate::ORD:
      return negate(call("gin::unordered"));
    // The opposite comparison fails where a NaN is involved.
    case arith::CmpFPredicate::UGT:
      return negate(print("<=", false));
    case arith::CmpFPredicate::UGE:
      return negate(print("<", false));
    case arith::CmpFPredicate::ULT:
      return negate(print(">=", false));
    case arith::CmpFPredicate::ULE:
      return negate(print(">", false));
    }
  }
  StringRef predicate;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    predicate = arith::stringifyCmpIPredicate(compare.getPredicate());
  else
    predicate =
        index::stringifyIndexCmpPredicate(cast<index::CmpOp>(op).getPred());
  auto symbol = llvm::StringSwitch<StringRef>(predicate)
                    .Case("eq", "==")
                    .Case("ne", "!=")
                    .Cases({"slt", "ult"}, "<")
                    .Cases({"sle", "ule"}, "<=")
                    .Cases({"sgt", "ugt"}, ">")
                    .Default(">=");
  bool isUnsigned = predicate.starts_with("u");
  // A truth value is -1 as a signed number.
  if (left.getType().isInteger(1) && predicate.starts_with("s"))
    std::swap(left, right);
  return print(symbol,
               isUnsigned && !(isNonNegative(left) && isNonNegative(right)));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static unsigned widthOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

bool cuda::isCast(Operation *op) {
  return isa<arith::BitcastOp, arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::FPToSIOp, arith::FPToUIOp, arith::IndexCastOp,
             arith::IndexCastUIOp, arith::SIToFPOp, arith::TruncFOp,
             arith::TruncIOp, arith::UIToFPOp, index::CastSOp, index::CastUOp>(
      op);
}

Expr Emitter::convert(Operation *op) {
  Value value = op->getOperand(0);
  Type from = value.getType(), to = op->getResult(0).getType();
  StringRef name = op->getName().stripDialect();
  bool isBool = from.isInteger(1);
  auto wrapIn = [](const std::string &type, const Expr &expr) -> Expr {
    return {type + "(" + expr.text + ")"};
  };
  if (name == "bitcast")
    return from == to ? use(value)
                      : wrapIn("gin::bitCast<" + typeName(to) + ">",
                               matchPattern(value, m_Constant())
                                   ? wrapIn(typeName(from), use(value))
                                   : use(value));
  if (name == "extf")
    return to.isF32() ? floatOf(value)
           : isSmallFloat(to)
               ? wrapIn("gin::fromFloat<" + typeName(to) + ">", floatOf(value))
               : wrapIn(typeName(to), floatOf(value));
  if (name == "truncf") {
    if (!isSmallFloat(to))
      return wrapIn(typeName(to), use(value));
    return wrapIn((from.isF64() ? "gin::narrow<" : "gin::fromFloat<") +
                      typeName(to) + ">",
                  floatOf(value));
  }
  bool isUnsigned =
      llvm::StringSwitch<bool>(name)
          .Cases({"extui", "index_castui", "castu", "uitofp", "fptoui"}, true)
          .Default(false);
  if (isa<FloatType>(from)) { // to an integer
    Expr number = floatOf(value);
    if (isUnsigned)
      number = wrapIn(unsignedName(to), number);
    return wrapIn(typeName(to), number);
  }
  // A truth value is 1 as an unsigned number and -1 as a signed one.
  bool isMinus = isBool && !isUnsigned;
  if (isa<FloatType>(to)) {
    Expr number = isMinus ? Expr{"-" + use(value, Unary), Unary}
                  : isUnsigned && !isNonNegative(value) ? useUnsigned(value)
                                                        : use(value);
    if (isSmallFloat(to)) // which no rounding to double may precede
      return wrapIn(
          "gin::narrow<" + typeName(to) + ">",
          wrapIn(widthOf(from) > 32 ? "gin::roundToOdd" : "double", number));
    return wrapIn(typeName(to), number);
  }
  if (isBool && isMinus && !to.isInteger(1))
    return wrapIn(typeName(to), {"-" + use(value, Unary), Unary});
  if (to.isInteger(1) && !isBool)
    return {"(" + use(value, Unary) + " & 1) != 0", Equal};
  if (typeName(from) == typeName(to))
    return use(value);
  bool widens = widthOf(to) > widthOf(from);
  if (widens && isUnsigned && !isBool && !isNonNegative(value))
    return wrapIn(typeName(to), useUnsigned(value));
  Expr result = wrapIn(typeName(to), use(value));
  if (widens && !isBool)
    result.initializer = use(value).text;
  return result;
}

//===----------------------------------------------------------------------===//
// Ranks and threads
//===----------------------------------------------------------------------===//

FailureOr<Expr> Emitter::rankExpression(Operation *op) {
  using Result = FailureOr<Expr>;
  auto isWorld = [](Attribute team) {
    return !isa_and_nonnull<TeamAttr>(team);
  };
  auto first = [&](auto id, const char *text) -> Result {
    if (id.getDimension() != gpu::Dimension::x)
      return op->emitError("kernels have one dimension of threads and blocks, "
                           "so only x can be emitted");
    return Expr{text};
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](RankIdOp rank) -> Result {
        if (isWorld(rank.getTeamAttr()))
          return Expr{"context.rank"};
        return Expr{"gin::rankIn(context, " + teamOf(rank.getTeamAttr()) + ")"};
      })
      .Case([&](NumRanksOp ranks) -> Result {
        if (isWorld(ranks.getTeamAttr()))
          return Expr{rankCount.empty() ? "context.ranks" : rankCount};
        return Expr{teamOf(ranks.getTeamAttr()) + ".size"};
      })
      .Case([&](NeighborOp neighbor) -> Result {
        std::string team = isWorld(neighbor.getTeamAttr())
                               ? ""
                               : teamOf(neighbor.getTeamAttr()) + ", ";
        return Expr{"gin::neighbor(context, " + team +
                    use(neighbor.getMixedDistance(), Ternary) + ")"};
      })
      .Case([&](LaunchOp) -> Result {
        return Expr{"gin::launchNumber(context)"};
      })
      .Case([&](gpu::ThreadIdOp id) { return first(id, "context.thread"); })
      .Case([&](gpu::BlockDimOp dim) { return first(dim, "context.threads"); })
      .Case([&](gpu::BlockIdOp id) { return first(id, "gin::blockInGrid()"); })
      .Case([&](gpu::GridDimOp dim) {
        return first(dim, "gin::blocksOfGrid()");
      });
}
