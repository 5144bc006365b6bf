# ===- lit.cfg.py - configuration of the lit suite -------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
#
# Substitutions beside the tools' names and lit's own:
#   %plugin    the plug-in that a stock mlir-opt loads
#   %python    an interpreter that has NumPy
#   %source    the root of the source tree, %examples its folder of examples
# Features for REQUIRES and UNSUPPORTED:
#   cuda       a CUDA toolkit was found
#   mutations  the simulator's rules can be switched off (GINC_SIM_MUTATIONS)
#   asan       the tools are instrumented with AddressSanitizer
#   clang, clang-format, nvcc
#              these tools were found: %clang++, %clang-format, %nvcc
#   plugin     a stock mlir-opt can load the plug-in (not when instrumented)

import os
import re
import shutil

import lit.formats
from lit.llvm import llvm_config

config.name = "ginc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "install"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ginc_binary_dir, "test")

config.substitutions += [
    ("%plugin", config.ginc_plugin),
    ("%python", config.python),
    ("%source", config.ginc_source_dir),
    ("%examples", os.path.join(config.ginc_source_dir, "examples")),
]
llvm_config.add_tool_substitutions(
    ["gin-opt", "gin-lsp-server", "gin-translate", "ginc"], [config.ginc_tools_dir]
)
llvm_config.add_tool_substitutions(
    ["mlir-opt", "mlir-translate", "FileCheck", "not", "count", "split-file"],
    [config.llvm_tools_dir],
)
llvm_config.with_system_environment(["HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS"])

# Not in every setup. The substitution's name is the feature's, or begins with it.
for feature, substitution, programs in [
    ("clang", "%clang++", ["clang++-22"]),
    ("clang-format", "%clang-format", ["clang-format-22"]),
    ("nvcc", "%nvcc", ["nvcc", "/usr/local/cuda/bin/nvcc"]),
]:
    found = next(filter(None, map(shutil.which, programs)), None)
    if found:
        config.available_features.add(feature)
        config.substitutions.append((re.escape(substitution), found))

if config.have_cuda:
    config.available_features.add("cuda")
if config.sim_mutations:
    config.available_features.add("mutations")
if "Address" in config.sanitizer:
    config.available_features.add("asan")
    # LLVM's headers poison what its allocators hold back; the library, which is
    # not instrumented, does not know.
    config.environment.setdefault("ASAN_OPTIONS", "allow_user_poisoning=0:detect_stack_use_after_return=0")
else:
    config.available_features.add("plugin")
