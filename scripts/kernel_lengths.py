#!/usr/bin/env python3
# ===- kernel_lengths.py - emitted kernels beside those by hand -------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Counts lines and tokens of kernels that ginc emits and of those in examples/by-hand.

    scripts/kernel_lengths.py GINC            writes the table of docs/cuda-by-hand.md
    scripts/kernel_lengths.py --check GINC    fails if it is not what is counted

Either fails if an emitted kernel has more than 1.5 times the lines or tokens.

Comments, blank lines and directives do not count; nor does the launcher. Both texts
are as clang-format leaves them. A token is one of C++.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "cuda-by-hand.md"
PAIRS = {
    "all-to-all": "all_to_all",
    "ring-all-reduce": "ring_all_reduce",
    "moe": "moe",
}
MOST = 1.5
TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"'  # strings
    r"|[A-Za-z_]\w*|\.?\d[\w.]*"  # identifiers, numbers
    r"|<<=|>>=|->|::|\+\+|--|&&|\|\||<<|>>|[-+*/%&|^=!<>]=|\S"
)


def code(text):
    """The lines without comments and directives."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    lines = [line.rstrip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def lengths(text):
    lines = code(text)
    return len(lines), len(TOKEN.findall("\n".join(lines)))


def emitted(ginc, program, function):
    """The kernel alone."""
    with tempfile.TemporaryDirectory() as folder:
        command = [ginc, "build", ROOT / "examples" / f"{program}.mlir", "-q", "-o", folder]
        subprocess.run(list(map(str, command)), check=True)
        text = (Path(folder) / f"{function}.cu").read_text()
    kernel, launcher, _ = text.partition("// -- the launcher")
    assert launcher, "the emitted file has no launcher"
    return kernel


def table(ginc):
    rows = [
        "| program | by hand: lines | tokens | emitted: lines | tokens | times the lines | the tokens |",
        "|---|---|---|---|---|---|---|",
    ]
    for program, function in PAIRS.items():
        hand = ROOT / "examples" / "by-hand" / f"{function}.cuh"
        lines, tokens = lengths(hand.read_text())
        more_lines, more_tokens = lengths(emitted(ginc, program, function))
        if max(more_lines / lines, more_tokens / tokens) > MOST:
            sys.exit(f"{program}: {more_lines} lines and {more_tokens} tokens are emitted, and by"
                     f" hand {lines} and {tokens}: more than {MOST} times as many")  # fmt: skip
        rows.append(
            f"| [`{program}`](../examples/by-hand/{function}.cuh) | {lines} | {tokens}"
            f" | {more_lines} | {more_tokens}"
            f" | {more_lines / lines:.2f} | {more_tokens / tokens:.2f} |"
        )
    return "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ginc")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    page = PAGE.read_text()
    counted = re.sub(r"^\| program \|.*?\n(?!\|)", table(args.ginc), page, flags=re.M | re.S)
    if not args.check:
        PAGE.write_text(counted)
    elif page != counted:
        sys.exit(f"{PAGE.name} is stale; run scripts/kernel_lengths.py GINC. Counted:\n"
                 + table(args.ginc))  # fmt: skip


main()
