//===- Places.cpp - checks of what programs pass --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/sim/Engine.h"

#include <cstring>

using namespace ginc::sim;

static std::string number(int64_t value) { return std::to_string(value); }

static std::string ofRank(const gin_window &window, int64_t rank) {
  return "window '" + window.name + "' of rank " + number(rank) + " (" +
         shapeText(window.parts[static_cast<size_t>(rank)].shape) + ")";
}

const Team &Engine::team(const gin_site_t *site,
                         const gin_team_t *description) {
  if (!description)
    return teams.world();
  std::string error;
  const Team *result = teams.resolve(description, error);
  if (!result)
    fail(site, std::move(error));
  return *result;
}

int64_t Engine::worldRank(const gin_site_t *site, const gin_team_t *description,
                          int64_t peer) {
  const Team &group = team(site, description);
  int64_t own = group.groupOf(current->rank), size = group.sizeOf(own);
  if (peer < 0 || peer >= size)
    fail(site, "peer " + number(peer) + " is out of range: the " +
                   group.text() + " has " + number(size) +
                   (size == 1 ? " rank" : " ranks") +
                   ", and peers count from 0");
  return group.member(own, peer);
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

View Engine::view(const gin_site_t *site, const void *descriptor, int64_t dims,
                  const char *what) {
  if (dims < 0 || dims > static_cast<int64_t>(maxDims))
    fail(site, std::string(what) + " has " + number(dims) +
                   " dimensions; the simulator takes up to " + number(maxDims));
  struct Head {
    void *allocated, *aligned;
    int64_t offset;
  } head;
  std::memcpy(&head, descriptor, sizeof(head));
  View result;
  result.window = static_cast<gin_window *>(head.allocated);
  if (!result.window)
    fail(site, std::string(what) + " is not in a window");
  result.base = static_cast<char *>(head.aligned) +
                head.offset * static_cast<int64_t>(result.window->bytes);
  result.dims = dims;
  result.sizes = reinterpret_cast<const int64_t *>(
      static_cast<const char *>(descriptor) + sizeof(head));
  result.strides = result.sizes + dims;
  return result;
}

/// A remote place is named by a whole window and indices.
void Engine::checkRoot(const gin_site_t *site, const View &view,
                       const char *what) {
  const gin_window::Part &part =
      view.window->parts[static_cast<size_t>(current->rank)];
  bool whole = view.base == part.base &&
               view.dims == static_cast<int64_t>(part.shape.size());
  int64_t stride = 1;
  for (int64_t i = view.dims; whole && i-- > 0;) {
    whole = view.sizes[i] == part.shape[static_cast<size_t>(i)] &&
            (view.sizes[i] <= 1 || view.strides[i] == stride);
    stride *= view.sizes[i];
  }
  if (!whole)
    fail(site, std::string(what) + " is not the whole of " +
                   ofRank(*view.window, current->rank) +
                   ": name the window itself, and the place by indices");
}

/// The own side of a transfer lies within the own part.
void Engine::checkLocal(const gin_site_t *site, const View &view,
                        unsigned bytes, const char *what) {
  const gin_window &window = *view.window;
  if (window.bytes != bytes)
    fail(site, std::string(what) + " has elements of " + number(bytes) +
                   " bytes, but those of window '" + window.name + "' have " +
                   number(window.bytes));
  int64_t low = 0, high = 1;
  bool overflow = false;
  for (int64_t i = 0; i < view.dims; ++i) {
    if (view.sizes[i] == 0)
      return;
    int64_t span;
    overflow |=
        view.sizes[i] < 0 ||
        __builtin_mul_overflow(view.sizes[i] - 1, view.strides[i], &span);
    overflow = overflow || __builtin_add_overflow(span < 0 ? low : high, span,
                                                  span < 0 ? &low : &high);
  }
  const gin_window::Part &part =
      window.parts[static_cast<size_t>(current->rank)];
  int64_t elements = static_cast<int64_t>(part.bytes / bytes);
  // Addresses are compared as numbers of elements from the part's first.
  int64_t width = static_cast<int64_t>(bytes);
  int64_t at = static_cast<int64_t>(reinterpret_cast<uintptr_t>(view.base) -
                                    reinterpret_cast<uintptr_t>(part.base));
  overflow |= at % width != 0;
  at /= width;
  int64_t first = 0, end = 0;
  overflow = overflow || __builtin_add_overflow(at, low, &first) ||
             __builtin_add_overflow(at, high, &end);
  if (overflow || first < 0 || end > elements)
    fail(site, std::string(what) + " lies outside " +
                   ofRank(window, current->rank) +
                   ": only a rank's own part can be the local side");
}

void Engine::checkRemote(const gin_site_t *site, const gin_window &window,
                         int64_t rank, unsigned right, const char *what) {
  if (rank == current->rank)
    return;
  if (window.source)
    fail(site, std::string(what) + " touches window '" + window.name +
                   "' of rank " + number(rank) +
                   ", which is a gin.source: only its own rank may touch it");
  if (window.rights & right)
    return;
  const char *name = right == RemoteRead    ? "reads"
                     : right == RemoteWrite ? "writes"
                                            : "atomics";
  fail(site, std::string(what) + " touches window '" + window.name +
                 "' of rank " + number(rank) +
                 ", which does not allow remote " + name +
                 ": change the access rights of the argument");
}

/// The address in the part of `rank` at `indices` of a block of `shape` (null:
/// one element), with the block's dimensions and the strides there as `target`.
char *Engine::remoteBase(const gin_site_t *site, const View &root,
                         const int64_t *indices, int64_t rank,
                         const View *shape, CopyDim *dims, const char *what) {
  const gin_window &window = *root.window;
  const gin_window::Part &part = window.parts[static_cast<size_t>(rank)];
  int64_t total = root.dims, inner = shape ? shape->dims : 0;
  if (inner > total)
    fail(site, std::string(what) + " has " + number(inner) +
                   " dimensions, more than the " + number(total) +
                   " of window '" + window.name + "'");
  if (part.shape.size() != static_cast<size_t>(total))
    fail(site, std::string(what) + " has " + number(total) +
                   " indices, but is in " + ofRank(window, rank));
  int64_t stride = 1, offset = 0;
  for (int64_t i = total; i-- > 0;) {
    int64_t size = part.shape[static_cast<size_t>(i)];
    int64_t extent =
        shape && i >= total - inner ? shape->sizes[i - (total - inner)] : 1;
    int64_t index = indices ? indices[i] : 0;
    if (index < 0 || extent < 0 || extent > size || index > size - extent) {
      std::string place = extent == 1
                              ? "index " + number(index)
                              : "indices " + number(index) + " to " +
                                    number(static_cast<int64_t>(
                                        static_cast<uint64_t>(index) +
                                        static_cast<uint64_t>(extent) - 1));
      if (extent == 0)
        place = "an empty block at index " + number(index);
      fail(site, std::string(what) + " is out of bounds: " + place +
                     " of dimension " + number(i) + ", whose size is " +
                     number(size) + " in " + ofRank(window, rank));
    }
    if (i >= total - inner)
      dims[i - (total - inner)].target = stride;
    offset += index * stride;
    stride *= size;
  }
  return part.base + offset * static_cast<int64_t>(window.bytes);
}

/// Whose memory an element access touches; an error if it is nobody's.
int64_t Engine::elementOwner(const gin_site_t *site, const gin_window *window,
                             const void *address, uint64_t bytes,
                             unsigned right, const char *what) {
  if (!window)
    fail(site, std::string(what) + " is not in a window");
  const gin_window::Part &own =
      window->parts[static_cast<size_t>(current->rank)];
  const char *place = static_cast<const char *>(address);
  if (place >= own.base && bytes <= own.bytes &&
      static_cast<uint64_t>(place - own.base) <= own.bytes - bytes)
    return current->rank;
  int64_t owner = window->ownerOf(address, bytes);
  if (owner < 0)
    fail(site, std::string(what) +
                   " is out of bounds: the address is in no "
                   "rank's part of window '" +
                   window->name + "'; that of rank " + number(current->rank) +
                   " is " + shapeText(own.shape));
  checkRemote(site, *window, owner, right, what);
  return owner;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

uint64_t Engine::slotIndex(const gin_site_t *site, const gin_slot_t &slot) {
  const gin_bank &bank = *slot.bank;
  if (slot.dims != static_cast<int64_t>(bank.extents.size()))
    fail(site, "signals '" + bank.name + "' have " +
                   number(static_cast<int64_t>(bank.extents.size())) +
                   " dimensions, but " + number(slot.dims) +
                   " indices were given");
  uint64_t result = 0;
  for (int64_t i = 0; i < slot.dims; ++i) {
    int64_t extent = bank.extents[static_cast<size_t>(i)];
    int64_t index = slot.indices[i];
    if (index < 0 || index >= extent)
      fail(site, "index " + number(index) + " of dimension " + number(i) +
                     " of signals '" + bank.name +
                     "' is out of range: there are " + number(extent) +
                     " slots");
    result =
        result * static_cast<uint64_t>(extent) + static_cast<uint64_t>(index);
  }
  return result;
}

void Engine::checkWeight(const gin_site_t *site, int64_t weight) {
  if (weight < 1)
    fail(site,
         "a signal adds " + number(weight) + ": its weight must be at least 1");
}

int64_t Engine::windowDim(const gin_site_t *site, const gin_team_t *team,
                          int64_t peer, const void *descriptor, int64_t dims,
                          int64_t dim) {
  int64_t rank = worldRank(site, team, peer);
  View root = view(site, descriptor, dims, "the window");
  const std::vector<int64_t> &shape =
      root.window->parts[static_cast<size_t>(rank)].shape;
  if (dim < 0 || static_cast<size_t>(dim) >= shape.size())
    fail(site, "dimension " + number(dim) + " is out of range: window '" +
                   root.window->name + "' has " +
                   number(static_cast<int64_t>(shape.size())));
  return shape[static_cast<size_t>(dim)];
}

void Engine::peerView(const gin_site_t *site, const gin_team_t *description,
                      int64_t peer, const void *descriptor, int64_t dims,
                      void *result) {
  int64_t rank = worldRank(site, description, peer);
  View root = view(site, descriptor, dims, "the viewed window");
  checkRoot(site, root, "the viewed memref");
  checkRemote(site, *root.window, rank, RemoteRead | RemoteWrite,
              "the peer view");
  int64_t lsa = config.lsaSize > 0 ? config.lsaSize : config.ranks;
  if (rank / lsa != current->rank / lsa)
    fail(site, "rank " + number(current->rank) +
                   " cannot view the memory of "
                   "rank " +
                   number(rank) + ": they are in different LSA teams of " +
                   number(lsa) + " ranks");
  const gin_window::Part &part = root.window->parts[static_cast<size_t>(rank)];
  struct Head {
    void *allocated, *aligned;
    int64_t offset;
  } head{root.window, part.base, 0};
  char *out = static_cast<char *>(result);
  std::memcpy(out, &head, sizeof(head));
  int64_t *sizes = reinterpret_cast<int64_t *>(out + sizeof(head));
  int64_t stride = 1;
  for (int64_t i = dims; i-- > 0;) {
    sizes[i] = part.shape[static_cast<size_t>(i)];
    sizes[dims + i] = stride;
    stride *= sizes[i];
  }
}
