//===- Npy.cpp - arrays in files of NumPy -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// xtensor knows the header's grammar; it trusts its input and throws, so that
// what it relies on is checked before, and exceptions end here.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <sstream>
#include <xtensor/xnpy.hpp>

using namespace ginc;
using namespace llvm;

static Error makeError(StringRef file, const Twine &message) {
  return createStringError("'" + file + "' " + message);
}

/// Headers of plain arrays have some hundred bytes.
static constexpr size_t maxHeaderBytes = 4096;

/// Splits `contents` into header and data, or says what is wrong.
static std::string splitHeader(StringRef contents, StringRef &header,
                               StringRef &data) {
  if (!contents.consume_front(StringRef("\x93NUMPY", 6)))
    return "is not a NumPy array (.npy): it does not begin with \\x93NUMPY";
  if (contents.size() < 4)
    return "is truncated in its header";
  unsigned major = static_cast<unsigned char>(contents[0]);
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (major < 1 || major > 3)
    return "has version " + std::to_string(major) +
           " of the .npy format, which is not known";
  contents = contents.drop_front(2);
  if (contents.size() < lengthBytes)
    return "is truncated in its header";
  size_t length = lengthBytes == 2 ? support::endian::read16le(contents.data())
                                   : support::endian::read32le(contents.data());
  contents = contents.drop_front(lengthBytes);
  if (length > contents.size())
    return "is truncated in its header";
  if (length > maxHeaderBytes)
    return "has a header of " + std::to_string(length) +
           " bytes, more than a plain array needs";
  header = contents.take_front(length);
  data = contents.drop_front(length);
  return "";
}

/// What is in an array whose elements are no numbers, by NumPy's name of their
/// type; "" for numbers.
static std::string describeOtherKind(StringRef type) {
  type = type.ltrim("<>|=");
  switch (type.empty() ? '\0' : type.front()) {
  case 'S':
  case 'a':
  case 'U':
    return "strings";
  case 'O':
    return "Python objects";
  case 'M':
    return "dates";
  case 'm':
    return "spans of time";
  case 'V':
    return "raw bytes";
  default:
    return "";
  }
}

/// Reads type and shape from the header, or says what is wrong.
static std::string parseHeader(StringRef header, NpyArray &array) {
  std::string compact = header.str();
  erase(compact, ' ');
  StringRef text(compact);
  // parse_header() looks at the ends of these without asking whether they have
  // any.
  bool plausible = text.starts_with("{") && text.ends_with("}\n") &&
                   text.contains("'descr':") && text.contains("'shape':(");
  bool fortran = false;
  std::vector<size_t> extents;
  try {
    if (!plausible)
      throw std::runtime_error("invalid header");
    if (text.contains("'descr':["))
      return "holds records; only arrays of numbers are taken";
    std::string other = describeOtherKind(text.split("'descr':'").second);
    if (!other.empty())
      return "holds " + other + "; only arrays of numbers are taken";
    xt::detail::parse_header(header.str(), array.type, &fortran, extents);
  } catch (const std::exception &) {
    return "has a malformed header";
  }
  if (fortran)
    return "is in Fortran order; save it with numpy.ascontiguousarray";
  if (array.type.front() == '>')
    return "is big-endian; save it with .astype('" +
           ("<" + array.type.substr(1)) + "')";
  for (size_t extent : extents) {
    if (extent > static_cast<size_t>(std::numeric_limits<int64_t>::max()))
      return "has a malformed header";
    array.shape.push_back(extent);
  }
  return "";
}

Expected<NpyArray> ginc::readNpy(StringRef file) {
  sys::fs::file_status status;
  if (std::error_code code = sys::fs::status(file, status))
    return makeError(file, "cannot be read: " + code.message());
  if (status.type() == sys::fs::file_type::directory_file)
    return makeError(file, "is a directory, not a NumPy array");
  if (status.type() != sys::fs::file_type::regular_file)
    return makeError(file, "is not a regular file");
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError(file, "cannot be read: " + buffer.getError().message());

  NpyArray array;
  array.file = std::move(*buffer);
  StringRef header, data;
  std::string wrong = splitHeader(array.file->getBuffer(), header, data);
  if (wrong.empty())
    wrong = parseHeader(header, array);
  if (!wrong.empty())
    return makeError(file, wrong);

  uint64_t width;
  std::optional<uint64_t> elements = numElements(array.shape);
  if (StringRef(array.type).drop_front(2).getAsInteger(10, width) ||
      width == 0 || width > 32 || !elements)
    return makeError(file, "has a malformed header");
  bool overflow = false;
  uint64_t bytes = SaturatingMultiply(*elements, width, &overflow);
  if (overflow || data.size() < bytes)
    return makeError(file, "is truncated: its header says " +
                               formatShape(array.shape) + " elements of " +
                               Twine(width) + " bytes, but it has " +
                               Twine(data.size()) + " bytes of data");
  if (data.size() > bytes)
    return makeError(file, "has " + Twine(data.size() - bytes) +
                               " bytes more than its header says");
  array.data = data;
  return array;
}

void ginc::writeNpy(raw_ostream &os, StringRef type, ArrayRef<int64_t> shape,
                    StringRef data) {
  std::ostringstream header;
  xt::detail::write_header(header, type.str(), /*fortran_order=*/false,
                           std::vector<int64_t>(shape));
  os << header.str() << data;
}

std::string ginc::formatShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  return join(map_range(shape, [](int64_t n) { return std::to_string(n); }),
              "x");
}

std::optional<uint64_t> ginc::numElements(ArrayRef<int64_t> shape) {
  if (any_of(shape, [](int64_t extent) { return extent < 0; }))
    return std::nullopt;
  // An empty array may have an extent that no other could.
  if (is_contained(shape, 0))
    return 0;
  uint64_t count = 1;
  for (int64_t extent : shape) {
    bool overflow = false;
    count = SaturatingMultiply(count, static_cast<uint64_t>(extent), &overflow);
    if (overflow)
      return std::nullopt;
  }
  return count;
}
