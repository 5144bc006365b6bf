//===- RunOptions.td - options of ginc run -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

include "ProgramOptions.td"

def grp_data : OptionGroup<"data">, HelpText<"SIZES AND DATA">;
def grp_check : OptionGroup<"check">, HelpText<"CHECKING">;
def grp_machine : OptionGroup<"machine">, HelpText<"SIMULATED MACHINE">;
def grp_kernel : OptionGroup<"kernel">, HelpText<"KERNEL (--target=host, cuda)">;
def grp_report : OptionGroup<"report">, HelpText<"REPORTS">;

defm ranks : Value<"ranks", "number of ranks (default: what the program says, or 4)", "<n>", grp_program>;
defm repeat : Value<"repeat",
  "launches one after the other, state kept (default: 1)", "<k>", grp_program>;
defm target : Value<"target",
  "where it runs: sim (simulated ranks, default), host\n"
  "(the emitted kernel on threads of the CPU) or cuda",
  "<where>", grp_program>;
defm load : Value<"load", "shared library with external C functions",
  "<file.so>", grp_program>;

defm dims : Value<"dims",
  "shape of an argument (expressions, comma separated),\n"
  "or value of a named size", "<name>=<expr>[,...]", grp_data>;
defm arg : Value<"arg",
  "contents of an argument: zeros, iota, random[:seed],\n"
  "integers:<low>:<high>[:seed], a number, or a .npy file\n"
  "(%r: the rank)",
  "<name>=<value>", grp_data>;
defm out : Value<"out",
  "writes an argument after the last launch\n"
  "(%r in the file name: the rank)",
  "<name>=<file.npy>", grp_data>;

defm expect : Value<"expect",
  "compares an argument after the last launch (%r: the rank)",
  "<name>=<file.npy>", grp_check>;
defm atol : Value<"atol",
  "absolute tolerance of floating-point comparisons\n"
  "(default: the reference's own, or 0)",
  "<x>", grp_check>;
defm rtol : Value<"rtol",
  "relative tolerance, likewise",
  "<x>", grp_check>;
def no_check : Flag<["--"], "no-check">, Group<grp_check>,
  HelpText<"do not compare with the program's reference">;

defm seed : Value<"seed",
  "chooses what the network does; the same seed gives\n"
  "the same run (default: 0)", "<n>", grp_machine>;
defm network : Value<"network",
  "hostile (all that the memory model allows; default)\n"
  "or calm", "<name>",
  grp_machine>;
defm lsa_size : Value<"lsa-size",
  "ranks that reach each other's memory by load and store\n"
  "(default: all)",
  "<k>", grp_machine>;
defm grid : Value<"grid",
  "extents of grids with `?`, such as 2x3\n"
  "(default: as equal as possible)",
  "<extents>", grp_machine>;

defm arch : Value<"arch",
  "GPU to compile for (default: sm_90a)", "<sm_NN>", grp_kernel>;
defm threads : Value<"threads",
  "threads of a block, a multiple of 32\n"
  "(default: 256; on the host 64)", "<n>", grp_kernel>;
defm blocks : Value<"blocks",
  "blocks of the grid (default: as many as run at once;\n"
  "on the host 4, or what roles need)", "<n>", grp_kernel>;

def stats : Flag<["--"], "stats">, Group<grp_report>,
  HelpText<"print traffic by rank and peer">;
def stats_EQ : Joined<["--"], "stats=">, Group<grp_report>,
  MetaVarName<"<form>">, HelpText<"the same as a table, or all results as json">;
defm trace : Value<"trace",
  "writes the run as Chrome trace JSON, for Perfetto", "<file.json>",
  grp_report>;
def quiet : Flag<["--"], "quiet">, Group<grp_report>,
  HelpText<"print errors only">;
def : Flag<["-"], "q">, Alias<quiet>, Group<grp_report>;
