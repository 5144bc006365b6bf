//===- Time.h - virtual time ------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_SIM_TIME_H
#define GINC_SIM_TIME_H

#include <cstdint>

namespace ginc::sim {

/// Virtual time in picoseconds since the run began. 64 bits last for 213 days.
using Time = uint64_t;

constexpr Time psPerNs = 1000;

} // namespace ginc::sim

#endif // GINC_SIM_TIME_H
