//===- ToolChain.cpp - compilers for what ginc emits ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ToolChain.h"

#include "Diagnostics.h"
#include "TemporaryFolder.h"

#include "tools/Version.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace ginc;
using namespace llvm;
using mlir::FailureOr;

/// `name` in the PATH or in one of the folders; empty if it is nowhere.
static std::string findProgram(StringRef name, ArrayRef<StringRef> folders) {
  if (ErrorOr<std::string> found = sys::findProgramByName(name))
    return *found;
  if (ErrorOr<std::string> found = sys::findProgramByName(name, folders))
    return *found;
  return {};
}

/// The folder that ginc itself is installed under, or its build folder.
static std::string prefix() {
  std::string self = sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&findProgram));
  return sys::path::parent_path(sys::path::parent_path(self)).str();
}

LogicalResult ToolChain::find() {
  if (isHost()) {
    // What the user prefers, then what built ginc, then any.
    if (std::optional<std::string> chosen = sys::Process::GetEnv("CXX"))
      compiler = findProgram(*chosen, {});
    for (StringRef name : {GINC_CXX, "c++", "clang++", "g++"})
      if (compiler.empty())
        compiler = findProgram(name, {});
    if (compiler.empty())
      return error("there is no C++ compiler; install one, or name it in the "
                   "environment variable CXX");
  } else {
    std::string home;
    if (std::optional<std::string> cuda = sys::Process::GetEnv("CUDA_HOME"))
      home = *cuda + "/bin";
    compiler = findProgram("nvcc", {home, "/usr/local/cuda/bin"});
    if (compiler.empty())
      return error("there is no nvcc; install the CUDA toolkit or set "
                   "CUDA_HOME, or leave out --shared and --emit: the CUDA "
                   "source needs no compiler");
  }

  std::string root = prefix();
  include = root + "/include/ginc";
  if (!sys::fs::exists(include + "/runtime/device/Gin.h"))
    include = GINC_SOURCE_FOLDER;
  library = root + "/lib/libGinHost.a";
  fibers = root + "/lib/libGinFiber.a";
  if (!sys::fs::exists(fibers))
    fibers.clear();
  if (!sys::fs::exists(include + "/runtime/device/Gin.h"))
    return error("the runtime's headers are not in '" + root +
                 "/include/ginc'");
  if (!sys::fs::exists(library))
    return error("the runtime's library '" + library + "' is missing");
  return success();
}

FailureOr<std::string> ToolChain::write(const gin::CudaFiles &files,
                                        const TemporaryFolder &to) const {
  std::string source = to.path(files.name + ".cu");
  for (const auto &[name, text] :
       {std::pair(source, &files.source),
        std::pair(to.path(files.name + ".h"), &files.header)}) {
    std::error_code why;
    raw_fd_ostream os(name, why);
    os << *text;
    os.close();
    if (why || os.has_error())
      return error("cannot write '" + name +
                   "': " + (why ? why : os.error()).message());
  }
  return source;
}

LogicalResult ToolChain::compile(StringRef from, StringRef to,
                                 Product product) const {
  std::string includeOption = "-I" + include, archOption = "-arch=" + arch;
  SmallVector<StringRef> arguments{compiler,      "-std=c++17", "-O2",
                                   includeOption, "-o",         to};
  const bool shared = product == Product::SharedLibrary;
  if (isHost())
    // Index arithmetic wraps around, as on a GPU.
    arguments.append({"-fwrapv", "-fPIC", "-x", "c++"});
  else
    arguments.append({archOption, "-Xcompiler", "-fPIC"});
  arguments.push_back(shared                    ? "-shared"
                      : product == Product::Ptx ? "-ptx"
                                                : "-c");
  arguments.push_back(from);
  // All of the runtime: who loads the library calls gin.h too.
  std::string linker = isHost() ? "-Wl," : "-Xlinker=";
  std::string begin = linker + "--whole-archive";
  std::string end = linker + "--no-whole-archive";
  if (shared) {
    if (isHost())
      arguments.append({"-x", "none"});
    arguments.append({begin, library, end});
    if (!fibers.empty())
      arguments.append({fibers, GINC_BOOST_CONTEXT});
    // nvcc has it by itself.
    constexpr StringRef cudart = GINC_CUDART;
    if (isHost() && !cudart.empty())
      arguments.append({cudart, "-lrt"});
    arguments.append({"-lpthread", "-ldl"});
  }

  TemporaryFolder folder;
  if (failed(folder.create()))
    return failure();
  std::string log = folder.path("log");
  // What the compiler keeps in between goes with ours, however we end.
  std::string place = "TMPDIR=" + folder.path("");
  SmallVector<StringRef> environment{place};
  for (char **variable = environ; *variable; ++variable)
    if (!StringRef(*variable).starts_with("TMPDIR="))
      environment.push_back(*variable);
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(log),
                                          StringRef(log)};
  std::string why;
  int code = sys::ExecuteAndWait(compiler, arguments, ArrayRef(environment),
                                 redirects, 0, 0, &why);
  if (code == 0)
    return success();
  std::string words = why;
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(log))
    words += (*text)->getBuffer().str();
  return error("'" + compiler + "' cannot compile what ginc emitted:\n" +
               words);
}
