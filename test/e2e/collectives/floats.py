# ===- floats.py - reference of floats.mlir --------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from collective_reference import Run

run = Run()
exact = bool(run.scalars["exact"])


def in_order(arrays):
    total = arrays[0]
    for array in arrays[1:]:
        total = total + array  # in float32
    return [total] * run.ranks


run.predict("sum", in_order(run.input("x")), atol=0 if exact else 1e-6, rtol=0)
run.predict("narrow_sum", in_order(run.input("n")), atol=0 if exact else run.ranks / 128, rtol=0)
m = run.shape("differ")[0]
run.predict("differ", [np.zeros(m)] * run.ranks)
run.predict("nans", [np.arange(m) < run.ranks] * run.ranks)
