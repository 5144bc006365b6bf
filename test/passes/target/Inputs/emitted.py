#!/usr/bin/env python3
# ===- emitted.py - what holds of all emitted files ------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Emits each kernel of a folder's tests, or of one file, and looks at the text.

  emitted.py format FOLDER --translate T --tool clang-format-22
  emitted.py compile FOLDER --translate T --tool COMPILER... (a command line)
  emitted.py update FOLDER --translate T

`format`: clang-format changes nothing. `compile`: the command line compiles it
without warnings. `update` writes the CHECK lines of the tests anew: read what
changes.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MARK = "// CHECK-LABEL:"
RUN = "gin-translate --gin-to-cuda %s"


def translate(tool, text, path):
    return subprocess.run(
        [tool, "--gin-to-" + text, str(path)], check=True, capture_output=True, text=True
    ).stdout


def name_of(path):
    """Of the function that launches kernels, or else of the only kernel."""
    text = path.read_text()
    return (re.search(r"func\.func @(\w+)", text) or re.search(r"gpu\.func @(\w+)", text)).group(1)


def check_format(arguments, path, folder):
    good = True
    for text in ["cuda", "cuda-header"]:
        emitted = translate(arguments.translate, text, path)
        command = [*arguments.tool, "--style=file:" + arguments.style]
        formatted = subprocess.run(
            command, input=emitted, check=True, capture_output=True, text=True
        ).stdout
        if formatted != emitted:
            sys.stderr.write(f"{path.name}: clang-format changes the {text} text\n")
            for ours, theirs in zip(emitted.split("\n"), formatted.split("\n")):
                if ours != theirs:
                    sys.stderr.write(f"  emitted:   {ours}\n  formatted: {theirs}\n")
                    break
            good = False
    return good


def check_compile(arguments, path, folder):
    name = name_of(path)
    source = os.path.join(folder, name + ".cu")
    for text, file in [("cuda", source), ("cuda-header", os.path.join(folder, name + ".h"))]:
        with open(file, "w") as out:
            out.write(translate(arguments.translate, text, path))
    result = subprocess.run(
        [*arguments.tool, "-I" + folder, source], capture_output=True, text=True
    )
    output = result.stdout + result.stderr
    if result.returncode == 0 and "warning" not in output:
        return True
    sys.stderr.write(f"{path.name}:\n{output}\n")
    return False


def escape(line):
    return line.replace("{{", "{{[{][{]}}").replace("[[", "{{[[][[]}}")


def update(arguments, path, folder):
    emitted = translate(arguments.translate, "cuda", path).split("\n")
    begin = next(i for i, line in enumerate(emitted) if "__global__" in line)
    end = next(i for i in range(begin, len(emitted)) if emitted[i] == "}")
    lines = path.read_text().split("\n" + MARK)[0].rstrip("\n").split("\n")
    lines += ["", MARK + escape(emitted[begin])]
    lines += ["// CHECK-NEXT:" + escape(line) for line in emitted[begin + 1 : end + 1]]
    path.write_text("\n".join(lines) + "\n")
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=["format", "compile", "update"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--translate", required=True)
    parser.add_argument("--style")
    parser.add_argument("--tool", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    check = {"format": check_format, "compile": check_compile, "update": update}[arguments.mode]
    wanted = RUN + " | FileCheck %s --match-full-lines" if check is update else RUN
    one = arguments.folder.is_file()
    paths = [arguments.folder] if one else sorted(arguments.folder.glob("*.mlir"))
    paths = [p for p in paths if wanted in p.read_text()]
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            good &= check(arguments, path, folder)
    print(f"{len(paths)} files")
    sys.exit(0 if good and paths else 1)


main()
