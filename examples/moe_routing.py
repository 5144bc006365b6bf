# ===- moe_routing.py - draws the routing table of moe.mlir ----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Writes moe_routing.npy: which two experts each token chooses.

table[n - 1, i] are the choices of token i among the 2 n experts of n ranks, two
different ones. Popularity follows a Zipf law: the k-th most popular expert is
chosen with a probability in proportion to 1 / k^1.5. So a few experts get more
tokens than they have room for, and some none. Which expert is how popular is drawn
for each n.

    python3 examples/moe_routing.py            write the table, and show its skew
    python3 examples/moe_routing.py --check    only see whether it is this script's
"""

import sys
from pathlib import Path

import numpy as np

MAX_RANKS, TOKENS, CHOICES, EXPERTS_OF_A_RANK = 8, 256, 2, 2
EXPONENT, SEED = 1.5, 22
FILE = Path(__file__).with_suffix(".npy")


def draw():
    random = np.random.RandomState(SEED)  # its streams never change
    table = np.zeros((MAX_RANKS, TOKENS, CHOICES), np.int32)
    for ranks in range(1, MAX_RANKS + 1):
        experts = ranks * EXPERTS_OF_A_RANK
        place = random.permutation(experts)  # 0 is the most popular expert
        log_popularity = -EXPONENT * np.log(place + 1)
        # Drawing without replacement: the largest of the logs plus Gumbel noise.
        scores = log_popularity + random.gumbel(size=(TOKENS, experts))
        table[ranks - 1] = np.argsort(-scores, axis=1)[:, :CHOICES]
    return table


def main():
    table = draw()
    if sys.argv[1:] == ["--check"]:
        if not FILE.exists() or not np.array_equal(np.load(FILE), table):
            sys.exit(f"{FILE.name} is stale: run moe_routing.py")
        return
    np.save(FILE, table)
    for ranks in range(1, MAX_RANKS + 1):
        counts = np.bincount(table[ranks - 1].ravel(), minlength=2 * ranks)
        print(f"{ranks} ranks: {' '.join(str(c) for c in sorted(counts, reverse=True))}")


main()
