# ===- all_reduce.py - reference of all_reduce.mlir ------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from collective_reference import REDUCTIONS, Run

run = Run()
total = REDUCTIONS["sum"]
x, m = np.stack(run.input("x")), np.stack(run.input("m"))
for name, reduce in REDUCTIONS.items():
    run.predict(name, [reduce(x)] * run.ranks)
run.predict("scalar", [total(np.stack(run.input("s")))] * run.ranks)
run.predict("matrix", [total(m)] * run.ranks)
half = m.shape[2] // 2
run.predict("columns", [total(m[:, :, half : 2 * half])] * run.ranks)
run.predict("even", [total(x[:, ::2])] * run.ranks)
