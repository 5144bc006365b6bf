//===- ExpandCopies.cpp - copies of strided memrefs -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"

#include "dialect/SourceText.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"

namespace gin {
#define GEN_PASS_DEF_EXPANDCOPIES
#include "passes/Passes.h.inc"
} // namespace gin

using namespace mlir;
using namespace gin;

/// Whether upstream lowers the copy to memcpy.
static bool isContiguous(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && (memref.getLayout().isIdentity() ||
                    (memref.hasStaticShape() && memref.getNumElements() > 0 &&
                     memref::isStaticShapeAndContiguousRowMajor(memref)));
}

namespace {
struct ExpandCopies : gin::impl::ExpandCopiesBase<ExpandCopies> {
  using ExpandCopiesBase::ExpandCopiesBase;

  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp copy) {
      Type source = copy.getSource().getType();
      Type target = copy.getTarget().getType();
      if (isa<MemRefType>(source) && isa<MemRefType>(target) &&
          (all || !(isContiguous(source) && isContiguous(target))))
        copies.push_back(copy);
    });
    for (memref::CopyOp copy : copies) {
      OpBuilder builder(copy);
      linalg::CopyOp::create(builder, locationWithOrigin(copy),
                             copy.getSource(), copy.getTarget());
      copy.erase();
    }
  }
};
} // namespace
