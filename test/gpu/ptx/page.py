# ===- page.py - the tables as a page ----------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""The text of docs/ptx.md."""

import device
import ops
import patterns
from ptx import BEGIN, demands, has, order

HEAD = """\
# What PTX an op becomes

<!-- Written by test/gpu/ptx/check_ptx.py --write, from the tables beside it. -->

[The memory model](memory-model.md) says what each op promises. On GPUs that share memory, single instructions keep the
promise, and a fence that is missing shows on no machine by itself. So each op that a kernel may contain is compiled, alone
or with a load or store that it must order, to PTX for {archs}, and the test `ptx` holds it against the
tables below. It fails, too, if the emitter accepts an op that has no row, and if there is a row that accepts PTX without
what it demands, or with what it forbids. The examples are compiled for {newest} and held against what is never. A GPU is not
needed: nothing is run.

- "A" alone: the instruction occurs.
- "A, then B": both occur, B never before A.
- "A → V → B": each way through the function's branches from an A to a B passes a V. "begin" is the function's entry.
- Names in capitals are patterns: see [the end](#patterns). MEET is what the threads of the op's scope meet by: {meetings}.
  In a thread's scope they do not meet, and A and B are in order.

A signal's `red.release.sys` after its threads have met does what [the memory
model](memory-model.md#what-each-transport-must-do) asks of a fence and a relaxed addition, in one instruction.
"""


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


NAMES = {
    value: name
    for name, value in vars(patterns).items()
    if name.isupper() and isinstance(value, str)
}


def named(pattern):
    """By its name, or those of its alternatives."""
    if pattern == BEGIN:
        return "begin"
    if pattern in NAMES:
        return NAMES[pattern]
    parts = pattern.split("|")
    if all(part in NAMES for part in parts):
        return " or ".join(NAMES[part] for part in parts)
    return code(pattern)


def demanded(demand):
    if isinstance(demand, has):
        return named(demand.pattern)
    if isinstance(demand, order):
        return f"{named(demand.first)}, then {named(demand.second)}"
    return f"{named(demand.first)} → {named(demand.via)} → {named(demand.second)}"


def cells_of(row):
    """Where, what must be, what must not be."""
    archs = getattr(row, "archs", None)
    where = ", ".join("sm_" + arch for arch in archs) if archs else "all"
    never = [named(pattern) for pattern in row.never]
    may = [f"({named(pattern)} may be)" for pattern in getattr(row, "may", [])]
    return [where, "<br>".join(map(demanded, demands(row.must))), "<br>".join(never + may)]


def table(head, lines):
    rows = [head, ["---"] * len(head), *lines]
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def text():
    archs = ["sm_" + arch for arch in patterns.ARCHS]
    meetings = ", ".join(
        f"{code(pattern)} ({scope})" for scope, pattern in patterns.MEETINGS.items() if pattern
    )
    parts = [HEAD.format(archs=", ".join(archs[:-1]) + " and " + archs[-1],
                         newest=archs[-1], meetings=meetings)]

    parts.append("\n## Never\n\nIn no function, but where a row says that it may be.\n\n")
    parts.append(table(["pattern", "why"], [[code(p), why] for p, why in patterns.NEVER.items()]))

    parts.append("\n## Ops\n\nKernels of the kernel level, as `gin-translate --gin-to-cuda` emits them; "
                 "one for each scope.\n\n")
    parts.append(table(
        ["kernel", "ops", "scopes", "on", "must have", "must not have"],
        [[row.name, "<br>".join(map(code, row.ops.split())), "<br>".join(row.scopes), *cells_of(row)]
         for row in ops.ROWS]))
    parts.append("\nThese have no row: they access no window and no other rank, and order nothing.\n\n")
    parts.append(table(
        ["ops", "why"],
        [[", ".join(map(code, several.split())), why] for several, why in ops.WITHOUT_ROW.items()]))

    parts.append("\n## Programs\n\nFunctions that `ginc build` compiles, with all passes.\n\n")
    parts.append(table(
        ["program", "on", "must have", "must not have"],
        [[row.name, *cells_of(row)] for row in ops.SOURCES]))

    parts.append("\n## Device functions\n\nCalled as kernels by hand do "
                 "([Operations.cu](../test/gpu/ptx/Operations.cu)); `bulk`: by the copy engine.\n\n")
    parts.append(table(
        ["kernel", "on", "must have", "must not have"],
        [[row.name, *cells_of(row)] for row in device.KERNELS]))
    parts.append("\nOut of line, in any kernel:\n\n")
    parts.append(table(
        ["function", "on", "must have", "must not have"],
        [[row.name, *cells_of(row)] for row in device.FUNCTIONS]))

    parts.append("\n## Patterns\n\nRegular expressions of parts of an instruction.\n\n")
    parts.append(table(
        ["name", "pattern"],
        [[name, code(pattern)] for pattern, name in NAMES.items() if name != "MEET"]))
    return "".join(parts)
