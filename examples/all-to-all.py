# ===- all-to-all.py - reference of all-to-all.mlir ------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from gin_reference import Run

run = Run()
x = np.stack(run.input("x"))  # [rank, row, element]
run.predict("y", x.swapaxes(0, 1))
