#!/usr/bin/env python3
# ===- random_programs.py - simulator and oracle on random programs ---------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Requires that random small programs have the same outcomes in the simulator as in the oracle.

The oracle draws a program and explores all its executions. The program is translated to the dialect with exactly these
outcomes as its expectation, compiled, and run by `ginc litmus`: with --seeds seeds, and then with more, up to
--max-seeds, until every outcome has been seen. An outcome that the oracle does not have, one that was not seen, and a
deadlock or unconsumed signal on one side only are failures. Programs are left out, and counted, where the oracle cannot
explore all executions within --states states, or has more than --outcomes outcomes.

Accumulating puts of values that bundle a signal, which the dialect lacks, are replaced by puts from a window before the
oracle sees them. A register of a child is written at its end, so that its loads end before the join.
"""
from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "oracle")]

from gin_oracle.experiments import Sample, random_sample  # noqa: E402
from gin_oracle.operational import Machine, Result  # noqa: E402
from translate import Litmus, immediate_accumulate, translate  # noqa: E402


class Compiled(Machine):
    """The oracle's machine, where the loads of a child are performed before the join."""

    def _conflicts(self) -> None:
        for op in self.program.ops:
            if op.kind == "join":
                loads = [o for o in self.program.ops if o.agent in op.children and o.kind == "load"]
                self.events[self.of[op.id][0]].pre |= self._mask(loads, "perform")
        super()._conflicts()


def in_dialect(sample: Sample) -> Sample:
    """The sample with the operations that the dialect has."""
    texts = [immediate_accumulate(text) for text in sample.texts]
    return Sample(texts, sample.launches, (*sample.scratch, "v"))


def expectation(sample: Sample, name: str, result: Result) -> Litmus:
    def text(me: int, k: int) -> str:
        return re.sub(r"\b([rt]\d+)\b", rf"\1_{k}", sample.texts[me])
    allow = sorted(" ".join(f"{place}={value}" for place, value in outcome) for outcome in result.outcomes)
    verdict = ["deadlock"] * result.deadlock + ["unconsumed-signal"] * result.unconsumed
    program = sample.program()
    return Litmus(name, "a random program", text, len(sample.texts), sample.launches, program.sizes, sample.scratch,
                  allow=allow, exact=True, verdict=verdict, run="")


def run(ginc: str, files: list[Path], options: list[str]) -> list[dict]:
    process = subprocess.run([ginc, "litmus", "--json", *options, *map(str, files)], capture_output=True, text=True)
    if process.returncode not in (0, 1):
        sys.exit(f"{process.stderr}\nginc litmus failed with exit code {process.returncode}")
    return json.loads(process.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ginc", help="the tool")
    parser.add_argument("--programs", type=int, default=40, help="how many (default: 40)")
    parser.add_argument("--seed", type=int, default=6, help="of the programs (default: 6)")
    parser.add_argument("--seeds", type=int, default=2000, help="runs of each, at least (default: 2000)")
    parser.add_argument("--max-seeds", type=int, default=100_000, help="... and at most (default: 100000)")
    parser.add_argument("--states", type=int, default=20_000, help="of the oracle (default: 20000)")
    parser.add_argument("--outcomes", type=int, default=100, help="that a program may have (default: 100)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time")
    parser.add_argument("--keep", type=Path, help="a folder for the programs that fail")
    args = parser.parse_args()
    start, dice = time.monotonic(), random.Random(args.seed)
    samples: dict[str, Sample] = {}
    skipped = drawn = outcomes = 0
    failed: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        files = []
        while len(samples) < args.programs:
            sample = in_dialect(random_sample(dice))
            name = f"random-{args.seed}-{drawn}"
            drawn += 1
            result = Compiled(sample.program()).explore(args.states)
            if not result.complete or len(result.outcomes) > args.outcomes:
                skipped += 1
                continue
            outcomes += len(result.outcomes)
            samples[name] = sample
            files.append(Path(folder) / f"{name}.mlir")
            files[-1].write_text(translate(expectation(sample, name, result)))
        explored = time.monotonic() - start
        options = ["--seeds", str(args.seeds), "--max-seeds", str(args.max_seeds)]
        batches = [files[i:i + 10] for i in range(0, len(files), 10)]
        with ThreadPoolExecutor(args.jobs) as pool:
            reports = [r for batch in pool.map(lambda some: run(args.ginc, some, options), batches) for r in batch]
        for report in reports:
            if report["failures"]:
                name = Path(report["file"]).stem
                failed.append(name)
                print(f"FAILED {name}:\n{samples[name]}")
                for line in report["failures"]:
                    print(f"    {line}")
                if args.keep:
                    args.keep.mkdir(parents=True, exist_ok=True)
                    (args.keep / f"{name}.mlir").write_text(Path(report["file"]).read_text())
    runs, seconds = sum(r["seeds"] for r in reports), sum(r["runMs"] for r in reports) / 1000
    print(f"{len(samples)} random programs (seed {args.seed}; {skipped} left out) with {outcomes} outcomes: "
          f"{len(samples) - len(failed)} passed, {len(failed)} failed")
    print(f"oracle {explored:.0f} s, {runs} runs in {seconds:.0f} s of one core, compilation "
          f"{sum(r['compileMs'] for r in reports) / 1000:.0f} s, {time.monotonic() - start:.0f} s in all")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
