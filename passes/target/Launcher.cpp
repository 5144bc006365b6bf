//===- Launcher.cpp - the host's side of a kernel ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// create, launch and destroy, in C++ with C's interface. What all launchers
// share is in runtime/device/Launcher.h.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace gin;
using namespace gin::cuda;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static Expr sizeExpr(AffineExpr expr, ArrayRef<std::string> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {std::to_string(constant.getValue()),
            constant.getValue() < 0 ? Unary : Primary};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return {symbols[symbol.getPosition()]};
  auto operation = cast<AffineBinaryOpExpr>(expr);
  Expr left = sizeExpr(operation.getLHS(), symbols);
  Expr right = sizeExpr(operation.getRHS(), symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    if (StringRef(right.text).starts_with("-"))
      return {left.in(Additive) + " - " + right.text.substr(1), Additive};
    return {left.in(Additive) + " + " + right.in(Multiplied), Additive};
  case AffineExprKind::Mul:
    return {left.in(Multiplied) + " * " + right.in(Unary), Multiplied};
  case AffineExprKind::CeilDiv:
    return {"ceilDiv(" + left.text + ", " + right.text + ")"};
  case AffineExprKind::FloorDiv:
    return {"floorDiv(" + left.text + ", " + right.text + ")"};
  default:
    return {"modulo(" + left.text + ", " + right.text + ")"};
  }
}

/// The names of what gin.sizes computes with.
static SmallVector<std::string> sizeSymbols(const Emitter &emitter) {
  SmallVector<std::string> symbols = {"ranks"};
  for (const Argument &argument : emitter.arguments)
    if (argument.isPassed())
      for (const std::string &extent : argument.extents)
        if (!extent.empty())
          symbols.push_back(extent);
  return symbols;
}

/// The extents of a bank or scratch window, each as text.
static SmallVector<std::string> extentTexts(const Emitter &emitter,
                                            const Argument &argument) {
  SmallVector<std::string> symbols = sizeSymbols(emitter), texts;
  unsigned next = 0;
  for (int64_t size : argument.shape)
    texts.push_back(
        !ShapedType::isDynamic(size)
            ? std::to_string(size)
            : sizeExpr(argument.sizes.getResult(next++), symbols).text);
  return texts;
}

/// `{a, b}`
static std::string listOf(ArrayRef<std::string> texts) {
  return "{" + llvm::join(texts, ", ") + "}";
}

/// The extents that the caller passes with an argument.
static SmallVector<std::string> passedExtents(const Argument &argument,
                                              StringRef from) {
  SmallVector<std::string> texts;
  for (auto [size, extent] : llvm::zip_equal(argument.shape, argument.extents))
    texts.push_back(extent.empty() ? std::to_string(size)
                                   : (from + extent).str());
  return texts;
}

/// `{&a_code, &b_code}`
static std::string codesOf(const Program &program) {
  SmallVector<std::string> codes;
  for (const Emitter &kernel : program.kernels)
    codes.push_back("&" + kernel.name + "_code");
  return listOf(codes);
}

static bool isLocal(const Argument &argument) {
  return argument.kind == Argument::Window && argument.source &&
         !argument.scratch;
}

//===----------------------------------------------------------------------===//
// What is kept from launch to launch
//===----------------------------------------------------------------------===//

bool Program::hasTiles() const {
  return llvm::any_of(
      kernels, [](const Emitter &kernel) { return !kernel.tileLoops.empty(); });
}

unsigned Program::leastBlocks() const {
  unsigned least = 1;
  for (const Emitter &kernel : kernels)
    least = std::max(least, kernel.leastBlocks);
  return least;
}

static bool isUsed(const Program &program, const std::string &parameter) {
  auto takes = [&](const Emitter &kernel) {
    return llvm::is_contained(kernel.kernelArguments, parameter);
  };
  return llvm::any_of(program.kernels, takes) ||
         (program.steps &&
          identifiersOf(program.steps->source).contains(parameter));
}

/// Whether a tile loop reads or writes an argument.
static bool isTileOperand(const Program &program, const Argument &argument) {
  const unsigned number = argument.value.getArgNumber();
  return llvm::any_of(program.kernels, [&](const Emitter &kernel) {
    return llvm::any_of(kernel.tileLoops, [&](const TileLoop &loop) {
      return llvm::any_of(loop.op->getOperands(), [&](Value operand) {
        auto own = dyn_cast<BlockArgument>(operand);
        return own && own.getOwner()->getParentOp() == kernel.function &&
               own.getArgNumber() == number;
      });
    });
  });
}

/// Whether some kernel takes its memory by a pointer.
static bool isByPointer(const Program &program, const Argument &argument) {
  return llvm::any_of(program.kernels, [&](const Emitter &kernel) {
    return llvm::any_of(kernel.arguments, [&](const Argument &own) {
      return own.name == argument.name && own.byPointer;
    });
  });
}

/// The extents that a launch needs and its caller does not pass.
static SmallVector<std::string> keptExtents(const Program &program,
                                            const Argument &argument) {
  SmallVector<std::string> kept;
  if (!argument.isPassed())
    for (const std::string &extent : argument.parameters)
      if (!extent.empty() &&
          (isUsed(program, extent) || isTileOperand(program, argument)))
        kept.push_back(extent);
  return kept;
}

static void writeState(const Program &program, Text &text) {
  const Emitter &emitter = program.signature();
  text.open("struct " + program.name + "_program");
  text.line(program.name + "_arguments sizes; // as they were at create");
  text.line("gin::launcher::Program program;");
  for (const Argument &argument : emitter.arguments) {
    if (argument.kind == Argument::Bank)
      text.line("gin::Bank " + argument.name + ";");
    else if (argument.scratch)
      text.line("gin::launcher::Scratch " + argument.name + ";");
    else if (isLocal(argument))
      text.line("gin::launcher::Source " + argument.name + ";");
    for (const std::string &extent : keptExtents(program, argument))
      text.line("int64_t " + extent + ";");
  }
  for (const GridName &grid : emitter.grids)
    text.line("int64_t " + grid.name + "[" +
              std::to_string(grid.extents.size()) + "];");
  text.line("bool ready = false; // all ranks have made the collective calls");
  text.close("};");
}

/// Ranks put into each other's windows and count in each other's banks by
/// these. How many rows a window has, each rank may choose.
static void writeCommonExtents(const Emitter &emitter, Text &text) {
  auto add = [&](const std::string &name, const std::string &value) {
    text.line("self.program.common(" + quote(name) + ", " + value + ");");
  };
  for (const Argument &argument : emitter.arguments) {
    const bool isBank = argument.kind == Argument::Bank;
    const bool isShared = argument.kind == Argument::Window &&
                          (argument.scratch || !argument.source);
    if (!isBank && !isShared)
      continue;
    if (argument.isPassed()) {
      for (const std::string &extent :
           ArrayRef(argument.extents)
               .drop_front(std::min<size_t>(1, argument.extents.size())))
        if (!extent.empty())
          add(extent, "self.sizes." + extent);
      continue;
    }
    unsigned next = 0;
    SmallVector<std::string> texts = extentTexts(emitter, argument);
    for (auto [dim, size] : llvm::enumerate(argument.shape)) {
      if (!ShapedType::isDynamic(size))
        continue;
      // Of constants and the number of ranks, it is the same anyway.
      bool varies = false;
      argument.sizes.getResult(next++).walk([&](AffineExpr expr) {
        auto symbol = dyn_cast<AffineSymbolExpr>(expr);
        varies |= symbol && symbol.getPosition() != 0;
      });
      if (varies && (isBank || dim != 0))
        add(argument.name + " " + std::to_string(dim), texts[dim]);
    }
  }
}

/// Banks and scratch windows, by the sizes of the arguments.
static void writeSetUp(const Program &program, Text &text) {
  const Emitter &emitter = program.signature();
  text.comment("Collective, like what it calls.");
  text.open("static ginResult_t setUp(" + program.name +
            "_program &self, ginComm_t comm)");
  text.line("using namespace gin::launcher;");
  text.line("int count;");
  text.line("GIN_TRY(ginCommSize(comm, &count));");
  std::string body;
  for (const Argument &argument : emitter.arguments) {
    if (argument.isPassed())
      continue;
    for (const std::string &extent : extentTexts(emitter, argument))
      body += extent + " ";
  }
  // Only what the sizes use.
  auto uses = [&](StringRef word) {
    for (size_t at = body.find(word); at != std::string::npos;
         at = body.find(word, at + 1)) {
      auto isPart = [&](size_t i) {
        return i < body.size() && (llvm::isAlnum(body[i]) || body[i] == '_');
      };
      if (!(at && isPart(at - 1)) && !isPart(at + word.size()))
        return true;
    }
    return false;
  };
  for (const std::string &symbol : sizeSymbols(emitter))
    if (uses(symbol))
      text.line("const Size " + symbol + " = " +
                (symbol == "ranks" ? "count" : "self.sizes." + symbol) + ";");
  SmallVector<std::string> banks;
  for (const Argument &argument : emitter.arguments)
    if (argument.kind == Argument::Bank)
      banks.push_back(
          listOf({quote(argument.name),
                  "product(" + listOf(extentTexts(emitter, argument)) + ")"}));
  writeCommonExtents(emitter, text);
  text.line(
      "GIN_TRY(self.program.create(comm, " +
      (program.steps ? quote(program.name) + ", " + codesOf(program)
                     : emitter.name + "_code") +
      ", " + listOf(banks) + ", " + std::to_string(emitter.teams.size() + 1) +
      (program.lanes > 1 ? ", " + std::to_string(program.lanes) : "") + "));");
  for (const Argument &argument : emitter.arguments) {
    if (argument.isPassed())
      continue;
    SmallVector<std::string> extents = extentTexts(emitter, argument);
    SmallVector<std::string> kept = keptExtents(program, argument);
    for (auto [extent, value] : llvm::zip_equal(argument.parameters, extents))
      if (llvm::is_contained(kept, extent))
        text.line("GIN_TRY(self.program.extent(" + quote(argument.name) + ", " +
                  value + ", self." + extent + "));");
    if (argument.scratch)
      text.line("GIN_TRY(self." + argument.name + ".create(self.program, " +
                quote(argument.name) + ", sizeof(" + typeName(argument.type) +
                "), " + listOf(extents) + ", " +
                std::to_string(argument.rights) + "));");
  }
  for (const GridName &grid : emitter.grids) {
    SmallVector<std::string> wanted;
    for (int64_t size : grid.grid.getShape())
      wanted.push_back(ShapedType::isDynamic(size) ? "gin::anyExtent"
                                                   : std::to_string(size));
    text.line("GIN_TRY(self.program.gridExtents(count, " + listOf(wanted) +
              ", self." + grid.name + "));");
  }
  text.line("return GIN_SUCCESS;");
  text.close();
}

//===----------------------------------------------------------------------===//
// C's interface
//===----------------------------------------------------------------------===//

static void writeCreate(const Program &program, Text &text) {
  const std::string &name = program.name;
  text.open("ginResult_t " + name + "_create(ginComm_t comm, const " + name +
            "_arguments *arguments, " + name + "_t *program)");
  text.line("return gin::launcher::create(" + quote(name + "_create") +
            ", setUp, " + name + "_destroy, comm, arguments, program);");
  text.close();
}

static void writeDestroy(const Program &program, Text &text) {
  text.open("ginResult_t " + program.name + "_destroy(" + program.name +
            "_t program)");
  text.line("if (!program)");
  text.line("  return GIN_SUCCESS;");
  // The memory of windows goes when what uses it has ended.
  text.line("ginResult_t result = program->program.destroy();");
  for (const Argument &argument : program.signature().arguments)
    if (argument.scratch || isLocal(argument))
      text.line("gin::launcher::also(result, program->" + argument.name +
                ".destroy());");
  text.line("delete program;");
  text.line("return result;");
  text.close();
}

/// The C type of elements and scalars, and what it does not say.
static std::pair<std::string, std::string> cType(Type type) {
  if (type.isInteger(1))
    return {"int", ""};
  if (isSmallFloat(type)) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return {"uint" + std::to_string(type.getIntOrFloatBitWidth()) + "_t",
            "bits of " + text};
  }
  return {typeName(type), ""};
}

SmallVector<std::pair<std::string, std::string>>
cuda::launchArguments(const Emitter &kernel) {
  llvm::StringMap<std::string> places;
  for (const Argument &argument : kernel.arguments) {
    const bool isKept = argument.kind == Argument::Bank || argument.scratch ||
                        isLocal(argument);
    places[argument.object] = argument.kind == Argument::Pointer || !isKept
                                  ? argument.object
                              : argument.kind == Argument::Bank
                                  ? "program->" + argument.name
                                  : "program->" + argument.name + ".device";
    if (argument.byPointer)
      places[argument.name] = addressOf(argument);
    for (const std::string &extent : argument.parameters)
      if (!extent.empty())
        places[extent] = argument.isPassed() ? "program->sizes." + extent
                                             : "program->" + extent;
  }
  for (const GridName &grid : kernel.grids)
    for (auto [dim, extent] : llvm::enumerate(grid.extents))
      places[extent] =
          "program->" + grid.name + "[" + std::to_string(dim) + "]";
  for (const TileLoop &loop : kernel.tileLoops)
    places[loop.operands] = loop.described;
  SmallVector<std::pair<std::string, std::string>> arguments;
  for (const std::string &parameter : kernel.kernelArguments)
    arguments.emplace_back(parameter, places.lookup(parameter));
  return arguments;
}

/// The launch of the only kernel.
static void writeLaunchOf(const Emitter &kernel, Text &text) {
  std::string arguments;
  for (const auto &[parameter, place] : launchArguments(kernel))
    arguments += ", " + place;
  if (kernel.blocks)
    text.line("(void)blocks; // it has work for no more");
  text.line("return program->program." +
            std::string(kernel.blocks ? "launchExactly(" : "launch(") +
            (kernel.blocks ? std::to_string(*kernel.blocks) : "blocks") +
            ", stream" + arguments + ");");
}

static void writeLaunch(const Program &program, Text &text) {
  const Emitter &emitter = program.signature();
  const std::string &name = program.name;
  text.open("ginResult_t " + name + "_launch(" + name + "_t program, const " +
            name + "_arguments *arguments, unsigned blocks, void *stream)");
  text.line("if (!program || !arguments)");
  text.line("  return gin::launcher::nullPointer(" + quote(name + "_launch") +
            ");");
  for (const Argument &argument : emitter.arguments)
    if (argument.isPassed())
      for (const std::string &extent : argument.extents)
        if (!extent.empty())
          text.line("GIN_TRY(program->program.same(" + quote(extent) +
                    ", arguments->" + extent + ", program->sizes." + extent +
                    "));");
  text.open("if (!program->ready)");
  text.line("GIN_TRY(program->program.open(" +
            (program.steps ? codesOf(program) : "") + "));");
  unsigned bank = 0;
  for (const Argument &argument : emitter.arguments)
    if (argument.kind == Argument::Bank)
      text.line("GIN_TRY(program->program.bank(" + std::to_string(bank++) +
                ", program->" + argument.name + "));");
    else if (argument.scratch)
      text.line("GIN_TRY(program->" + argument.name + ".open());");
  text.line("program->ready = true;");
  text.close();
  for (const Argument &argument : emitter.arguments) {
    std::string type = argument.type ? typeName(argument.type) : "";
    std::string extents = listOf(passedExtents(argument, "arguments->"));
    switch (argument.kind) {
    case Argument::Bank:
      break;
    case Argument::Window:
      if (argument.scratch)
        break;
      if (isLocal(argument)) {
        text.line("GIN_TRY(program->" + argument.name +
                  ".update(program->program, " + quote(argument.name) +
                  ", arguments->" + argument.name + ", sizeof(" + type + "), " +
                  extents + ", stream));");
        break;
      }
      if (isUsed(program, argument.object) || isByPointer(program, argument) ||
          isTileOperand(program, argument)) {
        text.line("gin::Window " + argument.object + ";");
        extents += ", " + argument.object;
      }
      text.line("GIN_TRY(program->program.window(" + quote(argument.name) +
                ", arguments->" + argument.name + ", sizeof(" + type + "), " +
                extents + "));");
      break;
    case Argument::Pointer:
      if (!isUsed(program, argument.object) &&
          !isTileOperand(program, argument))
        break;
      if (argument.scratch) {
        text.line("auto *" + argument.object + " = reinterpret_cast<" + type +
                  " *>(program->" + argument.name + ".memory);");
        break;
      }
      text.line(type + " *" + argument.object + ";");
      text.line("GIN_TRY(program->program.pointer(" + quote(argument.name) +
                ", arguments->" + argument.name + ", " + extents + ", " +
                argument.object + "));");
      break;
    case Argument::Scalar:
      if (!isUsed(program, argument.object))
        break;
      text.line(
          type + " " + argument.object + " = " +
          (isSmallFloat(argument.type)
               ? "gin::bitCast<" + type + ">(arguments->" + argument.name + ")"
               : "arguments->" + argument.name) +
          (argument.type.isInteger(1) ? " != 0;" : ";"));
      break;
    }
  }
  for (const Emitter &kernel : program.kernels)
    writeTileOperands(kernel, text);
  if (program.steps)
    text.raw(program.steps->source);
  else
    writeLaunchOf(emitter, text);
  text.close();
}

/// `static const auto NAME_code = gin::launcher::Kernel(...);`
static void writeCode(const Emitter &kernel, uint64_t fingerprint, Text &text) {
  // What most kernels have no need of.
  std::string needs, configs;
  for (const TileLoop &loop : kernel.tileLoops)
    configs += (configs.empty() ? "" : ", ") + loop.config;
  if (kernel.leastBlocks > 1 || !configs.empty())
    needs += ", " + std::to_string(kernel.leastBlocks);
  if (!configs.empty())
    needs += ", gin::launcher::withTiles<" + configs + ">";
  text.line("static const auto " + kernel.name +
            "_code = gin::launcher::Kernel(" + quote(kernel.name) + ", " +
            llvm::formatv("{0:x16}", fingerprint).str() + ", GIN_KERNEL(" +
            kernel.name + "_kernel), GIN_ARCHITECTURES, " +
            std::to_string(kernel.threads) + ", " +
            std::to_string(kernel.sharedBytes) + needs + ");");
}

std::string cuda::launcherText(const Program &program) {
  Text functions;
  writeState(program, functions);
  functions.blank();
  writeSetUp(program, functions);
  functions.blank();
  writeCreate(program, functions);
  functions.blank();
  writeLaunch(program, functions);
  functions.blank();
  writeDestroy(program, functions);

  // Of all the text that follows from the program.
  std::string all = functions.str();
  for (const Emitter &kernel : llvm::reverse(program.kernels))
    all.insert(0, kernel.source);
  const uint64_t fingerprint = llvm::xxh3_64bits(all);
  Text text;
  text.comment("-- the launcher "
               "------------------------------------------------------------");
  text.blank();
  text.comment("The name, and a number that tells it from other programs.");
  for (const Emitter &kernel : program.kernels)
    writeCode(kernel, fingerprint, text);
  text.blank();
  text.raw(functions.str());
  return text.str();
}

std::string cuda::headerText(const Program &program) {
  const Emitter &emitter = program.signature();
  const std::string &name = program.name;
  std::string guard = StringRef(name).upper() + "_H";
  Text text;
  text.line("/* " + name + ".h: written by ginc. */");
  text.blank();
  text.line("#ifndef " + guard);
  text.line("#define " + guard);
  text.blank();
  text.line("#include \"runtime/include/gin.h\"");
  text.blank();
  text.line("#ifdef __cplusplus");
  text.line("extern \"C\" {");
  text.line("#endif");
  text.blank();
  text.line("typedef struct " + name + "_program *" + name + "_t;");
  text.blank();
  text.open("typedef struct " + name + "_arguments");
  bool isEmpty = true;
  for (const Argument &argument : emitter.arguments) {
    if (!argument.isPassed())
      continue;
    isEmpty = false;
    std::string comment;
    if (argument.kind == Argument::Window && !argument.source) {
      text.line("ginWindow_t " + argument.name + ";");
    } else {
      auto [type, meaning] = cType(argument.type);
      bool isPointer = argument.kind != Argument::Scalar;
      text.line(type + (isPointer ? " *" : " ") + argument.name + ";" +
                (meaning.empty() ? "" : " /* " + meaning + " */"));
    }
    for (const std::string &extent : argument.extents)
      if (!extent.empty())
        text.line("int64_t " + extent + ";");
  }
  if (isEmpty)
    text.line("int unused; /* the kernel has no arguments */");
  text.close("} " + name + "_arguments;");
  text.blank();
  text.raw("/* Collective: every rank in the same order, with the sizes of all "
           "launches.\n * Windows and pointers may differ from launch to "
           "launch. */\n");
  text.line("GIN_API ginResult_t " + name + "_create(ginComm_t comm, const " +
            name + "_arguments *arguments, " + name + "_t *program);");
  text.raw(
      "/* In stream order, by at most `blocks` blocks; 0: as many as run at "
      "once.\n * Pointers are to any memory of the rank's GPU, at multiples "
      "of 16. */\n");
  text.line("GIN_API ginResult_t " + name + "_launch(" + name +
            "_t program, const " + name +
            "_arguments *arguments, unsigned blocks, void *stream);");
  text.line("GIN_API ginResult_t " + name + "_destroy(" + name +
            "_t program);");
  text.blank();
  text.line("#ifdef __cplusplus");
  text.line("}");
  text.line("#endif");
  text.blank();
  text.line("#endif /* " + guard + " */");
  return text.str();
}

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

/// What a launch of a kernel takes.
static void addRequirements(const Emitter &kernel, llvm::json::Object &all) {
  all["block"] = kernel.threads;
  all["shared"] = static_cast<int64_t>(kernel.sharedBytes);
  if (kernel.blocks)
    all["grid"] = *kernel.blocks;
  else
    all["grid"] = "as many blocks as run at once";
  if (kernel.leastBlocks > 1)
    all["least_blocks"] = kernel.leastBlocks;
  if (kernel.tileLoops.empty())
    return;
  llvm::json::Array tiles;
  for (const TileLoop &loop : kernel.tileLoops) {
    MatmulOp op = loop.op;
    tiles.push_back(llvm::json::Array(op.getTileSizes()));
  }
  all["tiles"] = std::move(tiles); // need shared memory of their own
}

std::string cuda::requirementsText(const Program &program) {
  const Emitter &emitter = program.signature();
  llvm::json::Array arguments, banks, scratch;
  int64_t contexts = 1;
  for (FunctionOpInterface function : emitter.program)
    function->walk([&](Operation *op) {
      if (auto context = op->getAttrOfType<IntegerAttr>("ctx"))
        contexts = std::max(contexts, context.getInt() + 1);
    });
  for (const Argument &argument : emitter.arguments) {
    llvm::json::Array shape;
    SmallVector<std::string> extents = argument.isPassed()
                                           ? passedExtents(argument, "")
                                           : extentTexts(emitter, argument);
    for (const std::string &extent : extents)
      shape.push_back(extent);
    std::string element;
    if (argument.type)
      llvm::raw_string_ostream(element) << argument.type;
    if (argument.kind == Argument::Bank) {
      std::string slots;
      for (const std::string &extent : extents)
        slots += (slots.empty() ? "" : " * ") +
                 (StringRef(extent).contains(' ') && extents.size() > 1
                      ? "(" + extent + ")"
                      : extent);
      banks.push_back(llvm::json::Object{{"name", argument.name},
                                         {"slots", slots},
                                         {"shape", std::move(shape)}});
    } else if (argument.scratch) {
      scratch.push_back(llvm::json::Object{{"name", argument.name},
                                           {"element", element},
                                           {"shape", std::move(shape)},
                                           {"rights", argument.rights}});
    } else {
      const char *kind = isLocal(argument)                    ? "source"
                         : argument.kind == Argument::Window  ? "window"
                         : argument.kind == Argument::Pointer ? "pointer"
                                                              : "scalar";
      llvm::json::Object object{
          {"name", argument.name}, {"kind", kind}, {"type", element}};
      if (argument.kind != Argument::Scalar)
        object["shape"] = std::move(shape);
      if (argument.kind == Argument::Window && !argument.source)
        object["rights"] = argument.rights;
      arguments.push_back(std::move(object));
    }
  }
  llvm::json::Object all{
      {"name", program.name},
      {"arguments", std::move(arguments)},
      {"banks", std::move(banks)},
      {"scratch", std::move(scratch)},
      {"contexts", contexts},
      {"teams", static_cast<int64_t>(emitter.teams.size()) + 1},
      {"architectures", "sm_75 and later"}};
  if (!program.steps) {
    addRequirements(emitter, all);
  } else {
    llvm::json::Array kernels;
    for (const Emitter &kernel : program.kernels) {
      llvm::json::Object each{{"name", kernel.name}};
      addRequirements(kernel, each);
      kernels.push_back(std::move(each));
    }
    all["kernels"] = std::move(kernels);
    all["lanes"] = program.lanes;
  }
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all)));
}
