/*===- gin.h - communicators, windows, programs -------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The host's side of communication that GPUs initiate.
//
//   communicator   the ranks, all in one process today: GPUs, or threads of the
//                  host that stand in for them, so that the same program runs
//                  where there is no GPU
//   window         an allocation of each rank that the others may access
//   program        banks of signals and a launch counter: what a kernel, or
//                  several kernels and copies, need from launch to launch
//
// Collective calls (those that take "every rank in the same order") may come
// from one thread, rank after rank, or from one thread for each rank. None
// waits for another rank; the object is complete, and can be launched with,
// when the last rank has called.
//
// Threads. Calls for different ranks may come from different threads; calls
// for one rank come from one at a time, but for ginCommAbort and
// ginCommGetAsyncError, which any thread may call at any time.
//
// Lifetime. Handles may be destroyed in any order; what ranks share goes with
// the last handle. Launched work must have ended, or be aborted, before a
// program or its windows' memory goes.
//
// Errors. Every function returns a code; ginGetLastError() says more, in the
// thread that got it. Errors of kernels come from ginCommGetAsyncError. A call
// that fails has made nothing, and may be made again. A collective call of one
// rank that the others have not all followed is taken back by destroying what
// it made.
//
// Capture. Nothing is set up (communicators, memory, windows, programs, code
// loaded) while a stream is captured into a graph: GIN_ERR_IN_CAPTURE. CUDA
// itself forbids it, and may end the capture (cudaErrorStreamCaptureInvalidated
// at its end); a relaxed capture is seen only if its stream is a blocking one.
//
//===----------------------------------------------------------------------===*/

#ifndef GIN_H
#define GIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define GIN_API
#else
#define GIN_API __attribute__((visibility("default")))
#endif

/* -- results --------------------------------------------------------------- */

typedef enum ginResult {
  GIN_SUCCESS = 0,
  GIN_ERR_INVALID_ARGUMENT = 1,
  GIN_ERR_NO_BACKEND = 2,     /* no GPU or driver, or built without them or
                                 for another architecture */
  GIN_ERR_CUDA = 3,           /* CUDA refused; the detail names its error */
  GIN_ERR_NO_PEER_ACCESS = 4, /* two GPUs cannot reach each other's memory */
  GIN_ERR_OUT_OF_MEMORY = 5,
  GIN_ERR_WINDOW_FULL = 6,    /* an access past a registered size */
  GIN_ERR_ACCESS = 7,         /* an access that the window's rights forbid */
  GIN_ERR_NO_SLOT = 8,        /* a slot past the end of its bank */
  GIN_ERR_SIGNAL_PENDING = 9, /* a launch would overlap one on its signals */
  GIN_ERR_NOT_RESIDENT = 10,  /* more blocks than the GPU runs at once */
  GIN_ERR_INCOMPLETE = 11,    /* a rank has not yet made the collective call */
  GIN_ERR_MISMATCH = 12,      /* collective calls or sizes that differ */
  GIN_ERR_IN_CAPTURE = 13,    /* set-up while a stream is captured */
  GIN_ERR_TIMEOUT = 14,       /* a wait lasted too long */
  GIN_ERR_ABORTED = 15,       /* ginCommAbort, or another rank's error */
  GIN_ERR_INTERNAL = 16,
  GIN_ERR_DIVERGED = 17,  /* host: some threads of a block or warp wait at a
                             barrier that others never reach */
  GIN_ERR_ASSERTION = 18, /* an assertion of the program does not hold */
  GIN_ERR_UNCONSUMED_SIGNAL = 19 /* a signal that no wait has counted */
} ginResult_t;

/* "GIN_ERR_TIMEOUT"; what it means; what to do about it. Never null. */
GIN_API const char *ginResultName(ginResult_t result);
GIN_API const char *ginResultText(ginResult_t result);
GIN_API const char *ginResultAdvice(ginResult_t result);

/* What this thread's last failed call says beyond its code. Valid until this
 * thread's next call. */
GIN_API const char *ginGetLastError(void);
/* For code on top of this library, such as launchers: keeps `text` for this
 * thread's ginGetLastError, and returns `result`. */
GIN_API ginResult_t ginSetLastError(ginResult_t result, const char *text);

/* -- communicators --------------------------------------------------------- */

typedef struct ginComm *ginComm_t;

/* Makes a communicator of `n` ranks, rank i on CUDA device devices[i], and
 * stores rank i's handle in comms[i]. A null `devices` means 0 ... n-1. Every
 * GPU must reach every other's memory. Nothing is stored on an error. */
GIN_API ginResult_t ginCommCreateAll(const int *devices, int n,
                                     ginComm_t *comms);
/* The same without GPUs: ranks are threads of this process, and kernels are
 * compiled as plain C++ (runtime/device/HostThreads.h says how they run). `n`
 * is at most GIN_HOST_MAX_RANKS; there may be more ranks than cores. Kernels
 * run, but their speed says nothing. Two kinds of communicators may exist at a
 * time. */
#define GIN_HOST_MAX_RANKS 64
GIN_API ginResult_t ginCommCreateAllHost(int n, ginComm_t *comms);
GIN_API ginResult_t ginCommDestroy(ginComm_t comm);

typedef enum ginBackend {
  GIN_BACKEND_CUDA = 1,
  GIN_BACKEND_HOST = 2
} ginBackend_t;
GIN_API ginResult_t ginCommBackend(ginComm_t comm, ginBackend_t *backend);

GIN_API ginResult_t ginCommRank(ginComm_t comm, int *rank);
GIN_API ginResult_t ginCommSize(ginComm_t comm, int *ranks);
/* The CUDA device, or -1 on the host. */
GIN_API ginResult_t ginCommDevice(ginComm_t comm, int *device);
/* The multiprocessors of the rank's GPU, on each of which a block of any kernel
 * runs that has no other one beside it; on the host the threads that it has
 * for blocks. */
GIN_API ginResult_t ginCommMultiprocessors(ginComm_t comm, int *count);
/* What links between ranks may do beyond loads, stores and additions. */
typedef enum ginCapability {
  /* One access that reaches the memory of all ranks (multimem.*). gin does not
   * use it yet, so no communicator has it. */
  GIN_CAPABILITY_MULTIMEM = 0
} ginCapability_t;
GIN_API ginResult_t ginCommHasCapability(ginComm_t comm,
                                         ginCapability_t capability, int *has);
/* Whether `stream` is being captured into a graph; never on the host. */
GIN_API ginResult_t ginCommIsCapturing(ginComm_t comm, void *stream,
                                       int *capturing);

/* Waits until everything has ended that was launched on this rank (on a GPU:
 * all its work), and returns as ginCommGetAsyncError. It lasts as long as the
 * kernels do, whose waits end by time-outs, errors and ginCommAbort. */
GIN_API ginResult_t ginCommSynchronize(ginComm_t comm);

/* Makes every wait of every rank return, now and in later launches. Final. */
GIN_API ginResult_t ginCommAbort(ginComm_t comm);

/* The first error of a kernel of this rank, or of any rank if this one has
 * none of its own. */
typedef struct ginError {
  ginResult_t result;
  int rank; /* where it happened */
  int peer; /* the other rank, or -1 */
  unsigned block, thread;
  unsigned bank;
  uint64_t slot;       /* of a wait; of an access, the window's number */
  uint64_t have, want; /* counts of a wait; bytes of an access */
  uint64_t launch;     /* the number of earlier launches */
  char operation[96];  /* e.g. "wait" */
  char file[160];
  int line;
  char message[512]; /* all this in a sentence */
} ginError_t;

/* Does not wait. Returns GIN_SUCCESS if there is no error so far, else the
 * error's code; `error` may be null. */
GIN_API ginResult_t ginCommGetAsyncError(ginComm_t comm, ginError_t *error);

/* -- memory ---------------------------------------------------------------- */

/* Memory of the rank: of its GPU (cudaMalloc), or of the host. Zero, and
 * aligned to 256 bytes. 0 bytes are a null pointer. */
GIN_API ginResult_t ginMemoryAlloc(ginComm_t comm, size_t bytes, void **memory);
/* What uses it must have ended. A null pointer is nothing. */
GIN_API ginResult_t ginMemoryFree(ginComm_t comm, void *memory);
/* Copies `bytes`, between memory of ranks and of the host in any direction, and
 * waits for that; for no launch, so call ginCommSynchronize before. */
GIN_API ginResult_t ginMemoryCopy(ginComm_t comm, void *to, const void *from,
                                  size_t bytes);

/* Whether kernels of the rank may use this memory: its own, as far as that is
 * known, and `base` a multiple of 16. 0 bytes may be anywhere. */
GIN_API ginResult_t ginMemoryCheck(ginComm_t comm, const void *base,
                                   size_t bytes);

/* -- windows --------------------------------------------------------------- */

typedef struct ginWindow *ginWindow_t;

enum ginRights {
  GIN_RIGHT_READ = 1,   /* other ranks may get */
  GIN_RIGHT_WRITE = 2,  /* ... put */
  GIN_RIGHT_ATOMIC = 4, /* ... accumulate and atomicAdd */
  GIN_RIGHT_ALL = 7
};

/* Registers `bytes` at `base`, device memory of the rank's GPU, also a part of
 * an allocation; on the host any memory of the process. Collective: every rank
 * in the same order, with equal rights; sizes may differ, 0 included. `base` is
 * a multiple of 16. The memory stays the caller's, and outlives the window. */
GIN_API ginResult_t ginWindowRegister(ginComm_t comm, void *base, size_t bytes,
                                      unsigned rights, ginWindow_t *window);
/* The same for memory that no other rank touches: a source of puts or target
 * of gets. Not collective. */
GIN_API ginResult_t ginWindowRegisterLocal(ginComm_t comm, void *base,
                                           size_t bytes, ginWindow_t *window);
GIN_API ginResult_t ginWindowDestroy(ginWindow_t window);

/* Copies the window's gin::Window, a kernel argument, to `out`. `size` is
 * sizeof(gin::Window), a check that both sides agree. */
GIN_API ginResult_t ginWindowGetDevice(ginWindow_t window, void *out,
                                       size_t size);

/* -- programs -------------------------------------------------------------- */

typedef struct ginProgram *ginProgram_t;

/* Lanes of a program at most; "launches of several parts" below. */
#define GIN_MAX_LANES 8

typedef struct ginProgramConfig {
  int banks;             /* number of banks */
  const uint32_t *slots; /* slots of each */
  uint64_t timeout;      /* of waits, in nanoseconds; 0: none */
  uint32_t teams;        /* that have barriers; 0 is taken as 1 */
  uint32_t lanes;        /* that launches use; 0 is taken as 1 */
  /* What tells programs apart that need the same: a name, which error texts
   * have too, and a number, such as a hash of the code. May be null and 0. */
  const char *name;
  uint64_t fingerprint;
  /* GIN_ARCHITECTURES of runtime/device/Kernel.h, for error texts, or null. */
  const char *architectures;
  /* Numbers that the ranks have to agree on besides, such as what all windows
   * have in common, and what they are called. */
  int agreed;
  const char *const *agreedNames;
  const int64_t *agreedValues;
} ginProgramConfig_t;

/* Collective: every rank in the same order, with equal configurations, else
 * GIN_ERR_MISMATCH. */
GIN_API ginResult_t ginProgramCreate(ginComm_t comm,
                                     const ginProgramConfig_t *config,
                                     ginProgram_t *program);
/* The program goes, whatever the result. GIN_ERR_SIGNAL_PENDING if this rank's
 * last launch has not ended ("launches of several parts"). The last rank's call
 * waits for what was launched, but for replays of graphs, which must have
 * ended, and returns GIN_ERR_UNCONSUMED_SIGNAL if a slot of any rank has
 * counted more than was waited for. That is not looked for after an error of a
 * kernel or an abort, nor where ranks have launched differently often. */
GIN_API ginResult_t ginProgramDestroy(ginProgram_t program);

GIN_API ginResult_t ginProgramBackend(ginProgram_t program,
                                      ginBackend_t *backend);

/* Whether the program's kernels on its rank can have the window: it is the same
 * rank's of the same communicator, else GIN_ERR_INVALID_ARGUMENT, and
 * registered by all. */
GIN_API ginResult_t ginProgramCheckWindow(ginProgram_t program,
                                          ginWindow_t window);
/* As ginWindowGetDevice: gin::Program, and gin::Bank number `bank`. */
GIN_API ginResult_t ginProgramGetDevice(ginProgram_t program, void *out,
                                        size_t size);
GIN_API ginResult_t ginProgramGetBank(ginProgram_t program, int bank, void *out,
                                      size_t size);

/* What this rank's slot has counted above its base. Between launches, to check
 * that nothing is left over; not while one runs. */
GIN_API ginResult_t ginProgramReadSlot(ginProgram_t program, int bank,
                                       uint32_t slot, uint64_t *count);

typedef struct ginLaunchConfig {
  unsigned grid[3];
  unsigned block[3];
  size_t shared; /* dynamic shared memory of a block, in bytes */
  void *stream;  /* cudaStream_t of the rank's GPU; on the host null */
  unsigned lane; /* less than the program's `lanes` */
} ginLaunchConfig_t;

/* Loads `function` on all ranks' GPUs. ginLaunch does it for the first launch
 * of each function; it is of use where another kernel already waits on a GPU,
 * since loading code may have to wait for that, and where the first launch is
 * captured. */
GIN_API ginResult_t ginProgramPreload(ginProgram_t program,
                                      const void *function, size_t shared);

/* How many blocks of `threads` threads and `shared` bytes of dynamic shared
 * memory run at once, at least 1, else GIN_ERR_NOT_RESIDENT: on a GPU as many
 * as fit on its multiprocessors, on the host as many as have
 * GIN_HOST_MAX_THREADS threads, of 227 KB each at most. */
#define GIN_HOST_MAX_THREADS 8192
GIN_API ginResult_t ginProgramMaxBlocks(ginProgram_t program,
                                        const void *function, unsigned threads,
                                        size_t shared, unsigned *blocks);

/* Launches `function`, which is GIN_KERNEL(kernel) of runtime/device/Kernel.h:
 * on a GPU the address of a __global__ function in this process, in stream
 * order; on the host the description of a kernel that was compiled as plain
 * C++, after all that was launched in the rank's lane before. Does not wait;
 * `arguments`, as for cudaLaunchKernel, are copied; the first is the program's
 * gin::Program. All blocks run at once, or GIN_ERR_NOT_RESIDENT. May be
 * captured into a graph. Launches of one program follow each other, in the same
 * order on all ranks: in another stream than the last one only when that has
 * ended, else GIN_ERR_SIGNAL_PENDING. After an error of a kernel, returns that
 * error. */
GIN_API ginResult_t ginLaunch(ginProgram_t program, const void *function,
                              const ginLaunchConfig_t *config,
                              void **arguments);

/* -- launches of several parts --------------------------------------------- */

/* One launch of a program may consist of several kernels and copies, in up to
 * `lanes` sequences that run at the same time. Lane 0 is the stream that the
 * caller passes, the same to all calls of one launch; the others are streams of
 * the program's own. A lane runs what it is given one after the other; between
 * lanes nothing is ordered but by ginLaunchOrder. So a launch
 *
 *   begins in lane 0, and goes over to each other lane by an order after 0,
 *   ends in lane 0, by a kernel that is ordered after all else.
 *
 * Lanes that take no part in a launch need no order. The last kernel alone
 * counts the launch and moves the bases of waits. The others get a gin::Program
 * whose `open` is not 0; all have their lane in `lane`. What is not so is
 * GIN_ERR_INVALID_ARGUMENT; each kernel, however, is looked at alone: that
 * kernels which wait for each other fit on the GPU together, and that no
 * barrier of a team is used in two lanes at once, is for the caller to see to.
 * So is that kernels are loaded before others wait (ginProgramPreload).
 *
 * Captured into a graph, a launch is a part of it like any other work; it ends
 * in the capture in which it began, and in the same stream.
 *
 * Where one call of a begun launch fails, the launch is broken off, since a
 * kernel that never comes may be waited for: the program's other calls then
 * return GIN_ERR_SIGNAL_PENDING, and what waits is ended by time-outs or
 * ginCommAbort. A launch that has no last kernel is open: what follows in its
 * stream belongs to it, in another stream or capture it is
 * GIN_ERR_SIGNAL_PENDING. After a capture that ended in the middle of a launch,
 * that is said once, and the next call begins anew. */

/* What lane `after` is given from now on runs after what lane `before` has been
 * given so far. Does not wait. After an error of a kernel, returns that. */
GIN_API ginResult_t ginLaunchOrder(ginProgram_t program, void *stream,
                                   unsigned before, unsigned after);

/* For a caller that finds in the middle of a launch that it cannot go on, for
 * the reason that ginGetLastError says: breaks it off, as a call that fails
 * does. Nothing happens if no launch has begun. */
GIN_API ginResult_t ginLaunchBreakOff(ginProgram_t program);

/* `rows` times `bytes`, from the own part of `local` to `peer`'s part of
 * `window`, or the other way if `get` is not 0. */
typedef struct ginCopy {
  ginWindow_t window;
  uint64_t offset; /* of the first row, in bytes */
  int peer;
  ginWindow_t local;
  uint64_t localOffset;
  uint64_t bytes; /* of a row; 0: nothing is copied */
  uint64_t rows;  /* 0 is taken as 1 */
  /* From one row to the next, in bytes; of several rows, at least `bytes`. */
  uint64_t pitch, localPitch;
  int get;
} ginCopy_t;

/* Copies in the lane's order, on a GPU without its multiprocessors (but within
 * one GPU CUDA may use them). Does not wait. Rights and sizes are checked as
 * those of a kernel's puts and gets. Source and target may be the same, which
 * is no copy, but not overlap; the rows of one may lie between those of the
 * other. The bytes arrive in any order, atomic with nothing. What covers the
 * copy is a signal of a kernel that comes later in this lane, or in another one
 * that is ordered after it. After an error of a kernel, returns that. */
GIN_API ginResult_t ginLaunchCopy(ginProgram_t program, const ginCopy_t *copy,
                                  void *stream, unsigned lane);

#ifdef __cplusplus
}
#endif

#endif /* GIN_H */
