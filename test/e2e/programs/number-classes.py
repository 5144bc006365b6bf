# ===- number-classes.py - reference of number-classes.mlir ----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
import numpy as np
from program_reference import Run, narrow, widen

run = Run()
n = np.arange(512)


def rounded(values, kind):
    return widen(narrow(values, kind), kind).astype(np.float64)


def classes(magnitude, infinity, least, largest):
    """Of bit patterns without their sign, which have the order of the numbers."""
    nan, infinite, finite = magnitude > infinity, magnitude == infinity, magnitude <= largest
    normal = finite & (magnitude >= least)
    return nan | infinite * 2 | finite * 4 | normal * 8


# Of f8E4M3FN, which has no infinity, 0x7f is NaN.
def class8(magnitude):
    finite = magnitude != 0x7F
    return (~finite * 1) | finite * 4 | (finite & (magnitude >= 8)) * 8


def of_rank(rank):
    bits16 = n << 7 & 0xFFFF | rank
    return (
        classes(n << 23 & 0x7FFFFFFF | rank, 0x7F800000, 0x800000, 0x7F7FFFFF)
        | classes(bits16 & 0x7FFF, 0x7C00, 0x400, 0x7BFF) << 4
        | classes(bits16 & 0x7FFF, 0x7F80, 0x80, 0x7F7F) << 8
        | class8(n & 0x7F) << 12
    ).astype(np.int32)


base = n - 256 | 1
exponent = n % 9 - 3
whole = [
    int(b) ** int(e) if e >= 0 else (int(b) ** int(-e) if abs(b) == 1 else 0)
    for b, e in zip(base, exponent)
]
whole = np.array([w % 2**32 for w in whole], np.uint32).view(np.int32)
from_one = 1 + n / 512.0
waves = np.clip(np.sin(n.astype(np.float64)) - np.cos(n.astype(np.float64)), -0.5, 0.75)

x, half = widen(n & 0xFF, "f8E4M3FN").astype(np.float64), rounded(from_one, "bf16")
fused8 = rounded(x * x + x, "f8E4M3FN")
fused8[np.isnan(fused8)] = 0.75
fused = fused8 + rounded(half * half + half, "bf16")

run.predict("classes_out", [of_rank((rank - 1) % run.ranks) for rank in range(run.ranks)])
run.predict("carries_out", [(n >= 256).astype(np.int32)] * run.ranks)
run.predict("whole_out", [whole] * run.ranks)
run.predict("powers_out", [from_one ** (n % 13 - 6.0)] * run.ranks, rtol=1e-6)
run.predict("waves_out", [waves] * run.ranks, atol=1e-5)
run.predict("fused_out", [fused] * run.ranks)
