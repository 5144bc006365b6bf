//===- BuildOptions.td - options of ginc build -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

include "ProgramOptions.td"

def grp_output : OptionGroup<"output">, HelpText<"OUTPUT">;
def grp_kernel : OptionGroup<"kernel">, HelpText<"KERNEL">;

defm output : Value<"output", "folder for the files, made if need be\n"
  "(default: the current one)", "<folder>", grp_output>;
def : Separate<["-"], "o">, Alias<output>, Group<grp_output>,
  MetaVarName<"<folder>">, HelpText<"the same">;
defm emit : Value<"emit",
  "beside the source: cuda (nothing, default), ptx or obj", "<what>",
  grp_output>;
def shared : Flag<["--"], "shared">, Group<grp_output>,
  HelpText<"also a shared library, libNAME.so">;
def quiet : Flag<["--"], "quiet">, Group<grp_output>,
  HelpText<"print errors only">;
def : Flag<["-"], "q">, Alias<quiet>, Group<grp_output>;

defm arch : Value<"arch",
  "what --shared, ptx and obj are for: sm_75, sm_90a and\n"
  "the like, or host (default: sm_90a)",
  "<arch>", grp_kernel>;
defm threads : Value<"threads",
  "threads of a block, a multiple of 32 (default: 256)", "<n>", grp_kernel>;
