//===- Signature.cpp - the kernel's parameters ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "runtime/device/Types.h"
#include "runtime/include/gin_matmul.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace gin;
using namespace gin::cuda;

Emitter::Emitter(FunctionOpInterface function,
                 ArrayRef<FunctionOpInterface> program)
    : function(function), kernel(dyn_cast<gpu::GPUFuncOp>(*function)),
      program(program), name(function.getName()), body(kernel ? 4 : 2) {
  announced.push_back("");
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<dataflow::SparseConstantPropagation>();
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (!kernel)
    return;
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
      "ranks", "ready",   "result", "sizes", "blocks",   "run",    "stream"};
  return llvm::is_contained(words, name) ? name + suffix.str() : name;
}

/// Those before the numbers that only some kernels take, and before the number
/// of blocks that the launching function takes.
unsigned Emitter::numCommonArguments() {
  unsigned least = function.getNumArguments();
  for (FunctionOpInterface each : program)
    if (!isa<gpu::GPUFuncOp>(each))
      least = each.getNumArguments() - 1;
  return least;
}

void Emitter::readArguments(ArrayRef<BlockArgument> from,
                            std::list<Argument> &to) {
  for (BlockArgument value : from) {
    Argument &argument = to.emplace_back();
    argument.value = value;
    auto attribute = [&](StringRef name) {
      return function.getArgAttr(value.getArgNumber(), name);
    };
    std::string wanted = sourceName(value);
    if (auto text = dyn_cast_or_null<StringAttr>(attribute(kNameAttr)))
      wanted = text.getValue().empty() ? "" : identifierOf(text.getValue());
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
  for (FunctionOpInterface each : program)
    each->walk([&](memref::DimOp dim) {
      std::string wanted = sourceName(dim.getResult());
      std::optional<int64_t> index = dim.getConstantIndex();
      if (wanted.empty() || !index)
        return;
      for (Argument &argument : arguments) {
        if (each.getArgument(argument.value.getArgNumber()) != dim.getSource())
          continue;
        std::pair<Argument *, unsigned> owner(&argument, *index);
        auto [known, isNew] = owners.try_emplace(wanted, owner);
        if (!isNew && known->second != owner)
          ambiguous.insert(wanted);
      }
    });
  // What the caller passes first: other sizes are made of them.
  for (bool passed : {true, false})
    for (Argument &argument : arguments) {
      if (argument.isPassed() != passed)
        continue;
      argument.parameters.resize(argument.shape.size());
      unsigned number = 0; // of dynamic extents
      for (unsigned dim = 0; dim < argument.shape.size(); ++dim) {
        if (!ShapedType::isDynamic(argument.shape[dim]))
          continue;
        std::string &extent = argument.extents[dim];
        extent = extentBySizes(argument, number++);
        if (!extent.empty())
          continue;
        std::string wanted = argument.name + "_size" + std::to_string(dim);
        for (const auto &[name, owner] : owners)
          if (owner == std::pair<Argument *, unsigned>(&argument, dim) &&
              !ambiguous.contains(name))
            wanted = name.str();
        extent = names.fresh(besideLauncher(wanted, "_extent"));
        argument.parameters[dim] = extent;
      }
    }
}

/// What the source calls the number of ranks, if it asks for it.
std::string Emitter::rankCountName() {
  std::string wanted;
  for (FunctionOpInterface each : program)
    each->walk([&](NumRanksOp op) {
      if (wanted.empty() && !isa_and_nonnull<TeamAttr>(op.getTeamAttr()))
        wanted = sourceName(op.getResult());
    });
  return wanted.empty() ? "ranks" : wanted;
}

/// The name of an extent that gin.sizes says is another one, or the number of
/// ranks; else empty.
std::string Emitter::extentBySizes(const Argument &argument, unsigned number) {
  // The launcher describes what tile loops read and write by its own extents.
  auto isOfTiles = [&](FunctionOpInterface each) {
    Value value = each.getArgument(argument.value.getArgNumber());
    return llvm::any_of(value.getUsers(), llvm::IsaPred<MatmulOp>);
  };
  if (argument.isPassed() || !argument.sizes ||
      llvm::any_of(program, isOfTiles))
    return {};
  auto symbol = dyn_cast<AffineSymbolExpr>(argument.sizes.getResult(number));
  if (!symbol)
    return {};
  unsigned position = symbol.getPosition();
  if (position == 0) {
    if (rankCount.empty())
      rankCount = names.fresh(rankCountName());
    return rankCount;
  }
  for (const Argument &other : arguments)
    for (const std::string &extent : other.parameters)
      if (other.isPassed() && !extent.empty() && --position == 0)
        return extent;
  return {};
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Pointers to the windows that are loaded and stored, and what there is of
/// ranks.
std::string Emitter::writePreamble() {
  llvm::StringSet<> used = identifiersOf(body.str());
  Text preamble(4);
  for (Argument &argument : arguments)
    if (argument.kind == Argument::Window && used.contains(argument.name)) {
      argument.byPointer = !used.contains(argument.object);
      if (argument.byPointer)
        continue;
      std::string type = typeName(argument.type);
      preamble.line(type + " *" + argument.name + " = gin::elements<" + type +
                    ">(" + argument.object + ");");
    }
  writeRanks(preamble, used);
  return preamble.str();
}

/// The number of ranks, grids and teams, of those in `used`.
void Emitter::writeRanks(Text &preamble, const llvm::StringSet<> &used) {
  if (used.contains(rankCount))
    preamble.line("const int64_t " + rankCount + " = context.ranks;");
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
}

void Emitter::writeKernel() {
  std::string text = writePreamble() + body.str();
  llvm::StringSet<> used = identifiersOf(text);
  std::string parameters;
  auto add = [&](const std::string &type, const std::string &name,
                 bool isObject) {
    if (!used.contains(name))
      return;
    std::string space = StringRef(type).ends_with("*") ? "" : " ";
    parameters +=
        (isObject ? ", const __grid_constant__ " : ", ") + type + space + name;
    kernelArguments.push_back(name);
  };
  for (Argument &argument : arguments) {
    switch (argument.kind) {
    case Argument::Window:
      if (argument.byPointer)
        add(typeName(argument.type) + " *", argument.name, false);
      else
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
    for (const std::string &extent : argument.parameters)
      if (!extent.empty())
        add("int64_t", extent, false);
  }
  for (GridName &grid : grids)
    for (auto [extent, size] :
         llvm::zip_equal(grid.extents, grid.grid.getShape()))
      if (ShapedType::isDynamic(size))
        add("int64_t", extent, false);

  for (const Argument &number : numbers)
    add(typeName(number.type), number.object, false);
  for (TileLoop &loop : tileLoops)
    add(loop.grouped ? "gin::MatmulGroups" : "gin::MatmulParts", loop.operands,
        true);

  Text file;
  for (TileLoop &loop : tileLoops)
    file.line("using " + loop.config + " = " + loop.type + ";");
  if (!tileLoops.empty())
    file.blank();
  std::string linkage = "extern \"C\" __global__";
  // Two blocks at a time on a multiprocessor, if that leaves each thread 128
  // registers: one works while the other waits. Left to itself, ptxas takes up
  // to 200 for some kernels, more or less with the name of the file.
  std::string bounds = std::to_string(threads) + (threads <= 256 ? ", 2" : "");
  std::string head =
      "__launch_bounds__(" + bounds + ") void " + name + "_kernel(";
  if (linkage.size() + 1 + head.size() > 80)
    file.line(linkage);
  else
    head = linkage + " " + head;
  // Of a name of one letter, clang-format breaks the bounds.
  const bool isShort = name.size() == 1;
  if (isShort)
    file.comment("clang-format off");
  file.open(head + "const __grid_constant__ gin::Program program" + parameters +
            ")");
  if (isShort)
    file.comment("clang-format on");
  // Every block has to reach the end, from wherever the body returns.
  file.raw("  gin::run(program, [&](gin::Context &" +
           std::string(used.contains("context") ? "context" : "") + ") {" +
           (text.empty() ? "" : "\n" + text + "  ") + "});\n");
  file.close();
  source = file.str();
}

/// Files and functions of C are called after the kernel.
static LogicalResult verifyName(FunctionOpInterface function) {
  StringRef name = function.getName();
  const bool isIdentifier =
      !name.empty() && !llvm::isDigit(name[0]) &&
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isIdentifier)
    return function.emitError("files and functions of C are called after '")
           << name
           << "', which is no identifier of C; rename the function to letters, "
              "digits and '_'";
  // What NAME_t, NAME_create and NAME.h are already, where the launcher stands:
  // names of C, of POSIX and of their headers.
  llvm::Regex taken(
      "^(u?int(_least|_fast)?(8|16|32|64)|u_(int(8|16|32|64)|quad)|"
      "u?int(max|ptr)|s?size|ptrdiff|wchar|char(8|16|32)|max_align|nullptr|"
      "l?l?div|fpos(64)?|off(64)?|va_list|float|double|blkcnt(64)?|"
      "blksize|caddr|clock|clockid|daddr|dev|fsblkcnt(64)?|fsfilcnt(64)?|fsid|"
      "gid|id|ino(64)?|key|locale|loff|mode|nlink|pid|pthread(_.*)?|quad|"
      "register|sigset|s?useconds|time|timer|uid|mem_fun.*|const_mem_fun.*|"
      "comparison_fn|cookie_.*|cuda(_.*)?|"
      "alloca|assert|complex|ctype|endian|errno|features|fenv|inttypes|iso646|"
      "limits|math|memory|new|sched|setjmp|signal|stdarg|stdbool|stddef|stdint|"
      "stdio|stdlib|string|strings|tgmath|threads|uchar|wctype|gin|gin[A-Z].*)"
      "$");
  if (taken.match(name))
    return function.emitError("files and functions of C are called after '")
           << name << "', and C or gin has such a name already; rename the "
           << "function";
  return success();
}

/// Types that C has, whether the kernel uses them or not.
static LogicalResult verifyArguments(FunctionOpInterface function) {
  for (BlockArgument argument :
       function.getArguments().take_front(function.getNumArguments())) {
    Type type = argument.getType();
    if (auto memref = dyn_cast<MemRefType>(type))
      type = memref.getElementType();
    if (!isa<SignalsType>(type) && typeName(type).empty())
      return emitError(argument.getLoc())
             << "argument " << argument.getArgNumber() << " is "
             << argument.getType() << ", and CUDA has no " << type;
    // The launcher makes banks and scratch windows, and must know their sizes.
    const unsigned number = argument.getArgNumber();
    auto memref = dyn_cast<MemRefType>(argument.getType());
    const bool isDynamic =
        memref ? function.getArgAttr(number, kScratchAttr) &&
                     !memref.hasStaticShape()
               : isa<SignalsType>(type) &&
                     llvm::any_of(cast<SignalsType>(type).getShape(),
                                  ShapedType::isDynamic);
    if (isDynamic && !function.getArgAttr(number, kSizesAttr))
      return emitError(argument.getLoc())
             << "argument " << number << " is " << argument.getType()
             << ", whose sizes nothing gives; add '" << kSizesAttr << "'";
  }
  return success();
}

/// What a kernel can take, since CUDA 12.1 on sm_70 and later.
static constexpr size_t mostParameterBytes = 32764;

/// As gin::mostParts.
static constexpr size_t mostPartsOfProduct = 16;

static size_t bytesOfParameters(const Emitter &emitter) {
  size_t bytes = sizeof(gin::Program);
  auto add = [&](size_t size) { bytes = llvm::alignTo(bytes, 8) + size; };
  for (const Argument &argument : emitter.arguments) {
    if (argument.kind == Argument::Bank)
      add(sizeof(gin::Bank));
    else if (argument.kind == Argument::Window && !argument.byPointer)
      add(sizeof(gin::Window));
    else
      add(8);
    for ([[maybe_unused]] const std::string &extent : argument.parameters)
      add(8);
  }
  for (const GridName &grid : emitter.grids)
    add(8 * grid.extents.size());
  add(8 * emitter.numbers.size());
  constexpr size_t product = (2 * mostPartsOfProduct + 1) * sizeof(ginMatrix_t);
  for (const TileLoop &loop : emitter.tileLoops) {
    bytes = llvm::alignTo(bytes, alignof(ginMatrix_t));
    bytes += loop.grouped ? 3 * sizeof(ginMatrix_t)
                          : llvm::alignTo(product + sizeof(int32_t),
                                          alignof(ginMatrix_t));
  }
  return bytes;
}

LogicalResult Emitter::emit() {
  if (failed(verifyName(function)) || failed(verifyArguments(function)))
    return failure();
  if (!kernel && failed(verifySteps()))
    return failure();
  if (kernel) {
    WalkResult checked = kernel.walk([&](Operation *op) {
      return op == kernel || succeeded(verifyEmittable(op))
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    if (checked.wasInterrupted())
      return failure();
  }
  if (failed(solver.initializeAndRun(function->getParentOfType<ModuleOp>())))
    return function.emitError("ranges of its values cannot be computed");
  for (FunctionOpInterface each : program)
    each->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (file.empty())
        file = placeOf(op->getLoc()).file;
    });
  // After these come the block's and the threads' own memory.
  ArrayRef<BlockArgument> all = function.getArguments();
  const unsigned common = numCommonArguments();
  readArguments(all.take_front(common), arguments);
  nameExtents();
  // Made before any name of the body is.
  for (FunctionOpInterface each : program)
    each->walk([&](Operation *op) {
      if (auto grid = op->getAttrOfType<GridAttr>("grid"))
        gridOf(grid);
      if (auto team = op->getAttrOfType<TeamAttr>("team"))
        teamOf(team);
    });
  if (!kernel)
    return emitSteps();
  readArguments(all.slice(common, function.getNumArguments() - common),
                numbers);
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
  const size_t bytes = bytesOfParameters(*this);
  if (bytes > mostParameterBytes)
    return kernel.emitError("takes ")
           << bytes << " bytes of parameters, and kernels at most "
           << mostParameterBytes << "; it has " << tileLoops.size()
           << " products, " << arguments.size()
           << " arguments and banks: divide it into several programs";
  return success();
}
