# ===- matmul-reduce-scatter-tiles.py - its reference ----------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from gin_reference import Run

run = Run()
x = np.stack(run.input("x")).astype(np.float64)  # [rank, block, row, k]
w = np.stack(run.input("w")).astype(np.float64)  # [rank, column, k]
summands = np.einsum("qpmk,qnk->pqmn", x, w)
# Each summand is rounded to bf16, and so is each sum of some of them, in any order: none is
# larger than all of them together without their signs.
largest = np.abs(summands).sum(axis=1).max(initial=0.0)
run.predict("y", summands.sum(axis=1), atol=2 * run.ranks * 2**-9 * largest)
