//===- Outputs.cpp - files that appear together or not at all ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Outputs.h"

#include "Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace ginc;
using namespace llvm;

static LogicalResult cannotWrite(StringRef file, const Twine &why) {
  return error("cannot write '" + file + "': " + why);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// What tells a file that exists from all others, however it is spelled; "" for
/// one that does not.
static std::string identify(StringRef file) {
  sys::fs::UniqueID id;
  if (sys::fs::getUniqueID(file, id))
    return "";
  return std::to_string(id.getDevice()) + ":" + std::to_string(id.getFile());
}

void Outputs::protect(StringRef file, StringRef what) {
  std::string identity = identify(file);
  if (!identity.empty())
    read.try_emplace(identity, what);
}

std::error_code Outputs::findFolder(StringRef parent, Folder *&folder) {
  std::shared_ptr<Folder> &found = folders[parent];
  if (!found) {
    SmallString<128> path;
    if (std::error_code code = sys::fs::real_path(parent, path))
      return code;
    std::shared_ptr<Folder> &real = folders[path];
    if (!real) {
      auto made = std::make_shared<Folder>();
      made->path = path.str().str();
      if (std::error_code code = made->temporary.createIn(path))
        return code;
      real = std::move(made);
    }
    found = real;
  }
  folder = found.get();
  return {};
}

LogicalResult Outputs::open(StringRef name) {
  // Moving a file onto a link or a device would replace it.
  SmallString<128> place(name);
  sys::fs::file_status status;
  std::error_code code = sys::fs::status(name, status);
  if (code && code != std::errc::no_such_file_or_directory)
    return cannotWrite(name, code.message());
  bool exists = sys::fs::exists(status);
  if (exists && !sys::fs::is_regular_file(status))
    return cannotWrite(name, sys::fs::is_directory(status)
                                 ? "it is a directory"
                                 : "it is not a regular file");
  if (exists && sys::fs::is_symlink_file(name))
    (void)sys::fs::real_path(name, place);

  StringRef parent = sys::path::parent_path(place);
  Folder *folder = nullptr;
  if (std::error_code code = findFolder(parent.empty() ? "." : parent, folder))
    return cannotWrite(name, code.message());
  SmallString<128> real(folder->path);
  sys::path::append(real, sys::path::filename(place));

  std::string identity = identify(name);
  auto input = read.find(identity);
  if (input != read.end())
    return cannotWrite(name,
                       "it is " + input->second + "; choose another name");
  for (StringRef key : {real.str(), StringRef(identity)}) {
    if (key.empty())
      continue;
    auto [other, isNew] = written.try_emplace(key, name);
    if (isNew)
      continue;
    return error("'" + name + "' is to be written twice" +
                 (other->second == name
                      ? Twine("")
                      : ": it is the same file as '" + other->second + "'"));
  }
  std::string temporary = folder->temporary.path(Twine(files.size()));
  index[name] = files.size();
  files.push_back({name.str(), real.str().str(), std::move(temporary)});
  return success();
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

const std::string &Outputs::temporaryOf(StringRef name) const {
  return files[index.lookup(name)].temporary;
}

LogicalResult Outputs::write(StringRef name,
                             function_ref<void(raw_ostream &)> write) {
  std::error_code code;
  raw_fd_ostream stream(temporaryOf(name), code);
  if (code)
    return cannotWrite(name, code.message());
  write(stream);
  stream.close();
  if (!stream.has_error())
    return success();
  std::string why = stream.error().message();
  stream.clear_error();
  return cannotWrite(name, why);
}

LogicalResult Outputs::writeStream(StringRef name,
                                   function_ref<void(std::ostream &)> write) {
  errno = 0;
  std::ofstream stream(temporaryOf(name), std::ios::binary);
  write(stream);
  stream.close();
  if (stream)
    return success();
  return cannotWrite(name, errno ? std::strerror(errno) : "output error");
}

//===----------------------------------------------------------------------===//
// All or nothing
//===----------------------------------------------------------------------===//

/// Lets two files change places; false where the system cannot.
static bool swapFiles(const std::string &a, const std::string &b) {
#ifdef RENAME_EXCHANGE
  return renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) ==
         0;
#else
  errno = ENOSYS;
  return false;
#endif
}

/// Moves a file to its place. Returns what prevents it, a number of errno's.
int Outputs::move(File &file) {
  struct stat old;
  bool exists = lstat(file.place.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode))
    return EISDIR;
  // What was there waits in the temporary folder until all have moved.
  if (exists && swapFiles(file.temporary, file.place)) {
    file.state = File::Exchanged;
    return 0;
  }
  if (std::rename(file.temporary.c_str(), file.place.c_str()) != 0)
    return errno;
  file.state = exists ? File::Replaced : File::New;
  return 0;
}

/// Undoes the moves of the first `count` files. Returns how many it could not.
size_t Outputs::moveBack(size_t count) {
  size_t remaining = 0;
  for (File &file : MutableArrayRef(files).take_front(count)) {
    bool undone = false;
    if (file.state == File::Exchanged)
      undone = swapFiles(file.temporary, file.place);
    else if (file.state == File::New)
      undone = std::rename(file.place.c_str(), file.temporary.c_str()) == 0;
    remaining += !undone;
  }
  return remaining;
}

LogicalResult Outputs::commit() {
  SignalsBlocked untilAllHaveMoved;
  for (size_t i = 0; i < files.size(); ++i) {
    int code = move(files[i]);
    if (code == 0)
      continue;
    size_t remaining = moveBack(i);
    std::string more;
    if (remaining > 0)
      more = "; " + std::to_string(remaining) +
             " of the other files are written already and stay, since this "
             "file system cannot bring back what they replaced";
    return cannotWrite(files[i].name, std::strerror(code) + more);
  }
  files.clear();
  folders.clear();
  return success();
}
