//===- CommonOptions.td - options of every sub-command -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_COMMON_OPTIONS_TD
#define GINC_COMMON_OPTIONS_TD

include "llvm/Option/OptParser.td"

/// --name VALUE and --name=VALUE.
multiclass Value<string name, string help, string meta, OptionGroup group> {
  def NAME : Separate<["--"], name>, HelpText<help>, MetaVarName<meta>,
             Group<group>;
  def NAME # _EQ : Joined<["--"], name # "=">,
                   Alias<!cast<Separate>(NAME)>, Group<group>;
}

def grp_common : OptionGroup<"common">, HelpText<"GENERAL">;

defm color : Value<"color",
  "colour diagnostics: auto (on a terminal), always or never", "<when>",
  grp_common>;
def help : Flag<["--"], "help">, HelpText<"show this help">,
           Group<grp_common>;
def : Flag<["-"], "h">, Alias<help>, Group<grp_common>;

#endif // GINC_COMMON_OPTIONS_TD
