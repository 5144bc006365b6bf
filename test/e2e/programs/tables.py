# ===- tables.py - reference of tables.mlir --------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from program_reference import Run

ORDER = [5, 3, 0, 4, 1, 2]
WEIGHTS = np.float32([
    [0.5, 1.25, -3.0, 7.0], [0.125, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0],
    [9.0, 8.0, 7.0, 6.0], [0.25, 2.0, 3.5, 4.0], [11.0, 2.0, 3.0, 4.75],
])  # fmt: skip

run = Run()
rows = WEIGHTS[ORDER]
weighed = [x * (rows + rows[:, :1]) for x in run.input("x")]
run.predict("weighed", weighed)
run.predict("y", weighed[-1:] + weighed[:-1])
