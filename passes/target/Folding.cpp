//===- Folding.cpp - what is known of values --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which ops a kernel may contain, which values are part of the expression that
// uses them, which are never negative, and which differ between threads.
//
//===----------------------------------------------------------------------===//

#include "Cuda.h"
#include "Internal.h"
#include "Vectors.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace gin;
using namespace gin::cuda;

//===----------------------------------------------------------------------===//
// The closed list
//===----------------------------------------------------------------------===//

bool cuda::isView(Operation *op) {
  return isa<memref::SubViewOp, memref::CastOp, memref::CollapseShapeOp,
             memref::ExpandShapeOp, memref::ReinterpretCastOp,
             memref::MemorySpaceCastOp>(op) ||
         (isa<arith::SelectOp>(op) &&
          isa<MemRefType>(op->getResult(0).getType()));
}

namespace {
template <class... Ops>
struct OpList {
  static bool contains(Operation *op) { return isa<Ops...>(op); }
  static void addNames(std::vector<std::string> &names) {
    (names.push_back(Ops::getOperationName().str()), ...);
  }
};
} // namespace

/// Expressions beside arithmetic.
using Expressions =
    OpList<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp,
           ub::PoisonOp, memref::LoadOp, memref::DimOp, RankIdOp, NumRanksOp,
           NeighborOp, CoordsOp, LaunchOp, ReadyTokenOp, gpu::ThreadIdOp,
           gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, vector::LoadOp,
           vector::BroadcastOp, vector::ExtractOp, vector::FromElementsOp,
           vector::InsertOp, vector::FMAOp, vector::ReductionOp>;

/// Statements, and what ends regions.
using Statements =
    OpList<gpu::ReturnOp, scf::ForOp, scf::WhileOp, scf::ConditionOp, scf::IfOp,
           scf::IndexSwitchOp, scf::YieldOp, cf::AssertOp, memref::StoreOp,
           memref::AllocaOp, memref::GetGlobalOp, memref::AtomicRMWOp,
           vector::StoreOp, PutOp, PutValueOp, GetOp, AtomicAddOp, PeerViewOp,
           WindowDimOp, SignalOp, WaitOp, TestOp, ReadOp, AwaitOp, FlushOp,
           BarrierOp, JoinOp, BroadcastOp, WarpsOp, MatmulOp, PaceOp,
           AsyncFenceOp, YieldOp>;

std::vector<std::string> gin::cudaOps() {
  std::vector<std::string> names;
  Expressions::addNames(names);
  Statements::addNames(names);
  llvm::sort(names);
  return names;
}

bool cuda::isExpression(Operation *op) {
  return !isView(op) && (isArithmetic(op) || Expressions::contains(op));
}

/// Types that a value may have.
static bool isEmittable(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return !typeName(memref.getElementType()).empty() && memref.isStrided();
  return isa<SignalsType>(type) || !typeName(type).empty();
}

/// Whether it is constant, with elements that C++ has literals of.
static bool isTable(memref::GlobalOp global) {
  if (!global || !global.getConstant() ||
      !isa_and_nonnull<DenseElementsAttr>(global.getConstantInitValue()))
    return false;
  return !isSmallFloat(global.getType().getElementType());
}

/// Whether kernels have ops of this kind, and as this one is.
static bool isKnown(Operation *op) {
  if (auto dim = dyn_cast<memref::DimOp>(op))
    return dim.getConstantIndex().has_value();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return !isa<DenseResourceElementsAttr>(constant.getValue());
  if (auto alloca = dyn_cast<memref::AllocaOp>(op))
    return alloca.getType().hasStaticShape();
  if (auto table = dyn_cast<memref::GetGlobalOp>(op))
    return isTable(SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        table, table.getNameAttr()));
  if (auto extract = dyn_cast<vector::ExtractOp>(op))
    return extract.getMixedPosition().size() == 1;
  if (auto insert = dyn_cast<vector::InsertOp>(op))
    return insert.getMixedPosition().size() == 1;
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return !isa<VectorType>(broadcast.getSourceType());
  return isExpression(op) || isView(op) || Statements::contains(op);
}

LogicalResult cuda::verifyEmittable(Operation *op) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!isEmittable(type))
        return op->emitError("cannot be emitted as CUDA, which has no ")
               << type
               << " here; kernels have index, i1, i8 to i64, f32, f64, f16, "
                  "bf16, f8E4M3FN, f8E5M2, vectors of these of one dimension, "
                  "and memrefs with strides";
  if (needsScalars(op))
    return op->emitError("cannot be emitted as CUDA on vectors of this type; "
                         "run gin-lower-vectors with 'unroll', which makes it "
                         "ops on single elements");
  if (!isKnown(op))
    return op->emitError("cannot be emitted as CUDA; use arithmetic, views of "
                         "memrefs, and the ops that gin-translate "
                         "--gin-to-cuda-ops lists");
  return success();
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

/// Whether the place of `inner`, in a block nested in that of `outer`, is
/// reached at most once each time that `outer` is, and without other code in
/// between but branches.
static bool onlyBranchesBetween(Operation *outer, Operation *inner) {
  for (Operation *op = inner; op->getBlock() != outer->getBlock();) {
    op = op->getParentOp();
    if (!isa_and_nonnull<scf::IfOp, scf::IndexSwitchOp>(op))
      return false;
  }
  return true;
}

static bool reads(Operation *op) {
  return isa<memref::LoadOp, vector::LoadOp>(op);
}

bool cuda::isPlace(Operation *op) {
  return isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>(
      op);
}

template <class Left, class Right>
static bool isProductOf(Value value) {
  auto product = value.getDefiningOp<arith::MulIOp>();
  return product && product.getLhs().getDefiningOp<Left>() &&
         product.getRhs().getDefiningOp<Right>();
}

bool cuda::isThreadsOfGrid(Operation *op) {
  return op->getNumResults() == 1 &&
         isProductOf<gpu::GridDimOp, gpu::BlockDimOp>(op->getResult(0));
}

bool cuda::isThreadInGrid(Operation *op) {
  auto sum = dyn_cast<arith::AddIOp>(op);
  return sum && isProductOf<gpu::BlockIdOp, gpu::BlockDimOp>(sum.getLhs()) &&
         sum.getRhs().getDefiningOp<gpu::ThreadIdOp>();
}

/// Whether the text of a place, of 32 bits and without a sign, can stand where
/// it is used: it becomes a longer number there, or is compared with a literal,
/// or all of its user is another text.
static bool standsForPlace(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isThreadsOfGrid(user) || isThreadInGrid(user))
    return true;
  if (isa<scf::ForOp>(user)) // its begin or step
    return use.getOperandNumber() == 0 || use.getOperandNumber() == 2;
  APInt literal;
  if (isa<arith::CmpIOp>(user))
    return use.getOperandNumber() == 0 &&
           matchPattern(user->getOperand(1), m_ConstantInt(&literal)) &&
           literal.isNonNegative() && literal.getActiveBits() <= 31;
  // The product in the number of a thread.
  return user->getNumResults() == 1 &&
         isProductOf<gpu::BlockIdOp, gpu::BlockDimOp>(user->getResult(0)) &&
         llvm::all_of(user->getUsers(), isThreadInGrid);
}

/// Whether nobody needs a name of it.
bool Emitter::isPartOfPlace(Operation *op) {
  if (isProductOf<gpu::BlockIdOp, gpu::BlockDimOp>(op->getResult(0)))
    return llvm::all_of(op->getUsers(), isThreadInGrid);
  return isPlace(op) && llvm::all_of(op->getUses(), standsForPlace);
}

/// Whether it may be computed again in each iteration: sums and products.
static bool isCheap(Operation *op) {
  auto apply = dyn_cast<affine::AffineApplyOp>(op);
  if (!apply)
    return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op);
  bool divides = false;
  apply.getAffineMap().getResult(0).walk([&](AffineExpr expr) {
    divides |=
        llvm::is_contained({AffineExprKind::CeilDiv, AffineExprKind::FloorDiv,
                            AffineExprKind::Mod},
                           expr.getKind());
  });
  return !divides;
}

bool Emitter::canFold(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  if (isPartOfPlace(op))
    return true;
  if (!op->hasOneUse())
    return false;
  // Names of these say more than what they are computed by.
  if (isa<RankIdOp, NumRanksOp, NeighborOp, LaunchOp>(op) || isPlace(op) ||
      isThreadsOfGrid(op))
    return false;
  OpOperand &use = *op->use_begin();
  Operation *user = use.getOwner();
  if (isView(user) || isa<vector::ExtractOp, vector::InsertOp>(user))
    return false; // printed more than once, or no operand of C++
  // A loop's bound and step are computed again in each iteration.
  bool isBound = isa<scf::ForOp>(user) && use.getOperandNumber() != 0 &&
                 use.getOperandNumber() < 3;
  if (!reads(op))
    return isBound ? op->getBlock() == user->getBlock() && isCheap(op)
                   : onlyBranchesBetween(op, user);
  // What a load would read must not change before the statement that it becomes
  // part of.
  if (isBound)
    return false;
  Operation *statement = user;
  while (isExpression(statement) && statement->hasOneUse() &&
         statement->getBlock() == op->getBlock() && canFold(statement))
    statement = *statement->user_begin();
  if (statement->getBlock() != op->getBlock())
    return false;
  for (Operation *between = op->getNextNode(); between != statement;
       between = between->getNextNode())
    if (!isExpression(between) && !isView(between))
      return false;
  return !isa<scf::ForOp, scf::WhileOp>(statement) ||
         use.getOperandNumber() >= (isa<scf::ForOp>(statement) ? 3 : 0);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

bool Emitter::isNonNegative(Value value) {
  Type type = value.getType();
  if (type.isInteger(1))
    return true;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isNonNegative();
  auto *state = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!state || state->getValue().isUninitialized())
    return false;
  return state->getValue().getValue().smin().isNonNegative();
}

bool Emitter::isPositive(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isStrictlyPositive();
  auto *state = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  return state && !state->getValue().isUninitialized() &&
         state->getValue().getValue().smin().isStrictlyPositive();
}

bool Emitter::isBelow(Value value, int64_t bound) {
  auto *state = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!state || state->getValue().isUninitialized())
    return false;
  return state->getValue().getValue().smax().slt(bound);
}

/// Whether the product of two numbers of 32 or 64 bits may not fit, as that of
/// places and sizes, which are of type index, does.
bool Emitter::mayOverflow(Operation *op) {
  auto product = dyn_cast<arith::MulIOp>(op);
  Type type = op->getResult(0).getType();
  if (!product || !(type.isInteger(32) || type.isInteger(64)) ||
      bitEnumContainsAll(product.getOverflowFlags(),
                         arith::IntegerOverflowFlags::nsw))
    return false;
  auto rangeOf = [&](Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return ConstantIntRanges::constant(constant);
    auto *state = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    if (!state || state->getValue().isUninitialized())
      return ConstantIntRanges::maxRange(type.getIntOrFloatBitWidth());
    return state->getValue().getValue();
  };
  ConstantIntRanges left = rangeOf(product.getLhs()),
                    right = rangeOf(product.getRhs());
  for (const APInt &a : {left.smin(), left.smax()})
    for (const APInt &b : {right.smin(), right.smax()}) {
      bool overflows;
      (void)a.smul_ov(b, overflows);
      if (overflows)
        return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Divergence
//===----------------------------------------------------------------------===//

/// Whether threads of a block may have different values.
bool Emitter::isDivergent(Value value) {
  auto [known, isNew] = divergent.try_emplace(value, false);
  if (!isNew)
    return known->second; // in a cycle of a loop: if so, others say so
  auto any = [&](ValueRange range) {
    return llvm::any_of(range, [&](Value v) { return isDivergent(v); });
  };
  bool result;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    result = isa<MatmulOp>(parent) || // by one thread each
             (!isa<gpu::GPUFuncOp>(parent) &&
              (any(parent->getOperands()) ||
               llvm::any_of(parent->getRegions(), [&](Region &region) {
                 return any(region.front().getTerminator()->getOperands());
               })));
  } else {
    Operation *op = value.getDefiningOp();
    auto scope = op->getAttrOfType<ScopeAttr>(kScopeAttr);
    result = isa<gpu::ThreadIdOp>(op) ||
             (scope && scope.getValue() < Scope::Block) ||
             (!isa<BroadcastOp>(op) && any(op->getOperands()));
    for (Region &region : op->getRegions())
      result |= any(region.front().getTerminator()->getOperands());
  }
  return divergent[value] = result;
}

bool Emitter::inDivergentCode(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent != function;
       parent = parent->getParentOp()) {
    if (isa<MatmulOp>(parent)) // single threads run its regions
      return true;
    for (Value operand : parent->getOperands())
      if (isDivergent(operand))
        return true;
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      if (isDivergent(loop.getConditionOp().getCondition()))
        return true;
  }
  return false;
}
