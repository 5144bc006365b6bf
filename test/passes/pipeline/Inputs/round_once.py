# ===- round_once.py - reference of round-once.mlir ------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Rounds exactly, in integers and fractions; with --write FOLDER makes the inputs."""

import random
import sys
from fractions import Fraction
from math import inf, isinf, isnan
from pathlib import Path

import numpy as np

COUNTS = {"i": 8192, "l": 4096, "d": 4096}
# bits of the mantissa, least exponent of a normal number, largest number, what
# stands for more, as bits
FORMATS = {
    "bf16": (7, -126, Fraction(255) * 2**120, 0x7F80, 0x7FC0, 16),
    "f16": (10, -14, Fraction(65504), 0x7C00, 0x7E00, 16),
    "e4m3": (3, -6, Fraction(448), 0x7F, 0x7F, 8),
    "e5m2": (2, -14, Fraction(57344), 0x7C, 0x7E, 8),
}


def rounded(value, name):
    """The bits of the nearest number of the format, ties to even."""
    mantissa, least, largest, overflow, nan, width = FORMATS[name]
    if isinstance(value, float) and isnan(value):
        return nan
    negative = str(value).startswith("-")
    sign = 1 << (width - 1) if negative else 0
    if isinstance(value, float) and isinf(value):
        return sign | overflow
    size = abs(Fraction(value))
    if size == 0:
        return sign
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** exponent:
        exponent -= 1
    exponent = max(exponent, least)
    # round() of a fraction is exact, with ties to even.
    units = round(size / Fraction(2) ** (exponent - mantissa))
    if units * Fraction(2) ** (exponent - mantissa) > largest:
        return sign | overflow
    return sign | (units + ((exponent - least) << mantissa))


def near_middles(generator, count, top):
    """Integers of up to `top` bits at and next to the middle of two neighbours in
    bf16, and others."""
    for k in range(count):
        if k % 8 == 0:
            value = generator.getrandbits(generator.randrange(1, top + 1))
        else:
            bits = generator.randrange(9, top + 1)
            value = (2 * generator.randrange(128, 256) + 1) << (bits - 9)
            step = generator.getrandbits(generator.randrange(0, max(bits - 12, 1)))
            value += generator.choice((-1, 0, 1)) * step
        yield value


def write(folder):
    generator = random.Random(1)
    unsigned = [v % 2**32 for v in near_middles(generator, COUNTS["i"], 32)]
    values = np.array(unsigned, np.uint32)
    values[1::2] = -values[1::2]
    values[:4] = np.array([-773849108, 190316541, -(2**31), -1], np.int64).astype(np.uint32)
    np.save(folder / "i.npy", values.view(np.int32))

    longs = np.array([v % 2**64 for v in near_middles(generator, COUNTS["l"], 64)], np.uint64)
    longs[1::2] = -longs[1::2]
    longs[:6] = np.array([2**63, 2**64 - 1, 2**53, 2**53 + 1, 2**64 - 2**53, 2**64 - 2**53 - 1],
                         np.uint64)  # fmt: skip
    np.save(folder / "l.npy", longs.view(np.int64))

    # A middle of each format, plus or minus what f32 rounds away.
    doubles = [0.0, -0.0, inf, -inf, 1e300, -1e-300, 5e-324, 448.0, 464.0, 65520.0]
    names = list(FORMATS)
    while len(doubles) < COUNTS["d"]:
        mantissa, least, largest, *_ = FORMATS[names[len(doubles) % 4]]
        exponent = generator.randrange(least - mantissa - 2, largest.numerator.bit_length() + 1)
        middle = 2 * generator.randrange(0, 2 << mantissa) + 1
        value = middle * 2.0 ** (max(exponent, least) - mantissa - 1)
        value *= 1 + generator.choice((-1, 0, 1)) * 2.0 ** -generator.randrange(24, 53)
        doubles.append(generator.choice((-1, 1)) * value)
    np.save(folder / "d.npy", np.array(doubles))


def predict():
    sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "examples"))
    from gin_reference import Run

    run = Run()
    (ints,), (longs,), (doubles,) = (run.input(name) for name in "ild")
    inputs = {
        "si": [int(v) for v in ints],
        "ui": [int(v) for v in ints.view(np.uint32)],
        "sl": [int(v) for v in longs],
        "ul": [int(v) for v in longs.view(np.uint64)],
        "odd": [(int(v) + 2**56) % 2**57 - 2**56 for v in longs],
        "d": [float(v) for v in doubles],
    }
    for name in ("si_bf16", "ui_bf16", "sl_bf16", "ul_bf16", "odd_bf16", "si_f16", "sl_f16", "ul_f16",
                 "sl_e4m3", "ul_e5m2", "d_bf16", "d_f16", "d_e4m3", "d_e5m2"):  # fmt: skip
        source, target = name.split("_")
        width = FORMATS[target][-1]
        bits = np.array([rounded(v, target) for v in inputs[source]],
                        np.uint16 if width == 16 else np.uint8)  # fmt: skip
        np.save(run.out / f"{name}.0.npy", bits.view(np.float16) if target == "f16" else bits)


if sys.argv[1] == "--write":
    write(Path(sys.argv[2]))
else:
    predict()
