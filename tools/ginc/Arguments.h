//===- Arguments.h - the arguments of the entry -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What each rank passes to the program: windows, plain memrefs, banks of
// signals and scalars. The user's arguments are planned (shapes, data) and
// allocated before the program is compiled, scratch windows and banks after
// collectives have been expanded, which may add some.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_ARGUMENTS_H
#define GINC_TOOLS_GINC_ARGUMENTS_H

#include "Data.h"
#include "Element.h"
#include "Settings.h"

#include "runtime/sim/Simulator.h"

#include <memory>
#include <vector>

namespace ginc {

struct Argument {
  enum class Kind { Window, Memory, Bank, Scalar };

  Argument(mlir::Type type, mlir::Location location)
      : type(type), location(location) {}

  Kind kind = Kind::Scalar;
  std::string name;
  mlir::Type type;
  mlir::Location location;
  std::optional<Element> element; ///< of all but banks
  bool scratch = false;
  bool source = false;
  unsigned rights = sim::AllRights;

  /// By rank. Of a bank there is one shape, with the largest extents of all
  /// ranks.
  std::vector<std::vector<int64_t>> shapes;
  std::vector<uint64_t> scalars; ///< by rank; the value's low bits
  std::vector<char *> data;      ///< by rank; of windows and memory
  void *record = nullptr;        ///< gin_window_t or gin_bank_t

  /// Whether the user sees it as an array: reads, writes, compares it.
  bool isArray() const {
    return (kind == Kind::Window || kind == Kind::Memory) && !scratch;
  }
  /// Bytes of one rank's part.
  uint64_t bytes(int64_t rank) const {
    return *numElements(shapes[rank]) * element->bytes();
  }
  /// "argument %x".
  std::string describe() const { return "argument %" + name; }
};

/// Fills a scratch window: nobody may rely on what is there; floats are NaN.
void poison(const Argument &argument, int64_t rank);

/// The extents in the type of an array or bank.
llvm::ArrayRef<int64_t> staticShape(mlir::Type type);
/// All extents of a window but the first agree on all ranks.
mlir::LogicalResult checkWindow(const Argument &argument);

class Arguments {
public:
  Arguments(Source &source, const Settings &settings, int64_t ranks)
      : source(source), settings(settings), ranks(ranks), sizes(ranks) {}

  /// Plans the arguments of `entry` that are the user's; reports what is
  /// missing or contradicts.
  mlir::LogicalResult plan(mlir::func::FuncOp entry);
  /// Allocates and fills them.
  mlir::LogicalResult allocate(sim::Simulator &simulator);
  /// Plans and allocates banks and scratch windows, of which there may be new
  /// ones behind the old arguments.
  mlir::LogicalResult allocateInternal(mlir::func::FuncOp entry,
                                       sim::Simulator &simulator);

  llvm::ArrayRef<Argument> all() const { return list; }
  /// The files that arguments are read from, and the setting that says so.
  /// Before allocate().
  void forEachFile(
      llvm::function_ref<void(llvm::StringRef file, llvm::StringRef origin)>
          visit) const;
  /// The array called `name`; reports that there is none, blaming `option`.
  const Argument *findArray(llvm::StringRef name, llvm::StringRef option) const;
  /// Values of the named sizes, by rank.
  const std::map<std::string, std::vector<int64_t>> &namedSizes() const {
    return sizeValues;
  }

  /// The pointers that `rank` hands to the program: for each argument the
  /// address of what its C wrapper takes. Valid as long as this object.
  void **pack(int64_t rank) { return packed[rank].pointers.data(); }

private:
  mlir::LogicalResult describe(mlir::func::FuncOp entry);
  mlir::LogicalResult checkNames() const;
  mlir::LogicalResult planArray(Argument &argument);
  mlir::LogicalResult planScalar(Argument &argument);
  mlir::LogicalResult planInternal(mlir::func::FuncOp entry, unsigned index);
  mlir::LogicalResult shapeFromSizes(Argument &argument,
                                     const Setting &setting);
  mlir::LogicalResult shapeFromMap(Argument &argument, mlir::AffineMap map);
  mlir::LogicalResult evaluateNamedSizes();
  std::vector<int64_t> dynamicSizes(int64_t rank) const;
  mlir::LogicalResult checkMemory() const;
  void allocateArray(sim::Simulator &simulator, Argument &argument);
  void packRank(int64_t rank);

  Source &source;
  const Settings &settings;
  int64_t ranks;
  Sizes sizes;
  std::vector<Argument> list;
  std::map<std::string, Data> data; ///< by name
  std::map<std::string, std::vector<int64_t>> sizeValues;
  std::vector<std::unique_ptr<char[]>> memory; ///< of plain memrefs

  /// One rank's descriptors, and pointers to pointers to them.
  struct Packed {
    std::vector<std::vector<int64_t>> descriptors;
    std::vector<void *> values;
    std::vector<void *> pointers;
  };
  std::vector<Packed> packed;
};

} // namespace ginc

#endif // GINC_TOOLS_GINC_ARGUMENTS_H
