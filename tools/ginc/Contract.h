//===- Contract.h - the functions that programs call ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_CONTRACT_H
#define GINC_TOOLS_GINC_CONTRACT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ginc {

struct ContractFunction {
  llvm::StringRef name;
  void *address;
};

/// The simulator's implementation of runtime/device/contract.h.
llvm::ArrayRef<ContractFunction> contractFunctions();

} // namespace ginc

#endif // GINC_TOOLS_GINC_CONTRACT_H
