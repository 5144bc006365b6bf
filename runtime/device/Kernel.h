//===- Kernel.h - kernels as ginLaunch takes them ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// GIN_KERNEL(kernel) is what ginLaunch takes as a function: compiled by nvcc
// the address of the __global__ function, otherwise that of a description,
// since a C++ function does not tell the sizes of its parameters. A
// specialisation of a template is written as in GIN_KERNEL(gather<float, 4>).
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_KERNEL_H
#define GIN_DEVICE_KERNEL_H

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace gin {

/// A kernel that was compiled for the host. Constant for the life of the
/// program.
struct HostKernel {
  static constexpr uint64_t expected = 0x31736e72656b4e47;
  uint64_t magic; // `expected`
  /// Runs the kernel as one thread, on copies of the arguments.
  void (*run)(void *const *arguments);
  size_t first; // argument that is one of the kernel's parameters
  size_t count; // of arguments
  const size_t *sizes;
};

namespace detail {

template <class... Parameters>
struct ParameterSizes {
  static_assert((std::is_trivially_copyable_v<Parameters> && ...),
                "kernel arguments are copied byte by byte");
  static_assert(((alignof(Parameters) <= 16) && ...),
                "kernel arguments are aligned to at most 16 bytes");
  static constexpr size_t sizes[] = {sizeof(Parameters)..., 0};
};

template <class... Parameters, size_t... indices>
void callKernel(void (*kernel)(Parameters...), void *const *arguments,
                std::index_sequence<indices...>) {
  (void)arguments; // of a kernel that has none
  kernel(*static_cast<Parameters *>(arguments[indices])...);
}

/// The description of one kernel.
template <auto kernel>
struct KernelOf;
template <class... Parameters, void (*kernel)(Parameters...)>
struct KernelOf<kernel> {
  static void run(void *const *arguments) {
    callKernel(kernel, arguments, std::index_sequence_for<Parameters...>());
  }
  static constexpr HostKernel description = {
      HostKernel::expected, run, 0, sizeof...(Parameters),
      ParameterSizes<Parameters...>::sizes};
};

/// The description of all kernels with these parameters: the first argument is
/// the kernel's address.
template <class... Parameters>
struct AnyKernel {
  using Pointer = void (*)(Parameters...);
  static void run(void *const *arguments) {
    callKernel(*static_cast<Pointer *>(arguments[0]), arguments + 1,
               std::index_sequence_for<Parameters...>());
  }
  static constexpr HostKernel description = {
      HostKernel::expected, run, 1, sizeof...(Parameters) + 1,
      ParameterSizes<Pointer, Parameters...>::sizes};
};

} // namespace detail
} // namespace gin

/// GIN_ARCHITECTURES is what the code is compiled for, as nvcc lists it:
/// "900,1000"; null on the host.
#ifdef __CUDACC__
namespace gin::detail {
constexpr bool compiledForHost = false;
}
#define GIN_DETAIL_QUOTE(...) #__VA_ARGS__
#define GIN_DETAIL_TEXT(...) GIN_DETAIL_QUOTE(__VA_ARGS__)
#define GIN_ARCHITECTURES GIN_DETAIL_TEXT(__CUDA_ARCH_LIST__)
#define GIN_KERNEL(...) reinterpret_cast<const void *>(__VA_ARGS__)
#else
#define GIN_ARCHITECTURES nullptr
namespace gin::detail {
/// Whether a kernel's address may be that of a plain function.
constexpr bool compiledForHost = true;
} // namespace gin::detail
#define GIN_KERNEL(...)                                                        \
  static_cast<const void *>(&::gin::detail::KernelOf<__VA_ARGS__>::description)
#endif

#endif // GIN_DEVICE_KERNEL_H
