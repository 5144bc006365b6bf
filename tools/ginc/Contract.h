//===- Contract.h - the functions that programs call ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The simulator's implementation of runtime/device/contract.h, with a record of
// who called it: the last operation, for whoever has to explain a crash.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_CONTRACT_H
#define GINC_TOOLS_GINC_CONTRACT_H

#include "runtime/device/contract.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ginc {

struct ContractFunction {
  llvm::StringRef name;
  void *address;
};

/// The contract's functions, and `ginc_allocate`.
llvm::ArrayRef<ContractFunction> contractFunctions();

/// What takes the place of malloc() and aligned_alloc() in programs:
/// `void *ginc_allocate(const gin_site_t *site, int64_t alignment, int64_t
/// bytes)`, which ends the run where there is not that much memory. An
/// alignment of 0 is malloc()'s.
inline constexpr llvm::StringLiteral allocateFunction = "ginc_allocate";

/// Stands at the beginning of a rank's program, which has called nothing yet.
void beginRank(int64_t rank);
/// The operation that the running agent called last; null for none.
const gin_site_t *lastOperation();
/// The rank of the running agent; -1 where none runs.
int64_t callingRank();

} // namespace ginc

#endif // GINC_TOOLS_GINC_CONTRACT_H
