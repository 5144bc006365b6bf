//===- KernelMapperWarps.cpp - roles of warps -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every block has all roles. A role's warps of a block are to it what the block
// is to the program, and those of all blocks what the grid is.
//
//===----------------------------------------------------------------------===//

#include "KernelMapper.h"

using namespace mlir;
using namespace gin;

/// The number of warps of each role: what it states, or a share of the rest,
/// of which the last one has what the division leaves over.
static FailureOr<SmallVector<int64_t>> shareWarps(SpecializeOp op,
                                                  int64_t warps) {
  int64_t stated = 0, open = 0;
  for (int64_t count : op.getWarps()) {
    stated += count;
    open += count == 0;
  }
  if (stated + open > warps)
    return op.emitOpError("needs ")
           << stated + open << " warps, but blocks have " << warps
           << "; choose more threads";
  SmallVector<int64_t> counts(op.getWarps());
  int64_t rest = warps - stated;
  for (int64_t &count : counts)
    if (count == 0) {
      count = open == 1 ? rest : rest / open;
      rest -= count;
      --open;
    }
  return counts;
}

LogicalResult KernelMapper::mapWarpRoles(SpecializeOp op, Pending &pending) {
  Location loc = op.getLoc();
  if (llvm::any_of(op.getCtas(), [](int64_t ctas) { return ctas != 0; }))
    return op.emitOpError("has roles of CTAs and roles of warps; give all of "
                          "them the one or the other");
  FailureOr<SmallVector<int64_t>> counts =
      shareWarps(op, blockSize / threadsOfWarp);
  if (failed(counts))
    return failure();

  const Blocks all = blocks;
  const Value allThread = thread, allThreads = threads, allFirst = firstThread;
  int64_t first = 0;
  for (auto [number, role] : llvm::enumerate(op.getRoles())) {
    const int64_t count = (*counts)[number];
    auto name = cast<StringAttr>(op.getNames()[number]);
    auto group = WarpsOp::create(builder, loc, name.getValue(), first, count,
                                 static_cast<int64_t>(number) + 1);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&group.getBody().emplaceBlock());
    if (first != 0)
      thread = arith::SubIOp::create(builder, named(loc, "thread"), allThread,
                                     index(loc, first * threadsOfWarp));
    threads = index(loc, count * threadsOfWarp);
    firstThread = arith::CmpIOp::create(builder, named(loc, "first_thread"),
                                        arith::CmpIPredicate::eq, thread, zero);
    useBlocks(loc, builder.getI64IntegerAttr(static_cast<int64_t>(number)),
              zero, all.number);
    SmallVector<Operation *> ops = opsOf(role.front());
    ops.pop_back();
    Division division(ops, Scope::Grid, {});
    Pending inner;
    if (failed(mapOps(ops, Scope::Grid, division, inner)))
      return failure();
    YieldOp::create(builder, loc);
    first += count;
    blocks = all;
    thread = allThread;
    threads = allThreads;
    firstThread = allFirst;
  }
  // Who has failed is known to its role alone.
  join(loc, Scope::Block, pending);
  pending.shared.anything = pending.acquired = true;
  return success();
}
