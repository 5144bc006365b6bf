//===- ExpandTiles.cpp - tile loops become agents and loops -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For executors without tile functions. Each worker is an agent that computes
// every so many tiles, as a CTA does on a GPU: what one of them has acquired,
// another has not.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "TileSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace gin {
#define GEN_PASS_DEF_EXPANDTILES
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

TileSizes::TileSizes(OpBuilder &builder, MatmulOp op) {
  Location loc = op.getLoc();
  using Extent = std::pair<Value, int64_t>; // of a memref
  auto dim = [&](Extent extent) -> Value {
    return memref::DimOp::create(builder, loc, extent.first, extent.second);
  };
  auto isKnown = [](Extent extent) {
    return !cast<MemRefType>(extent.first.getType())
                .isDynamicDim(extent.second);
  };
  auto agree = [&](const char *what, Extent one, Extent other) {
    if (isKnown(one) && isKnown(other))
      return; // the verifier has compared them
    Value same = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       dim(one), dim(other));
    cf::AssertOp::create(builder, loc, same,
                         std::string("operands disagree about ") + what);
  };
  Value a = op.getA(), b = op.getB(), c = op.getC();
  const int64_t first = op.hasParts() ? 1 : 0;
  const int64_t firstC = op.hasParts() && !op.getRemote() ? 1 : 0;
  const Extent rows(a, first), depth(a, first + 1);
  const int64_t firstB = op.hasGroups() ? 1 : 0;
  const Extent columns(b, firstB + (op.getTransposed() ? 0 : 1));
  agree("k", depth, {b, firstB + (op.getTransposed() ? 1 : 0)});
  agree("m", rows, {c, firstC});
  agree("n", columns, {c, firstC + 1});
  if (firstC)
    agree("the number of parts", {a, 0}, {c, 0});
  for (Value data : {op.getRows(), op.getGroups()})
    if (data)
      agree("the number of parts", {a, 0}, {data, 0});
  if (op.hasGroups())
    groups = dim({b, 0});
  parts = op.hasParts()
              ? dim({a, 0})
              : Value(arith::ConstantIndexOp::create(builder, loc, 1));
  m = dim(rows);
  k = dim(depth);
  n = dim(columns);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {
/// Writes the loops of one gin.matmul.
class Expansion {
public:
  Expansion(OpBuilder &builder, MatmulOp op)
      : b(builder), loc(op.getLoc()), op(op) {}
  void run(unsigned workers);

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return arith::MulIOp::create(b, loc, x, y); }
  Value div(Value x, Value y) { return arith::DivUIOp::create(b, loc, x, y); }
  Value rem(Value x, Value y) { return arith::RemUIOp::create(b, loc, x, y); }
  /// What is left from `at` to `end`, at most `most`.
  Value rest(Value end, Value at, Value most) {
    Value left = arith::SubIOp::create(b, loc, end, at);
    return arith::MinUIOp::create(b, loc, left, most);
  }
  void inlineRegion(Region &region, ArrayRef<Value> arguments);
  Value matrix(Value memref, Value part, Value row, Value column, Value rows,
               Value columns);
  Value convert(Value value, Type to);
  void computeTile(Value index);
  Value load(Value data, Value part);
  Value rowsOf(Value part);
  Value isThere(Value group, Value row, Value end);
  void computeThere(Value part, Value group, Value row, Value column,
                    Value end);
  void multiply(Value sums, Value part, Value group, Value row, Value column,
                Value rows, Value columns, Value at);
  void writeTile(Value sums, Value part, Value row, Value column, Value rows,
                 Value columns);

  OpBuilder &b;
  Location loc;
  MatmulOp op;
  std::optional<TileSizes> size;
  Value tileRows, tileColumns, tileDepth, down, across, first;
};
} // namespace

void Expansion::inlineRegion(Region &region, ArrayRef<Value> arguments) {
  if (region.empty())
    return;
  IRMapping map;
  map.map(region.getArguments(), arguments);
  for (Operation &inner : region.front().without_terminator())
    b.clone(inner, map);
}

/// rows x columns of a matrix, or of a part.
Value Expansion::matrix(Value memref, Value part, Value row, Value column,
                        Value rows, Value columns) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<OpFoldResult> offsets, sizes;
  OpFoldResult one = b.getIndexAttr(1);
  if (type.getRank() == 3) {
    offsets.push_back(part);
    sizes.push_back(one);
  }
  offsets.append({row, column});
  sizes.append({rows, columns});
  SmallVector<OpFoldResult> strides(offsets.size(), one);
  MemRefType reduced = memref::SubViewOp::inferRankReducedResultType(
      {ShapedType::kDynamic, ShapedType::kDynamic}, type, offsets, sizes,
      strides);
  return memref::SubViewOp::create(b, loc, reduced, memref, offsets, sizes,
                                   strides);
}

Value Expansion::convert(Value value, Type to) {
  Type from = value.getType();
  if (from == to)
    return value;
  const bool widens = from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  if (isa<IntegerType>(from))
    return arith::ExtSIOp::create(b, loc, to, value);
  if (widens)
    return arith::ExtFOp::create(b, loc, to, value);
  return arith::TruncFOp::create(b, loc, to, value);
}

/// Adds a step of k to the sums.
void Expansion::multiply(Value sums, Value part, Value group, Value row,
                         Value column, Value rows, Value columns, Value at) {
  Value depth = rest(size->k, at, tileDepth);
  Value left = matrix(op.getA(), part, row, at, rows, depth);
  Value right = op.getTransposed()
                    ? matrix(op.getB(), group, column, at, columns, depth)
                    : matrix(op.getB(), group, at, column, depth, columns);
  MLIRContext *context = b.getContext();
  AffineExpr i, j, l;
  bindDims(context, i, j, l);
  auto map = [&](AffineExpr x, AffineExpr y) {
    return AffineMap::get(3, 0, {x, y}, context);
  };
  auto parallel = utils::IteratorType::parallel;
  linalg::GenericOp::create(
      b, loc, TypeRange(), ValueRange{left, right}, ValueRange{sums},
      ArrayRef<AffineMap>{map(i, l), op.getTransposed() ? map(j, l) : map(l, j),
                          map(i, j)},
      ArrayRef<utils::IteratorType>{parallel, parallel,
                                    utils::IteratorType::reduction},
      [&](OpBuilder &, Location, ValueRange in) {
        Value x = convert(in[0], in[2].getType());
        Value y = convert(in[1], in[2].getType());
        Value sum = in[2];
        if (isa<IntegerType>(sum.getType()))
          sum = add(sum, mul(x, y));
        else
          sum = arith::AddFOp::create(b, loc, sum,
                                      arith::MulFOp::create(b, loc, x, y));
        linalg::YieldOp::create(b, loc, sum);
      });
}

void Expansion::writeTile(Value sums, Value part, Value row, Value column,
                          Value rows, Value columns) {
  Type element = cast<MemRefType>(op.getC().getType()).getElementType();
  if (!op.getRemote()) {
    Value to = matrix(op.getC(), part, row, column, rows, columns);
    auto parallel = utils::IteratorType::parallel;
    AffineMap same = b.getMultiDimIdentityMap(2);
    linalg::GenericOp::create(
        b, loc, TypeRange(), ValueRange{sums}, ValueRange{to},
        ArrayRef<AffineMap>{same, same},
        ArrayRef<utils::IteratorType>{parallel, parallel},
        [&](OpBuilder &, Location, ValueRange in) {
          Value value = convert(in[0], element);
          if (op.getAccumulate())
            value = isa<IntegerType>(element)
                        ? add(in[1], value)
                        : Value(arith::AddFOp::create(b, loc, in[1], value));
          linalg::YieldOp::create(b, loc, value);
        });
    return;
  }
  // Element by element: delivered in any order, as a tile's pieces may be.
  Value zero = constant(0), one = constant(1);
  auto byRow = scf::ForOp::create(b, loc, zero, rows, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(byRow.getBody());
  auto byColumn = scf::ForOp::create(b, loc, zero, columns, one);
  b.setInsertionPointToStart(byColumn.getBody());
  Value i = byRow.getInductionVar(), j = byColumn.getInductionVar();
  Value value =
      convert(memref::LoadOp::create(b, loc, sums, ValueRange{i, j}), element);
  SmallVector<OpFoldResult> at = {add(row, i), add(column, j)};
  RemoteOptions options;
  if (op.getAccumulate())
    AtomicAddOp::create(b, loc, value, op.getC(), at, OpFoldResult(part),
                        options);
  else
    PutValueOp::create(b, loc, value, op.getC(), at, OpFoldResult(part),
                       options);
}

void Expansion::computeTile(Value index) {
  Value perPart = mul(down, across);
  Value turn, inPart;
  if (op.getAlternating()) {
    turn = rem(index, size->parts);
    inPart = div(index, size->parts);
  } else {
    turn = div(index, perPart);
    inPart = rem(index, perPart);
  }
  Value part = rem(add(first, turn), size->parts);
  Value row = mul(rem(inPart, down), tileRows);
  Value column = mul(div(inPart, down), tileColumns);
  if (!op.isRagged())
    return computeThere(part, {}, row, column, size->m);

  // What the first region has waited for says whether there is more to do.
  inlineRegion(op.getAcquire(), {part, row, constant(0)});
  Value end = rowsOf(part), group;
  if (op.getGroups())
    group = load(op.getGroups(), part);
  else if (op.hasGroups()) // there may be none
    group =
        rem(part, arith::MaxUIOp::create(b, loc, size->groups, constant(1)));
  auto there = scf::IfOp::create(b, loc, isThere(group, row, end),
                                 /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(there.thenBlock());
  computeThere(part, group, row, column, end);
}

/// An element of `data`, as an index.
Value Expansion::load(Value data, Value part) {
  Value value = memref::LoadOp::create(b, loc, data, part);
  if (value.getType().isIndex())
    return value;
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), value);
}

/// How many rows a part has, from 0 to m.
Value Expansion::rowsOf(Value part) {
  if (!op.getRows())
    return size->m;
  Value rows = load(op.getRows(), part);
  rows = arith::MaxSIOp::create(b, loc, rows, constant(0));
  return arith::MinSIOp::create(b, loc, rows, size->m);
}

/// Whether a tile of rows from `row` on has any before `end`, and a matrix.
Value Expansion::isThere(Value group, Value row, Value end) {
  auto below = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, x, y);
  };
  Value there = below(row, end);
  if (!group)
    return there;
  return arith::AndIOp::create(b, loc, there, below(group, size->groups));
}

/// Computes a tile that is there; the part's rows end at `end`.
void Expansion::computeThere(Value part, Value group, Value row, Value column,
                             Value end) {
  Value rows = rest(end, row, tileRows);
  Value columns = rest(size->n, column, tileColumns);

  Type sumType = op.getSumType();
  auto tile =
      MemRefType::get({ShapedType::kDynamic, ShapedType::kDynamic}, sumType);
  Value sums = memref::AllocOp::create(b, loc, tile, ValueRange{rows, columns});
  Value nothing = arith::ConstantOp::create(b, loc, b.getZeroAttr(sumType));
  linalg::FillOp::create(b, loc, nothing, sums);
  auto steps = scf::ForOp::create(b, loc, constant(0), size->k, tileDepth);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(steps.getBody());
    Value at = steps.getInductionVar();
    if (!op.isRagged()) {
      inlineRegion(op.getAcquire(), {part, row, at});
    } else { // the first step has been acquired
      Value later = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, at,
                                          constant(0));
      auto acquires =
          scf::IfOp::create(b, loc, later, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard inner(b);
      b.setInsertionPointToStart(acquires.thenBlock());
      inlineRegion(op.getAcquire(), {part, row, at});
    }
    multiply(sums, part, group, row, column, rows, columns, at);
  }
  inlineRegion(op.getReserve(), {part, row, column});
  writeTile(sums, part, row, column, rows, columns);
  inlineRegion(op.getPublish(), {part, row, column});
  memref::DeallocOp::create(b, loc, sums);
}

void Expansion::run(unsigned workers) {
  b.setInsertionPoint(op);
  size.emplace(b, op);
  // Not even a loop that never runs may name elements that do not exist.
  if (llvm::is_contained(cast<MemRefType>(op.getC().getType()).getShape(), 0)) {
    op.erase();
    return;
  }
  tileRows = constant(op.getTileSizes()[0]);
  tileColumns = constant(op.getTileSizes()[1]);
  tileDepth = constant(op.getTileSizes()[2]);
  down = arith::CeilDivUIOp::create(b, loc, size->m, tileRows);
  across = arith::CeilDivUIOp::create(b, loc, size->n, tileColumns);
  first = constant(0);
  if (op.getFirst()) { // any number, as a neighbour's may be
    Value atLeastOne = arith::MaxUIOp::create(b, loc, size->parts, constant(1));
    Value rest = arith::RemSIOp::create(b, loc, op.getFirst(), atLeastOne);
    first = rem(add(rest, atLeastOne), atLeastOne);
  }
  Value tiles = mul(size->parts, mul(down, across));

  Value count = constant(workers);
  auto forall = scf::ForallOp::create(b, loc, {OpFoldResult(count)},
                                      ValueRange(), std::nullopt);
  b.setInsertionPointToStart(forall.getBody());
  auto loop =
      scf::ForOp::create(b, loc, forall.getInductionVar(0), tiles, count);
  b.setInsertionPointToStart(loop.getBody());
  computeTile(loop.getInductionVar());
  op.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ExpandTiles : gin::impl::ExpandTilesBase<ExpandTiles> {
  using ExpandTilesBase::ExpandTilesBase;

  void runOnOperation() override {
    if (workers < 1) {
      getOperation()->emitError("needs at least one worker");
      return signalPassFailure();
    }
    SmallVector<MatmulOp> matmuls;
    getOperation()->walk([&](MatmulOp op) { matmuls.push_back(op); });
    OpBuilder builder(&getContext());
    for (MatmulOp op : matmuls) {
      if (op.getNumBlocks() || !op.getSpare().empty()) {
        op.emitOpError("is of the kernel level, where blocks are stated");
        return signalPassFailure();
      }
      Expansion(builder, op).run(workers);
    }
    // Regions have been copied, and what stands in them too.
    getOperation()->walk([](PaceOp op) { op.erase(); });
  }
};
} // namespace
