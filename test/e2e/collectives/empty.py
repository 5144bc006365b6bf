# ===- empty.py - reference of empty.mlir ----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from collective_reference import Run

run = Run()
choices = run.input("choices")
EXPERTS, CAPACITY = 2, 3

# What is counted and placed does not depend on the elements.
counts = [np.zeros((run.ranks, EXPERTS), np.int32) for _ in range(run.ranks)]
places = [np.full((6, 3), -1, np.int32) for _ in range(run.ranks)]
for q in range(run.ranks):
    for (t, k), expert in np.ndenumerate(choices[q]):
        if 0 <= expert < run.ranks * EXPERTS:
            owner, local = divmod(int(expert), EXPERTS)
            if counts[owner][q, local] < CAPACITY:
                places[q][t, k] = counts[owner][q, local]
                counts[owner][q, local] += 1
run.predict("counts", counts)
run.predict("places", places)

dropped = [np.full((6, 3), -1, np.int32)] * run.ranks
run.predict("full_places", dropped)
run.predict("nobody_places", dropped)
for name in ("full_counts", "ready_counts", "idle_counts"):
    run.predict(name, [np.zeros((run.ranks, EXPERTS), np.int32)] * run.ranks)
for name in ("sum", "zeros", "nobody_sum"):
    run.predict(name, [np.zeros((6, 4), np.float32)] * run.ranks)
