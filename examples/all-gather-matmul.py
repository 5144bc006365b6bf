# ===- all-gather-matmul.py - reference of all-gather-matmul.mlir ----------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from gin_reference import Run

run = Run()
a = np.stack(run.input("x")).astype(np.float64)  # [rank, row, k]
w = run.input("w")
# Inputs in bf16 are exact; the sums over k are rounded in float32.
k = a.shape[2]
run.predict("y", [a @ w[rank] for rank in range(run.ranks)], atol=1e-6 * k, rtol=1e-5)
