#!/usr/bin/env python3
# ===- demo.py - run every example and check its results ------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Runs every program in examples/ through `ginc run` and prints a table.

usage: scripts/demo.py GINC [--ranks N] [--seed S]

Each program is compared with its reference. The last line says how many passed;
the exit status is 1 if any failed.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
COLUMNS = "{:<38} {:>5} {:>10} {:>8}  {:<44} {:>8}"


def format_bytes(count):
    """As ginc itself writes it: three digits or so, powers of 1000."""
    if count < 1000:
        return f"{count} B"
    value = float(count)
    for unit in ("kB", "MB", "GB", "TB"):
        value /= 1000
        if value < 999.5:
            break
    return f"{value:.1f} {unit}" if value < 99.95 else f"{value:.0f} {unit}"


def describe(report):
    """What the results were compared with, and how that went."""
    if report["result"] == "unchecked":
        return "FAILED: compared with nothing"
    against = " and ".join(report["against"])
    if report["result"] == "mismatch":
        return f"FAILED: differs from {against}"
    names = ", ".join(report["compared"])
    return f"{names} {'matches' if len(report['compared']) == 1 else 'match'} {against}"


def run(ginc, program, options):
    """Runs one program; returns its row of the table, whether it passed, and
    what it said on standard error."""
    command = [ginc, "run", str(program), "--stats=json", *options]
    start = time.monotonic()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    seconds = f"{time.monotonic() - start:.2f} s"
    try:
        report = json.loads(done.stdout)
        total = report["total"]
        row = [
            report["ranks"],
            format_bytes(total["putBytes"] + total["getBytes"]),
            total["signals"],
            describe(report),
        ]
        passed = done.returncode == 0 and report["result"] == "match"
    except ValueError:
        row = ["-", "-", "-", f"FAILED: exit status {done.returncode}"]
        passed = False
    return COLUMNS.format(program.name, *row, seconds), passed, done.stderr


def main():
    parser = argparse.ArgumentParser(description="Run every example and check its results.")
    parser.add_argument("ginc", help="the ginc to use, such as build/bin/ginc")
    parser.add_argument("--ranks", type=int, help="number of ranks (default: the example's)")
    parser.add_argument("--seed", type=int, help="behaviour of the network (default: 0)")
    arguments = parser.parse_args()
    options = []
    for name in ("ranks", "seed"):
        if getattr(arguments, name) is not None:
            options += [f"--{name}", str(getattr(arguments, name))]

    programs = sorted(EXAMPLES.glob("*.mlir"))
    print(COLUMNS.format("program", "ranks", "moved", "signals", "result", "time").rstrip())
    failed = 0
    for program in programs:
        try:
            row, passed, messages = run(arguments.ginc, program, options)
        except OSError as error:
            sys.exit(f"demo: cannot run '{arguments.ginc}': {error.strerror}")
        print(row, flush=True)
        if not passed:
            failed += 1
            print("".join(f"    {line}\n" for line in messages.splitlines()), end="")
    print(f"\n{len(programs) - failed} passed, {failed} failed")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
