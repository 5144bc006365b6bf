//===- Ranges.cpp - names and bounds of pure results ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What upstream's integer-range and value-bounds analyses learn about ranks:
// they count from 0, there is at least one, coordinates stay below static
// extents.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "dialect/Gin.h"

#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace gin;

/// Ranks are numbered by 32-bit integers in every transport.
static constexpr int64_t kMaxRanks = int64_t(1) << 31;

/// The largest number of ranks that `team` may have.
static int64_t maxRanks(Attribute team) {
  return getStaticNumRanks(team).value_or(kMaxRanks);
}

static ConstantIntRanges range(int64_t low, int64_t high) {
  unsigned width = IndexType::kInternalStorageBitWidth;
  return ConstantIntRanges::fromSigned(APInt(width, low, /*isSigned=*/true),
                                       APInt(width, high, /*isSigned=*/true));
}

void RankIdOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "rank");
}
void RankIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                 SetIntRangeFn setRange) {
  setRange(getResult(), range(0, maxRanks(getTeamAttr()) - 1));
}

void NumRanksOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "num_ranks");
}
void NumRanksOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                   SetIntRangeFn setRange) {
  setRange(getResult(), range(1, maxRanks(getTeamAttr())));
}

void NeighborOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "neighbor");
}
void NeighborOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                   SetIntRangeFn setRange) {
  setRange(getResult(), range(0, maxRanks(getTeamAttr()) - 1));
}

void CoordsOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  for (Value coordinate : getCoordinates())
    setName(coordinate, "coord");
}
void CoordsOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                 SetIntRangeFn setRange) {
  for (auto [coordinate, extent] :
       llvm::zip_equal(getCoordinates(), getGrid().getShape()))
    setRange(
        coordinate,
        range(0, (ShapedType::isDynamic(extent) ? kMaxRanks : extent) - 1));
}

void WindowDimOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "window_dim");
}
void WindowDimOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                    SetIntRangeFn setRange) {
  setRange(getResult(), range(0, std::numeric_limits<int64_t>::max()));
}

void LaunchOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "launch");
}
void LaunchOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                 SetIntRangeFn setRange) {
  setRange(getResult(), range(0, std::numeric_limits<int64_t>::max()));
}

void ReadOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                               SetIntRangeFn setRange) {
  setRange(getResult(), range(0, std::numeric_limits<int64_t>::max()));
}

//===----------------------------------------------------------------------===//
// Names of other results
//===----------------------------------------------------------------------===//

void ReadyTokenOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getToken(), "ready");
}

void PeerViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getView(), "view");
}

void PutOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getToken())
    setName(getToken(), "token");
}

void PutValueOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getToken())
    setName(getToken(), "token");
}

void GetOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getToken())
    setName(getToken(), "token");
}

void WaitOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getArrived())
    setName(getArrived(), "arrived");
}

void TestOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getArrived(), "arrived");
}

void ReadOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "count");
}

//===----------------------------------------------------------------------===//
// Value bounds
//===----------------------------------------------------------------------===//

namespace {
/// Takes the bounds of a gin op's results from its integer ranges, so that
/// there is one statement of them.
template <typename OpTy>
struct RankBounds
    : ValueBoundsOpInterface::ExternalModel<RankBounds<OpTy>, OpTy> {
  void
  populateBoundsForIndexValue(Operation *op, Value value,
                              ValueBoundsConstraintSet &constraints) const {
    cast<OpTy>(op).inferResultRanges(
        {}, [&](Value result, const ConstantIntRanges &bounds) {
          if (result != value)
            return;
          constraints.bound(value) >= bounds.smin().getSExtValue();
          if (bounds.smax().getSExtValue() < kMaxRanks - 1)
            constraints.bound(value) <= bounds.smax().getSExtValue();
        });
  }
};

/// All extents but the first are those of the own part.
struct WindowDimBounds
    : ValueBoundsOpInterface::ExternalModel<WindowDimBounds, WindowDimOp> {
  void
  populateBoundsForIndexValue(Operation *op, Value value,
                              ValueBoundsConstraintSet &constraints) const {
    auto dim = cast<WindowDimOp>(op);
    constraints.bound(value) >= 0;
    if (dim.getDim() > 0)
      constraints.bound(value) ==
          constraints.getExpr(dim.getWindow(), dim.getDim());
  }
};

/// The extent of a peer view is that of the window but for dimension 0, which
/// is the peer's.
struct PeerViewBounds
    : ValueBoundsOpInterface::ExternalModel<PeerViewBounds, PeerViewOp> {
  void
  populateBoundsForShapedValueDim(Operation *op, Value value, int64_t dim,
                                  ValueBoundsConstraintSet &constraints) const {
    if (dim > 0)
      constraints.bound(value)[dim] ==
          constraints.getExpr(cast<PeerViewOp>(op).getWindow(), dim);
  }
};
} // namespace

void gin::registerValueBoundsModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GinDialect *) {
    RankIdOp::attachInterface<RankBounds<RankIdOp>>(*context);
    NumRanksOp::attachInterface<RankBounds<NumRanksOp>>(*context);
    NeighborOp::attachInterface<RankBounds<NeighborOp>>(*context);
    CoordsOp::attachInterface<RankBounds<CoordsOp>>(*context);
    WindowDimOp::attachInterface<WindowDimBounds>(*context);
    LaunchOp::attachInterface<RankBounds<LaunchOp>>(*context);
    PeerViewOp::attachInterface<PeerViewBounds>(*context);
  });
}
