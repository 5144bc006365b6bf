# ===- ulysses.py - reference of ulysses.mlir ------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from program_reference import Run, attention

run = Run()
q, k, v = np.concatenate(run.input("x"), axis=1)  # each [token, head, element]
y = np.stack([attention(q[:, h], k[:, h], v[:, h]) for h in range(q.shape[1])], axis=1)
run.predict("y", np.split(y, run.ranks), atol=1e-6 * len(q), rtol=1e-5)
