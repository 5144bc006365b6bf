# ===- teams.py - reference of teams.mlir ----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from collective_reference import REDUCTIONS, Run

run = Run()
total = REDUCTIONS["sum"]
# As equal as possible, larger extents first.
columns = max(c for c in range(1, run.ranks + 1) if run.ranks % c == 0 and c * c <= run.ranks)
rows = run.ranks // columns


def on_grid(name):
    arrays = np.stack(run.input(name))
    return arrays.reshape(rows, columns, *arrays.shape[1:])


def predict(name, grid):
    run.predict(name, grid.reshape(run.ranks, *grid.shape[2:]))


x, xs = on_grid("x"), on_grid("xs")[:, :, :columns]
sums = np.stack([total(x[i]) for i in range(rows)])
predict("sum", np.stack([sums] * columns, 1))
predict("total", np.broadcast_to(total(sums), x.shape))
predict("ys", np.stack([total(xs[i]) for i in range(rows)]))
# Blocks of ranks that a team does not have stay as they were.
order = np.zeros((rows, columns, run.ranks, x.shape[2]), x.dtype)
order[:, :, :rows] = np.stack([x.swapaxes(0, 1)] * rows)
predict("order", order)
flipped = np.zeros_like(order)
flipped[:, :, :columns] = xs.swapaxes(1, 2)
predict("flipped", flipped)
