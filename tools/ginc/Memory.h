//===- Memory.h - how much memory is there? ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_MEMORY_H
#define GINC_TOOLS_GINC_MEMORY_H

#include <cstdint>
#include <string>

namespace ginc {

/// Bytes that this process can still get without swapping: what the machine,
/// its control group and its resource limits leave. The largest number where
/// none of them can be found out.
uint64_t availableMemory();

/// "1.5 kB", "13.2 GB": three digits or so, powers of 1000.
std::string formatBytes(uint64_t bytes);

} // namespace ginc

#endif // GINC_TOOLS_GINC_MEMORY_H
