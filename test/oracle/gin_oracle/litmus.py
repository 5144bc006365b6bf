#===- litmus.py - the litmus programs --------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===----------------------------------------------------------------------===#
"""The litmus programs: what each may do, what it must not do, and the verdict.

`allow` and `forbid` are outcomes separated by `|`; an outcome names some registers (`r=1`) or final cells (`y[0]@1=2`).
Memory starts as 0, so 0 is what a read returns that came too early. The verdict lists all that is wrong, or is `ok`.
With several launches a host step reads every window that is not scratch (register `h1.y[0]@0` in launch 1) and writes
10 · (launch + 1) + rank to it before each launch.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .program import Program, build

Text = Callable[[int, int], str]


@dataclass
class Litmus:
    name: str
    about: str
    text: list[str] | Text                          # one text for each rank, or a function of (rank, launch)
    allow: str = ""
    forbid: str = ""
    verdict: str = "ok"
    ranks: int = 0
    launches: int = 1
    options: dict[str, Any] = field(default_factory=dict)     # sizes, scratch, source of program.build

    def expected(self) -> frozenset[str]:
        return frozenset(self.verdict.split(", ")) - {"ok"}

    def program(self, host: bool = True) -> Program:
        text = self.text
        if isinstance(text, list):
            return build(len(text), lambda me, k: text[me], self.launches, host=host, **self.options)
        return build(self.ranks, text, self.launches, host=host, **self.options)


ALL: list[Litmus] = []


def case(name: str, about: str, text: list[str] | Text,
         allow: str = "", forbid: str = "", verdict: str = "ok",
         ranks: int = 0, launches: int = 1, **options: Any) -> None:
    ALL.append(Litmus(name, about, text, allow, forbid, verdict, ranks, launches, options))


def seq(*lines: str) -> str:
    return "; ".join(line for line in lines if line)


# -- message passing: rules 1 to 4 -----------------------------------------------------------------------------------
case("mp-bundled", "rule 3: a bundled signal covers its own put",
     ["store x = 1; put x -> y@1 signal s", "wait s >= 1; load r = y"],
     allow="r=1", forbid="r=0")
case("mp-plain", "rule 4: a plain signal covers earlier puts to its peer on its context",
     ["store x = 1; put x -> y@1; signal s@1", "wait s >= 1; load r = y"],
     allow="r=1", forbid="r=0")
case("mp-relaxed", "a relaxed signal covers nothing",
     ["store x = 1; put x -> y@1; signal s@1 relaxed", "wait s >= 1; load r = y"],
     allow="r=0 | r=1", verdict="race y@1, uncovered-put y@1")
case("mp-other-context", "a plain signal covers its own context only",
     ["store x = 1; put x -> y@1 ctx 1; signal s@1", "wait s >= 1; load r = y"],
     allow="r=0 | r=1", verdict="race y@1, uncovered-put y@1")
case("mp-other-peer", "a plain signal covers puts to its own peer only; s covers, but not for rank 2",
     ["store x = 1; put x -> y@1 signal s; signal t@2",
      "wait s >= 1",
      "wait t >= 1; get y@1 -> z as g; await g; load r = z"],
     allow="r=0 | r=1", verdict="race y@1")
case("two-puts-bundled", "a bundled signal does not cover an earlier put",
     ["store x = 1; put x -> y@1; put 2 -> z@1 signal s", "wait s >= 1; load a = y; load b = z"],
     allow="a=0 b=2 | a=1 b=2", forbid="b=0", verdict="race y@1, uncovered-put y@1")
case("two-puts-plain", "one plain signal covers both puts",
     ["store x = 1; put x -> y@1; put 2 -> z@1; signal s@1", "wait s >= 1; load a = y; load b = z"],
     allow="a=1 b=2", forbid="a=0 | b=0")
case("plain-before-put", "a signal covers nothing that comes after it",
     ["signal s@1; put 1 -> y@1", "wait s >= 1; load r = y"],
     allow="r=0 | r=1", verdict="race y@1, uncovered-put y@1")
case("third-rank", "no cover through a third rank",
     ["put 1 -> y@2; signal s@1", "wait s >= 1; signal t@2", "wait t >= 1; load r = y"],
     allow="r=0 | r=1", verdict="race y@2, uncovered-put y@2")
case("third-rank-await", "... nor does the await of the put's token help",
     ["put 1 -> y@2 as p; await p; signal s@1", "wait s >= 1; signal t@2", "wait t >= 1; load r = y"],
     allow="r=0 | r=1", verdict="race y@2, uncovered-put y@2")
case("await-is-not-cover", "done is local: the bytes may still be on their way",
     ["store x = 1; put x -> y@1 as p; await p; signal s@1 relaxed", "wait s >= 1; load r = y"],
     allow="r=0 | r=1", verdict="race y@1, uncovered-put y@1")
case("relay", "issue → source read: what a wait acquired reaches the source reads of later puts",
     ["put 1 -> y@1 signal s", "wait s >= 1; put y -> z@2 signal t", "wait t >= 1; load r = z"],
     allow="r=1", forbid="r=0")
case("carried-by-relaxed",
     "a relaxed signal carries what its agent acquired; ranks count down so that rule 5 needs two rounds",
     ["wait t >= 1; get y@1 -> z as g; await g; load r = z",
      "wait s >= 1; signal t@0 relaxed",
      "put 1 -> y@1 signal s"],
     allow="r=1", forbid="r=0")
case("carried-by-bundled", "a put's delivery carries what its agent acquired",
     ["wait t >= 1; get y@1 -> z as g; await g; load r = z",
      "wait s >= 1; put 3 -> w@0 signal t",
      "put 1 -> y@1 signal s"],
     allow="r=1", forbid="r=0")

# -- puts: late source reads, torn and unordered delivery ------------------------------------------------------------
case("source-reuse", "the source may be read late",
     ["store x = 1; put x -> y@1 signal s; store x = 2", "wait s >= 1; load r = y"],
     allow="r=1 | r=2", forbid="r=0", verdict="race x@0")
case("source-reuse-await", "rule 6: after its token the source is free",
     ["store x = 1; put x -> y@1 signal s as p; await p; store x = 2", "wait s >= 1; load r = y"],
     allow="r=1", forbid="r=2 | r=0")
case("source-reuse-flush", "rule 6: or after a flush",
     ["store x = 1; put x -> y@1 signal s; flush; store x = 2", "wait s >= 1; load r = y"],
     allow="r=1", forbid="r=2 | r=0")
case("source-reuse-reply", "source read → deliver: a reply to the data frees the source too",
     ["store x = 1; put x -> y@1 signal s; wait t >= 1; store x = 2",
      "wait s >= 1; load r = y; signal t@0 relaxed"],
     allow="r=1", forbid="r=2 | r=0")
case("put-value", "put_value reads its value at issue",
     ["put 7 -> y@1 signal s", "wait s >= 1; load r = y"],
     allow="r=7", forbid="r=0")
case("torn-first", "a put is delivered in pieces: its first cell may come first ...",
     ["store x[0] = 1; store x[1] = 1; put x[0:2] -> y[0:2]@1 signal s",
      "load a = y[0]; signal u@1; wait u >= 1; load b = y[1]; wait s >= 1"],
     allow="a=1 b=0 | a=0 b=1 | a=1 b=1 | a=0 b=0", verdict="race y@1")
case("torn-last", "... or its last",
     ["store x[0] = 1; store x[1] = 1; put x[0:2] -> y[0:2]@1 signal s",
      "load b = y[1]; signal u@1; wait u >= 1; load a = y[0]; wait s >= 1"],
     allow="a=0 b=1 | a=1 b=0", verdict="race y@1")
case("waw-one-source", "puts to one address are unordered, even from one agent",
     ["put 1 -> y@1; put 2 -> y@1; signal s@1", "wait s >= 1; load r = y"],
     allow="r=1 | r=2", forbid="r=0", verdict="race y@1")
case("waw-two-sources", "... and from two",
     ["put 1 -> y@2 signal s", "put 2 -> y@2 signal s", "wait s >= 2; load r = y"],
     allow="r=1 | r=2", forbid="r=0", verdict="race y@2")
case("waw-acknowledged", "a reply to the first put orders the second",
     ["put 1 -> y@1 signal s[0]; wait t >= 1; put 2 -> y@1 signal s[1]",
      "wait s[0] >= 1; signal t@0 relaxed; wait s[1] >= 1; load r = y"],
     allow="r=2", forbid="r=0 | r=1 | y[0]@1=1")
case("self-put", "a put to oneself obeys the same rules",
     ["store x = 1; put x -> y@0 signal s; wait s >= 1; load r = y"],
     allow="r=1", forbid="r=0")
case("self-put-unwaited", "... also when nobody waits for it",
     ["store x = 1; put x -> y@0 signal s; load r = y; wait s >= 1"],
     allow="r=0 | r=1", verdict="race y@0")
case("same-place", "a put onto itself is a no-op that still signals",
     ["store x = 1; put x -> x@0 signal s; load r = x; wait s >= 1"],
     allow="r=1", forbid="r=0")
case("overlap", "a put onto a part of itself is an error",
     ["put x[0:2] -> x[1:3]@0 signal s; wait s >= 1"],
     verdict="overlap")
case("out-of-bounds", "a put past the end of the peer's smaller window",
     ["put 1 -> y[1]@1 signal s", "wait s >= 1; load r = y[0]"],
     verdict="out-of-bounds", sizes={"y": (2, 1)})
case("access-right", "a gin.source window is its own rank's alone",
     ["put 1 -> y@1 signal s", "wait s >= 1"],
     verdict="access-right", source=["y"])

# -- gets ------------------------------------------------------------------------------------------------------------
case("get-await", "a get's data is there after its token",
     ["barrier; get y@1 -> z as g; await g; load r = z", "store y = 1; barrier"],
     allow="r=1", forbid="r=0")
case("get-before-await", "... and not before",
     ["barrier; get y@1 -> z as g; load r = z; await g", "store y = 1; barrier"],
     allow="r=0 | r=1", verdict="race z@0")
case("get-then-signal", "a signal does not cover a pending get",
     ["get y@1 -> z as g; signal s@1; await g; load r = z", "wait s >= 1; store y = 1"],
     allow="r=0 | r=1", verdict="race y@1")
case("get-await-signal", "await it first",
     ["get y@1 -> z as g; await g; signal s@1 relaxed; load r = z", "wait s >= 1; store y = 1"],
     allow="r=0", forbid="r=1")
case("get-over-store", "a get's destination is written after the agent's earlier stores to it",
     ["barrier; store z = 5; get y@1 -> z as g; await g; load r = z", "store y = 1; barrier"],
     allow="r=1", forbid="r=0 | r=5")

# -- the agent's own loads and stores --------------------------------------------------------------------------------
case("store-plain", "rule 4: a plain signal releases earlier stores",
     ["store x = 1; signal s@1", "wait s >= 1; get x@0 -> z as g; await g; load r = z"],
     allow="r=1", forbid="r=0")
case("store-relaxed", "a relaxed signal does not",
     ["store x = 1; signal s@1 relaxed", "wait s >= 1; get x@0 -> z as g; await g; load r = z"],
     allow="r=0 | r=1", verdict="race x@0")
case("store-bundled", "nor does a bundled signal, not even for the put's own source",
     ["store x = 1; put x -> y@1 signal s",
      "wait s >= 1; load a = y; get x@0 -> z as g; await g; load r = z"],
     allow="a=1 r=0 | a=1 r=1", forbid="a=0", verdict="race x@0")
case("store-wait-relaxed", "a wait in between does not turn an own store into something acquired",
     ["store x = 1; wait u >= 1; signal s@1 relaxed",
      "signal u@0; wait s >= 1; get x@0 -> z as g; await g; load r = z"],
     allow="r=0 | r=1", verdict="race x@0")
case("store-await-relaxed", "nor does the await of a put that read it",
     ["store x = 1; put x -> y@1 signal t as p; await p; signal s@1 relaxed",
      "wait s >= 1; get x@0 -> z as g; await g; load r = z; wait t >= 1"],
     allow="r=0 | r=1", verdict="race x@0")
case("store-get-relaxed", "nor does that of a get",
     ["store x = 1; get w@1 -> z as g; await g; signal s@1 relaxed",
      "wait s >= 1; get x@0 -> z as g; await g; load r = z"],
     allow="r=0 | r=1", verdict="race x@0")
case("peer-view-get", "a get is not ordered after its agent's own stores to the peer",
     ["store y@1 = 1; get y@1 -> z as g; await g; load r = z", ""],
     allow="r=0 | r=1", verdict="race y@1")
case("peer-view", "stores through a peer view are released like own ones",
     ["store y@1 = 1; signal s@1", "wait s >= 1; load r = y"],
     allow="r=1", forbid="r=0")
case("peer-view-load", "a barrier releases stores to loads through a peer view",
     ["store x = 1; barrier", "barrier; load r = x@0"],
     allow="r=1", forbid="r=0")
case("credit-plain", "rule 4: a plain credit releases earlier loads",
     ["put 1 -> y@1 signal s[0]; wait c >= 1; put 2 -> y@1 signal s[1]",
      "wait s[0] >= 1; load a = y; signal c@0; wait s[1] >= 1; load b = y"],
     allow="a=1 b=2", forbid="a=2 | b=1")
case("credit-relaxed", "a relaxed credit does not",
     ["put 1 -> y@1 signal s[0]; wait c >= 1; put 2 -> y@1 signal s[1]",
      "wait s[0] >= 1; load a = y; signal c@0 relaxed; wait s[1] >= 1; load b = y"],
     allow="a=1 b=2 | a=2 b=2", forbid="b=1", verdict="race y@1")
case("credit-bundled", "nor does one that is bundled with a put",
     ["put 1 -> y@1 signal s[0]; wait c >= 1; put 2 -> y@1 signal s[1]",
      "wait s[0] >= 1; load a = y; put 3 -> w@0 signal c; wait s[1] >= 1; load b = y"],
     allow="a=1 b=2 | a=2 b=2", forbid="b=1", verdict="race y@1")
case("no-credit", "double buffering without a credit: overwritten before it is read",
     ["put 1 -> y@1 signal s[0]; put 2 -> y@1 signal s[1]",
      "wait s[0] >= 1; load a = y; wait s[1] >= 1"],
     allow="a=1 | a=2", forbid="a=0", verdict="race y@1")

# -- counting: rule 5 ------------------------------------------------------------------------------------------------
case("chunks-plain", "one counter, one source, plain signals: a count names the chunk",
     ["put 1 -> y[0]@1; signal s@1; put 2 -> y[1]@1; signal s@1",
      "wait s >= 1; load a = y[0]; wait s >= 2; load b = y[1]"],
     allow="a=1 b=2", forbid="a=0 | b=0")
case("chunks-bundled", "... bundled ones: it does not",
     ["put 1 -> y[0]@1 signal s; put 2 -> y[1]@1 signal s",
      "wait s >= 1; load a = y[0]; wait s >= 2; load b = y[1]"],
     allow="a=0 b=2 | a=1 b=2", forbid="b=0", verdict="race y@1")
case("chunks-contexts", "... nor do plain ones over two contexts",
     ["put 1 -> y[0]@1; signal s@1; put 2 -> y[1]@1 ctx 1; signal s@1 ctx 1",
      "wait s >= 1; load a = y[0]; wait s >= 2; load b = y[1]"],
     allow="a=0 b=2 | a=1 b=2", forbid="b=0", verdict="race y@1")
case("chunks-slots", "one slot for each chunk",
     ["put 1 -> y[0]@1 signal s[0]; put 2 -> y[1]@1 signal s[1]",
      "wait s[0] >= 1; load a = y[0]; wait s[1] >= 1; load b = y[1]"],
     allow="a=1 b=2", forbid="a=0 | b=0")
case("sources-all", "waiting for all of two sources is certain of both",
     ["put 1 -> y[0]@2 signal s",
      "put 2 -> y[1]@2 signal s",
      "wait s >= 2; load a = y[0]; load b = y[1]"],
     allow="a=1 b=2", forbid="a=0 | b=0")
case("sources-one", "waiting for one of two is certain of neither",
     ["put 1 -> y[0]@2 signal s",
      "put 2 -> y[1]@2 signal s",
      "wait s >= 1; load a = y[0]; wait s >= 2; load b = y[1]"],
     allow="a=0 b=2 | a=1 b=2", forbid="b=0", verdict="race y@2")
case("weights", "rule 5 counts weight: 1 from elsewhere cannot make 2",
     ["put 1 -> y@2 signal s add 2", "signal s@2", "wait s >= 2; load r = y; wait s >= 3"],
     allow="r=1", forbid="r=0")
case("count-after-wait", "arrivals that come after the wait do not count against it",
     ["put 1 -> y@1 signal s; wait c >= 1; put 2 -> z@1 signal s",
      "wait s >= 1; load a = y; signal c@0 relaxed; wait s >= 2; load b = z"],
     allow="a=1 b=2", forbid="a=0 | b=0")
case("signals-overtake", "signals to two slots arrive in any order",
     ["signal s@1; signal t@1", "wait t >= 1; test f = s >= 1; wait s >= 1"],
     allow="f=0 | f=1")
case("mutual-support",
     "the limit of rule 5: two waits that could each stand in for the other's cause, yet neither without rank 0",
     ["store x = 1; signal s@1; signal t@2",
      "wait s >= 1; signal t@2 relaxed; wait s >= 2",
      "wait t >= 1; signal s@1 relaxed; get x@0 -> z as g; await g; load r = z; wait t >= 2"],
     allow="r=1", forbid="r=0", verdict="race x@0")
case("test", "a test that succeeds acquires",
     ["put 1 -> y@1 signal s", "test f = s >= 1; if f: load r = y; wait s >= 1"],
     allow="f=0 r=0 | f=1 r=1", forbid="f=1 r=0")
case("test-unguarded", "... one that fails does not",
     ["put 1 -> y@1 signal s", "test f = s >= 1; load r = y; wait s >= 1"],
     allow="f=0 r=0 | f=0 r=1 | f=1 r=1", forbid="f=1 r=0", verdict="race y@1")
case("read", "a read acquires what it counted",
     ["put 1 -> y@1 signal s", "read v = s; if v: load r = y; wait s >= 1"],
     allow="v=0 r=0 | v=1 r=1", forbid="v=1 r=0")

# -- progress and balance --------------------------------------------------------------------------------------------
case("cyclic-waits", "two ranks that wait for each other first",
     ["wait s >= 1; signal t@1", "wait t >= 1; signal s@0"],
     verdict="deadlock")
case("wait-too-many", "a wait for one arrival more than anyone sends",
     ["signal s@1", "wait s >= 2"],
     verdict="deadlock")
case("barrier-branch", "a collective under a rank-dependent branch",
     ["barrier", "signal s@1; wait s >= 1"],
     verdict="deadlock")
case("unconsumed", "one arrival more than anyone waits for",
     ["signal s@1; signal s@1", "wait s >= 1"],
     verdict="unconsumed-signal s@1")
case("uncovered", "a put that no awaited arrival covers could land in a later launch",
     ["put 1 -> y@1 as p; await p", ""],
     allow="y[0]@1=1", verdict="uncovered-put y@1")

# -- barriers: rule 7 ------------------------------------------------------------------------------------------------
case("barrier-put", "a barrier covers puts to the waiting rank, on any context",
     ["put 1 -> y@1 ctx 1; barrier", "barrier; load r = y"],
     allow="r=1", forbid="r=0")
case("barrier-store", "... and loads and stores",
     ["store x = 1; load a = w; barrier; wait s >= 1",
      "barrier; get x@0 -> z as g; await g; load r = z; put 2 -> w@0 signal s"],
     allow="r=1 a=0", forbid="r=0 | a=2")
case("barrier-third", "... but not puts to third ranks",
     ["put 1 -> y@1; barrier", "barrier", "barrier; get y@1 -> z as g; await g; load r = z"],
     allow="r=0 | r=1", verdict="race y@1")
case("barrier-global", "barrier global covers those too",
     ["put 1 -> y@1; barrier global",
      "barrier global",
      "barrier global; get y@1 -> z as g; await g; load r = z"],
     allow="r=1", forbid="r=0")
case("barrier-twice", "two barriers are a global one",
     ["put 1 -> y@1; barrier; barrier",
      "barrier; barrier",
      "barrier; barrier; get y@1 -> z as g; await g; load r = z"],
     allow="r=1", forbid="r=0")
case("barrier-slots", "one summed counter would let rank 0's second barrier stand for rank 1's first",
     ["barrier; barrier", "put 1 -> y@2; barrier; barrier", "barrier; load r = y; barrier"],
     allow="r=1", forbid="r=0")

# -- atomics ---------------------------------------------------------------------------------------------------------
case("accumulate", "accumulating deliveries add, in any order",
     ["store x = 1; put x -> y@2 accumulate signal s",
      "store x = 2; put x -> y@2 accumulate signal s",
      "wait s >= 2; load r = y"],
     allow="r=3", forbid="r=0 | r=1 | r=2")
case("accumulate-put", "an accumulating delivery races with a plain one",
     ["put 1 -> y@2 accumulate signal s", "put 2 -> y@2 signal s", "wait s >= 2; load r = y"],
     allow="r=2 | r=3", forbid="r=0 | r=1", verdict="race y@2")
case("atomic-add", "relaxed atomics, released by plain signals",
     ["add y@2 += 1; signal s@2", "put 2 -> y@2 accumulate; signal s@2", "wait s >= 2; load r = y"],
     allow="r=3", forbid="r=0 | r=1 | r=2")
case("atomic-view-own", "an atomic access through a memref is ordered like a store: the agent sees it",
     ["add y += 1; load r = y"], allow="r=1", forbid="r=0")
case("atomic-put-own", "a remote addition is delivered like a put, also to the rank itself",
     ["put 1 -> y@0 accumulate; load r = y; signal s@0; wait s >= 1"], allow="r=0 | r=1", verdict="race y@0")
case("atomic-put-source", "a put reads what the agent added to its source",
     ["store x = 1; add x += 2; put x -> y@1 signal s", "wait s >= 1; load r = y"],
     allow="r=3", forbid="r=0 | r=1 | r=2")

# -- agents of one rank ----------------------------------------------------------------------------------------------
case("forall", "iterations are agents, forked after what precedes the loop",
     ["wait g >= 1; fork { put x[0] -> y[0]@1 signal s | put x[1] -> y[1]@1 signal s }",
      "put 1 -> x[0]@0; put 2 -> x[1]@0; signal g@0; wait s >= 2; load a = y[0]; load b = y[1]"],
     allow="a=1 b=2", forbid="a=0 | b=0")
case("forall-join", "the loop's end joins them",
     ["fork { store x[0] = 1 | store x[1] = 2 }; put x[0:2] -> y[0:2]@1 signal s",
      "wait s >= 1; load a = y[0]; load b = y[1]"],
     allow="a=1 b=2", forbid="a=0 | b=0")
case("forall-signal", "rule 4: a plain signal after the loop covers the iterations' puts",
     ["fork { put 1 -> y[0]@1 | put 2 -> y[1]@1 }; signal s@1",
      "wait s >= 1; load a = y[0]; load b = y[1]"],
     allow="a=1 b=2", forbid="a=0 | b=0")
case("forall-signal-relaxed", "... a relaxed one does not",
     ["fork { put 1 -> y[0]@1 | put 2 -> y[1]@1 }; signal s@1 relaxed",
      "wait s >= 1; load a = y[0]; load b = y[1]"],
     allow="a=0 b=0 | a=1 b=2", verdict="race y@1, uncovered-put y@1")
case("fork-signal", "rule 4: an iteration's plain signal covers puts before the fork, and not its siblings'",
     ["put 1 -> y[0]@1; fork { signal s@1 | put 2 -> y[1]@1 signal g }",
      "wait s >= 1; load a = y[0]; load b = y[1]; wait g >= 1"],
     allow="a=1 b=0 | a=1 b=2", forbid="a=0", verdict="race y@1")
case("forall-store-signal", "... but releases their stores",
     ["fork { store x = 1 | store w = 1 }; signal s@1",
      "wait s >= 1; get x@0 -> z as g; await g; load r = z"],
     allow="r=1", forbid="r=0")
case("roles", "roles run concurrently and meet by local signals",
     ["fork { wait s >= 1; load r = x | store x = 1; signal s@0 }"],
     allow="r=1", forbid="r=0")
case("roles-relaxed", "a relaxed local signal releases nothing",
     ["fork { wait s >= 1; load r = x | store x = 1; signal s@0 relaxed }"],
     allow="r=0 | r=1", verdict="race x@0")
case("roles-unsynchronised", "roles that share a cell without a signal",
     ["fork { load r = x | store x = 1 }"],
     allow="r=0 | r=1", verdict="race x@0")

# -- whole programs and their launches -------------------------------------------------------------------------------


def all_to_all(ranks: int, before: str = "", after: str = "", buffers: int = 1, slots: int = 1) -> Text:
    """Row `me` of y at every peer; buffer and slot alternate with the launch if asked to."""
    def text(me: int, k: int) -> str:
        others, b, s = [p for p in range(ranks) if p != me], ranks * (k % buffers), ranks * (k % slots)
        return seq(before, *(f"put x -> y[{me + b}]@{p} signal s[{me + s}]" for p in others),
                   *(f"wait s[{q + s}] >= 1; load r{me}{q}{k} = y[{q + b}]" for q in others), after)
    return text


def ring_queue(messages: int, slots: int, drain: bool) -> Text:
    def text(me: int, k: int) -> str:
        if me == 0:
            puts = [f"put {100 * k + i + 1} -> q[{i % slots}]@1 signal f[{i % slots}]" for i in range(messages)]
            credits = [f"wait c >= {i - slots + 1}" if i >= slots else "" for i in range(messages)]
            lines = [line for pair in zip(credits, puts) for line in pair]
            return seq(*lines, f"wait c >= {messages}" if drain else "")
        return seq(*(f"wait f[{i % slots}] >= {i // slots + 1}; load m{k}{i} = q[{i % slots}]; signal c@0"
                     for i in range(messages)))
    return text


def ring_all_reduce(ranks: int) -> Text:
    """Reduce-scatter, then all-gather, in place, one slot for each step."""
    def text(me: int, k: int) -> str:
        right, lines = (me + 1) % ranks, [f"store w[{c}] = {10 ** me}" for c in range(ranks)] + ["barrier"]
        for step in range(2 * ranks - 2):
            chunk, mode = (me - step) % ranks, "accumulate " if step < ranks - 1 else ""
            lines += [f"put w[{chunk}] -> w[{chunk}]@{right} {mode}signal s[{step}]", f"wait s[{step}] >= 1"]
        return seq(*lines, *(f"load r{me}{c} = w[{c}]" for c in range(ranks)))
    return text


case("all-to-all", "right once",
     lambda me, k: seq(f"store x = {me + 1}", all_to_all(2)(me, k)),
     allow="r010=2 r100=1", forbid="r010=0 | r100=0", ranks=2)
case("all-to-all-3", "on three ranks",
     lambda me, k: seq(f"store x = {me + 1}", all_to_all(3)(me, k)),
     allow="r010=2 r120=3", forbid="r010=0", ranks=3)
case("all-to-all-twice", "not launch-closed: the next put overwrites what the slow rank's host has not read",
     all_to_all(2),
     allow="h1.y[1]@0=11 | h1.y[1]@0=21", ranks=2, launches=2,
     verdict="not-closed y@0, not-closed y@1, not-closed s[0]@1, not-closed s[1]@0")
case("all-to-all-entry", "an entry barrier closes it",
     all_to_all(2, before="barrier"),
     allow="r010=11 r011=21 h1.y[1]@0=11", forbid="r010=21 | r010=10 | r011=20 | r011=11 | h1.y[1]@0=21", ranks=2,
     launches=2)
case("all-to-all-exit", "an exit barrier does not, because of the host",
     all_to_all(2, after="barrier"),
     allow="r010=11 h1.y[1]@0=11 | h1.y[1]@0=21", forbid="r010=21", verdict="not-closed y@0, not-closed y@1", ranks=2,
     launches=2)
case("all-to-all-exit-scratch", "... unless no host looks",
     all_to_all(2, after="barrier"),
     allow="r010=11 r011=21", forbid="r010=21 | r011=11", ranks=2, launches=2, scratch=["y"])
case("double-buffer", "buffers and slots alternate with gin.launch mod 2",
     all_to_all(2, buffers=2, slots=2),
     allow="r010=11 r011=21 r012=31", forbid="r010=31 | r012=11 | r012=0", ranks=2, launches=3, scratch=["y"])
case("double-buffer-odd", "... from the other residue",
     lambda me, k: all_to_all(2, buffers=2, slots=2)(me, k + 1),
     allow="r011=11 r012=21 r013=31", forbid="r011=31 | r013=11", ranks=2, launches=3, scratch=["y"])
case("double-buffer-one-slot", "the slots must alternate too: the next launch's arrival comes early",
     all_to_all(2, buffers=2),
     allow="r010=11 | r010=0", ranks=2, launches=3, scratch=["y"],
     verdict="not-closed y@0, not-closed y@1, not-closed s[0]@1, not-closed s[1]@0")
case("early-arrival", "a probe sees a later launch's arrival early",
     lambda me, k: f"put {k + 1} -> y[{k}]@1 signal s" if me == 0 else f"wait s >= 1; test f{k} = s >= 2",
     allow="f0=0 f1=0", verdict="deadlock, not-closed s@1, not-closed y@1", ranks=2, launches=2)
case("early-arrival-probe", "... also where nothing waits",
     lambda me, k: "signal s@1" if me == 0 else f"test f{k} = s >= 1",
     allow="f0=0 f1=0 | f0=0 f1=1 | f0=1 f1=1", verdict="not-closed s@1, unconsumed-signal s@1", ranks=2, launches=2)
case("run-ahead-2", "a rank that may run one launch ahead may run many: no race in two launches ...",
     lambda me, k: "signal s@1" if me == 0 else f"put {k + 1} -> y@1 signal s add 2; wait s >= 3; load r{k} = y",
     allow="r0=1 r1=2", forbid="r0=0", verdict="not-closed s@1", ranks=2, launches=2, scratch=["y"])
case("run-ahead-3", "... but in three, where three arrivals of rank 0 stand for the put's; hence the rule on early arrivals",
     lambda me, k: "signal s@1" if me == 0 else f"put {k + 1} -> y@1 signal s add 2; wait s >= 3; load r{k} = y",
     allow="r0=1 r1=2 r2=3 | r0=0", verdict="not-closed y@1, not-closed s@1", ranks=2, launches=3, scratch=["y"])
case("barrier-parity", "a later launch's barrier must not stand for this one's: it covers later puts only",
     lambda me, k: f"put {k + 1} -> y[{k}]@1; barrier" if me == 0 else f"barrier; load r{k} = y[{k}]",
     allow="r0=1 r1=2", forbid="r0=0 | r1=0", ranks=2, launches=2, scratch=["y"])
case("launch-end", "a launch ends when its puts are done: the next host step may write their sources",
     lambda me, k: f"put x -> y[{k}]@1 signal s[{k}]" if me == 0 else f"wait s[{k}] >= 1; load r{k} = y[{k}]",
     allow="r0=10 r1=20", forbid="r0=20 | r0=0", ranks=2, launches=2, scratch=["y"])
case("launch-acquires", "a relaxed signal carries what the stream did before the launch",
     lambda me, k: "wait c >= 1; put x -> y@1 signal s" if me == 0
     else f"signal c@0 relaxed; wait s >= 1; load r{k} = y",
     allow="r0=10 r1=20 h1.y[0]@1=10", forbid="h1.y[0]@1=20", ranks=2, launches=2)
case("ring-queue", "credits drained in the launch that gave them",
     ring_queue(3, 2, True),
     allow="m00=1 m01=2 m02=3 m10=101 m11=102 m12=103", forbid="m00=3 | m00=101 | m10=1", ranks=2, launches=2,
     scratch=["q"])
case("ring-queue-undrained", "credits left over: the next launch overwrites what has not been read",
     ring_queue(3, 2, False),
     allow="m00=1 m10=101 | m01=102", ranks=2, launches=2, scratch=["q"],
     verdict="not-closed q@1, not-closed f[0]@1, not-closed f[1]@1, unconsumed-signal c@0")
case("ring-all-reduce", "reduce-scatter and all-gather in place on three ranks",
     ring_all_reduce(3),
     allow="r00=111 r01=111 r02=111 r10=111 r21=111", forbid="r00=1 | r11=11", ranks=3)
