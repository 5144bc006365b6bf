# ===- program_reference.py - what these references share ------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "examples"))
from gin_reference import Run, narrow, widen  # noqa: E402, F401


def grid(run):
    """Rows and columns of ?x?: as equal as possible, the larger extent first."""
    columns = max(c for c in range(1, run.ranks + 1) if run.ranks % c == 0 and c * c <= run.ranks)
    return run.grid or (run.ranks // columns, columns)


def attention(q, k, v):
    """Of [query, element], [key, element] and [key, element]."""
    q, k, v = (np.asarray(a, np.float64) for a in (q, k, v))
    scores = q @ k.T / np.sqrt(q.shape[1])
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True) @ v
