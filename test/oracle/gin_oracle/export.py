#===- export.py - programs and their outcomes as JSON ---------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===----------------------------------------------------------------------===#
"""Writes the litmus programs, or random programs with all their outcomes, as JSON: what other implementations of the
model are tested with. Texts are unrolled (one for each rank and launch), windows have their sizes."""
from __future__ import annotations

import json
import random
import re
import sys
from typing import Any

from . import litmus
from .experiments import Sample, random_sample
from .litmus import Litmus
from .operational import Machine
from .program import Program, build


def _patterns(text: str) -> list[dict[str, int]]:
    """Each pattern names some registers and cells."""
    return [{name: int(value) for name, value in (term.split("=") for term in pattern.split())}
            for pattern in filter(None, map(str.strip, text.split("|")))]


def _windows(program: Program) -> dict[str, list[int]]:
    names = dict.fromkeys(window for window, _ in program.sizes)
    return {name: [program.sizes[name, rank] for rank in range(program.ranks)] for name in names}


def export_litmus(test: Litmus) -> dict[str, Any]:
    program, text = test.program(), test.text
    unrolled = [[text[rank] if isinstance(text, list) else text(rank, k) for k in range(program.launches)]
                for rank in range(program.ranks)]
    return {"name": test.name, "about": test.about, "ranks": program.ranks, "launches": program.launches,
            "windows": _windows(program), "scratch": list(test.options.get("scratch", ())),
            "source": list(test.options.get("source", ())), "texts": unrolled,
            "allow": _patterns(test.allow), "forbid": _patterns(test.forbid), "verdict": sorted(test.expected())}


def export_random(sample: Sample, limit: int) -> dict[str, Any] | None:
    """The program with all its outcomes, or nothing if there are too many executions."""
    def text(rank: int, k: int) -> str:
        return re.sub(r"\b([rt]\d+)\b", rf"\1_{k}", sample.texts[rank])     # registers of their own for each launch

    program = build(len(sample.texts), text, sample.launches, scratch=sample.scratch)
    if program.errors:
        return None
    result = Machine(program).explore(limit)
    if not result.complete:
        return None
    # The values of an outcome stand in the order of `names`.
    names = [name for name, _ in next(iter(result.outcomes), ())]
    outcomes = [[value for _, value in outcome] for outcome in result.outcomes]
    return {"ranks": program.ranks, "launches": program.launches, "windows": _windows(program),
            "scratch": list(sample.scratch), "source": [],
            "texts": [[text(rank, k) for k in range(program.launches)] for rank in range(program.ranks)],
            "names": names, "outcomes": sorted(outcomes), "deadlock": result.deadlock,
            "unconsumed": result.unconsumed}


def random_programs(count: int, seed: int, most: int) -> list[dict[str, Any]]:
    """`count` programs with 2 to `most` outcomes, and some with a single one."""
    dice, found, single = random.Random(seed), list[dict[str, Any]](), 0
    while len(found) < count:
        program = export_random(random_sample(dice), 20_000)
        if program is None or len(program["outcomes"]) > most:
            continue
        if len(program["outcomes"]) < 2:            # what is free of races, or gets stuck
            if single * 4 > len(found):
                continue
            single += 1
        program["name"] = f"random-{seed}-{len(found)}"
        found.append(program)
    return found


def write(programs: list[dict[str, Any]], file: str, check: bool) -> int:
    lines = ",\n".join(json.dumps(program, separators=(",", ":")) for program in programs)
    text = f"[\n{lines}\n]\n"
    if check:
        with open(file, encoding="utf-8") as old:
            if old.read() == text:
                return 0
        print(f"{file} is stale: export it again", file=sys.stderr)
        return 1
    if file == "-":
        sys.stdout.write(text)
    else:
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
    return 0


def main(args: list[str]) -> int:
    import argparse
    parser = argparse.ArgumentParser(prog="python3 -m gin_oracle export", description=__doc__)
    parser.add_argument("what", choices=("litmus", "random"))
    parser.add_argument("file", help="where to write; - is standard output")
    parser.add_argument("--count", type=int, default=60, help="number of random programs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=40, help="outcomes of a random program")
    parser.add_argument("--check", action="store_true", help="only say whether the file is up to date")
    options = parser.parse_args(args)
    if options.what == "litmus":
        programs = [export_litmus(test) for test in litmus.ALL]
    else:
        programs = random_programs(options.count, options.seed, options.most)
    return write(programs, options.file, options.check)
