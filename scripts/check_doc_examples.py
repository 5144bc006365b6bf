#!/usr/bin/env python3
# ===- check_doc_examples.py - examples in ODS descriptions are programs ---=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Runs the ```mlir blocks of TableGen files through gin-opt.

    check_doc_examples.py GIN-OPT FILE.td...

An example stands alone if it begins with `func.func` or `module`; it lists types
and attributes if its lines begin with `!`, `#` or `memref<`; otherwise it is a part
of a function that takes as arguments whatever the example uses without defining it.
The types of these arguments need not be stated anywhere: they are `index` until
gin-opt says what it expected.

An example that does not parse and verify fails the check, and so does an op
without one (`let description` of a `def` that derives from an op class, and no
```mlir block in it). Exit status: 0 if all is well, 1 if not.
"""

import os
import re
import subprocess
import sys
import textwrap

SEPARATOR = "// -----"
# Ops that are never written.
WITHOUT_EXAMPLE = {"yield"}

DESCRIPTION = re.compile(r"let description = \[\{(.*?)\}\];", re.S)
DEFINITION = re.compile(r"^def (\w+)\s*:\s*(\w+)(?:<\"(\w+)\")?", re.M)
BLOCK = re.compile(r"```mlir\n(.*?)```", re.S)
VALUE = re.compile(r"%\w+")
# What an example defines: results, loop variables, arguments.
RESULTS = re.compile(r"^\s*((?:%\w+(?::\d+)?\s*,\s*)*%\w+(?::\d+)?)\s*=", re.M)
VARIABLES = re.compile(r"\b(?:for|forall|parallel)\s*\(?\s*(%\w+)|[(,]\s*(%\w+):")
REGION = re.compile(r"\b\w+\(((?:%\w+,? *)+)\) *\{")
EXPECTED = re.compile(
    r"^(\S+?):(\d+):\d+: error: use of value '(%\w+)' expects different type than "
    r"prior uses: '(.*)' vs 'index'$",
    re.M,
)
ERROR = re.compile(r"^(\S+?):(\d+):\d+: error: (.*)$", re.M)


class Example:
    """One block: where it stands, and the program that is made of it."""

    def __init__(self, file, line, text):
        self.file = file
        self.line = line
        self.text = textwrap.dedent(text)
        self.types = {}  # of the arguments, where they are not index

    def uses(self):
        defined = set()
        for pattern in (RESULTS, REGION):
            for match in pattern.finditer(self.text):
                defined.update(VALUE.findall(match.group(1)))
        for match in VARIABLES.finditer(self.text):
            defined.update(name for name in match.groups() if name)
        return [name for name in dict.fromkeys(VALUE.findall(self.text))
                if name not in defined]

    def program(self):
        """Lines before the example, the program."""
        first = self.text.lstrip()
        if first.startswith(("func.func", "module")):
            return 0, self.text
        if first.startswith(("!", "#", "memref<")):
            lines = [
                f"func.func private @f{number}() attributes {{example = {line}}}"
                for number, line in enumerate(self.text.splitlines())
                if line.strip()
            ]
            return 0, "\n".join(lines) + "\n"
        arguments = ", ".join(
            f"{name}: {self.types.get(name, 'index')}" for name in self.uses()
        )
        return 1, f"func.func @f({arguments}) {{\n{self.text}return\n}}\n"


def find_examples(file):
    """The examples of a file, and the ops that have none."""
    with open(file, encoding="utf-8") as stream:
        source = stream.read()
    examples, missing = [], []
    for match in DESCRIPTION.finditer(source):
        blocks = list(BLOCK.finditer(match.group(1)))
        for block in blocks:
            line = source.count("\n", 0, match.start(1) + block.start(1)) + 1
            examples.append(Example(file, line, block.group(1)))
        definition = list(DEFINITION.finditer(source, 0, match.start()))[-1]
        _, base, mnemonic = definition.groups()
        is_op = base.startswith("Gin_") and base.endswith("Op")
        if is_op and not blocks and mnemonic not in WITHOUT_EXAMPLE:
            line = source.count("\n", 0, definition.start()) + 1
            missing.append(f"{file}:{line}: error: gin.{mnemonic} has no example")
    return examples, missing


def run(tool, examples):
    """Diagnostics of all examples together, as (example, line in it, message), and
    the types that arguments should have had."""
    lines, starts = [], []
    for example in examples:
        before, program = example.program()
        starts.append((len(lines) + before, example))
        lines += program.splitlines() + [SEPARATOR]
    result = subprocess.run(
        [tool, "--split-input-file", "--mlir-print-op-on-diagnostic=false", "-",
         "-o", os.devnull],
        input="\n".join(lines[:-1]) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )

    def locate(line):
        offset, example = [s for s in starts if s[0] < line or s[0] == 0][-1]
        return example, line - offset

    errors = [
        (*locate(int(line)), message)
        for _, line, message in ERROR.findall(result.stderr)
    ]
    wanted = [
        (locate(int(line))[0], name, type)
        for _, line, name, type in EXPECTED.findall(result.stderr)
    ]
    if result.returncode != 0 and not errors:
        sys.exit(f"error: {tool} failed:\n{result.stderr}")
    return errors, wanted


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    tool, files = arguments[0], arguments[1:]
    examples, missing = [], []
    for file in files:
        found, without = find_examples(file)
        examples += found
        missing += without
    if not examples:
        sys.exit("error: there is no example in " + " ".join(files))

    # Each round learns at least one type of an argument, or ends.
    while True:
        errors, wanted = run(tool, examples)
        learnt = False
        for example, name, type in wanted:
            if name in example.uses() and example.types.get(name) is None:
                example.types[name] = type
                learnt = True
        if not learnt:
            break

    for example, line, message in errors:
        print(f"{example.file}:{example.line + line - 1}: error: {message}")
    print(*missing, sep="\n", end="\n" if missing else "")
    print(f"{len(examples)} examples, {len(errors) + len(missing)} errors")
    return 1 if errors or missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
