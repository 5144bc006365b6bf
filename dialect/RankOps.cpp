//===- RankOps.cpp - builders and verifiers about ranks ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

using namespace mlir;
using namespace gin;

std::optional<int64_t> gin::getStaticNumRanks(Attribute team) {
  if (auto grid = dyn_cast_or_null<GridAttr>(team))
    return grid.isStatic() ? std::optional(grid.getNumRanks()) : std::nullopt;
  auto some = dyn_cast_or_null<TeamAttr>(team);
  if (!some || some.getKind() != TeamKind::Axis)
    return std::nullopt;
  int64_t extent = some.getGrid().getShape()[some.getAxis()];
  return ShapedType::isDynamic(extent) ? std::nullopt : std::optional(extent);
}

//===----------------------------------------------------------------------===//
// gin.neighbor
//===----------------------------------------------------------------------===//

void NeighborOp::build(OpBuilder &builder, OperationState &state,
                       OpFoldResult distance, Attribute team) {
  SplitMixed split(builder, distance);
  build(builder, state, builder.getIndexType(), split.dynamic, split.literal,
        team);
}

OpFoldResult NeighborOp::getMixedDistance() {
  return getMixed(getDistance(), getStaticDistanceAttr());
}

LogicalResult NeighborOp::verify() {
  return verifyMixed(*this, "distance", getDistance(), getStaticDistanceAttr());
}

//===----------------------------------------------------------------------===//
// gin.coords
//===----------------------------------------------------------------------===//

LogicalResult CoordsOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location>,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  types.assign(adaptor.getGrid().getRank(), IndexType::get(context));
  return success();
}

//===----------------------------------------------------------------------===//
// gin.window_dim
//===----------------------------------------------------------------------===//

void WindowDimOp::build(OpBuilder &builder, OperationState &state, Value window,
                        int64_t dim, OpFoldResult peer, Attribute team) {
  SplitMixed split(builder, peer);
  build(builder, state, builder.getIndexType(), window,
        builder.getI64IntegerAttr(dim), split.dynamic, split.literal, team);
}

LogicalResult WindowDimOp::verify() {
  auto window = cast<MemRefType>(getWindow().getType());
  auto dim = static_cast<int64_t>(getDim());
  if (dim < 0 || dim >= window.getRank())
    return emitOpError() << "dimension " << dim << " is not one of the window "
                         << window;
  return verifyPeer(*this, getPeer(), getStaticPeerAttr(), getTeamAttr());
}

/// Only a peer that is certain to be in the team may be asked where the program
/// would not ask it.
Speculation::Speculatability WindowDimOp::getSpeculatability() {
  Attribute team = getTeamAttr();
  bool known = false;
  if (auto rank = getPeer() ? getPeer().getDefiningOp<RankIdOp>() : nullptr)
    known = rank.getTeamAttr() == team;
  else if (auto neighbor =
               getPeer() ? getPeer().getDefiningOp<NeighborOp>() : nullptr)
    known = neighbor.getTeamAttr() == team;
  else if (getStaticPeerAttr())
    known = getStaticPeer() == 0 || getStaticNumRanks(team);
  return known ? Speculation::Speculatable : Speculation::NotSpeculatable;
}
