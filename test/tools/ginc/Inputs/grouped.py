# ===- grouped.py - reference of grouped.mlir ------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "examples"))
from gin_reference import Run  # noqa: E402

run = Run()
a, b, bt, one = (run.input(name)[0].astype(np.float64) for name in ("a", "b", "bt", "one"))
rows = np.array([128, 129, -1, 999, 1])
groups = [1, -1, 2, 0, 1]


def expected(name, product, add=False):
    """What there is, with the first rows of each part replaced, or added to."""
    result = run.input(name)[0].astype(np.float64)
    for part, count in enumerate(np.clip(rows, 0, 130)):
        new = product(part)
        if new is not None:
            result[part, :count] = add * result[part, :count] + new[:count]
    return [result]


close = dict(atol=1e-4, rtol=2**-7)
run.predict("c", expected("c", lambda p: a[p] @ b[p % 2]), **close)
run.predict("d", expected("d", lambda p: a[p] @ bt[groups[p]].T if 0 <= groups[p] < 2 else None,
                          add=True), **close)  # fmt: skip
run.predict("e", expected("e", lambda p: a[p] @ one, add=True), atol=2**-5, rtol=2**-7)
run.predict("f", expected("f", lambda p: np.zeros((130, 68))))
run.predict("g", run.input("g"))
# Two columns of tiles. The last row of tiles is acquired at k = 0 to see whether it is
# there; both steps of k are if so.
down = np.clip(-(-rows // 128), 0, 2)
run.predict("calls", [np.array([2 * (2 * down + (2 - down)), 2 * down, 2 * down])])
