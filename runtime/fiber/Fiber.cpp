//===- Fiber.cpp - a thread of control that can be put aside --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/fiber/Fiber.h"

#include <boost/context/fiber.hpp>

#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define GINC_FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GINC_FIBER_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define GINC_FIBER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GINC_FIBER_TSAN 1
#endif
#endif

#ifdef GINC_FIBER_ASAN
#include <sanitizer/common_interface_defs.h>

// What compilers call for a scope that ends. The function of the public
// interface does nothing under allow_user_poisoning=0, which programs need that
// use an LLVM library without AddressSanitizer.
extern "C" void __asan_unpoison_stack_memory(uintptr_t address, size_t bytes);
#endif
#ifdef GINC_FIBER_TSAN
#include <sanitizer/tsan_interface.h>
#define GINC_FIBER_UNTRACKED __attribute__((no_sanitize("thread")))
#else
#define GINC_FIBER_UNTRACKED
#endif

using namespace ginc;
namespace context = boost::context;

namespace {

/// Boost asks an allocator to free a stack when its fiber is unwound, which
/// never happens here.
struct NoAllocator {
  void deallocate(context::stack_context &) noexcept {}
};

} // namespace

static_assert(sizeof(context::fiber) == sizeof(void *),
              "a handle is a pointer to a stack");

static context::fiber &handle(char *storage) {
  return *std::launder(reinterpret_cast<context::fiber *>(storage));
}

/// Out of line for the sake of ThreadSanitizer, which counts calls: the ways
/// into a fiber and out of it make the same ones.
__attribute__((noinline)) static void jump(context::fiber &target) {
  target = std::move(target).resume();
}

#ifdef GINC_FIBER_ASAN
// The main flow's stack, learnt at each switch away from it.
static thread_local const void *mainBottom = nullptr;
static thread_local size_t mainSize = 0;
#endif

Fiber::Fiber(size_t stackBytes, bool guard) {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  stackBytes = (stackBytes + page - 1) / page * page;
  guardBytes = guard ? page : 0;
  mapped = guardBytes + stackBytes;
  void *memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  mapping = static_cast<char *>(memory);
  if (guard && mprotect(mapping, page, PROT_NONE) != 0) {
    munmap(mapping, mapped);
    throw std::bad_alloc();
  }
  FiberPool::guarded += guard;
  create();
}

Fiber::~Fiber() {
  endTracking();
  forgetFrames();
  FiberPool::guarded -= guardBytes != 0;
  munmap(mapping, mapped);
}

/// Frames that never returned left red zones, which would outlive the stack.
void Fiber::forgetFrames() {
#ifdef GINC_FIBER_ASAN
  __asan_unpoison_stack_memory(
      reinterpret_cast<uintptr_t>(mapping) + guardBytes, mapped - guardBytes);
  fakeStack = nullptr;
#endif
}

void Fiber::beginTracking() {
#ifdef GINC_FIBER_TSAN
  tracked = __tsan_create_fiber(0);
#endif
}
void Fiber::endTracking() {
#ifdef GINC_FIBER_TSAN
  __tsan_destroy_fiber(tracked);
#endif
}

void Fiber::create() {
  beginTracking();
  context::stack_context stack;
  stack.sp = mapping + mapped;
  stack.size = mapped - guardBytes;
  context::preallocated place(stack.sp, stack.size, stack);
  new (own) context::fiber(std::allocator_arg, place, NoAllocator(),
                           [this](context::fiber &&caller) {
                             this->caller = &caller;
                             loop();
                             return std::move(caller); // not reached
                           });
}

// Not looked at by ThreadSanitizer: the fiber's side of what the thread's main
// flow does to this object, which is one thread.
GINC_FIBER_UNTRACKED void Fiber::loop() {
#ifdef GINC_FIBER_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &mainBottom, &mainSize);
#endif
  for (;;) {
    job(argument);
    job = nullptr;
    suspend();
  }
}

void Fiber::start(Job newJob, void *newArgument, Order newOrder) {
  job = newJob;
  argument = newArgument;
  order = newOrder;
  resume();
}

void Fiber::resume() {
#ifdef GINC_FIBER_ASAN
  void *mainFake = nullptr;
  __sanitizer_start_switch_fiber(&mainFake, mapping + guardBytes,
                                 mapped - guardBytes);
#endif
#ifdef GINC_FIBER_TSAN
  trackedMain = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(
      tracked, order == Order::Unordered ? __tsan_switch_to_fiber_no_sync : 0);
#endif
  jump(handle(own));
#ifdef GINC_FIBER_ASAN
  __sanitizer_finish_switch_fiber(mainFake, nullptr, nullptr);
#endif
}

GINC_FIBER_UNTRACKED void Fiber::suspend() {
#ifdef GINC_FIBER_ASAN
  __sanitizer_start_switch_fiber(&fakeStack, mainBottom, mainSize);
#endif
#ifdef GINC_FIBER_TSAN
  __tsan_switch_to_fiber(trackedMain, order == Order::Unordered
                                          ? __tsan_switch_to_fiber_no_sync
                                          : 0);
#endif
  top = static_cast<const char *>(__builtin_frame_address(0)) - 128;
  jump(*static_cast<context::fiber *>(caller));
#ifdef GINC_FIBER_ASAN
  __sanitizer_finish_switch_fiber(fakeStack, &mainBottom, &mainSize);
#endif
}

void Fiber::abandon() {
  job = nullptr;
  endTracking();
  forgetFrames();
  create();
}

FiberPool &FiberPool::ofThread() {
  static thread_local FiberPool pool;
  return pool;
}

// Each guard page splits a mapping, and Linux allows a process 65530 of them.
// Past this many fibers, stacks go without; such programs have tiny agents.
static constexpr size_t maxGuarded = 16384;
std::atomic<size_t> FiberPool::guarded{0};

std::unique_ptr<Fiber> FiberPool::take(size_t bytes) {
  if (bytes > stackBytes || bytes < stackBytes / 2) {
    idle.clear();
    stackBytes = bytes;
  }
  if (idle.empty()) {
    return std::unique_ptr<Fiber>(new Fiber(stackBytes, guarded < maxGuarded));
  }
  std::unique_ptr<Fiber> fiber = std::move(idle.back());
  idle.pop_back();
  return fiber;
}

void FiberPool::give(std::unique_ptr<Fiber> fiber) {
  if (!fiber->idle())
    fiber->abandon();
  idle.push_back(std::move(fiber));
}

void FiberPool::trim() {
  constexpr size_t kept = 64;
  while (idle.size() > kept)
    idle.pop_back();
}
