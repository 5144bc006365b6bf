//===- Internal.h - the emitter of CUDA C++ ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Private to this folder. The emitter goes once over the kernel. Each value
// gets a printed form where it is defined: a name, or an expression that its
// only user contains. A memref has none but a View: where it is, in symbols.
//
//===----------------------------------------------------------------------===//

#ifndef GINC_PASSES_TARGET_INTERNAL_H
#define GINC_PASSES_TARGET_INTERNAL_H

#include "Text.h"
#include "dialect/Gin.h"

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

#include <list>

namespace gin::cuda {

using namespace mlir;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// How tightly C++ binds, from loose to tight.
enum Precedence {
  Ternary,
  LogicalOr,
  LogicalAnd,
  BitwiseOr,
  BitwiseXor,
  BitwiseAnd,
  Equal,
  Relational,
  Shift,
  Additive,
  Multiplied,
  Unary,
  Primary
};

struct Expr {
  std::string text;
  Precedence precedence = Primary;
  /// What a variable of this value's type can be made of, if that is less: the
  /// text without a conversion that C++ makes by itself.
  std::string initializer = {};

  /// In parentheses unless it binds at least as tightly as `least`.
  std::string in(Precedence least) const {
    return precedence < least ? "(" + text + ")" : text;
  }
  bool operator==(const Expr &other) const { return text == other.text; }
};

/// factor * names[0] * names[1] * ...
struct Product {
  int64_t factor = 1;
  SmallVector<Expr> names;

  bool isZero() const { return factor == 0; }
  bool isConstant() const { return names.empty() || factor == 0; }
  bool isOne() const { return factor == 1 && names.empty(); }
  bool operator==(const Product &other) const {
    return factor == other.factor && names == other.names;
  }
  Product operator*(const Product &other) const;
  Expr print() const;
};

/// Products added up.
struct Sum {
  SmallVector<Product> terms;

  void add(const Product &term);
  void add(const Sum &other) {
    for (const Product &term : other.terms)
      add(term);
  }
  bool isZero() const { return terms.empty(); }
  Expr print() const;
};

//===----------------------------------------------------------------------===//
// The signature
//===----------------------------------------------------------------------===//

/// An argument of the kernel. Windows become a gin::Window, banks a gin::Bank,
/// other memrefs a pointer; each `?` becomes an integer.
struct Argument {
  enum Kind { Window, Pointer, Bank, Scalar };

  BlockArgument value;
  Kind kind;
  std::string name;
  std::string object; ///< name of the kernel's parameter
  Type type;          ///< of elements, or the scalar's
  SmallVector<int64_t> shape;
  SmallVector<std::string> extents; ///< names; empty where the shape is static
  /// Those that are the kernel's parameters for this argument alone, the others
  /// empty.
  SmallVector<std::string> parameters;
  bool source = false, scratch = false;
  /// Of a window that is loaded and stored only: the kernel takes a pointer.
  bool byPointer = false;
  AffineMap sizes; ///< of `?`, by gin.sizes
  unsigned rights = 7;

  /// Whether the caller passes it.
  bool isPassed() const { return kind != Bank && !scratch; }
};

/// A grid of ranks, whose `?` are parameters of the kernel.
struct GridName {
  GridAttr grid;
  std::string name;
  SmallVector<std::string> extents; ///< all, literals where they are static
};
struct TeamName {
  TeamAttr team;
  std::string name;
  unsigned index; ///< of its barriers; 0 is the world
};

/// A gin.matmul: a type, and a parameter of the kernel.
struct TileLoop {
  MatmulOp op;
  std::string config, operands; ///< names
  std::string described;        ///< the launcher's name of the operands
  std::string type;             ///< what `config` stands for
  bool grouped;                 ///< the parameter is a gin::MatmulGroups
};

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

/// Where a memref is. Offsets, sizes and strides are in elements.
struct View {
  Argument *argument = nullptr; ///< whose memory it is, if any
  std::string window;           ///< expression of a gin::Window, or empty
  Sum offset;                   ///< from the window's begin
  std::string pointer;          ///< empty: that of the argument
  Sum fromPointer;              ///< offset from the pointer
  SmallVector<Product> sizes, strides;
  Type element;
};

/// A variable that is a part of where a memref is.
struct Part {
  enum Kind { Window, Pointer, Offset, Size, Stride } kind;
  size_t dim; ///< of a size or stride
  std::string variable;
};

/// What stands for a value that a loop carries or a branch yields; nothing if
/// nobody uses it.
struct Carried {
  Type type;
  std::string variable;    ///< unless it is a memref
  SmallVector<Part> parts; ///< of a memref, those that vary
};

/// The size of a dimension of a memref, or its stride.
struct ExtentOf {
  Value memref;
  unsigned dim;
  bool isStride;
  bool operator==(const ExtentOf &other) const {
    return memref == other.memref && dim == other.dim &&
           isStride == other.isStride;
  }
};

//===----------------------------------------------------------------------===//
// The emitter
//===----------------------------------------------------------------------===//

/// C++ names that are visible, scope by scope.
class Names {
public:
  Names();
  void enter() { scopes.emplace_back(); }
  void leave() { scopes.pop_back(); }
  /// A name that nothing visible has: `wanted`, or that and a number. Nothing
  /// that comes later has it if it is taken `everywhere`.
  std::string fresh(StringRef wanted, bool everywhere = false);

private:
  std::vector<llvm::StringSet<>> scopes;
};

/// The name that `value` has in the source, as a C++ identifier; or empty.
std::string sourceName(Value value);
/// `name`, which is not empty, as C can have it.
std::string identifierOf(StringRef name);
/// What the source calls an op and its operands, "gin.put %x into %y on %peer",
/// or what a pass has made it of.
std::string constructText(Operation *op);
/// Its place in the source; line 0 if it has none.
struct Place {
  std::string file;
  unsigned line = 0;
};
Place placeOf(Location location);

/// C++ of a type of values and elements; empty for others.
std::string typeName(Type type);
/// The name of an unsigned integer as wide as `type`.
std::string unsignedName(Type type);
bool isSmallFloat(Type type);
Expr literal(TypedAttr constant);
/// A string literal.
std::string quote(StringRef text);

/// Whether it is what nothing determines.
bool isPoison(Value value);

/// The extents and strides of an array that is stored without gaps.
SmallVector<Product> rowMajor(ArrayRef<Product> sizes);

/// Whether an op may stand in a kernel; if not, says what to do.
LogicalResult verifyEmittable(Operation *op);
/// Whether it is a value's computation alone: pure, or a load.
bool isExpression(Operation *op);
/// Whether it is an op of numbers that has a text.
bool isArithmetic(Operation *op);
/// Whether it makes a number of another type out of one.
bool isCast(Operation *op);
/// Whether it asks where a thread or block is, or how many there are.
bool isPlace(Operation *op);
/// Whether it is the number of a thread among those of all blocks, or of all of
/// them; its parts then need no text.
bool isThreadInGrid(Operation *op);
bool isThreadsOfGrid(Operation *op);
/// Whether its result is a memref that its operand contains.
bool isView(Operation *op);

/// Whether elements of a block follow each other without gaps.
bool isContiguous(ArrayRef<Product> sizes, ArrayRef<Product> strides);
/// `{a, b}`
std::string braces(ArrayRef<Product> products);

class Emitter {
public:
  /// `function` is one of `program`, a kernel or the function that launches
  /// kernels. All take the same arguments, but for the last ones, and call them
  /// and their extents by the same names.
  Emitter(FunctionOpInterface function, ArrayRef<FunctionOpInterface> program);
  LogicalResult emit();

  FunctionOpInterface function;
  gpu::GPUFuncOp kernel; ///< the same, unless it launches kernels
  SmallVector<FunctionOpInterface> program;
  /// Of the function that launches them, in which the steps name them.
  const std::list<Emitter> *kernels = nullptr;
  std::string name;
  std::string file; ///< of the source
  std::list<Argument> arguments;
  std::list<Argument> numbers; ///< arguments that no other kernel takes
  std::list<GridName> grids;
  std::list<TeamName> teams;
  std::list<TileLoop> tileLoops;
  std::string source; ///< the kernel's text, or the launcher's statements
  /// What the kernel takes after its program, by name.
  SmallVector<std::string> kernelArguments;
  unsigned threads = 256;
  std::optional<unsigned> blocks; ///< known number
  unsigned leastBlocks = 1;
  uint64_t sharedBytes = 0;
  bool usesSites = false;

private:
  // Signature.cpp
  void readArguments(ArrayRef<BlockArgument> from, std::list<Argument> &to);
  void nameExtents();
  unsigned numCommonArguments();
  std::string rankCountName();
  std::string extentBySizes(const Argument &argument, unsigned number);
  void writeKernel();
  std::string writePreamble();
  void writeRanks(Text &preamble, const llvm::StringSet<> &used);

  // Folding.cpp
  bool canFold(Operation *op);
  bool isPartOfPlace(Operation *op);
  bool isDivergent(Value value);
  bool inDivergentCode(Operation *op);
  bool isNonNegative(Value value);
  bool isPositive(Value value);
  bool isBelow(Value value, int64_t bound);
  bool mayOverflow(Operation *op);

  // Statements.cpp
  LogicalResult emitBlock(Block &block);
  LogicalResult emitOp(Operation *op);
  LogicalResult emitFor(Operation *op);
  LogicalResult emitWhile(Operation *op);
  LogicalResult emitIf(Operation *op, bool chained);
  LogicalResult emitSwitch(Operation *op);
  LogicalResult emitAssert(Operation *op);
  LogicalResult emitStore(Operation *op);
  LogicalResult emitAtomic(Operation *op);
  LogicalResult emitScoped(Region &region);
  SmallVector<Carried> declareResults(Operation *op);
  void define(Value value, const Expr &expr);
  std::string update(StringRef target, Value value);
  bool canFoldProbe(Operation *op);
  std::string declare(Value value, const Twine &type, const Twine &expr);
  void announce(Operation *op);
  void mustHold(const Twine &condition);
  std::string defaultName(Value value);
  std::string wantedName(Value value, Value orElse = {});
  std::string nameFor(Value value) { return names.fresh(wantedName(value)); }

  // Carried.cpp
  bool collectExtents(const ExtentOf &extent, Operation *op,
                      SmallVectorImpl<ExtentOf> &seen,
                      SmallVectorImpl<Product> &found);
  std::optional<Product> commonExtent(const ExtentOf &extent, Operation *op);
  SmallVector<Part> nameParts(Value memref, Operation *op, StringRef name);
  Expr partOf(const View &view, const Part &part);
  Carried declareCarried(Value value, Operation *op, StringRef name,
                         Value init = {}, bool isPartial = false);
  void alias(Value value, Value carried);
  LogicalResult emitSelectedMemref(Operation *op);
  void assign(OperandRange operands, ArrayRef<Carried> targets);

  // Expressions.cpp, Arithmetic.cpp
  Expr use(Value value);
  std::string use(Value value, Precedence least) {
    return use(value).in(least);
  }
  std::string use(OpFoldResult value, Precedence least);
  Expr useUnsigned(Value value);
  FailureOr<Expr> expression(Operation *op, unsigned result);
  Expr binary(Operation *op, StringRef symbol, Precedence precedence);
  Expr unsignedBinary(Operation *op, StringRef symbol, Precedence precedence);
  Expr call(StringRef function, Operation *op, bool isUnsigned = false);
  Expr compare(Operation *op);
  Expr convert(Operation *op);
  Expr affine(AffineExpr expr, ValueRange operands, unsigned numDims);
  FailureOr<Expr> rankExpression(Operation *op);
  Expr narrow(Type type, Expr expr);
  Expr floatOf(Value value);

  // Memrefs.cpp
  const View &view(Value memref);
  LogicalResult emitView(Operation *op);
  LogicalResult emitPeerView(PeerViewOp op);
  LogicalResult emitAlloca(Operation *op);
  LogicalResult emitTable(memref::GetGlobalOp op);
  void emitShared(BlockArgument memory, uint64_t &bytes);
  View wholeOf(Value memref, StringRef pointer);
  void makePointer(Value memref);
  std::string element(const View &view, ValueRange indices);
  std::string pointerOf(const View &view);
  Product sizeOf(OpFoldResult value);

  // Tiles.cpp
  LogicalResult emitMatmul(MatmulOp op);
  std::string emitHook(Region &region, StringRef wanted);
  std::string emitPartData(Value data, StringRef wanted);

  // Communication.cpp, Transfers.cpp
  LogicalResult emitCommunication(Operation *op);
  LogicalResult emitTransfer(Operation *op);
  LogicalResult emitProbe(Operation *op);
  std::string scopeOf(Operation *op);
  std::string joinScope(Operation *op, Scope scope,
                        std::optional<uint64_t> role, Value first, Value count);
  std::string site(Operation *op, StringRef text = {});
  std::string peerOf(RemoteOpInterface op);
  std::string slotOf(SlotOpInterface op);
  std::string bundleOf(SlotOpInterface op, OpFoldResult weight);
  std::string teamOf(Attribute team);
  std::string gridOf(GridAttr grid);
  std::string countOf(OpFoldResult count);
  std::string bankOf(Value bank);
  std::string bytesOf(Type element, const Sum &elements);

  // Steps.cpp
  LogicalResult verifySteps();
  LogicalResult emitSteps();
  LogicalResult emitStep(Operation *op);
  LogicalResult emitLanes(SpecializeOp op);
  void emitHostCopy(Operation *op);
  void emitLaunch(gpu::LaunchFuncOp op);
  void emitDivisor(Operation *op);

  // Warps.cpp
  LogicalResult emitWarps(Operation *op);
  std::string blockOf(Operation *op);
  uint64_t bytesOfBroadcasts();

  DataFlowSolver solver;
  Names names;
  std::string rankCount; ///< variable with the number of ranks, if any
  DenseMap<Value, Expr> values;
  DenseMap<Value, View> views;
  DenseMap<Value, bool> divergent;
  DenseMap<Operation *, std::string> groups; ///< names of gin.warps
  /// Parts of conditions that contain what they wait for.
  DenseSet<Operation *> conditions;
  Text body;
  /// What the innermost comments said, so that none says it again.
  SmallVector<std::string> announced;
};

/// What is emitted together: one kernel, or several and what launches them.
struct Program {
  std::string name, file;
  std::list<Emitter> kernels;
  std::optional<Emitter> steps; ///< of several kernels
  unsigned lanes = 1;

  /// The arguments and teams, which all kernels have alike.
  const Emitter &signature() const { return kernels.front(); }
  bool hasTiles() const;
  unsigned leastBlocks() const;
};

/// What a kernel takes after its program, in order, each with the place where
/// the launcher has it; without one if it is a number of this kernel alone.
SmallVector<std::pair<std::string, std::string>>
launchArguments(const Emitter &kernel);
/// Where the launcher finds an argument's memory.
std::string addressOf(const Argument &argument);
/// Statements of the launcher that describe the operands of tile loops.
void writeTileOperands(const Emitter &emitter, Text &text);
/// The text of the launcher, its header, and its requirements.
std::string launcherText(const Program &program);
std::string headerText(const Program &program);
std::string requirementsText(const Program &program);

} // namespace gin::cuda

#endif // GINC_PASSES_TARGET_INTERNAL_H
