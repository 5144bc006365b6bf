#!/usr/bin/env python3
# ===- emit.py - compiled programs for gin-matmul to run -------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Emits examples with a schedule, in variants, for gin-matmul to measure.

    emit.py GINC FOLDER [VARIANT...]
    cmake -S tools/gin-matmul -B build-matmul -DGIN_MATMUL_PROGRAMS=FOLDER

A variant is an example and numbers that replace its own, such as

    all-gather-matmul-tiles:columns=224,ctas=12,rows=32

`columns` of a tile; `ctas` that send; `pace` in nanoseconds and `rows` of a piece;
`chunk` rows of a chunk, and `across` its columns.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
VARIANTS = [
    "all-gather-matmul-tiles:columns=256,ctas=4",
    "all-gather-matmul-tiles:columns=224,ctas=12",
    "all-gather-matmul-warps:columns=256",
    "all-gather-matmul-warps:columns=224",
    "all-gather-matmul-streams:columns=256",
    "all-gather-matmul-streams:columns=224",
    "matmul-reduce-scatter-tiles:columns=192",
    "matmul-reduce-scatter-tiles:columns=128",
]

# What a number replaces in the text of an example.
PLACES = {
    "ctas": (r'(role "send" ctas )\d+', r"\g<1>{}"),
    "pace": (r"(gin.pace )\d+", r"\g<1>{}"),
    "rows": (r"(%piece_rows = arith.constant )\d+", r"\g<1>{}"),
    "chunk": (r"(%chunk_rows = arith.constant |m ceildiv )\d+", r"\g<1>{}"),
    "across": (r"(%chunk_columns = arith.constant |k ceildiv )\d+", r"\g<1>{}"),
}


def change(text, key, number):
    if key == "columns":
        text = re.sub(r"\n? *tiles \[[^]]*\]", "", text)
        return re.sub(r"(gin\.matmul [^\n]*)", rf"\1 tiles [128, {number}, 64]", text)
    if key not in PLACES:
        sys.exit(f"no number of a schedule is called '{key}'")
    pattern, replacement = PLACES[key]
    text, count = re.subn(pattern, replacement.format(number), text)
    if not count:
        sys.exit(f"the example has no '{key}'")
    return text


def emit(ginc, folder, variant):
    """Writes the variant's files; returns the line that enters it."""
    example, _, numbers = variant.partition(":")
    file = EXAMPLES / f"{example}.mlir"
    if not file.exists():
        sys.exit(f"there is no example '{example}'")
    text = file.read_text()
    (entry,) = re.findall(r"^func\.func @(\w+)\(", text, re.M)
    name = re.sub(r"\W", "_", variant)
    text = text.replace(f"func.func @{entry}(", f"func.func @{name}(")
    for number in filter(None, numbers.split(",")):
        key, _, value = number.partition("=")
        text = change(text, key, int(value))
    source = folder / f"{name}.mlir"
    source.write_text(text)
    subprocess.run([ginc, "build", "--quiet", source, "-o", folder], check=True)
    kind = "SCATTER" if "reduce-scatter" in example else "GATHER"
    return f'{kind}({name}, "compiled {variant}")'


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ginc")
    parser.add_argument("folder", type=Path)
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    lines = [emit(args.ginc, args.folder, v) for v in args.variants or VARIANTS]
    names = [re.match(r"\w+\((\w+)", line).group(1) for line in lines]
    (args.folder / "Headers.inc").write_text("".join(f'#include "{n}.h"\n' for n in names))
    (args.folder / "Programs.inc").write_text("".join(line + "\n" for line in lines))


if __name__ == "__main__":
    main()
