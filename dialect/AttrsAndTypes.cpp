//===- AttrsAndTypes.cpp - assembly and verification ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Extents are written `4x?x2` in grids, teams and banks alike. A grid's or
// bank's dynamic extent is ShapedType::kDynamic, as in upstream shapes.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gin;

/// The contract passes extents of a grid in an array of this many at most.
static constexpr int64_t kMaxGridRank = 8;
/// Ranks and slots are numbered by 32-bit integers.
static constexpr int64_t kMaxCount = int64_t(1) << 31;

bool gin::isWindow(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && isa_and_nonnull<WindowAttr>(memref.getMemorySpace());
}

bool gin::isPeerView(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && isa_and_nonnull<PeerAttr>(memref.getMemorySpace());
}

static ParseResult parseExtents(AsmParser &parser,
                                SmallVectorImpl<int64_t> &shape) {
  return parser.parseDimensionList(shape, /*allowDynamic=*/true,
                                   /*withTrailingX=*/false);
}

static void printExtents(AsmPrinter &printer, ArrayRef<int64_t> shape) {
  llvm::interleave(
      shape, printer.getStream(),
      [&](int64_t extent) {
        if (ShapedType::isDynamic(extent))
          printer << '?';
        else
          printer << extent;
      },
      "x");
}

static LogicalResult verifyExtents(function_ref<InFlightDiagnostic()> emitError,
                                   StringRef what, StringRef elements,
                                   ArrayRef<int64_t> shape) {
  if (shape.empty())
    return emitError() << "a " << what << " needs at least one extent";
  int64_t product = 1;
  for (int64_t extent : shape) {
    if (ShapedType::isDynamic(extent))
      continue;
    if (extent < 1)
      return emitError() << "extents of a " << what
                         << " are at least 1, but one is " << extent;
    if (extent > kMaxCount / product)
      return emitError() << "a " << what << " has at most " << kMaxCount << " "
                         << elements;
    product *= extent;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Grids and teams
//===----------------------------------------------------------------------===//

Attribute GridAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  if (parser.parseLess() || parseExtents(parser, shape) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<GridAttr>(loc, parser.getContext(), shape);
}

void GridAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printExtents(printer, getShape());
  printer << '>';
}

LogicalResult GridAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape) {
  if (static_cast<int64_t>(shape.size()) > kMaxGridRank)
    return emitError() << "a grid has at most " << kMaxGridRank
                       << " dimensions, but this one has " << shape.size();
  return verifyExtents(emitError, "grid", "ranks", shape);
}

bool GridAttr::isStatic() const {
  return !ShapedType::isDynamicShape(getShape());
}

int64_t GridAttr::getNumRanks() const {
  return ShapedType::getNumElements(getShape());
}

Attribute gin::parseTeamBody(AsmParser &parser) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalKeyword(&keyword, {"world", "lsa", "rail", "row",
                                             "column", "axis", "grid"})) {
    parser.emitError(loc)
        << "expected world, lsa, rail, row, column, axis or grid";
    return {};
  }
  MLIRContext *context = parser.getContext();
  if (std::optional<TeamKind> kind = symbolizeTeamKind(keyword);
      kind && *kind != TeamKind::Axis)
    return TeamAttr::get(context, *kind);

  SmallVector<int64_t> shape;
  if (keyword == "grid")
    return parseExtents(parser, shape)
               ? Attribute()
               : parser.getChecked<GridAttr>(loc, context, shape);

  int64_t axis = keyword == "row" ? 1 : 0;
  if ((keyword == "axis" && parser.parseInteger(axis)) ||
      parser.parseKeyword("of") || parseExtents(parser, shape))
    return {};
  if (keyword != "axis" && shape.size() != 2) {
    parser.emitError(loc) << "a " << keyword
                          << " needs a grid of two dimensions; write `axis N "
                             "of` for a grid of "
                          << shape.size();
    return {};
  }
  auto grid = parser.getChecked<GridAttr>(loc, context, shape);
  if (!grid)
    return {};
  return parser.getChecked<TeamAttr>(loc, context, TeamKind::Axis, axis, grid);
}

void gin::printTeamBody(AsmPrinter &printer, Attribute attr) {
  if (auto grid = dyn_cast<GridAttr>(attr)) {
    printer << "grid ";
    printExtents(printer, grid.getShape());
    return;
  }
  auto team = cast<TeamAttr>(attr);
  if (team.getKind() != TeamKind::Axis) {
    printer << stringifyTeamKind(team.getKind());
    return;
  }
  if (team.getGrid().getRank() == 2)
    printer << (team.getAxis() == 1 ? "row" : "column");
  else
    printer << "axis " << team.getAxis();
  printer << " of ";
  printExtents(printer, team.getGrid().getShape());
}

Attribute TeamAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  Attribute team = parseTeamBody(parser);
  if (!team || parser.parseGreater())
    return {};
  if (isa<GridAttr>(team))
    parser.emitError(loc, "a grid is written #gin.grid<...>");
  return dyn_cast<TeamAttr>(team);
}

void TeamAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printTeamBody(printer, *this);
  printer << '>';
}

LogicalResult TeamAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               TeamKind kind, int64_t axis, GridAttr grid) {
  if ((kind == TeamKind::Axis) != static_cast<bool>(grid))
    return emitError() << "a team along an axis, and no other, has a grid";
  if (!grid && axis != 0)
    return emitError() << "a team without a grid has no axis";
  if (grid && (axis < 0 || axis >= grid.getRank()))
    return emitError() << "axis " << axis << " is not one of a grid of "
                       << grid.getRank() << " dimensions";
  return success();
}

//===----------------------------------------------------------------------===//
// Banks of signals
//===----------------------------------------------------------------------===//

Type SignalsType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  if (parser.parseLess() || parseExtents(parser, shape) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<SignalsType>(loc, parser.getContext(), shape);
}

void SignalsType::print(AsmPrinter &printer) const {
  printer << '<';
  printExtents(printer, getShape());
  printer << '>';
}

LogicalResult SignalsType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape) {
  return verifyExtents(emitError, "bank of signals", "slots", shape);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

#include "dialect/GinEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/GinAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/GinTypes.cpp.inc"

void GinDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/GinAttrs.cpp.inc"
      >();
}

void GinDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/GinTypes.cpp.inc"
      >();
}
