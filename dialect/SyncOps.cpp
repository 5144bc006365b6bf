//===- SyncOps.cpp - signals, completion, roles -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builders and verifiers of the ops that order what others do.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

void SignalOp::build(OpBuilder &builder, OperationState &state, Value bank,
                     ArrayRef<OpFoldResult> slot, OpFoldResult peer,
                     Attribute team, OpFoldResult weight, bool relaxed,
                     std::optional<int64_t> context) {
  SplitMixedList slotParts(builder, slot);
  SplitMixed peerParts(builder, peer), weightParts(builder, weight);
  build(builder, state, TypeRange(), bank, slotParts.dynamic,
        slotParts.literals, peerParts.dynamic, peerParts.literal, team,
        context ? builder.getI64IntegerAttr(*context) : IntegerAttr(),
        weightParts.dynamic, weightParts.literal,
        relaxed ? builder.getUnitAttr() : UnitAttr());
}

OpFoldResult SignalOp::getMixedWeight() {
  OpFoldResult weight = getMixed(getWeight(), getStaticWeightAttr());
  return weight ? weight : Builder(getContext()).getI64IntegerAttr(1);
}

LogicalResult SignalOp::verify() {
  return failure(
      failed(verifySlot(*this, getBank(), getSlot(), getStaticSlot())) ||
      failed(
          verifyPeer(*this, getPeer(), getStaticPeerAttr(), getTeamAttr())) ||
      failed(verifyContext(*this, getCtxAttr())) ||
      failed(verifyWeight(*this, getWeight(), getStaticWeightAttr())));
}

void WaitOp::build(OpBuilder &builder, OperationState &state, Value bank,
                   ArrayRef<OpFoldResult> slot, OpFoldResult count) {
  build(builder, state, bank, slot, count, /*timeout=*/OpFoldResult(),
        /*branches=*/false);
}

void WaitOp::build(OpBuilder &builder, OperationState &state, Value bank,
                   ArrayRef<OpFoldResult> slot, OpFoldResult count,
                   OpFoldResult timeout, bool branches) {
  SplitMixedList slotParts(builder, slot);
  SplitMixed countParts(builder, count), timeoutParts(builder, timeout);
  SmallVector<Type> results;
  if (branches)
    results.push_back(builder.getI1Type());
  build(builder, state, results, bank, slotParts.dynamic, slotParts.literals,
        countParts.dynamic, countParts.literal, timeoutParts.dynamic,
        timeoutParts.literal);
}

OpFoldResult WaitOp::getMixedCount() {
  return getMixed(getCount(), getStaticCountAttr());
}

OpFoldResult WaitOp::getMixedTimeout() {
  return getMixed(getTimeout(), getStaticTimeoutAttr());
}

LogicalResult WaitOp::verify() {
  if (failed(verifySlot(*this, getBank(), getSlot(), getStaticSlot())) ||
      failed(verifyMixed(*this, "count", getCount(), getStaticCountAttr())))
    return failure();
  if (getTimeout() && getStaticTimeoutAttr())
    return emitOpError("needs its time-out either as a value or as a literal");
  if (getStaticTimeoutAttr() &&
      !isTimeoutLiteral(getStaticTimeoutAttr().getInt()))
    return emitOpError() << "time-out " << getStaticTimeoutAttr().getInt()
                         << " ns is negative; leave it out to wait for ever";
  if (getArrived() && !getMixedTimeout())
    return emitOpError(
        "has a result but no time-out, so the result could only be true; add "
        "`timeout`, or drop the result");
  return success();
}

void TestOp::build(OpBuilder &builder, OperationState &state, Value bank,
                   ArrayRef<OpFoldResult> slot, OpFoldResult count) {
  SplitMixedList slotParts(builder, slot);
  SplitMixed countParts(builder, count);
  build(builder, state, builder.getI1Type(), bank, slotParts.dynamic,
        slotParts.literals, countParts.dynamic, countParts.literal);
}

OpFoldResult TestOp::getMixedCount() {
  return getMixed(getCount(), getStaticCountAttr());
}

LogicalResult TestOp::verify() {
  if (failed(verifySlot(*this, getBank(), getSlot(), getStaticSlot())))
    return failure();
  return verifyMixed(*this, "count", getCount(), getStaticCountAttr());
}

void ReadOp::build(OpBuilder &builder, OperationState &state, Value bank,
                   ArrayRef<OpFoldResult> slot) {
  SplitMixedList slotParts(builder, slot);
  build(builder, state, builder.getIndexType(), bank, slotParts.dynamic,
        slotParts.literals);
}

LogicalResult ReadOp::verify() {
  return verifySlot(*this, getBank(), getSlot(), getStaticSlot());
}

//===----------------------------------------------------------------------===//
// Tokens and agents
//===----------------------------------------------------------------------===//

/// Whether `token` is a position in the queue of another agent when code in
/// `agent`, a region that is forked, uses it. A ready token is in no queue.
static bool belongsToOtherAgent(Value token, Region &agent) {
  return isa<TokenType>(token.getType()) &&
         !token.getDefiningOp<ReadyTokenOp>() &&
         !agent.isAncestor(token.getParentRegion());
}

static LogicalResult refuseToken(Operation *user, Value token,
                                 StringRef before) {
  InFlightDiagnostic error =
      user->emitOpError() << "uses a token of another agent; await it before "
                          << before;
  error.attachNote(token.getLoc()) << "the token comes from here";
  return error;
}

LogicalResult AwaitOp::verify() {
  if (getTokens().empty())
    return emitOpError("awaits no token; name at least one, or use gin.flush "
                       "for all of this agent's transfers");
  for (Region *region = (*this)->getParentRegion(); region;
       region = region->getParentRegion()) {
    Operation *loop = region->getParentOp();
    if (!isa_and_nonnull<scf::ForallOp, scf::ParallelOp>(loop))
      continue;
    for (Value token : getTokens())
      if (belongsToOtherAgent(token, *region))
        return refuseToken(*this, token, loop->getName().getStringRef());
  }
  return success();
}

LogicalResult SpecializeOp::verify() {
  size_t count = getRoles().size();
  if (count == 0)
    return emitOpError("needs at least one role");
  if (getNames().size() != count || getCtas().size() != count ||
      getWarps().size() != count)
    return emitOpError()
           << "has " << count
           << " roles, but names, ctas and warps for another number";
  llvm::StringSet<> seen;
  for (auto [name, ctas, warps] : llvm::zip_equal(
           getNames().getAsRange<StringAttr>(), getCtas(), getWarps())) {
    if (name.empty())
      return emitOpError("has a role whose name is empty");
    if (!seen.insert(name.getValue()).second)
      return emitOpError() << "has two roles named " << name;
    if (ctas < 0 || warps < 0)
      return emitOpError() << "role " << name << " has "
                           << (ctas < 0 ? ctas : warps)
                           << (ctas < 0 ? " CTAs" : " warps")
                           << "; give at least 1, or leave it out";
    constexpr int64_t most = 1 << 20; // so that sums of them stay numbers
    if (ctas > most || warps > most)
      return emitOpError() << "role " << name << " has "
                           << (ctas ? ctas : warps)
                           << (ctas ? " CTAs" : " warps") << "; at most "
                           << most << " are taken";
    if (ctas && warps)
      return emitOpError() << "role " << name
                           << " has both CTAs and warps; give one of them";
  }
  return success();
}

LogicalResult gin::verifyAgent(Operation *op, Region &agent) {
  WalkResult result = agent.walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (belongsToOtherAgent(operand, agent))
        return WalkResult(
            refuseToken(nested, operand, op->getName().getStringRef()));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult SpecializeOp::verifyRegions() {
  for (Region &role : getRoles())
    if (failed(verifyAgent(*this, role)))
      return failure();
  return success();
}

LogicalResult KernelOp::verify() {
  if (std::optional<StringRef> name = getName())
    if (name->empty() || !llvm::all_of(*name, [](char c) {
          return llvm::isAlnum(c) || c == '_';
        }))
      return emitOpError("is named '")
             << *name << "'; name it by letters, digits and '_'";
  for (Operation *parent = (*this)->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp()) {
    if (isa<KernelOp>(parent))
      return emitOpError("stands in another gin.kernel; end that one before");
    if (!isa<scf::ForOp, scf::IfOp, SpecializeOp>(parent))
      return emitOpError("stands in ")
             << parent->getName()
             << "; the host launches kernels, in scf.for, scf.if and roles of "
                "gin.specialize";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Execution level
//===----------------------------------------------------------------------===//

LogicalResult ForkOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *body =
      symbols.lookupNearestSymbolFrom(getOperation(), getBodyAttr());
  auto function = dyn_cast_or_null<FunctionOpInterface>(body);
  if (!function)
    return emitOpError() << "has no function " << getBodyAttr() << " to run";
  SmallVector<Type> wanted{IndexType::get(getContext())};
  llvm::append_range(wanted, getCaptures().getTypes());
  if (function.getArgumentTypes() != ArrayRef<Type>(wanted) ||
      !function.getResultTypes().empty())
    return emitOpError() << "runs " << getBodyAttr() << ", whose type is "
                         << function.getFunctionType() << ", not "
                         << FunctionType::get(getContext(), wanted, {})
                         << ": the agent's number, then the captures";
  return success();
}

//===----------------------------------------------------------------------===//
// Scopes of a kernel
//===----------------------------------------------------------------------===//

static LogicalResult verifyShared(Operation *op, Scope scope,
                                  std::optional<int64_t> role, Value firstBlock,
                                  Value numBlocks) {
  if (scope == Scope::Thread)
    return op->emitOpError("needs a scope of several threads: warp, block or "
                           "grid");
  if (role && (scope != Scope::Grid || *role < 0))
    return op->emitOpError("has a role, which needs the scope grid and a "
                           "number of at least 0");
  if (scope == Scope::Grid && !role && op->getParentOfType<WarpsOp>())
    return op->emitOpError("stands in a role of warps, and needs its role");
  if (role.has_value() != bool(firstBlock) ||
      bool(firstBlock) != bool(numBlocks))
    return op->emitOpError("needs the first block and the number of blocks of "
                           "its role");
  return success();
}

LogicalResult JoinOp::verify() {
  return verifyShared(*this, getScope(), getRole(), getFirstBlock(),
                      getNumBlocks());
}
LogicalResult BroadcastOp::verify() {
  return verifyShared(*this, getScope(), getRole(), getFirstBlock(),
                      getNumBlocks());
}

LogicalResult WarpsOp::verify() {
  if ((*this)->getParentOfType<WarpsOp>())
    return emitOpError("stands in warps of another one");
  return success();
}
