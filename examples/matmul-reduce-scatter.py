# ===- matmul-reduce-scatter.py - reference of matmul-reduce-scatter.mlir --=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from gin_reference import Run

run = Run()
x = np.stack(run.input("x")).astype(np.float64)  # [rank, block, row, k]
w = np.stack(run.input("w")).astype(np.float64)  # [rank, k, column]
y = np.einsum("qpmk,qkn->pmn", x, w)
# Inputs in f16 are exact; the sums over k and ranks are rounded in float32.
terms = x.shape[3] * run.ranks
run.predict("y", y, atol=1e-6 * terms, rtol=1e-5)
