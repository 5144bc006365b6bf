#===- __main__.py - its command line ---------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===----------------------------------------------------------------------===#
"""`python3 -m gin_oracle`: litmus programs, mutation test, soundness experiment; `export` writes programs as JSON."""
from __future__ import annotations

import argparse
import sys
import time

from . import export, litmus
from .experiments import judge, run_litmus, run_mutations, run_soundness


def show(name: str) -> bool:
    """Prints one litmus program with its outcomes and findings."""
    test = next((t for t in litmus.ALL if t.name == name), None)
    if test is None:
        print("no such litmus program; there are: " + ", ".join(t.name for t in litmus.ALL))
        return False
    print(f"{test.name}: {test.about}\nverdict: {test.verdict}")
    program = test.program()
    for op in program.ops:
        print(f"  {op}" + (f" (agent {op.agent})" if op.agent >= program.ranks else ""))
    wrong, result = judge(test)
    for outcome in sorted(result.outcomes):
        print("  outcome " + " ".join(f"{k}={v}" for k, v in outcome))
    print("\n".join(wrong) or "as expected")
    return not wrong


def main() -> int:
    if sys.argv[1:2] == ["export"]:
        return export.main(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="python3 -m gin_oracle", description=__doc__)
    parser.add_argument("what", nargs="*",
                        help="litmus, mutations, soundness (default: all three), or a litmus program's name")
    parser.add_argument("--quick", action="store_true", help="fewer random programs")
    parser.add_argument("--programs", type=int, help="number of random programs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-v", "--verbose", action="store_true",
                        help="who notices each mutant; the smallest program for each finding")
    args = parser.parse_args()
    runs = {
        "litmus": run_litmus,
        "mutations": lambda: run_mutations(args.verbose),
        "soundness": lambda: run_soundness(args.programs or (500 if args.quick else 5_000), args.seed, args.verbose),
    }
    good = True
    for what in args.what or runs:
        start = time.monotonic()
        good &= runs[what]() if what in runs else show(what)
        print(f"  {time.monotonic() - start:.1f} s")
    return 0 if good else 1


sys.exit(main())
