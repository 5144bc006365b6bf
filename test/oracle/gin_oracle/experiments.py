#===- experiments.py - the two models held against each other --------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===----------------------------------------------------------------------===#
"""Runs the litmus programs, the mutation test and the soundness experiment."""
from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from . import axiomatic, litmus, operational
from .axiomatic import Access, HappensBefore
from .litmus import Litmus
from .operational import Machine, Result
from .program import Op, Program, build

NONE: frozenset[str] = frozenset()
LOOSE = frozenset({"early-wait"})       # without the rule on early arrivals: what it is needed for is counted


# -- litmus ----------------------------------------------------------------------------------------------------------
def holds(pattern: str, outcome: dict[str, int]) -> bool:
    return all(outcome[name] == int(value) for name, value in (term.split("=") for term in pattern.split()))


def observe(test: Litmus, off: frozenset[str] = NONE, limit: int = 20_000) -> tuple[Program, Result, list[str]]:
    """The operational half of a litmus program; the list says what differs from its expectation."""
    program = test.program(host="host" not in off)
    result = Machine(program, off).explore(limit)
    outcomes, wrong = [dict(outcome) for outcome in result.outcomes], []
    known = set(outcomes[0]) if outcomes else set()
    for patterns, wanted in ((test.allow, True), (test.forbid, False)):
        for pattern in filter(None, map(str.strip, patterns.split("|"))):
            usable = {term.split("=")[0] for term in pattern.split()} <= known
            if (usable and any(holds(pattern, outcome) for outcome in outcomes)) != wanted:
                wrong.append(f"{pattern} is {'not reached' if wanted else 'reached'}")
    if result.deadlock != ("deadlock" in test.verdict):
        wrong.append(f"deadlock: {result.deadlock}")
    if not result.deadlock and result.unconsumed != ("unconsumed" in test.verdict):
        wrong.append(f"unconsumed: {result.unconsumed}")
    return program, result, wrong


def verdict(program: Program, result: Result, changes: frozenset[str] = NONE) -> frozenset[str]:
    """The axiomatic half: what is wrong in any execution, these differing by the results of tests and reads."""
    return frozenset().union(*(HappensBefore(program, dict(probe), changes).verdict() for probe in result.probes))


def judge(test: Litmus) -> tuple[list[str], Result]:
    program, result, wrong = observe(test)
    found, wanted = verdict(program, result), test.expected()
    if found != wanted:
        wrong.append(f"verdict {', '.join(sorted(found)) or 'ok'}, expected {', '.join(sorted(wanted)) or 'ok'}")
    if not result.complete:
        wrong.append("not explored to the end")
    return wrong, result


def run_litmus() -> bool:
    failed = states = 0
    for test in litmus.ALL:
        wrong, result = judge(test)
        states += result.states
        failed += bool(wrong)
        for line in wrong:
            print(f"FAILED {test.name}: {line}")
    print(f"litmus: {len(litmus.ALL) - failed} passed, {failed} failed ({states} states explored)")
    return not failed


# -- mutations -------------------------------------------------------------------------------------------------------
def killers(name: str, side: str) -> Iterator[str]:
    """The litmus programs whose expectation fails when `name` is switched off, or added, in one of the models."""
    for test in litmus.ALL:
        program, result, wrong = observe(test, frozenset({name}) if side == "operational" else NONE, 5_000)
        if side == "axiomatic":
            mutant = test.program(host=False) if name == "host" else program
            wrong = [""] * (verdict(mutant, result, frozenset({name})) != test.expected())
        if wrong:
            yield test.name


def exposers(name: str, side: str) -> Iterator[str]:
    """The litmus programs on which the soundness experiment finds that the rules promise more than the model keeps."""
    for test in litmus.ALL:
        report, change = Report(), frozenset({name})
        compare(test.program(), "", report, 500, *((change, NONE) if side == "operational" else (NONE, change)))
        if any(kind.startswith("UNSOUND") for kind in report.counts):
            yield test.name


def run_mutations(verbose: bool = False) -> bool:
    """Switches off each guarantee, freedom and rule alone, and adds each promise: a litmus program must notice. The
    soundness experiment must notice too where a guarantee is missing or a promise is added."""
    texts = {"operational": {**operational.GUARANTEES, **operational.FREEDOMS}, "axiomatic": axiomatic.RULES}
    mutants = [(killers, "mutation", side, name) for side, names in texts.items() for name in names]
    mutants += [(exposers, "unsoundness", "operational", name) for name in operational.GUARANTEES if name != "host"]
    mutants += [(exposers, "unsoundness", "axiomatic", name) for name in axiomatic.RULES
                if name.startswith("+")]
    missed = Counter[str]()
    for search, kind, side, name in mutants:
        found = list(search(name, side) if verbose else islice(search(name, side), 1))
        missed[kind] += not found
        if verbose or not found:
            who = f"{len(found)}: {', '.join(found[:3])}" if found else "NOT NOTICED"
            print(f"  {kind} of the {side} model, {name} ({texts[side][name]}): {who}")
    for kind, total in Counter(mutant[1] for mutant in mutants).items():
        print(f"{kind}: {total - missed[kind]} of {total} noticed")
    return not missed.total()


# -- soundness -------------------------------------------------------------------------------------------------------
@dataclass
class Sample:
    """A random program, kept as text so that it can be printed and shrunk."""
    texts: list[str]
    launches: int = 1
    scratch: tuple[str, ...] = ()

    def program(self, launches: int = 0) -> Program:
        def text(me: int, k: int) -> str:
            return re.sub(r"\b([rt]\d+)\b", rf"\1_{k}", self.texts[me])     # registers of their own for each launch
        return build(len(self.texts), text, launches or self.launches, scratch=self.scratch)

    def __str__(self) -> str:
        head = [f"({self.launches} launches)"] if self.launches > 1 else []
        return "\n".join(f"      {text or '(nothing)'}" for text in head + self.texts)


def random_sample(dice: random.Random) -> Sample:
    """2 or 3 ranks, 2 to 4 operations for each agent, 1 or 2 cells, 1 or 2 slots. Mostly free of deadlock: operations
    are chosen along one sequential execution, and a wait asks for what has been sent in it."""
    ranks, cells, slots = dice.choice((2, 2, 3)), dice.choice((1, 1, 2)), dice.choice((1, 2, 2))
    lines: list[list[str]] = [[] for _ in range(ranks)]
    sent, waited, fresh = Counter[tuple[int, int]](), Counter[tuple[int, int]](), iter(range(1, 99))
    forks = dice.random() < 0.15
    turns = [r for r in range(ranks) for _ in range(dice.randint(2, 4))]
    dice.shuffle(turns)

    def send(me: int) -> str:
        peer = dice.choice([p for p in range(ranks) if p != me] * 4 + [me])
        window, cell, slot, n = dice.choice("xyy"), dice.randrange(cells), dice.randrange(slots), next(fresh)
        target, kind = f"y[{cell}]@{peer}", dice.choice("bbbbbppprructagesww")
        if kind in "bpcta":
            whole = cells > 1 and kind == "b" and dice.random() < 0.3
            source = "x[0:2]" if whole else dice.choice((f"x[{cell}]", str(n)))
            text = f"put {source} -> {'y[0:2]' + f'@{peer}' if whole else target}"
            text += dice.choice(("", " ctx 1")) if kind == "c" else ""
            text += dice.choice((" accumulate", "")) if kind == "a" else ""
            if kind in "ba" or kind == "c" and dice.random() < 0.5:
                sent[peer, slot] += 1
                text += f" signal s[{slot}]"
            return text + (f" as p{n}; await p{n}" if kind == "t" else "")
        if kind in "rusw":
            sent[peer, slot] += 1
            other = " ctx 1" if kind == "u" and dice.random() < 0.3 else ""
            return f"signal s[{slot}]@{peer}" + (" relaxed" if kind == "r" else other)
        if kind == "g":
            return f"get {window}[{cell}]@{peer} -> z as p{n}" + dice.choice(("", f"; await p{n}; load r{n} = z"))
        return dice.choice((f"add {target} += {n}", "flush"))

    for me in turns:
        ready = [s for s in range(slots) if sent[me, s] > waited[me, s]]
        if ready and dice.random() < 0.6:
            slot = dice.choice(ready)
            waited[me, slot] = dice.choice((sent[me, slot], dice.randint(waited[me, slot] + 1, sent[me, slot])))
            lines[me].append(f"wait s[{slot}] >= {waited[me, slot] + (dice.random() < 0.03)}")
            if dice.random() < 0.4:
                lines[me].append(f"load r{next(fresh)} = y[{dice.randrange(cells)}]")
        elif dice.random() < 0.3:
            n, cell = next(fresh), dice.randrange(cells)
            test = f"test t{n} = s[0] >= 1; if t{n}: " if dice.random() < 0.06 else ""
            lines[me].append(dice.choice((f"store x[{cell}] = {n}", f"store y[{cell}] = {n}", f"load r{n} = x[{cell}]",
                                          f"load r{n} = y[{cell}]", f"{test}load r{n} = y[{cell}]")))
        else:
            lines[me].append(send(me))
        if not forks and dice.random() < 0.05:
            barrier = dice.choice(("barrier", "barrier", "barrier global"))
            for some in lines:
                some.append(barrier)
    for (me, slot), count in sorted(sent.items()):         # most often, every arrival is waited for
        if waited[me, slot] < count and dice.random() < 0.8:
            lines[me].append(f"wait s[{slot}] >= {count}")
    texts = []
    for some in lines:
        if forks and len(some) > 2 and dice.random() < 0.7:
            cut, end = dice.randint(1, len(some) - 1), dice.randint(0, 1)
            tail, some = (some[len(some) - end:], some[:len(some) - end])
            some = [f"fork {{ {'; '.join(some[:cut])} | {'; '.join(some[cut:]) or 'flush'} }}", *tail]
        texts.append("; ".join(some))
    launches = 2 if dice.random() < 0.15 else 1
    return Sample(texts, launches, dice.choice(((), ("y",), ("y", "z"))) if launches == 2 else ())


@dataclass
class Report:
    counts: Counter[str] = field(default_factory=Counter)
    states: int = 0
    smallest: dict[str, tuple[int, str]] = field(default_factory=dict)     # kind of finding -> smallest program

    def note(self, kind: str, text: str, size: int) -> None:
        self.counts[kind] += 1
        if kind not in self.smallest or size < self.smallest[kind][0]:
            self.smallest[kind] = (size, text)


def event_of(machine: Machine, access: Access) -> int:
    return next(e for e in machine.of[access.op.id]
                if machine.events[e].kind == access.kind and access.cell in machine.events[e].cells)


def end_of(machine: Machine, put: Op) -> int:
    """The event that ends the put's launch at its destination."""
    ends = (o for o in machine.program.ops if o.kind == "end" and not o.host)
    return machine.of[next(o for o in ends if (o.rank, o.launch) == (put.peer, put.launch)).id][0]


def compare(program: Program, text: str, report: Report, limit: int,
            off: frozenset[str] = NONE, changes: frozenset[str] = NONE) -> None:
    """Compares the two models on one program. A finding whose kind begins with UNSOUND is a mistake."""
    size = len(program.ops)
    machine = Machine(program, off)
    result = machine.explore(limit)
    if not result.complete:
        more = machine.sample(300)
        result.outcomes |= more.outcomes
        result.probes |= more.probes
        report.counts["explored by sampling"] += 1
    report.states += result.states
    report.counts["programs"] += 1
    racy = deadlocked = False
    for probe in result.probes:
        order = HappensBefore(program, dict(probe), changes)
        found = order.verdict()
        deadlocked |= order.deadlock
        if order.deadlock:
            continue
        races = any(v.startswith(("race", "not-closed")) for v in found)
        racy |= races
        group = {outcome for outcome in result.outcomes if set(probe) <= set(outcome)}
        if not races and len(group) > 1:
            report.note("UNSOUND: no race, but outcomes differ", text, size)
        if races and not machine.tests:
            report.counts["races with differing outcomes" if len(group) > 1 else "races with one outcome"] += 1
        if machine.tests:
            continue
        withheld: dict[int, int] = {}
        for a, b in order.conflicts():
            x, y = event_of(machine, a), event_of(machine, b)
            for e in (x, y):
                withheld.setdefault(e, machine.without(1 << e))
            first, second = (not withheld[e] >> f & 1 or e in machine.events[f].forward     # seen before it is visible
                             for e, f in ((x, y), (y, x)))
            pair = f"{text}\n      {a}\n      {b}"
            for said, true in ((order.before(a.out, b.into), first), (order.before(b.out, a.into), second)):
                if said and not true:
                    report.note("UNSOUND: ordered by the rules, not by the model", pair, size)
            if not order.ordered(a, b):
                report.counts["racing pairs"] += 1
                if first or second:
                    report.note("OVER-APPROXIMATION: a race by the rules that no execution shows", pair, size)
        if program.launches == 1:
            kept = not any(v.startswith(("uncovered", "unconsumed")) for v in found)
        else:
            kept = not found
        late = [event.op for e, event in enumerate(machine.events) if event.kind == "deliver" and event.op.kind == "put"
                and machine.without(1 << e) >> end_of(machine, event.op) & 1]
        if late and kept:
            report.note("UNSOUND: covered and balanced, but delivered after the launch", text, size)
        if program.launches == 1 and result.unconsumed != any(v.startswith("unconsumed") for v in found):
            report.note("UNSOUND: balance differs", text, size)
    if deadlocked != result.deadlock:
        report.note("UNSOUND: deadlock differs", text, size)
    report.counts["deadlocked" if deadlocked else "racy" if racy else "race-free"] += 1


def compare_launches(sample: Sample, report: Report) -> None:
    """Is a program that is launch-closed by two launches still free of races in three and four?"""
    if "test" in "".join(sample.texts):
        return
    sample = Sample(sample.texts, 2, ("x", "y", "z"))
    if HappensBefore(sample.program(), {}, LOOSE).verdict():
        return
    closed = not HappensBefore(sample.program()).verdict()
    report.counts["closed in two launches"] += closed
    report.counts["closed but for an early arrival"] += not closed
    if any(HappensBefore(sample.program(launches), {}, LOOSE).verdict() for launches in (3, 4)):
        kind = ("UNSOUND: closed in two launches, not in three or four" if closed
                else "NEEDS THE RULE ON EARLY ARRIVALS: in three or four launches there is a race")
        report.note(kind, f"    random program\n{sample}", sum(map(len, sample.texts)))


def run_soundness(programs: int, seed: int, verbose: bool = False) -> bool:
    report, dice = Report(), random.Random(seed)
    for test in litmus.ALL:
        compare(test.program(), f"    litmus {test.name}", report, 20_000)
    for _ in range(programs):
        sample = random_sample(dice)
        compare(sample.program(), f"    random program\n{sample}", report, 2_000)
        compare_launches(sample, report)
    print(f"soundness: {report.states} states explored")
    for kind, n in sorted(report.counts.items()):
        print(f"  {n:6} {kind}")
        if kind in report.smallest and (verbose or kind.startswith("UNSOUND")):
            print(f"    smallest:\n{report.smallest[kind][1]}")
    return not any(kind.startswith("UNSOUND") for kind in report.counts)
