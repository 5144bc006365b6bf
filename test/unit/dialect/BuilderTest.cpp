//===- BuilderTest.cpp - builders make what the text says -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DialectTest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace gin;

namespace {
/// Builds in a function whose arguments are a row, rows, a bank, a scalar and
/// an index.
class BuilderTest : public gin::test::DialectTest {
protected:
  BuilderTest()
      : builder(&context), loc(builder.getUnknownLoc()),
        module(parse("func.func @f(%x: memref<4xf32, #gin.window>,"
                     " %w: memref<?x4xf32, #gin.window>, %s: !gin.signals<?x3>,"
                     " %v: f32, %i: index) { return }")) {
    auto function = cast<func::FuncOp>(module->getBody()->front());
    row = function.getArgument(0);
    rows = function.getArgument(1);
    bank = function.getArgument(2);
    scalar = function.getArgument(3);
    index = function.getArgument(4);
    builder.setInsertionPointToStart(&function.getBody().front());
  }

  /// Expects that `op` is correct and prints as `wanted`, and erases it.
  void expect(Operation *op, StringRef wanted) {
    EXPECT_TRUE(succeeded(module->verify())) << diagnostics;
    std::string text;
    llvm::raw_string_ostream os(text);
    op->print(os, OpPrintingFlags().useLocalScope());
    EXPECT_EQ(text, wanted.str());
    op->erase(); // so that the next one has no other's name
  }

  OpFoldResult literal(int64_t value) { return builder.getIndexAttr(value); }

  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
  Value row, rows, bank, scalar, index;
};
} // namespace

TEST_F(BuilderTest, Ranks) {
  Attribute lsa = TeamAttr::get(&context, TeamKind::Lsa);
  expect(RankIdOp::create(builder, loc, Attribute()), "%rank = gin.rank");
  expect(RankIdOp::create(builder, loc, lsa), "%rank = gin.rank team lsa");
  expect(NumRanksOp::create(builder, loc, lsa),
         "%num_ranks = gin.num_ranks team lsa");
  expect(NeighborOp::create(builder, loc, literal(-1)),
         "%neighbor = gin.neighbor -1");
  expect(NeighborOp::create(builder, loc, index, lsa),
         "%neighbor = gin.neighbor %arg4 team lsa");
  expect(CoordsOp::create(builder, loc, GridAttr::get(&context, {2, 3})),
         "%coord, %coord_0 = gin.coords #gin.grid<2x3>");
  expect(WindowDimOp::create(builder, loc, rows, 0, index),
         "%window_dim = gin.window_dim %arg1, 0 on %arg4 : "
         "memref<?x4xf32, #gin.window>");
  expect(PeerViewOp::create(builder, loc, rows, literal(1), lsa),
         "%view = gin.peer_view %arg1 on 1 team lsa : "
         "memref<?x4xf32, #gin.window> to memref<?x4xf32, #gin.peer>");
}

TEST_F(BuilderTest, Transfers) {
  expect(PutOp::create(builder, loc, row, rows, {index, literal(0)}, index,
                       RemoteOptions()),
         "gin.put %arg0 into %arg1[%arg4, 0] on %arg4 : memref<4xf32, "
         "#gin.window> into memref<?x4xf32, #gin.window>");
  RemoteOptions options;
  options.team = GridAttr::get(&context, {2, 2});
  options.context = 1;
  options.token = true;
  expect(GetOp::create(builder, loc, rows, {literal(2), literal(0)}, literal(3),
                       row, options),
         "%token = gin.get %arg1[2, 0] on 3 team grid 2x2 context 1 into %arg0 "
         "-> !gin.token : memref<?x4xf32, #gin.window> into memref<4xf32, "
         "#gin.window>");
  options.bank = bank;
  options.slot = {literal(5), index};
  options.weight = literal(2);
  expect(PutValueOp::create(builder, loc, scalar, rows, {index, index},
                            literal(0), options),
         "%token = gin.put_value %arg3 into %arg1[%arg4, %arg4] on 0 team grid "
         "2x2 context 1 signal %arg2[5, %arg4] add 2 -> !gin.token : f32 into "
         "memref<?x4xf32, #gin.window>, !gin.signals<?x3>");
  options.accumulate = true;
  options.token = false;
  options.weight = index;
  expect(PutOp::create(builder, loc, row, rows, {index, literal(0)}, index,
                       options),
         "gin.put %arg0 into %arg1[%arg4, 0] on %arg4 team grid 2x2 context 1 "
         "accumulate signal %arg2[5, %arg4] add %arg4 : memref<4xf32, "
         "#gin.window> into memref<?x4xf32, #gin.window>, !gin.signals<?x3>");
  expect(AtomicAddOp::create(builder, loc, scalar, rows, {index, literal(3)},
                             index, RemoteOptions()),
         "gin.atomic_add %arg3 into %arg1[%arg4, 3] on %arg4 : f32 into "
         "memref<?x4xf32, #gin.window>");
}

TEST_F(BuilderTest, Signals) {
  SmallVector<OpFoldResult> slot{index, literal(2)};
  expect(SignalOp::create(builder, loc, bank, slot, index),
         "gin.signal %arg2[%arg4, 2] on %arg4 : !gin.signals<?x3>");
  expect(SignalOp::create(builder, loc, bank, slot, literal(0),
                          TeamAttr::get(&context, TeamKind::Rail), literal(3),
                          /*relaxed=*/true, /*context=*/4),
         "gin.signal %arg2[%arg4, 2] on 0 team rail context 4 add 3 relaxed : "
         "!gin.signals<?x3>");
  expect(WaitOp::create(builder, loc, bank, slot, index),
         "gin.wait %arg2[%arg4, 2] >= %arg4 : !gin.signals<?x3>");
  expect(WaitOp::create(builder, loc, bank, slot, literal(1), literal(100),
                        /*branches=*/false),
         "gin.wait %arg2[%arg4, 2] >= 1 timeout 100 : !gin.signals<?x3>");
  expect(WaitOp::create(builder, loc, bank, slot, literal(1), index,
                        /*branches=*/true),
         "%arrived = gin.wait %arg2[%arg4, 2] >= 1 timeout %arg4 -> i1 : "
         "!gin.signals<?x3>");
  expect(TestOp::create(builder, loc, bank, slot, literal(7)),
         "%arrived = gin.test %arg2[%arg4, 2] >= 7 : !gin.signals<?x3>");
  expect(ReadOp::create(builder, loc, bank, slot),
         "%count = gin.read %arg2[%arg4, 2] : !gin.signals<?x3>");
  expect(BarrierOp::create(builder, loc, builder.getUnitAttr(), Attribute()),
         "gin.barrier global");
}

TEST_F(BuilderTest, TeamsKnowTheirStaticSize) {
  int64_t any = ShapedType::kDynamic;
  auto grid = GridAttr::get(&context, {3, any});
  EXPECT_EQ(getStaticNumRanks(Attribute()), std::nullopt);
  EXPECT_EQ(getStaticNumRanks(TeamAttr::get(&context, TeamKind::Lsa)),
            std::nullopt);
  EXPECT_EQ(getStaticNumRanks(GridAttr::get(&context, {3, 4})), 12);
  EXPECT_EQ(getStaticNumRanks(grid), std::nullopt);
  EXPECT_EQ(getStaticNumRanks(TeamAttr::get(&context, TeamKind::Axis, 0, grid)),
            3);
  EXPECT_EQ(getStaticNumRanks(TeamAttr::get(&context, TeamKind::Axis, 1, grid)),
            std::nullopt);
}

TEST_F(BuilderTest, OnlyTeamsAlongAnAxisHaveAGrid) {
  auto error = [&] { return emitError(loc); };
  auto grid = GridAttr::get(&context, {2, 2});
  EXPECT_TRUE(failed(TeamAttr::verify(error, TeamKind::Lsa, 0, grid)));
  EXPECT_TRUE(failed(TeamAttr::verify(error, TeamKind::Axis, 0, GridAttr())));
  EXPECT_TRUE(failed(TeamAttr::verify(error, TeamKind::World, 1, GridAttr())));
  EXPECT_EQ(diagnostics, "a team along an axis, and no other, has a grid\n"
                         "a team along an axis, and no other, has a grid\n"
                         "a team without a grid has no axis\n");
}
