//===- ProgramOptions.td - which program, and how it lowers -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_PROGRAM_OPTIONS_TD
#define GINC_PROGRAM_OPTIONS_TD

include "CommonOptions.td"

def grp_program : OptionGroup<"program">, HelpText<"PROGRAM">;

defm entry : Value<"entry",
  "function that is launched (default: the only public\n"
  "one, or the one with gin.run)",
  "<function>", grp_program>;
defm algorithm : Value<"algorithm",
  "how collectives are carried out: direct, ring or tree", "<name>",
  grp_program>;
defm launch_barrier : Value<"launch-barrier",
  "barrier at the entry: auto (unless proved needless),\n"
  "always or never",
  "<when>", grp_program>;
defm launch_barrier_reason : Value<"launch-barrier-reason",
  "why --launch-barrier=never is right where it is not proved", "<text>",
  grp_program>;

#endif // GINC_PROGRAM_OPTIONS_TD
