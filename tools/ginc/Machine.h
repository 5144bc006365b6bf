//===- Machine.h - the simulated machine of a run ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_MACHINE_H
#define GINC_TOOLS_GINC_MACHINE_H

#include "RunOptions.h"

#include "runtime/sim/Simulator.h"

#include "mlir/IR/BuiltinOps.h"

namespace ginc {

/// Reports options about the machine that do not go with the program or the
/// number of ranks.
mlir::LogicalResult checkMachine(mlir::ModuleOp program,
                                 const RunOptions &options, int64_t ranks);

/// The machine that the options ask for.
sim::Config makeMachine(const RunOptions &options, int64_t ranks);

} // namespace ginc

#endif // GINC_TOOLS_GINC_MACHINE_H
