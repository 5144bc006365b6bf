//===- Communication.cpp - signals, waits, barriers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace gin;
using namespace gin::cuda;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static Scope scopeIn(Operation *op) {
  return op->getAttrOfType<ScopeAttr>(kScopeAttr).getValue();
}

/// `gin::Block()`, or some of its warps.
std::string Emitter::scopeOf(Operation *op) {
  switch (scopeIn(op)) {
  case Scope::Thread:
    return "gin::Thread()";
  case Scope::Warp:
    return "gin::Warp()";
  default:
    return blockOf(op);
  }
}

/// `AT("gin.wait %arrived", 42)`: where an error happened.
std::string Emitter::site(Operation *op, StringRef text) {
  Place place = placeOf(op->getLoc());
  std::string what = quote(text.empty() ? constructText(op) : text);
  if (place.file == file || place.file.empty()) {
    usesSites = true;
    return "AT(" + what + ", " + std::to_string(place.line) + ")";
  }
  return "gin::Site{" + what + ", " + quote(place.file) + ", " +
         std::to_string(place.line) + "}";
}

/// A peer as the number of a rank in the world.
std::string Emitter::peerOf(RemoteOpInterface op) {
  OpFoldResult peer = op.getMixedPeer();
  auto team = dyn_cast_or_null<TeamAttr>(op.getTeamOrNull());
  if (team && team.getKind() != TeamKind::World)
    return "gin::peer(" + teamOf(team) + ", " + use(peer, Ternary) + ")";
  auto value = dyn_cast<Value>(peer);
  // One that does not fit into 32 bits must not become another rank.
  if (!value || (isNonNegative(value) && isBelow(value, int64_t(1) << 31)))
    return use(peer, Ternary);
  return "gin::peer(" + use(value).text + ")";
}

std::string Emitter::bankOf(Value bank) {
  for (Argument &argument : arguments)
    if (argument.value == bank)
      return argument.object;
  return "unknown"; // banks come from arguments only
}

/// The number of a slot: the row-major one of its indices.
std::string Emitter::slotOf(SlotOpInterface op) {
  SmallVector<OpFoldResult> indices = op.getMixedSlot();
  auto shape = cast<SignalsType>(op.getBankOrNull().getType()).getShape();
  int64_t number = 0;
  bool isConstant = true;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    std::optional<int64_t> constant = getConstantIntValue(index);
    isConstant &= constant && (dim == 0 || !ShapedType::isDynamic(shape[dim]));
    if (isConstant)
      number = (dim == 0 ? 0 : number * shape[dim]) + *constant;
  }
  if (isConstant)
    return std::to_string(number);
  if (indices.size() == 1)
    return "gin::slot(" + use(indices.front(), Ternary) + ")";
  std::string list, inner;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    list += (dim ? ", " : "") + use(index, Ternary);
    if (dim == 0)
      continue;
    inner += dim > 1 ? ", " : "";
    for (Argument &argument : arguments)
      if (argument.value == op.getBankOrNull())
        inner += ShapedType::isDynamic(shape[dim]) ? argument.extents[dim]
                                                   : std::to_string(shape[dim]);
  }
  return "gin::slot({" + list + "}, {" + inner + "})";
}

/// `{&arrived, slot, weight}`
std::string Emitter::bundleOf(SlotOpInterface op, OpFoldResult weight) {
  std::string text = "{&" + bankOf(op.getBankOrNull()) + ", " + slotOf(op);
  std::optional<int64_t> constant = getConstantIntValue(weight);
  if (!constant)
    text += ", uint64_t(" + use(weight, Ternary) + ")";
  else if (*constant != 1)
    text += ", " + std::to_string(*constant);
  return text + "}";
}

/// A count of a wait: negative ones never block.
std::string Emitter::countOf(OpFoldResult count) {
  if (std::optional<int64_t> constant = getConstantIntValue(count))
    return std::to_string(std::max<int64_t>(*constant, 0));
  auto value = cast<Value>(count);
  std::string text = use(value).text;
  return isNonNegative(value) ? text : "gin::count(" + text + ")";
}

//===----------------------------------------------------------------------===//
// Teams
//===----------------------------------------------------------------------===//

std::string Emitter::gridOf(GridAttr grid) {
  for (GridName &known : grids)
    if (known.grid == grid)
      return known.name;
  GridName &made = grids.emplace_back();
  made.grid = grid;
  made.name = names.fresh("grid");
  for (auto [dim, extent] : llvm::enumerate(grid.getShape()))
    made.extents.push_back(
        ShapedType::isDynamic(extent)
            ? names.fresh(made.name + "_size" + std::to_string(dim))
            : std::to_string(extent));
  return made.name;
}

std::string Emitter::teamOf(Attribute attribute) {
  auto team = dyn_cast_or_null<TeamAttr>(attribute);
  if (!team || team.getKind() == TeamKind::World)
    return "gin::world(context)";
  for (TeamName &known : teams)
    if (known.team == team)
      return known.name;
  std::string name = stringifyTeamKind(team.getKind()).str();
  if (team.getKind() == TeamKind::Axis) {
    gridOf(team.getGrid());
    name = team.getGrid().getRank() != 2
               ? "axis" + std::to_string(team.getAxis())
               : (team.getAxis() == 1 ? "row" : "column");
  }
  name = names.fresh(name + "_team");
  teams.push_back({team, name, static_cast<unsigned>(teams.size()) + 1});
  return name;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// `gin::Grid()`, or the blocks of a role, or its warps of all blocks.
std::string Emitter::joinScope(Operation *op, Scope scope,
                               std::optional<uint64_t> role, Value first,
                               Value count) {
  if (role)
    return (op->getParentOfType<WarpsOp>() ? blockOf(op) + ", " : "") +
           "gin::role(" + std::to_string(*role) + ", " + use(first).text +
           ", " + use(count).text + ")";
  return scope == Scope::Grid    ? "gin::Grid()"
         : scope == Scope::Block ? blockOf(op)
                                 : "gin::Warp()";
}

/// Whether the condition of a branch or loop can contain the op itself.
bool Emitter::canFoldProbe(Operation *op) {
  SmallVector<Operation *> parts;
  Operation *statement = op;
  do {
    if (!statement->hasOneUse())
      return false;
    OpOperand &use = *statement->use_begin();
    statement = use.getOwner();
    if (use.getOperandNumber() != 0 || statement->getBlock() != op->getBlock())
      return false;
    parts.push_back(statement);
    // What && or ? contains is not always reached.
  } while (isa<arith::XOrIOp, arith::CmpIOp>(statement));
  if (!isa<scf::IfOp, scf::ConditionOp>(statement))
    return false;
  for (Operation *between = op->getNextNode(); between != statement;
       between = between->getNextNode())
    if (!isExpression(between) && !isView(between))
      return false;
  conditions.insert(parts.begin(), parts.end());
  return true;
}

LogicalResult Emitter::emitProbe(Operation *op) {
  auto slot = cast<SlotOpInterface>(op);
  std::string bank = bankOf(slot.getBankOrNull());
  auto wait = dyn_cast<WaitOp>(op);
  std::string arguments = bank + ", " + slotOf(slot) + ", ";
  std::string call = "context, " + scopeOf(op) + ", ";
  if (isa<ReadOp>(op)) {
    call = "gin::read(context, " + arguments + site(op) + ")";
  } else if (auto test = dyn_cast<TestOp>(op)) {
    call = "gin::test(" + call + arguments + countOf(test.getMixedCount()) +
           ", " + site(op) + ")";
  } else {
    call = (wait.getArrived() ? "gin::waitFor(" : "gin::wait(") + call +
           arguments + countOf(wait.getMixedCount()) + ", ";
    // Time that is over is not for ever, as 0 would be.
    if (OpFoldResult timeout = wait.getMixedTimeout())
      call += "gin::timeout(" + use(timeout, Ternary) + "), ";
    call += site(op) + ")";
  }
  announce(op);
  if (wait && !wait.getArrived()) {
    if (scopeIn(op) == Scope::Block)
      mustHold(call);
    else
      body.line(call + ";");
    return success();
  }
  Value result = op->getResult(0);
  if (result.use_empty())
    body.line(call + ";");
  else if (canFoldProbe(op))
    values[result] = {call};
  else
    declare(result, "const " + typeName(result.getType()), call);
  return success();
}

LogicalResult Emitter::emitCommunication(Operation *op) {
  const bool needsScope = !isa<PeerViewOp, WindowDimOp, JoinOp, BroadcastOp,
                               WarpsOp, MatmulOp, AsyncFenceOp>(op);
  auto scope = op->getAttrOfType<ScopeAttr>(kScopeAttr);
  if (needsScope && !isa<ReadOp>(op) &&
      (!scope || scope.getValue() == Scope::Grid))
    return op->emitError("cannot be emitted as CUDA without a gin.scope of "
                         "thread, warp or block; run gin-map-to-kernel");
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<PutOp, PutValueOp, GetOp, AtomicAddOp>(
          [&](auto) { return emitTransfer(op); })
      .Case<WaitOp, TestOp, ReadOp>([&](auto) { return emitProbe(op); })
      .Case([&](PeerViewOp view) { return emitPeerView(view); })
      .Case([&](WarpsOp) { return emitWarps(op); })
      .Case([&](SignalOp signal) {
        // gin::Strength::Relaxed releases nothing, and so does not carry what
        // was waited for, as this op does.
        if (signal.getRelaxed())
          return LogicalResult(
              op->emitError("a relaxed signal cannot be emitted as CUDA; run "
                            "gin-map-to-kernel, which makes it a plain one"));
        announce(op);
        body.line("gin::signal(context, " + scopeOf(op) + ", " +
                  peerOf(signal) + ", " +
                  bundleOf(signal, signal.getMixedWeight()) + ", " + site(op) +
                  ");");
        return success();
      })
      .Case([&](WindowDimOp dim) {
        const View &whole = view(dim.getWindow());
        auto index = static_cast<size_t>(dim.getDim());
        if (index != 0 || whole.sizes[0].isConstant()) {
          define(dim.getResult(), whole.sizes[index].print());
          return success();
        }
        if (whole.argument && whole.argument->source)
          return LogicalResult(op->emitError(
              "asks another rank for the size of a gin.source window, which "
              "only its own rank registers; pass it without gin.source"));
        Product row;
        for (const Product &size : llvm::drop_begin(whole.sizes))
          row = row * size;
        Sum elements;
        elements.add(row);
        declare(dim.getResult(), "const int64_t",
                "gin::extentAt(context, " + peerOf(dim) + ", " + whole.window +
                    ", " + bytesOf(whole.element, elements) + ", " + site(op) +
                    ")");
        return success();
      })
      .Case([&](AwaitOp await) {
        announce(op);
        for (Value token : await.getTokens())
          body.line("gin::await(context, " + scopeOf(op) + ", " +
                    use(token).text + ");");
        return success();
      })
      .Case([&](FlushOp) {
        announce(op);
        body.line("gin::flush(context, " + scopeOf(op) + ");");
        return success();
      })
      .Case([&](BarrierOp barrier) {
        announce(op);
        std::string call =
            "gin::barrier(context, " + scopeOf(op) + ", " +
            teamOf(barrier.getTeamAttr()) + ", " +
            (barrier.getGlobal() ? "gin::Extent::Global, " : "") + site(op) +
            ")";
        if (scopeIn(op) == Scope::Block)
          mustHold(call);
        else
          body.line(call + ";");
        return success();
      })
      .Case([&](MatmulOp matmul) { return emitMatmul(matmul); })
      .Case([&](PaceOp pace) {
        announce(op);
        body.line("gin::pace(context, " + scopeOf(op) + ", " +
                  std::to_string(pace.getInterval()) + ");");
        return success();
      })
      .Case([&](AsyncFenceOp) {
        body.line("gin::fenceAsync();");
        return success();
      })
      .Case([&](JoinOp join) {
        std::string call =
            "gin::join(context, " +
            joinScope(op, join.getScope(), join.getRole(), join.getFirstBlock(),
                      join.getNumBlocks()) +
            ")";
        if (join.getScope() == Scope::Warp)
          body.line(call + ";");
        else
          mustHold(call);
        return success();
      })
      .Case([&](BroadcastOp broadcast) {
        std::string type = typeName(broadcast.getValue().getType());
        sharedBytes = std::max(sharedBytes, bytesOfBroadcasts());
        std::string call =
            "gin::broadcast<" + type + ">(context, " +
            joinScope(op, broadcast.getScope(), broadcast.getRole(),
                      broadcast.getFirstBlock(), broadcast.getNumBlocks()) +
            ", " + use(broadcast.getValue()).text + ")";
        declare(broadcast.getResult(), "const " + type, call);
        return success();
      })
      .Default([](Operation *other) -> LogicalResult {
        return other->emitError("cannot be emitted as CUDA");
      });
}
