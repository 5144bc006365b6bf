//===- Remarks.h - what passes say about their decisions --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_REMARKS_H
#define GINC_TOOLS_GINC_REMARKS_H

#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace ginc {

/// Collects the remarks that passes emit in a context, each a sentence, while
/// it exists.
class Remarks {
public:
  explicit Remarks(mlir::MLIRContext &context);
  ~Remarks();
  Remarks(const Remarks &) = delete;
  Remarks &operator=(const Remarks &) = delete;

  const std::vector<std::string> &texts() const { return notes; }

private:
  mlir::MLIRContext &context;
  std::vector<std::string> notes;
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_REMARKS_H
