//===- Compiled.h - what emitted kernels are made of ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Gin.h, and what programs need beside it that people would write by hand in
// their kernels. docs/cuda.md shows how emitted kernels use it.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_COMPILED_H
#define GIN_DEVICE_COMPILED_H

#include "runtime/device/Gin.h"

#include "runtime/device/Arithmetic.h"
#include "runtime/device/Atomic.h"
#include "runtime/device/Index.h"
#include "runtime/device/Join.h"
#include "runtime/device/Pace.h"
#include "runtime/device/Strided.h"
#include "runtime/device/Teams.h"
#include "runtime/device/Vector.h"

#endif // GIN_DEVICE_COMPILED_H
