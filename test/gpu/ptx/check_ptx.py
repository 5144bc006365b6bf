#!/usr/bin/env python3
# ===- check_ptx.py - what PTX each op and function must and must not have ----=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Compiles to PTX, and holds it against the tables: kernels of single ops, by
gin-translate, and programs, by ginc (ops.py); kernels by hand (device.py). Each row
is then held against PTX that it must refuse.

Also: the tables have all ops that gin-translate can emit, and docs/ptx.md says what
they say (--write writes it).

Needs nvcc, no GPU. Without nvcc exits with 77 after what needs none.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import device
import ops
import page
import ptx
from patterns import ARCHS, LOCAL, MEET, MEETINGS, NEVER

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
PAGE = ROOT / "docs" / "ptx.md"
SPLIT = "// -----\n"
NEWEST = ARCHS[-1]


# ===----------------------------------------------------------------------=== #
# What to compile
# ===----------------------------------------------------------------------=== #


def kernel_name(row, scope):
    return f"{row.name}_by_{scope}"


def module_of(row, scope):
    """The row's kernel, as one of warps or of a block or thread."""
    in_scope = "block" if scope == "warps" else scope
    program = row.program.replace("SCOPE", f"{{gin.scope = #gin.scope<{in_scope}>}}")
    if scope == "warps":
        program = (
            'gin.warps "role" at 0 count 2 barrier 1 {\n'
            + program + "\n}\ngin.join block"
        )
    prologue = ops.PROLOGUE.replace("NAME", kernel_name(row, scope))
    return prologue.replace("THREADS", str(row.threads)) + program + ops.EPILOGUE


def write_kernels(translate, folder):
    """The rows' kernels, NAME.cu and NAME.h."""
    kernels = {
        kernel_name(row, scope): module_of(row, scope)
        for row in ops.ROWS
        for scope in row.scopes
    }
    for text, suffix in [("cuda", ".cu"), ("cuda-header", ".h")]:
        emitted = subprocess.run(
            [translate, "--gin-to-" + text, "--split-input-file",
             "--output-split-marker=" + SPLIT.strip()],
            input=SPLIT.join(kernels.values()), check=True,
            stdout=subprocess.PIPE, text=True,
        ).stdout
        for name, part in zip(kernels, emitted.split(SPLIT), strict=True):
            (folder / (name + suffix)).write_text(part)


def write_programs(ginc, folder):
    """The sources' kernels; a folder for each example, since some have the same
    name. Returns the examples' files."""
    for source in ops.SOURCES:
        subprocess.run([ginc, "build", "-", "--quiet", "-o", folder],
                       input=source.program, check=True, text=True)
    files = []
    for example in sorted((ROOT / "examples").glob("*.mlir")):
        out = folder / example.stem
        subprocess.run([ginc, "build", example, "--quiet", "-o", out], check=True)
        files += out.glob("*.cu")
    return files


def compile_ptx(nvcc, arch, source):
    out = source.with_suffix(".ptx")
    subprocess.run(
        [nvcc, "-std=c++17", "-O3", "-ptx", "-I", ROOT,
         "-gencode", f"arch=compute_{arch},code=compute_{arch}", source, "-o", out],
        check=True,
    )
    return ptx.functions(out.read_text())


# ===----------------------------------------------------------------------=== #
# What must be so of it
# ===----------------------------------------------------------------------=== #


def never_of(row):
    may = getattr(row, "may", [])
    return [pattern for pattern in NEVER if pattern not in may] + row.never


def rows_of_operations(arch):
    """Kernel -> its row, what it must have and must not have."""
    return {
        row.name: (row.name, row.must, never_of(row))
        for row in device.KERNELS if row.archs is None or arch in row.archs
    }


def rows_of_ops(arch):
    rows = {}
    for row in ops.ROWS:
        for scope in row.scopes if row.archs is None or arch in row.archs else []:
            name, meeting = kernel_name(row, scope), MEETINGS[scope]
            must = [d.meeting(MEET, meeting) for d in ptx.demands(row.must)]
            rows[name + "_kernel"] = (name, must, never_of(row))
    for row in ops.SOURCES:
        rows[row.name + "_kernel"] = (row.name, row.must, never_of(row))
    return rows


def rows_of_others(functions, kernels):
    """Those of what is out of line; None for a function without a row."""
    return {
        name: next(
            (
                (row.name, row.must, never_of(row))
                for row in device.FUNCTIONS
                if f"{len(row.name)}{row.name}" in name  # as C++ mangles names
            ),
            None,
        )
        for name in functions.keys() - kernels
    }


def errors_of(functions, rows):
    rows = {**rows, **rows_of_others(functions, rows.keys())}
    for name, row in rows.items():
        if not row:
            yield f"{name}: device.py has no row for this function"
        elif name not in functions:
            yield f"{row[0]}: there is no {name}"
        else:
            for error in ptx.errors_of(functions[name], *row[1:]):
                yield f"{row[0]}: {error}"


def errors_of_example(functions):
    """Of a whole program: what is never, and no function without a row. It may
    have blocks with gaps."""
    kernels = [name for name in functions if name.endswith("_kernel")]
    never = [pattern for pattern in NEVER if pattern != LOCAL]
    return errors_of(functions, {name: (name, [], never) for name in kernels})


def errors_of_rows(checked, wrong):
    """Whether each row can fail: `checked` has functions and their rows. What must
    not be is an instruction of another function, or of Wrong.cu."""
    texts = {
        instruction.text
        for functions in [wrong, *(functions for functions, _ in checked)]
        for function in functions.values()
        for instruction in function.instructions
    }
    rows = {}  # each once, in one function of those that it is for
    for functions, of_names in checked:
        of_names = {**of_names, **rows_of_others(functions, of_names.keys())}
        for name, row in of_names.items():
            if row and name in functions:
                rows[repr(row)] = (row, functions[name])
    examples = {}
    for pattern in {pattern for row, _ in rows.values() for pattern in row[2]}:
        examples[pattern] = next((t for t in texts if re.search(pattern, t)), "")
    for (name, must, never), function in rows.values():
        for what in ptx.unnoticed(function, must, never, examples):
            yield f"{name}: no error without {what}"


def errors_of_wrong(wrong, rows):
    """Whether nvcc's spelling of all that is never is known, and refused."""
    for pattern in NEVER:
        if not any(function.places(pattern) for function in wrong.values()):
            yield f"Wrong.cu: nothing matches {pattern}"
    patterns = {pattern for _, _, never in rows for pattern in never}
    for name, function in wrong.items():
        if not ptx.errors_of(function, [], patterns):
            yield f"Wrong.cu: {name}: no row refuses it"


def errors_of_list(translate):
    """Whether the tables have all ops that can be emitted, and no other."""
    printed = set(
        subprocess.run(
            [translate, "--gin-to-cuda-ops", os.devnull],
            check=True, stdout=subprocess.PIPE, text=True,
        ).stdout.split()
    )
    rows = {op for row in ops.ROWS for op in row.ops.split()}
    without = {op for several in ops.WITHOUT_ROW for op in several.split()}
    yield from (f"{op}: ops.py has no row for it" for op in printed - rows - without)
    yield from (f"{op}: cannot be emitted" for op in (rows | without) - printed)
    yield from (f"{op}: has a row, and a reason for none" for op in rows & without)
    for row in ops.ROWS:
        for op in row.ops.split():
            if op not in module_of(row, row.scopes[0]) + ops.EPILOGUE:
                yield f"{row.name}: its program has no {op}"


def errors_of_ptx(nvcc, translate, ginc, folder):
    write_kernels(translate, folder)
    examples = write_programs(ginc, folder)
    errors = []
    # Python waits for nvcc, which takes the time.
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:

        def compiled(arch, source):
            return pool.submit(compile_ptx, nvcc, arch, source)

        # All kernels of an architecture at once: most of nvcc's time is Gin.h's.
        checks = []
        for arch in ARCHS:
            source = folder / f"ops-{arch}.cu"
            names = [name.removesuffix("_kernel") for name in rows_of_ops(arch)]
            source.write_text("".join(f'#include "{n}.cu"\n#undef AT\n' for n in names))
            checks.append((arch, rows_of_ops(arch), compiled(arch, source)))
        for arch in ARCHS:
            source = folder / f"operations-{arch}.cu"
            shutil.copy(HERE / "Operations.cu", source)
            checks.append((arch, rows_of_operations(arch), compiled(arch, source)))
        shutil.copy(HERE / "Wrong.cu", folder)
        wrong = compiled(NEWEST, folder / "Wrong.cu")
        programs = [(file, compiled(NEWEST, file)) for file in examples]

        checked = []
        for arch, rows, functions in checks:
            checked.append((functions.result(), rows))
            errors += [f"sm_{arch}: {error}" for error in errors_of(*checked[-1])]
        for file, functions in programs:
            found = errors_of_example(functions.result())
            errors += [f"{file.parent.name}: {error}" for error in found]
    of_rows = [row for _, rows in checked for row in rows.values()]
    errors += errors_of_wrong(wrong.result(), of_rows)
    if not errors:
        errors += errors_of_rows(checked, wrong.result())
    print(
        f"{len(ops.ROWS)} rows for ops, {len(ops.SOURCES)} sources, "
        f"{len(device.KERNELS)} kernels by hand, {len(device.FUNCTIONS)} functions for "
        f"{', '.join('sm_' + arch for arch in ARCHS)}; {len(examples)} examples"
    )
    return errors


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write docs/ptx.md, no more")
    parser.add_argument("--translate", help="gin-translate")
    parser.add_argument("--ginc", help="ginc")
    parser.add_argument("--nvcc", default=os.environ.get("CUDACXX"))
    parser.add_argument("--keep", type=Path, help="keep all files in this folder")
    arguments = parser.parse_args()
    if arguments.write:
        PAGE.write_text(page.text())
        return 0
    errors = list(errors_of_list(arguments.translate))
    if not PAGE.exists() or PAGE.read_text() != page.text():
        errors.append("docs/ptx.md is not what the tables say: check_ptx.py --write")
    nvcc = arguments.nvcc or shutil.which("nvcc", path=os.environ["PATH"] + ":/usr/local/cuda/bin")
    if nvcc:
        with tempfile.TemporaryDirectory() as temporary:
            folder = arguments.keep or Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            errors += errors_of_ptx(nvcc, arguments.translate, arguments.ginc, folder)
    for error in errors:
        print(error)
    print(f"{len(errors)} errors")
    if not nvcc:
        print("skipped: no nvcc, and so no PTX")
    return 1 if errors else 0 if nvcc else 77


if __name__ == "__main__":
    sys.exit(main())
