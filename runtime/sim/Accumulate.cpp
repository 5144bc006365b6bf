//===- Accumulate.cpp - addition by element type --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Accumulate.h"

#include "runtime/device/SmallFloat.h"
#include "runtime/device/contract.h"

#include <cstring>

using namespace ginc::sim;
using namespace gin::formats;

template <typename T>
static void addNative(void *target, const void *values, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    // Memory of a window has no declared type: copy in and out.
    T a, b;
    char *place = static_cast<char *>(target) + i * sizeof(T);
    std::memcpy(&a, place, sizeof(T));
    std::memcpy(&b, static_cast<const char *>(values) + i * sizeof(T),
                sizeof(T));
    a = static_cast<T>(a + b);
    std::memcpy(place, &a, sizeof(T));
  }
}

template <typename Format, typename Bits>
static void addSmall(void *target, const void *values, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    Bits a, b;
    char *place = static_cast<char *>(target) + i * sizeof(Bits);
    std::memcpy(&a, place, sizeof(Bits));
    std::memcpy(&b, static_cast<const char *>(values) + i * sizeof(Bits),
                sizeof(Bits));
    a = static_cast<Bits>(
        Format::encode(Format::decode(a) + Format::decode(b)));
    std::memcpy(place, &a, sizeof(Bits));
  }
}

unsigned ginc::sim::bytesOfType(int32_t type) {
  switch (type) {
  case GIN_I8:
  case GIN_F8E4M3FN:
  case GIN_F8E5M2:
    return 1;
  case GIN_I16:
  case GIN_F16:
  case GIN_BF16:
    return 2;
  case GIN_I32:
  case GIN_F32:
    return 4;
  case GIN_I64:
  case GIN_F64:
    return 8;
  default:
    return 0;
  }
}

void ginc::sim::addElements(int32_t type, void *target, const void *values,
                            size_t count) {
  switch (type) {
  case GIN_I8:
    return addNative<uint8_t>(target, values, count);
  case GIN_I16:
    return addNative<uint16_t>(target, values, count);
  case GIN_I32:
    return addNative<uint32_t>(target, values, count);
  case GIN_I64:
    return addNative<uint64_t>(target, values, count);
  case GIN_F16:
    return addSmall<Float16, uint16_t>(target, values, count);
  case GIN_BF16:
    return addSmall<BFloat16, uint16_t>(target, values, count);
  case GIN_F32:
    return addNative<float>(target, values, count);
  case GIN_F64:
    return addNative<double>(target, values, count);
  case GIN_F8E4M3FN:
    return addSmall<Float8E4M3FN, uint8_t>(target, values, count);
  case GIN_F8E5M2:
    return addSmall<Float8E5M2, uint8_t>(target, values, count);
  default:
    return;
  }
}
