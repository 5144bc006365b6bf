#!/usr/bin/env python3
# ===- check_ptx.py - what PTX each operation must and must not have ---------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Compiles Operations.cu to PTX and holds each kernel against a table.

docs/memory-model.md says what a transport owes; a missing fence shows on no
machine by itself. Needs nvcc, no GPU. Exits with 77 where there is no nvcc.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

# kernel: (must have, in this order; must not have). Regular expressions that
# match a part of a line of the kernel. What it calls is not looked at: the rare
# copies, and what records errors.
RELEASE = r"red\.release\.sys\.global\.add\.u64"
RELAXED = r"red\.relaxed\.sys\.global\.add\.u64"
ACQUIRE = r"ld\.acquire\.sys\.global\.u64"
SYNC = r"\bbar\.sync"
VOTE = r"\bbar\.red\.or"
FENCE = r"fence\.(acq_rel|sc)"
BULK = r"cp\.async\.bulk"
TABLE = {
    "signal_plain_thread": ([RELEASE], [RELAXED, FENCE, r"\bbar\."]),
    "signal_plain_warp": ([r"bar\.warp\.sync", RELEASE], [RELAXED, FENCE]),
    "signal_plain_block": ([SYNC, RELEASE], [RELAXED, FENCE]),
    "signal_relaxed_block": ([RELAXED], [r"\.release", FENCE, r"\bbar\."]),
    "wait_thread": ([ACQUIRE], [FENCE, r"\bbar\.", r"ld\.volatile"]),
    "wait_block": ([ACQUIRE, VOTE], [FENCE, r"ld\.volatile"]),
    "test_block": ([ACQUIRE, VOTE], [FENCE]),
    "read_thread": ([ACQUIRE], [FENCE]),
    "put_block": (
        [SYNC, r"ld\.global\.v4\.u32", r"st\.global\.v4\.u32"],
        [r"\.release", FENCE, BULK],
    ),
    "put_signal_block": (
        [SYNC, r"st\.global\.v4\.u32", SYNC, RELEASE],
        [RELAXED, FENCE, BULK],
    ),
    # On GPUs without bulk copies these are as put_signal_block and get_block.
    "get_flush_bulk": ([SYNC, r"st\.global\.v4\.u32", SYNC], [r"\.release"]),
    "get_block": (
        [SYNC, r"ld\.global\.v4\.u32", r"st\.global\.v4\.u32", SYNC],
        [r"\.release", FENCE, BULK],
    ),
    "put_value": ([r"st\.relaxed\.sys\.global\.u64"], [r"\.release", FENCE]),
    "accumulate_float": (
        [r"red\.relaxed\.sys\.global\.add\.f32"],
        [r"\.release", r"st\.global\.v4"],
    ),
    "atomic_add": ([RELAXED], [r"\.release", FENCE]),
    "barrier_block": ([VOTE, RELEASE, ACQUIRE, VOTE], [FENCE]),
    "wait_then_load": ([ACQUIRE, VOTE, r"ld\.(global\.)?u64"], []),
    "launch_end": ([VOTE, r"fence\.acq_rel\.gpu", r"atom\.relaxed\.gpu"], []),
}
# What sm_90 has besides.
TABLE_90 = {
    "put_signal_bulk": (
        [
            r"fence\.proxy\.async",
            SYNC,
            r"cp\.async\.bulk\.shared::cluster\.global",
            r"cp\.async\.bulk\.global\.shared::cta",
            r"cp\.async\.bulk\.wait_group\s+0",
            RELEASE,
        ],
        [],
    ),
    "get_flush_bulk": (
        [
            r"fence\.proxy\.async",
            r"cp\.async\.bulk\.global\.shared::cta",
            r"cp\.async\.bulk\.wait_group\s+0",
            SYNC,
        ],
        [],
    ),
}
# Without the copy engine.
TABLE_BELOW_90 = {
    "put_signal_bulk": (
        [SYNC, r"st\.global\.v4\.u32", SYNC, RELEASE],
        [FENCE, BULK],
    ),
}
# In no kernel: loads that may return what was there before a wait, and what
# the link's switch would execute.
NEVER = [r"ld\.global(\.\w+)*\.nc", r"\.nc\.", r"multimem", r"multicast"]

def functions(ptx):
    """Name -> lines of each function's body."""
    bodies = {}
    pattern = r"^(?:\.visible |\.weak )?\.(?:entry|func)[^;{]*?\b(\w+)\s*\([^{;]*\{"
    for match in re.finditer(pattern, ptx, re.M):
        end, depth = match.end(), 1
        while depth:  # inline assembly has braces of its own
            depth += {"{": 1, "}": -1}.get(ptx[end], 0)
            end += 1
        bodies[match.group(1)] = ptx[match.end() : end].split("\n")
    return bodies


def in_order(lines, patterns):
    """The first pattern that the lines lack, given their order; None if none."""
    at = 0
    for pattern in patterns:
        while at < len(lines) and not re.search(pattern, lines[at]):
            at += 1
        if at == len(lines):
            return pattern
        at += 1
    return None


def unordered(lines, patterns):
    return next(
        (p for p in patterns if not any(re.search(p, l) for l in lines)), None
    )


def check(ptx, arch):
    errors = []
    bodies = functions(ptx)
    for line in ptx.split("\n"):
        for pattern in NEVER:
            if re.search(pattern, line):
                errors.append(f"{arch}: never: {line.strip()}")
    new = int(re.sub(r"\D", "", arch)) >= 90
    for table in [TABLE, TABLE_90 if new else TABLE_BELOW_90]:
        for kernel, (must, must_not) in table.items():
            lines = bodies.get(kernel)
            if lines is None:
                errors.append(f"{arch}: {kernel}: no such kernel")
                continue
            missing = in_order(lines, must)
            if missing:
                where = unordered(lines, [missing])
                how = "lacks" if where else "has out of order"
                errors.append(f"{arch}: {kernel}: {how} {missing}")
            for pattern in must_not:
                for line in lines:
                    if re.search(pattern, line):
                        errors.append(
                            f"{arch}: {kernel}: must not have {line.strip()}"
                        )
    return errors


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", default=os.environ.get("CUDACXX"))
    parser.add_argument("--arch", action="append", help="75, 80, 90a (default)")
    parser.add_argument("--keep", help="write the PTX files to this folder")
    arguments = parser.parse_args()
    nvcc = arguments.nvcc or shutil.which("nvcc")
    if not nvcc and os.path.exists("/usr/local/cuda/bin/nvcc"):
        nvcc = "/usr/local/cuda/bin/nvcc"
    if not nvcc:
        print("skipped: no nvcc")
        return 77
    errors = []
    archs = arguments.arch or ["75", "80", "90a"]
    with tempfile.TemporaryDirectory() as folder:
        for arch in archs:
            out = os.path.join(arguments.keep or folder, f"sm_{arch}.ptx")
            subprocess.run(
                [nvcc, "-std=c++17", "-O3", "-ptx", "-I",
                 os.path.join(here, "..", "..", ".."),
                 "-gencode", f"arch=compute_{arch},code=compute_{arch}",
                 os.path.join(here, "Operations.cu"), "-o", out],
                check=True,
            )
            with open(out, encoding="utf-8") as file:
                errors += check(file.read(), arch)
    for error in errors:
        print(error)
    print(f"{len(TABLE)} operations for {', '.join('sm_' + a for a in archs)}: "
          f"{len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
