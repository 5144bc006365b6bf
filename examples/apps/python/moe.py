# ===- moe.py - an application that calls a ginc program --------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""A layer of a mixture of experts whose dispatch, experts and combine are moe.mlir.

The application owns weights, buffers and streams, and routes the tokens; one launch
for each rank does the rest. On GPUs, with PyTorch, where there are two or as many as
--ranks says: the first step is launched, the others are replays of a CUDA graph with the
routing in it. Elsewhere the same steps on threads of the CPU, with NumPy. Each step is
compared with a plain computation.

    python3 examples/apps/python/moe.py --ginc build/bin/ginc

A machine without ginc takes a library that was built elsewhere:

    ginc build examples/moe.mlir -o build --shared --arch sm_90a
    python3 examples/apps/python/moe.py --library build/libmoe.so
"""

import argparse
import sys
import tempfile
from pathlib import Path

import gin
import numpy as np

try:
    import torch
except ImportError:
    torch = None

PROGRAM = Path(__file__).resolve().parents[2] / "moe.mlir"
# moe.mlir's own numbers.
EXPERTS_OF_A_RANK, CHOICES, CAPACITY = 2, 2, 8
TABLE = (8, 256, CHOICES)  # for 1 ... 8 ranks, a row for each token of all ranks


class OnCpu:
    """What the layer needs of arrays; NumPy's have no streams and no graphs."""

    def __init__(self, rank):
        self.stream = None

    def array(self, values):
        return np.array(values)

    def route(self, x, router):
        """The experts with the largest scores, and the softmax of these."""
        scores = x @ router
        experts = np.argsort(-scores, axis=1)[:, :CHOICES]
        weights = np.exp(np.take_along_axis(scores, experts, axis=1))
        return experts, weights / weights.sum(axis=1, keepdims=True)

    def assign(self, array, values):
        array[...] = values

    def graph(self, work):
        return work

    def numpy(self, array):
        return array.copy()


class OnGpu:
    """The same with PyTorch on the rank's GPU."""

    def __init__(self, rank):
        self.device = torch.device("cuda", rank)

    @property
    def stream(self):
        return torch.cuda.current_stream(self.device).cuda_stream

    def array(self, values):
        return torch.from_numpy(values).to(self.device)

    def route(self, x, router):
        scores, experts = torch.topk(x @ router, CHOICES, dim=1)
        return experts, torch.softmax(scores, dim=1)

    def assign(self, array, values):
        array.copy_(values if isinstance(values, torch.Tensor) else torch.from_numpy(values))

    def graph(self, work):
        graph, stream = torch.cuda.CUDAGraph(), torch.cuda.Stream(self.device)
        with torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
            work()
        return graph.replay

    def numpy(self, array):
        return array.cpu().numpy()


class Layer:
    """One rank's part."""

    def __init__(self, on, library, comm, tokens, h, random):
        self.on, self.comm = on, comm
        experts = EXPERTS_OF_A_RANK * comm.size
        floats = lambda *shape: on.array(random.standard_normal(shape).astype(np.float32))
        self.router = floats(h, experts)
        self.x = floats(tokens, h)
        # The rows of the table that moe.mlir reads are the router's output.
        table = on.array(np.zeros(TABLE, np.int32))
        first = min(comm.rank * tokens, TABLE[1] - tokens)
        self.experts = table[min(comm.size, TABLE[0]) - 1, first : first + tokens]
        self.arguments = {
            "x": self.x, "table": table,
            "gates": on.array(np.zeros((tokens, CHOICES), np.float32)),
            "w": floats(EXPERTS_OF_A_RANK, h, h),
            "y": on.array(np.zeros((tokens, h), np.float32)),
            "positions": on.array(np.zeros((tokens, CHOICES), np.int32)),
            # Other ranks write here.
            "counts": comm.window(on.array(np.zeros((comm.size, EXPERTS_OF_A_RANK), np.int32))),
        }  # fmt: skip
        self.program = library.program(comm, **self.arguments)

    def route(self):
        experts, gates = self.on.route(self.x, self.router)
        self.on.assign(self.experts, experts)
        self.on.assign(self.arguments["gates"], gates)

    def launch(self):
        self.program.launch(stream=self.on.stream, **self.arguments)

    def forward(self):
        """Of what is in self.x. Does not wait: the results follow in the stream's order."""
        self.route()
        self.launch()


def expected(layers):
    """What y should be: plain loops, in double precision."""
    arrays = lambda name: [layer.on.numpy(layer.arguments[name]) for layer in layers]
    weights = np.concatenate(arrays("w")).astype(np.float64)
    results = []
    for layer, x, gates in zip(layers, arrays("x"), arrays("gates")):
        taken = np.zeros(len(weights), int)
        y = np.zeros(x.shape)
        for (t, k), expert in np.ndenumerate(layer.on.numpy(layer.experts)):
            if taken[expert] < CAPACITY:
                y[t] += gates[t, k] * (x[t] @ weights[expert])
            taken[expert] += 1
        results.append(y)
    return results


def check(layers):
    for layer in layers:
        layer.comm.synchronize()  # raises what went wrong in kernels
    for layer, want in zip(layers, expected(layers)):
        got, rank = layer.on.numpy(layer.arguments["y"]), layer.comm.rank
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4, err_msg=f"rank {rank}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ginc", default="ginc")
    parser.add_argument("--library", type=Path, help="libmoe.so of an earlier ginc build --shared")
    parser.add_argument("--ranks", type=int, help="default: a rank for each GPU, or 4 on the CPU")
    parser.add_argument("--cpu", action="store_true", help="on threads, also where there are GPUs")
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--tokens", type=int, default=24, help="of each rank")
    parser.add_argument("--h", type=int, default=16, help="elements of a token")
    args = parser.parse_args()

    gpus = torch.cuda.device_count() if torch and not args.cpu else 0
    cuda = gpus >= (args.ranks or 2)
    ranks = args.ranks or (gpus if cuda else 4)
    arch = "sm_{}{}".format(*torch.cuda.get_device_capability()) if cuda else "host"
    random = np.random.default_rng(1)
    if args.library:
        library = gin.Library(args.library)
    else:
        with tempfile.TemporaryDirectory() as folder:
            library = gin.build(PROGRAM, folder, arch=arch, ginc=args.ginc)
    comms = library.communicators(ranks, cuda=cuda)
    arrays = OnGpu if cuda else OnCpu
    layers = [
        Layer(arrays(comm.rank), library, comm, args.tokens, args.h, random) for comm in comms
    ]

    # The first launch loads code and registers memory, which no graph can contain. What
    # may allocate comes before the first rank's kernel, which waits for the others: an
    # allocation may wait for kernels.
    for layer in layers:
        layer.route()
    for layer in layers:
        layer.launch()
    check(layers)
    steps = [layer.on.graph(layer.forward) for layer in layers]
    for _ in range(1, args.steps):
        for layer in layers:
            layer.on.assign(layer.x, random.standard_normal(layer.x.shape).astype(np.float32))
        for step in steps:
            step()
        check(layers)
    where = "GPUs" if cuda else "threads of the CPU"
    print(f"moe: {args.steps} steps on {ranks} ranks ({where}), {args.tokens} tokens each: right")


try:
    main()
except (gin.Error, OSError) as error:
    sys.exit(f"moe.py: {error}")
