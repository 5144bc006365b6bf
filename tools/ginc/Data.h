//===- Data.h - what arguments hold before the first launch -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GINC_TOOLS_GINC_DATA_H
#define GINC_TOOLS_GINC_DATA_H

#include "Element.h"
#include "Npy.h"
#include "Settings.h"

#include <memory>
#include <vector>

namespace ginc {

/// The text of --arg for a memref, understood. The elements of all ranks are
/// filled in the same way on every machine.
class Data {
public:
  /// zeros
  Data() = default;
  /// Understands `setting` and reads its files; reports what is wrong.
  static mlir::FailureOr<Data> parse(const Setting &setting,
                                     const Source &source, int64_t ranks);

  bool isFile() const { return kind == Kind::File; }
  /// The array for a rank, if there is a file.
  const NpyArray *array(int64_t rank) const {
    return isFile() ? files[files.size() == 1 ? 0 : rank].get() : nullptr;
  }
  /// The name of the file for a rank.
  std::string fileName(int64_t rank) const;
  /// The names of all files, if there are any.
  std::vector<std::string> fileNames() const;

  /// Reports an element type that cannot hold the data.
  mlir::LogicalResult check(const Element &element,
                            const Setting &setting) const;

  /// Fills the elements of one rank's part of the argument `name`. `first` is
  /// the number of elements of the ranks before.
  void fill(const Element &element, llvm::StringRef name, int64_t rank,
            uint64_t first, uint64_t count, char *elements) const;

private:
  enum class Kind { Zeros, Iota, Random, Integers, Number, File };
  Kind kind = Kind::Zeros;
  uint64_t seed = 0;
  int64_t low = 0, high = 0; ///< of Integers; low also of whole Numbers
  bool whole = true;         ///< whether Number is an integer
  double number = 0;
  bool overflows = false; ///< whether Number is beyond all doubles
  std::string pattern;
  std::vector<std::shared_ptr<NpyArray>> files; ///< one, or one for each rank
};

/// `pattern` with every %r replaced by the rank.
std::string expandRank(llvm::StringRef pattern, int64_t rank);
bool dependsOnRank(llvm::StringRef pattern);

} // namespace ginc

#endif // GINC_TOOLS_GINC_DATA_H
