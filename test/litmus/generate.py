#!/usr/bin/env python3
# ===- generate.py - writes the litmus programs of this folder --------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Writes NAME.mlir for every litmus program of the oracle (../oracle), or checks that the files are what it would write.

    generate.py            writes the files
    generate.py --check    compares; exit status 1 if a file is stale, missing or not the oracle's
"""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "oracle")]

from gin_oracle import litmus as oracle  # noqa: E402
from translate import Litmus, immediate_accumulate, translate  # noqa: E402

# What a program is about where the oracle's sentence only makes sense after the one before it.
ABOUT = {
    "third-rank-await": "no cover through a third rank, and the await of the put's token does not help",
    "torn-first": "a put is delivered in pieces: its first cell may come before its last",
    "torn-last": "a put is delivered in pieces: its last cell may come before its first",
    "waw-two-sources": "puts to one address from two agents are unordered",
    "self-put-unwaited": "a put to oneself may be delivered late when nobody waits for it",
    "get-before-await": "a get's data may not be there before its token",
    "get-await-signal": "a get that was awaited is acquired, so that even a relaxed signal carries it",
    "store-relaxed": "a relaxed signal does not release earlier stores",
    "store-bundled": "a bundled signal does not release earlier stores, not even of the put's own source",
    "store-await-relaxed": "the await of a put that read an own store does not turn the store into something acquired",
    "store-get-relaxed": "nor does the await of a get turn an own store into something acquired",
    "credit-relaxed": "a relaxed credit does not release earlier loads",
    "credit-bundled": "a credit that is bundled with a put does not release earlier loads",
    "chunks-bundled": "one counter, one source, bundled signals: a count does not name the chunk",
    "chunks-contexts": "one counter, one source, plain signals over two contexts: a count does not name the chunk",
    "test-unguarded": "a test that fails acquires nothing",
    "barrier-store": "a barrier covers loads and stores",
    "barrier-third": "a barrier does not cover puts to third ranks",
    "barrier-global": "barrier global covers puts to third ranks",
    "forall-signal-relaxed": "a relaxed signal after the loop does not cover the iterations' puts",
    "forall-store-signal": "rule 4: a plain signal after the loop releases the iterations' stores",
    "all-to-all": "an all-to-all is right once",
    "all-to-all-3": "an all-to-all on three ranks",
    "all-to-all-entry": "an entry barrier closes the all-to-all",
    "all-to-all-exit": "an exit barrier does not close the all-to-all, because of the host",
    "all-to-all-exit-scratch": "an exit barrier closes the all-to-all where no host looks",
    "double-buffer-odd": "buffers and slots alternate with gin.launch mod 2, from the other residue",
    "double-buffer-one-slot": "alternating buffers are not enough: the next launch's arrival comes early on the one slot",
    "early-arrival-probe": "a test sees a later launch's arrival early, also where nothing waits",
    "run-ahead-2": "a rank that may run one launch ahead may run many: no race in two launches, but not closed",
    "run-ahead-3": "in three launches three arrivals of rank 0 stand for the put's; hence the rule on early arrivals",
}


def from_oracle(test: oracle.Litmus) -> Litmus:
    """A program of the oracle as translate.py wants it."""
    if isinstance(test.text, list):
        texts = test.text
        ranks, text = len(texts), lambda me, k: texts[me]
    else:
        ranks, text = test.ranks, test.text
    patterns = [[p.strip() for p in some.split("|") if p.strip()] for some in (test.allow, test.forbid)]
    notes = []
    if any(immediate_accumulate(text(r, 0)) != text(r, 0) for r in range(ranks)):
        notes = ["(gin.put_value does not accumulate, hence the window v.)"]
    return Litmus(test.name, ABOUT.get(test.name, test.about), text, ranks, test.launches, test.program().sizes,
                  test.options.get("scratch", ()), test.options.get("source", ()), *patterns,
                  [v for v in test.verdict.split(", ") if v != "ok"],
                  forall=test.name.startswith("forall"), notes=notes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--into", type=Path, default=HERE, help="the folder (default: this one)")
    args = parser.parse_args()
    wanted = {f"{test.name}.mlir": translate(from_oracle(test)) for test in oracle.ALL}
    stale = []
    for name, text in wanted.items():
        path = args.into / name
        if args.check:
            if not path.exists() or path.read_text() != text:
                stale.append(name)
        else:
            path.write_text(text)
    stale += sorted(path.name for path in args.into.glob("*.mlir") if path.name not in wanted)
    if stale:
        print(f"stale or unknown: {', '.join(stale)}; run {Path(__file__).name}", file=sys.stderr)
        return 1
    print(f"{len(wanted)} litmus programs {'are as generated' if args.check else 'written'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
