# ===- ring-all-reduce.py - reference of ring-all-reduce.mlir --------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from gin_reference import Run

run = Run()
x = np.stack(run.input("x")).astype(np.float64)
# The order of the additions is the algorithm's, so rounding may differ.
run.predict("y", [x.sum(axis=0)] * run.ranks, atol=1e-6 * run.ranks, rtol=1e-6)
