//===- Verify.cpp - guard the window space and the level --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "dialect/Gin.h"
#include "passes/analysis/Communication.h"
#include "passes/analysis/EntryFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace gin {
#define GEN_PASS_DEF_VERIFY
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;
using namespace gin;

static Attribute spaceOf(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return memref ? memref.getMemorySpace() : Attribute();
}

/// What a value of a shared type is called in a diagnostic.
static StringRef describe(Type type) {
  if (isa<SignalsType>(type))
    return "a bank of signals";
  return isa_and_nonnull<PeerAttr>(spaceOf(type)) ? "a peer view" : "a window";
}

//===----------------------------------------------------------------------===//
// Where windows come from and go to
//===----------------------------------------------------------------------===//

/// Ops whose result is a part, or the same, of what an operand is.
static bool isView(Operation *op) {
  return isa<memref::SubViewOp, memref::CastOp, memref::CollapseShapeOp,
             memref::ExpandShapeOp, memref::TransposeOp,
             memref::AssumeAlignmentOp>(op);
}

static LogicalResult verifyShared(Operation *op, Type type,
                                  SymbolTableCollection &symbols) {
  if (isView(op) || isa<arith::SelectOp, RegionBranchOpInterface>(op) ||
      (isa<PeerViewOp>(op) && isPeerView(type)))
    return success();
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    auto callee = dyn_cast_or_null<FunctionOpInterface>(
        call.resolveCallableInTable(&symbols));
    if (callee && !callee.isExternal())
      return success();
    return op->emitOpError()
           << "gets " << describe(type)
           << " from a function without a body, which may not make one";
  }
  if (isa_and_nonnull<PeerAttr>(spaceOf(type)))
    return op->emitOpError(
        "makes a peer view; only gin.peer_view does, and views of its result");
  return op->emitOpError() << "makes " << describe(type) << "; "
                           << (isa<SignalsType>(type) ? "banks" : "windows")
                           << " come from arguments of the entry function only";
}

/// Ops that hand out the memory of a window as something else.
static bool leavesSpace(Operation *op, Attribute space) {
  if (isa<memref::ExtractAlignedPointerAsIndexOp,
          memref::ExtractStridedMetadataOp, UnrealizedConversionCastOp>(op) ||
      isa_and_nonnull<bufferization::BufferizationDialect>(op->getDialect()))
    return true;
  if (isa<PeerViewOp, RegionBranchOpInterface, CallOpInterface>(op))
    return false;
  return llvm::any_of(op->getResultTypes(), [&](Type type) {
    return isa<BaseMemRefType>(type) && spaceOf(type) != space;
  });
}

static LogicalResult verifyUse(OpOperand &use) {
  Operation *op = use.getOwner();
  Value value = use.get();
  Type type = value.getType();
  if (!isShared(type))
    return success();
  if (hasEffect<MemoryEffects::Free>(op, value))
    return op->emitOpError() << "frees " << describe(type)
                             << "; it belongs to whoever launches the program";
  if (auto store = dyn_cast<memref::StoreOp>(op);
      store && store.getValueToStore() == value)
    return op->emitOpError() << "stores " << describe(type)
                             << " in memory, where its identity would be lost";
  if (isa<BaseMemRefType>(type) && leavesSpace(op, spaceOf(type)))
    return op->emitOpError()
           << "takes " << describe(type) << " out of its memory space";
  return success();
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

/// A token is a position in the queue of the agent that got it. This finds it
/// at any op of another agent, not only at those that await: an inner loop may
/// take it as its initial value.
static LogicalResult verifyToken(Operation *op, Value token,
                                 CommunicationAnalysis &communication) {
  if (!isa<TokenType>(token.getType()) || token.getDefiningOp<ReadyTokenOp>())
    return success();
  Region *origin = token.getParentRegion();
  for (Region *region = op->getParentRegion(); region && region != origin;
       region = region->getParentRegion()) {
    Operation *parent = region->getParentOp();
    if (!isa<SpecializeOp>(parent) && !communication.forksAgents(parent))
      continue;
    InFlightDiagnostic error =
        op->emitOpError() << "uses a token of another agent; await it before "
                          << parent->getName();
    error.attachNote(token.getLoc()) << "the token comes from here";
    return error;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Elements that puts and gets can move.
static bool isMovable(Type type) {
  return type.isInteger(8) || type.isInteger(16) || type.isInteger(32) ||
         type.isInteger(64) ||
         isa<Float16Type, BFloat16Type, Float32Type, Float64Type,
             Float8E4M3FNType, Float8E5M2Type>(type);
}

static LogicalResult verifySignature(FunctionOpInterface function) {
  auto isToken = [](Type type) { return isa<TokenType>(type); };
  if (llvm::any_of(function.getArgumentTypes(), isToken) ||
      llvm::any_of(function.getResultTypes(), isToken))
    return function->emitOpError(
        "passes a token; tokens do not leave their function: await them where "
        "they come from");
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (isShared(type) && isa<BaseMemRefType>(type) &&
        !isMovable(cast<BaseMemRefType>(type).getElementType()))
      return function->emitOpError()
             << "argument " << index << " is " << describe(type)
             << " of elements of type "
             << cast<BaseMemRefType>(type).getElementType()
             << ", which cannot be moved; use i8 to i64, f16, bf16, f32, f64, "
                "f8E4M3FN or f8E5M2";
  return success();
}

/// Why no launcher can make an argument of `type`, or empty.
static StringRef whyNotLaunchable(Type type, Level level) {
  if (isa<SignalsType, IntegerType, FloatType, IndexType>(type))
    return {};
  if (isa<TensorType>(type))
    return level == Level::Collective ? ""
                                      : "tensors must be bufferised before";
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return isa<UnrankedMemRefType>(type)
               ? "its rank must be known"
               : "there are windows, memrefs, banks, integers and floats";
  if (isPeerView(type))
    return "peer views are made by gin.peer_view alone";
  if (!memref.getLayout().isIdentity())
    return "it must be whole, without a layout";
  // An integer 0 is normalised to none.
  if (!isWindow(type) && memref.getMemorySpace())
    return "its memory space is neither #gin.window nor the default";
  Type element = memref.getElementType();
  return element.isIntOrIndexOrFloat() ? "" : "its elements are no scalars";
}

static LogicalResult verifyEntry(func::FuncOp function, Level level) {
  if (function.getNumResults() != 0)
    return function.emitOpError(
        "is an entry function and returns a value, which nobody receives; "
        "store it in an argument, or make the function private");
  bool failed = false;
  for (BlockArgument argument : function.getArguments()) {
    StringRef why = whyNotLaunchable(argument.getType(), level);
    if (why.empty())
      continue;
    failed = true;
    emitError(argument.getLoc())
        << "argument " << argument.getArgNumber() << " of entry function @"
        << function.getSymName() << " is " << argument.getType()
        << ", which no launcher can make: " << why;
  }
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

static LogicalResult verifyLevel(Operation *op, Level level,
                                 CommunicationAnalysis &communication) {
  if (isa<JoinOp, BroadcastOp, AsyncFenceOp, WarpsOp>(op) &&
      !op->getParentOfType<gpu::GPUFuncOp>())
    return op->emitOpError("is of the kernel level, where gin-map-to-kernel "
                           "puts it; leave it out here");
  if (level == Level::Collective)
    return success();
  if (isCollective(op))
    return op->emitOpError("is a collective, above the level that is reached "
                           "here; run gin-decompose-collectives before");
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (llvm::any_of(op->getOperandTypes(), isTensor) ||
      llvm::any_of(op->getResultTypes(), isTensor))
    return op->emitOpError("uses tensors, above the level that is reached "
                           "here; run one-shot-bufferize before");
  if (level == Level::Program)
    return success();
  if (isa<SpecializeOp>(op) || communication.forksAgents(op))
    return op->emitOpError("forks agents, above the level that is reached "
                           "here; run gin-outline-agents before");
  return success();
}

namespace {
struct Verify : gin::impl::VerifyBase<Verify> {
  using VerifyBase::VerifyBase;

  void runOnOperation() override {
    SymbolTableCollection symbols;
    CommunicationAnalysis communication;
    bool failed = false;
    auto check = [&](LogicalResult result) { failed |= result.failed(); };

    getOperation()->walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (isShared(type))
          check(verifyShared(op, type, symbols));
      for (OpOperand &use : op->getOpOperands()) {
        check(verifyUse(use));
        check(verifyToken(op, use.get(), communication));
      }
      check(verifyLevel(op, level, communication));
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        check(verifySignature(function));
      if (auto module = dyn_cast<ModuleOp>(op))
        for (func::FuncOp entry : findEntryFunctions(module))
          check(verifyEntry(entry, level));
    });
    if (failed)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
