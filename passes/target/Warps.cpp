//===- Warps.cpp - roles of warps -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A role is a function of its own, so that its warps can leave it after an
// error without the block's other ones.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/Support/Path.h"

using namespace gin;
using namespace gin::cuda;

/// gin.broadcast of a block and of its warps has as many bytes of the dynamic
/// shared memory, a word for each barrier.
static constexpr uint64_t bytesOfWords = 16 * 8;

uint64_t Emitter::bytesOfBroadcasts() {
  WalkResult found =
      kernel.walk([](WarpsOp) { return WalkResult::interrupt(); });
  return found.wasInterrupted() ? bytesOfWords : 16;
}

/// All of the block, or the warps whose role `op` is part of.
std::string Emitter::blockOf(Operation *op) {
  auto warps = op->getParentOfType<WarpsOp>();
  return warps ? groups.lookup(warps) : "gin::Block()";
}

LogicalResult Emitter::emitWarps(Operation *op) {
  auto warps = cast<WarpsOp>(op);
  Place place = placeOf(op->getLoc());
  if (place.line)
    body.comment(llvm::sys::path::filename(place.file) + ":" +
                 Twine(place.line) + ": role " + quote(warps.getName()));
  std::string wanted;
  for (char c : warps.getName())
    wanted += llvm::isAlnum(c) ? c : '_';
  if (!llvm::isAlpha(wanted[0]))
    wanted = "role_" + wanted;
  std::string group = names.fresh(wanted), run = names.fresh("run_" + wanted);
  groups[op] = group;
  body.line("const gin::Warps " + group + "(" + Twine(warps.getFirst()) + ", " +
            Twine(warps.getCount()) + ", " + Twine(warps.getBarrier()) + ");");
  body.open("auto " + run + " = [&]");
  if (failed(emitScoped(warps.getBody())))
    return failure();
  body.close("};");
  body.line("if (" + group + ".has(context))");
  body.line("  " + run + "();");
  return success();
}
