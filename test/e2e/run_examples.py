#!/usr/bin/env python3
# ===- run_examples.py - every example on many machines --------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Runs every example with `ginc run`, which compares it with its reference.

    run_examples.py GINC            a sample: all examples, rank counts and kinds of
                                    test, few seeds and sizes of each
    run_examples.py GINC --full     all of it: 20 seeds for each size

Kinds of test (--only chooses): `sizes` runs an example on 1, 2, 3, 4, 7 and 8 ranks
with odd sizes, over seeds of the network; `repeat` launches it 100 times, state
kept; `flip` alters one element of what the reference expects, for each output, and
demands that the run fails; `rename` gives file and functions other names and demands
that nothing else changes; `kernels` runs what `ginc build` emits, on threads of the
CPU that stand in for those of a GPU (--target cuda: on GPUs). The script needs nothing but Python; the references need
NumPy, in the interpreter that runs this script.
"""

import argparse
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

RANKS = (1, 2, 3, 4, 7, 8)
SEEDS = 20
LAUNCHES = 100
KINDS = ("sizes", "repeat", "flip", "rename", "kernels")
ALGORITHMS = ("direct", "ring", "tree")

# Sizes to run each example with, beside its defaults. Among them: extents of 1,
# primes, more ranks than there is to distribute, and the kind of extent (one less
# or more than a chunk or a slot) where off-by-one mistakes show.
SIZES = {
    "hello-put": [],
    "all-to-all": ["m=1", "m=7", "m=131"],
    "ring-all-reduce": ["m=1", "m=5", "m=17", "m=257"],
    "ring-queue": ["count=1 m=3", "count=3 m=1", "count=4 m=7", "count=23 m=5"],
    "all-gather-matmul": ["m=1 k=3 n=5", "m=17 k=7 n=1", "m=31 k=1 n=9", "m=48 k=5 n=3"],
    "matmul-reduce-scatter": ["m=1 k=1 n=1", "m=7 k=5 n=3", "m=13 k=11 n=9"],
    "all-gather-matmul-tiles": ["m=1 k=3 n=5", "m=1027 k=3 n=1", "m=3 k=2051 n=7", "m=129 k=65 n=257"],
    "all-gather-matmul-warps": ["m=1 k=3 n=5", "m=1027 k=3 n=1", "m=3 k=2051 n=7", "m=129 k=65 n=257"],
    "all-gather-matmul-streams": ["m=1 k=3 n=5", "m=1027 k=3 n=1", "m=3 k=2051 n=7", "m=129 k=65 n=257"],
    "matmul-reduce-scatter-tiles": ["m=1 k=1 n=1", "m=129 k=3 n=5", "m=3 k=65 n=193"],
    # 160 rows are a slot's, 128 a tile's, of 64 columns; few of both at once, which takes long.
    "moe-tiles": ["tokens=256 h=8", "tokens=19 h=136", "tokens=131 h=5", "tokens=1 h=3", "tokens=61 h=1"],
    "moe": ["tokens=1 h=3", "tokens=7 h=5", "tokens=19 h=1", "tokens=61 h=7"],
    "halo": ["h=1 w=1 steps=3", "h=1 w=7 steps=4", "h=5 w=1 steps=5", "h=7 w=3 steps=0"],
    "halo-copies": ["h=1 w=1 steps=3", "h=1 w=7 steps=4", "h=5 w=1 steps=5", "h=7 w=3 steps=0"],
    "reduce-norm-gather": ["tokens=1 h=5", "tokens=5 h=1", "tokens=7 h=9", "tokens=37 h=3"],
    "expert-loop": [
        "experts=1 m=3 k=5 n=7",
        "experts=2 m=1 k=9 n=3 overlap_step=0",
        "experts=3 m=5 k=17 n=1 overlap_step=2",
        "experts=8 m=3 k=7 n=5 overlap_step=99",
    ],
}

# Numbers among the above that are arguments, not sizes.
SCALARS = {"steps", "overlap_step"}

# Stands in for a reference: runs the true one, then alters one element of one output
# by more than any tolerance. FLIP is OUTPUT:SEED, or `?` to list the outputs.
FLIPPING_REFERENCE = """
import json, os, pathlib, random, subprocess, sys
import numpy as np

subprocess.run([sys.executable, "-B", os.environ["FLIP_REFERENCE"], *sys.argv[1:]], check=True)
out = pathlib.Path(sys.argv[2])
if os.environ["FLIP"] == "?":
    names = sorted({file.name.split(".")[0] for file in out.glob("*.npy")})
    pathlib.Path(os.environ["FLIP_LIST"]).write_text("\\n".join(names))
    sys.exit()
name, seed = os.environ["FLIP"].split(":")
dice = random.Random(int(seed))
file = dice.choice([f for f in sorted(out.glob(f"{name}.*.npy")) if np.load(f).size])
array = np.load(file)
where = dice.randrange(array.size)
if array.dtype.kind == "f":
    array.flat[where] += 1 + abs(array.flat[where])
else:
    meta = json.loads((pathlib.Path(sys.argv[1]) / "meta.json").read_text())
    exact = meta["args"][name]["type"].startswith("i")
    array.flat[where] ^= 1 if exact else 1 << (8 * array.itemsize - 2)
np.save(file, array)
"""


class Test:
    """One run of ginc, and whether it should succeed."""

    def __init__(self, kind, program, ranks, sizes="", seed=0, repeat=1, flip=None, target=None):
        self.kind, self.program, self.ranks, self.sizes = kind, program, ranks, sizes
        self.target = target
        self.seed, self.repeat, self.flip = seed, repeat, flip
        # Each algorithm in turn, where the program leaves it open.
        collective = program.stem.endswith("-collective")
        self.algorithm = ALGORITHMS[seed % len(ALGORITHMS)] if collective else None

    def options(self):
        options = ["--ranks", str(self.ranks)]
        for size in self.sizes.split():
            options += ["--arg" if size.split("=")[0] in SCALARS else "--dims", size]
        if self.algorithm:
            options += ["--algorithm", self.algorithm]
        if self.target:
            options += ["--target", self.target]
        elif self.seed:
            options += ["--seed", str(self.seed)]
        if self.repeat > 1:
            options += ["--repeat", str(self.repeat)]
        return options

    def __str__(self):
        flip = f" with an altered {self.flip}" if self.flip else ""
        return f"{self.kind}: {self.program.name} {' '.join(self.options())}{flip}"


def family(program):
    return program.stem.removesuffix("-collective")


def reference_of(program):
    """The name of the script that predicts its results."""
    return re.search(r'reference = "([^"]+)"', program.read_text()).group(1)


def sizes_of(program):
    return ["", *SIZES[family(program)]]


def tests_of_sizes(programs, full):
    for number, (program, ranks) in enumerate(itertools.product(programs, RANKS)):
        sizes = sizes_of(program)
        if full:
            for size, seed in itertools.product(sizes, range(1, SEEDS + 1)):
                yield Test("sizes", program, ranks, size, seed)
        else:  # the sample takes the sizes in turn
            for k in range(2 * number, 2 * number + 2):
                yield Test("sizes", program, ranks, sizes[k % len(sizes)], k)


def tests_of_repeat(programs, full):
    for number, program in enumerate(programs):
        sizes = sizes_of(program)
        for k, ranks in enumerate(RANKS if full else (RANKS[number % 3 + 1], RANKS[-1])):
            yield Test("repeat", program, ranks, sizes[k % len(sizes)], number + 1, LAUNCHES)


def tests_of_flip(programs, full, outputs):
    for number, program in enumerate(programs):
        for name in outputs(program):
            for ranks in RANKS if full else (RANKS[number % len(RANKS)],):
                yield Test("flip", program, ranks, flip=f"{name}:{number + ranks}")


def tests_of_rename(programs):
    for number, program in enumerate(programs):
        yield Test("rename", program, RANKS[number % len(RANKS)], seed=number)


def tests_of_kernels(programs, full, target):
    """Each run compiles, so that the sample takes few of the ranks and sizes."""
    for number, program in enumerate(programs):
        sizes = sizes_of(program)
        if full:
            cases = list(itertools.product(RANKS, sizes))
        else:
            cases = [(RANKS[(number + 3 * k) % len(RANKS)], sizes[(number + k) % len(sizes)])
                     for k in range(2)]  # fmt: skip
        for k, (ranks, size) in enumerate(cases):
            yield Test("kernels", program, ranks, size, number + k, repeat=1 + 2 * (k % 2),
                       target=target)  # fmt: skip


class Runner:
    def __init__(self, ginc, examples, timeout):
        self.ginc, self.examples, self.timeout = ginc, examples, timeout
        self.folder = tempfile.TemporaryDirectory(prefix="ginc-e2e-")
        # The examples again: with other names, and with references that may be wrong.
        self.others = Path(self.folder.name) / "others"
        self.altered = Path(self.folder.name) / "altered"
        shutil.copytree(examples, self.others)
        shutil.copytree(examples, self.altered)
        for program in programs_in(examples):
            (self.altered / reference_of(program)).write_text(FLIPPING_REFERENCE)

    def ginc_run(self, program, options, environment=None):
        environment = {**os.environ, "GINC_PYTHON": sys.executable, **(environment or {})}
        command = [self.ginc, "run", str(program), "--color=never", *options]
        try:
            return subprocess.run(
                command, env=environment, timeout=self.timeout,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 124, f"no end in {self.timeout} s")

    def flipping(self, program, options, flip, **more):
        environment = {
            "FLIP": flip,
            "FLIP_REFERENCE": str(self.examples / reference_of(program)),
            **more,
        }
        return self.ginc_run(self.altered / program.name, options, environment)

    def outputs(self, program):
        """What the program's reference predicts."""
        names = Path(self.folder.name) / f"{program.stem}.outputs"
        done = self.flipping(program, ["--ranks", "2"], "?", FLIP_LIST=str(names))
        if done.returncode or not names.exists() or not names.read_text():
            print(f"no outputs of {program.name} could be listed:\n{done.stdout}")
            return []
        return names.read_text().split()

    def behaviour(self, program, options):
        """What a run does, without names and times."""
        done = self.ginc_run(program, [*options, "--stats=json"])
        try:
            report = json.loads(done.stdout)
            return {key: report[key] for key in ("result", "total", "byRank", "events")}
        except (json.JSONDecodeError, KeyError):
            return done.stdout

    def renamed(self, test):
        """None, or how the program behaves differently under another name."""
        text = test.program.read_text()
        functions = re.findall(r"func\.func.*(@\w+)\(", text)
        names = {name: f"@f{number}" for number, name in enumerate(functions)}
        other = self.others / f"p{test.seed}.mlir"
        other.write_text(re.sub(r"@\w+", lambda name: names[name[0]], text))
        before = self.behaviour(test.program, test.options())
        after = self.behaviour(other, test.options())
        if before == after and isinstance(before, dict) and before["result"] == "match":
            return None
        return f"with other names:\n{after}\ninstead of:\n{before}"

    def run(self, test):
        """None, or what is wrong."""
        if test.kind == "rename":
            return self.renamed(test)
        if not test.flip:
            done = self.ginc_run(test.program, test.options())
            good = done.returncode == 0 and f" {reference_of(test.program)}" in done.stdout
        else:
            done = self.flipping(test.program, test.options(), test.flip)
            good = done.returncode == 1 and f"%{test.flip.split(':')[0]} differs" in done.stdout
        return None if good else f"exit status {done.returncode}\n{done.stdout}"


def programs_in(examples):
    return sorted(examples.glob("*.mlir"))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ginc", help="the executable to test")
    parser.add_argument("--full", action="store_true", help="all seeds, sizes and ranks")
    parser.add_argument("--only", choices=KINDS, action="append",
                        help="this kind of test (may be given again)")  # fmt: skip
    parser.add_argument("--program", action="append", metavar="NAME",
                        help="examples whose file name begins with this")  # fmt: skip
    parser.add_argument("--examples", type=Path, help="folder of the examples",
                        default=Path(__file__).resolve().parents[2] / "examples")  # fmt: skip
    parser.add_argument("--target", choices=("host", "cuda"), default="host",
                        help="where kernels run")  # fmt: skip
    parser.add_argument("--ranks", type=int, action="append",
                        help="tests on this number of ranks alone (may be given again)")  # fmt: skip
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one run")
    parser.add_argument("-v", "--verbose", action="store_true", help="also list what passed")
    args = parser.parse_args()

    programs = programs_in(args.examples)
    unknown = {family(program) for program in programs} ^ set(SIZES)
    if unknown:
        sys.exit(f"SIZES and the examples differ in: {', '.join(sorted(unknown))}")
    if args.program:
        programs = [p for p in programs if p.name.startswith(tuple(args.program))]
    kinds = args.only or KINDS

    runner = Runner(shutil.which(args.ginc) or args.ginc, args.examples, args.timeout)
    tests, failed, passed = [], [], 0
    if "sizes" in kinds:
        tests += tests_of_sizes(programs, args.full)
    if "repeat" in kinds:
        tests += tests_of_repeat(programs, args.full)
    if "flip" in kinds:
        outputs = {program: runner.outputs(program) for program in programs}
        failed += [f"flip: {p.name} has no output" for p in programs if not outputs[p]]
        tests += tests_of_flip(programs, args.full, outputs.get)
    if "rename" in kinds:
        tests += tests_of_rename(programs)
    if "kernels" in kinds:
        tests += tests_of_kernels(programs, args.full, args.target)
    if args.ranks:
        tests = [test for test in tests if test.ranks in args.ranks]

    start = time.monotonic()
    with ThreadPoolExecutor(args.jobs) as pool:
        for test, wrong in zip(tests, pool.map(runner.run, tests)):
            if wrong:
                failed.append(str(test))
                print(f"FAIL {test}\n{wrong}", flush=True)
                continue
            passed += 1
            if args.verbose:
                print(f"pass {test}", flush=True)
    for test in failed:
        print(f"failed: {test}")
    print(f"{passed} passed, {len(failed)} failed, in {time.monotonic() - start:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
