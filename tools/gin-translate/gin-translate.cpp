//===- gin-translate.cpp - write kernels in other languages -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mlir-translate for modules of the kernel level.
//
//===----------------------------------------------------------------------===//

#include "tools/Version.h"
#include "tools/source-names/SourceNames.h"

#include "passes/target/Cuda.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// Parses text and keeps the names of its values, which MLIR's own translations
/// lose.
static OwningOpRef<ModuleOp> parse(llvm::SourceMgr &sources,
                                   MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  Block block;
  AsmParserState state;
  ParserConfig config(context);
  LocationAttr location;
  if (failed(parseAsmSourceFile(sources, &block, config, &state)))
    return {};
  ginc::nameValues(state);
  location = FileLineColLoc::get(context, buffer->getBufferIdentifier(), 0, 0);
  return detail::constructContainerOpForParserIfNecessary<ModuleOp>(
      &block, context, location);
}

static void registerTranslation(StringRef name, StringRef description,
                                const TranslateFunction &function) {
  static std::vector<std::unique_ptr<TranslateRegistration>> registrations;
  registrations.push_back(
      std::make_unique<TranslateRegistration>(name, description, function));
}

/// Registers the translation to one of the texts.
static void registerText(StringRef name, StringRef description,
                         std::string gin::CudaFiles::*text) {
  auto translate = [text](const std::shared_ptr<llvm::SourceMgr> &sources,
                          llvm::raw_ostream &os, MLIRContext *context) {
    DialectRegistry registry;
    gin::registerCudaDialects(registry);
    context->appendDialectRegistry(registry);
    OwningOpRef<ModuleOp> module = parse(*sources, context);
    if (!module)
      return failure();
    gin::CudaFiles files;
    if (failed(gin::emitCuda(*module, {}, files)))
      return failure();
    os << files.*text;
    return success();
  };
  registerTranslation(name, description, translate);
}

int main(int argc, char **argv) {
  llvm::setBugReportMsg("This is a bug in ginc. Please report it with the "
                        "input, the command line and this backtrace.\n");
  llvm::cl::AddExtraVersionPrinter(
      [](llvm::raw_ostream &os) { os << "ginc version " GINC_VERSION "\n"; });
  registerText("gin-to-cuda", "a kernel and its launcher as CUDA C++",
               &gin::CudaFiles::source);
  registerText("gin-to-cuda-header", "the C header of a kernel's launcher",
               &gin::CudaFiles::header);
  registerText("gin-to-cuda-requirements",
               "what a kernel's launcher allocates, as JSON",
               &gin::CudaFiles::requirements);
  registerTranslation("gin-to-cuda-ops",
                      "the ops that a kernel may contain, whatever the input",
                      [](const std::shared_ptr<llvm::SourceMgr> &,
                         llvm::raw_ostream &os, MLIRContext *) {
                        for (const std::string &op : gin::cudaOps())
                          os << op << '\n';
                        return success();
                      });
  return failed(mlirTranslateMain(argc, argv,
                                  "gin-translate: write gin's kernels in "
                                  "other languages\n"));
}
