#===- axiomatic.py - what the memory model promises ------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===----------------------------------------------------------------------===#
"""The axiomatic model: happens-before by rules 1 to 7, and the verdicts that follow from it.

Happens-before is not one transitive relation over all events: a store that an agent made reaches the source reads of
its later puts, but not their deliveries. So an agent has two histories at each operation, nodes of one graph:

    full      everything before it in program order
    acquired  what the launch's start, waits, awaits and barriers have ordered before it; always part of `full`

and a source read, or the local write of a get, has two sides: `in`, what is ordered before it (the full history), and
`out`, what it passes on (itself and the acquired history). "a before b" means that a path leads from a's out side to
b's in side.

`changes` names rules that are switched off and (with `+`) promises that are added though the model does not make them;
it is for the mutation test.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from .program import Cell, Op, Program, Slot

RULES = {
    "1": "program order", "1-fork": "fork to children", "1-join": "children to join",
    "1-end": "everything before a launch's end is acquired by what follows in the stream",
    "2-put-read": "issue → source read", "2-put-deliver": "source read → deliver",
    "2-put-done": "source read → done",
    "2-acquired": "issue carries what was acquired to deliver and arrive",
    "2-get-read": "issue → remote read", "2-get-write": "remote read → destination written",
    "2-get-done": "destination written → done",
    "3": "deliver → arrive of a bundled signal", "4-put": "deliver of earlier puts → arrive of a plain signal",
    "4-family": "... and deliver of puts of joined children, and of ancestors before the fork",
    "4-load": "earlier loads → arrive", "4-store": "earlier stores → arrive",
    "5": "certainty by counting", "5-wait": "... not counting arrivals after the wait",
    "5-fixpoint": "... repeated until nothing changes",
    "5-base": "... above the base", "6-await": "done → await", "6-flush": "done → flush",
    "7-order": "everything before a barrier → everything after it",
    "7-deliver": "... and deliveries to the waiting rank", "7-global": "... and to any rank",
    "atomic": "atomic accesses do not race with each other", "host": "host steps between launches",
    "cover": "every put is covered", "balance": "every arrival is waited for",
    "early-wait": "no later launch's arrival unordered with a wait of its slot",
    "probe": "... nor with a test or read",
    "same-place": "a put onto itself accesses nothing",
    "+own": "own loads and stores pass through the issue of a put or signal",
    "+wide": "a bundled signal covers earlier puts",
    "+context": "a plain signal covers every context", "+peer": "a plain signal covers every peer",
    "+relaxed": "a relaxed signal is a plain one", "+done": "deliver → done",
    "+third": "a barrier covers puts to third ranks",
    "+count": "a wait is after every arrival at its slot",
    "+put-order": "puts of an agent to a peer are ordered",
}


@dataclass(frozen=True)
class Access:
    cell: Cell
    write: bool
    atomic: bool
    into: int       # node
    out: int        # node
    op: Op
    kind: str       # the operational model's event kind

    def __str__(self) -> str:
        return f"{'write' if self.write else 'read'} by {self.op}"


class HappensBefore:
    """The least relation closed under the rules, as a graph with its transitive closure."""

    def __init__(self, program: Program, results: Mapping[str, int] = {},
                 changes: frozenset[str] = frozenset()) -> None:
        self.program, self.results, self.changes = program, results, changes
        self.node: dict[tuple[str, object], int] = {}
        self.after: list[int] = []                      # node -> mask of nodes strictly after it
        self.accesses: list[Access] = []
        self.arrivals: dict[Slot, list[tuple[int, Op]]] = {}
        self.ops = self._executed(program.ops)
        self._program_order()
        for op in self.ops:
            self._operation(op)
        self._barriers()
        self._counting()

    # -- the graph ---------------------------------------------------------------------------------------------------
    def n(self, kind: str, key: object) -> int:
        if (kind, key) not in self.node:
            self.node[kind, key] = len(self.after)
            self.after.append(0)
        return self.node[kind, key]

    def edge(self, a: int, b: int, *rules: str) -> bool:
        """Adds a → b if none of `rules` is off; says whether that is new."""
        if any(rule in self.changes for rule in rules) or self.after[a] >> b & 1:
            return False
        new = self.after[b] | 1 << b
        for x in range(len(self.after)):
            if x == a or self.after[x] >> a & 1:
                self.after[x] |= new
        return True

    def before(self, a: int, b: int) -> bool:
        return bool(self.after[a] >> b & 1)

    def _access(self, op: Op, cell: Cell, write: bool, atomic: bool, into: int, out: int, kind: str) -> None:
        self.accesses.append(Access(cell, write, atomic, into, out, op, kind))

    def _executed(self, ops: list[Op]) -> list[Op]:
        return [o for o in ops if self.results.get(o.guard, 1)]

    def _earlier(self, op: Op) -> list[Op]:
        return self._executed(self.program.earlier(op))

    def _preceding(self, op: Op) -> list[Op]:
        return self._executed(self.program.preceding(op))

    # -- rule 1: `acquired` and `full` are an operation's histories before it, `next` those after it ----------------
    def _program_order(self) -> None:
        self.next: dict[int, tuple[int, int]] = {}      # op -> (acquired, full) after it
        last: dict[int, Op] = {}
        for op in self.ops:
            acquired, full = self.n("acquired", op.id), self.n("full", op.id)
            self.edge(acquired, full)
            self.next[op.id] = (self.n("acquired after", op.id), self.n("full after", op.id))
            self.edge(acquired, self.next[op.id][0])
            self.edge(full, self.next[op.id][1])
            self.edge(*self.next[op.id])
            if op.agent in last:
                host = last[op.agent].kind == "end"     # stream order stays when program order is switched off
                for a, b in zip(self.next[last[op.agent].id], (acquired, full)):
                    self.edge(a, b, *([] if host else ["1"]))
            elif op.agent in self.program.parent:
                for a, b in zip(self.next[self.program.parent[op.agent]], (acquired, full)):
                    self.edge(a, b, "1-fork")
            last[op.agent] = op
            if op.kind == "join":
                for child in op.children:
                    if child in last:
                        for a, b in zip(self.next[last[child].id], self.next[op.id]):
                            self.edge(a, b, "1-join")

    # -- rules 2, 3, 4, 6 --------------------------------------------------------------------------------------------
    def _operation(self, op: Op) -> None:
        acquired, full = self.n("acquired", op.id), self.n("full", op.id)
        carry = full if "+own" in self.changes else acquired
        acquired_after, full_after = self.next[op.id]
        if op.kind in ("load", "store", "add"):
            for cell in op.src + op.dst:
                here = self.n("perform", op.id)
                self._access(op, cell, op.kind != "load", op.kind == "add", here, here, "perform")
                self.edge(full, here)
                self.edge(here, full_after)
        elif op.kind == "put":
            deliver, done = self.n("deliver", op.id), self.n("done", op.id)
            self.edge(carry, deliver, "2-acquired")
            self.edge(carry, done, "2-acquired")
            for cell in op.src:
                into, read = self.n("read in", op.id), self.n("read", op.id)
                self._access(op, cell, False, False, into, read, "read")
                self.edge(full, into, "2-put-read")
                self.edge(carry, read, "2-put-read", "2-acquired")
                self.edge(read, deliver, "2-put-deliver")
                self.edge(read, done, "2-put-done")
            for cell in op.dst:
                self._access(op, cell, True, op.accumulate, deliver, deliver, "deliver")
            if "+done" in self.changes:
                self.edge(deliver, done)
            channel = [o for o in self._earlier(op) if o.kind == "put" and (o.peer, o.ctx) == (op.peer, op.ctx)]
            for put in channel if "+put-order" in self.changes else ():
                self.edge(self.n("deliver", put.id), deliver)
            if op.slot[1]:
                self._arrival(op, carry)
                self.edge(deliver, self.n("arrive", op.id), "3")
                for put in channel if "+wide" in self.changes else ():
                    self.edge(self.n("deliver", put.id), self.n("arrive", op.id))
            if "same-place" in self.changes and not op.dst and not op.immediate:
                cell = (op.rank, op.text.split()[1].split("[")[0], 0)
                self._access(op, cell, True, False, deliver, deliver, "deliver")
        elif op.kind == "get":
            done = self.n("done", op.id)
            self.edge(carry, done, "2-acquired")
            for source, target in zip(op.src, op.dst):
                read, into, wrote = (self.n(kind, op.id) for kind in ("remote read", "written in", "written"))
                self._access(op, source, False, False, read, read, "read")
                self._access(op, target, True, False, into, wrote, "deliver")
                self.edge(carry, read, "2-get-read")
                self.edge(full, into)
                self.edge(read, into, "2-get-write")
                self.edge(read, wrote, "2-get-write")
                self.edge(wrote, done, "2-get-done")
        elif op.kind == "signal":
            self._arrival(op, carry)
            if not op.relaxed or "+relaxed" in self.changes:
                arrive = self.n("arrive", op.id)
                for o in self._earlier(op) if "4-family" in self.changes else self._preceding(op):
                    covered = ((o.peer == op.peer or "+peer" in self.changes)
                               and (o.ctx == op.ctx or "+context" in self.changes))
                    if o.kind == "put" and covered:
                        self.edge(self.n("deliver", o.id), arrive, "4-put")
                for o in self._preceding(op):
                    if o.kind in ("load", "store", "add"):
                        self.edge(self.n("perform", o.id), arrive, "4-load" if o.kind == "load" else "4-store")
        elif op.kind == "await":
            for o in [o for o in self._earlier(op) if o.token == op.token and o.kind != "await"][-1:]:
                self.edge(self.n("done", o.id), acquired_after, "6-await")
        elif op.kind == "flush":
            for o in self._earlier(op):
                if o.kind in ("put", "get"):
                    self.edge(self.n("done", o.id), acquired_after, "6-flush")
        elif op.kind == "end":
            self.edge(full, acquired_after, "1-end")
            for o in self.ops:
                if o.kind in ("put", "get") and o.rank == op.rank and o.launch == op.launch and not op.host:
                    self.edge(self.n("done", o.id), acquired_after, "1-end")

    def _arrival(self, op: Op, carry: int) -> None:
        arrive = self.n("arrive", op.id)
        self.edge(carry, arrive, "2-acquired")
        self.arrivals.setdefault(op.slot, []).append((arrive, op))

    # -- rule 7 ------------------------------------------------------------------------------------------------------
    def _barriers(self) -> None:
        at = {r: [op for op in self.ops if op.kind == "barrier" and op.rank == r] for r in range(self.program.ranks)}
        for number in range(max(map(len, at.values()))):
            members = [at[r][number] if number < len(at[r]) else None for r in at]
            for op in filter(None, members):
                passed = self.next[op.id][0]
                for member in members:
                    if member is None:
                        self.edge(passed, passed, "7-order")            # never passed
                        continue
                    self.edge(self.n("full", member.id), passed, "7-order")
                    for put in (o for o in self._preceding(member) if o.kind == "put"):
                        if put.peer == op.rank:
                            self.edge(self.n("deliver", put.id), passed, "7-deliver")
                        elif op.world or "+third" in self.changes:
                            self.edge(self.n("deliver", put.id), passed, "7-global")

    # -- rule 5: e ranges over all nodes; a node that stands for a history adds no more than its members do ----------
    def _counting(self) -> None:
        waits = []
        for op in self.ops:
            n = op.count if op.kind == "wait" else 0
            if op.kind in ("test", "read"):         # a test that succeeds is a wait, a read one for what it returned
                n = self.results.get(op.reg, 0) * (op.count if op.kind == "test" else 1)
            if n > 0:
                if "5-base" not in self.changes:
                    n += self.program.base(op.slot, op.launch, self.results)
                waits.append((self.next[op.id][0], self.arrivals.get(op.slot, []), n))
        changed = "5" not in self.changes
        while changed:
            changed = False
            for wait, arrivals, n in waits:
                if "+count" in self.changes:
                    for arrive, _ in arrivals:
                        changed |= self.edge(arrive, wait)
                for event in range(len(self.after)):
                    if self.before(event, wait):
                        continue
                    weight = sum(op.weight for arrive, op in arrivals
                                 if arrive != event and not self.before(event, arrive)
                                 and (not self.before(wait, arrive) or "5-wait" in self.changes))
                    if weight <= n - 1:
                        changed |= self.edge(event, wait)
            changed &= "5-fixpoint" not in self.changes
        self.deadlock = any(self.before(x, x) for x in range(len(self.after)))

    # -- verdicts ----------------------------------------------------------------------------------------------------
    def ordered(self, a: Access, b: Access) -> bool:
        return self.before(a.out, b.into) or self.before(b.out, a.into)

    def conflicts(self) -> list[tuple[Access, Access]]:
        """Pairs of accesses to a common cell, at least one a write, at least one not atomic."""
        return [(a, b) for a, b in combinations(self.accesses, 2) if a.cell == b.cell and a.op is not b.op
                and (a.write or b.write) and not (a.atomic and b.atomic and "atomic" not in self.changes)]

    def races(self) -> list[tuple[Access, Access]]:
        return [(a, b) for a, b in self.conflicts() if not self.ordered(a, b)]

    def _covered(self, put: Op) -> bool:
        """An arrival that somebody waits for, or a barrier, in the put's launch, comes after its delivery."""
        deliver, program = self.n("deliver", put.id), self.program
        arrivals = [(a, slot) for slot, some in self.arrivals.items() for a, op in some if op.launch == put.launch]
        barriers = [op for op in self.ops if op.kind == "barrier" and op.launch == put.launch]
        return (any(self.before(deliver, a) and program.waited(slot, put.launch, self.results) for a, slot in arrivals)
                or any(self.before(deliver, self.next[op.id][0]) for op in barriers))

    def verdict(self) -> frozenset[str]:
        """All that is wrong with the program, as `kind` or `kind place@rank`; empty if it is correct."""
        program, found = self.program, set(self.program.errors)
        if self.deadlock:
            return frozenset(found | {"deadlock"})
        kind = "race" if program.launches == 1 else "not-closed"
        found |= {f"{kind} {a.cell[1]}@{a.cell[0]}" for a, _ in self.races()}
        for op in self.ops:
            if op.kind == "put" and op.dst and "cover" not in self.changes and not self._covered(op):
                found.add(f"uncovered-put {op.dst[0][1]}@{op.peer}")
            rule = {"wait": "early-wait", "test": "probe", "read": "probe"}.get(op.kind)
            if rule and rule not in self.changes:
                for arrive, signal in self.arrivals.get(op.slot, []):
                    if signal.launch > op.launch and not self.before(self.next[op.id][0], arrive):
                        found.add(f"not-closed {op.slot[1]}@{op.rank}")
        for slot, arrivals in self.arrivals.items():
            for launch in range(program.launches):
                sent = sum(op.weight for _, op in arrivals if op.launch == launch)
                if sent > program.waited(slot, launch, self.results) and "balance" not in self.changes:
                    found.add(f"unconsumed-signal {slot[1]}@{slot[0]}")
        return frozenset(found)
