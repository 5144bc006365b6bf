//===- Remarks.cpp - what passes say about their decisions ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Remarks.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/STLExtras.h"

using namespace ginc;
using namespace mlir;

namespace {
/// Keeps the text of remarks.
class Collector : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Collector(std::vector<std::string> &notes) : notes(notes) {}
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string text;
    for (const auto &argument : remark.getArgs()) {
      if (!text.empty())
        text += argument.key == "Reason" ? ": " : " ";
      text += argument.val;
    }
    if (!llvm::is_contained(notes, text))
      notes.push_back(text);
  }

private:
  std::vector<std::string> &notes;
};
} // namespace

Remarks::Remarks(MLIRContext &context) : context(context) {
  remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis =
      categories.failed = "gin";
  (void)remark::enableOptimizationRemarks(
      context, std::make_unique<Collector>(notes),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}

Remarks::~Remarks() {
  // The collector refers to this object.
  context.setRemarkEngine(nullptr);
}
