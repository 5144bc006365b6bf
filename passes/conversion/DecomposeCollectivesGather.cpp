//===- DecomposeCollectivesGather.cpp - all_gather, all_to_all --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DecomposeCollectives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gin;

//===----------------------------------------------------------------------===//
// all_gather
//===----------------------------------------------------------------------===//

/// Everybody puts its input into everybody's result. Peers start with the rank
/// itself, so that no rank is everyone's first.
static void gatherDirect(CollectiveEmitter &e, Value input, Value result) {
  Value arrived = e.bank("arrived", e.rankExtent());
  e.barrier();
  e.forRange(0, e.ranks, [&](Value distance) {
    Value peer = e.neighbor(distance);
    e.put(input, result, {e.me}, peer, Slot{arrived, {e.me}});
  });
  e.forRange(0, e.ranks,
             [&](Value source) { e.wait(Slot{arrived, {source}}); });
}

/// Each block, the own one first, goes on to the right neighbour when it has
/// come from the left one.
static void gatherRing(CollectiveEmitter &e, Value input, Value result) {
  Value arrived = e.bank("arrived", e.rankExtent());
  e.barrier();
  CollectiveEmitter::Sizes shape = e.sizesOf(input);
  Value right = e.neighbor(e.b.getIndexAttr(1));
  // A put to oneself also where the input is that block of the result: then it
  // only signals.
  e.put(input, result, {e.me}, e.me, Slot{arrived, {e.me}});
  e.forRange(0, e.sub(e.ranks, e.index(1)), [&](Value step) {
    Value origin = e.neighborBack(step);
    e.wait(Slot{arrived, {origin}});
    e.put(e.block(result, {origin}, shape), result, {origin}, right,
          Slot{arrived, {origin}});
  });
  e.wait(Slot{arrived, {right}}); // the last one comes from the right neighbour
}

/// Dissemination: a rank that has the blocks of the d ranks from itself on
/// sends them to the rank d before it, which then has 2 d. Right for any number
/// of ranks if the last step sends only what is missing.
static void gatherTree(CollectiveEmitter &e, Value input, Value result) {
  Value own = e.bank("own", e.staticExtent(1));
  Value arrived = e.bank("arrived", e.staticExtent(kMaxTreeSteps));
  e.barrier();
  CollectiveEmitter::Sizes shape = e.sizesOf(input);
  Slot placed{own, {e.b.getIndexAttr(0)}};
  e.put(input, result, {e.me}, e.me, placed);
  e.wait(placed);
  e.forRange(0, e.treeSteps(), [&](Value step) {
    Value distance = e.make<arith::ShLIOp>(e.index(1), step);
    Value peer = e.neighborBack(distance);
    Value count = e.make<arith::MinUIOp>(distance, e.sub(e.ranks, distance));
    // Blocks are numbered around: those up to the last rank's, those from 0 on.
    // Either may be none; an empty put still signals.
    Value upper = e.make<arith::MinUIOp>(count, e.sub(e.ranks, e.me));
    Value lower = e.sub(count, upper);
    Slot slot{arrived, {step}};
    e.put(e.blocks(result, e.me, upper, shape), result, {e.me}, peer, slot);
    e.put(e.blocks(result, e.b.getIndexAttr(0), lower, shape), result, {}, peer,
          slot);
    e.wait(slot, /*weight=*/2);
  });
}

LogicalResult gin::lowerAllGather(AllGatherOp op,
                                  CollectiveAlgorithm algorithm) {
  CollectiveEmitter e(op, op.getTeamAttr());
  e.checkRanks({"result", op.getInit(), 0});
  e.checkSameShape({"result", op.getInit(), 1}, {"input", op.getInput()});
  if (hasZero(op.getInput()) || hasZero(op.getInit())) {
    e.barrier();
    return success();
  }
  switch (algorithm) {
  case CollectiveAlgorithm::Direct:
    gatherDirect(e, op.getInput(), op.getInit());
    break;
  case CollectiveAlgorithm::Ring:
    gatherRing(e, op.getInput(), op.getInit());
    break;
  case CollectiveAlgorithm::Tree:
    gatherTree(e, op.getInput(), op.getInit());
    break;
  }
  e.flush();
  return success();
}

//===----------------------------------------------------------------------===//
// all_to_all
//===----------------------------------------------------------------------===//

static void exchangeDirect(CollectiveEmitter &e, Value input, Value result) {
  Value arrived = e.bank("arrived", e.rankExtent());
  e.barrier();
  CollectiveEmitter::Sizes shape = e.sizesOf(input, 1);
  e.forRange(0, e.ranks, [&](Value distance) {
    Value peer = e.neighbor(distance);
    e.put(e.block(input, {peer}, shape), result, {e.me}, peer,
          Slot{arrived, {e.me}});
  });
  e.forRange(0, e.ranks,
             [&](Value source) { e.wait(Slot{arrived, {source}}); });
}

/// In step k each rank sends to the one k to its right and waits for what comes
/// from k to its left: a rank receives from one at a time.
static void exchangeRing(CollectiveEmitter &e, Value input, Value result) {
  Value arrived = e.bank("arrived", e.rankExtent());
  e.barrier();
  CollectiveEmitter::Sizes shape = e.sizesOf(input, 1);
  e.forRange(0, e.ranks, [&](Value distance) {
    Value peer = e.neighbor(distance);
    Value source = e.neighborBack(distance);
    e.put(e.block(input, {peer}, shape), result, {e.me}, peer,
          Slot{arrived, {e.me}});
    e.wait(Slot{arrived, {source}});
  });
}

namespace {
/// The algorithm of Bruck and others. The block that has to go i ranks to the
/// right goes 2^s in each step s whose bit is set in i; all blocks that move in
/// a step are packed into one put.
class BruckExchange {
public:
  BruckExchange(CollectiveEmitter &e, Value input, Value result)
      : e(e), input(input), result(result) {}

  LogicalResult emit() {
    auto block = e.extentsOf({{"input", input, 1}, {"result", result, 1}});
    if (failed(block))
      return failure();
    Type element = cast<MemRefType>(input.getType()).getElementType();
    auto scratch = [&](StringRef name, AffineExpr count) {
      SmallVector<AffineExpr> extents = {count};
      llvm::append_range(extents, *block);
      return e.scratch(name, element, extents);
    };
    Value held = scratch("held", e.rankExtent());
    // At most half of the blocks move in a step.
    outgoing = scratch("outgoing", e.rankExtent().ceilDiv(2));
    incoming = scratch("incoming", e.rankExtent().ceilDiv(2));
    ready = e.bank("ready", e.staticExtent(kMaxTreeSteps));
    arrived = e.bank("arrived", e.staticExtent(kMaxTreeSteps));

    e.barrier();
    shape = e.sizesOf(input, 1);
    auto part = [&](Value whole, Value index) {
      return e.block(whole, {index}, shape);
    };
    // held[i] is for the rank i to the right, then from the rank i to the left.
    e.forRange(0, e.ranks, [&](Value i) {
      e.copy(part(input, e.neighbor(i)), part(held, i));
    });
    e.forRange(0, e.treeSteps(), [&](Value step) { emitStep(held, step); });
    e.forRange(0, e.ranks, [&](Value i) {
      e.copy(part(held, i), part(result, e.neighborBack(i)));
    });
    return success();
  }

private:
  void emitStep(Value held, Value step) {
    Value distance = e.make<arith::ShLIOp>(e.index(1), step);
    Value peer = e.neighbor(distance), source = e.neighborBack(distance);
    // What came in the step before has been taken out: the next may come. A
    // plain signal, since it releases those loads.
    e.signal(Slot{ready, {step}}, source);

    Value count = countMoving(distance, step);
    e.forRange(0, count, [&](Value j) {
      e.copy(e.block(held, {moving(j, distance, step)}, shape),
             e.block(outgoing, {j}, shape));
    });
    e.wait(Slot{ready, {step}});
    Slot slot{arrived, {step}};
    e.put(e.blocks(outgoing, e.b.getIndexAttr(0), count, shape), incoming, {},
          peer, slot);
    e.wait(slot);
    e.forRange(0, count, [&](Value j) {
      e.copy(e.block(incoming, {j}, shape),
             e.block(held, {moving(j, distance, step)}, shape));
    });
    e.flush(); // the next step packs anew
  }

  /// How many numbers below `ranks` have bit `step` set.
  Value countMoving(Value distance, Value step) {
    Value one = e.index(1);
    Value full = e.make<arith::ShLIOp>(
        e.make<arith::ShRUIOp>(e.ranks, e.add(step, one)), step);
    Value rest = e.make<arith::AndIOp>(
        e.ranks, e.sub(e.make<arith::ShLIOp>(distance, one), one));
    return e.add(full, e.sub(e.make<arith::MaxUIOp>(rest, distance), distance));
  }

  /// The j-th of them: j with a 1 put in as bit `step`.
  Value moving(Value j, Value distance, Value step) {
    Value low = e.make<arith::AndIOp>(j, e.sub(distance, e.index(1)));
    return e.add(e.add(j, e.sub(j, low)), distance);
  }

  CollectiveEmitter &e;
  Value input, result, outgoing, incoming, ready, arrived;
  CollectiveEmitter::Sizes shape;
};
} // namespace

LogicalResult gin::lowerAllToAll(AllToAllOp op, CollectiveAlgorithm algorithm) {
  if (rootOf(op.getInput()) == rootOf(op.getInit()))
    return op.emitOpError(
        "receives into the window that it sends from, where "
        "peers would overwrite what is still to be sent; give "
        "it another window for its result");
  CollectiveEmitter e(op, op.getTeamAttr());
  e.checkRanks({"input", op.getInput(), 0});
  e.checkRanks({"result", op.getInit(), 0});
  e.checkSameShape({"result", op.getInit(), 1}, {"input", op.getInput(), 1});
  if (hasZero(op.getInput()) || hasZero(op.getInit())) {
    e.barrier();
    return success();
  }
  switch (algorithm) {
  case CollectiveAlgorithm::Direct:
    exchangeDirect(e, op.getInput(), op.getInit());
    break;
  case CollectiveAlgorithm::Ring:
    exchangeRing(e, op.getInput(), op.getInit());
    break;
  case CollectiveAlgorithm::Tree:
    if (failed(BruckExchange(e, op.getInput(), op.getInit()).emit()))
      return failure();
    break;
  }
  e.flush();
  return success();
}
