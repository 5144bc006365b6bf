# ===- all_gather.py - reference of all_gather.mlir ------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from collective_reference import Run

run = Run()
run.predict("all", [np.stack(run.input("x"))] * run.ranks)
run.predict("scalars", [np.stack(run.input("s"))] * run.ranks)
own = run.input("own")
run.predict("own", [np.stack([own[q][q] for q in range(run.ranks)])] * run.ranks)
