//===- Arguments.cpp - the arguments of the entry ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "CommandLine.h"
#include "Diagnostics.h"
#include "dialect/Gin.h"

#include "llvm/ADT/StringExtras.h"

using namespace ginc;
using namespace mlir;

using Kind = Argument::Kind;

//===----------------------------------------------------------------------===//
// From the signature
//===----------------------------------------------------------------------===//

/// The extents in the type of an array or bank.
ArrayRef<int64_t> ginc::staticShape(Type type) {
  if (auto bank = dyn_cast<gin::SignalsType>(type))
    return bank.getShape();
  return cast<MemRefType>(type).getShape();
}

/// As diagnostics of MLIR show types.
static std::string quoteType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << type << "'";
  return text;
}

/// Whether memory of `type` that is laid out row by row is what the type says.
static bool isRowMajor(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      (offset != 0 && !ShapedType::isDynamic(offset)))
    return false;
  int64_t expected = 1;
  for (auto [extent, stride] :
       llvm::reverse(llvm::zip(type.getShape(), strides))) {
    if (!ShapedType::isDynamic(stride) && !ShapedType::isDynamic(expected) &&
        stride != expected)
      return false;
    expected = ShapedType::isDynamic(extent) || ShapedType::isDynamic(expected)
                   ? ShapedType::kDynamic
                   : expected * extent;
  }
  return true;
}

static LogicalResult describeMemRef(Argument &argument, MemRefType type) {
  if (gin::isWindow(type))
    argument.kind = Kind::Window;
  else if (!type.getMemorySpace())
    argument.kind = Kind::Memory;
  else
    return emitError(argument.location)
           << argument.describe() << " is in the memory space "
           << type.getMemorySpace()
           << ", which ginc run has none of; use #gin.window or none";
  argument.element = Element::get(type.getElementType());
  if (!argument.element)
    return emitError(argument.location)
           << argument.describe() << " has elements of type "
           << type.getElementType() << ", which ginc run cannot fill; it knows "
           << Element::known;
  if (!isRowMajor(type))
    return emitError(argument.location)
           << argument.describe() << " is " << type
           << ", but ginc run lays memory out row by row only";
  return success();
}

/// Fills in what the argument's type and attributes say.
static LogicalResult describeArgument(func::FuncOp entry, unsigned index,
                                      Argument &argument) {
  auto name = entry.getArgAttrOfType<StringAttr>(index, gin::kNameAttr);
  argument.name = name ? name.str() : "arg" + std::to_string(index);
  bool plain = llvm::all_of(argument.name, [](char c) {
    return llvm::isAlnum(c) || StringRef("_.$-").contains(c);
  });
  if (!plain)
    return emitError(argument.location)
           << "the name '" << argument.name
           << "' has characters that no file name and option should have";
  argument.scratch =
      static_cast<bool>(entry.getArgAttr(index, gin::kScratchAttr));
  argument.source =
      static_cast<bool>(entry.getArgAttr(index, gin::kSourceAttr));
  if (auto rights =
          entry.getArgAttrOfType<gin::RightsAttr>(index, gin::kRightsAttr))
    argument.rights = static_cast<unsigned>(rights.getValue());

  Type type = argument.type;
  if (auto memref = dyn_cast<MemRefType>(type))
    return describeMemRef(argument, memref);
  if (isa<gin::SignalsType>(type)) {
    argument.kind = Kind::Bank;
    return success();
  }
  argument.kind = Kind::Scalar;
  argument.element = Element::get(type);
  if (!argument.element)
    return emitError(argument.location)
           << argument.describe() << " has type " << type
           << "; ginc run passes memrefs, banks of signals and numbers of type "
           << Element::known;
  return success();
}

LogicalResult Arguments::describe(func::FuncOp entry) {
  for (unsigned i = list.size(), e = entry.getNumArguments(); i < e; ++i) {
    BlockArgument value = entry.getArgument(i);
    Argument argument(value.getType(), value.getLoc());
    if (failed(describeArgument(entry, i, argument)))
      return failure();
    for (const Argument &other : list)
      if (other.name == argument.name)
        return emitError(argument.location)
               << "two arguments are called '" << argument.name << "'";
    list.push_back(std::move(argument));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The user's arguments
//===----------------------------------------------------------------------===//

/// Every --arg must name an argument that can be given.
LogicalResult Arguments::checkNames() const {
  std::vector<std::string> names;
  for (const Argument &argument : list)
    if (argument.isArray() || argument.kind == Kind::Scalar)
      names.push_back(argument.name);
  for (const auto &[name, setting] : settings.args) {
    if (llvm::is_contained(names, name))
      continue;
    for (const Argument &argument : list)
      if (argument.name == name)
        return setting.error(
            argument.kind == Kind::Bank
                ? "%" + name + " is a bank of signals, which begins at zero"
                : "%" + name +
                      " is a scratch window, whose contents are "
                      "undefined");
    std::string hint = didYouMean(name, names);
    if (settings.dims.count(name) && !source.isBytecode())
      hint = "; '" + name + "' is a size: pass --dims " + name + "=" +
             setting.value;
    else if (hint.empty() && source.isBytecode())
      hint = "; bytecode keeps no names: put gin.name on the arguments";
    return setting.error("the program has no argument of this name" + hint);
  }
  return success();
}

LogicalResult Arguments::plan(func::FuncOp entry) {
  if (failed(describe(entry)) || failed(checkNames()))
    return failure();
  // These are shapes in --dims; a scalar may share its name with a size.
  std::vector<std::string> shaped;
  for (const Argument &argument : list)
    if (argument.kind != Kind::Scalar)
      shaped.push_back(argument.name);
  if (failed(defineSizes(settings, shaped, sizes)))
    return failure();
  for (Argument &argument : list) {
    if (argument.kind == Kind::Scalar
            ? failed(planScalar(argument))
            : argument.isArray() && failed(planArray(argument)))
      return failure();
  }
  for (auto [index, argument] : llvm::enumerate(list))
    if (argument.kind == Kind::Bank || argument.scratch)
      if (failed(planInternal(entry, index)))
        return failure();
  if (failed(settings.checkAllUsed(sizes, shaped)))
    return failure();
  return evaluateNamedSizes();
}

LogicalResult Arguments::evaluateNamedSizes() {
  for (const auto &[name, setting] : settings.dims) {
    bool isShape = llvm::any_of(list, [&, &name = name](const Argument &other) {
      return other.kind != Kind::Scalar && other.name == name;
    });
    for (int64_t rank = 0; !isShape && rank < ranks; ++rank) {
      SizeError wrong;
      std::optional<int64_t> value = sizes.evaluate(setting.value, rank, wrong);
      if (!value)
        return settings.error(setting, sizes, wrong);
      sizeValues[name].push_back(*value);
    }
  }
  return success();
}

/// Reports what only an array can hold.
static LogicalResult checkScalarText(const Argument &argument,
                                     const Setting &setting,
                                     const Sizes &sizes) {
  StringRef text = setting.value, word = text.split(':').first;
  bool generator =
      llvm::is_contained({"zeros", "iota", "random", "integers"}, word);
  bool file = text.ends_with(".npy");
  if (!file && (!generator || llvm::is_contained(sizes.names(), text)))
    return success();
  return setting.error("%" + argument.name + " is a number of type " +
                       argument.element->name() + ", but " +
                       (file ? "files are" : "'" + word + "' is") +
                       " for arrays; pass a number or an expression of sizes");
}

LogicalResult Arguments::planScalar(Argument &argument) {
  const Element &element = *argument.element;
  auto found = settings.args.find(argument.name);
  if (found == settings.args.end())
    return emitError(argument.location)
           << argument.describe() << " has no value; pass --arg "
           << argument.name << "=<number>";
  const Setting &setting = found->second;
  if (failed(checkScalarText(argument, setting, sizes)))
    return failure();
  for (int64_t rank = 0; rank < ranks; ++rank) {
    uint64_t bits = 0;
    SizeError wrong;
    bool overflows = false;
    std::optional<double> number;
    if (element.isFloat())
      number = parseFloat(setting.value, overflows);
    if (number) {
      if (overflows || !element.fits(*number))
        return setting.error("the value does not fit into " + element.name());
      element.fromDouble(*number, &bits);
    } else if (element.isFloat() &&
               setting.value.find('/') != std::string::npos) {
      return setting.error("division rounds down to integers, but %" +
                           argument.name + " is of type " + element.name() +
                           "; pass a number such as 3.5");
    } else {
      std::optional<int64_t> value = sizes.evaluate(setting.value, rank, wrong);
      if (!value)
        return settings.error(setting, sizes, wrong);
      bool fits = element.isFloat() ? element.fits(static_cast<double>(*value))
                                    : element.fits(*value);
      if (!fits)
        return settings.error(setting, sizes,
                              Twine(*value) + " does not fit into " +
                                  element.name());
      element.fromInteger(*value, &bits);
    }
    argument.scalars.push_back(bits);
  }
  return success();
}

/// What is wrong with a shape that contradicts the argument's type, or is none;
/// "" if nothing is.
static std::string checkShape(const Argument &argument,
                              ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> known = staticShape(argument.type);
  std::string type = quoteType(argument.type);
  auto say = [](const Twine &message) { return message.str(); };
  if (shape.size() != known.size())
    return say("%" + argument.name + " is " + type + ", which has " +
               Twine(known.size()) + " dimensions, not " + Twine(shape.size()));
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0)
      return say("extent " + Twine(i) + " is negative: " + Twine(shape[i]));
    if (!ShapedType::isDynamic(known[i]) && known[i] != shape[i])
      return say("%" + argument.name + " is " + type + ", whose extent " +
                 Twine(i) + " is " + Twine(known[i]) + ", not " +
                 Twine(shape[i]));
  }
  return "";
}

LogicalResult Arguments::shapeFromSizes(Argument &argument,
                                        const Setting &setting) {
  for (int64_t rank = 0; rank < ranks; ++rank) {
    SizeError wrong;
    std::optional<std::vector<int64_t>> shape =
        sizes.evaluateList(setting.value, rank, wrong);
    if (!shape)
      return settings.error(setting, sizes, wrong);
    if (std::string misfit = checkShape(argument, *shape); !misfit.empty())
      return settings.error(setting, sizes, misfit);
    argument.shapes.push_back(std::move(*shape));
  }
  return success();
}

/// Reports a file that is of another type or shape than the argument.
static LogicalResult checkFile(const Argument &argument, const Data &data,
                               const Setting &setting) {
  std::string type = quoteType(argument.type);
  for (auto [rank, shape] : llvm::enumerate(argument.shapes)) {
    const NpyArray *array = data.array(rank);
    if (!argument.element->accepts(array->type))
      return setting.error("'" + data.fileName(rank) + "' holds " +
                           numpyName(array->type) + ", but %" + argument.name +
                           " is " + type + ", which takes " +
                           argument.element->numpyName());
    if (array->shape != shape)
      return setting.error("'" + data.fileName(rank) + "' has shape " +
                           formatShape(array->shape) + ", but %" +
                           argument.name + " has shape " + formatShape(shape) +
                           " on rank " + Twine(rank));
  }
  return success();
}

/// All extents of a window but the first agree on all ranks.
LogicalResult ginc::checkWindow(const Argument &argument) {
  if (argument.kind != Kind::Window)
    return success();
  ArrayRef<int64_t> first = argument.shapes.front();
  for (auto [rank, shape] : llvm::enumerate(argument.shapes))
    if (!shape.empty() && ArrayRef(shape).drop_front() != first.drop_front())
      return emitError(argument.location)
             << argument.describe() << " has shape " << formatShape(first)
             << " on rank 0 and " << formatShape(shape) << " on rank " << rank
             << "; only the first extent of a window may differ";
  return success();
}

LogicalResult Arguments::planArray(Argument &argument) {
  Data contents;
  auto given = settings.args.find(argument.name);
  if (given != settings.args.end()) {
    FailureOr<Data> parsed = Data::parse(given->second, source, ranks);
    if (failed(parsed) ||
        failed(parsed->check(*argument.element, given->second)))
      return failure();
    contents = std::move(*parsed);
  }

  auto sized = settings.dims.find(argument.name);
  ArrayRef<int64_t> known = staticShape(argument.type);
  if (sized != settings.dims.end()) {
    if (failed(shapeFromSizes(argument, sized->second)))
      return failure();
  } else if (llvm::none_of(known, ShapedType::isDynamic)) {
    argument.shapes.assign(ranks, known.vec());
  } else if (contents.isFile()) {
    for (int64_t rank = 0; rank < ranks; ++rank) {
      argument.shapes.push_back(contents.array(rank)->shape);
      std::string misfit = checkShape(argument, argument.shapes.back());
      if (!misfit.empty())
        return given->second.error(misfit);
    }
  } else {
    return emitError(argument.location)
           << argument.describe() << " is " << argument.type
           << ", whose sizes only a run can know; pass --dims " << argument.name
           << "=<extents>";
  }
  if (contents.isFile() && failed(checkFile(argument, contents, given->second)))
    return failure();
  data[argument.name] = std::move(contents);
  return checkWindow(argument);
}

const Argument *Arguments::findArray(StringRef name, StringRef option) const {
  std::vector<std::string> names;
  for (const Argument &argument : list) {
    if (!argument.isArray())
      continue;
    if (argument.name == name)
      return &argument;
    names.push_back(argument.name);
  }
  for (const Argument &argument : list)
    if (argument.name == name) {
      (void)error("--" + option + " " + name + ": %" + name +
                  (argument.kind == Kind::Bank     ? " is a bank of signals"
                   : argument.kind == Kind::Scalar ? " is a number"
                                                   : " is a scratch window") +
                  ", not an array that holds results");
      return nullptr;
    }
  (void)error("--" + option + " " + name +
              ": the program has no argument of this name" +
              didYouMean(name, names));
  return nullptr;
}

void Arguments::forEachFile(
    llvm::function_ref<void(StringRef file, StringRef origin)> visit) const {
  for (const auto &[name, contents] : data)
    for (const std::string &file : contents.fileNames())
      visit(file, settings.args.at(name).origin);
}
