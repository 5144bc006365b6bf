/*===- contract.h - what a compiled gin program calls -------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The C interface between a compiled gin program and whatever executes it. The
// lowering of the gin dialect to LLVM (`convert-to-llvm`) emits calls to these
// functions and to nothing else; `runtime/sim` implements them for N simulated
// ranks in one process.
//
// Who is calling. No function takes a handle of the rank: the executor knows
// which agent of which rank runs on the calling thread or fiber.
//
// Memrefs cross this interface as MLIR's strided descriptor in memory:
//
//   struct { void *allocated; void *aligned; int64_t offset;
//            int64_t sizes[rank]; int64_t strides[rank]; }
//
// For a memref in `#gin.window` the *allocated* pointer does not point at the
// data: it points at the window's record (`gin_window_t`), from which the
// executor learns where the peers' parts are, how large they are and who may
// touch them. `aligned + offset` is ordinary memory of the calling rank. A
// `#gin.peer` memref carries the record of the same window, and its `aligned`
// points into the peer's part.
//
// Units. Offsets, sizes and strides count elements; `bits` is the width of an
// element in memory (8, 16, 32 or 64); time-outs are nanoseconds.
//
// Errors. A call that breaks a rule (bounds, rights, range of a peer or slot)
// ends the run: it does not return to the program. The executor reports it with
// the call's site.
//
//===----------------------------------------------------------------------===*/

#ifndef GIN_DEVICE_CONTRACT_H
#define GIN_DEVICE_CONTRACT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where in the source a call stands, for diagnostics, statistics and traces.
 * Constant for the life of the program. Strings are NUL-terminated; `text` is
 * the operation as a reader would name it, e.g. "gin.put %x into %y". */
typedef struct gin_site {
  const char *file;
  const char *text;
  int32_t line;
  int32_t column;
} gin_site_t;

/* The record of a window, and a bank of signals: opaque to programs. */
typedef struct gin_window gin_window_t;
typedef struct gin_bank gin_bank_t;

/* A team, constant for the life of the program. A null pointer is the world.
 * `extents` are those of the grid for the last three kinds; an extent of
 * INT64_MIN is chosen by the executor (see `#gin.grid`). `along` is the axis in
 * which the members of GIN_TEAM_AXIS differ. */
enum gin_team_kind {
  GIN_TEAM_WORLD = 0,
  GIN_TEAM_LSA = 1,  /* ranks that can load and store each other's memory */
  GIN_TEAM_RAIL = 2, /* ranks with the same index in their LSA teams */
  GIN_TEAM_GRID = 3, /* the world, arranged as a grid, last axis fastest */
  GIN_TEAM_AXIS = 4  /* ranks of a grid that differ only in axis `along` */
};
typedef struct gin_team {
  int32_t kind;
  int32_t along;
  int64_t dims; /* 0 to 8 */
  const int64_t *extents;
} gin_team_t;

/* Element types for operations that compute (accumulate, atomic add). */
enum gin_type {
  GIN_I8 = 0,
  GIN_I16 = 1,
  GIN_I32 = 2,
  GIN_I64 = 3,
  GIN_F16 = 4,
  GIN_BF16 = 5,
  GIN_F32 = 6,
  GIN_F64 = 7,
  GIN_F8E4M3FN = 8,
  GIN_F8E5M2 = 9
};

/* A slot of a bank: one index for each of the bank's dimensions. A null `bank`
 * means that no signal is bundled. */
typedef struct gin_slot {
  gin_bank_t *bank;
  int64_t dims;
  const int64_t *indices;
} gin_slot_t;

/* One side of a transfer: a descriptor, its rank, and, where the place is a
 * root window with offsets, one index for each dimension (else null). */
typedef struct gin_place {
  const void *descriptor;
  int64_t rank;
  const int64_t *indices;
} gin_place_t;

/* Position of an operation in its agent's order; monotone, never reused. 0 is a
 * token that is already done. */
typedef int64_t gin_token_t;

/* -- who am I ------------------------------------------------------------- */

int64_t gin_rank(const gin_team_t *team);
int64_t gin_num_ranks(const gin_team_t *team);
/* The caller's coordinate on `axis` of a grid. */
int64_t gin_coord(const gin_team_t *grid, int64_t axis);
/* Number of earlier launches of this program on its banks. */
int64_t gin_launch(void);
/* Extent of dimension `dim` of `peer`'s part of the window at `descriptor`. */
int64_t gin_window_dim(const gin_site_t *site, const gin_team_t *team,
                       int64_t peer, const void *descriptor, int64_t rank,
                       int64_t dim);

/* -- one-sided transfers -------------------------------------------------- */

enum gin_put_flags {
  GIN_PUT_ACCUMULATE = 1 /* deliver by elementwise atomic addition */
};

/* Reads the strided block at `source` (no indices) and writes it at `target` of
 * `peer`; the block's dimensions align with the target's last ones. `target`
 * must be a whole window. If `slot` has a bank, adds `weight` (>= 1) there once
 * all bytes of this put are delivered. Returns at once. */
gin_token_t gin_put(const gin_site_t *site, const gin_team_t *team,
                    int64_t peer, int64_t context, const gin_place_t *source,
                    const gin_place_t *target, int32_t type, int32_t flags,
                    const gin_slot_t *slot, int64_t weight);

/* The same for one element whose value is `value` (its low bits). */
gin_token_t gin_put_value(const gin_site_t *site, const gin_team_t *team,
                          int64_t peer, int64_t context, uint64_t value,
                          const gin_place_t *target, int32_t type,
                          const gin_slot_t *slot, int64_t weight);

/* Reads the block at `source` of `peer` and writes it to `target` (no indices),
 * whose shape it takes. */
gin_token_t gin_get(const gin_site_t *site, const gin_team_t *team,
                    int64_t peer, int64_t context, const gin_place_t *source,
                    const gin_place_t *target, int32_t type);

/* Relaxed atomic addition to one element; covered and completed like a put. */
gin_token_t gin_atomic_add(const gin_site_t *site, const gin_team_t *team,
                           int64_t peer, int64_t context, uint64_t value,
                           const gin_place_t *target, int32_t type);

/* -- signals -------------------------------------------------------------- */

enum gin_signal_flags { GIN_SIGNAL_RELAXED = 1 };

void gin_signal(const gin_site_t *site, const gin_team_t *team, int64_t peer,
                int64_t context, const gin_slot_t *slot, int64_t weight,
                int32_t flags);

/* Waits until `slot` has counted `count` above its base. Returns 1, or 0 after
 * `timeout` nanoseconds; a negative time-out waits for ever. `must` != 0: a
 * time-out ends the run with an error instead of returning. */
int32_t gin_wait(const gin_site_t *site, const gin_slot_t *slot, int64_t count,
                 int64_t timeout, int32_t must);
int32_t gin_test(const gin_site_t *site, const gin_slot_t *slot, int64_t count);
int64_t gin_read(const gin_site_t *site, const gin_slot_t *slot);

/* -- local completion ------------------------------------------------------ */

void gin_await(const gin_site_t *site, gin_token_t token);
void gin_flush(const gin_site_t *site);

/* -- barriers -------------------------------------------------------------- */

enum gin_barrier_flags { GIN_BARRIER_GLOBAL = 1 };

void gin_barrier(const gin_site_t *site, const gin_team_t *team, int32_t flags);

/* -- agents ---------------------------------------------------------------- */

/* Runs body(captures, 0) ... body(captures, count - 1), each as an agent of its
 * own, and returns when all have ended. `names` is null, or has one name an
 * agent (the roles of gin.specialize). */
void gin_fork(const gin_site_t *site, int64_t count,
              void (*body)(void *captures, int64_t index), void *captures,
              const char *const *names);

/* -- loads and stores of window memory ------------------------------------- */

/* Fills `result` (a descriptor of the same rank) with `peer`'s part of the
 * window at `descriptor`. */
void gin_peer_view(const gin_site_t *site, const gin_team_t *team, int64_t peer,
                   const void *descriptor, int64_t rank, void *result);

/* An element load from a window or peer view is performed at some time between
 * its begin and its end, which returns the value in the low bits. A store
 * becomes visible to others at some time after the call; the storing agent sees
 * it at once. `window` is the descriptor's allocated pointer, `address` the
 * element's. */
int64_t gin_load_begin(const gin_site_t *site, const gin_window_t *window,
                       const void *address, int32_t bits);
uint64_t gin_load_end(int64_t load);
void gin_store(const gin_site_t *site, const gin_window_t *window,
               void *address, uint64_t value, int32_t bits);

/* Performs the calling agent's pending loads and stores: stands before code
 * that touches window memory by plain instructions. */
void gin_drain(void);

/* Relaxed atomic addition through a memref (`memref.atomic_rmw`). The first,
 * for a result that nobody uses, is late as a store is; the second is performed
 * by the call and returns the old value. */
void gin_local_atomic_add(const gin_site_t *site, const gin_window_t *window,
                          void *address, uint64_t value, int32_t type);
uint64_t gin_local_atomic_fetch_add(const gin_site_t *site,
                                    const gin_window_t *window, void *address,
                                    uint64_t value, int32_t type);

/* -- failures ---------------------------------------------------------------
 */

/* A failed assertion of the program: ends the run with `message`. */
void gin_fail(const gin_site_t *site, const char *message);

#ifdef __cplusplus
}
#endif

#endif /* GIN_DEVICE_CONTRACT_H */
