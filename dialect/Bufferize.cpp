//===- Bufferize.cpp - collectives from tensors to windows ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Collectives are destination style, so upstream's model decides what is read,
// written and aliased. Tensors with the encoding #gin.window become windows
// under `one-shot-bufferize="use-encoding-for-memory-space"`.
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
  /// Results are overwritten without being read.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return cast<DestinationStyleOpInterface>(op).isDpsInput(&operand);
  }

  /// An all-reduce may be done in place.
  bool isNotConflicting(Operation *op, OpOperand *read, OpOperand *write,
                        const AnalysisState &state) const {
    return isa<AllReduceOp>(op) && read->getOwner() == op &&
           write->getOwner() == op &&
           state.areEquivalentBufferizedValues(read->get(), write->get());
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto collective = cast<DestinationStyleOpInterface>(op);
    SmallVector<Value> buffers;
    for (OpOperand &operand : op->getOpOperands()) {
      FailureOr<Value> buffer =
          getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      if (!isWindow(buffer->getType()))
        return op->emitOpError()
               << "would be bufferised on " << buffer->getType()
               << ", which is not a window; give the tensor the encoding "
                  "#gin.window and bufferise with "
                  "use-encoding-for-memory-space";
      if (collective.isDpsInit(&operand) &&
          !cast<MemRefType>(buffer->getType()).getLayout().isIdentity())
        return op->emitOpError()
               << "would write into " << buffer->getType()
               << ", which is not a whole window; bufferise with "
                  "function-boundary-type-conversion=identity-layout-map";
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
