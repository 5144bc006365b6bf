//===- Tiles.cpp - tile loops -----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A gin.matmul is a call of gin::matmul (runtime/device/Tiles.h), whose regions
// are functions beside it, and so are the rows and groups of its parts. Its
// configuration is a type that the launcher uses too, and its operands are one
// argument of the kernel.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

using namespace gin;
using namespace gin::cuda;

/// `auto acquire = [&](int64_t part, int64_t, int64_t k) { ... };`
std::string Emitter::emitHook(Region &region, StringRef wanted) {
  if (region.empty() || region.front().without_terminator().empty())
    return "gin::NoHook()";
  std::string hook = names.fresh(wanted);
  names.enter();
  std::string parameters;
  for (BlockArgument argument : region.getArguments()) {
    parameters += parameters.empty() ? "int64_t" : ", int64_t";
    if (argument.use_empty())
      continue;
    std::string parameter = sourceName(argument);
    values[argument] = {names.fresh(parameter.empty() ? "place" : parameter)};
    parameters += " " + values[argument].text;
  }
  body.open("auto " + hook + " = [&](" + parameters + ")");
  LogicalResult result = emitScoped(region);
  body.close("};");
  names.leave();
  return failed(result) ? std::string() : hook;
}

/// `auto rows = [&](int64_t part) { return counts[part]; };`
std::string Emitter::emitPartData(Value data, StringRef wanted) {
  if (!data)
    return "gin::NoHook()";
  std::string hook = names.fresh(wanted);
  names.enter();
  std::string part = names.fresh("part");
  const View &view = this->view(data);
  Sum at = view.fromPointer;
  at.add(Product{1, {{part}}} * view.strides[0]);
  body.line("auto " + hook + " = [&](int64_t " + part + ") { return " +
            pointerOf(view) + "[" + at.print().text + "]; };");
  names.leave();
  return hook;
}

LogicalResult Emitter::emitMatmul(MatmulOp op) {
  auto elementOf = [](Value memref) {
    return cast<MemRefType>(memref.getType()).getElementType();
  };
  for (Value operand : {op.getA(), op.getB(), op.getC()})
    if (!isa<BlockArgument>(operand) ||
        operand.getParentBlock() != &kernel.getBody().front())
      return op.emitError("cannot be emitted as CUDA: its operands are no "
                          "arguments of the kernel");
  if (!op.getFirstBlock())
    return op.emitError("cannot be emitted as CUDA without its blocks; run "
                        "gin-map-to-kernel");
  TileLoop &loop = tileLoops.emplace_back();
  loop.op = op;
  loop.grouped = op.isRagged();
  // Some stand beside those of other kernels.
  const bool isAlone = program.size() == 1;
  loop.config = names.fresh(isAlone ? "Tiles" : name + "_tiles",
                            /*everywhere=*/true);
  loop.operands = names.fresh("operands", /*everywhere=*/true);
  loop.described = isAlone ? loop.operands : name + "_" + loop.operands;
  loop.type = "gin::MatmulConfig<" + typeName(elementOf(op.getA())) + ", " +
              typeName(elementOf(op.getC())) + ", " +
              (op.getTransposed() ? "true" : "false") + ", " +
              std::to_string(op.getTileSizes()[1]) + ", 1>";
  announce(op);
  SmallVector<std::string> hooks;
  if (loop.grouped)
    hooks = {emitPartData(op.getRows(), "rows"),
             emitPartData(op.getGroups(), "group")};
  const size_t needed = hooks.size();
  for (auto [region, name] : {std::pair(&op.getAcquire(), "acquire"),
                              std::pair(&op.getReserve(), "reserve"),
                              std::pair(&op.getPublish(), "publish"),
                              std::pair(&op.getSpare(), "spare")}) {
    hooks.push_back(emitHook(*region, name));
    if (hooks.back().empty())
      return failure();
  }
  while (hooks.size() > needed && hooks.back() == "gin::NoHook()")
    hooks.pop_back();
  std::string order = "{";
  if (op.getFirst() || op.getAlternating())
    order += op.getFirst() ? use(op.getFirst(), Ternary) : "0";
  if (op.getAlternating())
    order += ", true";
  std::string shared = "gin::sharedMemory()";
  if (sharedBytes > 16) // those of gin::broadcast are free here
    shared += " + " + std::to_string(llvm::alignTo(sharedBytes, 128));
  std::string call =
      "gin::matmul<" + loop.config + ">(context, " + loop.operands +
      ", gin::blocks(" + use(op.getFirstBlock(), Ternary) + ", " +
      use(op.getNumBlocks(), Ternary) + "), " + order + "}, " + shared;
  for (const std::string &hook : hooks)
    call += ", " + hook;
  mustHold(call + ")");
  return success();
}

//===----------------------------------------------------------------------===//
// The launcher's side
//===----------------------------------------------------------------------===//

std::string cuda::addressOf(const Argument &argument) {
  if (argument.kind == Argument::Pointer)
    return argument.object;
  if (argument.scratch || argument.source)
    return "program->" + argument.name + ".device.base";
  return argument.object + ".base";
}

/// `{address, parts, rows, columns}`, without parts for one matrix, and with a
/// window for a matrix of each rank.
static std::string operandText(const Emitter &emitter, Value value,
                               bool isRemote, bool hasParts) {
  for (const Argument &argument : emitter.arguments) {
    if (argument.value != value)
      continue;
    const bool kept = argument.scratch || argument.source;
    std::string text = addressOf(argument);
    if (isRemote)
      text = kept ? "program->" + argument.name + ".device" : argument.object;
    if (hasParts && argument.shape.size() == 2)
      text += ", 1";
    for (auto [size, extent] :
         llvm::zip_equal(argument.shape, argument.extents))
      text += ", " + (extent.empty()        ? std::to_string(size)
                      : argument.isPassed() ? "program->sizes." + extent
                                            : "program->" + extent);
    return "{" + text + "}";
  }
  llvm_unreachable("operands are arguments");
}

void cuda::writeTileOperands(const Emitter &emitter, Text &text) {
  for (const TileLoop &loop : emitter.tileLoops) {
    MatmulOp op = loop.op;
    text.line(
        std::string(loop.grouped ? "gin::MatmulGroups " : "gin::MatmulParts ") +
        loop.described + ";");
    text.line("GIN_TRY(gin::launcher::" +
              std::string(loop.grouped     ? "groupedOperands<"
                          : op.getRemote() ? "operandsOnRanks<"
                                           : "operands<") +
              loop.config + ">(program->program, " +
              operandText(emitter, op.getA(), false, true) + ", " +
              operandText(emitter, op.getB(), false, loop.grouped) + ", " +
              operandText(emitter, op.getC(), op.getRemote(), !op.getRemote()) +
              ", " + (op.getAccumulate() ? "true" : "false") + ", " +
              loop.described + "));");
  }
}
