#!/usr/bin/env python3
# ===- check_docs.py - is docs/memory-model.md what the tests say? ----------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Checks docs/memory-model.md against the litmus programs of this folder.

A ```mlir block that follows a comment `<!-- test/litmus/NAME.mlir -->` is a part of that file; every litmus program is
mentioned as `[NAME]`, and the definitions of these links, at the page's end, are as `--write` writes them. With --ginc,
what a ```console block shows is what its command prints, but for the numbers of runs and the seeds.
"""
from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "memory-model.md"

BLOCK = re.compile(r"^(?:<!-- (\S+) -->\n)?```mlir\n(.*?)^```", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n\$ ginc ([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
DEFINITION = re.compile(r"^\[[\w-]+\]: \.\./test/litmus/\S+\n", re.MULTILINE)


def without_counts(output: str) -> str:
    """What a run prints, without what depends on the seeds."""
    return re.sub(r"(?m)^ +\d+  |(?<= seed )\d+$", "#", output)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the definitions of links")
    parser.add_argument("--ginc", help="the tool, for the page's commands")
    args = parser.parse_args()
    page, wrong = PAGE.read_text(), []
    names = sorted(path.stem for path in HERE.glob("*.mlir"))
    text = DEFINITION.sub("", page).rstrip() + "\n"
    wanted = text + "\n" + "".join(f"[{name}]: ../test/litmus/{name}.mlir\n" for name in names)
    if args.write:
        PAGE.write_text(wanted)
    elif page != wanted:
        wrong.append(f"the definitions of links are stale; run {Path(__file__).name} --write")
    prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)
    linked = set(re.findall(r"\[([\w-]+)\](?!\()", prose))
    wrong += [f"{name} is not mentioned" for name in names if name not in linked]
    wrong += [f"[{name}] is no litmus program" for name in sorted(linked - set(names))]
    for source, code in BLOCK.findall(text):
        path = ROOT / source
        if not source or not path.is_file():
            wrong.append(f"a program has no file:\n{code}")
        elif f"\n{code}" not in path.read_text():
            wrong.append(f"this is no part of {source}:\n{code}")
    for arguments, shown in CONSOLE.findall(text) if args.ginc else ():
        ran = subprocess.run([args.ginc, *arguments.split()], cwd=ROOT, capture_output=True, text=True)
        if without_counts(ran.stdout + ran.stderr) != without_counts(shown):
            wrong.append(f"`ginc {arguments}` prints\n{ran.stdout}{ran.stderr}")
    for line in wrong:
        print(f"{PAGE.relative_to(ROOT)}: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
