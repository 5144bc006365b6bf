//===- Tma.h - tensor copies, barriers and clusters of sm_90 ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX for copies of boxes of a matrix between global and shared memory, the
// barriers that count them, and clusters of CTAs. Addresses are those of the
// shared space; coordinates are elements, column first. A box that sticks out
// of its matrix is filled with zeros, counts in full, and is clipped on stores.
//
// Multicast here is that of a cluster, within one GPU.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_MATMUL_TMA_H
#define GIN_DEVICE_MATMUL_TMA_H

#include "runtime/device/Bulk.h"
#include "runtime/include/gin_matmul.h"

#ifdef GIN_HAVE_BULK
namespace gin::detail {

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//
// Without .acquire.cluster and .release.cluster: these cost a quarter of a
// matmul's speed, and what the barriers order needs none, since it is written
// by tensor copies, whose completion the barrier makes visible, and read by the
// tensor cores before the barrier that lets it be overwritten.

GIN_DEVICE void barrierInit(uint32_t barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier),
               "r"(count)
               : "memory");
}
GIN_DEVICE void barrierEnd(uint32_t barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(barrier)
               : "memory");
}
GIN_DEVICE void barrierArrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier)
               : "memory");
}
/// Arrives, and has the phase also wait for so many bytes of copies.
GIN_DEVICE void barrierExpect(uint32_t barrier, uint32_t bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
      "r"(bytes)
      : "memory");
}
/// Arrives on the barrier at the same place in CTA `cta` of the cluster.
GIN_DEVICE void barrierArriveAt(uint32_t barrier, uint32_t cta) {
  asm volatile("{\n"
               ".reg .b32 remote;\n"
               "mapa.shared::cluster.u32 remote, %0, %1;\n"
               "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
               "}" ::"r"(barrier),
               "r"(cta)
               : "memory");
}

//===----------------------------------------------------------------------===//
// Tensor copies
//===----------------------------------------------------------------------===//

GIN_DEVICE void tensorLoad(uint32_t to, const ginTensorMap_t *map, int column,
                           int row, uint32_t barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
               "l"(map), "r"(column), "r"(row), "r"(barrier)
               : "memory");
}
/// To the same place in the CTAs of `mask`, and to their barriers.
GIN_DEVICE void tensorLoadMulticast(uint32_t to, const ginTensorMap_t *map,
                                    int column, int row, uint32_t barrier,
                                    uint16_t mask) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], "
               "[%4], %5;" ::"r"(to),
               "l"(map), "r"(column), "r"(row), "r"(barrier), "h"(mask)
               : "memory");
}
/// Of matrix `number` behind others.
GIN_DEVICE void tensorLoadOf(uint32_t to, const ginTensorMap_t *map, int number,
                             int column, int row, uint32_t barrier) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to),
               "l"(map), "r"(column), "r"(row), "r"(number), "r"(barrier)
               : "memory");
}
/// Also commits, as a group of its own.
GIN_DEVICE void tensorStore(const ginTensorMap_t *map, uint32_t from,
                            int column, int row) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group "
               "[%0, {%1, %2}], [%3];" ::"l"(map),
               "r"(column), "r"(row), "r"(from)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// Adds to what is there, each element atomically.
GIN_DEVICE void tensorAdd(const ginTensorMap_t *map, uint32_t from, int column,
                          int row) {
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add."
               "bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),
               "r"(column), "r"(row), "r"(from)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// The same, into matrix `number` behind others.
GIN_DEVICE void tensorStoreTo(const ginTensorMap_t *map, int number,
                              uint32_t from, int column, int row) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group "
               "[%0, {%1, %2, %3}], [%4];" ::"l"(map),
               "r"(column), "r"(row), "r"(number), "r"(from)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
GIN_DEVICE void tensorAddTo(const ginTensorMap_t *map, int number,
                            uint32_t from, int column, int row) {
  asm volatile("cp.reduce.async.bulk.tensor.3d.global.shared::cta.add."
               "bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(map),
               "r"(column), "r"(row), "r"(number), "r"(from)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// An empty group, where others count groups.
GIN_DEVICE void commitNothing() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// This thread's writes of shared memory are before copies that read them, once
/// it has met the thread that issues these.
GIN_DEVICE void fenceAsyncShared() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// All threads of all CTAs of the cluster, with what they did before.
GIN_DEVICE void syncCluster() {
  asm volatile("barrier.cluster.arrive.aligned;\n"
               "barrier.cluster.wait.aligned;" ::
                   : "memory");
}
/// Barriers just initialised are seen by the cluster after syncCluster().
GIN_DEVICE void fenceBarrierInit() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

} // namespace gin::detail
#endif // GIN_HAVE_BULK

#endif // GIN_DEVICE_MATMUL_TMA_H
