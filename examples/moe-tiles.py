# ===- moe-tiles.py - reference of moe-tiles.mlir --------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from gin_reference import Run

CAPACITY = 160

run = Run()
x, gates = run.input("x"), run.input("gates")
w = np.concatenate(run.input("w")).astype(np.float64)  # [expert of all ranks, h, h]
table = run.input("table")[0]
tokens = x[0].shape[0]

y, positions, largest = [], [], 0.0
counts = np.zeros((run.ranks, len(w)), int)  # [source, expert]
for rank in range(run.ranks):
    first = min(rank * tokens, table.shape[1] - tokens)
    experts = table[min(run.ranks, len(table)) - 1, first : first + tokens]
    position = np.full(experts.shape, -1)
    result = np.zeros(x[rank].shape)
    for (t, k), expert in np.ndenumerate(experts):
        if counts[rank, expert] < CAPACITY:
            position[t, k] = counts[rank, expert]
            counts[rank, expert] += 1
            product = gates[rank][t, k] * (x[rank][t].astype(np.float64) @ w[expert])
            largest = max(largest, np.abs(product).max(initial=0.0))
            result[t] += product
    y.append(result)
    positions.append(position)

# Each of a token's two products is rounded to bf16, before they are added.
h = x[0].shape[1]
run.predict("y", y, atol=2 * 2**-8 * largest + 2e-6 * h)
run.predict("positions", positions)
run.predict("counts", [counts[:, 2 * rank : 2 * rank + 2] for rank in range(run.ranks)])
