# ===- gin_tensors.py - arrays with the methods of PyTorch's tensors --------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""gin_tensors.py GINC FOLDER SOURCE: an all-to-all of tensors, PyTorch's where it is."""

import sys

ginc, folder, source = sys.argv[1:]
sys.path.insert(0, f"{source}/examples/apps/python")

import gin  # noqa: E402
import numpy as np  # noqa: E402

try:
    from torch import from_numpy as tensor
except ImportError:

    class tensor:
        """What gin.py asks a tensor."""

        def __init__(self, array):
            self.array, self.shape = array, array.shape

        def is_contiguous(self):
            return self.array.flags.c_contiguous

        def data_ptr(self):
            return self.array.ctypes.data

        def nelement(self):
            return self.array.size

        def element_size(self):
            return self.array.itemsize


ranks = 3
library = gin.build(f"{source}/examples/all-to-all.mlir", folder, arch="host", ginc=ginc)
comms = library.communicators(ranks)
data = np.arange(ranks * ranks * 8, dtype=np.float32).reshape(ranks, ranks, 8)
results = [np.zeros((ranks, 8), np.float32) for _ in comms]
windows = [
    {"x": comm.window(tensor(data[comm.rank])), "y": comm.window(tensor(results[comm.rank]))}
    for comm in comms
]
programs = [library.program(comm, **windows[comm.rank]) for comm in comms]
for comm, program in zip(comms, programs):
    program.launch(**windows[comm.rank])
for comm in comms:
    comm.synchronize()
right = np.array_equal(np.stack(results), data.swapaxes(0, 1))
print("all to all:", "right" if right else "wrong")
try:
    comms[0].window(tensor(np.zeros((4, 4), np.float32)[:, ::2]))
except ValueError as error:
    print(f"ValueError: {error}")
