# ===- collective_reference.py - what these references share ---------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""References for programs of any element type, fp8 included.

Where sums are compared, data are small integers, for which every order gives the
same result; then comparisons are exact.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "examples"))
import gin_reference  # noqa: E402


def _fp8_values(exponent_bits, bias, only_nan):
    """The value of each of the 256 codes."""
    mantissa_bits = 7 - exponent_bits
    codes = np.arange(256)
    exponent = (codes >> mantissa_bits) & ((1 << exponent_bits) - 1)
    mantissa = codes & ((1 << mantissa_bits) - 1)
    scale = np.exp2(np.maximum(exponent, 1) - bias - mantissa_bits)
    values = scale * (mantissa + (exponent > 0) * (1 << mantissa_bits))
    if only_nan:  # f8E4M3FN has no infinity, and one NaN of each sign
        values[(codes & 0x7F) == 0x7F] = np.nan
    else:
        top = exponent == (1 << exponent_bits) - 1
        values[top] = np.where(mantissa[top] == 0, np.inf, np.nan)
    return np.where(codes >= 128, -values, values).astype(np.float32)


def _to_fp8(values, table):
    """To the nearest code, ties to the even one (finite values only)."""
    codes = np.flatnonzero(np.isfinite(table[:128]))
    magnitude = np.abs(np.asarray(values, np.float32))
    distance = np.abs(magnitude[..., None] - table[codes])
    nearest = distance.min(-1, keepdims=True)
    even_first = np.where(distance == nearest, codes % 2, 2).argmin(-1)
    return (codes[even_first] | np.where(np.signbit(values), 128, 0)).astype(np.uint8)


def _fp8(*format):
    table = _fp8_values(*format)
    return (lambda codes: table[codes]), (lambda values: _to_fp8(values, table))


# How to read and write elements that NumPy does not know; by one-dimensional arrays.
_CODES = {
    "bf16": (gin_reference.from_bf16, gin_reference.to_bf16),
    "f8E4M3FN": _fp8(4, 7, True),
    "f8E5M2": _fp8(5, 15, False),
}


class Run(gin_reference.Run):
    def input(self, name):
        if self.args[name]["type"] not in _CODES:
            return super().input(name)
        decode, _ = _CODES[self.args[name]["type"]]
        codes = [np.load(self.folder / f"{name}.{r}.npy") for r in range(self.ranks)]
        return [decode(c.ravel()).reshape(c.shape) for c in codes]

    def predict(self, name, arrays, atol=0.0, rtol=0.0):
        if atol or rtol or self.args[name]["type"] not in _CODES:
            return super().predict(name, arrays, atol, rtol)
        _, encode = _CODES[self.args[name]["type"]]
        for rank, array in enumerate(arrays):
            codes = encode(np.ravel(array)).reshape(self.shape(name, rank))
            np.save(self.out / f"{name}.{rank}.npy", codes)


def _integers_wrap(reduce):
    return lambda x: reduce(x, axis=0, dtype=x.dtype)


REDUCTIONS = {
    "sum": _integers_wrap(np.sum),
    "prod": _integers_wrap(np.prod),
    "max": lambda x: np.max(x, axis=0),
    "min": lambda x: np.min(x, axis=0),
}
