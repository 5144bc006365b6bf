//===- LitmusOptions.td - options of ginc litmus -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

include "CommonOptions.td"

def grp_runs : OptionGroup<"runs">, HelpText<"RUNS">;
def grp_report : OptionGroup<"report">, HelpText<"REPORTS">;

defm seeds : Value<"seeds", "number of runs (default: 2000; with fewer, an allowed outcome may be missing)", "<n>", grp_runs>;
defm seed : Value<"seed", "the first run's seed (default: 0)", "<s>", grp_runs>;
defm max_seeds : Value<"max-seeds",
  "goes on up to this number of runs while an allowed outcome has not been "
  "seen", "<n>", grp_runs>;
defm ranks : Value<"ranks",
  "number of ranks; expectations are not checked if it is not the program's",
  "<n>", grp_runs>;
defm launches : Value<"launches", "the same for the number of launches", "<k>",
  grp_runs>;
defm off : Value<"off",
  "switches off a rule or a freedom of the network, as a test of the test "
  "(builds with GINC_SIM_MUTATIONS; may be repeated)", "<rule>", grp_runs>;

def json : Flag<["--"], "json">, Group<grp_report>,
  HelpText<"print everything as a JSON array with an object for each file">;
def quiet : Flag<["--"], "quiet">, Group<grp_report>,
  HelpText<"print one line for each program, and what differs">;
def : Flag<["-"], "q">, Alias<quiet>, Group<grp_report>;
