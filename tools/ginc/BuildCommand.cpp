//===- BuildCommand.cpp - ginc build ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BuildCommand.h"

#include "Diagnostics.h"
#include "Kernel.h"
#include "Outputs.h"
#include "Program.h"
#include "Remarks.h"
#include "Settings.h"
#include "Source.h"
#include "ToolChain.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <new>
#include <unistd.h>

using namespace ginc;
using namespace mlir;

namespace opt = llvm::opt;
using llvm::opt::DefaultVis; // for the table

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

namespace {

#define OPTTABLE_STR_TABLE_CODE
#include "tools/ginc/BuildOptions.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "tools/ginc/BuildOptions.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "tools/ginc/BuildOptions.inc"
#undef OPTION
};

constexpr opt::OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "tools/ginc/BuildOptions.inc"
#undef OPTION
};

class BuildTable : public opt::GenericOptTable {
public:
  BuildTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, optionInfos) {
    setDashDashParsing(true);
  }
};

struct BuildOptions : KernelOptions {
  std::string folder = ".";
  std::string emit = "cuda";
  std::string arch = "sm_90a";
  bool shared = false, quiet = false;
};

} // namespace

static constexpr Help help = {
    "build FILE [options]",
    "Compiles the gin program in FILE (MLIR text or bytecode, `-` for "
    "standard\n"
    "input) to CUDA C++: NAME.cu with the kernel and its launcher, NAME.h with "
    "the\n"
    "launcher's C declarations, NAME.json with what it needs. NAME is the "
    "function's.",
    R"(EXAMPLES:
  The source, to read or to compile with your own:
    ginc build examples/all-to-all.mlir -o build
  A library to load from C, C++ or Python:
    ginc build examples/all-to-all.mlir -o build --shared --arch sm_90a
  The same for machines without a GPU:
    ginc build examples/all-to-all.mlir -o build --shared --arch host

EXIT CODES:
  0  the files are there
  2  bad usage or bad input; there are no files

docs/ginc.md has the details.
)"};

static LogicalResult readOptions(const opt::InputArgList &parsed,
                                 BuildOptions &options) {
  if (failed(checkNotEmpty(parsed, {OPT_output, OPT_arch})) ||
      failed(readProgramOptions(parsed,
                                {OPT_INPUT, OPT_entry, OPT_algorithm,
                                 OPT_launch_barrier, OPT_launch_barrier_reason},
                                help, options)) ||
      failed(
          readChoice(parsed, OPT_emit, {"cuda", "ptx", "obj"}, options.emit)) ||
      failed(readNumber(parsed, OPT_threads, 32, 1024, options.threads)))
    return failure();
  if (options.threads % 32 != 0)
    return error("--threads must be a multiple of 32, not " +
                 Twine(options.threads));
  options.folder = parsed.getLastArgValue(OPT_output, options.folder).str();
  options.arch = parsed.getLastArgValue(OPT_arch, options.arch).str();
  options.shared = parsed.hasArg(OPT_shared);
  options.quiet = parsed.hasArg(OPT_quiet);
  StringRef number = options.arch;
  if (options.arch != "host" &&
      (!number.consume_front("sm_") || number.empty() ||
       number.find_first_not_of("0123456789") < number.size() - 1 ||
       !llvm::isAlnum(number.back())))
    return error("--arch must be host, or sm_75, sm_90a and the like, not '" +
                 options.arch + "'");
  if (options.arch == "host" && options.emit == "ptx")
    return error("--emit=ptx is for GPUs, and --arch is host");
  return success();
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

namespace {
/// Goes away if it is still empty.
struct NewFolder {
  std::string path;
  ~NewFolder() {
    if (!path.empty())
      (void)::rmdir(path.c_str());
  }
};

/// One `ginc build`. Each step reports its errors.
class Build {
public:
  explicit Build(BuildOptions options)
      : options(std::move(options)), tools(this->options.arch) {}
  LogicalResult execute();

private:
  LogicalResult emit();
  LogicalResult openOutputs();
  LogicalResult writeProduct(StringRef name, StringRef source,
                             ToolChain::Product product);
  std::string place(const Twine &name) const {
    return options.folder + "/" + name.str();
  }

  BuildOptions options;
  ToolChain tools;
  gin::CudaFiles files;
  std::vector<std::string> names; ///< of files, in order
  NewFolder made;                 ///< outlives what is written into it
  Outputs outputs;
};
} // namespace

LogicalResult Build::emit() {
  DialectRegistry registry;
  registerForCompilation(registry);
  gin::registerCudaDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  std::unique_ptr<Source> source = Source::load(options.file, context);
  if (!source)
    return failure();
  if (options.file != "-")
    outputs.protect(options.file, "the program");
  func::FuncOp entry = findEntry(*source, options.entry);
  if (!entry)
    return failure();
  entry.setPublic();
  Remarks remarks(context);
  if (failed(emitKernel(source->module(), entry.getSymName(), options, files)))
    return failure();
  if (!options.quiet)
    for (const std::string &text : remarks.texts())
      llvm::errs() << "ginc: note: " << text << '\n';
  return success();
}

LogicalResult Build::openOutputs() {
  names = {files.name + ".cu", files.name + ".h", files.name + ".json"};
  if (options.emit != "cuda")
    names.push_back(files.name + (options.emit == "ptx" ? ".ptx" : ".o"));
  if (options.shared)
    names.push_back("lib" + files.name + ".so");
  for (const std::string &name : names)
    if (failed(outputs.open(place(name))))
      return failure();
  return success();
}

/// Compiles into a file of its own, and copies that where all outputs wait.
LogicalResult Build::writeProduct(StringRef name, StringRef source,
                                  ToolChain::Product product) {
  TemporaryFolder folder;
  if (failed(folder.create()))
    return failure();
  std::string made = folder.path(name);
  if (failed(tools.compile(source, made, product)))
    return failure();
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> bytes =
      llvm::MemoryBuffer::getFile(made);
  if (!bytes)
    return error("cannot read '" + made + "': " + bytes.getError().message());
  return outputs.write(
      place(name), [&](llvm::raw_ostream &os) { os << (*bytes)->getBuffer(); });
}

LogicalResult Build::execute() {
  const bool compiles = options.shared || options.emit != "cuda";
  if (compiles && failed(tools.find()))
    return failure();
  if (failed(emit()))
    return failure();
  if (!llvm::sys::fs::exists(options.folder))
    made.path = options.folder;
  if (std::error_code why = llvm::sys::fs::create_directories(
          options.folder, /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
    return error("cannot make the folder '" + options.folder +
                 "': " + why.message());
  if (failed(openOutputs()))
    return failure();
  const std::string *texts[] = {&files.source, &files.header,
                                &files.requirements};
  for (size_t i = 0; i < std::size(texts); ++i)
    if (failed(outputs.write(place(names[i]),
                             [&](llvm::raw_ostream &os) { os << *texts[i]; })))
      return failure();
  if (compiles) {
    TemporaryFolder folder;
    if (failed(folder.create()))
      return failure();
    FailureOr<std::string> source = tools.write(files, folder);
    if (failed(source))
      return failure();
    using Product = ToolChain::Product;
    if (options.emit != "cuda" &&
        failed(writeProduct(names[3], *source,
                            options.emit == "ptx" ? Product::Ptx
                                                  : Product::Object)))
      return failure();
    if (options.shared &&
        failed(writeProduct(names.back(), *source, Product::SharedLibrary)))
      return failure();
  }
  // Nobody would know of files whose names could not be printed.
  if (!options.quiet && failed(print([&](llvm::raw_ostream &os) {
        for (const std::string &name : names)
          os << place(name) << '\n';
      })))
    return failure();
  return outputs.commit();
}

int ginc::buildCommand(ArrayRef<const char *> arguments) {
  BuildTable table;
  int exitCode;
  std::optional<opt::InputArgList> parsed = parseCommandLine(
      table, {OPT_color, OPT_help, OPT_UNKNOWN, {}}, arguments, help, exitCode);
  if (!parsed)
    return exitCode;
  BuildOptions options;
  if (failed(readOptions(*parsed, options)))
    return BadInput;
  try {
    return succeeded(Build(std::move(options)).execute()) ? Success : BadInput;
  } catch (const std::bad_alloc &) {
    (void)error("out of memory");
    return BadInput;
  }
}
