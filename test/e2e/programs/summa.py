# ===- summa.py - reference of summa.mlir ----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from program_reference import Run, grid

run = Run()
rows, columns = grid(run)
a, b = run.input("a"), run.input("b")
panels = range(len(a[0]))


def tile(i, j):
    a_row = np.hstack([a[i * columns + t % columns][t] for t in panels])
    b_column = np.vstack([b[t % rows * columns + j][t] for t in panels])
    return a_row.astype(np.float64) @ b_column


c = [tile(i, j) for i in range(rows) for j in range(columns)]
run.predict("c", c, atol=1e-6 * a[0].shape[0] * a[0].shape[2], rtol=1e-5)
