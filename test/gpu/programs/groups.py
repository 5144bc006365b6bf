# ===- groups.py - reference of groups.mlir --------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "examples"))
from gin_reference import Run  # noqa: E402

run = Run()
rows = np.array([128, 129, -1, 999, 1])
groups = [1, -1, 2, 0, 1]


def product(rank, part, name, matrix):
    """The part times a matrix of `name`, transposed if that is n x k."""
    a, b = run.input("a")[rank][part].astype(np.float64), run.input(name)[rank]
    b = (b if matrix is None else b[matrix]).astype(np.float64)
    return a @ (b.T if name == "bt" else b)


def predict(name, products, add=0, **tolerances):
    """What there was, with the first rows of each part replaced, or added to."""
    results = [array.astype(np.float64) for array in run.input(name)]
    for _ in range(run.repeat):
        for rank, result in enumerate(results):
            for part, count in enumerate(np.clip(rows, 0, 130)):
                new = products(rank, part)
                if new is not None:
                    result[part, :count] = add * result[part, :count] + new[:count]
    run.predict(name, results, **tolerances)


def of_group(rank, part):
    return product(rank, part, "bt", groups[part]) if 0 <= groups[part] < 2 else None


close = dict(atol=1e-4, rtol=2**-7)
predict("c", lambda rank, part: product(rank, part, "b", part % 2), **close)
predict("d", of_group, add=1, atol=1e-4, rtol=1e-5)
predict("e", lambda rank, part: product(rank, part, "one", None), add=1,
        atol=2**-3 * run.repeat, rtol=2**-6)  # fmt: skip
predict("f", lambda rank, part: np.zeros((130, 80)))
predict("g", lambda rank, part: None)
predict("h", lambda rank, part: product(rank, part, "odd", part % 3), **close)
# Two columns of tiles. The last row of tiles is acquired at k = 0 to see whether it is
# there; both steps of k are if so.
down = np.clip(-(-rows // 128), 0, 2)
calls = np.array([2 * (2 * down + (2 - down)), 2 * down, 2 * down])
run.predict("calls", [calls] * run.ranks)
