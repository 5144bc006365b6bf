//===- DecomposeCollectives.h - parts of gin-decompose-collectives -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Private to the pass. DecomposeCollectives.cpp is its driver; the other files
// named so are
//
//   ...Calls        bring collectives of called functions into their callers
//   ...Sizes        extents of values in terms of a function's arguments
//   ...Checks       what only a run can know of shapes
//   ...Emitter      what all algorithms are written with
//   ...Arithmetic   computing with the elements of windows
//   ...Gather       all_gather, all_to_all
//   ...Reduce       reduce_scatter, all_reduce
//   ...Experts      dispatch, combine
//
// All lowerings have one shape: checks of the shapes; a barrier of the team,
// after which everybody may write into everybody's results and scratch windows;
// puts with signals, each waited for; a flush, after which the inputs may be
// reused. Where types say that there is nothing to move, the rest is left out
// after the barrier.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_CONVERSION_DECOMPOSECOLLECTIVES_H
#define GINC_PASSES_CONVERSION_DECOMPOSECOLLECTIVES_H

#include "dialect/Gin.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace gin {

/// Replaces calls of functions that have collectives by their bodies, since the
/// banks and scratch windows of a collective become arguments of the function
/// that is launched. Erases private functions that are no longer called.
mlir::LogicalResult inlineCallsOfCollectives(mlir::ModuleOp module);

/// Writes extents as expressions of what is known when a program is launched:
/// symbol 0 is the number of ranks, the others are the dynamic sizes of a
/// function's arguments, as in `gin.sizes`.
class SizeTracer {
public:
  explicit SizeTracer(mlir::func::FuncOp function) : function(function) {}

  /// The number of ranks of `team` or, if that is not known, of the world.
  mlir::AffineExpr ranks(mlir::Attribute team);
  bool knowsRanks(mlir::Attribute team);
  /// An upper bound of an extent, often exact; null if it depends on data.
  mlir::AffineExpr extent(mlir::Value memref, int64_t dim, bool exact = false);
  /// Whether `extent` has one value for all ranks whenever a program can run:
  /// of a window, all sizes but the first are the same everywhere.
  bool isAlike(mlir::AffineExpr extent);

private:
  bool isScratch(mlir::BlockArgument argument);
  mlir::AffineExpr argumentExtent(mlir::BlockArgument argument, int64_t dim);
  mlir::AffineExpr viewExtent(mlir::Operation *view, int64_t dim, bool exact);
  mlir::AffineExpr index(mlir::OpFoldResult value, bool exact);
  mlir::AffineExpr binary(mlir::Operation *op, bool exact);
  mlir::AffineExpr constant(int64_t value);

  mlir::func::FuncOp function;
};

/// The root window of a view, or the value itself.
mlir::Value rootOf(mlir::Value window);

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// A slot of a bank.
struct Slot {
  mlir::Value bank;
  llvm::SmallVector<mlir::OpFoldResult, 2> indices;
};

/// Slots for the steps of a tree: enough for 2^32 ranks.
inline constexpr int64_t kMaxTreeSteps = 32;

/// Emits program-level ops in front of one collective, whose team all of them
/// have. Peers, `me` and `ranks` are numbers within that team.
class CollectiveEmitter {
public:
  using Sizes = llvm::SmallVector<mlir::OpFoldResult>;
  using Body = llvm::function_ref<void(mlir::Value)>;
  using Extents = llvm::SmallVector<mlir::AffineExpr>;

  CollectiveEmitter(mlir::Operation *op, mlir::Attribute team);

  mlir::ImplicitLocOpBuilder b;
  mlir::Value me, ranks;

  //===-- Banks and scratch windows ---------------------------------------===//

  /// What can size a bank or scratch window for one entry for each rank.
  mlir::AffineExpr rankExtent() { return sizes.ranks(team); }
  mlir::AffineExpr staticExtent(int64_t extent);
  /// A memref without its first dimensions, and what a diagnostic calls it.
  struct Operand {
    llvm::StringRef what;
    mlir::Value memref;
    int64_t first = 0;
  };
  /// The extents that all `operands` have, as far as one of them tells what a
  /// launcher can know, if possible the same for all ranks; else an error.
  mlir::FailureOr<Extents> extentsOf(llvm::ArrayRef<Operand> operands);
  bool isAlike(mlir::AffineExpr extent) { return sizes.isAlike(extent); }

  /// Appends a bank to the function's arguments.
  mlir::Value bank(llvm::StringRef name,
                   llvm::ArrayRef<mlir::AffineExpr> extents);
  /// Appends a scratch window; it may turn out larger than `extents` on the
  /// spot say, so that only its strides may be relied on.
  mlir::Value scratch(llvm::StringRef name, mlir::Type element,
                      llvm::ArrayRef<mlir::AffineExpr> extents);

  //===-- Checks ----------------------------------------------------------===//
  //
  // Each ends the run with an error of the collective where it does not hold,
  // and is left out where that cannot be. They stand before the barrier, so
  // that nobody sends anything if one fails on any rank.

  /// An extent of an operand, and what a diagnostic calls the operand.
  struct Extent {
    llvm::StringRef what;
    mlir::Value memref;
    int64_t dim;
  };
  void checkSame(const Extent &one, const Extent &other);
  /// All extents of `one` from `first` on are those of `other` from
  /// `otherFirst` on.
  void checkSameShape(const Operand &one, const Operand &other);
  /// The extent is the team's number of ranks; or no less, if a launcher cannot
  /// know that number, since it makes a window for all ranks then.
  void checkRanks(const Extent &extent);
  /// The first extent that all `operands` have is the same on all ranks.
  /// `scratch` is a window whose first extent was computed from it.
  void checkAlike(llvm::ArrayRef<Operand> operands, mlir::Value scratch);

  //===-- Communication ---------------------------------------------------===//

  void barrier();
  void flush();
  /// Puts `source` at `indices` of `window`, those left out being 0. `slot`, if
  /// any, gets a bundled signal.
  void put(mlir::Value source, mlir::Value window,
           llvm::ArrayRef<mlir::OpFoldResult> indices, mlir::Value peer,
           std::optional<Slot> slot = std::nullopt);
  /// A plain signal: it covers what was put to `peer` and own loads and stores.
  void signal(const Slot &slot, mlir::Value peer);
  /// Waits for all that one execution of the collective sends to `slot`.
  void wait(const Slot &slot, int64_t weight = 1);

  //===-- Numbers ---------------------------------------------------------===//

  mlir::Value index(int64_t value);
  mlir::Value value(mlir::OpFoldResult value);
  template <typename OpTy>
  mlir::Value make(mlir::Value left, mlir::Value right) {
    return b.createOrFold<OpTy>(left, right);
  }
  mlir::Value add(mlir::Value left, mlir::Value right);
  mlir::Value sub(mlir::Value left, mlir::Value right);
  mlir::Value mul(mlir::Value left, mlir::Value right);
  /// (me + distance) mod ranks.
  mlir::Value neighbor(mlir::OpFoldResult distance);
  mlir::Value neighborBack(mlir::Value distance);
  /// The number of doublings that reach `ranks` from 1.
  mlir::Value treeSteps();

  //===-- Control flow ----------------------------------------------------===//

  void forRange(mlir::Value lower, mlir::Value upper, Body body);
  void forRange(int64_t lower, mlir::Value upper, Body body);
  void ifThen(mlir::Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise = nullptr);
  /// Two ways: for a team of one rank and for larger ones.
  void ifAlone(llvm::function_ref<void()> alone,
               llvm::function_ref<void()> others);

  //===-- Memory ----------------------------------------------------------===//

  /// Extents of `memref` from dimension `first` on.
  Sizes sizesOf(mlir::Value memref, int64_t first = 0);
  /// The block of `shape` at `indices`, which name the leading dimensions.
  mlir::Value block(mlir::Value memref,
                    llvm::ArrayRef<mlir::OpFoldResult> indices,
                    const Sizes &shape);
  /// `count` blocks of `shape` from block `first` on.
  mlir::Value blocks(mlir::Value memref, mlir::OpFoldResult first,
                     mlir::OpFoldResult count, const Sizes &shape);
  /// The window's elements in one dimension; its layout must be the identity.
  mlir::Value flat(mlir::Value window);
  void copy(mlir::Value source, mlir::Value target);

  using ElementBody = llvm::function_ref<mlir::Value(mlir::ValueRange)>;
  /// target[i] = body(sources[i]…) for all i; `target` may be one of the
  /// sources.
  void map(mlir::ValueRange sources, mlir::Value target, ElementBody body);
  void fill(mlir::Value target, mlir::TypedAttr value);

  /// target = left op right.
  void reduce(ReduceKind kind, mlir::Value left, mlir::Value right,
              mlir::Value target);

private:
  void check(mlir::arith::CmpIPredicate predicate, mlir::Value one,
             mlir::Value other, const llvm::Twine &error);
  mlir::Value checkedSize(const Extent &extent);
  mlir::Value append(llvm::StringRef what, mlir::Type type,
                     llvm::ArrayRef<mlir::AffineExpr> extents, bool scratch);
  mlir::OpFoldResult countEarlier(mlir::Operation *op);
  mlir::OpFoldResult countByMemory();

  mlir::func::FuncOp function;
  mlir::Operation *op;
  mlir::Attribute team;
  std::string name;
  SizeTracer sizes;
  llvm::SmallDenseMap<int64_t, mlir::Value> constants;
  llvm::SmallDenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> checked;
  /// How often this collective was executed earlier in the launch.
  mlir::OpFoldResult earlier;
};

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Sums of these types lose too much by rounding each time: compute in f32.
bool isNarrowFloat(mlir::Type type);
/// The type to compute in with elements of `type`.
mlir::Type computeType(mlir::Type type);
/// Conversions between elements and what is computed with.
mlir::Value widen(mlir::ImplicitLocOpBuilder &b, mlir::Value element);
mlir::Value narrow(mlir::ImplicitLocOpBuilder &b, mlir::Value wide,
                   mlir::Type type);
/// `left op right` in the type to compute in; integers are signed.
mlir::Value combine(mlir::ImplicitLocOpBuilder &b, ReduceKind kind,
                    mlir::Value left, mlir::Value right);
mlir::Value multiply(mlir::ImplicitLocOpBuilder &b, mlir::Value left,
                     mlir::Value right);

//===----------------------------------------------------------------------===//
// Algorithms
//===----------------------------------------------------------------------===//

/// Whether an extent is 0 by the type.
bool hasZero(mlir::Value memref);

mlir::LogicalResult lowerAllGather(AllGatherOp op,
                                   CollectiveAlgorithm algorithm);
mlir::LogicalResult lowerAllToAll(AllToAllOp op, CollectiveAlgorithm algorithm);
mlir::LogicalResult lowerReduceScatter(ReduceScatterOp op,
                                       CollectiveAlgorithm algorithm);
mlir::LogicalResult lowerAllReduce(AllReduceOp op,
                                   CollectiveAlgorithm algorithm);
mlir::LogicalResult lowerDispatch(DispatchOp op);
mlir::LogicalResult lowerCombine(CombineOp op);

} // namespace gin

#endif // GINC_PASSES_CONVERSION_DECOMPOSECOLLECTIVES_H
