# ===- all-gather-grouped-matmul.py - reference of the .mlir beside it -----=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from program_reference import Run

run = Run()
x, counts, w = (run.input(name) for name in ("x", "counts", "w"))
experts = [np.repeat(np.arange(len(c)), c) for c in counts]  # [rank][row]
y = np.zeros((run.ranks, *run.shape("y")))
for rank in range(run.ranks):
    for q in range(run.ranks):
        for row, expert in enumerate(experts[q]):
            y[rank, q, row] = x[q][row].astype(np.float64) @ w[rank][expert]
run.predict("y", y, atol=1e-6 * x[0].shape[1], rtol=1e-5)
