# ===- gin_errors.py - what gin.py says of mistakes -------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""gin_errors.py GINC FOLDER SOURCE: makes each mistake, and prints what it raises."""

import sys

ginc, folder, source = sys.argv[1:]
sys.path.insert(0, f"{source}/examples/apps/python")

import gin  # noqa: E402
import numpy as np  # noqa: E402


def attempt(mistake):
    try:
        mistake()
        print("nothing was raised")
    except gin.Error as error:
        print(error)
    except (TypeError, ValueError) as error:
        print(f"{type(error).__name__}: {error}")


attempt(lambda: gin.build(f"{folder}/missing.mlir", folder, arch="host", ginc=ginc))
library = gin.build(f"{source}/examples/all-to-all.mlir", folder, arch="host", ginc=ginc)
attempt(lambda: library.communicators(65))

comms = library.communicators(2)
x = [comm.window(np.zeros((2, 4), np.float32)) for comm in comms]
y = [comm.window(np.zeros((2, 4), np.float32)) for comm in comms]
attempt(lambda: library.program(comms[0], x=x[0]))
attempt(lambda: library.program(comms[0], x=x[0], y=y[0], z=1))
attempt(lambda: library.program(comms[0], x=x[0].array, y=y[0]))
doubles = [comm.window(np.zeros((2, 4))) for comm in comms]
attempt(lambda: library.program(comms[0], x=x[0], y=doubles[0]))
attempt(lambda: comms[0].window(np.zeros((2, 8), np.float32)[:, ::2]))

# Sizes other than those of create; rows of other lengths on other ranks; and a
# window of fewer rows than the other rank writes, whose kernel finds it, which
# ends the other's too.
programs = [library.program(comm, x=x[comm.rank], y=y[comm.rank]) for comm in comms]
wide = [comm.window(np.zeros((2, 9), np.float32)) for comm in comms]
attempt(lambda: programs[0].launch(x=wide[0], y=y[0]))
narrow = [comm.window(np.zeros((2, 9 if comm.rank == 0 else 2), np.float32)) for comm in comms]
attempt(lambda: [library.program(comm, x=narrow[comm.rank], y=narrow[comm.rank]) for comm in comms])
short = [comm.window(np.zeros((1 if comm.rank == 0 else 2, 4), np.float32)) for comm in comms]
programs = [library.program(comm, x=x[comm.rank], y=short[comm.rank]) for comm in comms]
for comm, program in zip(comms, programs):
    program.launch(x=x[comm.rank], y=short[comm.rank])
for comm in comms:
    attempt(comm.synchronize)

# A signal too many, which the last program's end finds, and which is said once.
library = gin.build(
    f"{source}/test/tools/ginc/Inputs/unconsumed.mlir", folder, arch="host", ginc=ginc
)
comms = library.communicators(2)
programs = [library.program(comm, weight=4) for comm in comms]
for program in programs:
    program.launch(weight=4)
programs[0].close()
attempt(programs[1].close)
programs[1].close()
