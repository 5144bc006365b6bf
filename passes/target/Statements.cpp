//===- Statements.cpp - statements and control flow -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "dialect/Choices.h"
#include "dialect/SourceText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace gin;
using namespace gin::cuda;

//===----------------------------------------------------------------------===//
// Comments and returns
//===----------------------------------------------------------------------===//

/// The comment of a source construct, unless it is part of one that has it.
void Emitter::announce(Operation *op) {
  Place place = placeOf(op->getLoc());
  if (!place.line)
    return;
  std::string text = llvm::sys::path::filename(place.file).str() + ":" +
                     std::to_string(place.line) + ": " + constructText(op);
  if (llvm::is_contained(announced, text))
    return;
  announced.back() = text;
  body.comment(text);
}

void Emitter::mustHold(const Twine &condition) {
  body.line("GIN_MUST(" + condition + ");");
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

LogicalResult Emitter::emitScoped(Region &region) {
  names.enter();
  announced.push_back("");
  LogicalResult result = emitBlock(region.front());
  announced.pop_back();
  names.leave();
  return result;
}

LogicalResult Emitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(kernel ? emitOp(&op) : emitStep(&op)))
      return failure();
  return success();
}

LogicalResult Emitter::emitOp(Operation *op) {
  if (matchPattern(op, m_Constant())) // printed where it is used
    return success();
  if (isView(op))
    return emitView(op);
  if (isExpression(op)) {
    for (auto [i, result] : llvm::enumerate(op->getResults())) {
      if (result.use_empty())
        continue;
      FailureOr<Expr> expr = expression(op, i);
      if (failed(expr))
        return failure();
      define(result, *expr);
    }
    return success();
  }
  if (isa<GinDialect>(op->getDialect()))
    return emitCommunication(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp) { return emitFor(op); })
      .Case([&](scf::WhileOp) { return emitWhile(op); })
      .Case([&](scf::IfOp) { return emitIf(op, /*chained=*/false); })
      .Case([&](scf::IndexSwitchOp) { return emitSwitch(op); })
      .Case([&](cf::AssertOp) { return emitAssert(op); })
      .Case<memref::StoreOp, vector::StoreOp>(
          [&](auto) { return emitStore(op); })
      .Case([&](memref::AtomicRMWOp) { return emitAtomic(op); })
      .Case([&](memref::AllocaOp) { return emitAlloca(op); })
      .Case([&](memref::GetGlobalOp table) { return emitTable(table); });
}

/// `target = value;`, or `target += b;` where the value is the target and b.
std::string Emitter::update(StringRef target, Value value) {
  Operation *sum = value.getDefiningOp();
  bool isSum = isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum) &&
               use(value).precedence == Additive &&
               !isa<VectorType>(value.getType()) &&
               use(sum->getOperand(0)).text == target;
  if (isSum && !matchPattern(sum->getOperand(1), m_Constant()))
    return (target + " += " + use(sum->getOperand(1)).text + ";").str();
  return (target + " = " + use(value).text + ";").str();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult Emitter::emitFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  Value iv = loop.getInductionVar(), upper = loop.getUpperBound();
  if (loop.getUnsignedCmp() && !isNonNegative(upper))
    return op->emitError("a loop whose bounds are unsigned numbers cannot be "
                         "emitted as CUDA");
  announce(op);
  // A kernel would never come to its end, but the host would launch for ever.
  if (!kernel && !isPositive(loop.getStep()))
    body.line("GIN_TRY(run.check(" + use(loop.getStep(), Relational) +
              " > 0, " + site(op, "the step of a loop is not positive") +
              "));");
  SmallVector<Carried> variables;
  for (auto [argument, result, init] : llvm::zip_equal(
           loop.getRegionIterArgs(), loop.getResults(), loop.getInitArgs())) {
    variables.push_back(
        declareCarried(argument, op, wantedName(argument, result), init));
    alias(result, argument);
  }
  std::string begin = use(loop.getLowerBound()).text;
  std::string end = use(upper, Shift);
  names.enter();
  std::string variable = sourceName(iv);
  if (variable.empty()) {
    unsigned depth = 0;
    for (Operation *parent = op->getParentOp(); parent != function;
         parent = parent->getParentOp())
      depth += isa<scf::ForOp>(parent);
    variable = depth < 6 ? std::string(1, "ijklmn"[depth]) : "i";
  }
  variable = names.fresh(variable);
  values[iv] = {variable};
  std::string step = matchPattern(loop.getStep(), m_One())
                         ? "++" + variable
                         : variable + " += " + use(loop.getStep()).text;
  body.openControl("for (" + typeName(iv.getType()) + " " + variable + " = " +
                   begin + "; " + variable + " < " + end + "; " + step + ")");
  announced.push_back("");
  if (failed(emitBlock(*loop.getBody())))
    return failure();
  assign(loop.getBody()->getTerminator()->getOperands(), variables);
  announced.pop_back();
  names.leave();
  body.close();
  return success();
}

/// Whether a loop waits for others by asking again and again.
static bool polls(Operation *loop) {
  return loop
      ->walk([](Operation *op) {
        return isa<TestOp, ReadOp>(op) ||
                       (isa<WaitOp>(op) && op->getNumResults() != 0)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether there is nothing but comments.
static bool isSilent(StringRef lines) {
  SmallVector<StringRef> all;
  lines.split(all, '\n');
  return llvm::all_of(all, [](StringRef line) {
    return line.trim().empty() || line.ltrim().starts_with("//");
  });
}

LogicalResult Emitter::emitWhile(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  announce(op);
  SmallVector<Carried> variables; // of the first region
  for (auto [argument, init] :
       llvm::zip_equal(loop.getBeforeArguments(), loop.getInits()))
    variables.push_back(
        declareCarried(argument, op, wantedName(argument), init));
  // What the condition hands on: a variable of the loop, or one of its own.
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<Carried> handed;
  for (auto [argument, result, value] : llvm::zip_equal(
           loop.getAfterArguments(), loop.getResults(), condition.getArgs())) {
    auto own = dyn_cast<BlockArgument>(value);
    if (own && own.getOwner() == loop.getBeforeBody()) {
      handed.push_back(variables[own.getArgNumber()]);
      alias(argument, own);
    } else if (!argument.use_empty() || !result.use_empty()) {
      handed.push_back(
          declareCarried(argument, op, wantedName(argument, result)));
    } else {
      handed.emplace_back();
    }
    alias(result, argument);
  }

  // The part before the condition may be nothing but the condition.
  Text outer = std::move(body);
  body = Text(outer.indentation() + 2);
  names.enter();
  announced.push_back("");
  if (failed(emitBlock(*loop.getBeforeBody())))
    return failure();
  assign(condition.getArgs(), handed);
  std::string before = body.str();
  body = std::move(outer);

  const bool mayFail = polls(op);
  Expr test = use(condition.getCondition());
  if (isSilent(before)) {
    // The comments stand one level deeper.
    SmallVector<StringRef> lines;
    StringRef(before).split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      body.line(line.trim());
    body.openControl(
        "while (" +
        (mayFail ? test.in(LogicalAnd) + " && !context.failed" : test.text) +
        ")");
  } else {
    body.open("while (true)");
    body.raw(before);
    StringRef text = test.text;
    std::string negated = text.starts_with("!") && test.precedence == Unary
                              ? text.drop_front().str()
                              : "!" + test.in(Unary);
    body.line("if (" + negated + (mayFail ? " || context.failed" : "") + ")");
    body.line("  break;");
  }
  if (failed(emitBlock(*loop.getAfterBody())))
    return failure();
  assign(loop.getYieldOp()->getOperands(), variables);
  announced.pop_back();
  names.leave();
  body.close();
  if (mayFail && !inDivergentCode(op) && !isDivergent(condition.getCondition()))
    mustHold("!context.failed");
  return success();
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

SmallVector<Carried> Emitter::declareResults(Operation *op) {
  SmallVector<Carried> variables;
  for (OpResult result : op->getResults()) {
    if (result.use_empty()) {
      variables.emplace_back();
      continue;
    }
    bool isPartial = llvm::any_of(op->getRegions(), [&](Region &region) {
      return isPoison(
          region.front().getTerminator()->getOperand(result.getResultNumber()));
    });
    variables.push_back(
        declareCarried(result, op, wantedName(result), {}, isPartial));
  }
  return variables;
}

/// Whether the first thing that a branch does has the same place in the source:
/// then the branch is not the source's.
static bool isAdded(Operation *branch) {
  Place own = placeOf(branch->getLoc());
  return branch
      ->walk([&](Operation *op) {
        Place place = placeOf(op->getLoc());
        return op != branch && place.line == own.line && place.file == own.file
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult Emitter::emitIf(Operation *op, bool chained) {
  auto branch = cast<scf::IfOp>(op);
  const bool isSilent = chained || isAdded(op);
  if (!isSilent)
    announce(op);
  SmallVector<Carried> variables = declareResults(op);
  std::string head = "if (" + use(branch.getCondition()).text + ")";
  body.openControl(head, isSilent);
  auto emitBranch = [&](Region &region) {
    names.enter();
    announced.push_back("");
    if (failed(emitBlock(region.front())))
      return failure();
    assign(region.front().getTerminator()->getOperands(), variables);
    announced.pop_back();
    names.leave();
    return success();
  };
  if (failed(emitBranch(branch.getThenRegion())))
    return failure();
  Region &otherwise = branch.getElseRegion();
  auto isNothing = [](Operation &op) {
    return isa<ub::PoisonOp>(op) ||
           (isa<scf::YieldOp>(op) && llvm::all_of(op.getOperands(), isPoison));
  };
  if (!otherwise.empty() && !llvm::all_of(otherwise.front(), isNothing)) {
    body.reopen("else");
    if (failed(emitBranch(otherwise)))
      return failure();
  }
  body.close();
  return success();
}

LogicalResult Emitter::emitSwitch(Operation *op) {
  auto branch = cast<scf::IndexSwitchOp>(op);
  announce(op);
  SmallVector<Carried> variables = declareResults(op);
  body.open("switch (" + use(branch.getArg()).text + ")");
  auto emitCase = [&](const Twine &label, Region &region) {
    body.outdent();
    body.open(label);
    names.enter();
    announced.push_back("");
    if (failed(emitBlock(region.front())))
      return failure();
    assign(region.front().getTerminator()->getOperands(), variables);
    announced.pop_back();
    names.leave();
    body.line("break;");
    body.close();
    body.indentAgain();
    return success();
  };
  for (auto [value, region] :
       llvm::zip_equal(branch.getCases(), branch.getCaseRegions()))
    if (failed(emitCase("case " + Twine(value) + ":", region)))
      return failure();
  if (failed(emitCase("default:", branch.getDefaultRegion())))
    return failure();
  body.close();
  return success();
}

//===----------------------------------------------------------------------===//
// Assertions and memory
//===----------------------------------------------------------------------===//

LogicalResult Emitter::emitAssert(Operation *op) {
  auto assertion = cast<cf::AssertOp>(op);
  announce(op);
  bool alone = inDivergentCode(op);
  std::string call =
      "gin::check(context, " + (alone ? "gin::Thread()" : blockOf(op)) + ", " +
      use(assertion.getArg()).text + ", " + site(op, assertion.getMsg()) + ")";
  if (alone)
    body.line(call + ";");
  else
    mustHold(call);
  return success();
}

LogicalResult Emitter::emitStore(Operation *op) {
  if (auto store = dyn_cast<vector::StoreOp>(op)) {
    body.line(use(store.getValueToStore(), Primary) + ".store(&" +
              element(view(store.getBase()), store.getIndices()) + ");");
    return success();
  }
  auto store = cast<memref::StoreOp>(op);
  std::string to = element(view(store.getMemRef()), store.getIndices());
  body.line(update(to, store.getValueToStore()));
  return success();
}

LogicalResult Emitter::emitAtomic(Operation *op) {
  auto atomic = cast<memref::AtomicRMWOp>(op);
  Type type = atomic.getType();
  // Nobody else sees what a thread has allocated, and nobody outside of the
  // block what is in its shared memory.
  bool isGlobal =
      atomic.getMemref().getType().getMemorySpace() ||
      llvm::all_of(originsOf(atomic.getMemref()), [&](Value origin) {
        return view(origin).argument != nullptr;
      });
  const View &view = this->view(atomic.getMemref());
  auto function = llvm::StringSwitch<StringRef>(
                      arith::stringifyAtomicRMWKind(atomic.getKind()))
                      .Cases({"addi", "addf"}, "fetchAdd")
                      .Cases({"maxs", "maximumf"}, "fetchMax")
                      .Cases({"mins", "minimumf"}, "fetchMin")
                      .Case("maxu", "fetchMaxUnsigned")
                      .Case("minu", "fetchMinUnsigned")
                      .Case("andi", "fetchAnd")
                      .Case("ori", "fetchOr")
                      .Case("assign", "exchange")
                      .Case("mulf", "fetchMultiply")
                      .Default("");
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (function.empty() || bits < 32 || (bits == 64 && function != "fetchAdd") ||
      !isGlobal)
    return op->emitError("an atomic update of this kind and type cannot be "
                         "emitted as CUDA");
  announce(op);
  std::string call =
      ("gin::" + function + "(&" + element(view, atomic.getIndices()) + ", ")
          .str();
  call += use(atomic.getValue()).text + ")";
  if (atomic.getResult().use_empty())
    body.line(call + ";");
  else
    declare(atomic.getResult(), "const " + typeName(type), call);
  return success();
}
