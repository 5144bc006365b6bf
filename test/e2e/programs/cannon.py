# ===- cannon.py - reference of cannon.mlir --------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from program_reference import Run, grid

run = Run()
rows, columns = grid(run)
a, b = (np.stack(run.input(name)).astype(np.float64) for name in ("a", "b"))
a = a.reshape(rows, columns, *a.shape[1:])
b = b.reshape(rows, columns, *b.shape[1:])
c = np.einsum("ilmk,ljkn->ijmn", a, b)
run.predict("c", c.reshape(run.ranks, *run.shape("c")), atol=1e-6 * rows * a.shape[3], rtol=1e-5)
