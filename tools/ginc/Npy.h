//===- Npy.h - arrays in files of NumPy -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_NPY_H
#define GINC_TOOLS_GINC_NPY_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace ginc {

/// An array as it lies in a .npy file: row-major, little-endian. `data` has as
/// many bytes as shape and type say.
struct NpyArray {
  std::string type; ///< NumPy's, such as "<f4"
  std::vector<int64_t> shape;
  llvm::StringRef data;
  std::unique_ptr<llvm::MemoryBuffer> file; ///< owns `data`
};

/// Reads a file. The error names the file and says what is wrong with it:
/// missing, truncated, not an array, in an order or type that ginc does not
/// take.
llvm::Expected<NpyArray> readNpy(llvm::StringRef file);

/// Writes an array; errors of the stream are the caller's to look at.
void writeNpy(llvm::raw_ostream &os, llvm::StringRef type,
              llvm::ArrayRef<int64_t> shape, llvm::StringRef data);

/// "4x8", or "scalar" for no dimensions.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// The number of elements, or none when it overflows or an extent is negative.
std::optional<uint64_t> numElements(llvm::ArrayRef<int64_t> shape);

} // namespace ginc

#endif // GINC_TOOLS_GINC_NPY_H
