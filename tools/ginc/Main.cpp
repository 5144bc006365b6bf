//===- Main.cpp - ginc, the user's driver -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BuildCommand.h"
#include "CommandLine.h"
#include "Crash.h"
#include "Diagnostics.h"
#include "LitmusCommand.h"
#include "RunCommand.h"

#include "tools/Version.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

using namespace ginc;
using namespace llvm;

static constexpr Command commands[] = {
    {"run", "compile a program and run it on simulated ranks", runCommand},
    {"litmus", "run tiny programs with many seeds, compare their outcomes",
     litmusCommand},
    {"build", "compile a program to CUDA C++ and its launcher", buildCommand},
};

static const char *const overview =
    R"(OVERVIEW: ginc compiles programs whose ranks move data by put, signal and wait.

USAGE: ginc COMMAND [options]

COMMANDS:
)";

static const char *const epilogue = R"(
OPTIONS:
  --help     show this help; `ginc COMMAND --help` describes a command
  --version  show the version

EXAMPLES:
  ginc run examples/all-to-all.mlir --ranks 4
  ginc run --help

EXIT CODES:
  0  all went well
  1  the program failed: wrong results, deadlock, run-time error
  2  bad usage or bad input
)";

static void showHelp(raw_ostream &os) {
  os << overview;
  for (const Command &command : commands)
    os << "  " << left_justify(command.name, 10) << command.summary << '\n';
  os << epilogue;
}

static void showVersion(raw_ostream &os) {
  os << "ginc " GINC_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
}

static int unknownCommand(StringRef name) {
  std::vector<std::string> names;
  for (const Command &command : commands)
    names.push_back(command.name.str());
  std::string hint = didYouMean(name, names);
  (void)error("there is no command '" + name + "'" +
              (hint.empty() ? "; see `ginc --help`" : hint));
  return BadInput;
}

static int runGinc(ArrayRef<const char *> arguments) {
  if (arguments.empty()) {
    showHelp(errs());
    return BadInput;
  }
  StringRef first = arguments.front();
  arguments = arguments.drop_front();
  // `ginc help run` is `ginc run --help`.
  const char *const helpOption[] = {"--help"};
  if (first == "help" && !arguments.empty()) {
    first = arguments.front();
    arguments = helpOption;
  }
  if (first == "--help" || first == "-h" || first == "help")
    return succeeded(print(showHelp)) ? Success : BadInput;
  if (first == "--version")
    return succeeded(print(showVersion)) ? Success : BadInput;
  for (const Command &command : commands)
    if (first == command.name)
      return command.run(arguments);
  if (first.starts_with("-")) {
    (void)error("unknown option '" + first + "'; see `ginc --help`");
    return BadInput;
  }
  return unknownCommand(first);
}

int main(int argc, char **argv) {
  keepStandardStreams();
  handleCrashes(argv[0]);
  setColors(ColorMode::Auto);
  int exitCode = runGinc(ArrayRef<const char *>(argv + 1, argv + argc));
  // Where errors cannot be written, the exit code is what there is.
  errs().clear_error();
  return exitCode;
}
