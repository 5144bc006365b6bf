# ===- experts.py - reference of experts.mlir ------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from collective_reference import Run

run = Run()
x, choices, weights = (run.input(name) for name in ("x", "choices", "weights"))
_, e, c, _ = run.shape("received")
experts = run.ranks * e

for _ in range(2 * run.repeat):
    counts = np.zeros((run.ranks, experts), int)  # [source, expert]
    y, positions = [], []
    for rank in range(run.ranks):
        position = np.full(choices[rank].shape, -1)
        for (t, k), expert in np.ndenumerate(choices[rank]):
            if 0 <= expert < experts and counts[rank, expert] < c:
                position[t, k] = counts[rank, expert]
                counts[rank, expert] += 1
        if choices[rank].size:
            choices[rank][0, 0] = -1
        total = np.zeros(x[rank].shape, x[rank].dtype)
        for (t, k), expert in np.ndenumerate(choices[rank]):
            if 0 <= expert < experts and position[t, k] >= 0:
                total[t] += weights[rank][t, k] * x[rank][t] * (expert % e + 1)
        y.append(total)
        positions.append(position)

mine = [slice(rank * e, (rank + 1) * e) for rank in range(run.ranks)]
run.predict("y", y)
run.predict("positions", positions)
run.predict("choices", choices)
run.predict("counts", [counts[:, own] for own in mine])
