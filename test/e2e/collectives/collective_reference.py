# ===- collective_reference.py - what these references share ---------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""References for programs of any element type.

Where sums are compared, data are small integers, for which every order gives the
same result; then comparisons are exact.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "examples"))
from gin_reference import Run  # noqa: E402, F401


def _integers_wrap(reduce):
    return lambda x: reduce(x, axis=0, dtype=x.dtype)


REDUCTIONS = {
    "sum": _integers_wrap(np.sum),
    "prod": _integers_wrap(np.prod),
    "max": lambda x: np.max(x, axis=0),
    "min": lambda x: np.min(x, axis=0),
}
