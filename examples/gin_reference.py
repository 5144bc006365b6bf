# ===- gin_reference.py - what the references of the examples share ------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""A reference computes what a program should have left in its windows.

`ginc run` calls it as `python3 REFERENCE.py IN OUT`. IN/meta.json says how many
ranks there are, which sizes were chosen and which arguments there are;
IN/NAME.RANK.npy is an argument as it was before the first launch. The reference
writes OUT/NAME.RANK.npy for every argument that it predicts, and, where rounding
may differ, how far a result may be off. bf16 and fp8 travel as the integers of
their bits.
"""

import json
import sys
from pathlib import Path

import numpy as np


class Run:
    """One run of a program: its arguments as lists with an array for each rank."""

    def __init__(self):
        self.folder, self.out = Path(sys.argv[1]), Path(sys.argv[2])
        meta = json.loads((self.folder / "meta.json").read_text())
        self.ranks = meta["ranks"]
        self.repeat = meta["repeat"]
        self.dims = meta["dims"]
        self.scalars = meta["scalars"]
        self.args = meta["args"]
        self.grid = meta.get("grid")  # extents that --grid chose
        self.tolerances = {}

    def input(self, name):
        """An argument before the first launch; low precision widened to float32."""
        arrays = [np.load(self.folder / f"{name}.{r}.npy") for r in range(self.ranks)]
        widen = {"bf16": from_bf16, "f16": np.float32}.get(self.args[name]["type"])
        return [widen(a) for a in arrays] if widen else arrays

    def shape(self, name, rank=0):
        return tuple(self.args[name]["shape"][rank])

    def predict(self, name, arrays, atol=0.0, rtol=0.0):
        """Says what an argument is after the last launch, one array for each rank."""
        kind = self.args[name]["type"]
        for rank, array in enumerate(arrays):
            shaped = np.reshape(array, self.shape(name, rank))
            stored = to_bf16(shaped) if kind == "bf16" else shaped.astype(_TYPES[kind])
            np.save(self.out / f"{name}.{rank}.npy", stored)
        if atol or rtol:
            self.tolerances[name] = {"atol": atol, "rtol": rtol}
            (self.out / "tolerance.json").write_text(json.dumps(self.tolerances))


_TYPES = {
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64,
}  # fmt: skip


def from_bf16(bits):
    """bf16 is the upper half of float32."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def to_bf16(values):
    """Rounds to nearest, ties to even (finite values only)."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def share(total, parts, part):
    """The bounds of one of `parts` pieces of `total` that differ by at most one."""
    return total * part // parts, total * (part + 1) // parts
