//===- Steps.cpp - what the host does between kernels -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The function that launches several kernels becomes statements of the
// launcher. They call gin::launcher::Steps (runtime/device/Steps.h).
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace gin;
using namespace gin::cuda;

//===----------------------------------------------------------------------===//
// The closed list
//===----------------------------------------------------------------------===//

/// Whether the host computes it: whole numbers, of sizes and ranks. How many
/// launches there have been, it does not know, since graphs are replayed.
static bool isNumber(Operation *op) {
  if (isa<math::CountLeadingZerosOp, math::CtPopOp, math::CountTrailingZerosOp,
          arith::MulSIExtendedOp, arith::MulUIExtendedOp,
          arith::AddUIExtendedOp>(op))
    return false;
  auto isWhole = [](Type type) { return type.isIntOrIndex(); };
  if (!llvm::all_of(op->getResultTypes(), isWhole))
    return false;
  if (isa<memref::DimOp, RankIdOp, NumRanksOp, NeighborOp, CoordsOp>(op))
    return true;
  return llvm::all_of(op->getOperandTypes(), isWhole) &&
         (isArithmetic(op) ||
          isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
              op));
}

/// The last op of a function that does something.
static Operation *lastStep(FunctionOpInterface function) {
  for (Operation &op :
       llvm::reverse(function.getFunctionBody().front().without_terminator()))
    if (!isMemoryEffectFree(&op))
      return &op;
  return nullptr;
}

LogicalResult Emitter::verifySteps() {
  WalkResult checked = function->walk([&](Operation *op) {
    auto slots = dyn_cast<SlotOpInterface>(op);
    const bool isCopy =
        isa<PutOp, GetOp>(op) && !(slots && slots.getBankOrNull());
    const bool isKnown =
        op == function || isCopy || isNumber(op) || isOpTriviallyDead(op) ||
        (isView(op) && !isa<arith::SelectOp>(op)) ||
        isa<func::ReturnOp, scf::ForOp, scf::IfOp, scf::YieldOp, cf::AssertOp,
            gpu::LaunchFuncOp, SpecializeOp, YieldOp>(op);
    if (!isKnown) {
      op->emitError("cannot be emitted as part of a launcher, which computes "
                    "with whole numbers, sizes and ranks, launches kernels, "
                    "puts and gets; move it into a gin.kernel");
      return WalkResult::interrupt();
    }
    if (isa<scf::ForOp, scf::IfOp>(op) &&
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<MemRefType>)) {
      op->emitError("yields a memref, which cannot be emitted as part of a "
                    "launcher; put and get where the memref is known");
      return WalkResult::interrupt();
    }
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    // Of numbers, canonicalisation may know the value.
    auto isHandedOn = [](auto pair) {
      auto [operand, argument] = pair;
      return operand == argument || operand.getType().isIntOrIndexOrFloat();
    };
    if (launch && !llvm::all_of(llvm::zip(launch.getKernelOperands(),
                                          function.getArguments().drop_back()),
                                isHandedOn)) {
      op->emitError("hands on other arguments than its function has; kernels "
                    "take all of them first, in their order");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (checked.wasInterrupted())
    return failure();
  if (!isa_and_nonnull<gpu::LaunchFuncOp>(lastStep(function)))
    return function.emitError("does not end with the launch of a kernel, which "
                              "would end the launch of the program");
  return success();
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

LogicalResult Emitter::emitSteps() {
  const std::string blocks = names.fresh("blocks", /*everywhere=*/true);
  values[function.getArguments().back()] = {blocks};
  for (StringRef word : {"stream", "run"})
    names.fresh(word, /*everywhere=*/true);
  for (const Emitter &each : *kernels)
    for (const TileLoop &loop : each.tileLoops)
      names.fresh(loop.described, /*everywhere=*/true);
  if (failed(emitBlock(function.getFunctionBody().front())))
    return failure();
  body.dropUnread();
  source = body.str();

  // What the statements use.
  llvm::StringSet<> used = identifiersOf(source);
  Text preamble(2);
  preamble.line("gin::launcher::Steps run(program->program, blocks, stream)"
                ";");
  for (const Argument &argument : arguments)
    for (const std::string &extent : argument.parameters)
      if (!extent.empty() && used.contains(extent))
        preamble.line("const int64_t " + extent + " = program->" +
                      (argument.isPassed() ? "sizes." : "") + extent + ";");
  Text ranks(2);
  for (const GridName &grid : grids)
    for (auto [dim, extent] : llvm::enumerate(grid.extents))
      if (ShapedType::isDynamic(grid.grid.getShape()[dim]))
        ranks.lineFor(extent, "const int64_t " + extent + " = program->" +
                                  grid.name + "[" + std::to_string(dim) + "];");
  writeRanks(ranks, used);
  ranks.raw(source);
  ranks.dropUnread();
  if (identifiersOf(ranks.str()).contains("context"))
    preamble.line("const gin::Context context = run.context();");
  source = preamble.str() + ranks.str();
  return success();
}

LogicalResult Emitter::emitStep(Operation *op) {
  if (isOpTriviallyDead(op))
    return success();
  if (isNumber(op))
    emitDivisor(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<PutOp, GetOp>([&](auto) {
        emitHostCopy(op);
        return success();
      })
      .Case([&](gpu::LaunchFuncOp launch) {
        emitLaunch(launch);
        return success();
      })
      .Case([&](SpecializeOp roles) { return emitLanes(roles); })
      .Case([&](cf::AssertOp assertion) {
        announce(op);
        body.line("GIN_TRY(run.check(" + use(assertion.getArg()).text + ", " +
                  site(op, assertion.getMsg()) + "));");
        return success();
      })
      .Default([&](Operation *) { return emitOp(op); });
}

/// A division by 0 would end the process, and so would one of the least number
/// by -1.
void Emitter::emitDivisor(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (!name.contains("div") && !name.contains("rem"))
    return;
  Value divisor = op->getOperand(1);
  if (isPositive(divisor))
    return;
  const bool isUnsigned = name.ends_with("u") || name.ends_with("ui");
  std::string condition = isUnsigned ? use(divisor, Equal) + " != 0"
                                     : "gin::launcher::divides(" +
                                           use(op->getOperand(0)).text + ", " +
                                           use(divisor).text + ")";
  StringRef text = isUnsigned ? "a division by 0"
                              : "a division by 0, or of the least number by -1";
  body.line("GIN_TRY(run.check(" + condition + ", " + site(op, text) + "));");
}

LogicalResult Emitter::emitLanes(SpecializeOp op) {
  announce(op);
  std::string ctas;
  for (int64_t count : op.getCtas())
    ctas += (ctas.empty() ? "" : ", ") + std::to_string(count);
  body.line("GIN_TRY(run.fork({" + ctas + "}));");
  for (auto [number, role] : llvm::enumerate(op.getRoles())) {
    auto name = cast<StringAttr>(op.getNames()[number]);
    body.line("run.enter(" + std::to_string(number) + "); // role " +
              quote(name.getValue()));
    // The names stay taken: there are no braces.
    announced.push_back("");
    if (failed(emitBlock(role.front())))
      return failure();
    announced.pop_back();
  }
  body.line("GIN_TRY(run.join());");
  return success();
}

/// Where the launcher has the window of a view.
static std::string handleOf(const View &view) {
  const Argument &argument = *view.argument;
  return argument.scratch || argument.source
             ? "program->" + argument.name + ".handle"
             : "arguments->" + argument.name;
}

void Emitter::emitHostCopy(Operation *op) {
  auto put = dyn_cast<PutOp>(op);
  auto get = dyn_cast<GetOp>(op);
  View there = view(put ? put.getWindow() : get.getWindow());
  View here = view(put ? put.getSource() : get.getTarget());
  Sum offset = there.offset;
  for (auto [index, stride] : llvm::zip_equal(
           put ? put.getMixedIndices() : get.getMixedIndices(), there.strides))
    offset.add(sizeOf(index) * stride);
  ArrayRef<Product> sizes = here.sizes;
  ArrayRef<Product> thereStrides =
      ArrayRef(there.strides).take_back(sizes.size());
  announce(op);
  auto remote = cast<RemoteOpInterface>(op);
  auto team = dyn_cast_or_null<TeamAttr>(remote.getTeamOrNull());
  std::string peer = use(remote.getMixedPeer(), Ternary);
  if (team && team.getKind() != TeamKind::World)
    peer = "{" + teamOf(team) + ", " + peer + "}";
  std::string begin = "(" + peer + ", ";
  std::string call = put ? "put" : "get", end = ", " + site(op) + ")";
  if (isContiguous(sizes, here.strides) && isContiguous(sizes, thereStrides)) {
    Product count;
    for (const Product &size : sizes)
      count = count * size;
    Sum elements;
    elements.add(count);
    call += begin + handleOf(there) + ", " + bytesOf(there.element, offset) +
            ", " + handleOf(here) + ", " + bytesOf(here.element, here.offset) +
            ", " + bytesOf(here.element, elements) + end;
  } else {
    call += "Block<" + typeName(here.element) + ">" + begin + handleOf(there) +
            ", " + offset.print().text + ", " + braces(thereStrides) + ", " +
            handleOf(here) + ", " + here.offset.print().text + ", " +
            braces(here.strides) + ", " + braces(sizes) + end;
  }
  body.line("GIN_TRY(run." + call + ");");
}

void Emitter::emitLaunch(gpu::LaunchFuncOp op) {
  StringRef wanted = op.getKernelName();
  const Emitter &launched = *llvm::find_if(
      *kernels, [&](const Emitter &each) { return each.name == wanted; });
  announce(op);
  std::string call = launched.name + "_code, " +
                     (launched.blocks ? std::to_string(*launched.blocks)
                                      : use(op.getGridSizeX()).text);
  // Numbers come after what all kernels take, but some of that are numbers,
  // too.
  llvm::StringMap<std::string> own;
  const unsigned common = numCommonArguments();
  auto addNumber = [&](const Argument &number) {
    const unsigned place = number.value.getArgNumber();
    Value operand = op.getKernelOperand(place);
    if (place < common && operand == function.getArgument(place))
      return;
    std::string text = use(operand).text;
    const bool isVariable =
        !matchPattern(operand, m_Constant()) &&
        llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    own[number.object] =
        isVariable ? text : typeName(number.type) + "(" + text + ")";
  };
  for (const Argument &argument : launched.arguments)
    if (argument.kind == Argument::Scalar)
      addNumber(argument);
  for (const Argument &number : launched.numbers)
    addNumber(number);
  for (const auto &[parameter, place] : launchArguments(launched))
    call += ", " + (own.contains(parameter) ? own.lookup(parameter) : place);
  if (op == lastStep(function))
    body.line("return run.finish(" + call + ");");
  else
    body.line("GIN_TRY(run.launch(" + call + "));");
}
