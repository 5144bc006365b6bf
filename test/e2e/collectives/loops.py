# ===- loops.py - reference of loops.mlir ----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from collective_reference import REDUCTIONS, Run

run = Run()
times = int(run.scalars["times"])
x, h, blocks = (np.stack(run.input(name)) for name in ("x", "h", "blocks"))
own = np.zeros_like(x)
turned = np.zeros_like(blocks)


def everywhere(one):
    return np.stack([one] * run.ranks)


for _ in range(run.repeat):
    for _ in range(times):
        x = np.roll(everywhere(x.max(0)), -1, axis=1)
    history = everywhere(REDUCTIONS["sum"](h))
    y = history[:, 3]
    for i in range(0, times, 2):
        y = own = everywhere(own.max(0))
    for _ in range(times):
        blocks = blocks.swapaxes(0, 1)
        own = np.roll(blocks.max(0), -1, axis=1)
        turned = everywhere(own)
for name, value in {"x": x, "y": y, "history": history, "own": own, "blocks": blocks,
                    "turned": turned}.items():  # fmt: skip
    run.predict(name, value)
