# ===- expert-loop.py - reference of expert-loop.mlir ----------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from gin_reference import Run

run = Run()
x, w = run.input("x"), run.input("w")
y = [x[rank - 1].astype(np.float64) @ w[rank] for rank in range(run.ranks)]
# Inputs in f16 are exact; the sums over k are rounded in float32.
run.predict("y", y, atol=1e-6 * x[0].shape[2], rtol=1e-5)
