//===- Definitions.cpp - what values are called -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gin;
using namespace gin::cuda;

/// A longer expression gets a name, even if it is used once; but for one that
/// is all of a statement.
static constexpr size_t longestFolded = 56, longestStatement = 96;

static bool isWordOrNumber(StringRef text) {
  return llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// What the source calls a value, or else another that is the same, or else it
/// is called after what makes it.
std::string Emitter::wantedName(Value value, Value orElse) {
  std::string wanted = sourceName(value);
  if (wanted.empty() && orElse)
    wanted = sourceName(orElse);
  return wanted.empty() ? defaultName(value) : wanted;
}

/// `const T name = expr;`
std::string Emitter::declare(Value value, const Twine &type,
                             const Twine &expr) {
  std::string text = expr.str(); // may be of what nameFor() changes
  std::string variable = nameFor(value);
  std::string before = type.str();
  body.lineInBraces(before + (StringRef(before).ends_with("*") ? "" : " ") +
                    variable + " = " + text + ";");
  values[value] = {variable};
  return variable;
}

/// Keeps the expression for its user, or gives it a name.
void Emitter::define(Value value, const Expr &expr) {
  if (value.use_empty())
    return;
  Operation *op = value.getDefiningOp();
  bool isStatement = value.hasOneUse() &&
                     isa<memref::StoreOp, scf::YieldOp>(*value.user_begin());
  size_t longest = isStatement ? longestStatement : longestFolded;
  // A memref's offset may be printed wherever that is used.
  bool isOffset = value.hasOneUse() && isView(*value.user_begin()) &&
                  !expr.initializer.empty() && isWordOrNumber(expr.initializer);
  if (isWordOrNumber(expr.text) || conditions.contains(op) || isOffset ||
      (expr.text.size() <= longest && canFold(op)))
    values[value] = expr;
  else
    declare(value, "const " + typeName(value.getType()),
            expr.initializer.empty() ? expr.text : expr.initializer);
}

std::string Emitter::defaultName(Value value) {
  if (isa<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
    return loop && value == loop.getInductionVar() ? "i" : "carried";
  }
  Operation *op = value.getDefiningOp();
  // What gin-map-to-kernel computes from the place of a thread.
  auto isZero = [](Value v) { return matchPattern(v, m_Zero()); };
  if (auto compare = dyn_cast<arith::CmpIOp>(op);
      compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
      isZero(compare.getRhs())) {
    if (compare.getLhs().getDefiningOp<gpu::BlockIdOp>())
      return "first_block";
    if (compare.getLhs().getDefiningOp<gpu::ThreadIdOp>())
      return "first_thread";
  }
  if (auto product = dyn_cast<arith::MulIOp>(op);
      product && product.getRhs().getDefiningOp<gpu::BlockDimOp>()) {
    if (product.getLhs().getDefiningOp<gpu::GridDimOp>())
      return "places";
    return "begin";
  }
  if (auto sum = dyn_cast<arith::AddIOp>(op);
      sum && sum.getRhs().getDefiningOp<gpu::ThreadIdOp>())
    return "place";
  if (isView(op)) {
    const View &whole = view(op->getOperand(0));
    return whole.argument ? whole.argument->name + "_part" : "part";
  }
  return llvm::StringSwitch<std::string>(op->getName().getStringRef())
      .Case("gpu.thread_id", "thread")
      .Case("gpu.block_id", "block")
      .Case("gpu.block_dim", "threads")
      .Case("gpu.grid_dim", "blocks")
      .Case("gin.rank", "me")
      .Case("gin.num_ranks", "ranks")
      .Case("gin.neighbor", "peer")
      .Case("gin.coords", "coordinate")
      .Case("gin.launch", "launch")
      .Case("gin.window_dim", "extent")
      .Case("gin.read", "count")
      .Case("gin.peer_view", "theirs")
      .Cases({"gin.wait", "gin.test"}, "arrived")
      .Cases({"gin.put", "gin.put_value", "gin.get"}, "token")
      .Cases({"arith.addi", "arith.addf", "index.add"}, "sum")
      .Cases({"arith.subi", "arith.subf", "index.sub"}, "difference")
      .Cases({"arith.muli", "arith.mulf", "index.mul"}, "product")
      .Cases({"arith.divui", "arith.divsi", "arith.divf", "index.divs",
              "index.divu", "arith.ceildivui", "arith.ceildivsi"},
             "quotient")
      .Cases({"arith.remui", "arith.remsi", "index.rems", "index.remu"}, "rest")
      .Cases({"arith.cmpi", "arith.cmpf", "index.cmp"}, "condition")
      .Cases({"arith.select", "scf.if", "scf.index_switch"}, "choice")
      .Cases({"arith.minui", "arith.minsi"}, "least")
      .Cases({"arith.maxui", "arith.maxsi"}, "most")
      .Cases({"memref.alloca", "memref.alloc"}, "buffer")
      .Case("memref.atomic_rmw", "before")
      .Default("value");
}
