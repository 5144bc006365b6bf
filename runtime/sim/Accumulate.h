//===- Accumulate.h - addition by element type ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_ACCUMULATE_H
#define GINC_SIM_ACCUMULATE_H

#include <cstddef>
#include <cstdint>

namespace ginc::sim {

/// Bytes of an element of a `gin_type`, or 0 if there is no such type.
unsigned bytesOfType(int32_t type);

/// Adds `count` elements at `values` to those at `target`, both contiguous:
/// modulo 2^n for integers, rounded to nearest even for floating point.
void addElements(int32_t type, void *target, const void *values, size_t count);

} // namespace ginc::sim

#endif // GINC_SIM_ACCUMULATE_H
