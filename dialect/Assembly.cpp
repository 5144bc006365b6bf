//===- Assembly.cpp - custom parts of the assembly formats ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An index, peer, count or weight is a value of type index or an integer
// literal; in the op it is an optional operand beside an optional attribute, of
// which exactly one is there.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace gin;

using OptionalOperand = std::optional<OpAsmParser::UnresolvedOperand>;

//===----------------------------------------------------------------------===//
// IndexOrInt, and the clauses made of it
//===----------------------------------------------------------------------===//

static ParseResult parseIndexOrInt(OpAsmParser &parser,
                                   OptionalOperand &dynamic,
                                   IntegerAttr &literal) {
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult parsed = parser.parseOptionalOperand(operand);
  if (parsed.has_value()) {
    dynamic = operand;
    return *parsed;
  }
  int64_t value;
  SMLoc loc = parser.getCurrentLocation();
  parsed = parser.parseOptionalInteger(value);
  if (!parsed.has_value())
    return parser.emitError(
        loc, "expected a value of type index or an integer literal");
  literal = parser.getBuilder().getI64IntegerAttr(value);
  return *parsed;
}

static void printIndexOrInt(OpAsmPrinter &printer, Operation *, Value dynamic,
                            IntegerAttr literal) {
  if (dynamic)
    printer << dynamic;
  else if (literal)
    printer << literal.getValue();
}

static ParseResult parseWeight(OpAsmParser &parser, OptionalOperand &dynamic,
                               IntegerAttr &literal) {
  if (failed(parser.parseOptionalKeyword("add")))
    return success();
  return parseIndexOrInt(parser, dynamic, literal);
}

static void printWeight(OpAsmPrinter &printer, Operation *op, Value dynamic,
                        IntegerAttr literal) {
  if (!dynamic && !literal)
    return;
  printer << " add ";
  printIndexOrInt(printer, op, dynamic, literal);
}

/// Says where a clause belongs that comes too late.
static ParseResult refuseLateClause(OpAsmParser &parser, StringRef order) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword,
                                         {"on", "team", "context", "accumulate",
                                          "signal", "add", "relaxed", "into"})))
    return success();
  return parser.emitError(loc)
         << "`" << keyword << "` does not stand here; the order is " << order;
}

/// `relaxed`, or nothing.
static ParseResult parseRelaxed(OpAsmParser &parser, UnitAttr &relaxed) {
  if (succeeded(parser.parseOptionalKeyword("relaxed")))
    relaxed = parser.getBuilder().getUnitAttr();
  return refuseLateClause(parser, "`on`, `team`, `context`, `add`, `relaxed`");
}

static void printRelaxed(OpAsmPrinter &printer, Operation *, UnitAttr relaxed) {
  if (relaxed)
    printer << " relaxed";
}

static ParseResult parseCount(OpAsmParser &parser, OptionalOperand &dynamic,
                              IntegerAttr &literal) {
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalGreater()) ||
      failed(parser.parseOptionalEqual()))
    return parser.emitError(loc, "expected `>=` and a count");
  return parseIndexOrInt(parser, dynamic, literal);
}

static void printCount(OpAsmPrinter &printer, Operation *op, Value dynamic,
                       IntegerAttr literal) {
  printer << ">= ";
  printIndexOrInt(printer, op, dynamic, literal);
}

static ParseResult parseTimeout(OpAsmParser &parser, OptionalOperand &dynamic,
                                IntegerAttr &literal) {
  if (failed(parser.parseOptionalKeyword("timeout")))
    return success();
  return parseIndexOrInt(parser, dynamic, literal);
}

static void printTimeout(OpAsmPrinter &printer, Operation *op, Value dynamic,
                         IntegerAttr literal) {
  if (!dynamic && !literal)
    return;
  printer << " timeout ";
  printIndexOrInt(printer, op, dynamic, literal);
}

/// `team lsa`, `team row of ?x?`, `team grid ?x?`, an attribute, or nothing.
///
/// Attributes of the dialect are not printed as such: MLIR's parser takes a
/// colon after one for the beginning of the attribute's type. Aliases have no
/// such trouble.
static ParseResult parseTeam(OpAsmParser &parser, Attribute &team) {
  if (failed(parser.parseOptionalKeyword("team")))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult parsed = parser.parseOptionalAttribute(team);
  if (!parsed.has_value()) {
    team = parseTeamBody(parser);
    return success(static_cast<bool>(team));
  }
  // A type that was swallowed is found in the text; the attribute has no colon.
  StringRef text(loc.getPointer(),
                 parser.getCurrentLocation().getPointer() - loc.getPointer());
  if (failed(*parsed))
    return failure();
  if (text.starts_with("#gin.") && text.contains(':'))
    return parser.emitError(loc,
                            "the types behind this attribute are taken for "
                            "its own; write `team lsa`, `team row of ?x?` "
                            "or `team grid ?x?` without `#gin`");
  if (!isa<TeamAttr, GridAttr>(team))
    return parser.emitError(loc)
           << "expected a team (#gin.team<...>) or a grid "
              "(#gin.grid<...>), but got "
           << team;
  return success();
}

static void printTeam(OpAsmPrinter &printer, Operation *, Attribute team) {
  if (!team)
    return;
  printer << " team ";
  printTeamBody(printer, team);
}

/// `signal %bank[slot] add weight`, or nothing.
static ParseResult
parseBundle(OpAsmParser &parser, OptionalOperand &bank,
            SmallVectorImpl<OpAsmParser::UnresolvedOperand> &slot,
            DenseI64ArrayAttr &staticSlot, OptionalOperand &weight,
            IntegerAttr &staticWeight) {
  staticSlot = parser.getBuilder().getDenseI64ArrayAttr({});
  if (failed(parser.parseOptionalKeyword("signal")))
    return success();
  OpAsmParser::UnresolvedOperand operand;
  if (parser.parseOperand(operand) ||
      parseDynamicIndexList(parser, slot, staticSlot) ||
      parseWeight(parser, weight, staticWeight))
    return failure();
  bank = operand;
  return success();
}

static void printBundle(OpAsmPrinter &printer, Operation *op, Value bank,
                        OperandRange slot, DenseI64ArrayAttr staticSlot,
                        Value weight, IntegerAttr staticWeight) {
  if (!bank)
    return;
  printer << " signal " << bank;
  printDynamicIndexList(printer, op, slot, staticSlot.asArrayRef());
  printWeight(printer, op, weight, staticWeight);
}

/// The type of the bank of a bundled signal, which is there if the signal is.
static ParseResult parseBankType(OpAsmParser &parser, OptionalOperand &bank,
                                 Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  bool hasType = succeeded(parser.parseOptionalComma());
  if (hasType && !bank)
    return parser.emitError(
        loc, "a third type is that of a bank, but there is no `signal`");
  if (!hasType && bank)
    return parser.emitError(bank->location,
                            "expected `,` and the type of the bank that is "
                            "signalled, !gin.signals<...>, after the others");
  return hasType ? parser.parseType(type) : success();
}

static void printBankType(OpAsmPrinter &printer, Operation *, Value,
                          Type type) {
  if (type)
    printer << ", " << type;
}

/// `-> !gin.token`, or nothing.
static ParseResult parseTokenResult(OpAsmParser &parser, Type &type) {
  if (failed(parser.parseOptionalArrow()))
    return refuseLateClause(parser,
                            "`on`, `team`, `context`, `accumulate` (gin.put "
                            "only), `signal` (not of gin.get), `->`");
  TokenType token;
  if (parser.parseCustomTypeWithFallback(token))
    return failure();
  type = token;
  return success();
}

static void printTokenResult(OpAsmPrinter &printer, Operation *, Type type) {
  if (type)
    printer << " -> " << type;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static ParseResult parseReduceKind(OpAsmParser &parser, ReduceKindAttr &kind) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalKeyword(&keyword, {"sum", "prod", "max", "min"}))
    return parser.emitError(loc, "expected sum, prod, max or min");
  kind =
      ReduceKindAttr::get(parser.getContext(), *symbolizeReduceKind(keyword));
  return success();
}

static void printReduceKind(OpAsmPrinter &printer, Operation *,
                            ReduceKindAttr kind) {
  printer << stringifyReduceKind(kind.getValue());
}

//===----------------------------------------------------------------------===//
// Scopes of a kernel
//===----------------------------------------------------------------------===//

static ParseResult parseScope(OpAsmParser &parser, ScopeAttr &scope) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalKeyword(&keyword, {"warp", "block", "grid"}))
    return parser.emitError(loc, "expected warp, block or grid");
  scope = ScopeAttr::get(parser.getContext(), *symbolizeScope(keyword));
  return success();
}

static void printScope(OpAsmPrinter &printer, Operation *, ScopeAttr scope) {
  printer << stringifyScope(scope.getValue());
}

//===----------------------------------------------------------------------===//
// Roles of gin.specialize
//===----------------------------------------------------------------------===//

static ParseResult parseRoles(OpAsmParser &parser,
                              SmallVectorImpl<std::unique_ptr<Region>> &roles,
                              ArrayAttr &names, DenseI64ArrayAttr &ctas,
                              DenseI64ArrayAttr &warps) {
  Builder &builder = parser.getBuilder();
  SmallVector<Attribute> nameAttrs;
  SmallVector<int64_t> ctaCounts, warpCounts;
  if (parser.parseLBrace())
    return failure();
  while (failed(parser.parseOptionalRBrace())) {
    SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalKeyword("role")))
      return parser.emitError(
          loc, "expected `role \"name\" { ... }` or the closing brace");
    std::string name;
    if (parser.parseString(&name))
      return failure();
    nameAttrs.push_back(builder.getStringAttr(name));
    SmallVector<int64_t> *counts[] = {&ctaCounts, &warpCounts};
    for (auto [keyword, list] :
         llvm::zip_equal(ArrayRef<StringRef>{"ctas", "warps"}, counts)) {
      int64_t count = 0;
      if (succeeded(parser.parseOptionalKeyword(keyword))) {
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseInteger(count))
          return failure();
        if (count < 1)
          return parser.emitError(loc) << "a role has at least one of its "
                                       << keyword << ", not " << count;
      }
      list->push_back(count);
    }
    auto region = std::make_unique<Region>();
    if (parser.parseRegion(*region))
      return failure();
    SpecializeOp::ensureTerminator(
        *region, builder,
        parser.getEncodedSourceLoc(parser.getCurrentLocation()));
    roles.push_back(std::move(region));
  }
  names = builder.getArrayAttr(nameAttrs);
  ctas = builder.getDenseI64ArrayAttr(ctaCounts);
  warps = builder.getDenseI64ArrayAttr(warpCounts);
  return success();
}

static void printRoles(OpAsmPrinter &printer, Operation *op,
                       MutableArrayRef<Region> roles, ArrayAttr names,
                       DenseI64ArrayAttr ctas, DenseI64ArrayAttr warps) {
  printer << '{';
  printer.increaseIndent();
  for (auto [region, name, cta, warp] :
       llvm::zip_equal(roles, names.getAsRange<StringAttr>(), ctas.asArrayRef(),
                       warps.asArrayRef())) {
    printer.printNewline();
    printer << "role " << name << ' ';
    if (cta)
      printer << "ctas " << cta << ' ';
    if (warp)
      printer << "warps " << warp << ' ';
    printer.printRegion(region, /*printEntryBlockArgs=*/false,
                        /*printBlockTerminators=*/false);
  }
  printer.decreaseIndent();
  printer.printNewline();
  printer << '}';
}

#define GET_OP_CLASSES
#include "dialect/GinOps.cpp.inc"

void GinDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "dialect/GinOps.cpp.inc"
      >();
}
