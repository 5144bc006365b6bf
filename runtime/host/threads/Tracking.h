//===- Tracking.h - what ThreadSanitizer is told ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fibers are threads of their own for ThreadSanitizer, though they share one OS
// thread. It is told what orders them, and not to look at the scheduler, which
// relies on that one thread. Without it all this is nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_HOST_THREADS_TRACKING_H
#define GIN_HOST_THREADS_TRACKING_H

#if defined(__SANITIZE_THREAD__)
#define GIN_HOST_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GIN_HOST_TSAN 1
#endif
#endif

#ifdef GIN_HOST_TSAN
#include <sanitizer/tsan_interface.h>
extern "C" {
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
}
#endif

namespace gin::host {

/// What the caller did is before what those do who acquire the same tag later.
inline void trackRelease([[maybe_unused]] void *tag) {
#ifdef GIN_HOST_TSAN
  __tsan_release(tag);
#endif
}
inline void trackAcquire([[maybe_unused]] void *tag) {
#ifdef GIN_HOST_TSAN
  __tsan_acquire(tag);
#endif
}

inline void ignore([[maybe_unused]] bool begin) {
#ifdef GIN_HOST_TSAN
  if (begin) {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  } else {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
#endif
}

/// In its scope the calling fiber is the scheduler (or, reversed, is not).
template <bool reversed>
class TrackingScope {
public:
  TrackingScope() { ignore(!reversed); }
  ~TrackingScope() { ignore(reversed); }
  TrackingScope(const TrackingScope &) = delete;
  TrackingScope &operator=(const TrackingScope &) = delete;
};
using Untracked = TrackingScope<false>;
using Tracked = TrackingScope<true>;

} // namespace gin::host

#endif // GIN_HOST_THREADS_TRACKING_H
