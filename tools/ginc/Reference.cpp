//===- Reference.cpp - the independent computation --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Reference.h"

#include "CommandLine.h"
#include "Diagnostics.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace ginc;
using namespace mlir;
using nlohmann::json;

/// What the interpreter is to run: the script, in an interpreter that has
/// NumPy. Where the one on the PATH has none, the system's may. The exit status
/// says that neither has.
static constexpr int noNumpy = 77;
static const char *const bootstrap = R"(
import os, sys
code, fallback, script = sys.argv[1:4]
try:
    import numpy
except ImportError:
    if not fallback or not os.access(fallback, os.X_OK):
        sys.exit(77)
    os.execv(fallback, [fallback, '-B', '-c', code, code, '', *sys.argv[3:]])
import runpy
sys.argv = sys.argv[3:]
sys.path[0] = os.path.dirname(os.path.abspath(script))
runpy.run_path(script, run_name='__main__')
)";

Reference::~Reference() {
  if (!running)
    return;
  kill(process, SIGKILL);
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR)
    ;
  TemporaryFolder::endWithUs(0);
}

StringRef Reference::name() const {
  return llvm::sys::path::filename(script.value);
}

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

static LogicalResult
writeFile(const std::string &path,
          llvm::function_ref<void(llvm::raw_ostream &)> write) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (!code) {
    write(stream);
    stream.flush();
    code = stream.error();
    stream.clear_error();
  }
  if (code)
    return error("cannot write '" + path + "': " + code.message());
  return success();
}

/// One number where all ranks agree, else one for each rank.
template <typename T>
static json perRank(const std::vector<T> &values) {
  if (llvm::all_equal(values))
    return values.front();
  return values;
}

static json scalarValue(const Argument &argument) {
  const Element &element = *argument.element;
  if (element.isFloat()) {
    std::vector<double> values;
    values.reserve(argument.scalars.size());
    for (uint64_t bits : argument.scalars)
      values.push_back(element.toDouble(&bits));
    return perRank(values);
  }
  std::vector<int64_t> values;
  values.reserve(argument.scalars.size());
  for (uint64_t bits : argument.scalars)
    values.push_back(element.toInteger(&bits));
  return perRank(values);
}

LogicalResult Reference::writeInputs(const Arguments &arguments,
                                     const RunOptions &options, int64_t ranks) {
  json meta = {{"ranks", ranks},           {"seed", options.seed},
               {"repeat", options.repeat}, {"dims", json::object()},
               {"args", json::object()},   {"scalars", json::object()}};
  if (!options.grid.empty())
    meta["grid"] = options.grid;
  for (const auto &[name, values] : arguments.namedSizes())
    meta["dims"][name] = perRank(values);
  for (const Argument &argument : arguments.all()) {
    if (argument.kind == Argument::Kind::Scalar)
      meta["scalars"][argument.name] = scalarValue(argument);
    if (!argument.isArray())
      continue;
    meta["args"][argument.name] = {{"shape", argument.shapes},
                                   {"type", argument.element->name()}};
    for (int64_t rank = 0; rank < ranks; ++rank) {
      std::string file =
          folder.path("in/" + argument.name + "." + Twine(rank) + ".npy");
      if (failed(writeFile(file, [&](llvm::raw_ostream &os) {
            writeNpy(os, argument.element->npyType(), argument.shapes[rank],
                     {argument.data[rank], argument.bytes(rank)});
          })))
        return failure();
    }
  }
  return writeFile(folder.path("in/meta.json"),
                   [&](llvm::raw_ostream &os) { os << meta.dump(1) << '\n'; });
}

/// The interpreter, and another one to try when it has no NumPy.
static std::pair<std::string, std::string> findPython() {
  if (const char *chosen = std::getenv("GINC_PYTHON"); chosen && *chosen) {
    llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(chosen);
    return {found ? *found : chosen, ""};
  }
  std::string system = "/usr/bin/python3";
  llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("python3");
  if (!found || *found == system)
    return {system, ""};
  return {*found, system};
}

/// Exit status of a child that could not become another program.
static constexpr int notExecuted = 126;

/// Starts a process with its output in the file `log`. It ends with this one,
/// however that ends. Negative: errno says why not.
static pid_t spawn(const char *const *command, const char *log) {
  [[maybe_unused]] pid_t parent = getpid();
  pid_t child = fork();
  if (child != 0)
    return child;
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(notExecuted);
#endif
  int input = open("/dev/null", O_RDONLY);
  int output = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  for (int ignored : {SIGPIPE, SIGXFSZ})
    std::signal(ignored, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  execv(command[0], const_cast<char *const *>(command));
  _exit(notExecuted);
}

LogicalResult Reference::start(const Arguments &arguments,
                               const RunOptions &options, int64_t ranks) {
  if (!llvm::sys::fs::is_regular_file(script.value))
    return script.error("there is no file '" + script.value +
                        "'; --no-check runs without it");
  std::string fallback;
  std::tie(interpreter, fallback) = findPython();
  if (!llvm::sys::fs::can_execute(interpreter))
    return error("the reference needs Python, but '" + interpreter +
                 "' cannot be run; set GINC_PYTHON or pass --no-check");

  if (failed(folder.create()))
    return failure();
  for (StringRef name : {"in", "out"})
    if (std::error_code code =
            llvm::sys::fs::create_directory(folder.path(name)))
      return error("cannot create '" + folder.path(name) +
                   "': " + code.message());
  if (failed(writeInputs(arguments, options, ranks)))
    return failure();

  std::string in = folder.path("in"), out = folder.path("out");
  std::string log = folder.path("log");
  // -B: no compiled files beside the script.
  const char *command[] = {interpreter.c_str(),
                           "-B",
                           "-c",
                           bootstrap,
                           bootstrap,
                           fallback.c_str(),
                           script.value.c_str(),
                           in.c_str(),
                           out.c_str(),
                           nullptr};
  // A signal finds either no process or one that it can end.
  SignalsBlocked whileStarting;
  process = spawn(command, log.c_str());
  if (process < 0)
    return error("cannot run '" + interpreter + "': " + std::strerror(errno));
  running = true;
  TemporaryFolder::endWithUs(process);
  return success();
}

//===----------------------------------------------------------------------===//
// End
//===----------------------------------------------------------------------===//

/// Shows the last lines of a file, indented.
static void showTail(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return;
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().rtrim().split(lines, '\n');
  constexpr size_t most = 12;
  for (StringRef line : ArrayRef(lines).take_back(most))
    llvm::errs() << "  " << line << '\n';
}

LogicalResult Reference::wait() {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  running = false;
  TemporaryFolder::endWithUs(0);
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 0)
    return success();
  if (code == notExecuted)
    return error("cannot run '" + interpreter + "'");
  if (code == noNumpy)
    return error("the reference " + name() + " needs NumPy, which '" +
                 interpreter +
                 "' does not have; install it (python3-numpy, or pip install "
                 "numpy), set GINC_PYTHON to a Python that has it, or pass "
                 "--no-check");
  (void)script.error("the reference '" + script.value + "' failed" +
                     (code > 0 ? " with exit status " + std::to_string(code)
                               : std::string(": a signal ended it: ") +
                                     strsignal(WTERMSIG(status))));
  showTail(folder.path("log"));
  return failure();
}

LogicalResult
Reference::readTolerances(const Arguments &arguments,
                          std::map<std::string, Tolerance> &tolerances) {
  auto buffer = llvm::MemoryBuffer::getFile(folder.path("out/tolerance.json"));
  if (!buffer)
    return success();
  json all = json::parse((*buffer)->getBuffer().str(), nullptr,
                         /*allow_exceptions=*/false);
  auto malformed = [&](const Twine &what) {
    return script.error("tolerance.json of the reference " + what);
  };
  if (!all.is_object())
    return malformed("is not a JSON object");
  for (const auto &[name, entry] : all.items()) {
    if (!entry.is_object())
      return malformed("has something other than an object for '" + name + "'");
    for (const auto &[key, value] : entry.items()) {
      if ((key != "atol" && key != "rtol") || !value.is_number() ||
          !(value.get<double>() >= 0))
        return malformed("must give atol and rtol of '" + name +
                         "' as numbers of 0 or more");
      Tolerance &tolerance = tolerances[name];
      (key == "atol" ? tolerance.absolute : tolerance.relative) =
          value.get<double>();
    }
  }
  for (const auto &[name, tolerance] : tolerances)
    if (llvm::none_of(arguments.all(), [&, &name = name](const Argument &a) {
          return a.isArray() && a.name == name;
        }))
      return malformed("has '" + name + "', which is no array of the program");
  return success();
}

/// Every array in OUT must be a part of an argument.
LogicalResult Reference::checkNames(const Arguments &arguments, int64_t ranks) {
  std::error_code code;
  for (llvm::sys::fs::directory_iterator file(folder.path("out"), code), end;
       file != end && !code; file.increment(code)) {
    StringRef name = llvm::sys::path::filename(file->path());
    StringRef stem = name;
    if (!stem.consume_back(".npy"))
      continue;
    auto [argument, rank] = stem.rsplit('.');
    int64_t number;
    bool known = !rank.getAsInteger(10, number) && number >= 0 &&
                 number < ranks && std::to_string(number) == rank;
    std::vector<std::string> names;
    for (const Argument &other : arguments.all())
      if (other.isArray())
        names.push_back(other.name);
    if (!known || !llvm::is_contained(names, argument))
      return script.error("the reference wrote '" + name +
                          "', which is no array of a rank of the program" +
                          (known ? didYouMean(argument, names) : ""));
  }
  return success();
}

LogicalResult Reference::compare(const Arguments &arguments,
                                 const RunOptions &options, int64_t ranks,
                                 Check &check) {
  std::map<std::string, Tolerance> tolerances;
  if (failed(wait()) || failed(checkNames(arguments, ranks)) ||
      failed(readTolerances(arguments, tolerances)))
    return failure();
  bool any = false;
  for (const Argument &argument : arguments.all()) {
    if (!argument.isArray())
      continue;
    Tolerance tolerance = tolerances[argument.name];
    tolerance.absolute = options.atol.value_or(tolerance.absolute);
    tolerance.relative = options.rtol.value_or(tolerance.relative);
    int64_t predicted = 0, missing = -1;
    for (int64_t rank = 0; rank < ranks; ++rank) {
      std::string part =
          ("OUT/" + argument.name + "." + Twine(rank) + ".npy").str();
      std::string file =
          folder.path("out/" + llvm::StringRef(part).drop_front(4));
      if (!llvm::sys::fs::exists(file)) {
        missing = missing < 0 ? rank : missing;
        continue;
      }
      ++predicted;
      llvm::Expected<NpyArray> wanted = readNpy(file);
      if (!wanted)
        return script.error(llvm::toString(wanted.takeError()));
      std::string misfit = Check::findMisfit(argument, rank, *wanted, part);
      if (!misfit.empty())
        return script.error("the reference is wrong: " + misfit);
      check.compare(argument, rank, *wanted, tolerance, name());
    }
    any |= predicted > 0;
    // What is not compared must not pass for right.
    if (predicted > 0 && predicted < ranks)
      return script.error("the reference predicts %" + argument.name + " on " +
                          Twine(predicted) + " of " + Twine(ranks) +
                          " ranks: it did not write OUT/" + argument.name +
                          "." + Twine(missing) + ".npy");
  }
  if (!any)
    return script.error("the reference predicted nothing: it wrote no "
                        "OUT/NAME.RANK.npy");
  return success();
}
