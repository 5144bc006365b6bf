# ===- reduce-norm-gather.py - reference of reduce-norm-gather.mlir --------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from gin_reference import Run

run = Run()
tokens = np.stack(run.input("x")).astype(np.float64).sum(axis=0)
y = tokens / np.sqrt((tokens**2).mean(axis=1, keepdims=True) + 1e-5)

# Each rank multiplies what it owns by its own gains. The first ranks own one token more.
own = np.array_split(y, run.ranks)
own = [part * gains for part, gains in zip(own, run.input("gains"))]
# The additions come in any order, so rounding may differ.
tolerance = {"atol": 1e-5 * run.ranks, "rtol": 1e-5}
run.predict("own", own, **tolerance)
run.predict("y", [np.concatenate(own)] * run.ranks, **tolerance)
