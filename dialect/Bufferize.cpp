//===- Bufferize.cpp - collectives from tensors to windows ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Collectives are destination style, so upstream's model decides what is read,
// written and aliased. Tensors with the encoding #gin.window become windows under
// `one-shot-bufferize="use-encoding-for-memory-space"`.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "dialect/Gin.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace gin;
using namespace mlir::bufferization;

namespace {
template <typename OpTy>
struct CollectiveModel
    : DstBufferizableOpInterfaceExternalModel<CollectiveModel<OpTy>, OpTy> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto collective = cast<DestinationStyleOpInterface>(op);
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      if (!isWindow(buffer->getType()))
        return op->emitOpError()
               << "would be bufferised on " << buffer->getType()
               << ", which is not a window; give the tensor the encoding "
                  "#gin.window and bufferise with use-encoding-for-memory-space";
      buffers.push_back(*buffer);
    }
    OperationState newState(op->getLoc(), op->getName(), buffers, TypeRange(),
                            op->getAttrs());
    rewriter.create(newState);
    SmallVector<Value> inits;
    for (OpOperand &init : collective.getDpsInitsMutable())
      inits.push_back(buffers[init.getOperandNumber()]);
    replaceOpWithBufferizedValues(rewriter, op, inits);
    return success();
  }
};
} // namespace

template <typename... OpTys>
static void attachCollectives(MLIRContext *context) {
  (OpTys::template attachInterface<CollectiveModel<OpTys>>(*context), ...);
}

void gin::registerBufferizeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GinDialect *) {
    attachCollectives<AllGatherOp, AllToAllOp, AllReduceOp, ReduceScatterOp,
                      DispatchOp, CombineOp>(context);
  });
}
