#!/usr/bin/env python3
# ===- plot.py - plots of gin-perf's JSON -----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""One figure for each test in the files: value over message size.

    plot.py RESULT.json... [-o FOLDER]    needs matplotlib; writes TEST.png
"""

import argparse
import json
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def label(row):
    parts = [row["how"]]
    if row["scope"] not in ("-", "host"):
        parts.append(row["scope"])
    if row["ctas"] > 1 or "bandwidth" in row["test"]:
        parts.append(f"{row['ctas']} CTAs" if row["ctas"] else "")
    return ", ".join(part for part in parts if part)


def plot(test, rows, folder):
    figure, axes = plt.subplots(figsize=(8, 5))
    lines = {}
    for row in rows:
        lines.setdefault(label(row), []).append(row)
    for colour, (name, points) in enumerate(sorted(lines.items())):
        points.sort(key=lambda row: row["bytes"])
        for key, style in (("gin", "o-"), ("hand", "x--")):
            known = [row for row in points if row[key] is not None]
            if known:
                axes.plot(
                    [max(row["bytes"], 1) for row in known],
                    [row[key] for row in known],
                    style,
                    color=f"C{colour % 10}",
                    label=name + (" (by hand)" if key == "hand" else ""),
                )
    axes.set_xscale("log", base=2)
    if rows[0]["unit"] == "us":
        axes.set_ylim(bottom=0)
    axes.set_xlabel("bytes of a message")
    axes.set_ylabel(
        "round trip, µs" if rows[0]["unit"] == "us" else rows[0]["unit"]
    )
    axes.set_title(test)
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize="small")
    figure.tight_layout()
    path = os.path.join(folder, test.replace("+", "-") + ".png")
    figure.savefig(path, dpi=120)
    print(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("-o", "--output", default=".")
    arguments = parser.parse_args()
    tests = {}
    for name in arguments.files:
        with open(name, encoding="utf-8") as file:
            for row in json.load(file)["rows"]:
                tests.setdefault(row["test"], []).append(row)
    os.makedirs(arguments.output, exist_ok=True)
    for test, rows in tests.items():
        # A signal alone has no size to plot over.
        if len({row["bytes"] for row in rows}) > 1:
            plot(test, rows, arguments.output)


if __name__ == "__main__":
    main()
