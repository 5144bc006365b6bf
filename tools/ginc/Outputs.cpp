//===- Outputs.cpp - files that appear together or not at all ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Outputs.h"

#include "Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstring>
#include <fstream>

using namespace ginc;
using namespace llvm;

Outputs::~Outputs() {
  for (File &file : files)
    consumeError(file.temporary.discard());
}

Outputs::File &Outputs::find(StringRef name) {
  return *find_if(files, [&](const File &file) { return file.name == name; });
}

static LogicalResult cannotWrite(StringRef file, const Twine &why) {
  return error("cannot write '" + file + "': " + why);
}

LogicalResult Outputs::open(StringRef name) {
  if (any_of(files, [&](const File &file) { return file.name == name; }))
    return error("'" + name + "' is to be written twice");
  // Moving a file onto a link or a device would replace it.
  SmallString<128> place(name);
  if (sys::fs::exists(name) && !sys::fs::is_regular_file(name))
    return cannotWrite(name, sys::fs::is_directory(name)
                                 ? "it is a directory"
                                 : "it is not a regular file");
  if (sys::fs::is_symlink_file(name))
    (void)sys::fs::real_path(name, place);
  Expected<sys::fs::TempFile> temporary =
      sys::fs::TempFile::create(place + ".%%%%%%.tmp");
  if (!temporary)
    return cannotWrite(name, toString(temporary.takeError()));
  files.push_back({name.str(), place.str().str(), std::move(*temporary)});
  return success();
}

LogicalResult Outputs::write(StringRef name,
                             function_ref<void(raw_ostream &)> write) {
  raw_fd_ostream stream(find(name).temporary.FD, /*shouldClose=*/false);
  write(stream);
  stream.flush();
  if (!stream.has_error())
    return success();
  std::string why = stream.error().message();
  stream.clear_error();
  return cannotWrite(name, why);
}

LogicalResult Outputs::writeStream(StringRef name,
                                   function_ref<void(std::ostream &)> write) {
  errno = 0;
  std::ofstream stream(find(name).temporary.TmpName, std::ios::binary);
  write(stream);
  stream.close();
  if (stream)
    return success();
  return cannotWrite(name, errno ? std::strerror(errno) : "output error");
}

LogicalResult Outputs::commit() {
  for (size_t i = 0; i < files.size(); ++i) {
    Error moved = files[i].temporary.keep(files[i].place);
    if (!moved)
      continue;
    // All or nothing, as far as that can still be had.
    for (size_t j = 0; j < i; ++j)
      sys::fs::remove(files[j].place);
    std::string why = toString(std::move(moved));
    std::string name = files[i].name;
    for (File &rest : MutableArrayRef(files).drop_front(i))
      consumeError(rest.temporary.discard());
    files.clear();
    return cannotWrite(name, why);
  }
  files.clear();
  return success();
}
