# ===- matmul-all-reduce.py - reference of matmul-all-reduce.mlir ----------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from program_reference import Run

run = Run()
a = np.hstack(run.input("x")).astype(np.float64)
b = np.vstack(run.input("w")).astype(np.float64)
# The sums over k and ranks are rounded in float32, in any order.
run.predict("y", [a @ b] * run.ranks, atol=1e-6 * len(b), rtol=1e-5)
