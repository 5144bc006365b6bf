//===- ContractCalls.cpp - emit calls of the device contract ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ContractCalls.h"

#include "dialect/SourceText.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace gin;

ContractCall::ContractCall(Operation *op, ConversionPatternRewriter &rewriter,
                           const LLVMTypeConverter &converter)
    : function(op->getParentOfType<FunctionOpInterface>()),
      module(SymbolTable::getNearestSymbolTable(op)), op(op),
      rewriter(rewriter), b(op->getLoc(), rewriter),
      pointer(LLVM::LLVMPointerType::get(&converter.getContext())) {}

Value ContractCall::constant(unsigned width, int64_t value) {
  return LLVM::ConstantOp::create(
      b, b.getIntegerAttr(b.getIntegerType(width), value));
}

Value ContractCall::null() { return LLVM::ZeroOp::create(b, pointer); }

Value ContractCall::index(OpFoldResult value, int64_t otherwise) {
  if (!value)
    return constant(64, otherwise);
  if (auto literal = dyn_cast<Attribute>(value))
    return constant(64, cast<IntegerAttr>(literal).getInt());
  return rewriter.getRemappedValue(cast<Value>(value));
}

//===----------------------------------------------------------------------===//
// Constants of the module
//===----------------------------------------------------------------------===//

/// The constant or declaration `name` at the head of the module, where all that
/// this file makes stand.
static Operation *findAtHead(Operation *module, StringAttr name) {
  for (Operation &op : module->getRegion(0).front()) {
    if (!isa<LLVM::GlobalOp, LLVM::LLVMFuncOp>(op))
      return nullptr;
    if (SymbolTable::getSymbolName(&op) == name)
      return &op;
  }
  return nullptr;
}

Value ContractCall::global(const Twine &nameText, Type type, Attribute value,
                           llvm::function_ref<Value()> initializer) {
  StringAttr name = b.getStringAttr(nameText);
  if (!findAtHead(module, name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&module->getRegion(0).front());
    auto global =
        LLVM::GlobalOp::create(b, type, /*isConstant=*/true,
                               LLVM::Linkage::Private, name.getValue(), value);
    if (initializer) {
      b.createBlock(&global.getInitializerRegion());
      LLVM::ReturnOp::create(b, initializer());
    }
  }
  return LLVM::AddressOfOp::create(b, pointer, name.getValue());
}

/// A value of structure or array type with these parts.
static Value aggregate(ImplicitLocOpBuilder &b, Type type,
                       ArrayRef<Value> parts) {
  Value result = LLVM::UndefOp::create(b, type);
  for (auto [position, part] : llvm::enumerate(parts))
    result = LLVM::InsertValueOp::create(b, result, part,
                                         static_cast<int64_t>(position));
  return result;
}

static Type structOf(MLIRContext *context, ArrayRef<Value> fields) {
  return LLVM::LLVMStructType::getLiteral(
      context, llvm::to_vector(ValueRange(fields).getTypes()));
}

Value ContractCall::string(StringRef text) {
  std::string terminated = text.str();
  terminated.push_back('\0');
  Type type = LLVM::LLVMArrayType::get(b.getI8Type(), terminated.size());
  return global("text " + text, type, b.getStringAttr(terminated), nullptr);
}

Value ContractCall::strings(ArrayAttr texts) {
  std::string name = "texts";
  for (auto text : texts.getAsRange<StringAttr>())
    name += " " + text.str();
  Type type = LLVM::LLVMArrayType::get(pointer, texts.size());
  return global(name, type, Attribute(), [&] {
    SmallVector<Value> parts;
    for (auto text : texts.getAsRange<StringAttr>())
      parts.push_back(string(text));
    return aggregate(b, type, parts);
  });
}

/// Where `location` is in a file, or null.
static FileLineColLoc findFileLocation(Location location) {
  if (auto file = dyn_cast<FileLineColLoc>(location))
    return file;
  if (auto named = dyn_cast<NameLoc>(location))
    return findFileLocation(named.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return findFileLocation(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (FileLineColLoc file = findFileLocation(part))
        return file;
  return nullptr;
}

Value ContractCall::site() {
  FileLineColLoc where = findFileLocation(op->getLoc());
  StringRef file = where ? where.getFilename().getValue() : "?";
  unsigned line = where ? where.getLine() : 0;
  unsigned column = where ? where.getColumn() : 0;
  std::string text = sourceTextOf(op);
  Type type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), {pointer, pointer, intType(32), intType(32)});
  return global("site " + file + ":" + Twine(line) + ":" + Twine(column) + " " +
                    text,
                type, Attribute(), [&] {
                  return aggregate(b, type,
                                   {string(file), string(text),
                                    constant(32, line), constant(32, column)});
                });
}

Value ContractCall::team(Attribute team) {
  auto named = dyn_cast_or_null<TeamAttr>(team);
  auto grid = dyn_cast_or_null<GridAttr>(team);
  if (!grid && (!named || named.getKind() == TeamKind::World))
    return null();
  // gin_team_kind numbers as TeamKind does, with 3 for a whole grid.
  int64_t kind = grid ? 3 : static_cast<int64_t>(named.getKind());
  int64_t along = grid ? 0 : named.getAxis();
  if (named)
    grid = named.getGrid();
  ArrayRef<int64_t> extents = grid ? grid.getShape() : ArrayRef<int64_t>();

  std::string text;
  llvm::raw_string_ostream(text) << team;
  Type type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), {intType(32), intType(32), intType(64), pointer});
  auto extentsAddress = [&]() -> Value {
    if (extents.empty())
      return null();
    // A dynamic extent is INT64_MIN in the dialect as in the contract.
    static_assert(ShapedType::kDynamic == INT64_MIN);
    Type array = LLVM::LLVMArrayType::get(intType(64), extents.size());
    return global("extents of " + text, array, b.getI64TensorAttr(extents),
                  nullptr);
  };
  return global("team " + text, type, Attribute(), [&] {
    return aggregate(b, type,
                     {constant(32, kind), constant(32, along),
                      constant(64, extents.size()), extentsAddress()});
  });
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

unsigned gin::memoryBits(Type element) {
  if (element.isIndex())
    return 64;
  return std::max(
      8u, unsigned(llvm::PowerOf2Ceil(element.getIntOrFloatBitWidth())));
}

int32_t gin::contractType(Type element) {
  // The numbers of gin_type in runtime/device/contract.h.
  if (isa<Float16Type>(element))
    return 4;
  if (isa<BFloat16Type>(element))
    return 5;
  if (isa<Float32Type>(element))
    return 6;
  if (isa<Float64Type>(element))
    return 7;
  if (isa<Float8E4M3FNType>(element))
    return 8;
  if (isa<Float8E5M2Type>(element))
    return 9;
  return llvm::Log2_32(memoryBits(element)) - 3;
}

Value ContractCall::toBits(Value value) {
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (isa<FloatType>(value.getType()))
    value = LLVM::BitcastOp::create(b, intType(width), value);
  if (width < 64)
    value = LLVM::ZExtOp::create(b, intType(64), value);
  return value;
}

Value ContractCall::fromBits(Value bits, Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 64)
    bits = LLVM::TruncOp::create(b, intType(width), bits);
  if (isa<FloatType>(type))
    bits = LLVM::BitcastOp::create(b, type, bits);
  return bits;
}

//===----------------------------------------------------------------------===//
// Structures on the stack
//===----------------------------------------------------------------------===//

Value ContractCall::stackSlot(Type type, StringRef role) {
  Block &entry = function->getRegion(0).front();
  StringAttr roleAttr = b.getStringAttr(role);
  for (Operation &head : entry) {
    auto slot = dyn_cast<LLVM::AllocaOp>(head);
    if (slot && slot->getAttr("role") == roleAttr && slot.getElemType() == type)
      return slot;
    if (!isa<LLVM::ConstantOp, LLVM::AllocaOp>(head))
      break;
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&entry);
  auto slot = LLVM::AllocaOp::create(b, pointer, type, constant(64, 1));
  slot->setAttr("role", roleAttr);
  return slot;
}

Value ContractCall::onStack(Value value, StringRef role) {
  Value slot = stackSlot(value.getType(), role);
  LLVM::StoreOp::create(b, value, slot);
  return slot;
}

Value ContractCall::structure(ArrayRef<Value> fields, StringRef role) {
  Type type = structOf(b.getContext(), fields);
  Value slot = stackSlot(type, role);
  for (auto [position, field] : llvm::enumerate(fields)) {
    Value address = LLVM::GEPOp::create(
        b, pointer, type, slot,
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(position)});
    LLVM::StoreOp::create(b, field, address);
  }
  return slot;
}

Value ContractCall::indexArray(ArrayRef<OpFoldResult> indices, StringRef role) {
  if (indices.empty())
    return null();
  Type type = LLVM::LLVMArrayType::get(intType(64), indices.size());
  Value slot = stackSlot(type, role);
  for (auto [position, value] : llvm::enumerate(indices)) {
    Value address = LLVM::GEPOp::create(
        b, pointer, type, slot,
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(position)});
    LLVM::StoreOp::create(b, index(value), address);
  }
  return slot;
}

Value ContractCall::place(Value memref, StringRef role) {
  return place(memref, {}, role);
}

Value ContractCall::place(Value memref, ArrayRef<OpFoldResult> indices,
                          StringRef role) {
  int64_t rank = cast<MemRefType>(memref.getType()).getRank();
  Value descriptor =
      onStack(rewriter.getRemappedValue(memref), (role + ".descriptor").str());
  return structure({descriptor, constant(64, rank),
                    indexArray(indices, (role + ".indices").str())},
                   role);
}

Value ContractCall::slot(SlotOpInterface op) {
  Value bank = op.getBankOrNull();
  if (!bank) {
    Type type = LLVM::LLVMStructType::getLiteral(
        b.getContext(), {pointer, intType(64), pointer});
    return global("no signal", type, Attribute(),
                  [&]() -> Value { return LLVM::ZeroOp::create(b, type); });
  }
  SmallVector<OpFoldResult> indices = op.getMixedSlot();
  return structure({rewriter.getRemappedValue(bank),
                    constant(64, indices.size()),
                    indexArray(indices, "slot.indices")},
                   "slot");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Returns the declaration if it was not there before.
LLVM::LLVMFuncOp ContractCall::declare(StringRef name, Type result,
                                       ValueRange args) {
  if (findAtHead(module, b.getStringAttr(name)) ||
      SymbolTable::lookupSymbolIn(module, name))
    return nullptr;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&module->getRegion(0).front());
  Type type = LLVM::LLVMFunctionType::get(
      result ? result : LLVM::LLVMVoidType::get(b.getContext()),
      llvm::to_vector(args.getTypes()));
  return LLVM::LLVMFuncOp::create(b, name, type);
}

Value ContractCall::ask(StringRef name, ValueRange args) {
  if (LLVM::LLVMFuncOp question = declare(name, intType(64), args)) {
    LLVM::ModRefInfo none = LLVM::ModRefInfo::NoModRef;
    question.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
        b.getContext(), none, none, none, none, none, none));
    question.setNoUnwind(true);
    question.setWillReturn(true);
  }
  return call(name, intType(64), args);
}

Value ContractCall::call(StringRef name, Type result, ValueRange args) {
  declare(name, result, args);
  auto call = LLVM::CallOp::create(b, result ? TypeRange(result) : TypeRange(),
                                   name, args);
  return result ? call.getResult() : Value();
}
