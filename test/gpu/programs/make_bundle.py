#!/usr/bin/env python3
# ===- make_bundle.py - examples to run where there is no ginc -------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Writes a folder with everything to run examples, and tests, on a machine that has GPUs.

    make_bundle.py GINC FOLDER [--ranks N] [--program NAME] [--litmus NAME]

The folder has what `ginc build` emits for each example, the data that `ginc run` would
give it, what its reference and the simulator make of them, litmus programs, the runtime's
sources, the tests of the device API, and a CMake project. On the other machine, which needs
nvcc and CMake alone, `FOLDER/run.sh` builds and runs all of it, and writes tables. With
-DGIN_HOST=ON the project is for threads of the CPU, and needs Boost.Context instead.

The script needs nothing but Python, the references need NumPy.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / "test" / "e2e"), str(ROOT / "test" / "gpu" / "litmus")]
import litmus_bundle  # noqa: E402
import run_examples  # noqa: E402

# Run beside the examples; they have their sizes alone.
TESTS = (HERE / "groups.mlir",
         *(ROOT / "test" / "e2e" / "programs" / f"{name}.mlir"
           for name in ("mapped", "number-classes", "ring-attention", "rotate", "tables", "vectors",
                        "warp-roles")))  # fmt: skip

# What a machine without ginc needs of the project.
PARTS = ("runtime/device", "runtime/host", "runtime/include", "runtime/fiber", "test/gpu",
         "tools/gin-perf", "tools/gin-matmul", "cmake/GincGpu.cmake", "examples/by-hand")  # fmt: skip

# Stands in for a reference: keeps what goes into the true one, and comes out.
CAPTURING_REFERENCE = """
import os, shutil, subprocess, sys
subprocess.run([sys.executable, "-B", os.environ["CAPTURE_REFERENCE"], *sys.argv[1:]], check=True)
for kind, folder in zip(("in", "out"), sys.argv[1:]):
    shutil.copytree(folder, os.path.join(os.environ["CAPTURE"], kind), dirs_exist_ok=True)
"""


def payload(file):
    """The elements of a .npy file, as they lie in memory."""
    data = file.read_bytes()
    assert data[:6] == b"\x93NUMPY", file
    wide = data[6] > 1
    header = int.from_bytes(data[8 : 12 if wide else 10], "little")
    begin = (12 if wide else 10) + header
    assert b"'fortran_order': False" in data[:begin], file
    return data[begin:]


class Bundle:
    def __init__(self, ginc, folder, examples):
        self.ginc, self.folder, self.examples = ginc, folder, examples
        self.data = folder / "data"
        self.code = folder / "programs"
        self.lines, self.functions, self.notes = [], [], []

    def run(self, *command, cwd=None, **environment):
        environment = {**os.environ, "GINC_PYTHON": sys.executable, **environment}
        done = subprocess.run([str(word) for word in command], env=environment, cwd=cwd,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")

    def build(self, program, algorithm):
        """Emits the program; returns its requirements."""
        # One program may have the function's name of another, but not in one library.
        name = "_".join([program.stem.replace("-", "_"), *([algorithm] if algorithm else [])])
        text = program.read_text()
        (entry,) = re.findall(r"^func\.func @(\w+)\(", text, re.M)
        renamed = self.folder / program.name
        renamed.write_text(text.replace(f"func.func @{entry}(", f"func.func @{name}("))
        chosen = [f"--algorithm={algorithm}"] if algorithm else []
        # So that errors name the file alone.
        self.run(self.ginc, "build", "--quiet", program.name, "-o", "programs", *chosen,
                 cwd=self.folder)  # fmt: skip
        renamed.unlink()
        self.functions.append(name)
        return json.loads((self.code / f"{name}.json").read_text())

    def case(self, requirements, program, ranks, options, repeat):
        """Adds the data of one run."""
        label = f"{program.stem}-{len(self.lines)}"
        with tempfile.TemporaryDirectory() as temporary:
            kept = Path(temporary)
            shutil.copytree(self.examples, kept / "examples")
            shutil.copy(program, kept / "examples")
            reference = run_examples.reference_of(program)
            (kept / "examples" / reference).write_text(CAPTURING_REFERENCE)
            arrays = [a for a in requirements["arguments"] if a["kind"] != "scalar"]
            outs = [f"--out={a['name']}={kept}/{a['name']}.%r.npy" for a in arrays]
            self.run(self.ginc, "run", kept / "examples" / program.name, "--ranks", ranks,
                     "--repeat", repeat, *options, *outs, CAPTURE=str(kept),
                     CAPTURE_REFERENCE=str(program.parent / reference))  # fmt: skip
            meta = json.loads((kept / "in" / "meta.json").read_text())
            tolerances = kept / "out" / "tolerance.json"
            tolerances = json.loads(tolerances.read_text()) if tolerances.exists() else {}
            lines = [f"case {requirements['name']} {label} {ranks} {repeat}"]
            for argument in requirements["arguments"]:
                name = argument["name"]
                if argument["kind"] == "scalar":
                    value = meta["scalars"][name]
                    values = value if isinstance(value, list) else [value] * ranks
                    lines.append(f"scalar {name} {argument['type']} {' '.join(map(str, values))}")
                    continue
                tolerance = tolerances.get(name, {})
                expected = (kept / "out" / f"{name}.0.npy").exists()
                dynamic = ["?" if not extent.isdigit() else extent for extent in argument["shape"]]
                lines.append(f"{argument['kind']} {name} {argument['type']} {int(expected)}"
                             f" {tolerance.get('atol', 0)} {tolerance.get('rtol', 0)}"
                             f" {'x'.join(dynamic)}")  # fmt: skip
                for rank in range(ranks):
                    shape = meta["args"][name]["shape"][rank]
                    lines.append(f"shape {' '.join(map(str, shape))}")
                    place = self.data / f"{label}.{name}.{rank}"
                    place.with_suffix(f".{rank}.in").write_bytes(
                        payload(kept / "in" / f"{name}.{rank}.npy"))  # fmt: skip
                    if expected:
                        place.with_suffix(f".{rank}.out").write_bytes(
                            payload(kept / "out" / f"{name}.{rank}.npy"))  # fmt: skip
                        place.with_suffix(f".{rank}.sim").write_bytes(
                            payload(kept / f"{name}.{rank}.npy"))  # fmt: skip
            self.lines.append("\n".join([*lines, "end"]))

    def finish(self, litmus):
        (self.data / "cases.txt").write_text("\n".join(self.lines) + "\n")
        declarations = "".join(f'#include "programs/{name}.h"\n' for name in self.functions)
        entries = "".join(f"    GIN_PROGRAM({name}),\n" for name in self.functions)
        (self.code / "Table.cpp").write_text(f"""// Written by make_bundle.py.
#include "test/gpu/programs/Table.h"
{declarations}
const gintest::Launcher gintest::launchers[] = {{
{entries}    {{}},
}};
""")
        sources = " ".join(f"programs/{name}.cu" for name in self.functions)
        (self.folder / "CMakeLists.txt").write_text(f"""# Written by make_bundle.py.
cmake_minimum_required(VERSION 3.25)
project(gin-bundle LANGUAGES CXX)
option(GIN_HOST "kernels run on threads of the host, not on GPUs" OFF)
if(GIN_HOST)
  set(platform test/gpu/HarnessHost.cpp)
else()
  enable_language(CUDA)
  set(platform test/gpu/HarnessCuda.cpp)
endif()
include(cmake/GincGpu.cmake)

# Sources that have kernels.
function(gin_kernels)
  if(GIN_HOST)
    set_source_files_properties(${{ARGN}} PROPERTIES
      LANGUAGE CXX COMPILE_OPTIONS "-x;c++;-fwrapv")
  endif()
endfunction()
function(gin_program name)
  target_include_directories(${{name}} PRIVATE ${{CMAKE_CURRENT_SOURCE_DIR}})
  target_link_libraries(${{name}} PRIVATE GinHost)
  target_compile_features(${{name}} PRIVATE cxx_std_17)
  if(NOT GIN_HOST)
    target_compile_features(${{name}} PRIVATE cuda_std_17)
    set_target_properties(${{name}} PROPERTIES CUDA_RUNTIME_LIBRARY Static)
  endif()
endfunction()

gin_kernels({sources})
add_executable(gin-programs {sources} programs/Table.cpp test/gpu/programs/Runner.cpp
  test/gpu/programs/Cases.cpp ${{platform}})
gin_program(gin-programs)
gin_kernels(programs/messages.cu)
add_executable(gin-faults programs/messages.cu test/gpu/programs/Faults.cpp
  test/gpu/programs/Cases.cpp ${{platform}})
gin_program(gin-faults)
{chr(10).join(litmus)}
""")
        shutil.copy(HERE / "run.sh", self.folder)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ginc")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--sizes", type=int, default=2, help="beside the defaults, of each program")
    parser.add_argument("--program", action="append", metavar="NAME",
                        help="programs whose file name begins with this")  # fmt: skip
    parser.add_argument("--litmus", action="append", metavar="NAME",
                        help="these of the litmus programs")  # fmt: skip
    args = parser.parse_args()
    if args.folder.exists() and any(args.folder.iterdir()):
        sys.exit(f"'{args.folder}' is there already; remove it, or choose another folder")
    # Absolute, since commands run in the new folder.
    ginc = os.path.abspath(shutil.which(args.ginc) or args.ginc)
    bundle = Bundle(ginc, args.folder, ROOT / "examples")
    bundle.data.mkdir(parents=True)
    bundle.code.mkdir()
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, args.folder / part)
        elif (ROOT / part).exists():
            (args.folder / part).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / part, args.folder / part)
    for program in [*run_examples.programs_in(bundle.examples), *TESTS]:
        if args.program and not program.name.startswith(tuple(args.program)):
            continue
        collective = program.stem.endswith("-collective")
        for algorithm in run_examples.ALGORITHMS if collective else (None,):
            requirements = bundle.build(program, algorithm)
            sizes_of = (lambda _: [""]) if program in TESTS else run_examples.sizes_of
            for number, sizes in enumerate(sizes_of(program)[: args.sizes + 1]):
                options = [f"--algorithm={algorithm}"] if algorithm else []
                for size in sizes.split():
                    scalar = size.split("=")[0] in run_examples.SCALARS
                    options.append(f"--{'arg' if scalar else 'dims'}={size}")
                bundle.case(requirements, program, args.ranks, options, 1 + 2 * (number == 0))
    bundle.build(HERE / "messages.mlir", None)
    bundle.functions.remove("messages")  # it has no case, but an executable of its own
    shutil.copy(HERE / "messages.mlir", bundle.data)
    bundle.finish(litmus_bundle.add(bundle, args.litmus))
    size = sum(file.stat().st_size for file in args.folder.rglob("*") if file.is_file())
    print(f"{args.folder}: {len(bundle.lines)} runs of {len(bundle.functions)} programs, "
          f"{', '.join(bundle.notes)}, "
          f"{size / 1e6:.1f} MB")  # fmt: skip


if __name__ == "__main__":
    main()
