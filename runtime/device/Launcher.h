//===- Launcher.h - what the launchers of kernels share ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For the host code that ginc writes beside a kernel: checked sizes, and what
// is kept from launch to launch. No exceptions; everything returns a code.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_LAUNCHER_H
#define GIN_DEVICE_LAUNCHER_H

#include "runtime/device/GridExtents.h"
#include "runtime/device/Kernel.h"
#include "runtime/device/Types.h"
#include "runtime/include/gin.h"

#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <new>

/// Returns from the function with the call's code unless that is GIN_SUCCESS.
#define GIN_TRY(call)                                                          \
  do {                                                                         \
    const ginResult_t ginTryResult = (call);                                   \
    if (ginTryResult != GIN_SUCCESS)                                           \
      return ginTryResult;                                                     \
  } while (false)

namespace gin::launcher {

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// An integer that remembers whether it has overflowed, or was divided by 0.
class Size {
public:
  Size(int64_t number = 0) : number(number) {}

  /// Whether it can be the extent of an array.
  bool isExtent() const { return good && number >= 0; }
  int64_t value() const { return number; }

  friend Size operator+(Size a, Size b) {
    return make(a, b, __builtin_add_overflow(a.number, b.number, &a.number), a);
  }
  friend Size operator-(Size a, Size b) {
    return make(a, b, __builtin_sub_overflow(a.number, b.number, &a.number), a);
  }
  friend Size operator*(Size a, Size b) {
    return make(a, b, __builtin_mul_overflow(a.number, b.number, &a.number), a);
  }
  /// Affine maps divide by positive numbers alone.
  friend Size floorDiv(Size a, Size b) {
    if (b.number <= 0)
      return make(a, b, true, a);
    const int64_t rest = a.number % b.number;
    a.number = a.number / b.number - (rest < 0);
    return make(a, b, false, a);
  }
  friend Size ceilDiv(Size a, Size b) { return floorDiv(a + b - 1, b); }
  friend Size modulo(Size a, Size b) { return a - floorDiv(a, b) * b; }

private:
  static Size make(Size a, Size b, bool overflows, Size result) {
    result.good = a.good && b.good && !overflows;
    return result;
  }

  int64_t number;
  bool good = true;
};

/// The number of elements of an array.
inline Size product(std::initializer_list<Size> extents) {
  Size result = 1;
  // A negative extent is wrong, even beside another one.
  for (Size extent : extents)
    result = extent.isExtent() ? result * extent
                               : Size(std::numeric_limits<int64_t>::max()) + 1;
  return result;
}

/// A size as an integer; GIN_ERR_INVALID_ARGUMENT unless it can be an extent.
inline ginResult_t extent(Size size, int64_t &value) {
  value = size.value();
  return size.isExtent() ? GIN_SUCCESS : GIN_ERR_INVALID_ARGUMENT;
}

inline ginResult_t bytesOf(size_t element, std::initializer_list<Size> extents,
                           size_t &bytes) {
  int64_t value;
  GIN_TRY(extent(product(extents) * static_cast<int64_t>(element), value));
  bytes = static_cast<size_t>(value);
  return GIN_SUCCESS;
}

/// Extents of a grid of ranks; gin::anyExtent where `wanted` leaves the choice.
inline ginResult_t gridExtents(int ranks, std::initializer_list<int64_t> wanted,
                               int64_t *extents) {
  std::copy(wanted.begin(), wanted.end(), extents);
  return balanceExtents(ranks, extents, wanted.size())
             ? GIN_SUCCESS
             : GIN_ERR_INVALID_ARGUMENT;
}

/// Keeps the first error.
inline void also(ginResult_t &result, ginResult_t next) {
  if (result == GIN_SUCCESS)
    result = next;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// A window that the caller has registered. GIN_ERR_WINDOW_FULL if its own part
/// is smaller than the array.
inline ginResult_t open(ginWindow_t handle, size_t element,
                        std::initializer_list<Size> extents, Window &window) {
  size_t bytes;
  GIN_TRY(bytesOf(element, extents, bytes));
  if (!handle)
    return GIN_ERR_INVALID_ARGUMENT;
  GIN_TRY(ginWindowGetDevice(handle, &window, sizeof window));
  return window.bytes < bytes ? GIN_ERR_WINDOW_FULL : GIN_SUCCESS;
}
/// The same for a window that the kernel does not use.
inline ginResult_t open(ginWindow_t handle, size_t element,
                        std::initializer_list<Size> extents) {
  Window window;
  return open(handle, element, extents, window);
}

/// Memory that no other rank touches, registered when it is another one than at
/// the last launch.
struct Source {
  Window device = {};
  void *base = nullptr;
  size_t bytes = 0;
  ginWindow_t handle = nullptr;

  ginResult_t update(ginComm_t comm, void *memory, size_t element,
                     std::initializer_list<Size> extents) {
    size_t size;
    GIN_TRY(bytesOf(element, extents, size));
    if (!memory && size != 0)
      return GIN_ERR_INVALID_ARGUMENT;
    if (handle && memory == base && size == bytes)
      return GIN_SUCCESS;
    GIN_TRY(destroy());
    GIN_TRY(ginWindowRegisterLocal(comm, memory, size, &handle));
    base = memory;
    bytes = size;
    return ginWindowGetDevice(handle, &device, sizeof device);
  }
  ginResult_t destroy() {
    const ginResult_t result = handle ? ginWindowDestroy(handle) : GIN_SUCCESS;
    handle = nullptr;
    return result;
  }
};

/// A window that the launcher allocates.
struct Scratch {
  Window device = {};
  ginComm_t comm = nullptr;
  void *memory = nullptr;
  ginWindow_t handle = nullptr;

  ginResult_t create(ginComm_t owner, size_t element,
                     std::initializer_list<Size> extents, unsigned rights) {
    size_t bytes;
    GIN_TRY(bytesOf(element, extents, bytes));
    comm = owner;
    GIN_TRY(ginMemoryAlloc(comm, bytes, &memory));
    return ginWindowRegister(comm, memory, bytes, rights, &handle);
  }
  /// When all ranks have registered theirs.
  ginResult_t open() {
    return ginWindowGetDevice(handle, &device, sizeof device);
  }
  ginResult_t destroy() {
    ginResult_t result = handle ? ginWindowDestroy(handle) : GIN_SUCCESS;
    if (memory)
      also(result, ginMemoryFree(comm, memory));
    return result;
  }
};

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Of waits that name none, in nanoseconds: a minute, or as many seconds as the
/// environment variable GIN_TIMEOUT says; 0: none.
inline uint64_t timeout() {
  uint64_t seconds = 60;
  if (const char *text = std::getenv("GIN_TIMEOUT")) {
    char *end;
    const unsigned long long chosen = std::strtoull(text, &end, 10);
    if (end != text && *end == 0 && chosen <= UINT64_MAX / 1000000000)
      seconds = chosen;
  }
  return seconds * 1000000000;
}

struct Program {
  gin::Program device = {};
  ginComm_t comm = nullptr;
  ginProgram_t handle = nullptr;

  /// `slots` of each bank.
  ginResult_t create(ginComm_t owner, std::initializer_list<Size> slots,
                     uint32_t teams) {
    constexpr size_t most = 64;
    uint32_t counts[most];
    if (slots.size() > most)
      return GIN_ERR_INVALID_ARGUMENT;
    size_t banks = 0;
    for (Size size : slots) {
      int64_t count;
      GIN_TRY(extent(size, count));
      if (count > std::numeric_limits<uint32_t>::max())
        return GIN_ERR_INVALID_ARGUMENT;
      counts[banks++] = static_cast<uint32_t>(count);
    }
    comm = owner;
    const ginProgramConfig_t config = {static_cast<int>(banks), counts,
                                       timeout(), teams};
    return ginProgramCreate(comm, &config, &handle);
  }
  ginResult_t bank(int number, Bank &bank) {
    return ginProgramGetBank(handle, number, &bank, sizeof bank);
  }
  ginResult_t open() {
    return ginProgramGetDevice(handle, &device, sizeof device);
  }
  ginResult_t destroy() {
    return handle ? ginProgramDestroy(handle) : GIN_SUCCESS;
  }

  /// By at most `blocks` blocks; 0: as many as run at once. The kernel takes
  /// the program, then `arguments`, of exactly these types.
  template <class... Arguments>
  ginResult_t launch(const void *kernel, unsigned blocks, unsigned threads,
                     size_t shared, void *stream, Arguments &...arguments) {
    unsigned most;
    GIN_TRY(ginProgramMaxBlocks(handle, kernel, threads, shared, &most));
    if (blocks == 0 || blocks > most)
      blocks = most;
    const ginLaunchConfig_t config = {
        {blocks, 1, 1}, {threads, 1, 1}, shared, stream};
    void *addresses[] = {&device, &arguments...};
    return ginLaunch(handle, kernel, &config, addresses);
  }
};

} // namespace gin::launcher

#endif // GIN_DEVICE_LAUNCHER_H
