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
        kind = self.args[name]["type"]
        return [widen(a, kind) if kind in _NARROW else a for a in arrays]

    def shape(self, name, rank=0):
        return tuple(self.args[name]["shape"][rank])

    def predict(self, name, arrays, atol=0.0, rtol=0.0):
        """Says what an argument is after the last launch, one array for each rank."""
        kind = self.args[name]["type"]
        for rank, array in enumerate(arrays):
            shaped = np.reshape(array, self.shape(name, rank))
            stored = narrow(shaped, kind) if kind in _NARROW else shaped.astype(_TYPES[kind])
            np.save(self.out / f"{name}.{rank}.npy", stored)
        if atol or rtol:
            self.tolerances[name] = {"atol": atol, "rtol": rtol}
            (self.out / "tolerance.json").write_text(json.dumps(self.tolerances))


_TYPES = {
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "f32": np.float32, "f64": np.float64,
}  # fmt: skip
_NARROW = ("bf16", "f16", "f8E4M3FN", "f8E5M2")


def widen(stored, kind):
    """Values of a narrow type, as they are in .npy files, as float32."""
    stored = np.asarray(stored)
    if kind == "f16":
        return stored.astype(np.float32)
    if kind == "bf16":  # the upper half of float32
        bits = np.atleast_1d(stored).astype(np.uint32) << 16  # a scalar has no views
        return bits.view(np.float32).reshape(stored.shape)
    return _fp8(kind)[stored]


def narrow(values, kind):
    """The inverse: rounds to nearest, ties to even. Overflow is what `arith.truncf` makes of
    it; NaN only travels as f16."""
    values = np.asarray(values, np.float32)
    if kind == "f16":
        return values.astype(np.float16)
    if kind == "bf16":
        bits = np.atleast_1d(values).view(np.uint32).reshape(values.shape)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    # The bits of positive numbers count upwards, so a number's bits are its rank among them. The
    # number after the largest stands for overflow: infinity, or NaN where there is none.
    largest = 0x7B if kind == "f8E5M2" else 0x7E
    numbers = _fp8(kind)[: largest + 1].astype(np.float64)
    numbers = np.append(numbers, 2 * numbers[-1] - numbers[-2])
    middles = (numbers[1:] + numbers[:-1]) / 2
    magnitude = np.abs(values.astype(np.float64))
    bits = np.searchsorted(middles, magnitude, side="left")  # a tie goes to the lower ...
    tie = middles[np.minimum(bits, largest)] == magnitude
    bits += tie & (bits % 2 == 1)  # ... unless that is odd
    return (bits | np.where(np.signbit(values), 0x80, 0)).astype(np.uint8)


def _fp8(kind):
    """The value of each of the 256 bit patterns."""
    mantissa, bias = (2, 15) if kind == "f8E5M2" else (3, 7)
    bits = np.arange(256)
    exponent, fraction = (bits & 0x7F) >> mantissa, bits & ((1 << mantissa) - 1)
    scale = np.ldexp(1.0, np.maximum(exponent, 1) - bias - mantissa)
    values = (fraction + np.where(exponent > 0, 1 << mantissa, 0)) * scale
    if kind == "f8E5M2":
        values[exponent == 31] = np.where(fraction[exponent == 31] == 0, np.inf, np.nan)
    else:
        values[(bits & 0x7F) == 0x7F] = np.nan
    return np.where(bits < 128, values, -values).astype(np.float32)


def share(total, parts, part):
    """The bounds of one of `parts` pieces of `total` that differ by at most one."""
    return total * part // parts, total * (part + 1) // parts
