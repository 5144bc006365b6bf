# ===- warp-roles.py - reference of warp-roles.mlir ------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from program_reference import Run

run = Run()
x = run.input("x")
total = sum(x)
run.predict("y", [total + 2 * np.cumsum(own) + own.sum() for own in x])
