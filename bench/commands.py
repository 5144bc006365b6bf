#!/usr/bin/env python3
# ===- commands.py - whole-command timings of ginc run --------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Times `ginc run` of every example as a user has it: one process, wall clock.

usage: bench/commands.py GINC [--ranks N] [--runs K] [--wall S] [--compile MS]

Prints a table in Markdown with the median and the maximum of K runs, after one
that warms the file cache. With limits, the exit status is 1 if a median exceeds
one of them.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def machine():
    """The processor's name and the number of cores."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return f"{line.split(':')[1].strip()}, {os.cpu_count()} cores"
    return f"{platform.machine()}, {os.cpu_count()} cores"


def measure(ginc, program, ranks):
    """Wall seconds of one run, and what it says of compiling and running, in ms."""
    command = [ginc, "run", str(program), f"--ranks={ranks}", "--stats=json"]
    start = time.perf_counter()
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    wall = time.perf_counter() - start
    if result.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{result.stderr}")
    report = json.loads(result.stdout)
    return wall, report["compileMs"], report["runMs"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ginc")
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--wall", type=float, help="seconds a run may take")
    parser.add_argument("--compile", type=float, help="ms that compiling may take")
    options = parser.parse_args()

    print(f"`ginc run`, {options.ranks} ranks, default sizes, {options.runs} runs; {machine()}\n")
    print("| program | wall ms | max | compile ms | max | run ms |")
    print("|---|---|---|---|---|---|")
    exceeded = False
    for program in sorted(EXAMPLES.glob("*.mlir")):
        measure(options.ginc, program, options.ranks)
        runs = [measure(options.ginc, program, options.ranks) for _ in range(options.runs)]
        wall, compiled, ran = (statistics.median(column) for column in zip(*runs))
        worst_wall, worst_compile, _ = (max(column) for column in zip(*runs))
        print(
            f"| {program.stem} | {wall * 1e3:.0f} | {worst_wall * 1e3:.0f} "
            f"| {compiled:.0f} | {worst_compile:.0f} | {ran:.0f} |"
        )
        exceeded |= options.wall is not None and wall > options.wall
        exceeded |= options.compile is not None and compiled > options.compile
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
