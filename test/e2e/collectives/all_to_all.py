# ===- all_to_all.py - reference of all_to_all.mlir ------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from collective_reference import Run

run = Run()
run.predict("y", np.stack(run.input("x")).swapaxes(0, 1))
run.predict("t", np.stack(run.input("s")).swapaxes(0, 1))
wide = np.stack(run.input("wide")).swapaxes(0, 1)
half = wide.shape[2] // 2
run.predict("narrow", wide[:, :, wide.shape[2] - half :])
