//===- Contract.cpp - the functions that programs call ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Contract.h"

#include "runtime/device/contract.h"

using namespace ginc;

#define FUNCTION(name) {#name, reinterpret_cast<void *>(&name)}

llvm::ArrayRef<ContractFunction> ginc::contractFunctions() {
  static const ContractFunction functions[] = {
      FUNCTION(gin_rank),
      FUNCTION(gin_num_ranks),
      FUNCTION(gin_coord),
      FUNCTION(gin_launch),
      FUNCTION(gin_window_dim),
      FUNCTION(gin_put),
      FUNCTION(gin_put_value),
      FUNCTION(gin_get),
      FUNCTION(gin_atomic_add),
      FUNCTION(gin_signal),
      FUNCTION(gin_wait),
      FUNCTION(gin_test),
      FUNCTION(gin_read),
      FUNCTION(gin_await),
      FUNCTION(gin_flush),
      FUNCTION(gin_barrier),
      FUNCTION(gin_fork),
      FUNCTION(gin_peer_view),
      FUNCTION(gin_load_begin),
      FUNCTION(gin_load_end),
      FUNCTION(gin_store),
      FUNCTION(gin_drain),
      FUNCTION(gin_local_atomic_add),
      FUNCTION(gin_local_atomic_fetch_add),
      FUNCTION(gin_fail),
  };
  return functions;
}
