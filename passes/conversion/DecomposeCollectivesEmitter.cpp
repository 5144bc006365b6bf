//===- DecomposeCollectivesEmitter.cpp - building blocks --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DecomposeCollectives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gin;

/// A name for what belongs to `op`: all_gather0 for the first all_gather that
/// the function has had, and so on.
static std::string nameOf(Operation *op, func::FuncOp function) {
  StringRef kind = op->getName().stripDialect();
  auto isTaken = [&](const std::string &prefix) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto name = function.getArgAttrOfType<StringAttr>(i, kNameAttr);
          name && name.getValue().starts_with(prefix))
        return true;
    return false;
  };
  for (unsigned number = 0;; ++number)
    if (std::string name = (kind + Twine(number)).str(); !isTaken(name + "_"))
      return name;
}

CollectiveEmitter::CollectiveEmitter(Operation *op, Attribute team)
    : b(op->getLoc(), op), function(op->getParentOfType<func::FuncOp>()),
      op(op), team(team), name(nameOf(op, function)), sizes(function) {
  me = RankIdOp::create(b, team);
  earlier = countEarlier(op);
  ranks = b.createOrFold<NumRanksOp>(b.getIndexType(), team);
}

//===----------------------------------------------------------------------===//
// Banks and scratch windows
//===----------------------------------------------------------------------===//

AffineExpr CollectiveEmitter::staticExtent(int64_t extent) {
  return b.getAffineConstantExpr(extent);
}

FailureOr<CollectiveEmitter::Extents>
CollectiveEmitter::extentsOf(ArrayRef<Operand> operands) {
  const Operand &main = operands.front();
  Extents extents(cast<MemRefType>(main.memref.getType()).getRank() -
                  main.first);
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    for (const Operand &operand : operands)
      if (!extent || !isAlike(extent))
        if (AffineExpr other =
                sizes.extent(operand.memref, operand.first + dim))
          if (!extent || isAlike(other))
            extent = other;
    if (extent)
      continue;
    InFlightDiagnostic error =
        op->emitOpError() << "needs a scratch window, but extent "
                          << main.first + dim << " of its " << main.what
                          << " is not known when the program is launched; "
                             "derive it from the number of ranks and the sizes "
                             "of the function's arguments";
    error.attachNote(main.memref.getLoc())
        << "the " << main.what << " is made here";
    return error;
  }
  return extents;
}

Value CollectiveEmitter::append(StringRef what, Type type,
                                ArrayRef<AffineExpr> extents, bool scratch) {
  SmallVector<NamedAttribute> attrs = {
      b.getNamedAttr(kNameAttr, b.getStringAttr(name + "_" + what))};
  if (scratch)
    attrs.push_back(b.getNamedAttr(kScratchAttr, b.getUnitAttr()));
  SmallVector<AffineExpr> dynamic;
  unsigned symbols = 1;
  for (AffineExpr extent : extents) {
    if (isa<AffineConstantExpr>(extent))
      continue;
    dynamic.push_back(extent);
    extent.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        symbols = std::max(symbols, symbol.getPosition() + 1);
    });
  }
  if (!dynamic.empty())
    attrs.push_back(
        b.getNamedAttr(kSizesAttr, AffineMapAttr::get(AffineMap::get(
                                       0, symbols, dynamic, b.getContext()))));
  unsigned position = function.getNumArguments();
  // Any signature suits a func.func.
  [[maybe_unused]] LogicalResult inserted = function.insertArgument(
      position, type, b.getDictionaryAttr(attrs), op->getLoc());
  assert(succeeded(inserted));
  return function.getArgument(position);
}

static SmallVector<int64_t> shapeFrom(ArrayRef<AffineExpr> extents) {
  SmallVector<int64_t> shape;
  for (AffineExpr extent : extents) {
    auto known = dyn_cast<AffineConstantExpr>(extent);
    shape.push_back(known ? known.getValue() : ShapedType::kDynamic);
  }
  return shape;
}

Value CollectiveEmitter::bank(StringRef what, ArrayRef<AffineExpr> extents) {
  return append(what, SignalsType::get(b.getContext(), shapeFrom(extents)),
                extents, /*scratch=*/false);
}

Value CollectiveEmitter::scratch(StringRef what, Type element,
                                 ArrayRef<AffineExpr> extents) {
  auto type = MemRefType::get(shapeFrom(extents), element, AffineMap(),
                              WindowAttr::get(b.getContext()));
  return append(what, type, extents, /*scratch=*/true);
}

//===----------------------------------------------------------------------===//
// How often was this collective executed earlier in the launch?
//
// Signals only grow, so that the wait of its k-th execution counts to k. An
// arrival of a later execution cannot stand for one of an earlier one: its
// sender has passed the barrier that begins the later one, which we enter after
// all waits of the earlier one.
//===----------------------------------------------------------------------===//

/// Whether control can come back to `block`.
static bool isInCycle(Block *block) {
  SmallVector<Block *> open(block->getSuccessors());
  llvm::SmallPtrSet<Block *, 8> seen;
  while (!open.empty()) {
    Block *next = open.pop_back_val();
    if (next == block)
      return true;
    if (seen.insert(next).second)
      llvm::append_range(open, next->getSuccessors());
  }
  return false;
}

OpFoldResult CollectiveEmitter::countEarlier(Operation *op) {
  bool counts = true, inBranch = false;
  SmallVector<scf::ForOp> loops;
  Operation *place = op;
  for (; place->getParentOp() != function; place = place->getParentOp()) {
    Operation *parent = place->getParentOp();
    if (isInCycle(place->getBlock()))
      counts = false;
    inBranch |= !place->getParentRegion()->hasOneBlock();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      loops.push_back(loop);
    else if (isa<scf::IfOp, scf::IndexSwitchOp>(parent))
      inBranch = true; // executed once, or in some iterations only
    else if (!isa<SpecializeOp, KernelOp, scf::ExecuteRegionOp,
                  memref::AllocaScopeOp>(parent))
      counts = false;
  }
  if (isInCycle(place->getBlock()))
    counts = false;
  if (counts && loops.empty())
    return b.getIndexAttr(0);

  // The iterations of all loops are numbered if the inner ones are always as
  // long.
  auto isOutside = [&](Value bound) {
    return !loops.empty() &&
           !loops.back()->isAncestor(bound.getParentRegion()->getParentOp());
  };
  for (scf::ForOp loop : ArrayRef(loops).drop_back(loops.empty() ? 0 : 1))
    counts &= isOutside(loop.getLowerBound()) &&
              isOutside(loop.getUpperBound()) && isOutside(loop.getStep());
  counts &= llvm::all_of(loops, [](scf::ForOp loop) {
    return loop.getInductionVar().getType().isIndex();
  });
  if (!counts || inBranch)
    return countByMemory();

  Value number;
  for (scf::ForOp loop : llvm::reverse(loops)) {
    Value lower = loop.getLowerBound(), step = loop.getStep();
    if (number)
      number =
          mul(number,
              make<arith::CeilDivUIOp>(sub(loop.getUpperBound(), lower), step));
    Value iteration =
        make<arith::DivUIOp>(sub(loop.getInductionVar(), lower), step);
    number = number ? add(number, iteration) : iteration;
  }
  return number;
}

OpFoldResult CollectiveEmitter::countByMemory() {
  Value counter;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&function.front());
    counter =
        memref::AllocaOp::create(b, MemRefType::get({}, b.getIndexType()));
    Value zero = arith::ConstantIndexOp::create(b, 0);
    memref::StoreOp::create(b, zero, counter);
  }
  Value number = memref::LoadOp::create(b, counter);
  memref::StoreOp::create(b, add(number, index(1)), counter);
  return number;
}

//===----------------------------------------------------------------------===//
// Communication
//===----------------------------------------------------------------------===//

void CollectiveEmitter::barrier() {
  BarrierOp::create(b, /*global=*/UnitAttr(), team);
}

void CollectiveEmitter::flush() { FlushOp::create(b); }

void CollectiveEmitter::put(Value source, Value window,
                            ArrayRef<OpFoldResult> indices, Value peer,
                            std::optional<Slot> slot) {
  SmallVector<OpFoldResult> all(indices);
  all.resize(cast<MemRefType>(window.getType()).getRank(), b.getIndexAttr(0));
  RemoteOptions options;
  options.team = team;
  if (slot) {
    options.bank = slot->bank;
    llvm::append_range(options.slot, slot->indices);
  }
  PutOp::create(b, source, window, all, peer, options);
}

void CollectiveEmitter::signal(const Slot &slot, Value peer) {
  SignalOp::create(b, slot.bank, slot.indices, peer, team);
}

void CollectiveEmitter::wait(const Slot &slot, int64_t weight) {
  OpFoldResult count = b.getIndexAttr(weight);
  if (auto before = dyn_cast<Value>(earlier))
    count = mul(add(before, index(1)), index(weight));
  WaitOp::create(b, slot.bank, slot.indices, count);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value CollectiveEmitter::index(int64_t value) {
  Value &constant = constants[value];
  if (!constant) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(me.getDefiningOp()); // for all that is emitted
    constant = arith::ConstantIndexOp::create(b, value);
  }
  return constant;
}

Value CollectiveEmitter::value(OpFoldResult value) {
  std::optional<int64_t> known = getConstantIntValue(value);
  return known ? index(*known) : cast<Value>(value);
}

Value CollectiveEmitter::add(Value left, Value right) {
  return make<arith::AddIOp>(left, right);
}
Value CollectiveEmitter::sub(Value left, Value right) {
  return make<arith::SubIOp>(left, right);
}
Value CollectiveEmitter::mul(Value left, Value right) {
  return make<arith::MulIOp>(left, right);
}

Value CollectiveEmitter::neighbor(OpFoldResult distance) {
  return NeighborOp::create(b, distance, team);
}

Value CollectiveEmitter::neighborBack(Value distance) {
  return neighbor(sub(index(0), distance));
}

Value CollectiveEmitter::treeSteps() {
  Type i64 = b.getI64Type();
  Value last = arith::IndexCastOp::create(b, i64, sub(ranks, index(1)));
  Value zeros = math::CountLeadingZerosOp::create(b, last);
  Value bits =
      arith::SubIOp::create(b, arith::ConstantIntOp::create(b, i64, 64), zeros);
  return arith::IndexCastOp::create(b, b.getIndexType(), bits);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void CollectiveEmitter::forRange(Value lower, Value upper, Body body) {
  auto loop = scf::ForOp::create(b, lower, upper, index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void CollectiveEmitter::forRange(int64_t lower, Value upper, Body body) {
  forRange(index(lower), upper, body);
}

void CollectiveEmitter::ifThen(Value condition, function_ref<void()> then,
                               function_ref<void()> otherwise) {
  auto branch = scf::IfOp::create(b, condition,
                                  /*withElseRegion=*/bool(otherwise));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  then();
  if (!otherwise)
    return;
  b.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

void CollectiveEmitter::ifAlone(function_ref<void()> alone,
                                function_ref<void()> others) {
  Value isAlone =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, ranks, index(1));
  ifThen(isAlone, alone, others);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

CollectiveEmitter::Sizes CollectiveEmitter::sizesOf(Value memref,
                                                    int64_t first) {
  Sizes result;
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  for (int64_t dim = first; dim < rank; ++dim)
    result.push_back(memref::getMixedSize(b, b.getLoc(), memref, dim));
  return result;
}

Value CollectiveEmitter::block(Value memref, ArrayRef<OpFoldResult> indices,
                               const Sizes &shape) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<OpFoldResult> offsets(indices), extents, strides;
  offsets.resize(type.getRank(), b.getIndexAttr(0));
  extents.resize(type.getRank() - shape.size(), b.getIndexAttr(1));
  llvm::append_range(extents, shape);
  strides.resize(type.getRank(), b.getIndexAttr(1));
  SmallVector<int64_t> kept;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(shape, dynamic, kept);
  auto result = memref::SubViewOp::inferRankReducedResultType(
      kept, type, offsets, extents, strides);
  return memref::SubViewOp::create(b, cast<MemRefType>(result), memref, offsets,
                                   extents, strides);
}

Value CollectiveEmitter::blocks(Value memref, OpFoldResult first,
                                OpFoldResult count, const Sizes &shape) {
  Sizes all = {count};
  llvm::append_range(all, shape);
  return block(memref, {first}, all);
}

Value CollectiveEmitter::flat(Value window) {
  auto type = cast<MemRefType>(window.getType());
  if (type.getRank() == 1)
    return window;
  if (type.getRank() == 0)
    return memref::ExpandShapeOp::create(b, ArrayRef<int64_t>{1}, window,
                                         ArrayRef<ReassociationIndices>{});
  auto all = llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()));
  return memref::CollapseShapeOp::create(b, window,
                                         ArrayRef<ReassociationIndices>{all});
}

void CollectiveEmitter::copy(Value source, Value target) {
  memref::CopyOp::create(b, source, target);
}
