//===- DecomposeCollectivesReduce.cpp - reducing collectives ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DecomposeCollectives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gin;

using Sizes = CollectiveEmitter::Sizes;
using Extents = CollectiveEmitter::Extents;

static Type elementOf(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType();
}

namespace {
/// A scratch window with a block like `result` for each rank. Of a window only
/// the first dimension may differ between ranks: where the rows of a block may,
/// until they have been checked, blocks are rows of it; else they have a
/// dimension of their own.
class BlockWindow {
public:
  BlockWindow(CollectiveEmitter &e, StringRef name, Value result,
              ArrayRef<AffineExpr> extents)
      : e(e), shape(e.sizesOf(result)),
        isStacked(!extents.empty() && !e.isAlike(extents.front())) {
    Extents all = {e.rankExtent()};
    if (isStacked)
      all.front() = all.front() * extents.front();
    llvm::append_range(all, extents.drop_front(isStacked));
    window = e.scratch(name, elementOf(result), all);
  }

  /// The first index of the block of `rank`.
  OpFoldResult at(OpFoldResult rank) {
    return isStacked ? e.mul(e.value(rank), e.value(shape.front())) : rank;
  }
  Value block(OpFoldResult rank) {
    return isStacked ? e.block(window, {at(rank)}, shape)
                     : e.block(window, {rank}, shape);
  }
  Value blocks(OpFoldResult first, Value count) {
    if (!isStacked)
      return e.blocks(window, first, count, shape);
    return e.blocks(window, at(first), at(count),
                    Sizes(ArrayRef(shape).drop_front()));
  }

  Value window;

private:
  CollectiveEmitter &e;
  Sizes shape;
  bool isStacked;
};
} // namespace

/// Combines the blocks of all ranks in their order, rounding once.
static void reduceInOrder(CollectiveEmitter &e, ReduceKind kind,
                          BlockWindow &inbox, Value result,
                          ArrayRef<AffineExpr> extents) {
  Sizes shape = e.sizesOf(result);
  Type element = elementOf(result);
  Value sum = result;
  if (isNarrowFloat(element)) {
    Value wide = e.scratch("sum", computeType(element), extents);
    sum = e.block(wide, {}, shape);
  }
  auto from = [&](OpFoldResult rank) { return inbox.block(rank); };
  auto identity = [&](ValueRange elements) { return widen(e.b, elements[0]); };
  e.map(from(e.b.getIndexAttr(0)), sum, identity);
  e.forRange(1, e.ranks, [&](Value rank) {
    e.map({sum, from(rank)}, sum, [&](ValueRange elements) {
      return combine(e.b, kind, elements[0], widen(e.b, elements[1]));
    });
  });
  if (sum != result)
    e.map(sum, result, [&](ValueRange elements) {
      return narrow(e.b, elements[0], element);
    });
}

/// The barrier, and before it what ranks have to agree on. The blocks of
/// `input` begin at dimension `first`.
static void begin(CollectiveEmitter &e, Value input, int64_t first,
                  Value result, Value scratch) {
  e.checkAlike({{"input", input, first}, {"result", result}}, scratch);
  e.barrier();
}

//===----------------------------------------------------------------------===//
// reduce_scatter
//===----------------------------------------------------------------------===//

/// Everybody sends everybody its block; the owner combines.
static void scatterDirect(CollectiveEmitter &e, ReduceKind kind, Value input,
                          Value result, ArrayRef<AffineExpr> extents) {
  BlockWindow inbox(e, "inbox", result, extents);
  Value arrived = e.bank("arrived", e.rankExtent());
  begin(e, input, 1, result, inbox.window);
  Sizes shape = e.sizesOf(result);
  e.forRange(0, e.ranks, [&](Value distance) {
    Value peer = e.neighbor(distance);
    e.put(e.block(input, {peer}, shape), inbox.window, {inbox.at(e.me)}, peer,
          Slot{arrived, {e.me}});
  });
  e.forRange(0, e.ranks,
             [&](Value source) { e.wait(Slot{arrived, {source}}); });
  reduceInOrder(e, kind, inbox, result, extents);
}

/// The block of a rank starts at its right neighbour and takes up everybody's
/// share on its way around. Each block has a place of its own in the inbox, so
/// that nobody has to wait for a place.
static void scatterRing(CollectiveEmitter &e, ReduceKind kind, Value input,
                        Value result, ArrayRef<AffineExpr> extents) {
  BlockWindow inbox(e, "inbox", result, extents);
  Value arrived = e.bank("arrived", e.rankExtent());
  begin(e, input, 1, result, inbox.window);
  Sizes shape = e.sizesOf(result);
  auto own = [&](Value block) { return e.block(input, {block}, shape); };
  auto place = [&](Value block) { return inbox.block(block); };
  Value right = e.neighbor(e.b.getIndexAttr(1));
  auto send = [&](Value source, Value block) {
    e.put(source, inbox.window, {inbox.at(block)}, right,
          Slot{arrived, {block}});
  };
  e.ifAlone([&] { e.copy(own(e.me), result); },
            [&] {
              Value first = e.neighbor(e.b.getIndexAttr(-1));
              send(own(first), first);
              e.forRange(2, e.ranks, [&](Value distance) {
                Value block = e.neighborBack(distance);
                e.wait(Slot{arrived, {block}});
                e.reduce(kind, place(block), own(block), place(block));
                send(place(block), block);
              });
              e.wait(Slot{arrived, {e.me}});
              e.reduce(kind, place(e.me), own(e.me), result);
            });
}

/// The dissemination of gin.all_gather backwards: in step d (from large to
/// small) a rank sends what it has combined for the ranks from d to its right
/// on. `partial[i]` is for the rank i to the right.
static void scatterTree(CollectiveEmitter &e, ReduceKind kind, Value input,
                        Value result, ArrayRef<AffineExpr> extents) {
  BlockWindow partial(e, "partial", result, extents);
  BlockWindow inbox(e, "inbox", result, extents);
  Value arrived = e.bank("arrived", e.staticExtent(kMaxTreeSteps));
  begin(e, input, 1, result, inbox.window);
  Sizes shape = e.sizesOf(result);
  e.forRange(0, e.ranks, [&](Value i) {
    e.copy(e.block(input, {e.neighbor(i)}, shape), partial.block(i));
  });
  Value steps = e.treeSteps();
  Value last = e.sub(steps, e.index(1));
  e.forRange(0, steps, [&](Value done) {
    Value step = e.sub(last, done);
    Value distance = e.make<arith::ShLIOp>(e.index(1), step);
    Value count = e.make<arith::MinUIOp>(distance, e.sub(e.ranks, distance));
    // Blocks from `distance` on are neither combined nor sent any more, here or
    // in the inbox, so that no step disturbs another.
    Slot slot{arrived, {step}};
    e.put(partial.blocks(distance, count), inbox.window, {inbox.at(distance)},
          e.neighbor(distance), slot);
    e.wait(slot);
    Value sum = partial.blocks(e.b.getIndexAttr(0), count);
    e.reduce(kind, sum, inbox.blocks(distance, count), sum);
  });
  e.copy(partial.block(e.b.getIndexAttr(0)), result);
}

LogicalResult gin::lowerReduceScatter(ReduceScatterOp op,
                                      CollectiveAlgorithm algorithm) {
  CollectiveEmitter e(op, op.getTeamAttr());
  e.checkRanks({"input", op.getInput(), 0});
  e.checkSameShape({"input", op.getInput(), 1}, {"result", op.getInit()});
  if (hasZero(op.getInput()) || hasZero(op.getInit())) {
    e.barrier();
    return success();
  }
  FailureOr<Extents> extents =
      e.extentsOf({{"result", op.getInit()}, {"input", op.getInput(), 1}});
  if (failed(extents))
    return failure();
  auto emit = algorithm == CollectiveAlgorithm::Direct ? scatterDirect
              : algorithm == CollectiveAlgorithm::Ring ? scatterRing
                                                       : scatterTree;
  emit(e, op.getKind(), op.getInput(), op.getInit(), *extents);
  e.flush();
  return success();
}

//===----------------------------------------------------------------------===//
// all_reduce
//===----------------------------------------------------------------------===//

/// Everybody sends everybody everything; all combine the same in the same
/// order.
static void reduceDirect(CollectiveEmitter &e, ReduceKind kind, Value input,
                         Value result, ArrayRef<AffineExpr> extents) {
  BlockWindow inbox(e, "inbox", result, extents);
  Value arrived = e.bank("arrived", e.rankExtent());
  begin(e, input, 0, result, inbox.window);
  e.forRange(0, e.ranks, [&](Value distance) {
    e.put(input, inbox.window, {inbox.at(e.me)}, e.neighbor(distance),
          Slot{arrived, {e.me}});
  });
  e.forRange(0, e.ranks,
             [&](Value source) { e.wait(Slot{arrived, {source}}); });
  e.flush(); // the result may be the input
  reduceInOrder(e, kind, inbox, result, extents);
}

namespace {
/// Reduce-scatter and all-gather around the ring, of chunks that differ by at
/// most one element.
class RingReduction {
public:
  RingReduction(CollectiveEmitter &e, ReduceKind kind, Value input,
                Value result)
      : e(e), kind(kind), input(input), result(result) {}

  void emit(ArrayRef<AffineExpr> extents) {
    AffineExpr elements = e.staticExtent(1);
    for (AffineExpr extent : extents)
      elements = elements * extent;
    inbox = e.scratch("inbox", elementOf(result), elements);
    // Remote places are named in the window's own dimensions, but a chunk is a
    // range of elements: where they are not the same, the result is made in
    // scratch memory.
    bool isVector = cast<MemRefType>(result.getType()).getRank() == 1;
    target = isVector ? result : e.scratch("sum", elementOf(result), elements);
    reduced = e.bank("reduced", e.rankExtent());
    gathered = e.bank("gathered", e.rankExtent());

    begin(e, input, 0, result, inbox);
    length = e.index(1);
    for (OpFoldResult size : e.sizesOf(input))
      length = e.mul(length, e.value(size));
    source = input;
    if (!cast<MemRefType>(input.getType()).getLayout().isIdentity()) {
      e.copy(input, result);
      source = result;
    }
    source = e.flat(source);
    Value all = isVector ? target : e.block(target, {}, {length});
    e.ifAlone(
        [&] {
          if (source != all)
            e.copy(source, all);
        },
        [&] { emitRing(); });
    if (!isVector)
      e.copy(all, e.flat(result));
  }

private:
  /// A range of elements of the flat windows.
  struct Chunk {
    Value number, begin, size;
  };

  void emitRing() {
    right = e.neighbor(e.b.getIndexAttr(1));
    Value last = e.sub(e.ranks, e.index(1));
    sendPartial(source, chunkOf(e.me));
    e.forRange(1, last, [&](Value distance) {
      Chunk chunk = chunkOf(e.neighborBack(distance));
      receivePartial(chunk);
      sendPartial(target, chunk);
    });
    receivePartial(chunkOf(right));

    // What this overwrites at the right neighbour is not used there any more:
    // its plain signal has come to us with the sum.
    e.forRange(0, last, [&](Value distance) {
      Chunk chunk = chunkOf(e.neighbor(e.sub(e.index(1), distance)));
      e.put(part(target, chunk), target, {chunk.begin}, right,
            Slot{gathered, {chunk.number}});
      e.wait(Slot{gathered, {e.neighborBack(distance)}});
    });
  }

  /// A plain signal, since chunks of the result are written by loads and stores
  /// first and by a peer later: it passes on that they were.
  void sendPartial(Value from, const Chunk &chunk) {
    e.put(part(from, chunk), inbox, {chunk.begin}, right);
    e.signal(Slot{reduced, {chunk.number}}, right);
  }

  void receivePartial(const Chunk &chunk) {
    e.wait(Slot{reduced, {chunk.number}});
    e.reduce(kind, part(inbox, chunk), part(source, chunk),
             part(target, chunk));
  }

  /// Chunk k has the elements from k length / ranks up to (k + 1) length /
  /// ranks.
  Chunk chunkOf(Value number) {
    Value begin = e.make<arith::DivUIOp>(e.mul(number, length), e.ranks);
    Value end = e.make<arith::DivUIOp>(e.mul(e.add(number, e.index(1)), length),
                                       e.ranks);
    return {number, begin, e.sub(end, begin)};
  }

  Value part(Value flat, const Chunk &chunk) {
    return e.block(flat, {chunk.begin}, {chunk.size});
  }

  CollectiveEmitter &e;
  ReduceKind kind;
  Value input, result, inbox, target, reduced, gathered;
  Value length, source, right;
};
} // namespace

/// Up and down a binomial tree with rank 0 as its root. In step d, a rank that
/// is a multiple of 2 d takes up what the rank d after it has.
static void reduceTree(CollectiveEmitter &e, ReduceKind kind, Value input,
                       Value result, ArrayRef<AffineExpr> extents) {
  Value inbox = e.scratch("inbox", elementOf(result), extents);
  Value ready = e.bank("ready", e.staticExtent(kMaxTreeSteps));
  Value up = e.bank("up", e.staticExtent(kMaxTreeSteps));
  Value down = e.bank("down", e.staticExtent(1));
  begin(e, input, 0, result, inbox);
  if (input != result)
    e.copy(input, result);
  Sizes shape = e.sizesOf(input);
  Value received = e.block(inbox, {}, shape);
  Value steps = e.treeSteps();

  // What a rank does in a step, as a parent or as a child, or not at all.
  auto inStep = [&](Value step, function_ref<void(Value)> asParent,
                    function_ref<void(Value)> asChild) {
    Value distance = e.make<arith::ShLIOp>(e.index(1), step);
    Value twice = e.make<arith::ShLIOp>(distance, e.index(1));
    Value position = e.make<arith::RemUIOp>(e.me, twice);
    Value child = e.add(e.me, distance);
    auto is = [&](arith::CmpIPredicate predicate, Value left, Value right) {
      return arith::CmpIOp::create(e.b, predicate, left, right).getResult();
    };
    using arith::CmpIPredicate;
    Value isParent =
        e.make<arith::AndIOp>(is(CmpIPredicate::eq, position, e.index(0)),
                              is(CmpIPredicate::ult, child, e.ranks));
    e.ifThen(isParent, [&] { asParent(child); });
    e.ifThen(is(CmpIPredicate::eq, position, distance),
             [&] { asChild(e.sub(e.me, distance)); });
  };

  e.forRange(0, steps, [&](Value step) {
    inStep(
        step,
        [&](Value child) {
          // The inbox is free: a plain signal comes after the loads from it.
          e.signal(Slot{ready, {step}}, child);
          e.wait(Slot{up, {step}});
          e.reduce(kind, result, received, result);
        },
        [&](Value parent) {
          e.wait(Slot{ready, {step}});
          e.put(result, inbox, {}, parent);
          // Plain: our loads and stores come before what comes down.
          e.signal(Slot{up, {step}}, parent);
        });
  });
  Value last = e.sub(steps, e.index(1));
  Slot slot{down, {e.b.getIndexAttr(0)}};
  e.forRange(0, steps, [&](Value done) {
    inStep(
        e.sub(last, done),
        [&](Value child) { e.put(result, result, {}, child, slot); },
        [&](Value) { e.wait(slot); });
  });
}

LogicalResult gin::lowerAllReduce(AllReduceOp op,
                                  CollectiveAlgorithm algorithm) {
  CollectiveEmitter e(op, op.getTeamAttr());
  e.checkSameShape({"result", op.getInit()}, {"input", op.getInput()});
  if (hasZero(op.getInput()) || hasZero(op.getInit())) {
    e.barrier();
    return success();
  }
  FailureOr<Extents> extents =
      e.extentsOf({{"input", op.getInput()}, {"result", op.getInit()}});
  if (failed(extents))
    return failure();
  Value input = op.getInput(), result = op.getInit();
  switch (algorithm) {
  case CollectiveAlgorithm::Direct:
    reduceDirect(e, op.getKind(), input, result, *extents);
    break;
  case CollectiveAlgorithm::Ring:
    RingReduction(e, op.getKind(), input, result).emit(*extents);
    break;
  case CollectiveAlgorithm::Tree:
    reduceTree(e, op.getKind(), input, result, *extents);
    break;
  }
  e.flush();
  return success();
}
