# ===- ring-attention.py - reference of ring-attention.mlir ----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from program_reference import Run, attention

run = Run()
kv = np.vstack(run.input("kv"))  # [token, key or value, element]
y = [attention(q, kv[:, 0], kv[:, 1]) for q in run.input("q")]
run.predict("y", y, atol=1e-6 * len(kv), rtol=1e-5)
