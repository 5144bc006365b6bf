//===- SmallFloatTest.cpp - 8- and 16-bit floating point ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/device/SmallFloat.h"

#include "Harness.h"
#include "runtime/sim/Accumulate.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <vector>

using namespace ginc;
using namespace ginc::sim;
using namespace gin::formats;

namespace {

template <typename Format>
class SmallFloatTest : public testing::Test {};
using Formats = testing::Types<Float16, BFloat16, Float8E5M2, Float8E4M3FN>;
TYPED_TEST_SUITE(SmallFloatTest, Formats);

/// All finite values of a format, in order, zero once.
template <typename Format>
std::vector<double> finiteValues() {
  std::vector<double> values;
  for (uint32_t bits = 0; bits < Format::sign * 2; ++bits) {
    double value = Format::decode(bits);
    if (std::isfinite(value) && (value != 0 || bits == 0))
      values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  return values;
}

} // namespace

TYPED_TEST(SmallFloatTest, EveryValueRoundTrips) {
  for (uint32_t bits = 0; bits < TypeParam::sign * 2; ++bits) {
    double value = TypeParam::decode(bits);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(TypeParam::decode(TypeParam::encode(value))));
    else
      EXPECT_EQ(TypeParam::encode(value), bits);
  }
}

TYPED_TEST(SmallFloatTest, KnownValues) {
  EXPECT_EQ(TypeParam::decode(0), 0.0);
  EXPECT_TRUE(std::signbit(TypeParam::decode(TypeParam::sign)));
  EXPECT_EQ(TypeParam::encode(1.0), static_cast<uint32_t>(TypeParam::bias)
                                        << (TypeParam::mantissas == 1023  ? 10
                                            : TypeParam::mantissas == 127 ? 7
                                            : TypeParam::mantissas == 3   ? 2
                                                                          : 3));
  EXPECT_TRUE(std::isnan(TypeParam::decode(TypeParam::encode(std::nan("")))));
}

/// To nearest, ties to the even pattern: between each two neighbours, just
/// below, at and just above the middle.
TYPED_TEST(SmallFloatTest, RoundsToNearestEven) {
  std::vector<double> values = finiteValues<TypeParam>();
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    double low = values[i], high = values[i + 1], middle = (low + high) / 2;
    uint32_t lowBits = TypeParam::encode(low);
    uint32_t highBits = TypeParam::encode(high);
    ASSERT_EQ(TypeParam::decode(lowBits), low);
    double below =
        TypeParam::decode(TypeParam::encode(std::nextafter(middle, low)));
    double at = TypeParam::decode(TypeParam::encode(middle));
    double above =
        TypeParam::decode(TypeParam::encode(std::nextafter(middle, high)));
    EXPECT_EQ(below, low);
    EXPECT_EQ(above, high);
    EXPECT_EQ(at, (lowBits & 1) == 0 ? low : high)
        << low << " " << high << " " << highBits;
  }
}

TYPED_TEST(SmallFloatTest, Overflow) {
  std::vector<double> values = finiteValues<TypeParam>();
  double largest = values.back();
  double step = largest - values[values.size() - 2];
  // Up to half a step more is the largest; from there on it is too much. The
  // largest pattern of an E4M3FN is even, so that there the tie stays.
  EXPECT_EQ(TypeParam::decode(TypeParam::encode(largest + step * 0.4999)),
            largest);
  double over = TypeParam::decode(TypeParam::encode(largest + step * 0.5001));
  double tie = TypeParam::decode(TypeParam::encode(largest + step * 0.5));
  if (TypeParam::quietNaN == TypeParam::sign - 1) {
    EXPECT_TRUE(std::isnan(over));
    EXPECT_EQ(tie, largest);
  } else {
    EXPECT_TRUE(std::isinf(over));
    EXPECT_TRUE(std::isinf(tie));
  }
}

/// The sum of any two 8-bit values, and of many 16-bit ones, is the value of
/// the format nearest to their exact sum, which a double holds.
TYPED_TEST(SmallFloatTest, SumsAreCorrectlyRounded) {
  std::vector<double> values = finiteValues<TypeParam>();
  size_t step = values.size() > 1000 ? 97 : 1;
  for (size_t i = 0; i < values.size(); i += step)
    for (size_t j = 0; j < values.size(); j += step) {
      double exact = values[i] + values[j];
      double got = TypeParam::decode(TypeParam::encode(exact));
      if (!std::isfinite(got))
        continue;
      auto after = std::lower_bound(values.begin(), values.end(), exact);
      double best = after == values.end() ? values.back() : *after;
      if (after != values.begin() && exact - *(after - 1) < best - exact)
        best = *(after - 1);
      EXPECT_LE(std::abs(got - exact), std::abs(best - exact));
    }
}

template <typename T>
static void checkAdd(int32_t type, std::vector<T> a, const std::vector<T> &b,
                     const std::vector<T> &sum) {
  ASSERT_EQ(bytesOfType(type), sizeof(T));
  addElements(type, a.data(), b.data(), a.size());
  EXPECT_EQ(a, sum);
}

TEST(Accumulate, EveryType) {
  checkAdd<uint8_t>(GIN_I8, {1, 255}, {2, 3}, {3, 2});
  checkAdd<uint16_t>(GIN_I16, {1, 65535}, {2, 3}, {3, 2});
  checkAdd<uint32_t>(GIN_I32, {1, UINT32_MAX}, {2, 3}, {3, 2});
  checkAdd<uint64_t>(GIN_I64, {1, UINT64_MAX}, {2, 3}, {3, 2});
  checkAdd<float>(GIN_F32, {1.5f, 1e30f}, {2.25f, 1}, {3.75f, 1e30f});
  checkAdd<double>(GIN_F64, {1.5, 0.1}, {2.25, 0.2}, {3.75, 0.1 + 0.2});
  checkAdd<uint16_t>(GIN_F16, {0x3c00, 0x6800}, {0x3c00, 0x3c00},
                     {0x4000, 0x6800}); // 1 + 1, 2048 + 1
  checkAdd<uint16_t>(GIN_BF16, {0x3f80, 0x4380}, {0x3f80, 0x3f80},
                     {0x4000, 0x4380}); // 1 + 1, 256 + 1
  checkAdd<uint8_t>(GIN_F8E4M3FN, {0x38, 0x7e}, {0x38, 0x7e},
                    {0x40, 0x7f}); // 1 + 1, 448 + 448
  checkAdd<uint8_t>(GIN_F8E5M2, {0x3c, 0x7b}, {0x3c, 0x7b},
                    {0x40, 0x7c}); // 1 + 1, 57344 + 57344
  EXPECT_EQ(bytesOfType(99), 0u);
}

/// All pairs of 8-bit values through the addition, against doubles.
TEST(Accumulate, AllPairsOfFloat8) {
  for (uint32_t a = 0; a < 256; ++a)
    for (uint32_t b = 0; b < 256; ++b) {
      uint8_t left = static_cast<uint8_t>(a), right = static_cast<uint8_t>(b);
      addElements(GIN_F8E5M2, &left, &right, 1);
      double sum = Float8E5M2::decode(a) + Float8E5M2::decode(b);
      if (std::isnan(sum))
        EXPECT_TRUE(std::isnan(Float8E5M2::decode(left)));
      else
        EXPECT_EQ(left, Float8E5M2::encode(sum));
    }
}
