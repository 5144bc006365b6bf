//===- Gin.td - everything in the gin dialect --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_TD
#define GIN_TD

include "dialect/GinRankOps.td"
include "dialect/GinTransferOps.td"
include "dialect/GinSyncOps.td"
include "dialect/GinCollectiveOps.td"
include "dialect/GinTileOps.td"
include "dialect/GinExecutionOps.td"
include "dialect/GinKernelOps.td"

#endif // GIN_TD
