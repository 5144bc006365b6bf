# ===- rotate.py - reference of rotate.mlir --------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
from program_reference import Run

run = Run()
x, hops = run.input("x"), int(run.scalars["hops"])
run.predict("y", [x[(rank - hops) % run.ranks] for rank in range(run.ranks)])
