# ===- hybrid-all-to-all.py - reference of hybrid-all-to-all.mlir ----------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from program_reference import Run

run = Run()
x = np.stack(run.input("x"))  # [rank, row, element]
run.predict("y", x.swapaxes(0, 1))
