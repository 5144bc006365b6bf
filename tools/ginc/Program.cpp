//===- Program.cpp - a program compiled for this machine --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "Contract.h"
#include "Diagnostics.h"
#include "dialect/Gin.h"
#include "passes/Pipelines.h"
#include "runtime/device/contract.h"
#include "tools/register-all/RegisterAll.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace ginc;
using namespace mlir;

void ginc::registerForCompilation(DialectRegistry &registry) {
  gin::registerAllDialects(registry);
  gin::registerCpuLowering(registry);
}

/// A place in the source for as long as the code exists.
struct Program::Site {
  std::string file;
  gin_site_t record = {};
};

Program::Program(ModuleOp module, func::FuncOp entry, CompileOptions options)
    : module(module), entry(entry), name(entry.getSymName()),
      options(std::move(options)), notes(*module.getContext()) {}

Program::~Program() = default;

//===----------------------------------------------------------------------===//
// From the program to the LLVM dialect
//===----------------------------------------------------------------------===//

LogicalResult Program::expandCollectives() {
  PassManager manager(module.getContext());
  entry.setPublic();
  manager.addPass(gin::createSelectEntry({name}));
  manager.addPass(gin::createVerify());
  gin::DecomposeCollectivesOptions collectives;
  if (options.algorithm) {
    WalkResult found = module.walk([](Operation *op) {
      bool collective =
          isa<gin::AllGatherOp, gin::AllReduceOp, gin::AllToAllOp,
              gin::CombineOp, gin::DispatchOp, gin::ReduceScatterOp>(op);
      return collective ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      return error("--algorithm says how collectives are carried out, but the "
                   "program has none");
    gin::CpuPipelineOptions pipeline;
    setPipelineOptions(options, name, pipeline);
    collectives.algorithm = pipeline.algorithm;
  }
  manager.addPass(gin::createDecomposeCollectives(collectives));
  return manager.run(module);
}

/// Asserts that the sizes of allocations are none that only wrap around to
/// something possible: negative ones, or products beyond all memory.
void Program::checkAllocations() {
  SmallVector<memref::AllocOp> allocations;
  module.walk([&](memref::AllocOp op) {
    if (!op.getDynamicSizes().empty())
      allocations.push_back(op);
  });
  MLIRContext *context = module.getContext();
  context->loadDialect<arith::ArithDialect, cf::ControlFlowDialect>();
  for (memref::AllocOp op : allocations) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    // Elements have 16 bytes at most; no machine has 2^60.
    int64_t most = int64_t(1) << 56, fixed = 1;
    for (int64_t extent : op.getType().getShape())
      if (!ShapedType::isDynamic(extent))
        fixed = llvm::SaturatingMultiply<uint64_t>(fixed, extent);
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value count = constant(std::min(fixed, most)), zero = constant(0);
    Value limit = constant(most), possible;
    auto check = [&](Value condition) {
      possible = possible
                     ? arith::AndIOp::create(builder, loc, possible, condition)
                     : condition;
    };
    auto isLess = [&](Value value) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule,
                                   value, limit);
    };
    for (Value size : op.getDynamicSizes()) {
      // Unsigned, a negative one is large.
      check(isLess(size));
      auto product = arith::MulUIExtendedOp::create(builder, loc, count, size);
      check(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                  product.getHigh(), zero));
      count = product.getLow();
      check(isLess(count));
    }
    cf::AssertOp::create(builder, loc, possible,
                         "the allocation has a negative size, or one beyond "
                         "all memory");
  }
}

/// Finds what the pipeline had no lowering for; casts between types are left
/// over around it.
static LogicalResult checkLowered(ModuleOp module) {
  Operation *left = nullptr;
  module.walk([&](Operation *op) {
    if (isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()) || op == module)
      return WalkResult::advance();
    bool isCast = isa<UnrealizedConversionCastOp>(op);
    if (!left || !isCast)
      left = op;
    return isCast ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (!left)
    return success();
  return left->emitOpError("cannot be compiled: ginc run has no lowering for "
                           "it; write it with linalg.generic, scf or arith");
}

LogicalResult Program::compile() {
  checkAllocations();
  PassManager manager(module.getContext());
  gin::CpuPipelineOptions pipeline;
  setPipelineOptions(options, name, pipeline);
  gin::buildCpuPipeline(manager, pipeline);
  if (failed(manager.run(module)) || failed(checkLowered(module)))
    return failure();
  guardAllocations();
  if (failed(loadLibraries()) || failed(checkExternals()))
    return failure();
  return makeCode();
}

/// Lets allocations that cannot be had end the run where they stand in the
/// source: the program itself asks malloc(), and looks at nothing that it says.
void Program::guardAllocations() {
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) {
    std::optional<StringRef> callee = call.getCallee();
    if (callee == "malloc" || callee == "aligned_alloc")
      calls.push_back(call);
  });
  if (calls.empty())
    return;
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  OpBuilder builder(module.getBodyRegion());
  Type word = builder.getI64Type();
  auto guard = LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), allocateFunction,
      LLVM::LLVMFunctionType::get(pointer, {pointer, word, word}));
  for (LLVM::CallOp call : calls) {
    Location loc = call.getLoc();
    builder.setInsertionPoint(call);
    Site &site = sites.emplace_back();
    if (auto place = loc->findInstanceOf<FileLineColLoc>()) {
      site.file = place.getFilename().str();
      site.record.line = static_cast<int32_t>(place.getLine());
      site.record.column = static_cast<int32_t>(place.getColumn());
    }
    site.record.file = site.file.c_str();
    site.record.text = "memref.alloc";
    // The code runs in this process.
    Value address = LLVM::ConstantOp::create(
        builder, loc, word, reinterpret_cast<int64_t>(&site.record));
    Value record = LLVM::IntToPtrOp::create(builder, loc, pointer, address);
    OperandRange operands = call.getArgOperands();
    Value alignment = operands.size() > 1
                          ? operands.front()
                          : LLVM::ConstantOp::create(builder, loc, word, 0);
    auto guarded = LLVM::CallOp::create(
        builder, loc, guard, ValueRange{record, alignment, operands.back()});
    call.replaceAllUsesWith(guarded.getResults());
    call.erase();
  }
}

//===----------------------------------------------------------------------===//
// From the LLVM dialect to machine code
//===----------------------------------------------------------------------===//

LogicalResult Program::loadLibraries() {
  for (const std::string &library : options.libraries) {
    // The loader would look for a bare name in the system's folders only.
    SmallString<128> path(library);
    if (llvm::sys::fs::exists(path))
      (void)llvm::sys::fs::make_absolute(path);
    std::string why;
    if (llvm::sys::DynamicLibrary::LoadLibraryPermanently(path.c_str(), &why))
      return error("cannot load '" + library + "': " + why);
  }
  return success();
}

/// Reports a function that the program calls and nobody has.
LogicalResult Program::checkExternals() {
  // What the process itself has: libc, libm and the like.
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    StringRef symbol = function.getSymName();
    if (!function.isExternal() || symbol.starts_with("llvm."))
      continue;
    bool known =
        llvm::any_of(contractFunctions(), [&](const ContractFunction &other) {
          return other.name == symbol;
        });
    if (known || function.symbolKnownUseEmpty(module) ||
        llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(symbol.str()))
      continue;
    return function.emitError()
           << "there is no external function '" << symbol
           << "'; pass --load with the shared library that has it";
  }
  return success();
}

/// What makes loops over memrefs decent at a tenth of the time that -O2 takes:
/// cleaning up, and moving descriptor arithmetic out of loops. Unrolling and
/// vectorising cost more to compile than most runs take.
static llvm::Error optimize(llvm::Module &code, llvm::TargetMachine *machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  llvm::ModulePassManager passes;
  if (llvm::Error wrong = builder.parsePassPipeline(
          passes, "function(early-cse,instcombine<no-verify-fixpoint>,"
                  "simplifycfg,loop-mssa(loop-rotate,licm),"
                  "early-cse<memssa>,simplifycfg)"))
    return wrong;
  passes.run(code, modules);
  return llvm::Error::success();
}

LogicalResult Program::makeCode() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto fail = [](llvm::Error why) {
    return error("cannot make machine code: " + llvm::toString(std::move(why)));
  };

  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return fail(builder.takeError());
  auto machine = builder->createTargetMachine();
  if (!machine)
    return fail(machine.takeError());
  llvm::TargetMachine *target = machine->get();
  auto optimizer = [&](llvm::Module *code) { return optimize(*code, target); };

  ExecutionEngineOptions engineOptions;
  engineOptions.transformer = optimizer;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  auto made =
      ExecutionEngine::create(module, engineOptions, std::move(*machine));
  if (!made)
    return fail(made.takeError());
  engine = std::move(*made);
  engine->registerSymbols([](llvm::orc::MangleAndInterner intern) {
    llvm::orc::SymbolMap symbols;
    for (const ContractFunction &function : contractFunctions())
      symbols[intern(function.name)] = {
          llvm::orc::ExecutorAddr::fromPtr(function.address),
          llvm::JITSymbolFlags::Exported};
    return symbols;
  });
  auto found = engine->lookupPacked("_mlir_ciface_" + name);
  if (!found)
    return fail(found.takeError());
  entryPoint = *found;
  return success();
}
