#!/usr/bin/env python3
# ===- compare.py - gin's round trips and NVSHMEM's in one run ------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Is put + signal slower by gin than by NVSHMEM?

    compare.py GIN-PERF GIN-PERF-NVSHMEM [options]

Runs both programs in turn, several times, and prints for each scope and size the
median of either's medians, how far those lay apart, and the ratio. Exits with 1
if a ratio is above the tolerance, with 2 if there is no result.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time


def give_up(message, output=None):
    if output:
        print(output, file=sys.stderr)
    print(f"compare.py: {message}", file=sys.stderr)
    sys.exit(2)


def measure(program, key, options, folder, seconds):
    """The machine, and the round trips by (scope, threads, bytes)."""
    path = os.path.join(folder, "result.json")
    command = [program, "latency", *options, "--json", path]
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
        )
    except OSError as error:
        give_up(f"cannot run {program}: {error.strerror}")
    except subprocess.TimeoutExpired as error:
        # Bytes, in spite of text=True.
        output = (error.stdout or b"").decode(errors="replace")
        give_up(f"{' '.join(command)}: not done after {seconds} s", output)
    # It also exits with 1 if data were wrong, and then a time means nothing.
    if done.returncode:
        give_up(f"{' '.join(command)}: exit code {done.returncode}", done.stdout)
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    os.remove(path)
    return result["machine"], {
        (row["scope"], row["threads"], row["bytes"]): row[key]
        for row in result["rows"]
        if row["test"] == "put+signal"
    }


def spread(values):
    """Half of what lies between the extremes, in per cent of the median."""
    half = (max(values) - min(values)) / 2
    return 100 * half / statistics.median(values)


def report(times, tolerance):
    """Prints the table; how many rows were above the tolerance."""
    print(
        f"\n{'scope':7} {'threads':>7} {'bytes':>7} {'gin':>9} {'+-%':>5} "
        f"{'NVSHMEM':>9} {'+-%':>5} {'ratio':>7}"
    )
    slower = 0
    for shape, (gin, nvshmem) in times.items():
        ratio = statistics.median(gin) / statistics.median(nvshmem)
        noise = spread(gin) + spread(nvshmem)
        verdict = ""
        if ratio > tolerance:
            slower += 1
            verdict = "slower"
            if 100 * (ratio - tolerance) <= noise:
                verdict += ", by less than the noise"
        print(
            f"{shape[0]:7} {shape[1]:7} {shape[2]:7} "
            f"{statistics.median(gin):9.3f} {spread(gin):5.1f} "
            f"{statistics.median(nvshmem):9.3f} {spread(nvshmem):5.1f} "
            f"{ratio:7.3f}  {verdict}".rstrip()
        )
    return slower


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("gin_perf")
    parser.add_argument("nvshmem")
    parser.add_argument("--rounds", type=int, default=5, help="of both (5)")
    parser.add_argument(
        "--seconds",
        type=float,
        default=600,
        help="begin no round that would end later, but the first (600)",
    )
    parser.add_argument(
        "--tolerance", type=float, default=1.0, help="greatest ratio (1.00)"
    )
    parser.add_argument("-b", "--min_size", type=int, default=8)
    parser.add_argument("-e", "--max_size", type=int, default=65536)
    parser.add_argument("-f", "--step", type=int, default=2)
    parser.add_argument("-n", "--iters", type=int, default=4000)
    parser.add_argument("-r", "--repetitions", type=int, default=3)
    parser.add_argument("--devices", default="0,1")
    parser.add_argument("--json", metavar="FILE", help="all medians")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds begins at 1")

    common = ["--devices", arguments.devices]
    for name in ("min_size", "max_size", "step", "iters", "repetitions"):
        common += [f"--{name}", str(getattr(arguments, name))]
    programs = [(arguments.gin_perf, "gin"), (arguments.nvshmem, "nvshmem")]
    times, machines, longest, begun = {}, {}, 0.0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for done in range(arguments.rounds):
            start = time.monotonic()
            if done and start - begun + longest > arguments.seconds:
                print(f"{done} rounds of {arguments.rounds}: time is up")
                break
            for shape in (["-t", "512"], ["-t", "1024", "-s", "block"]):
                # The one that goes first changes: a drift is then no advantage.
                for program, key in programs[:: -1 if done % 2 else 1]:
                    machines[key], rows = measure(
                        program,
                        key,
                        common + shape,
                        folder,
                        max(arguments.seconds, 10),
                    )
                    for row, value in rows.items():
                        sides = times.setdefault(row, ([], []))
                        sides[key == "nvshmem"].append(value)
            longest = max(longest, time.monotonic() - start)
    if not times:
        give_up("no put + signal was measured")
    for row, (gin, nvshmem) in times.items():
        if len(gin) != len(nvshmem):
            give_up(f"only one of the programs measured {row}")

    for machine in machines.values():
        print(machine)
    print(
        f"put + signal, round trips in us: medians of {len(gin)} alternate runs, "
        f"each the median of {arguments.repetitions} x {arguments.iters}"
    )
    slower = report(times, arguments.tolerance)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            names = ("scope", "threads", "bytes", "gin", "nvshmem")
            rows = [dict(zip(names, (*row, *both))) for row, both in times.items()]
            json.dump({"machines": machines, "rows": rows}, file, indent=1)
    print(
        f"\nslower than {arguments.tolerance:.2f} x NVSHMEM: "
        f"{slower} of {len(times)}"
    )
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
