//===- Transfers.cpp - puts and gets ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A block that has no gaps, neither here nor there, is one range of bytes.
// Others go by rows, as runtime/device/Strided.h does it.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace gin;
using namespace gin::cuda;

/// `sizeof(float) * m`
std::string Emitter::bytesOf(Type element, const Sum &elements) {
  if (elements.isZero())
    return "0";
  std::string size = "sizeof(" + typeName(element) + ")";
  if (elements.terms.size() != 1)
    return size + " * " + elements.print().in(Multiplied);
  const Product &term = elements.terms.front();
  if (term.isOne())
    return size;
  // One name may be a quotient or a remainder.
  return size + " * " +
         term.print().in(
             term.names.size() == 1 && term.factor == 1 ? Unary : Multiplied);
}

bool cuda::isContiguous(ArrayRef<Product> sizes, ArrayRef<Product> strides) {
  Product stride;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i].isOne())
      continue;
    if (!(strides[i] == stride))
      return false;
    stride = sizes[i] * stride;
  }
  return true;
}

namespace {
/// The parts of a put, get or addition that they share.
struct Transfer {
  OpFoldResult peer;
  Value window, block;
  SmallVector<OpFoldResult> indices;
  Value token;
};
} // namespace

std::string cuda::braces(ArrayRef<Product> products) {
  std::string text = "{";
  llvm::interleave(
      products, [&](const Product &product) { text += product.print().text; },
      [&] { text += ", "; });
  return text + "}";
}

LogicalResult Emitter::emitTransfer(Operation *op) {
  Transfer transfer;
  OpFoldResult weight;
  bool accumulates = false;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](PutOp put) {
        transfer = {{},
                    put.getWindow(),
                    put.getSource(),
                    put.getMixedIndices(),
                    put.getToken()};
        weight = put.getMixedWeight();
        accumulates = put.getAccumulate();
      })
      .Case([&](PutValueOp put) {
        transfer = {
            {}, put.getWindow(), {}, put.getMixedIndices(), put.getToken()};
        weight = put.getMixedWeight();
      })
      .Case([&](GetOp get) {
        transfer = {{},
                    get.getWindow(),
                    get.getTarget(),
                    get.getMixedIndices(),
                    get.getToken()};
      })
      .Case([&](AtomicAddOp add) {
        transfer = {{}, add.getWindow(), {}, add.getMixedIndices(), {}};
      });
  View there = view(transfer.window);
  std::string type = typeName(there.element);
  if ((accumulates || isa<AtomicAddOp>(op)) &&
      (isa<Float8E4M3FNType, Float8E5M2Type>(there.element) ||
       there.element.isInteger(8) || there.element.isInteger(16)))
    return op->emitError() << "GPUs have no atomic addition of "
                           << there.element;

  Sum offset;
  for (auto [index, stride] : llvm::zip_equal(transfer.indices, there.strides))
    offset.add(sizeOf(index) * stride);
  std::string target = there.window + ", ";
  std::string begin = "(context, " + scopeOf(op) + ", " +
                      peerOf(cast<RemoteOpInterface>(op)) + ", ";
  auto slot = dyn_cast<SlotOpInterface>(op);
  std::string end = ", ";
  if (slot && slot.getBankOrNull())
    end += bundleOf(slot, weight) + ", ";
  end += site(op) + ")";

  std::string call;
  if (!transfer.block) { // a value
    Value value = op->getOperand(0);
    call = (isa<AtomicAddOp>(op) ? "gin::atomicAdd<" : "gin::putValue<") +
           type + ">" + begin + target + bytesOf(there.element, offset) + ", " +
           use(value).text + end;
  } else {
    View here = view(transfer.block);
    // The block's dimensions are the window's last ones.
    SmallVector<Product> sizes = here.sizes;
    ArrayRef<Product> thereStrides =
        ArrayRef(there.strides).take_back(sizes.size());
    const bool isGet = isa<GetOp>(op);
    if (isContiguous(sizes, here.strides) &&
        isContiguous(sizes, thereStrides)) {
      Product count;
      for (const Product &size : sizes)
        count = count * size;
      Sum elements;
      elements.add(count);
      std::string remote = target + bytesOf(there.element, offset) + ", ";
      std::string own =
          here.window + ", " + bytesOf(here.element, here.offset) + ", ";
      if (accumulates)
        call = "gin::putAccumulate<" + type + ">" + begin + remote + own +
               elements.print().text + end;
      else
        call = (isGet ? "gin::get" : "gin::put") + begin + remote + own +
               bytesOf(here.element, elements) + end;
    } else {
      StringRef function = isGet         ? "gin::getBlock<"
                           : accumulates ? "gin::putAccumulateBlock<"
                                         : "gin::putBlock<";
      call = (function + type + ">").str() + begin + target +
             offset.print().text + ", " + braces(thereStrides) + ", " +
             here.window + ", " + here.offset.print().text + ", " +
             braces(here.strides) + ", " + braces(sizes) + end;
    }
  }
  announce(op);
  if (transfer.token && !transfer.token.use_empty())
    declare(transfer.token, "const gin::Token", call);
  else
    body.line(call + ";");
  return success();
}
