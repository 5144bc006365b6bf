# ===- reduce_scatter.py - reference of reduce_scatter.mlir ----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from collective_reference import REDUCTIONS, Run

run = Run()
x = np.stack(run.input("x"))  # [source, block, ...]
for name, reduce in REDUCTIONS.items():
    run.predict(name, reduce(x))
run.predict("scalar", REDUCTIONS["sum"](np.stack(run.input("s"))))
