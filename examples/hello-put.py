# ===- hello-put.py - reference of hello-put.mlir --------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
from gin_reference import Run

run = Run()
x = run.input("x")
run.predict("y", [x[rank - 1] for rank in range(run.ranks)])
