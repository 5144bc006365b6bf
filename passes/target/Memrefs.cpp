//===- Memrefs.cpp - memrefs in symbols -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace gin;
using namespace gin::cuda;

SmallVector<Product> cuda::rowMajor(ArrayRef<Product> sizes) {
  SmallVector<Product> strides(sizes.size());
  Product stride;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride = sizes[i] * stride;
  }
  return strides;
}

/// An integer as a factor.
Product Emitter::sizeOf(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return {*constant, {}};
  return {1, {use(cast<Value>(value))}};
}

/// All of an argument's memory, or what emitView() has made.
const View &Emitter::view(Value memref) {
  auto argument = dyn_cast<BlockArgument>(memref);
  if (argument && argument.getOwner()->getParentOp() == function)
    for (Argument &each : arguments) {
      if (each.value != memref)
        continue;
      View whole;
      whole.argument = &each;
      whole.element = each.type;
      if (each.kind == Argument::Window)
        whole.window = each.object;
      for (unsigned dim = 0; dim < each.shape.size(); ++dim) {
        bool isDynamic = ShapedType::isDynamic(each.shape[dim]);
        whole.sizes.push_back(isDynamic ? Product{1, {{each.extents[dim]}}}
                                        : Product{each.shape[dim], {}});
      }
      whole.strides = rowMajor(whole.sizes);
      return views[memref] = whole;
    }
  return views[memref];
}

std::string Emitter::pointerOf(const View &view) {
  return view.pointer.empty() ? view.argument->name : view.pointer;
}

/// `y[i * m + j]`
std::string Emitter::element(const View &view, ValueRange indices) {
  Sum sum = view.fromPointer;
  for (auto [index, stride] : llvm::zip_equal(indices, view.strides))
    sum.add(sizeOf(index) * stride);
  return pointerOf(view) + "[" + sum.print().text + "]";
}

//===----------------------------------------------------------------------===//
// Views of views
//===----------------------------------------------------------------------===//

static bool isElementAccess(Operation *op) {
  return isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp,
             vector::LoadOp, vector::StoreOp>(op);
}

/// Whether loads and stores print where the memref is more than once, or would
/// compute it again in each iteration of a loop.
static bool deservesPointer(Value memref) {
  unsigned accesses = 0;
  SmallVector<Value> pending = {memref};
  Operation *origin = memref.getDefiningOp();
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val().getUsers()) {
      if (isView(user) && !isa<arith::SelectOp>(user))
        pending.push_back(user->getResult(0));
      if (!isElementAccess(user))
        continue;
      ++accesses;
      for (Operation *op = user; op->getBlock() != origin->getBlock();) {
        op = op->getParentOp();
        accesses += isa<scf::ForOp, scf::WhileOp>(op);
      }
    }
  return accesses > 1;
}

void Emitter::makePointer(Value memref) {
  View &view = views[memref];
  if (view.fromPointer.isZero() || !deservesPointer(memref))
    return;
  std::string name = nameFor(memref);
  body.line(typeName(view.element) + " *" + name + " = " + pointerOf(view) +
            " + " + view.fromPointer.print().in(Additive) + ";");
  view.pointer = name;
  view.fromPointer = Sum();
}

LogicalResult Emitter::emitView(Operation *op) {
  if (isa<arith::SelectOp>(op))
    return emitSelectedMemref(op);
  View view = this->view(op->getOperand(0));
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](memref::SubViewOp subview) {
        llvm::SmallBitVector dropped = subview.getDroppedDims();
        SmallVector<Product> sizes, strides;
        for (auto [dim, offset, size, step] :
             llvm::enumerate(subview.getMixedOffsets(), subview.getMixedSizes(),
                             subview.getMixedStrides())) {
          Product shift = sizeOf(offset) * view.strides[dim];
          view.offset.add(shift);
          view.fromPointer.add(shift);
          if (dropped.test(dim))
            continue;
          sizes.push_back(sizeOf(size));
          strides.push_back(sizeOf(step) * view.strides[dim]);
        }
        view.sizes = sizes;
        view.strides = strides;
      })
      .Case([&](memref::CollapseShapeOp collapse) {
        SmallVector<Product> sizes, strides;
        for (const ReassociationIndices &group :
             collapse.getReassociationIndices()) {
          Product size;
          for (int64_t dim : group)
            size = size * view.sizes[static_cast<size_t>(dim)];
          sizes.push_back(size);
          strides.push_back(view.strides[static_cast<size_t>(group.back())]);
        }
        view.sizes = sizes;
        view.strides = strides;
      })
      .Case([&](memref::ExpandShapeOp expand) {
        SmallVector<Product> sizes;
        for (OpFoldResult size : expand.getMixedOutputShape())
          sizes.push_back(sizeOf(size));
        SmallVector<Product> strides(sizes.size());
        for (auto [dim, group] :
             llvm::enumerate(expand.getReassociationIndices())) {
          Product stride = view.strides[dim];
          for (int64_t inner : llvm::reverse(group)) {
            strides[static_cast<size_t>(inner)] = stride;
            stride = sizes[static_cast<size_t>(inner)] * stride;
          }
        }
        view.sizes = sizes;
        view.strides = strides;
      })
      .Case([&](memref::ReinterpretCastOp reinterpret) {
        // The offset counts from the memory's begin.
        Sum offset;
        offset.add(sizeOf(reinterpret.getMixedOffsets().front()));
        Sum shift = offset;
        for (Product term : view.offset.terms) {
          term.factor = -term.factor;
          shift.add(term);
        }
        view.fromPointer.add(shift);
        view.offset = offset;
        view.sizes.clear();
        view.strides.clear();
        for (OpFoldResult size : reinterpret.getMixedSizes())
          view.sizes.push_back(sizeOf(size));
        for (OpFoldResult stride : reinterpret.getMixedStrides())
          view.strides.push_back(sizeOf(stride));
      })
      .Default([](Operation *) {}); // casts of the type alone
  views[op->getResult(0)] = view;
  makePointer(op->getResult(0));
  return success();
}

//===----------------------------------------------------------------------===//
// Memory of other ranks, and of threads
//===----------------------------------------------------------------------===//

/// A static array, or memory of the shape of `memref`'s type.
View Emitter::wholeOf(Value memref, StringRef pointer) {
  auto type = cast<MemRefType>(memref.getType());
  View whole;
  whole.pointer = pointer;
  whole.element = type.getElementType();
  for (int64_t size : type.getShape())
    whole.sizes.push_back({size, {}});
  whole.strides = rowMajor(whole.sizes);
  return whole;
}

LogicalResult Emitter::emitAlloca(Operation *op) {
  Value memory = op->getResult(0);
  auto type = cast<MemRefType>(memory.getType());
  std::string array = nameFor(memory);
  body.line(typeName(type.getElementType()) + " " + array + "[" +
            std::to_string(std::max<int64_t>(type.getNumElements(), 1)) + "];");
  views[memory] = wholeOf(memory, array);
  return success();
}

/// A table: static, so that no thread makes it on its stack.
LogicalResult Emitter::emitTable(memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  auto elements = cast<DenseElementsAttr>(global.getConstantInitValue());
  Value memory = op.getResult();
  std::string array = names.fresh(identifierOf(op.getName()));
  std::string head =
      "static " + typeName(elements.getElementType()) + " " + array + "[" +
      std::to_string(std::max<int64_t>(elements.getNumElements(), 1)) + "] = {";
  views[memory] = wholeOf(memory, array);
  SmallVector<std::string> texts;
  for (Attribute element : elements.getValues<Attribute>())
    texts.push_back(literal(cast<TypedAttr>(element)).text);
  std::string line = head + llvm::join(texts, ", ") + "};";
  if (body.indentation() + line.size() <= 80) {
    body.line(line);
    return success();
  }
  // Its columns are not those that clang-format would make.
  body.comment("clang-format off");
  const std::string margin(body.indentation(), ' ');
  std::string lines = margin + head + "\n";
  line = margin + "   ";
  for (auto [number, text] : llvm::enumerate(texts)) {
    const std::string word =
        " " + text + (number + 1 < texts.size() ? "," : "");
    if (line.size() + word.size() > 80) {
      lines += line + "\n";
      line = margin + "   ";
    }
    line += word;
  }
  body.raw(lines + line + "};\n");
  body.comment("clang-format on");
  return success();
}

/// Memory that the threads of a block share, a part of the dynamic one; `bytes`
/// are taken.
void Emitter::emitShared(BlockArgument memory, uint64_t &bytes) {
  auto type = cast<MemRefType>(memory.getType());
  std::string array = nameFor(memory),
              element = typeName(type.getElementType());
  bytes = (bytes + 15) / 16 * 16;
  body.line(element + " *" + array + " = reinterpret_cast<" + element +
            " *>(gin::sharedMemory() + " + std::to_string(bytes) + ");");
  bytes += static_cast<uint64_t>(type.getNumElements()) *
           ((type.getElementTypeBitWidth() + 7) / 8);
  views[memory] = wholeOf(memory, array);
}

LogicalResult Emitter::emitPeerView(PeerViewOp op) {
  View view = this->view(op.getWindow());
  std::string element = typeName(view.element);
  announce(op);
  // Evaluated first: it may print a line of its own.
  std::string peer = peerOf(op);
  std::string pointer =
      declare(op.getView(), element + " *",
              "gin::viewAt<" + element + ">(context, " + peer + ", " +
                  view.window + ", " + site(op) + ")");
  bool asksExtent = llvm::any_of(op.getView().getUsers(), [](Operation *user) {
    auto dim = dyn_cast<memref::DimOp>(user);
    return dim && dim.getConstantIndex() == 0;
  });
  if (asksExtent && !view.sizes[0].isConstant()) {
    // That of the peer, which may have more or less.
    Product row;
    for (const Product &size : llvm::drop_begin(view.sizes))
      row = row * size;
    Sum elements;
    elements.add(row);
    std::string extent = names.fresh(pointer + "_size0");
    body.line("const int64_t " + extent + " = gin::extentAt(context, " + peer +
              ", " + view.window + ", " + bytesOf(view.element, elements) +
              ", " + site(op) + ");");
    view.sizes[0] = {1, {{extent}}};
  }
  view.pointer = pointer;
  view.argument = nullptr;
  view.window.clear();
  views[op.getView()] = view;
  return success();
}
