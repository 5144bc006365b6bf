//===- Hooks.cpp - in place of ThreadSanitizer's runtime ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the instrumentation of Clang and GCC calls for each access. Outside of
// kernels, and for a kernel's own variables, accesses are what they are.
//
//===----------------------------------------------------------------------===//

#include "test/runtime/weak/Explorer.h"

#include <cstring>

using namespace ginweak;

namespace {
/// An access that concerns the explorer, if there is one.
struct Access : Inside {
  explicit Access(const void *address)
      : concerned(explorer && explorer->concerns(address)) {}
  const bool concerned;
};
} // namespace

static void plain(const void *address, size_t size, bool store) {
  const Access access(address);
  if (!access.concerned)
    return;
  access.explorer->maybeChange(8);
  Model &memory = access.explorer->memory();
  if (store)
    memory.write(access.explorer->agent(), address, size);
  else
    memory.read(access.explorer->agent(), address, size);
}

template <class T>
static T load(const volatile T *place, int order) {
  T *address = const_cast<T *>(place);
  const Access access(address);
  if (!access.concerned)
    return *address;
  access.explorer->maybeChange(2);
  return static_cast<T>(access.explorer->memory().load(
      access.explorer->agent(), address, sizeof(T), order));
}

template <class T>
static void store(volatile T *place, T value, int order) {
  T *address = const_cast<T *>(place);
  const Access access(address);
  if (!access.concerned) {
    *address = value;
    return;
  }
  access.explorer->maybeChange(2);
  access.explorer->memory().store(access.explorer->agent(), address, sizeof(T),
                                  value, order);
}

template <class T, class Change>
static T modify(volatile T *place, int order, Change change) {
  T *address = const_cast<T *>(place);
  const Access access(address);
  if (!access.concerned) {
    const T old = *address;
    change(*address);
    return old;
  }
  access.explorer->maybeChange(2);
  return static_cast<T>(access.explorer->memory().modify(
      access.explorer->agent(), address, sizeof(T), order, [&](uint64_t &word) {
        T value = static_cast<T>(word);
        const bool changed = change(value);
        word = value;
        return changed;
      }));
}

extern "C" {

void __tsan_init();
void __tsan_init() {}
void __tsan_func_entry(void *);
void __tsan_func_entry(void *) {}
void __tsan_func_exit();
void __tsan_func_exit() {}
void __tsan_vptr_update(void **, void *);
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **);
void __tsan_vptr_read(void **) {}

void __tsan_read_range(void *address, unsigned long size);
void __tsan_read_range(void *address, unsigned long size) {
  plain(address, size, false);
}
void __tsan_write_range(void *address, unsigned long size);
void __tsan_write_range(void *address, unsigned long size) {
  plain(address, size, true);
}
void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memcpy(void *to, const void *from, size_t size) {
  plain(from, size, false);
  plain(to, size, true);
  return std::memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size) {
  plain(from, size, false);
  plain(to, size, true);
  return std::memmove(to, from, size);
}
void *__tsan_memset(void *to, int value, size_t size);
void *__tsan_memset(void *to, int value, size_t size) {
  plain(to, size, true);
  return std::memset(to, value, size);
}

#define GIN_PLAIN(size)                                                        \
  void __tsan_read##size(void *address);                                       \
  void __tsan_read##size(void *address) { plain(address, size, false); }       \
  void __tsan_write##size(void *address);                                      \
  void __tsan_write##size(void *address) { plain(address, size, true); }       \
  void __tsan_unaligned_read##size(void *address);                             \
  void __tsan_unaligned_read##size(void *address) {                            \
    plain(address, size, false);                                               \
  }                                                                            \
  void __tsan_unaligned_write##size(void *address);                            \
  void __tsan_unaligned_write##size(void *address) {                           \
    plain(address, size, true);                                                \
  }
GIN_PLAIN(1)
GIN_PLAIN(2)
GIN_PLAIN(4)
GIN_PLAIN(8)
GIN_PLAIN(16)

#define GIN_ATOMIC(bits)                                                       \
  using Word##bits = uint##bits##_t;                                           \
  Word##bits __tsan_atomic##bits##_load(const volatile Word##bits *a, int o);  \
  Word##bits __tsan_atomic##bits##_load(const volatile Word##bits *a, int o) { \
    return load(a, o);                                                         \
  }                                                                            \
  void __tsan_atomic##bits##_store(volatile Word##bits *a, Word##bits v,       \
                                   int o);                                     \
  void __tsan_atomic##bits##_store(volatile Word##bits *a, Word##bits v,       \
                                   int o) {                                    \
    store(a, v, o);                                                            \
  }                                                                            \
  Word##bits __tsan_atomic##bits##_fetch_add(volatile Word##bits *a,           \
                                             Word##bits v, int o);             \
  Word##bits __tsan_atomic##bits##_fetch_add(volatile Word##bits *a,           \
                                             Word##bits v, int o) {            \
    return modify(a, o, [&](Word##bits &value) {                               \
      value = static_cast<Word##bits>(value + v);                              \
      return true;                                                             \
    });                                                                        \
  }                                                                            \
  Word##bits __tsan_atomic##bits##_compare_exchange_val(                       \
      volatile Word##bits *a, Word##bits from, Word##bits to, int o, int);     \
  Word##bits __tsan_atomic##bits##_compare_exchange_val(                       \
      volatile Word##bits *a, Word##bits from, Word##bits to, int o, int) {    \
    return modify(a, o, [&](Word##bits &value) {                               \
      const bool same = value == from;                                         \
      if (same)                                                                \
        value = to;                                                            \
      return same;                                                             \
    });                                                                        \
  }                                                                            \
  int __tsan_atomic##bits##_compare_exchange_strong(                           \
      volatile Word##bits *a, Word##bits *from, Word##bits to, int o, int f);  \
  int __tsan_atomic##bits##_compare_exchange_strong(                           \
      volatile Word##bits *a, Word##bits *from, Word##bits to, int o, int f) { \
    const Word##bits old =                                                     \
        __tsan_atomic##bits##_compare_exchange_val(a, *from, to, o, f);        \
    const bool same = old == *from;                                            \
    *from = old;                                                               \
    return same;                                                               \
  }                                                                            \
  int __tsan_atomic##bits##_compare_exchange_weak(                             \
      volatile Word##bits *a, Word##bits *from, Word##bits to, int o, int f);  \
  int __tsan_atomic##bits##_compare_exchange_weak(                             \
      volatile Word##bits *a, Word##bits *from, Word##bits to, int o, int f) { \
    return __tsan_atomic##bits##_compare_exchange_strong(a, from, to, o, f);   \
  }
GIN_ATOMIC(8)
GIN_ATOMIC(16)
GIN_ATOMIC(32)
GIN_ATOMIC(64)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order) {
  const Inside here;
  if (here.explorer)
    here.explorer->memory().fence(here.explorer->agent(), order);
}
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int) {}

} // extern "C"
