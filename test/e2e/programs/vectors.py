# ===- vectors.py - reference of vectors.mlir ------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""All but the floating-point arithmetic is done with Python's integers, one at a time."""

import functools

import numpy as np
from program_reference import Run, narrow, widen

run = Run()
PLACES = range(256)
LANES = 8


def signed(value, width):
    value &= 2**width - 1
    return value - 2**width if value >> (width - 1) else value


def unsigned(value, width):
    return value & 2**width - 1


def mix(results, width=32):
    return signed(functools.reduce(lambda so_far, more: so_far * 31 + more, results), width)


def quotient(a, b):
    """Rounded towards 0."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def integers(a, b, by, width):
    unsigned_a, unsigned_b = unsigned(a, width), unsigned(b, width)
    bits = f"{unsigned_a:0{width}b}"
    minima = signed(min(unsigned_a, unsigned_b), width)
    return mix([
        a + b, a - b, a * b, a & b, a | b, a ^ b,
        quotient(a, b), unsigned_a // unsigned_b,
        a - quotient(a, b) * b, unsigned_a % unsigned_b,
        -(-a // b), -(-unsigned_a // unsigned_b), a // b,
        max(a, b), max(unsigned_a, unsigned_b), min(a, b), minima,
        a << by, a >> by, unsigned_a >> by,
        -a, abs(a),
        len(bits) - len(bits.lstrip("0")), bits.count("1"), len(bits) - len(bits.rstrip("0")),
        a if (a < b) != (unsigned_a < unsigned_b) else 0,
        unsigned_a + unsigned_b >> width, a * b >> width,
    ], width)  # fmt: skip


def bits_of(values, kind):
    if kind == "f32":
        return values.astype(np.float32).view(np.int32).tolist()
    stored = narrow(values, kind)
    return (stored.view(np.uint16) if kind == "f16" else stored).tolist()


def floats(a, b, kind):
    if kind != "f32":
        a, b = (widen(narrow(values, kind), kind) for values in (a, b))
    results = [
        a + b, a - b, a * b, a / b,
        np.maximum(a, b), np.minimum(a, b), np.maximum(a, b), np.minimum(a, b),
        -a, np.abs(a), np.floor(a), np.sqrt(np.abs(a)), np.copysign(a, b),
        a * b + a,  # exact before it is rounded
        np.where(a < b, a, b),
    ]  # fmt: skip
    return [mix(words) for words in zip(*(bits_of(values, kind) for values in results))]


def by_bits(function, width):
    """Of integers, as unsigned numbers."""
    return lambda a, b: signed(function(unsigned(a, width), unsigned(b, width)), width)


def reductions(a, small, x, half):
    def of(function, values, start=None, width=32):
        values = values if start is None else [start, *values]
        return signed(functools.reduce(function, values), width)

    def kinds(width):
        return [
            lambda a, b: a + b, lambda a, b: a * b, by_bits(min, width), min, by_bits(max, width),
            max, lambda a, b: a & b, lambda a, b: a | b, lambda a, b: a ^ b,
        ]  # fmt: skip

    results = []
    for wide, narrow_one in zip(kinds(32), kinds(8)):
        results += [of(wide, a), of(wide, a, 3), of(narrow_one, small, 7, 8)]
    for kind in (np.add, np.multiply, np.minimum, np.maximum, np.minimum, np.maximum):
        halves = np.ones_like(half) if kind is np.multiply else half
        for values in (x, [np.float32(0.25), *x]):
            results += bits_of(np.array([functools.reduce(kind, values)]), "f32")
        results += bits_of(np.array([functools.reduce(kind, [np.float32(2), *halves])]), "f16")
    return mix(results)


def shuffles(a, b):
    both = [*a, *b]
    mixed = [both[k] for k in (7, 8, 0, 15, 3, 3, 12, 1)]
    zipped = [one for pair in zip(a[::2], b[3:7]) for one in pair]
    moved = [*a[1::2], 0, 0, 0, 0]
    first = [b[7], b[1], 0, b[2], b[4], 0, b[0], b[6]]
    flat = [one for pair in zip(a[:4], a[4:]) for one in pair]
    return [mix(words) for words in zip(mixed, zipped, moved, first, flat)]


def conversions(a, x, y):
    scaled = x * y
    small = [signed(number, 8) for number in a]
    doubles = scaled.astype(np.float64) + [float(number * number) for number in a]
    return [mix(words) for words in zip(
        scaled.astype(int).tolist(),
        y.astype(int).tolist(),
        bits_of(np.array(small), "f16"),
        bits_of(np.array([unsigned(number, 8) for number in a]), "bf16"),
        doubles.view(np.int64).tolist(),
        [-(number & 1) for number in a],
    )]  # fmt: skip


def of_rank(rank):
    own = [place + rank for place in PLACES]
    a = [signed(number * -1640531527, 32) for number in own]
    b_any = [signed(number * 40503, 32) for number in own]
    b = [number | 1 for number in b_any]
    x = np.array([(number & 15) - 8 for number in own], np.float32) / 4
    y = np.array([(number >> 20 & 15) + 4 for number in a], np.float32) / 4
    small = [signed(number, 8) for number in a]

    folded = []
    for place in PLACES:
        wide = integers(a[place] ** 2, unsigned(b[place], 32), place % 64, 64)
        folded.append(signed(wide ^ unsigned(wide, 64) >> 32, 32))
    few = (floats(x, y, kind) for kind in ("f16", "bf16", "f8E4M3FN"))
    reduced, shuffled = [], []
    for begin in PLACES[::LANES]:
        lanes = slice(begin, begin + LANES)
        reduced += [reductions(a[lanes], small[lanes], y[lanes], x[lanes])] * LANES
        shuffled += shuffles(a[lanes], b[lanes])
    words = [
        [integers(a[place], b[place], place % 32, 32) for place in PLACES],
        [integers(small[place], signed(b_any[place], 8) | 1, place % 8, 8) for place in PLACES],
        folded,
        floats(x, y, "f32"),
        [mix(results) for results in zip(*few)],
        reduced,
        shuffled,
        conversions(a, x, y),
    ]

    wide_x, wide_y = x.astype(np.float64), y.astype(np.float64)
    curve = np.exp(wide_x) * np.log(wide_y) + wide_y**wide_x
    wave = np.clip(np.sin(wide_x) - np.cos(wide_x), -0.5, 0.75)
    number = np.where(wide_x > 0, 1 / np.sqrt(np.maximum(wide_x, 0.25)), wide_y)
    return np.array(words, np.int32), np.array([curve, wave, number ** (wide_x * 4)])


expected = [of_rank((rank - 1) % run.ranks) for rank in range(run.ranks)]
run.predict("words_out", [words for words, _ in expected])
run.predict("floats_out", [values for _, values in expected], rtol=1e-5, atol=1e-6)
