# ===- all-gather-matmul-tiles.py - reference of all-gather-matmul-*.mlir ---=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from gin_reference import Run

run = Run()
# Block r of rank r's x is its shard.
a = np.stack([x[rank] for rank, x in enumerate(run.input("x"))]).astype(np.float64)
w = run.input("w")
run.predict("x", [a] * run.ranks)
# Inputs in bf16 are exact; the sums over k are rounded in float32, then to bf16.
k = a.shape[2]
run.predict("y", [a @ w[rank].T for rank in range(run.ranks)], atol=1e-6 * k, rtol=2**-7)
