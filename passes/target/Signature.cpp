//===- Signature.cpp - the kernel's parameters ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"

using namespace gin;
using namespace gin::cuda;

Emitter::Emitter(gpu::GPUFuncOp kernel)
    : kernel(kernel), name(kernel.getName()), body(2) {
  announced.push_back("");
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<dataflow::SparseConstantPropagation>();
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (auto sizes = kernel.getKnownBlockSizeAttr())
    threads = static_cast<unsigned>(sizes[0]);
  if (auto sizes = kernel.getKnownGridSizeAttr())
    blocks = static_cast<unsigned>(sizes[0]);
  if (auto least = kernel->getAttrOfType<IntegerAttr>(kLeastBlocksAttr))
    leastBlocks = static_cast<unsigned>(least.getInt());
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Arguments and extents are also names in the launcher, which has words of its
/// own.
static std::string besideLauncher(const std::string &name, StringRef suffix) {
  static constexpr StringLiteral words[] = {
      "Size",  "ceilDiv", "comm",   "count", "floorDiv", "modulo", "product",
      "ranks", "ready",   "result", "sizes", "blocks",   "stream"};
  return llvm::is_contained(words, name) ? name + suffix.str() : name;
}

void Emitter::readSignature() {
  file = placeOf(kernel.getLoc()).file;
  if (file.empty())
    kernel.walk([&](Operation *op) {
      if (file.empty())
        file = placeOf(op->getLoc()).file;
    });
  // After these come the block's and the threads' own memory.
  for (BlockArgument value : kernel.getBody().getArguments().take_front(
           kernel.getFunctionType().getNumInputs())) {
    Argument &argument = arguments.emplace_back();
    argument.value = value;
    auto attribute = [&](StringRef name) {
      return kernel.getArgAttr(value.getArgNumber(), name);
    };
    std::string wanted = sourceName(value);
    if (auto text = dyn_cast_or_null<StringAttr>(attribute(kNameAttr)))
      wanted = text.getValue().str();
    if (wanted.empty())
      wanted = "argument" + std::to_string(value.getArgNumber());
    argument.name = argument.object =
        names.fresh(besideLauncher(wanted, "_argument"));
    argument.source = bool(attribute(kSourceAttr));
    argument.scratch = bool(attribute(kScratchAttr));
    if (auto map = dyn_cast_or_null<AffineMapAttr>(attribute(kSizesAttr)))
      argument.sizes = map.getValue();
    if (auto rights = dyn_cast_or_null<RightsAttr>(attribute(kRightsAttr)))
      argument.rights = static_cast<unsigned>(rights.getValue());
    Type type = value.getType();
    if (auto memref = dyn_cast<MemRefType>(type)) {
      argument.kind = isWindow(type) ? Argument::Window : Argument::Pointer;
      argument.type = memref.getElementType();
      argument.shape.assign(memref.getShape().begin(), memref.getShape().end());
      if (argument.kind == Argument::Window)
        argument.object = names.fresh(argument.name + "_window");
    } else if (auto bank = dyn_cast<SignalsType>(type)) {
      argument.kind = Argument::Bank;
      argument.shape.assign(bank.getShape().begin(), bank.getShape().end());
    } else {
      argument.kind = Argument::Scalar;
      argument.type = type;
      values[value] = {argument.name};
    }
    argument.extents.resize(argument.shape.size());
  }
}

/// An extent has the name that the source gives to its first memref.dim, unless
/// another one has it too.
void Emitter::nameExtents() {
  llvm::StringMap<std::pair<Argument *, unsigned>> owners;
  llvm::StringSet<> ambiguous;
  kernel.walk([&](memref::DimOp dim) {
    std::string wanted = sourceName(dim.getResult());
    std::optional<int64_t> index = dim.getConstantIndex();
    if (wanted.empty() || !index)
      return;
    for (Argument &argument : arguments) {
      if (argument.value != dim.getSource())
        continue;
      std::pair<Argument *, unsigned> owner(&argument, *index);
      auto [known, isNew] = owners.try_emplace(wanted, owner);
      if (!isNew && known->second != owner)
        ambiguous.insert(wanted);
    }
  });
  for (Argument &argument : arguments)
    for (unsigned dim = 0; dim < argument.shape.size(); ++dim) {
      if (!ShapedType::isDynamic(argument.shape[dim]))
        continue;
      std::string wanted = argument.name + "_size" + std::to_string(dim);
      for (const auto &[name, owner] : owners)
        if (owner == std::pair<Argument *, unsigned>(&argument, dim) &&
            !ambiguous.contains(name))
          wanted = name.str();
      argument.extents[dim] = names.fresh(besideLauncher(wanted, "_extent"));
    }
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Teams, and pointers to the windows that are loaded and stored.
std::string Emitter::writePreamble() {
  llvm::StringSet<> used = identifiersOf(body.str());
  Text preamble(2);
  for (Argument &argument : arguments)
    if (argument.kind == Argument::Window && used.contains(argument.name)) {
      std::string type = typeName(argument.type);
      preamble.line(type + " *" + argument.name + " = gin::elements<" + type +
                    ">(" + argument.object + ");");
    }
  for (GridName &grid : grids) {
    bool isUsed = used.contains(grid.name);
    for (TeamName &team : teams)
      isUsed |= used.contains(team.name) && team.team.getGrid() == grid.grid;
    if (!isUsed)
      continue;
    std::string text;
    for (const std::string &extent : grid.extents)
      text += (text.empty() ? "" : ", ") + extent;
    preamble.line("const gin::RankGrid<" + std::to_string(grid.extents.size()) +
                  "> " + grid.name + "{{" + text + "}};");
  }
  for (TeamName &team : teams) {
    if (!used.contains(team.name))
      continue;
    std::string maker, arguments = "context";
    if (team.team.getKind() == TeamKind::Axis) {
      maker = "gin::axis";
      arguments += ", " + gridOf(team.team.getGrid()) + ", " +
                   std::to_string(team.team.getAxis());
    } else {
      maker = "gin::" + stringifyTeamKind(team.team.getKind()).str() + "Team";
    }
    preamble.line("const gin::Team " + team.name + " = " + maker + "(" +
                  arguments + ", " + std::to_string(team.index) + ");");
  }
  return preamble.str();
}

namespace {
/// A parameter, of the kernel and of the function with its body.
struct Parameter {
  std::string kernel, body, name;
};
} // namespace

void Emitter::writeKernel() {
  std::string text = writePreamble() + body.str();
  llvm::StringSet<> used = identifiersOf(text);
  SmallVector<Parameter> parameters;
  auto add = [&](const std::string &type, const std::string &name,
                 bool isObject) {
    if (!used.contains(name))
      return;
    std::string space = StringRef(type).ends_with("*") ? "" : " ";
    if (isObject)
      parameters.push_back({"const __grid_constant__ " + type + " " + name,
                            "const " + type + " &" + name, name});
    else
      parameters.push_back({type + space + name, type + space + name, name});
  };
  for (Argument &argument : arguments) {
    switch (argument.kind) {
    case Argument::Window:
      add("gin::Window", argument.object, true);
      break;
    case Argument::Bank:
      add("gin::Bank", argument.object, true);
      break;
    case Argument::Pointer:
      add(typeName(argument.type) + " *", argument.object, false);
      break;
    case Argument::Scalar:
      add(typeName(argument.type), argument.object, false);
      break;
    }
    for (const std::string &extent : argument.extents)
      if (!extent.empty())
        add("int64_t", extent, false);
  }
  for (GridName &grid : grids)
    for (auto [extent, size] :
         llvm::zip_equal(grid.extents, grid.grid.getShape()))
      if (ShapedType::isDynamic(size))
        add("int64_t", extent, false);

  for (TileLoop &loop : tileLoops)
    add("gin::MatmulParts", loop.operands, true);

  std::string inBody = "gin::Context &context", inKernel, passed = "context";
  for (const Parameter &parameter : parameters) {
    inBody += ", " + parameter.body;
    inKernel += ", " + parameter.kernel;
    passed += ", " + parameter.name;
    kernelArguments.push_back(parameter.name);
  }
  bool usesContext = used.contains("context");
  Text file;
  for (TileLoop &loop : tileLoops)
    file.line("using " + loop.config + " = " + loop.type + ";");
  if (!tileLoops.empty())
    file.blank();
  file.open("static __device__ void " + name + "_body(" + inBody + ")");
  if (!usesContext)
    file.line("(void)context;");
  file.raw(text);
  file.close();
  file.blank();
  std::string linkage = "extern \"C\" __global__";
  std::string head = "__launch_bounds__(" + std::to_string(threads) +
                     ") void " + name + "_kernel(";
  if (linkage.size() + 1 + head.size() > 80)
    file.line(linkage);
  else
    head = linkage + " " + head;
  file.open(head + "const __grid_constant__ gin::Program program" + inKernel +
            ")");
  file.line("gin::Context context = gin::begin(program);");
  file.line(name + "_body(" + passed + ");");
  file.line("gin::end(context);");
  file.close();
  source = file.str();
}

LogicalResult Emitter::emit() {
  WalkResult checked = kernel.walk([&](Operation *op) {
    if (op == kernel || isEmittable(op))
      return WalkResult::advance();
    op->emitError("cannot be emitted as CUDA; run gin-map-to-kernel");
    return WalkResult::interrupt();
  });
  if (checked.wasInterrupted())
    return failure();
  if (failed(solver.initializeAndRun(kernel->getParentOfType<ModuleOp>())))
    return kernel.emitError("ranges of its values cannot be computed");
  readSignature();
  nameExtents();
  // Made before any name of the body is.
  kernel.walk([&](Operation *op) {
    if (auto grid = op->getAttrOfType<GridAttr>("grid"))
      gridOf(grid);
    if (auto team = op->getAttrOfType<TeamAttr>("team"))
      teamOf(team);
  });
  for (BlockArgument memory : kernel.getPrivateAttributions()) {
    auto type = cast<MemRefType>(memory.getType());
    std::string array = nameFor(memory);
    body.line(typeName(type.getElementType()) + " " + array + "[" +
              std::to_string(type.getNumElements()) + "];");
    views[memory] = wholeOf(memory, array);
  }
  if (!kernel.getWorkgroupAttributions().empty()) {
    uint64_t bytes = bytesOfBroadcasts(); // the first ones
    for (BlockArgument memory : kernel.getWorkgroupAttributions())
      emitShared(memory, bytes);
    sharedBytes = bytes;
  }
  if (failed(emitBlock(kernel.getBody().front())))
    return failure();
  body.dropUnread();
  writeKernel();
  return success();
}
