#!/usr/bin/env python3
# ===- mutations.py - would the litmus programs notice? ---------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Switches off each rule and each freedom of the simulator alone; a litmus program must fail.

Needs a ginc of a build with GINC_SIM_MUTATIONS. Without --all, the programs that stand in NOTICED_BY are run; with
it, all of them, and a table is written that says who notices what.
"""
from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "oracle")]

from gin_oracle.operational import FREEDOMS, GUARANTEES  # noqa: E402

# For each rule one or two programs that fail without it.
NOTICED_BY: dict[str, list[str]] = {
    "po": ["mp-plain"],
    "fork": ["forall"],
    "join": ["forall-join"],
    "read-issue": ["relay", "forall"],
    "deliver-read": ["mp-bundled", "mp-plain"],
    "done-read": ["source-reuse-await", "source-reuse-flush"],
    "get-issue": ["carried-by-relaxed", "carried-by-bundled"],
    "get-write": ["carried-by-relaxed", "carried-by-bundled"],
    "get-done": ["carried-by-relaxed", "carried-by-bundled"],
    "bundled": ["mp-bundled", "two-puts-bundled"],
    "plain-put": ["mp-plain", "two-puts-plain"],
    "plain-family": ["forall-signal", "fork-signal"],
    "plain-load": ["credit-plain", "ring-queue"],
    "plain-store": ["store-plain", "peer-view"],
    "wait": ["mp-bundled", "mp-plain"],
    "base": ["all-to-all-entry", "all-to-all-exit-scratch"],
    "await": ["source-reuse-await", "get-await"],
    "flush": ["source-reuse-flush"],
    "end": ["all-to-all-entry", "all-to-all-exit"],
    "barrier-wait": ["get-await", "get-over-store"],
    "barrier-put": ["barrier-put", "barrier-global"],
    "barrier-access": ["get-await", "get-over-store"],
    "barrier-global": ["barrier-global"],
    "barrier-slots": ["barrier-global", "barrier-twice"],
    "barrier-parity": ["barrier-parity"],
    "accumulate": ["accumulate", "accumulate-put"],
    "host": ["all-to-all-twice", "all-to-all-entry"],
    "late-read": ["source-reuse"],
    "torn": ["torn-first", "torn-last"],
    "any-order": ["torn-last"],
    "put-order": ["two-puts-bundled", "waw-one-source"],
    "bundled-overtakes": ["two-puts-bundled", "chunks-bundled"],
    "relaxed": ["mp-relaxed", "await-is-not-cover"],
    "context": ["mp-other-context", "chunks-contexts"],
    "peer": ["mp-other-peer", "third-rank"],
    "done-early": ["third-rank-await", "await-is-not-cover"],
    "signal-order": ["chunks-bundled", "signals-overtake"],
    "late-store": ["store-relaxed", "store-bundled"],
    "late-load": ["credit-relaxed", "credit-bundled"],
    "late-get": ["get-before-await", "get-then-signal"],
    "early-arrival": ["double-buffer-one-slot", "early-arrival"],
    "third-rank": ["third-rank", "third-rank-await"],
    "barrier-third": ["barrier-third"],
    "agents": ["roles", "roles-relaxed"],
    "self-put": ["self-put-unwaited", "run-ahead-3"],
}


def run(ginc: str, rule: str, programs: list[str], options: list[str]) -> list[str]:
    """The programs that fail without `rule`."""
    files = [str(HERE / f"{name}.mlir") for name in programs]
    process = subprocess.run([ginc, "litmus", "--quiet", "--off", rule, *options, *files], capture_output=True, text=True)
    if process.returncode not in (0, 1):
        sys.exit(f"{process.stderr}\nginc litmus --off {rule} failed with exit code {process.returncode}")
    return [name.replace("_", "-") for name in re.findall(r"^FAILED +(\S+)$", process.stdout, re.MULTILINE)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ginc", help="the tool")
    parser.add_argument("--all", action="store_true", help="run all programs, print a table")
    parser.add_argument("--seeds", type=int, help="runs of each program (default: ginc's)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="rules at a time")
    args = parser.parse_args()
    rules = {**GUARANTEES, **FREEDOMS}
    if not args.all and set(NOTICED_BY) != set(rules):
        sys.exit(f"NOTICED_BY and the oracle differ: {', '.join(sorted(set(NOTICED_BY) ^ set(rules)))}")
    every = sorted(path.stem for path in HERE.glob("*.mlir"))
    options = ["--seeds", str(args.seeds)] if args.seeds else []
    start = time.monotonic()
    with ThreadPoolExecutor(args.jobs) as pool:
        found = dict(zip(rules, pool.map(
            lambda rule: run(args.ginc, rule, every if args.all else NOTICED_BY[rule], options), rules)))
    if args.all:
        print("| switched off | | programs that fail |\n|---|---|---|")
        for rule, text in rules.items():
            print(f"| `{rule}` | {text} | {len(found[rule])}: {', '.join(found[rule])} |")
    missed = [rule for rule in rules if not found[rule]]
    for rule in missed:
        print(f"NOT NOTICED: {rule} ({rules[rule]})")
    print(f"{len(rules) - len(missed)} of {len(rules)} mutations noticed, {time.monotonic() - start:.0f} s")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
