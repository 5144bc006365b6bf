//===- DecomposeCollectivesExperts.cpp - dispatch and combine ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Mixture of experts: peers, places and counts depend on data. There is one
// algorithm each: rows go straight to where they are needed.
//
//===----------------------------------------------------------------------===//

#include "DecomposeCollectives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gin;

using Sizes = CollectiveEmitter::Sizes;
using Extents = CollectiveEmitter::Extents;
using arith::CmpIPredicate;

namespace {
/// The (token, choice) pairs of a rank and where they go.
class Routing {
public:
  /// `blocks` is ranks x local experts x capacity x elements.
  Routing(CollectiveEmitter &e, Value experts, Value positions, Value blocks)
      : e(e), experts(experts), positions(positions), blocks(blocks) {}

  void emitSizes() {
    localExperts = e.value(e.sizesOf(blocks, 1)[0]);
    capacity = e.value(e.sizesOf(blocks, 2)[0]);
    tokens = e.value(e.sizesOf(experts)[0]);
    choices = e.value(e.sizesOf(experts, 1)[0]);
    allExperts = e.mul(e.ranks, localExperts);
  }

  using PairBody = function_ref<void(Value choice, Value owner, Value local)>;
  /// For each choice of `token` that names an expert: its rank and its number
  /// there. Other numbers, negative ones among them, choose none.
  void forChoices(Value token, PairBody body,
                  function_ref<void(Value choice)> otherwise = nullptr) {
    e.forRange(0, choices, [&](Value choice) {
      Value expert =
          toIndex(memref::LoadOp::create(e.b, experts, pair(token, choice)));
      auto none = [&] { otherwise(choice); };
      e.ifThen(
          is(CmpIPredicate::ult, expert, allExperts),
          [&] {
            body(choice, e.make<arith::DivUIOp>(expert, localExperts),
                 e.make<arith::RemUIOp>(expert, localExperts));
          },
          otherwise ? function_ref<void()>(none) : nullptr);
    });
  }

  /// The same for choices that have a position.
  void forPlaced(
      Value token,
      function_ref<void(Value choice, Value owner, Value local, Value position)>
          body) {
    forChoices(token, [&](Value choice, Value owner, Value local) {
      Value position =
          toIndex(memref::LoadOp::create(e.b, positions, pair(token, choice)));
      e.ifThen(is(CmpIPredicate::ult, position, capacity),
               [&] { body(choice, owner, local, position); });
    });
  }

  void setPosition(Value token, Value choice, Value position) {
    memref::StoreOp::create(e.b, toI32(position), positions,
                            pair(token, choice));
  }

  Value is(CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(e.b, predicate, left, right);
  }
  /// A negative integer becomes larger than any size, in unsigned comparisons.
  Value toIndex(Value integer) {
    return arith::IndexCastOp::create(e.b, e.b.getIndexType(), integer);
  }
  Value toI32(Value index) {
    return arith::IndexCastOp::create(e.b, e.b.getI32Type(), index);
  }
  static SmallVector<Value> pair(Value token, Value choice) {
    return {token, choice};
  }

  CollectiveEmitter &e;
  Value experts, positions, blocks;
  Value localExperts, capacity, tokens, choices, allExperts;
};
} // namespace

/// A scratch window with a number for each rank and local expert.
static Value makeCounts(CollectiveEmitter &e, StringRef name,
                        AffineExpr localExperts) {
  return e.scratch(name, e.b.getI32Type(), {e.rankExtent(), localExperts});
}

//===----------------------------------------------------------------------===//
// dispatch
//===----------------------------------------------------------------------===//

/// What dispatch and combine have in common; `tokens` has a row for each.
static void checkRouting(CollectiveEmitter &e, Value experts, Value positions,
                         const CollectiveEmitter::Operand &blocks,
                         const CollectiveEmitter::Operand &tokens) {
  e.checkSame({tokens.what, tokens.memref, 0}, {"experts", experts, 0});
  e.checkSameShape({"positions", positions}, {"experts", experts});
  e.checkRanks({blocks.what, blocks.memref, 0});
  e.checkSame({blocks.what, blocks.memref, 3}, {tokens.what, tokens.memref, 1});
}

/// No token goes anywhere: no row is sent, no count is needed.
static void dispatchNothing(CollectiveEmitter &e, DispatchOp op) {
  e.fill(op.getCounts(), e.b.getI32IntegerAttr(0));
  e.fill(op.getPositions(), e.b.getI32IntegerAttr(-1));
}

LogicalResult gin::lowerDispatch(DispatchOp op) {
  CollectiveEmitter e(op, op.getTeamAttr());
  checkRouting(e, op.getExperts(), op.getPositions(),
               {"received", op.getReceived()}, {"tokens", op.getTokens()});
  e.checkRanks({"counts", op.getCounts(), 0});
  e.checkSame({"counts", op.getCounts(), 1}, {"received", op.getReceived(), 1});
  auto isEmpty = [](Value memref, int64_t dims) {
    return llvm::is_contained(
        cast<MemRefType>(memref.getType()).getShape().take_front(dims), 0);
  };
  if (isEmpty(op.getExperts(), 2) || isEmpty(op.getPositions(), 2) ||
      isEmpty(op.getTokens(), 1) || isEmpty(op.getReceived(), 3) ||
      isEmpty(op.getCounts(), 2)) {
    e.barrier();
    dispatchNothing(e, op);
    return success();
  }
  // Rows without elements are only counted.
  bool sendsRows = !hasZero(op.getTokens()) && !hasZero(op.getReceived());
  FailureOr<Extents> rows =
      e.extentsOf({{"received tokens", op.getReceived(), 1}});
  if (failed(rows))
    return failure();
  Value filled = makeCounts(e, "filled", rows->front());
  Value arrived = e.bank("arrived", e.rankExtent());
  e.barrier();

  Routing routing(e, op.getExperts(), op.getPositions(), op.getReceived());
  routing.emitSizes();
  Sizes hidden = e.sizesOf(op.getTokens(), 1);
  e.fill(filled, e.b.getI32IntegerAttr(0));

  // Each pair takes the next place at its expert, and its row goes there.
  Value dropped = e.index(-1);
  e.forRange(0, routing.tokens, [&](Value token) {
    auto place = [&](Value choice, Value owner, Value local) {
      SmallVector<Value> at = {owner, local};
      Value position = routing.toIndex(memref::LoadOp::create(e.b, filled, at));
      auto send = [&] {
        if (sendsRows)
          e.put(e.block(op.getTokens(), {token}, hidden), op.getReceived(),
                {e.me, local, position}, owner);
        memref::StoreOp::create(e.b, routing.toI32(e.add(position, e.index(1))),
                                filled, at);
        routing.setPosition(token, choice, position);
      };
      e.ifThen(routing.is(CmpIPredicate::ult, position, routing.capacity), send,
               [&] { routing.setPosition(token, choice, dropped); });
    };
    routing.forChoices(token, place, [&](Value choice) {
      routing.setPosition(token, choice, dropped);
    });
  });

  // The counts follow; a plain signal covers them and all rows before.
  Sizes perRank = e.sizesOf(op.getReceived(), 1);
  perRank.resize(1);
  e.forRange(0, e.ranks, [&](Value distance) {
    Value peer = e.neighbor(distance);
    e.put(e.block(filled, {peer}, perRank), op.getCounts(), {e.me}, peer);
    e.signal(Slot{arrived, {e.me}}, peer);
  });
  e.forRange(0, e.ranks,
             [&](Value source) { e.wait(Slot{arrived, {source}}); });
  e.flush();
  return success();
}

//===----------------------------------------------------------------------===//
// combine
//===----------------------------------------------------------------------===//

/// wanted[p, l] = how many rows we want back from expert l of rank p. The
/// largest position counts, so that pairs may be taken out between dispatch and
/// combine.
static void countWanted(CollectiveEmitter &e, Routing &routing, Value wanted) {
  e.fill(wanted, e.b.getI32IntegerAttr(0));
  e.forRange(0, routing.tokens, [&](Value token) {
    routing.forPlaced(
        token, [&](Value, Value owner, Value local, Value position) {
          SmallVector<Value> at = {owner, local};
          Value before = memref::LoadOp::create(e.b, wanted, at);
          Value needed = routing.toI32(e.add(position, e.index(1)));
          memref::StoreOp::create(e.b, e.make<arith::MaxSIOp>(before, needed),
                                  wanted, at);
        });
  });
}

/// result[token] = the weighted sum of what came back for it.
static void sumReturned(CollectiveEmitter &e, Routing &routing, Value returned,
                        Value weights, Value result, ArrayRef<AffineExpr> row) {
  Type element = cast<MemRefType>(result.getType()).getElementType();
  Type compute = computeType(element);
  Sizes hidden = e.sizesOf(result, 1);
  Value wide;
  if (compute != element)
    wide = e.block(e.scratch("sum", compute, row), {}, hidden);

  e.forRange(0, routing.tokens, [&](Value token) {
    Value target = e.block(result, {token}, hidden);
    Value sum = wide ? wide : target;
    e.fill(sum, cast<TypedAttr>(e.b.getZeroAttr(compute)));
    routing.forPlaced(token, [&](Value choice, Value owner, Value local,
                                 Value position) {
      Value weight =
          widen(e.b, memref::LoadOp::create(e.b, weights,
                                            Routing::pair(token, choice)));
      e.map({sum, e.block(returned, {owner, local, position}, hidden)}, sum,
            [&](ValueRange elements) {
              return combine(e.b, ReduceKind::Sum, elements[0],
                             multiply(e.b, weight, widen(e.b, elements[1])));
            });
    });
    if (wide)
      e.map(wide, target, [&](ValueRange elements) {
        return narrow(e.b, elements[0], element);
      });
  });
}

LogicalResult gin::lowerCombine(CombineOp op) {
  CollectiveEmitter e(op, op.getTeamAttr());
  Value outputs = op.getOutputs();
  checkRouting(e, op.getExperts(), op.getPositions(), {"outputs", outputs},
               {"result", op.getInit()});
  e.checkSameShape({"weights", op.getWeights()}, {"experts", op.getExperts()});
  if (llvm::any_of(op->getOperands(), hasZero)) {
    // Sums of nothing, if any.
    e.barrier();
    e.fill(op.getInit(),
           cast<TypedAttr>(e.b.getZeroAttr(
               cast<MemRefType>(op.getInit().getType()).getElementType())));
    return success();
  }
  FailureOr<Extents> rows = e.extentsOf({{"outputs", outputs, 1}});
  if (failed(rows))
    return failure();
  Value wanted = makeCounts(e, "wanted", rows->front());
  Value asked = makeCounts(e, "asked", rows->front());
  Extents all = {e.rankExtent()};
  llvm::append_range(all, *rows);
  Value returned = e.scratch(
      "returned", cast<MemRefType>(outputs.getType()).getElementType(), all);
  Value arrived = e.bank("arrived", e.rankExtent());

  Routing routing(e, op.getExperts(), op.getPositions(), outputs);
  routing.emitSizes();
  Sizes hidden = e.sizesOf(outputs, 3);
  Sizes perRank = {e.sizesOf(outputs, 1)[0]};

  // Tell each rank how many rows we want back. The barrier covers that; before
  // it nobody reads what was asked for in an earlier execution any more, since
  // its plain signals came after those loads and were waited for.
  countWanted(e, routing, wanted);
  e.forRange(0, e.ranks, [&](Value distance) {
    Value peer = e.neighbor(distance);
    e.put(e.block(wanted, {peer}, perRank), asked, {e.me}, peer);
  });
  e.barrier();

  e.forRange(0, e.ranks, [&](Value distance) {
    Value peer = e.neighbor(distance);
    e.forRange(0, routing.localExperts, [&](Value local) {
      SmallVector<Value> at = {peer, local};
      Value count = routing.toIndex(memref::LoadOp::create(e.b, asked, at));
      Sizes block = {count};
      llvm::append_range(block, hidden);
      e.put(e.block(outputs, {peer, local}, block), returned, {e.me, local},
            peer);
    });
    e.signal(Slot{arrived, {e.me}}, peer);
  });
  e.forRange(0, e.ranks,
             [&](Value source) { e.wait(Slot{arrived, {source}}); });
  sumReturned(e, routing, returned, op.getWeights(), op.getInit(),
              rows->back());
  e.flush();
  return success();
}
