//===- Carried.cpp - what loops carry and branches yield --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A value is one variable. A memref is several: of what tells where it is,
// those parts that are not the same for all that it may be. Parts that nothing
// reads are left out of the text once it is complete.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "dialect/Choices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace gin;
using namespace gin::cuda;

//===----------------------------------------------------------------------===//
// Which parts of a memref vary
//===----------------------------------------------------------------------===//

/// Whether a value has its printed form before `op` is printed.
static bool isBefore(Value value, Operation *op) {
  return value.getDefiningOp() != op &&
         !op->isAncestor(value.getParentBlock()->getParentOp());
}

static bool isBefore(OpFoldResult value, Operation *op) {
  return isa<Attribute>(value) || isBefore(cast<Value>(value), op);
}

/// Adds to `found` what a size or stride may be, of a memref inside `op`. False
/// if that is not known before `op`.
bool Emitter::collectExtents(const ExtentOf &extent, Operation *op,
                             SmallVectorImpl<ExtentOf> &seen,
                             SmallVectorImpl<Product> &found) {
  const Value memref = extent.memref;
  const unsigned dim = extent.dim;
  const bool isStride = extent.isStride;
  if (llvm::is_contained(seen, extent))
    return true; // whatever it is, it comes from the others
  seen.push_back(extent);
  auto add = [&](const Product &product) {
    if (!llvm::is_contained(found, product))
      found.push_back(product);
    return true;
  };
  if (isBefore(memref, op)) {
    const View &view = this->view(memref);
    return add(isStride ? view.strides[dim] : view.sizes[dim]);
  }
  SmallVector<Value> choices = choicesOf(memref);
  if (!choices.empty())
    return llvm::all_of(choices, [&](Value choice) {
      return collectExtents({choice, dim, isStride}, op, seen, found);
    });
  if (auto cast = memref.getDefiningOp<memref::CastOp>())
    return collectExtents({cast.getSource(), dim, isStride}, op, seen, found);
  auto subview = memref.getDefiningOp<memref::SubViewOp>();
  if (!subview)
    return false;
  llvm::SmallBitVector dropped = subview.getDroppedDims();
  unsigned from = 0; // the dimension of the source
  for (unsigned kept = dim; dropped.test(from) || kept-- > 0;)
    ++from;
  if (isStride)
    return isOneInteger(subview.getMixedStrides()[from]) &&
           collectExtents({subview.getSource(), from, true}, op, seen, found);
  OpFoldResult size = subview.getMixedSizes()[from];
  return isBefore(size, op) && add(sizeOf(size));
}

/// The size or stride of all that a memref may be while `op` runs, if it is
/// one.
std::optional<Product> Emitter::commonExtent(const ExtentOf &extent,
                                             Operation *op) {
  SmallVector<ExtentOf> seen;
  SmallVector<Product> found;
  if (!collectExtents(extent, op, seen, found) || found.size() != 1)
    return std::nullopt;
  return found.front();
}

/// Names variables for those parts of a memref that `op` chooses, and so says
/// where `memref` is.
SmallVector<Part> Emitter::nameParts(Value memref, Operation *op,
                                     StringRef name) {
  auto type = cast<MemRefType>(memref.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  SmallVector<Part> parts;
  auto add = [&](Part::Kind kind, const Twine &wanted, size_t dim = 0) {
    std::string variable = names.fresh(wanted.str(), /*everywhere=*/true);
    parts.push_back({kind, dim, variable});
    return variable;
  };
  View view;
  view.element = type.getElementType();
  if (isWindow(type)) {
    SmallVector<Value> origins = originsOf(memref);
    if (origins.size() == 1) {
      View whole = this->view(origins.front());
      view.argument = whole.argument;
      view.window = whole.window;
    } else {
      view.window = "*" + add(Part::Window, name + "_window");
    }
  }
  view.pointer = add(Part::Pointer, name);
  Product shift{offset, {}};
  if (ShapedType::isDynamic(offset))
    shift = {1, {{add(Part::Offset, name + "_offset")}}};
  view.offset.add(shift);
  auto extentOf = [&](int64_t known, unsigned dim, Part::Kind kind) -> Product {
    if (!ShapedType::isDynamic(known))
      return {known, {}};
    const bool isStride = kind == Part::Stride;
    if (std::optional<Product> common =
            commonExtent({memref, dim, isStride}, op))
      return *common;
    return {1,
            {{add(kind, name + (isStride ? "_stride" : "_size") + Twine(dim),
                  dim)}}};
  };
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    view.sizes.push_back(extentOf(size, dim, Part::Size));
  if (type.getLayout().isIdentity())
    view.strides = rowMajor(view.sizes);
  else
    for (auto [dim, stride] : llvm::enumerate(strides))
      view.strides.push_back(extentOf(stride, dim, Part::Stride));
  views[memref] = view;
  return parts;
}

//===----------------------------------------------------------------------===//
// Their C++
//===----------------------------------------------------------------------===//

/// What a declaration of a part begins with.
static std::string declarator(const Part &part, Type element) {
  switch (part.kind) {
  case Part::Window:
    return "const gin::Window *";
  case Part::Pointer:
    return typeName(element) + " *";
  default:
    return "int64_t ";
  }
}

/// A part of a memref as a value.
Expr Emitter::partOf(const View &view, const Part &part) {
  switch (part.kind) {
  case Part::Window:
    if (StringRef(view.window).starts_with("*"))
      return {view.window.substr(1)};
    return {"&" + view.window, Unary};
  case Part::Pointer:
    if (view.fromPointer.isZero())
      return {pointerOf(view)};
    return {pointerOf(view) + " + " + view.fromPointer.print().in(Additive),
            Additive};
  case Part::Offset:
    return view.offset.print();
  case Part::Size:
    return view.sizes[part.dim].print();
  case Part::Stride:
    return view.strides[part.dim].print();
  }
  llvm_unreachable("covered switch");
}

bool cuda::isPoison(Value value) {
  return value.getDefiningOp<ub::PoisonOp>() != nullptr;
}

/// Declares what stands for `value`, which `op` carries or yields, with what it
/// is at first, if that is given; with `isPartial` some branch does not say it.
Carried Emitter::declareCarried(Value value, Operation *op, StringRef name,
                                Value init, bool isPartial) {
  Type type = value.getType();
  std::string rest = isPartial ? " = {};" : ";";
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref) {
    std::string variable = names.fresh(name);
    body.line(typeName(type) + " " + variable +
              (init ? " = " + use(init).text + ";" : rest));
    values[value] = {variable};
    return {type, variable, {}};
  }
  Carried carried{type, {}, nameParts(value, op, name)};
  for (const Part &part : carried.parts)
    body.lineFor(part.variable,
                 declarator(part, memref.getElementType()) + part.variable +
                     (init && !isPoison(init)
                          ? " = " + partOf(view(init), part).text + ";"
                          : rest));
  return carried;
}

/// The same variables stand for another value, too.
void Emitter::alias(Value value, Value carried) {
  if (isa<MemRefType>(value.getType())) {
    View view = views[carried];
    views[value] = view;
  } else {
    Expr expr = values[carried];
    values[value] = expr;
  }
}

LogicalResult Emitter::emitSelectedMemref(Operation *op) {
  auto select = cast<arith::SelectOp>(op);
  Value result = select.getResult();
  std::string condition = use(select.getCondition(), LogicalOr);
  std::string wanted = sourceName(result);
  Type element = cast<MemRefType>(result.getType()).getElementType();
  View yes = view(select.getTrueValue()), no = view(select.getFalseValue());
  for (const Part &part :
       nameParts(result, op, wanted.empty() ? "choice" : wanted)) {
    std::string a = partOf(yes, part).in(LogicalOr);
    std::string b = partOf(no, part).in(LogicalOr);
    const bool isNumber =
        part.kind != Part::Window && part.kind != Part::Pointer;
    body.lineFor(part.variable,
                 (isNumber ? "const " : "") + declarator(part, element) +
                     part.variable + " = " +
                     (a == b ? a : condition + " ? " + a + " : " + b) + ";");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

/// Whether `word` stands in the expression `text`.
static bool mentions(StringRef text, StringRef word) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = text.find(word); at != StringRef::npos;
       at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    if ((at == 0 || !isPart(text[at - 1])) &&
        (end == text.size() || !isPart(text[end])))
      return true;
  }
  return false;
}

namespace {
struct Assignment {
  std::string variable, declarator, text;
  Value value; ///< null for a part of a memref
};
} // namespace

/// Assigns all at once: a value may be made of variables that change.
void Emitter::assign(OperandRange operands, ArrayRef<Carried> targets) {
  SmallVector<Assignment> assignments;
  for (auto [operand, target] : llvm::zip_equal(operands, targets)) {
    // What is not determined needs no assignment.
    if (isPoison(operand))
      continue;
    if (!target.variable.empty())
      assignments.push_back({target.variable,
                             "const " + typeName(target.type) + " ",
                             use(operand).text, operand});
    for (const Part &part : target.parts) {
      Type element = cast<MemRefType>(target.type).getElementType();
      assignments.push_back({part.variable,
                             declarator(part, element),
                             partOf(view(operand), part).text,
                             {}});
    }
  }
  llvm::erase_if(assignments, [](const Assignment &assignment) {
    return assignment.variable == assignment.text;
  });
  auto print = [&](const Assignment &assignment, StringRef variable,
                   const Twine &statement) {
    if (assignment.value)
      body.line(statement);
    else
      body.lineFor(variable, statement);
  };
  for (size_t i = 0; i < assignments.size(); ++i) {
    Assignment &assignment = assignments[i];
    bool isOverwritten = llvm::any_of(
        ArrayRef(assignments).take_front(i), [&](const Assignment &earlier) {
          return mentions(assignment.text, earlier.variable);
        });
    if (!isOverwritten)
      continue;
    std::string next =
        names.fresh(assignment.variable + "_next", !assignment.value);
    print(assignment, next,
          assignment.declarator + next + " = " + assignment.text + ";");
    assignment.text = next;
  }
  for (const Assignment &assignment : assignments) {
    const auto &[variable, declarator, text, value] = assignment;
    print(assignment, variable,
          value && text == use(value).text ? update(variable, value)
                                           : variable + " = " + text + ";");
  }
}
