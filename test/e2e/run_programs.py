#!/usr/bin/env python3
# ===- run_collectives.py - collectives by each algorithm ------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Runs the programs of test/e2e/collectives, which compare themselves.

    run_collectives.py GINC            a sample
    run_collectives.py GINC --full     all sizes, rank counts and algorithms with 20
                                       seeds of the network, and all element types

Each run launches its program several times. The programs are written for f32; for
another element type their text is changed accordingly, and the data are integers
whose sums that type can hold. The script needs nothing but Python; the references
need NumPy, in the interpreter that runs this script.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "collectives"
RANKS = (1, 2, 3, 4, 7, 8)
SEEDS = 20
ALGORITHMS = ("direct", "ring", "tree")
TYPES = ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2")

# Sizes beside the defaults: none at all, fewer elements than ranks, odd ones.
SIZES = {
    "all_gather": ["a=0", "a=1 b=1", "a=7 b=13"],
    "all_to_all": ["b=0", "a=1 b=2", "a=7 b=13"],
    "reduce_scatter": ["a=0", "a=1 b=1", "a=7 b=13"],
    "all_reduce": ["a=0", "b=0", "a=1 b=1", "a=7 b=13"],
    "loops": ["m=0", "m=1", "m=17"],
    "teams": ["m=0", "m=1", "m=17"],
    "experts": ["t=1", "e=0", "c=0", "h=0", "t=13 k=1 e=1 c=1", "t=17 k=4 e=3 c=2 h=7"],
}

# Sums of as many such numbers as there are ranks are exact.
SMALL = {"f8E4M3FN": "integers:-2:2", "f8E5M2": "integers:-1:1"}
DATA = {
    "all_gather": ["x", "s", "own"],
    "all_to_all": ["x", "s", "wide"],
    "reduce_scatter": ["x", "s"],
    "all_reduce": ["x", "s", "m"],
    "loops": ["x", "h", "blocks"],
    "teams": ["x", "xs"],
    "experts": ["x", "weights"],
}


class Test:
    def __init__(self, program, ranks, algorithm, seed, sizes="", kind="f32"):
        self.program, self.ranks, self.algorithm = program, ranks, algorithm
        self.seed, self.sizes, self.kind = seed, sizes, kind

    def options(self):
        options = [f"--ranks={self.ranks}", f"--algorithm={self.algorithm}",
                   f"--seed={self.seed}", f"--repeat={REPEAT}"]  # fmt: skip
        options += [f"--dims={size}" for size in self.sizes.split()]
        if self.kind != "f32":
            data = SMALL.get(self.kind, "integers:-2:2")
            options += [f"--arg={name}={data}:{self.seed + k}"
                        for k, name in enumerate(DATA[self.program])]  # fmt: skip
        return options

    def __str__(self):
        return f"{self.program} of {self.kind} {' '.join(self.options())}"


REPEAT = 10


def algorithms(program):
    return ALGORITHMS[:1] if program == "experts" else ALGORITHMS


def all_tests():
    for program, sizes in SIZES.items():
        for ranks in RANKS:
            for algorithm in algorithms(program):
                for seed in range(1, SEEDS + 1):
                    # The sizes in turn, so that each is met with several seeds.
                    yield Test(program, ranks, algorithm, seed, ["", *sizes][seed % (len(sizes) + 1)])
                for number, kind in enumerate(TYPES):
                    yield Test(program, ranks, algorithm, number, kind=kind)


def some_tests():
    for number, (program, sizes) in enumerate(SIZES.items()):
        for k, algorithm in enumerate(algorithms(program)):
            ranks = RANKS[(number + 2 * k) % len(RANKS)]
            yield Test(program, ranks, algorithm, k, sizes[(number + k) % len(sizes)])
            yield Test(program, RANKS[-1 - k], algorithm, number,
                       kind=TYPES[(3 * number + k) % len(TYPES)])  # fmt: skip


def write_programs(folder, kinds):
    """The programs for other element types; their references stay where they are."""
    for kind in kinds:
        for program in SIZES:
            text = (FOLDER / f"{program}.mlir").read_text()
            text = text.replace("<f32,", f"<{kind},").replace("xf32,", f"x{kind},")
            text = text.replace('reference = "', f'reference = "{FOLDER}/')
            (folder / f"{program}.{kind}.mlir").write_text(text)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ginc", help="the executable to test")
    parser.add_argument("--full", action="store_true", help="everything")
    parser.add_argument("--program", action="append", choices=tuple(SIZES))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one run")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="ginc-collectives-") as name:
        folder = Path(name)
        write_programs(folder, TYPES)

        def run(test):
            """None, or what is wrong."""
            command = [args.ginc, "run", folder / f"{test.program}.{test.kind}.mlir",
                       "--color=never", *test.options()]  # fmt: skip
            environment = {**os.environ, "GINC_PYTHON": sys.executable}
            try:
                done = subprocess.run(
                    command, env=environment, timeout=args.timeout,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                return f"no end in {args.timeout} s"
            if done.returncode == 0 and f"{test.program}.py" in done.stdout:
                return None
            return f"exit status {done.returncode}\n{done.stdout}"

        tests = [test for test in (all_tests() if args.full else some_tests())
                 if not args.program or test.program in args.program]  # fmt: skip
        start, failed = time.monotonic(), 0
        with ThreadPoolExecutor(args.jobs) as pool:
            for test, wrong in zip(tests, pool.map(run, tests)):
                if wrong:
                    failed += 1
                    print(f"FAIL {test}\n{wrong}", flush=True)
        elapsed = time.monotonic() - start
    print(f"{len(tests) - failed} passed, {failed} failed, in {elapsed:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
