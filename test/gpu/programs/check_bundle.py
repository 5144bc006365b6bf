#!/usr/bin/env python3
# ===- check_bundle.py - a bundle on threads of the host --------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Makes a small bundle and runs it as on a machine with GPUs, but on threads of the CPU.

    check_bundle.py GINC COMPILER
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = ("hello-put", "ring-all-reduce.mlir", "groups")
# Of both outcomes, by barriers, gets and views, of three ranks, of several launches.
PARTS = ("programs", "launches", "graphs", "faults", "litmus", "controls")
LITMUS = ("mp-plain", "mp-bundled", "mp-relaxed", "barrier-store", "peer-view-load",
          "relay", "double-buffer", "cyclic-waits", "forall-join")  # fmt: skip


def call(*command, **environment):
    done = subprocess.run([str(word) for word in command], env={**os.environ, **environment},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def spoil(file, change):
    file.write_bytes(change(file.read_bytes()))


def fails(text, *command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 1 or text not in done.stdout:
        sys.exit(f"{command} does not find what is wrong, '{text}':\n{done.stdout}")


def main():
    ginc, compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "bundle"
        chosen = [f"--program={name}" for name in PROGRAMS]
        chosen += [f"--litmus={name}" for name in LITMUS]
        call(sys.executable, "-B", HERE / "make_bundle.py", ginc, folder, *chosen)
        settings = {"CMAKE_OPTIONS": f"-DGIN_HOST=ON -DCMAKE_CXX_COMPILER={compiler}"}
        output = call(folder / "run.sh", "--rounds=200", "--launches=30", "--seconds=20",
                      "build", *PARTS, PROGRAMS="hello-put ring-all-reduce", **settings)  # fmt: skip
        tables = {part: (folder / "results" / f"{part}.md").read_text() for part in PARTS}
        spoil(next((folder / "data").glob("hello-put-*.y.1.out")), lambda data: data[:-1] + b"!")
        fails("differs from 'out' on rank 1", folder / "run.sh", "programs")
        spoil(folder / "data" / "messages.mlir", lambda data: b"\n" + data)
        fails("the line has no gin.wait", folder / "run.sh", "faults")
        fails("(forbidden)", folder / "build" / "bundle" / "gin-litmus-no-waits", "--rounds=200")
    wanted = (
        ("programs", "ring-all-reduce"),
        ("programs", "groups"),
        ("launches", "| 30 |"),
        ("graphs", "Not run on this machine."),
        ("faults", "GIN_ERR_TIMEOUT at messages.mlir:"),
        ("faults", "GIN_ERR_ABORTED at messages.mlir:"),
        ("litmus", "| mp-plain | 2 |"),
        ("litmus", "| relay | 3 |"),
        ("litmus", "cyclic-waits"),
        ("controls", "Control: no-waits"),
        ("controls", "(forbidden)"),
    )
    missing = [f"{name} has no '{text}'" for name, text in wanted if text not in tables[name]]
    print(output)
    if missing:
        sys.exit("\n".join([*missing, *tables.values()]))


if __name__ == "__main__":
    main()
