#!/usr/bin/env python3
# ===- run_programs.py - collectives and whole programs --------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Runs the programs of test/e2e/collectives and test/e2e/programs, which compare
themselves.

    run_programs.py GINC            a sample
    run_programs.py GINC --full     all machines and algorithms with 20 seeds of the
                                    network, and all element types

A machine is a number of ranks, with a grid or a number of ranks that share memory
where the program has to do with that. Most runs launch their program several times.
Collectives are written for f32; for another element type their text is changed
accordingly, and the data are integers whose sums that type can hold. The script
needs nothing but Python; the references need NumPy, in the interpreter that runs
this script.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
RANKS = (1, 2, 3, 4, 7, 8)
SEEDS = 20
LAUNCHES, MANY_LAUNCHES = 10, 100
ALGORITHMS = ("direct", "ring", "tree")
TYPES = ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2")

# Sizes beside the defaults: none at all, fewer elements than ranks, odd ones.
COLLECTIVES = {
    "all_gather": ["a=0", "a=1 b=1", "a=7 b=13"],
    "all_to_all": ["b=0", "a=1 b=2", "a=7 b=13"],
    "reduce_scatter": ["a=0", "a=1 b=1", "a=7 b=13"],
    "all_reduce": ["a=0", "b=0", "a=1 b=1", "a=7 b=13"],
    "loops": ["m=0", "m=1", "m=17"],
    "teams": ["m=0", "m=1", "m=17"],
    "experts": ["t=1", "e=0", "c=0", "h=0", "t=13 k=1 e=1 c=1", "t=17 k=4 e=3 c=2 h=7"],
}
PROGRAMS = {
    "one-shot-all-reduce": ["m=0", "m=1", "m=131"],
    "two-shot-all-reduce": ["m=0", "m=1", "m=5", "m=131"],
    "hybrid-all-to-all": ["m=0", "m=1", "m=13"],
    "matmul-all-reduce": ["m=0", "m=1 k=1 n=1", "m=8 k=5 n=3", "m=17 k=1 n=9"],
    "all-gather-grouped-matmul": ["experts=0", "experts=1 k=1 n=1", "experts=8 k=5 n=9"],
    "warp-roles": ["m=0", "m=1", "m=131 chunk=1", "m=131 chunk=48"],
    "mapped": [""],
    "number-classes": [""],
    "tables": [""],
    "vectors": [""],
    "rotate": ["m=0", "hops=0", "m=1 hops=1", "m=131 hops=8"],
    "ring-attention": ["tokens=1 d=1", "tokens=5 d=3", "tokens=43 d=7"],
    "ulysses": ["tokens=1 heads=1 d=1", "tokens=3 heads=5 d=7", "tokens=2 heads=17 d=5"],
    "summa": ["k=0", "panels=1 m=1 k=1 n=1", "panels=2 m=5", "panels=7 k=1 n=5"],
    "cannon": ["m=0", "m=1 k=1 n=1", "m=3 k=7 n=2"],
}

# What runs as kernels, too, on threads of the CPU that stand in for those of a GPU.
KERNELS = ("mapped", "number-classes", "ring-attention", "rotate", "tables", "vectors", "warp-roles")

# Numbers among the above that are arguments, not sizes.
SCALARS = {"hops", "chunk"}

# Machines of programs that do not run on each number of ranks, or on more than those.
MACHINES = {
    "hybrid-all-to-all": [
        *(f"--ranks={n}" for n in RANKS),
        "--ranks=6 --lsa-size=3", "--ranks=7 --lsa-size=1",
        "--ranks=8 --lsa-size=2", "--ranks=8 --lsa-size=4",
    ],
    "summa": [
        *(f"--ranks={n}" for n in RANKS),
        "--ranks=6 --grid=2x3", "--ranks=7 --grid=1x7",
        "--ranks=7 --grid=7x1", "--ranks=8 --grid=2x4",
    ],
    "cannon": ["--ranks=1", "--ranks=4", "--ranks=9"],
}  # fmt: skip

# What collectives combine. Sums of as many such numbers as there are ranks are exact.
DATA = {
    "all_gather": ["x", "s", "own"],
    "all_to_all": ["x", "s", "wide"],
    "reduce_scatter": ["x", "s"],
    "all_reduce": ["x", "s", "m"],
    "loops": ["x", "h", "blocks"],
    "teams": ["x", "xs"],
    "experts": ["x", "weights"],
}
SMALL = {"f8E4M3FN": "integers:-2:2", "f8E5M2": "integers:-1:1"}


class Test:
    def __init__(self, program, machine, seed, sizes="", kind="f32", launches=LAUNCHES,
                 target=None):  # fmt: skip
        self.program, self.machine, self.seed = program, machine, seed
        self.target = target
        self.sizes, self.kind, self.launches = sizes, kind, launches

    def options(self):
        options = [*self.machine.split(), f"--repeat={self.launches}"]
        # Warps enough for roles.
        options += (["--target=" + self.target, "--threads=256"] if self.target
                    else [f"--seed={self.seed}"])  # fmt: skip
        for size in self.sizes.split():
            options += [f"--{'arg' if size.split('=')[0] in SCALARS else 'dims'}={size}"]
        if self.kind != "f32":
            data = SMALL.get(self.kind, "integers:-2:2")
            options += [f"--arg={name}={data}:{self.seed + k}"
                        for k, name in enumerate(DATA[self.program])]  # fmt: skip
        return options

    def __str__(self):
        return f"{self.program} of {self.kind} {' '.join(self.options())}"


def algorithms(program):
    return ALGORITHMS[:1] if program == "experts" else ALGORITHMS


def collective(program, ranks, algorithm, *rest, **more):
    return Test(program, f"--ranks={ranks} --algorithm={algorithm}", *rest, **more)


def machines(program):
    return MACHINES.get(program, [f"--ranks={n}" for n in RANKS])


def all_tests():
    for program, sizes in COLLECTIVES.items():
        for ranks in RANKS:
            for algorithm in algorithms(program):
                for seed in range(1, SEEDS + 1):
                    # The sizes in turn, so that each is met with several seeds.
                    size = ["", *sizes][seed % (len(sizes) + 1)]
                    yield collective(program, ranks, algorithm, seed, size)
                for number, kind in enumerate(TYPES):
                    yield collective(program, ranks, algorithm, number, kind=kind)
    for program, sizes in PROGRAMS.items():
        for machine in machines(program):
            for seed in range(1, SEEDS + 1):
                size = ["", *sizes][seed % (len(sizes) + 1)]
                # One launch too: in later ones the data of the first may look fresh.
                yield Test(program, machine, seed, size, launches=1)
                yield Test(program, machine, seed, size)
            for number, size in enumerate(["", *sizes]):
                yield Test(program, machine, number, size, launches=MANY_LAUNCHES)
            yield Test(program, f"{machine} --network=calm", 0)
            if program in KERNELS:
                for size in ["", *sizes]:
                    yield Test(program, machine, 0, size, launches=3, target="host")


def some_tests():
    for number, (program, sizes) in enumerate(COLLECTIVES.items()):
        for k, algorithm in enumerate(algorithms(program)):
            ranks = RANKS[(number + 2 * k) % len(RANKS)]
            yield collective(program, ranks, algorithm, k, sizes[(number + k) % len(sizes)])
            yield collective(program, RANKS[-1 - k], algorithm, number,
                             kind=TYPES[(3 * number + k) % len(TYPES)])  # fmt: skip
    for number, (program, sizes) in enumerate(PROGRAMS.items()):
        choice = machines(program)
        for k, launches in enumerate((1, LAUNCHES, MANY_LAUNCHES)):
            machine = choice[(number - k) % len(choice)]
            yield Test(program, machine, number + k, sizes[(number + k) % len(sizes)],
                       launches=launches)  # fmt: skip
        if program in KERNELS:  # each compiles
            for k in range(2):
                yield Test(program, choice[(number + 2 * k + 1) % len(choice)], 0,
                           ["", *sizes][k], launches=3, target="host")  # fmt: skip


def file_of(test, folder):
    """The program; in `folder` if it is one for another element type."""
    if test.program in PROGRAMS:
        return FOLDER / "programs" / f"{test.program}.mlir"
    file = FOLDER / "collectives" / f"{test.program}.mlir"
    return file if test.kind == "f32" else folder / f"{test.program}.{test.kind}.mlir"


def write_other_types(folder):
    """The collectives for other element types; their references stay where they are."""
    for program in COLLECTIVES:
        original = FOLDER / "collectives" / f"{program}.mlir"
        for kind in TYPES:
            text = original.read_text()
            text = text.replace("<f32,", f"<{kind},").replace("xf32,", f"x{kind},")
            text = text.replace('reference = "', f'reference = "{original.parent}/')
            (folder / f"{program}.{kind}.mlir").write_text(text)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ginc", help="the executable to test")
    parser.add_argument("--full", action="store_true", help="everything")
    parser.add_argument("--program", action="append", choices=(*COLLECTIVES, *PROGRAMS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one run")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="ginc-programs-") as name:
        folder = Path(name)
        write_other_types(folder)

        def run(test):
            """None, or what is wrong."""
            command = [args.ginc, "run", file_of(test, folder), "--color=never", *test.options()]
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
