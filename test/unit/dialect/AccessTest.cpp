//===- AccessTest.cpp - footprints of ops -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DialectTest.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gin;
using gin::test::name;

static std::string print(OpFoldResult value) {
  if (!value)
    return "to the end";
  if (auto attr = dyn_cast<Attribute>(value))
    return std::to_string(cast<IntegerAttr>(attr).getInt());
  return name(cast<Value>(value));
}

static std::string print(ArrayRef<OpFoldResult> values) {
  auto texts =
      llvm::map_range(values, [](OpFoldResult value) { return print(value); });
  return "[" + llvm::join(texts, ", ") + "]";
}

static std::string print(const Access &access) {
  static const char *const kinds[] = {"read", "write", "atomic"};
  std::string text = kinds[static_cast<int>(access.kind)];
  text += " " + name(access.memref);
  if (!access.offsets.empty())
    text += print(access.offsets) + print(access.sizes);
  EXPECT_EQ(access.offsets.size(), access.sizes.size());
  if (access.peer)
    text += " on " + print(access.peer);
  if (access.team) {
    llvm::raw_string_ostream os(text);
    os << " " << access.team;
  }
  return text;
}

namespace {
class AccessTest : public gin::test::DialectTest {
protected:
  /// Expects that the only op of `body` with accesses has those, and that the
  /// ops that have none implement the interface nevertheless.
  void expect(StringRef body, ArrayRef<StringRef> wanted) {
    std::string source =
        "#map = affine_map<(d0, d1) -> (d1, d0)>\n"
        "func.func @f(%x: memref<4xf32, #gin.window>,"
        "  %xd: memref<?xf32, #gin.window>, %w: memref<?x8xf32, #gin.window>,"
        "  %c: memref<f32, #gin.window>, %cube: memref<?x4x8xf32, #gin.window>,"
        "  %v: memref<4xvector<2xf32>, #gin.window>,"
        "  %s: !gin.signals<4>, %p: index, %i: index, %e: f32,"
        "  %vec: vector<4xf32>, %mat: vector<4x4xf32>, %mask: vector<4xi1>,"
        "  %at: vector<4xindex>, %squares: memref<?x4x4xf32>,"
        "  %rows: memref<?xi32>, %groups: memref<?xindex>) {\n" +
        body.str() + "\nreturn\n}\n";
    OwningOpRef<ModuleOp> module = parse(source);
    ASSERT_TRUE(module);
    SmallVector<std::string> found;
    bool known = false;
    module->walk([&](AccessOpInterface op) {
      known = true;
      SmallVector<Access> accesses;
      op.getAccesses(accesses);
      for (const Access &access : accesses)
        found.push_back(print(access));
    });
    EXPECT_TRUE(known) << body.str();
    EXPECT_EQ(llvm::join(found, "; "), llvm::join(wanted, "; ")) << body.str();
  }
};
} // namespace

TEST_F(AccessTest, Put) {
  expect("gin.put %x into %w[%i, 4] on %p"
         " : memref<4xf32, #gin.window> into memref<?x8xf32, #gin.window>",
         {"read %arg0", "write %arg2[%arg8, 4][1, 4] on %arg7"});
  expect("gin.put %x into %cube[1, %i, 0] on 3 team row of ?x? accumulate"
         " : memref<4xf32, #gin.window> into memref<?x4x8xf32, #gin.window>",
         {"read %arg0", "atomic %arg4[1, %arg8, 0][1, 1, 4] on 3 "
                        "#gin.team<row of ?x?>"});
}

TEST_F(AccessTest, PutOfUnknownLength) {
  expect("gin.put %xd into %w[%i, 2] on %p"
         " : memref<?xf32, #gin.window> into memref<?x8xf32, #gin.window>",
         {"read %arg1", "write %arg2[%arg8, 2][1, to the end] on %arg7"});
  expect("gin.put %w into %w[%i, 0] on %p"
         " : memref<?x8xf32, #gin.window> into memref<?x8xf32, #gin.window>",
         {"read %arg2", "write %arg2[%arg8, 0][to the end, 8] on %arg7"});
}

TEST_F(AccessTest, ScalarTransfers) {
  expect("gin.put_value %e into %w[%i, 2] on 0"
         " : f32 into memref<?x8xf32, #gin.window>",
         {"write %arg2[%arg8, 2][1, 1] on 0"});
  expect("gin.atomic_add %e into %w[1, %i] on 0 team lsa"
         " : f32 into memref<?x8xf32, #gin.window>",
         {"atomic %arg2[1, %arg8][1, 1] on 0 #gin.team<lsa>"});
  // A place without dimensions is the whole window.
  expect("gin.put_value %e into %c[] on 0 : f32 into memref<f32, #gin.window>",
         {"write %arg3 on 0"});
}

TEST_F(AccessTest, Get) {
  expect("gin.get %w[%i, 0] on %p into %x"
         " : memref<?x8xf32, #gin.window> into memref<4xf32, #gin.window>",
         {"read %arg2[%arg8, 0][1, 4] on %arg7", "write %arg0"});
}

TEST_F(AccessTest, Matmul) {
  expect("gin.matmul %cube, %cube into %squares rows %rows groups %groups"
         " transposed : memref<?x4x8xf32, #gin.window>,"
         " memref<?x4x8xf32, #gin.window> into memref<?x4x4xf32>"
         " rows memref<?xi32> groups memref<?xindex>",
         {"read %arg4", "read %arg4", "read %arg15", "read %arg16",
          "write %arg14"});
}

TEST_F(AccessTest, OrderingOpsTouchNothing) {
  expect("gin.signal %s[0] on %p : !gin.signals<4>", {});
  expect("gin.wait %s[0] >= 1 : !gin.signals<4>", {});
  expect("%t = gin.test %s[0] >= 1 : !gin.signals<4>", {});
  expect("%t = gin.read %s[0] : !gin.signals<4>", {});
  expect("%t = gin.ready_token\ngin.await %t", {});
  expect("gin.flush", {});
  expect("gin.barrier", {});
}

TEST_F(AccessTest, Memref) {
  expect("%l = memref.load %w[%i, %p] : memref<?x8xf32, #gin.window>",
         {"read %arg2[%arg8, %arg7][1, 1]"});
  expect("memref.store %e, %w[%i, %p] : memref<?x8xf32, #gin.window>",
         {"write %arg2[%arg8, %arg7][1, 1]"});
  expect("%l = memref.load %c[] : memref<f32, #gin.window>", {"read %arg3"});
  expect("%l = memref.atomic_rmw addf %e, %x[%i]"
         " : (f32, memref<4xf32, #gin.window>) -> f32",
         {"atomic %arg0[%arg8][1]"});
  expect("memref.copy %x, %xd"
         " : memref<4xf32, #gin.window> to memref<?xf32, #gin.window>",
         {"read %arg0", "write %arg1"});
}

TEST_F(AccessTest, Affine) {
  expect("%l = affine.load %w[symbol(%i) + 1, 0]"
         " : memref<?x8xf32, #gin.window>",
         {"read %arg2"});
  expect("affine.store %e, %x[0] : memref<4xf32, #gin.window>",
         {"write %arg0"});
  expect("%l = affine.vector_load %x[0]"
         " : memref<4xf32, #gin.window>, vector<4xf32>",
         {"read %arg0"});
  expect("affine.vector_store %vec, %x[0]"
         " : memref<4xf32, #gin.window>, vector<4xf32>",
         {"write %arg0"});
}

TEST_F(AccessTest, Vector) {
  expect("%l = vector.load %w[%i, %p]"
         " : memref<?x8xf32, #gin.window>, vector<4xf32>",
         {"read %arg2[%arg8, %arg7][1, 4]"});
  expect("vector.store %vec, %w[%i, %p]"
         " : memref<?x8xf32, #gin.window>, vector<4xf32>",
         {"write %arg2[%arg8, %arg7][1, 4]"});
  expect("%l = vector.transfer_read %cube[%p, %i, %i], %e"
         " : memref<?x4x8xf32, #gin.window>, vector<4x4xf32>",
         {"read %arg4[%arg7, %arg8, %arg8][1, 4, 4]"});
  expect("vector.transfer_write %mat, %cube[%p, %i, %i]"
         " : vector<4x4xf32>, memref<?x4x8xf32, #gin.window>",
         {"write %arg4[%arg7, %arg8, %arg8][1, 4, 4]"});
}

TEST_F(AccessTest, VectorsWhosePlaceIsNotPlain) {
  expect("vector.transfer_write %mat, %w[%p, %i] {permutation_map = #map}"
         " : vector<4x4xf32>, memref<?x8xf32, #gin.window>",
         {"write %arg2"});
  expect("%l = vector.transfer_read %x[%i], %e, %mask"
         " : memref<4xf32, #gin.window>, vector<4xf32>",
         {"read %arg0"});
  expect("%l = vector.load %v[%i]"
         " : memref<4xvector<2xf32>, #gin.window>, vector<2xf32>",
         {"read %arg5"});
  expect("%l = vector.maskedload %x[%i], %mask, %vec"
         " : memref<4xf32, #gin.window>, vector<4xi1>, vector<4xf32>"
         " into vector<4xf32>",
         {"read %arg0"});
  expect("vector.scatter %x[%i] [%at], %mask, %vec"
         " : memref<4xf32, #gin.window>, vector<4xindex>, vector<4xi1>,"
         " vector<4xf32>",
         {"write %arg0"});
}

TEST_F(AccessTest, Linalg) {
  expect("linalg.fill ins(%e : f32) outs(%x : memref<4xf32, #gin.window>)",
         {"write %arg0"});
  expect("linalg.exp ins(%x : memref<4xf32, #gin.window>)"
         " outs(%xd : memref<?xf32, #gin.window>)",
         {"read %arg0", "write %arg1"});
  expect(
      "linalg.matmul ins(%w, %w : memref<?x8xf32, #gin.window>,"
      " memref<?x8xf32, #gin.window>) outs(%w : memref<?x8xf32, #gin.window>)",
      {"read %arg2", "read %arg2", "read %arg2", "write %arg2"});
  // An operand whose elements the body does not use gives its shape only.
  expect("linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,"
         " affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}"
         " ins(%x : memref<4xf32, #gin.window>)"
         " outs(%xd : memref<?xf32, #gin.window>) {\n"
         "^bb0(%a: f32, %b: f32):\n linalg.yield %e : f32\n}",
         {"write %arg1"});
}
