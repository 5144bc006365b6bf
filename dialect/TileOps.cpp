//===- TileOps.cpp - tile loops of one rank ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static constexpr StringLiteral regionNames[] = {"acquire", "reserve", "publish",
                                                "spare"};
/// Part, row, and k or column; the spare warp has no tile.
static unsigned argumentsOf(unsigned region) { return region == 3 ? 0 : 3; }

/// `acquire(%part, %row, %k) { ... }` and so on, those that are not empty.
ParseResult gin::parseTileRegions(OpAsmParser &parser, Region &acquire,
                                  Region &reserve, Region &publish,
                                  Region &spare) {
  Region *regions[] = {&acquire, &reserve, &publish, &spare};
  Builder &builder = parser.getBuilder();
  for (unsigned i = 0; i < 4; ++i) {
    if (failed(parser.parseOptionalKeyword(regionNames[i])))
      continue;
    SmallVector<OpAsmParser::Argument> arguments;
    SMLoc loc = parser.getCurrentLocation();
    if (argumentsOf(i) &&
        parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren))
      return failure();
    if (arguments.size() != argumentsOf(i))
      return parser.emitError(loc)
             << regionNames[i] << " takes three values: the part, the row, and "
             << (i == 0 ? "k" : "the column");
    for (OpAsmParser::Argument &argument : arguments)
      argument.type = builder.getIndexType();
    if (parser.parseRegion(*regions[i], arguments))
      return failure();
    MatmulOp::ensureTerminator(
        *regions[i], builder,
        parser.getEncodedSourceLoc(parser.getCurrentLocation()));
  }
  return success();
}

void gin::printTileRegions(OpAsmPrinter &printer, Operation *, Region &acquire,
                           Region &reserve, Region &publish, Region &spare) {
  Region *regions[] = {&acquire, &reserve, &publish, &spare};
  bool any = false;
  printer.increaseIndent();
  for (auto [region, name] : llvm::zip_equal(regions, regionNames)) {
    if (region->empty())
      continue;
    any = true;
    printer.printNewline();
    printer << name;
    if (region->getNumArguments()) {
      printer << '(';
      llvm::interleaveComma(
          region->getArguments(), printer,
          [&](BlockArgument argument) { printer.printOperand(argument); });
      printer << ')';
    }
    printer << ' ';
    printer.printRegion(*region, /*printEntryBlockArgs=*/false,
                        /*printBlockTerminators=*/false);
  }
  printer.decreaseIndent();
  if (any)
    printer << ' ';
}

/// An agent of a tile loop has one thread of control, and meets no others: how
/// often a region runs on a rank is for the executor to choose.
static LogicalResult verifyTileAgent(StringRef name, Region &region) {
  WalkResult result = region.walk([&](Operation *inner) -> WalkResult {
    if (isa<BarrierOp>(inner) || isCollective(inner))
      return inner->emitOpError("stands in '")
             << name
             << "' of gin.matmul, which runs as often as the executor has "
                "agents and tiles, so that ranks would not meet; wait for "
                "signals there";
    if (isa<SpecializeOp, MatmulOp>(inner))
      return inner->emitOpError("forks agents in '")
             << name << "' of gin.matmul, whose agents have one thread of "
             << "control each; do it before or after the product";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult MatmulOp::verifyRegions() {
  Region *regions[] = {&getAcquire(), &getReserve(), &getPublish(),
                       &getSpare()};
  for (unsigned i = 0; i < 4; ++i) {
    if (regions[i]->empty())
      continue;
    if (regions[i]->getNumArguments() != argumentsOf(i) ||
        llvm::any_of(regions[i]->getArgumentTypes(),
                     [](Type type) { return !type.isIndex(); }))
      return emitOpError() << regionNames[i] << " takes " << argumentsOf(i)
                           << " values of type index";
    if (failed(verifyAgent(*this, *regions[i])) ||
        failed(verifyTileAgent(regionNames[i], *regions[i])))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

Type MatmulOp::getSumType() {
  auto elementOf = [](Value memref) {
    return cast<MemRefType>(memref.getType()).getElementType();
  };
  Type input = elementOf(getA()), output = elementOf(getC());
  if (isa<IntegerType>(output))
    return output;
  Builder builder(getContext());
  return input.isF64() || output.isF64() ? Type(builder.getF64Type())
                                         : Type(builder.getF32Type());
}

void MatmulOp::getAccesses(SmallVectorImpl<Access> &accesses) {
  accesses.push_back({AccessKind::Read, getA(), {}, {}, {}, {}});
  accesses.push_back({AccessKind::Read, getB(), {}, {}, {}, {}});
  for (Value data : {getRows(), getGroups()})
    if (data)
      accesses.push_back({AccessKind::Read, data, {}, {}, {}, {}});
  // What goes to other ranks stands in no footprint of this one.
  if (!getRemote())
    accesses.push_back({AccessKind::Write, getC(), {}, {}, {}, {}});
}

/// Whether the product of elements of type `input` can be stored as `output`.
static bool canStore(Type input, Type output) {
  if (isa<IntegerType>(input) != isa<IntegerType>(output))
    return false;
  return input.getIntOrFloatBitWidth() <= output.getIntOrFloatBitWidth();
}

LogicalResult MatmulOp::verify() {
  auto a = cast<MemRefType>(getA().getType());
  auto b = cast<MemRefType>(getB().getType());
  auto c = cast<MemRefType>(getC().getType());
  if (a.getRank() != 2 && a.getRank() != 3)
    return emitOpError() << "takes m x k or parts x m x k as its left factor, "
                            "not "
                         << a;
  const StringRef right = getTransposed() ? "n x k" : "k x n";
  if (b.getRank() != 2 && b.getRank() != 3)
    return emitOpError() << "takes " << right << " or groups x " << right
                         << " as its right factor, not " << b;
  if (isRagged() && a.getRank() != 3)
    return emitOpError() << "has " << (getRows() ? "rows" : "groups")
                         << " of parts, but the left factor has no parts; it "
                            "is parts x m x k";
  if (isRagged() && getRemote())
    return emitOpError() << "has " << (getRows() ? "rows" : "groups")
                         << " of parts, which stay on this rank; put the "
                            "tiles in 'publish', without 'on parts'";
  if (getGroups() && !hasGroups())
    return emitOpError() << "has groups of parts, but the right factor is one "
                            "matrix; it is groups x "
                         << right;
  int64_t wanted = getRemote() ? 2 : a.getRank();
  if (c.getRank() != wanted)
    return emitOpError() << "makes " << (wanted == 2 ? "" : "parts x ")
                         << "m x n, not " << c;
  if (getRemote() && a.getRank() != 3)
    return emitOpError("sends its parts to ranks, but the left factor has no "
                       "parts; it is parts x m x k");
  if (getRemote() && (!isWindow(c) || !c.getLayout().isIdentity()))
    return emitOpError() << "sends its parts to ranks, into a whole window, "
                            "not "
                         << c;
  Type input = a.getElementType(), output = c.getElementType();
  // One bit would be added as a bit here and as a truth value there.
  for (Type element : {input, output})
    if (isa<IntegerType>(element) &&
        (!element.isSignlessInteger() || element.isInteger(1)))
      return emitOpError() << "multiplies signless integers of 8 bits and "
                              "more, not "
                           << element;
  if (!input.isIntOrFloat() || !output.isIntOrFloat() ||
      b.getElementType() != input)
    return emitOpError() << "multiplies integers or floats of one type, not "
                         << input << " and " << b.getElementType();
  if (!canStore(input, output))
    return emitOpError() << "cannot store products of " << input << " as "
                         << output;
  // Sizes that are known must agree.
  ArrayRef<int64_t> sizeA = a.getShape(), sizeB = b.getShape(),
                    sizeC = c.getShape();
  auto agree = [&](StringRef what, int64_t x, int64_t y) -> LogicalResult {
    if (ShapedType::isDynamic(x) || ShapedType::isDynamic(y) || x == y)
      return success();
    return emitOpError() << "has operands that disagree about " << what << ": "
                         << x << " and " << y;
  };
  auto ofParts = [&](Value data) -> LogicalResult {
    return data ? agree("parts", sizeA[0],
                        cast<MemRefType>(data.getType()).getDimSize(0))
                : success();
  };
  if (failed(ofParts(getRows())) || failed(ofParts(getGroups())))
    return failure();
  sizeB = sizeB.take_back(2);
  if (failed(agree("m", sizeA[sizeA.size() - 2], sizeC[sizeC.size() - 2])) ||
      failed(agree("k", sizeA.back(), sizeB[getTransposed() ? 1 : 0])) ||
      failed(agree("n", sizeB[getTransposed() ? 0 : 1], sizeC.back())) ||
      (wanted == 3 && failed(agree("parts", sizeA[0], sizeC[0]))))
    return failure();
  if (std::optional<ArrayRef<int64_t>> tiles = getTiles())
    if (tiles->size() != 3 ||
        llvm::any_of(*tiles, [](int64_t size) { return size < 1; }))
      return emitOpError("needs three tile sizes of at least 1: rows, columns, "
                         "and the step of k");
  if (bool(getFirstBlock()) != bool(getNumBlocks()))
    return emitOpError("needs both the first block and their count, or none");
  return success();
}

LogicalResult PaceOp::verify() {
  if (static_cast<int64_t>(getInterval()) < 0)
    return emitOpError() << "has an interval of "
                         << static_cast<int64_t>(getInterval())
                         << " ns; it must be at least 0";
  return success();
}
