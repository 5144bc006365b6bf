//===- Table.h - the programs of a bundle -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_TEST_GPU_PROGRAMS_TABLE_H
#define GIN_TEST_GPU_PROGRAMS_TABLE_H

#include "runtime/include/gin.h"

namespace gintest {

/// The functions of a launcher that ginc emitted. The structure of arguments is
/// known by its layout: fields in order, each aligned to its size.
struct Launcher {
  const char *name;
  ginResult_t (*create)(ginComm_t comm, const void *arguments, void **program);
  ginResult_t (*launch)(void *program, const void *arguments, unsigned blocks,
                        void *stream);
  ginResult_t (*destroy)(void *program);
};
#define GIN_PROGRAM(name)                                                      \
  {                                                                            \
      #name,                                                                   \
      [](ginComm_t comm, const void *arguments, void **program) {              \
        return name##_create(comm,                                             \
                             static_cast<const name##_arguments *>(arguments), \
                             reinterpret_cast<name##_t *>(program));           \
      },                                                                       \
      [](void *program, const void *arguments, unsigned blocks,                \
         void *stream) {                                                       \
        return name##_launch(static_cast<name##_t>(program),                   \
                             static_cast<const name##_arguments *>(arguments), \
                             blocks, stream);                                  \
      },                                                                       \
      [](void *program) {                                                      \
        return name##_destroy(static_cast<name##_t>(program));                 \
      },                                                                       \
  }

/// Ends with one that has no name.
extern const Launcher launchers[];

} // namespace gintest

#endif // GIN_TEST_GPU_PROGRAMS_TABLE_H
