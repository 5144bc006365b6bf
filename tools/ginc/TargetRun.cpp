//===- TargetRun.cpp - runs what ginc emits ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TargetRun.h"

#include "Crash.h"
#include "Diagnostics.h"

#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MathExtras.h"

#include <optional>
#include <utility>

using namespace ginc;
using namespace mlir;

/// The functions that the emitted library has: those of gin.h, and the
/// launcher's, whose structure of arguments is known by its layout alone.
struct TargetRun::Library {
  llvm::sys::DynamicLibrary code;

#define GINC_FUNCTION(name)                                                    \
  decltype(&::name) name = nullptr; // NOLINT(bugprone-macro-parentheses)
#define GINC_FUNCTIONS                                                         \
  GINC_FUNCTION(ginResultName)                                                 \
  GINC_FUNCTION(ginGetLastError)                                               \
  GINC_FUNCTION(ginCommCreateAll)                                              \
  GINC_FUNCTION(ginCommCreateAllHost)                                          \
  GINC_FUNCTION(ginCommAbort)                                                  \
  GINC_FUNCTION(ginCommDestroy)                                                \
  GINC_FUNCTION(ginCommSynchronize)                                            \
  GINC_FUNCTION(ginCommGetAsyncError)                                          \
  GINC_FUNCTION(ginMemoryAlloc)                                                \
  GINC_FUNCTION(ginMemoryFree)                                                 \
  GINC_FUNCTION(ginMemoryCopy)                                                 \
  GINC_FUNCTION(ginWindowRegister)                                             \
  GINC_FUNCTION(ginWindowDestroy)
  GINC_FUNCTIONS
#undef GINC_FUNCTION

  ginResult_t (*create)(ginComm_t, const void *arguments,
                        void **program) = nullptr;
  ginResult_t (*launch)(void *program, const void *arguments, unsigned blocks,
                        void *stream) = nullptr;
  ginResult_t (*destroy)(void *program) = nullptr;

  LogicalResult load(StringRef file, StringRef name);

private:
  template <class Function>
  LogicalResult find(const std::string &name, Function &function) {
    function =
        reinterpret_cast<Function>(code.getAddressOfSymbol(name.c_str()));
    return function ? success()
                    : error("the emitted library has no function " + name);
  }
};

LogicalResult TargetRun::Library::load(StringRef file, StringRef name) {
  std::string why;
  code = llvm::sys::DynamicLibrary::getLibrary(file.str().c_str(), &why);
  if (!code.isValid())
    return error("cannot load what ginc emitted: " + why);
#define GINC_FUNCTION(function)                                                \
  if (failed(find(#function, function)))                                       \
    return failure();
  GINC_FUNCTIONS
#undef GINC_FUNCTION
  return success(succeeded(find(name.str() + "_create", create)) &&
                 succeeded(find(name.str() + "_launch", launch)) &&
                 succeeded(find(name.str() + "_destroy", destroy)));
}

/// What one rank has on its device.
struct TargetRun::Rank {
  ginComm_t comm = nullptr;
  void *program = nullptr;
  std::vector<void *> memory; ///< by argument; null for others than arrays
  std::vector<ginWindow_t> windows;
  std::vector<char> arguments; ///< the launcher's structure
};

TargetRun::TargetRun(const KernelOptions &options, StringRef arch,
                     int64_t ranks, int64_t blocks)
    : options(options), tools(arch), ranks(ranks), blocks(blocks) {}

TargetRun::~TargetRun() {
  for (Rank &rank : all)
    if (rank.program)
      library->destroy(rank.program);
  for (Rank &rank : all) {
    for (ginWindow_t window : rank.windows)
      library->ginWindowDestroy(window);
    for (void *memory : rank.memory)
      library->ginMemoryFree(rank.comm, memory);
  }
  for (Rank &rank : all)
    if (rank.comm)
      library->ginCommDestroy(rank.comm);
}

LogicalResult TargetRun::check(ginResult_t result, const Twine &what) {
  if (result == GIN_SUCCESS)
    return success();
  return error(what + ": " + library->ginResultName(result) + ": " +
               library->ginGetLastError());
}

LogicalResult TargetRun::compile(Source &source, StringRef entry) {
  gin::CudaFiles files;
  if (failed(tools.find()) || failed(folder.create()) ||
      failed(emitKernel(source.module(), entry, options, files)))
    return failure();
  // On the host, where each thread is a fiber: enough to have several of
  // everything.
  constexpr int64_t severalBlocks = 4;
  if (blocks == 0 && tools.isHost())
    blocks = std::max<int64_t>(files.leastBlocks, severalBlocks);
  FailureOr<std::string> text = tools.write(files, folder);
  std::string made = folder.path("lib" + files.name + ".so");
  if (failed(text) ||
      failed(tools.compile(*text, made, ToolChain::Product::SharedLibrary)))
    return failure();
  library = std::make_unique<Library>();
  return library->load(made, files.name);
}

namespace {
/// A C structure, field by field.
class Fields {
public:
  explicit Fields(std::vector<char> &bytes) : bytes(bytes) {}
  void add(const void *value, size_t size) {
    bytes.resize(llvm::alignTo(bytes.size(), size));
    const char *begin = static_cast<const char *>(value);
    bytes.insert(bytes.end(), begin, begin + size);
  }
  template <class T>
  void add(T value) {
    add(&value, sizeof value);
  }

private:
  std::vector<char> &bytes;
};
} // namespace

/// Copies a rank's data to its device, and fills the launcher's structure: for
/// each argument that the user passes a window, pointer or scalar, and the
/// extents that its type leaves open.
LogicalResult TargetRun::prepare(Rank &rank, int64_t number,
                                 ArrayRef<Argument> arguments) {
  Fields fields(rank.arguments);
  for (const Argument &argument : arguments) {
    rank.memory.push_back(nullptr);
    if (argument.kind == Argument::Kind::Scalar) {
      if (argument.type.isInteger(1))
        fields.add<int>(argument.scalars[number] & 1);
      else
        fields.add(&argument.scalars[number], argument.element->bytes());
      continue;
    }
    if (!argument.isArray())
      continue;
    uint64_t bytes = argument.bytes(number);
    void *&memory = rank.memory.back();
    if (failed(check(library->ginMemoryAlloc(rank.comm, bytes, &memory),
                     argument.describe())) ||
        failed(check(library->ginMemoryCopy(rank.comm, memory,
                                            argument.data[number], bytes),
                     argument.describe())))
      return failure();
    if (argument.kind == Argument::Kind::Window && !argument.source) {
      ginWindow_t window = nullptr;
      if (failed(check(library->ginWindowRegister(rank.comm, memory, bytes,
                                                  argument.rights, &window),
                       argument.describe())))
        return failure();
      rank.windows.push_back(window);
      fields.add(window);
    } else {
      fields.add(memory);
    }
    for (auto [fixed, extent] :
         llvm::zip_equal(staticShape(argument.type), argument.shapes[number]))
      if (ShapedType::isDynamic(fixed))
        fields.add(extent);
  }
  rank.arguments.resize(llvm::alignTo(rank.arguments.size() + 1, 8));
  return success();
}

LogicalResult TargetRun::finish(Rank &rank, int64_t number,
                                ArrayRef<Argument> arguments) {
  for (auto [argument, memory] : llvm::zip_equal(arguments, rank.memory))
    if (memory &&
        failed(check(library->ginMemoryCopy(rank.comm, argument.data[number],
                                            memory, argument.bytes(number)),
                     argument.describe())))
      return failure();
  return success();
}

LogicalResult TargetRun::reportError(Source &source) {
  ginError_t wrong;
  library->ginCommGetAsyncError(all.front().comm, &wrong);
  gin_site_t site = {};
  site.file = wrong.file;
  site.text = wrong.operation;
  site.line = wrong.line;
  // The runtime names the place in its text, and so does the source.
  StringRef message = wrong.message;
  message.consume_front(
      (Twine(wrong.file) + ":" + Twine(wrong.line) + ": ").str());
  source.runTimeError(wrong.line > 0 ? &site : nullptr, message, {});
  return failure();
}

LogicalResult TargetRun::launch(Source &source, ArrayRef<Argument> arguments,
                                int64_t repeat) {
  std::vector<ginComm_t> comms(ranks);
  int count = static_cast<int>(ranks);
  if (failed(
          check(tools.isHost()
                    ? library->ginCommCreateAllHost(count, comms.data())
                    : library->ginCommCreateAll(nullptr, count, comms.data()),
                "cannot have " + Twine(ranks) + " ranks")))
    return failure();
  all.resize(ranks);
  for (int64_t i = 0; i < ranks; ++i)
    all[i].comm = comms[i];
  for (int64_t i = 0; i < ranks; ++i)
    if (failed(prepare(all[i], i, arguments)))
      return failure();
  for (Rank &rank : all)
    if (failed(check(
            library->create(rank.comm, rank.arguments.data(), &rank.program),
            "cannot set the program up")))
      return failure();
  std::optional<ProgramRuns> running(source.text());
  for (int64_t k = 0; k < repeat; ++k)
    for (Rank &rank : all) {
      ginResult_t result =
          library->launch(rank.program, rank.arguments.data(),
                          static_cast<unsigned>(blocks), nullptr);
      if (result == GIN_SUCCESS)
        continue;
      ginError_t earlier;
      LogicalResult failed =
          library->ginCommGetAsyncError(rank.comm, &earlier) != GIN_SUCCESS
              ? reportError(source)
              : check(result, "cannot launch the program");
      // What was launched may wait for what was not.
      library->ginCommAbort(rank.comm);
      return failed;
    }
  bool fails = false;
  for (Rank &rank : all)
    fails |= library->ginCommSynchronize(rank.comm) != GIN_SUCCESS;
  running.reset();
  if (fails)
    return reportError(source);
  for (int64_t i = 0; i < ranks; ++i)
    if (failed(finish(all[i], i, arguments)))
      return failure();
  // The last rank's call looks for signals that nobody waited for.
  for (Rank &rank : all)
    if (failed(check(library->destroy(std::exchange(rank.program, nullptr)),
                     "cannot end the program")))
      return failure();
  return success();
}
