# ===- halo.py - reference of halo.mlir ------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from gin_reference import Run

run = Run()
tiles = run.input("x")
# The grid is as square as it can be, the larger extent first, unless --grid chose it.
# Its ranks are numbered row by row.
columns = max(c for c in range(1, run.ranks + 1) if run.ranks % c == 0 and c * c <= run.ranks)
rows, columns = run.grid or (run.ranks // columns, columns)
field = np.block([tiles[i * columns : (i + 1) * columns] for i in range(rows)])

for _ in range(int(run.scalars["steps"])):
    u = np.pad(field, 1)
    field = ((u[:-2, 1:-1] + u[2:, 1:-1]) + (u[1:-1, :-2] + u[1:-1, 2:])) * 0.25

h, w = tiles[0].shape
bands = [field[i * h : (i + 1) * h] for i in range(rows)]
y = [band[:, j * w : (j + 1) * w] for band in bands for j in range(columns)]
run.predict("y", y)
