//===- Statements.cpp - statements and control flow -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

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
  if (auto loop = dyn_cast<scf::ForOp>(op);
      loop && originOf(op->getLoc()).empty())
    if (std::string iv = sourceName(loop.getInductionVar()); !iv.empty())
      text += " %" + iv;
  if (llvm::is_contained(announced, text))
    return;
  announced.back() = text;
  body.comment(text);
}

void Emitter::returnUnless(const Twine &condition) {
  std::string text = condition.str();
  body.line("if (" + text + ")");
  body.line("  return;");
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
    if (failed(emitOp(&op)))
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
      .Case([&](memref::AllocaOp) { return emitAlloca(op); });
}

/// Whether `word` stands in the expression `text`.
static bool mentions(StringRef text, StringRef word) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = text.find(word); at != StringRef::npos;
       at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    if ((at == 0 || !isPart(text[at - 1])) &&
        (end == text.size() || !isPart(text[end])))
      return true;
  }
  return false;
}

static bool isPoison(Value value) {
  return value.getDefiningOp<ub::PoisonOp>() != nullptr;
}

/// Assigns all at once: a value may be made of variables that change.
void Emitter::assign(OperandRange operands, ArrayRef<std::string> variables) {
  SmallVector<std::string> texts;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    // What is not determined needs no assignment.
    bool isKept = variables[i].empty() || isPoison(operand);
    std::string text = isKept ? variables[i] : use(operand).text;
    bool isOverwritten =
        text != variables[i] &&
        llvm::any_of(variables.take_front(i), [&](const std::string &variable) {
          return !variable.empty() && mentions(text, variable);
        });
    if (isOverwritten) {
      std::string next = names.fresh(variables[i] + "_next");
      body.line("const " + typeName(operand.getType()) + " " + next + " = " +
                text + ";");
      text = next;
    }
    texts.push_back(text);
  }
  for (auto [variable, text, operand] :
       llvm::zip_equal(variables, texts, operands))
    if (!variable.empty() && variable != text)
      body.line(text == use(operand).text ? update(variable, operand)
                                          : variable + " = " + text + ";");
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

static LogicalResult checkCarried(Operation *op) {
  for (Value result : op->getResults())
    if (isa<MemRefType>(result.getType()))
      return op->emitError("a memref that a loop or branch yields cannot be "
                           "emitted as CUDA; yield what is read from it");
  return success();
}

/// Declares a variable for what a loop carries, with its initial value.
std::string Emitter::declareCarried(Value argument, Value result, Value init) {
  std::string wanted = sourceName(argument);
  if (wanted.empty() && result)
    wanted = sourceName(result);
  std::string variable =
      names.fresh(wanted.empty() ? defaultName(argument) : wanted);
  body.line(typeName(argument.getType()) + " " + variable + " = " +
            use(init).text + ";");
  values[argument] = {variable};
  return variable;
}

LogicalResult Emitter::emitFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  if (failed(checkCarried(op)))
    return failure();
  Value iv = loop.getInductionVar(), upper = loop.getUpperBound();
  if (loop.getUnsignedCmp() && !isNonNegative(upper))
    return op->emitError("a loop whose bounds are unsigned numbers cannot be "
                         "emitted as CUDA");
  announce(op);
  SmallVector<std::string> variables;
  for (auto [argument, result, init] : llvm::zip_equal(
           loop.getRegionIterArgs(), loop.getResults(), loop.getInitArgs())) {
    variables.push_back(declareCarried(argument, result, init));
    values[result] = {variables.back()};
  }
  std::string begin = use(loop.getLowerBound()).text;
  std::string end = use(upper, Shift);
  names.enter();
  std::string variable = sourceName(iv);
  if (variable.empty()) {
    unsigned depth = 0;
    for (Operation *parent = op->getParentOp(); parent != kernel;
         parent = parent->getParentOp())
      depth += isa<scf::ForOp>(parent);
    variable = depth < 6 ? std::string(1, "ijklmn"[depth]) : "i";
  }
  variable = names.fresh(variable);
  values[iv] = {variable};
  std::string step = matchPattern(loop.getStep(), m_One())
                         ? "++" + variable
                         : variable + " += " + use(loop.getStep()).text;
  body.open("for (" + typeName(iv.getType()) + " " + variable + " = " + begin +
            "; " + variable + " < " + end + "; " + step + ")");
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
  if (failed(checkCarried(op)))
    return failure();
  announce(op);
  SmallVector<std::string> variables; // of the first region
  for (auto [argument, init] :
       llvm::zip_equal(loop.getBeforeArguments(), loop.getInits()))
    variables.push_back(declareCarried(argument, {}, init));
  // What the condition hands on: a variable of the loop, or one of its own.
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<std::string> handed;
  for (auto [argument, result, value] : llvm::zip_equal(
           loop.getAfterArguments(), loop.getResults(), condition.getArgs())) {
    auto own = dyn_cast<BlockArgument>(value);
    std::string variable;
    if (own && own.getOwner() == loop.getBeforeBody()) {
      variable = values[own].text;
    } else if (!argument.use_empty() || !result.use_empty()) {
      std::string wanted = sourceName(argument);
      if (wanted.empty())
        wanted = sourceName(result);
      variable = names.fresh(wanted.empty() ? "carried" : wanted);
      body.line(typeName(argument.getType()) + " " + variable + ";");
    }
    handed.push_back(variable);
    values[argument] = values[result] = {variable};
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
    body.open(
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
    returnUnless("context.failed");
  return success();
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

SmallVector<std::string> Emitter::declareResults(Operation *op) {
  SmallVector<std::string> variables;
  for (OpResult result : op->getResults()) {
    if (result.use_empty()) {
      variables.push_back("");
      continue;
    }
    variables.push_back(nameFor(result));
    values[result] = {variables.back()};
    bool isPartial = llvm::any_of(op->getRegions(), [&](Region &region) {
      return isPoison(
          region.front().getTerminator()->getOperand(result.getResultNumber()));
    });
    body.line(typeName(result.getType()) + " " + variables.back() +
              (isPartial ? " = {};" : ";"));
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
  if (failed(checkCarried(op)))
    return failure();
  if (!chained && !isAdded(op))
    announce(op);
  SmallVector<std::string> variables = declareResults(op);
  std::string head = "if (" + use(branch.getCondition()).text + ")";
  body.open(head);
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
  if (failed(checkCarried(op)))
    return failure();
  announce(op);
  SmallVector<std::string> variables = declareResults(op);
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
      "gin::check(context, gin::" + std::string(alone ? "Thread" : "Block") +
      "(), " + use(assertion.getArg()).text + ", " +
      site(op, assertion.getMsg()) + ")";
  if (alone)
    body.line(call + ";");
  else
    returnUnless("!" + call);
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
  const View &view = this->view(atomic.getMemref());
  // Nobody else sees what a thread has allocated, and nobody outside of the
  // block what is in its shared memory.
  bool isGlobal =
      view.argument || atomic.getMemref().getType().getMemorySpace();
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
