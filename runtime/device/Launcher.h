//===- Launcher.h - what the launchers of kernels share ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For the host code that ginc writes beside a kernel: checked sizes, and what
// is kept from launch to launch. No exceptions; everything returns a code, and
// what fails leaves a text for ginGetLastError that names the program and the
// argument.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_LAUNCHER_H
#define GIN_DEVICE_LAUNCHER_H

#include "runtime/device/GridExtents.h"
#include "runtime/device/Kernel.h"
#include "runtime/device/Types.h"
#include "runtime/include/gin.hpp"

#include <cstdarg>
#include <cstdio>
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
// Errors
//===----------------------------------------------------------------------===//

/// Leaves a text, which is written as by printf, and returns `result`.
__attribute__((format(printf, 2, 3))) inline ginResult_t
fail(ginResult_t result, const char *format, ...) {
  char text[1024];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return ginSetLastError(result, text);
}

inline ginResult_t nullPointer(const char *function) {
  return fail(GIN_ERR_INVALID_ARGUMENT, "%s: a null pointer", function);
}

/// Keeps the first error.
inline void also(ginResult_t &result, ginResult_t next) {
  if (result == GIN_SUCCESS)
    result = next;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// An integer that remembers whether it has overflowed, or was divided by 0.
class Size {
public:
  Size(int64_t number = 0) : number(number) {}

  /// Whether it can be the extent of an array.
  bool isExtent() const { return good && number >= 0; }
  bool isNumber() const { return good; }
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

/// What is launched. Programs whose kernels differ have other fingerprints.
struct Kernel {
  Kernel(const char *name, uint64_t fingerprint, const void *function,
         const char *architectures, unsigned threads, size_t shared,
         unsigned leastBlocks = 1, size_t (*more)(size_t own) = nullptr)
      : name(name), fingerprint(fingerprint), function(function),
        architectures(architectures), threads(threads),
        leastBlocks(leastBlocks), own(shared), more(more) {}

  /// Bytes of shared memory of a block, on the current device.
  size_t shared() const { return more ? more(own) : own; }

  const char *name;
  uint64_t fingerprint;
  const void *function;      // GIN_KERNEL
  const char *architectures; // GIN_ARCHITECTURES
  unsigned threads;          // of a block
  unsigned leastBlocks;      // one for each role

private:
  size_t own;                 // bytes of shared memory
  size_t (*more)(size_t own); // what that becomes with those of the device
};

struct BankSize {
  const char *name;
  Size slots;
};

struct Program {
  gin::Program device = {};
  ginComm_t comm = nullptr;
  ginProgram_t handle = nullptr;
  const char *title = nullptr;
  const Kernel *kernel = nullptr;    // the first one
  static constexpr size_t most = 64; // banks, and common sizes
  size_t commonCount = 0;
  const char *commonNames[most];
  Size commonSizes[most];

  /// What all ranks pass alike, such as an extent of a window but the first.
  /// Before create, which compares it.
  void common(const char *what, Size size) {
    if (commonCount < most) {
      commonNames[commonCount] = what;
      commonSizes[commonCount] = size;
    }
    ++commonCount;
  }

  /// Of the kernels in `code`, which are launched in so many lanes.
  ginResult_t create(ginComm_t owner, const char *name,
                     std::initializer_list<const Kernel *> code,
                     std::initializer_list<BankSize> banks, uint32_t teams,
                     uint32_t lanes = 1) {
    comm = owner;
    title = name;
    kernel = *code.begin();
    uint32_t counts[most];
    if (banks.size() > most)
      return fail(GIN_ERR_INVALID_ARGUMENT, "%s: %zu banks of signals, of %zu",
                  name, banks.size(), most);
    if (commonCount > most)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "%s: %zu sizes that ranks have in common, of %zu", name,
                  commonCount, most);
    int64_t values[most];
    for (size_t i = 0; i < commonCount; ++i)
      GIN_TRY(extent(commonNames[i], commonSizes[i], values[i]));
    size_t next = 0;
    for (const BankSize &bank : banks) {
      int64_t slots;
      GIN_TRY(extent(bank.name, bank.slots, slots));
      if (slots > std::numeric_limits<uint32_t>::max())
        return fail(GIN_ERR_INVALID_ARGUMENT, "%s: %s has %lld signals", name,
                    bank.name, static_cast<long long>(slots));
      counts[next++] = static_cast<uint32_t>(slots);
    }
    ginProgramConfig_t config = {};
    config.banks = static_cast<int>(next);
    config.slots = counts;
    config.timeout = timeout();
    config.teams = teams;
    config.lanes = lanes;
    config.name = name;
    config.fingerprint = kernel->fingerprint;
    config.architectures = kernel->architectures;
    config.agreed = static_cast<int>(commonCount);
    config.agreedNames = commonNames;
    config.agreedValues = values;
    GIN_TRY(ginProgramCreate(comm, &config, &handle));
    // The last rank loads the kernels, for all, so that any launch can be
    // captured.
    for (const Kernel *each : code) {
      const ginResult_t loaded =
          ginProgramPreload(handle, each->function, each->shared());
      if (loaded != GIN_SUCCESS)
        return loaded == GIN_ERR_INCOMPLETE ? GIN_SUCCESS : loaded;
    }
    return GIN_SUCCESS;
  }
  ginResult_t create(ginComm_t owner, const Kernel &code,
                     std::initializer_list<BankSize> banks, uint32_t teams) {
    return create(owner, code.name, {&code}, banks, teams);
  }
  ginResult_t bank(int number, Bank &bank) const {
    return ginProgramGetBank(handle, number, &bank, sizeof bank);
  }
  /// When all ranks have called create. All of `code` can run, so that no
  /// launch of several kernels is broken off for the want of blocks.
  ginResult_t open(std::initializer_list<const Kernel *> code = {}) {
    unsigned most;
    for (const Kernel *each : code)
      GIN_TRY(mostBlocks(*each, most));
    return ginProgramGetDevice(handle, &device, sizeof device);
  }
  ginResult_t destroy() {
    return handle ? ginProgramDestroy(handle) : GIN_SUCCESS;
  }

  // -- what is wrong with arguments ------------------------------------------

  /// Says of a text whose fault it is.
  ginResult_t blame(const char *argument, ginResult_t result) const {
    if (result == GIN_SUCCESS)
      return result;
    return fail(result, "%s: %s: %s", title, argument, ginGetLastError());
  }
  /// A size as an integer.
  ginResult_t extent(const char *what, Size size, int64_t &value) const {
    value = size.value();
    if (size.isExtent())
      return GIN_SUCCESS;
    if (!size.isNumber())
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "%s: %s is not the size of anything: a size that it is made "
                  "of is negative, or they overflow",
                  title, what);
    return fail(GIN_ERR_INVALID_ARGUMENT, "%s: %s has the size %lld", title,
                what, static_cast<long long>(value));
  }
  ginResult_t bytesOf(const char *what, size_t element,
                      std::initializer_list<Size> extents,
                      size_t &bytes) const {
    const Size size = product(extents) * static_cast<int64_t>(element);
    bytes = static_cast<size_t>(size.value());
    if (size.isExtent())
      return GIN_SUCCESS;
    char text[256];
    return fail(GIN_ERR_INVALID_ARGUMENT,
                "%s: %s cannot be an array of %s elements of %zu bytes", title,
                what, join(extents, text), element);
  }
  /// Extents of a grid of ranks; gin::anyExtent where `wanted` leaves the
  /// choice.
  ginResult_t gridExtents(int ranks, std::initializer_list<int64_t> wanted,
                          int64_t *extents) const {
    std::copy(wanted.begin(), wanted.end(), extents);
    if (balanceExtents(ranks, extents, wanted.size()))
      return GIN_SUCCESS;
    char text[256];
    return fail(GIN_ERR_INVALID_ARGUMENT, "%s: %d ranks make no grid of %s",
                title, ranks, join(wanted, text));
  }
  /// A size is that of create, for which there is memory.
  ginResult_t same(const char *name, int64_t given, int64_t kept) const {
    if (given == kept)
      return GIN_SUCCESS;
    return fail(GIN_ERR_MISMATCH,
                "%s: %s is %lld, and was %lld at create; create a program for "
                "each combination of sizes",
                title, name, static_cast<long long>(given),
                static_cast<long long>(kept));
  }
  /// A window that the caller has registered, whose own part is at least as
  /// large as the array.
  ginResult_t window(const char *name, ginWindow_t handle, size_t element,
                     std::initializer_list<Size> extents,
                     Window &window) const {
    size_t bytes;
    GIN_TRY(bytesOf(name, element, extents, bytes));
    if (!handle)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "%s: window %s is null; ginWindowRegister makes one", title,
                  name);
    GIN_TRY(blame(name, ginProgramCheckWindow(this->handle, handle)));
    GIN_TRY(blame(name, ginWindowGetDevice(handle, &window, sizeof window)));
    if (window.bytes >= bytes)
      return GIN_SUCCESS;
    char text[256];
    return fail(GIN_ERR_WINDOW_FULL,
                "%s: window %s has %llu bytes, and %s elements of %zu bytes "
                "need %zu; register a larger one",
                title, name, static_cast<unsigned long long>(window.bytes),
                join(extents, text), element, bytes);
  }
  /// The same for a window that the kernel does not use.
  ginResult_t window(const char *name, ginWindow_t handle, size_t element,
                     std::initializer_list<Size> extents) const {
    Window unused;
    return window(name, handle, element, extents, unused);
  }
  /// Memory of the rank that is no window.
  template <class T>
  ginResult_t pointer(const char *name, void *memory,
                      std::initializer_list<Size> extents, T *&pointer) const {
    size_t bytes;
    GIN_TRY(bytesOf(name, sizeof(T), extents, bytes));
    pointer = static_cast<T *>(memory);
    return blame(name, ginMemoryCheck(comm, memory, bytes));
  }

  // -- launches --------------------------------------------------------------

  /// How many blocks of `kernel` run at once; enough for its roles.
  ginResult_t mostBlocks(const Kernel &kernel, unsigned &most) const {
    GIN_TRY(ginProgramMaxBlocks(handle, kernel.function, kernel.threads,
                                kernel.shared(), &most));
    if (most >= kernel.leastBlocks)
      return GIN_SUCCESS;
    return fail(GIN_ERR_NOT_RESIDENT,
                "%s: its roles need %u blocks, of which %u run at once",
                kernel.name, kernel.leastBlocks, most);
  }
  /// Makes `blocks` at most `most`, which 0 stands for.
  ginResult_t limit(const Kernel &kernel, unsigned most,
                    unsigned &blocks) const {
    if (blocks == 0 || blocks > most)
      blocks = most;
    if (blocks >= kernel.leastBlocks)
      return GIN_SUCCESS;
    return fail(GIN_ERR_INVALID_ARGUMENT,
                "%s: its roles need %u blocks; launch that many, not %u",
                kernel.name, kernel.leastBlocks, blocks);
  }
  /// Of the only kernel, by at most `blocks` blocks; 0: as many as run at once.
  /// It takes the program, then `arguments`, of exactly these types; any
  /// pointer stands for one to elements.
  template <class... Arguments>
  ginResult_t launch(unsigned blocks, void *stream, Arguments &...arguments) {
    unsigned most;
    GIN_TRY(mostBlocks(*kernel, most));
    GIN_TRY(limit(*kernel, most, blocks));
    return launchExactly(blocks, stream, arguments...);
  }
  template <class... Arguments>
  ginResult_t launchExactly(unsigned blocks, void *stream,
                            Arguments &...arguments) {
    void *addresses[] = {&device, &arguments...};
    return launchWith(*kernel, blocks, stream, 0, addresses);
  }
  ginResult_t launchWith(const Kernel &kernel, unsigned blocks, void *stream,
                         unsigned lane, void **addresses) const {
    ginLaunchConfig_t config =
        gin::launchConfig(blocks, kernel.threads, kernel.shared(), stream);
    config.lane = lane;
    return ginLaunch(handle, kernel.function, &config, addresses);
  }

private:
  static int64_t valueOf(Size size) { return size.value(); }
  /// "4 x 8"; "?" where a grid's extent is free.
  template <class T, size_t N>
  static const char *join(std::initializer_list<T> extents, char (&text)[N]) {
    size_t end = 0;
    text[0] = 0;
    for (const T &extent : extents) {
      const long long value = valueOf(extent);
      const char *between = end == 0 ? "" : " x ";
      const int more =
          std::is_same_v<T, int64_t> && value == anyExtent
              ? std::snprintf(text + end, N - end, "%s?", between)
              : std::snprintf(text + end, N - end, "%s%lld", between, value);
      end += static_cast<size_t>(more);
      if (end >= N)
        break;
    }
    return text;
  }
};

/// `make` fills in what `destroy` takes apart.
template <class Self, class Arguments>
ginResult_t create(const char *function, ginResult_t (*make)(Self &, ginComm_t),
                   ginResult_t (*destroy)(Self *), ginComm_t comm,
                   const Arguments *arguments, Self **program) {
  if (!comm || !arguments || !program)
    return nullPointer(function);
  *program = nullptr;
  Self *self = new (std::nothrow) Self();
  if (!self)
    return fail(GIN_ERR_OUT_OF_MEMORY, "%s: host memory", function);
  self->sizes = *arguments;
  const ginResult_t result = make(*self, comm);
  if (result == GIN_SUCCESS)
    *program = self;
  else
    destroy(self); // leaves the text as it is
  return result;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Memory that no other rank touches, registered when it is another one than at
/// the last launch.
struct Source {
  Window device = {};
  void *base = nullptr;
  size_t bytes = 0;
  ginWindow_t handle = nullptr;

  ginResult_t update(const Program &program, const char *name, void *memory,
                     size_t element, std::initializer_list<Size> extents,
                     void *stream) {
    size_t size;
    GIN_TRY(program.bytesOf(name, element, extents, size));
    if (handle && memory == base && size == bytes)
      return GIN_SUCCESS;
    int capturing;
    GIN_TRY(ginCommIsCapturing(program.comm, stream, &capturing));
    if (capturing)
      return fail(
          GIN_ERR_IN_CAPTURE,
          "%s: %s is not the memory of the last launch, and registering "
          "it cannot be captured into a graph: launch with it once "
          "before the capture",
          program.title, name);
    ginWindow_t next;
    GIN_TRY(program.blame(
        name, ginWindowRegisterLocal(program.comm, memory, size, &next)));
    Window window;
    const ginResult_t result =
        program.blame(name, ginWindowGetDevice(next, &window, sizeof window));
    if (result != GIN_SUCCESS) {
      ginWindowDestroy(next);
      return result;
    }
    GIN_TRY(destroy());
    handle = next;
    device = window;
    base = memory;
    bytes = size;
    return GIN_SUCCESS;
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

  ginResult_t create(const Program &program, const char *name, size_t element,
                     std::initializer_list<Size> extents, unsigned rights) {
    size_t bytes;
    GIN_TRY(program.bytesOf(name, element, extents, bytes));
    comm = program.comm;
    GIN_TRY(program.blame(name, ginMemoryAlloc(comm, bytes, &memory)));
    return program.blame(
        name, ginWindowRegister(comm, memory, bytes, rights, &handle));
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

} // namespace gin::launcher

#endif // GIN_DEVICE_LAUNCHER_H
