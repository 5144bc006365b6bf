//===- Machine.cpp - the simulated machine of a run -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "Diagnostics.h"
#include "Memory.h"
#include "Npy.h"
#include "dialect/Gin.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/SetVector.h"

using namespace ginc;
using namespace mlir;

/// The grids of the program that leave extents to whoever runs it.
static llvm::SetVector<gin::GridAttr> findOpenGrids(ModuleOp program) {
  llvm::SetVector<gin::GridAttr> grids;
  AttrTypeWalker walker;
  walker.addWalk([&](gin::GridAttr grid) {
    if (!grid.isStatic())
      grids.insert(grid);
  });
  program.walk([&](Operation *op) { walker.walk(op->getAttrDictionary()); });
  return grids;
}

/// What the chosen extents make of a grid: they are all of its extents or those
/// of its `?`. Empty if they are neither.
static std::vector<int64_t> completeGrid(gin::GridAttr grid,
                                         ArrayRef<int64_t> chosen) {
  std::vector<int64_t> extents = grid.getShape().vec();
  size_t open = llvm::count_if(extents, ShapedType::isDynamic);
  bool all = chosen.size() == extents.size();
  if (!all && chosen.size() != open)
    return {};
  size_t next = 0;
  for (size_t i = 0; i < extents.size(); ++i) {
    if (ShapedType::isDynamic(extents[i]))
      extents[i] = all ? chosen[i] : chosen[next++];
    else if (all && extents[i] != chosen[i])
      return {};
  }
  return extents;
}

static LogicalResult checkGrid(ModuleOp program, ArrayRef<int64_t> chosen,
                               int64_t ranks) {
  std::string option = "--grid " + formatShape(chosen);
  bool applies = false;
  for (gin::GridAttr grid : findOpenGrids(program)) {
    std::vector<int64_t> extents = completeGrid(grid, chosen);
    if (extents.empty())
      continue;
    applies = true;
    std::optional<uint64_t> size = numElements(extents);
    if (size == static_cast<uint64_t>(ranks))
      continue;
    return error(option + " makes a grid of " + formatShape(extents) +
                 ", which has " + (size ? Twine(*size) : Twine("too many")) +
                 " ranks, but there are " + Twine(ranks));
  }
  if (!applies)
    return error(option + ": the program has no grid that leaves these "
                          "extents open with `?`");
  return success();
}

/// Traffic by rank and peer takes memory that grows with the square of the
/// ranks.
static LogicalResult checkStats(int64_t ranks) {
  uint64_t wanted = sizeof(sim::Traffic) * ranks * ranks;
  uint64_t available = availableMemory();
  if (wanted <= available)
    return success();
  return error("--stats counts by rank and peer, which for " + Twine(ranks) +
               " ranks needs " + formatBytes(wanted) + ", but " +
               formatBytes(available) +
               " of memory are free; the totals are in the summary without it");
}

LogicalResult ginc::checkMachine(ModuleOp program, const RunOptions &options,
                                 int64_t ranks) {
  if (options.lsaSize > ranks)
    return error("--lsa-size is " + Twine(options.lsaSize) +
                 ", more than the number of ranks, " + Twine(ranks));
  if (options.stats != StatsForm::None && failed(checkStats(ranks)))
    return failure();
  if (options.grid.empty())
    return success();
  return checkGrid(program, options.grid, ranks);
}

sim::Config ginc::makeMachine(const RunOptions &options, int64_t ranks) {
  sim::Config config;
  config.ranks = ranks;
  config.seed = options.seed;
  config.network = options.calm ? sim::Network::Calm : sim::Network::Hostile;
  config.lsaSize = options.lsaSize;
  config.grid = options.grid;
  config.coverPuts = true;
  config.trace = !options.trace.empty();
  config.stats = options.stats != StatsForm::None;
  return config;
}
