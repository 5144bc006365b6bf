# ===- one-shot-all-reduce.py - reference of one-shot-all-reduce.mlir ------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from program_reference import Run

run = Run()
total = np.zeros(run.shape("y"), np.float32)
for x in run.input("x"):
    total += x
run.predict("y", [total] * run.ranks)
