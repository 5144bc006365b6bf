#===- operational.py - what may happen -------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===----------------------------------------------------------------------===#
"""The operational model: which orders of events the network and the ranks may produce, and what the program then reads.

An operation is split into events. Each event has prerequisites, and a wait also needs a count, so an execution is any
order of the events that respects both. A guarantee of the memory model is a prerequisite; a freedom of the network is
its absence. Events never disable each other: what a wait has seen stays seen. So, if no `test` or `read` decides what
runs, "b cannot happen before a" is decided exactly by running everything else with a held back (`Machine.without`).

`off` switches off single guarantees or freedoms, for the mutation test; their names stand in GUARANTEES and FREEDOMS.
"""
from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .program import Cell, Op, Program

GUARANTEES = {
    "po": "operations of an agent issue in program order",
    "fork": "children start after the fork", "join": "the parent goes on after its children",
    "read-issue": "a source is read after the issue", "deliver-read": "a cell is delivered after it was read",
    "done-read": "a put is done after its source reads",
    "get-issue": "a get reads after its issue", "get-write": "a get writes what it has read",
    "get-done": "a get is done when written",
    "bundled": "a bundled signal arrives after its own put",
    "plain-put": "a plain signal arrives after earlier puts to its peer on its context",
    "plain-family": "... those of joined children, and of ancestors before the fork, included",
    "plain-load": "... and after earlier loads", "plain-store": "... and after earlier stores and atomics",
    "wait": "a wait needs its count", "base": "a wait counts above the base",
    "await": "an await needs its token done", "flush": "a flush needs everything of its agent done",
    "end": "a launch ends when its puts and gets are done and its loads and stores performed",
    "barrier-wait": "a barrier waits for every member",
    "barrier-put": "a barrier covers earlier puts to the waiting rank",
    "barrier-access": "a barrier covers earlier loads and stores",
    "barrier-global": "barrier global has a second round",
    "barrier-slots": "barriers count each source apart (off: one summed counter)",
    "barrier-parity": "... and odd barriers apart from even ones",
    "accumulate": "accumulating deliveries add (off: they overwrite)", "host": "host steps between launches",
}
FREEDOMS = {
    "late-read": "a source is read at any time until done", "torn": "cells are delivered one by one",
    "any-order": "cells are delivered in any order", "put-order": "puts of one agent to one peer overtake each other",
    "bundled-overtakes": "a bundled signal overtakes earlier puts", "relaxed": "a relaxed signal covers nothing",
    "context": "a plain signal overtakes puts on other contexts",
    "peer": "a plain signal overtakes puts to other peers",
    "done-early": "a put is done before it is delivered", "signal-order": "signals of one agent overtake each other",
    "late-store": "a store becomes visible later", "late-load": "a load is performed later",
    "late-get": "a get is asynchronous",
    "early-arrival": "an arrival of a later launch comes before its target has begun that launch",
    "third-rank": "no cover through a third rank", "barrier-third": "a barrier does not cover puts to third ranks",
    "agents": "agents of one rank run concurrently", "self-put": "a put to oneself is asynchronous too",
}


Key = tuple[Any, ...]     # a slot of a bank, or one of a barrier


@dataclass
class Event:
    kind: str                                   # pc perform read deliver done arrive
    op: Op
    pre: int = 0                                # mask of prerequisites
    cells: tuple[Cell, ...] = ()                # what it reads or writes
    writes: bool = False
    atomic: bool = False                        # adds: commutes with other adds
    buffers: tuple[int, ...] = ()               # where a put or get keeps what it has read
    forward: tuple[int, ...] = ()               # own stores to the cell, latest first: seen before they are visible
    slot: Key = ()                              # an arrival's slot
    needs: list[tuple[Key, int]] = field(default_factory=list)   # slots and the counts that a wait needs


def bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass
class Result:
    outcomes: set[tuple[tuple[str, int], ...]]  # final registers and cells of complete executions
    deadlock: bool
    unconsumed: bool
    states: int
    complete: bool                              # every execution was explored
    # The results of tests and reads, of executions that got stuck too.
    probes: set[tuple[tuple[str, int], ...]] = field(default_factory=set)


class Machine:
    """The events of one program and the ways to run them."""

    def __init__(self, program: Program, off: frozenset[str] = frozenset()) -> None:
        self.program, self.off = program, off
        self.events: list[Event] = []
        self.of: dict[int, list[int]] = {op.id: [] for op in program.ops}     # op -> its events
        self.names: list[str] = []                                            # registers, then cells, then buffers
        self.index: dict[object, int] = {}
        for op in program.ops:
            if op.reg and op.reg not in self.index:
                self._name(op.reg, op.reg)
        self.registers = len(self.names)
        for (window, rank), size in program.sizes.items():
            for i in range(size):
                self._name((rank, window, i), f"{window}[{i}]@{rank}")
        self.visible = len(self.names)
        self._build()
        self.all = (1 << len(self.events)) - 1
        self.arrivals: dict[Key, list[int]] = {}
        for e, event in enumerate(self.events):
            if event.slot:
                self.arrivals.setdefault(event.slot, []).append(e)
        self.tests = any(op.kind in ("test", "read") for op in program.ops)
        if "third-rank" in off:
            self._causal_delivery()
        self._conflicts()

    # -- events and prerequisites ------------------------------------------------------------------------------------
    def _name(self, key: object, text: str) -> int:
        self.index[key] = len(self.names)
        self.names.append(text)
        return self.index[key]

    def _new(self, kind: str, op: Op, pre: int = 0, **more: object) -> int:
        self.events.append(Event(kind, op, pre, **more))  # type: ignore[arg-type]
        self.of[op.id].append(len(self.events) - 1)
        return 1 << len(self.events) - 1

    def _stores(self, accesses: list[Op], cell: Cell) -> tuple[int, ...]:
        """The agent's earlier stores to `cell`, latest first."""
        return tuple(self.of[o.id][1] for o in reversed(accesses) if o.kind == "store" and cell in o.dst)

    def _mask(self, ops: list[Op], *kinds: str) -> int:
        return sum(1 << e for o in ops for e in self.of[o.id] if self.events[e].kind in kinds)

    def _build(self) -> None:
        program, on = self.program, lambda name: name not in self.off
        last: dict[int, int] = {}              # agent -> mask of what its next operation issues after
        barriers = [0] * program.ranks
        for op in program.ops:
            earlier = program.earlier(op)
            preceding = program.preceding(op)
            accesses = [o for o in preceding if o.kind in ("load", "store", "add")]
            if not on("join"):
                accesses = [o for o in accesses if o.agent == op.agent]
            forks = [o for o in program.ops if op.agent in o.children and o.kind == "fork"]
            before = last.get(op.agent, self._mask(forks, "pc") if on("fork") else 0)
            if not on("agents") and forks and op.agent not in last:             # children one after the other
                before |= sum(last.get(child, 0) for child in forks[0].children if child < op.agent)
            if not on("po") and op.kind not in ("fork", "join", "end") and not op.guard:
                ends = [o for o in program.ops if o.agent == op.agent and o.kind == "end" and o.id < op.id]
                before = self._mask(ends, "pc")
            pc = self._new("pc", op, before)
            event = self.events[-1]
            after = pc                          # what the next operation issues after

            if op.kind in ("load", "store", "add"):
                cell = (op.src + op.dst)[:1]
                same = [o for o in accesses if set(o.src + o.dst) & set(cell)]
                stores = self._stores(accesses, cell[0]) if cell else ()
                load = op.kind == "load"
                order = self._mask([o for o in same if o.kind == "add"] if load else same, "perform")
                performed = self._new("perform", op, pc | order, cells=cell, writes=not load, atomic=op.kind == "add",
                                      forward=stores if load else ())
                if not on("late-load" if load else "late-store"):
                    after |= performed
            elif op.kind == "put":
                after |= self._put(op, pc, earlier, accesses)
            elif op.kind == "get":
                reads = writes = 0
                for source, target in zip(op.src, op.dst):
                    buffer = self._name((op.id, source, target), "")
                    read = self._new("read", op, pc if on("get-issue") else 0, cells=(source,), buffers=(buffer,))
                    same = [o for o in accesses if target in o.src + o.dst]
                    reads |= read
                    pre = pc | self._mask(same, "perform") | (read if on("get-write") else 0)
                    writes |= self._new("deliver", op, pre, cells=(target,), writes=True, buffers=(buffer,))
                done = self._new("done", op, pc | (reads | writes if on("get-done") else reads))
                if not on("late-get"):
                    after |= done
            elif op.kind == "signal":
                self._new("arrive", op, pc | self._order(op, earlier, preceding), slot=op.slot)
            elif op.kind == "wait" and on("wait"):
                event.needs = [(op.slot, op.count)]
            elif op.kind == "await" and on("await"):
                event.pre |= self._mask([o for o in earlier if o.token == op.token and o.kind != "await"][-1:], "done")
            elif op.kind == "flush" and on("flush"):
                event.pre |= self._mask(earlier, "done")
            elif op.kind == "join" and on("join"):
                event.pre |= sum(last.get(child, 0) for child in op.children)
            elif op.kind == "end" and on("end"):
                inside = [o for o in program.ops if o.rank == op.rank and o.launch == op.launch and o.id < op.id]
                event.pre |= self._mask(inside, "done", "perform")
            elif op.kind == "barrier":
                for _ in range(2 if op.world and on("barrier-global") else 1):
                    after = self._barrier(op, after, preceding, barriers[op.rank])
                    barriers[op.rank] += 1
            last[op.agent] = after
        if not on("early-arrival"):
            for event in self.events:
                if event.slot and event.op.launch:
                    key = (event.slot[0], event.op.launch - 1)
                    ends = [o for o in program.ops if o.kind == "end" and (o.rank, o.launch) == key]
                    event.pre |= self._mask(ends, "pc")

    def _order(self, op: Op, earlier: list[Op], preceding: list[Op]) -> int:
        """What the arrival of a signal waits for, beyond its issue."""
        on, order = lambda name: name not in self.off, 0
        if not op.relaxed or not on("relaxed"):
            puts = [o for o in (preceding if on("plain-family") else earlier) if o.kind == "put"
                    and (o.peer == op.peer or not on("peer")) and (o.ctx == op.ctx or not on("context"))]
            order |= self._mask(puts, "deliver") if on("plain-put") else 0
            order |= self._mask([o for o in preceding if o.kind == "load"], "perform") if on("plain-load") else 0
            order |= self._mask([o for o in preceding if o.kind != "load"], "perform") if on("plain-store") else 0
        if not on("signal-order"):
            order |= self._mask([o for o in earlier if (o.peer, o.ctx) == (op.peer, op.ctx)], "arrive")
        return order

    def _put(self, op: Op, pc: int, earlier: list[Op], accesses: list[Op]) -> int:
        on = lambda name: name not in self.off
        channel = [o for o in earlier if o.kind == "put" and o.peer == op.peer and o.ctx == op.ctx]
        reads, order, delivered = 0, self._mask(channel, "deliver") if not on("put-order") else 0, 0
        buffers, adds = [], op.accumulate and on("accumulate")
        for target, source in zip(op.dst, op.src or [None] * len(op.dst)):
            buffers.append(self._name((op.id, source, target), ""))
            if source:
                added = self._mask([o for o in accesses if o.kind == "add" and source in o.dst], "perform")
                reads |= self._new("read", op, pc | added if on("read-issue") else 0, cells=(source,),
                                   buffers=(buffers[-1],), forward=self._stores(accesses, source))
        read_of = dict(zip(op.src, bits(reads)))
        if not on("torn"):
            delivered = self._new("deliver", op, pc | order | reads, cells=op.dst, writes=True, atomic=adds,
                                  buffers=tuple(buffers))
        else:
            for j, target in enumerate(op.dst):
                pre = pc | order | (delivered if not on("any-order") else 0)
                if op.src and on("deliver-read"):
                    pre |= 1 << read_of[op.src[j]]
                delivered |= self._new("deliver", op, pre, cells=(target,), writes=True, atomic=adds,
                                       buffers=(buffers[j],))
        self._new("done", op, pc | (reads if on("done-read") else 0) | (delivered if not on("done-early") else 0))
        if op.slot[1]:
            arrive = pc | (delivered if on("bundled") else 0)
            if not on("bundled-overtakes"):
                arrive |= self._mask(channel, "deliver")
            if not on("signal-order"):
                arrive |= self._mask([o for o in earlier if (o.peer, o.ctx) == (op.peer, op.ctx)], "arrive")
            self._new("arrive", op, arrive, slot=op.slot)
        return (reads if not on("late-read") else 0) | (delivered if not on("self-put") and op.peer == op.rank else 0)

    def _barrier(self, op: Op, entered: int, preceding: list[Op], number: int) -> int:
        """One round: an arrival at every other member, then a wait for one from each."""
        on, program = lambda name: name not in self.off, self.program
        others = [r for r in range(program.ranks) if r != op.rank]
        released = self._mask(preceding, "perform") if on("barrier-access") else 0
        puts = [o for o in preceding if o.kind == "put"]
        if on("barrier-slots"):
            kinds = 2 if on("barrier-parity") else 1
            slots = {r: ("barrier", r, op.rank, number % kinds) for r in others}
            needs = [(("barrier", op.rank, r, number % kinds), number // kinds + 1) for r in others]
        else:
            slots = {r: ("barrier", r) for r in others}
            needs = [(("barrier", op.rank), len(others) * (number + 1))]
        for r in others:
            covered = [o for o in puts if on("barrier-put") and (o.peer == r or not on("barrier-third"))]
            self._new("arrive", op, entered | released | self._mask(covered, "deliver"), slot=slots[r])
        own = [o for o in puts if on("barrier-put") and (o.peer == op.rank or not on("barrier-third"))]
        return self._new("pc", op, entered | released | self._mask(own, "deliver"),
                         needs=needs if on("barrier-wait") else [])

    def _causal_delivery(self) -> None:
        """What the network does not promise: a signal waits for puts to its peer that its rank knows of from others."""
        puts = [o for o in self.program.ops if o.kind == "put"]
        order = [(put, e) for put in puts for e, event in enumerate(self.events)
                 if event.slot and event.op is not put and event.op.peer == put.peer and event.op.rank != put.rank
                 and not self.without(1 << self.of[put.id][0]) >> self.of[event.op.id][0] & 1]
        for put, e in order:
            self.events[e].pre |= self._mask([put], "deliver")

    # -- running -----------------------------------------------------------------------------------------------------
    def _count(self, slot: Key, mask: int, regs: dict[str, int]) -> int:
        return sum(self.events[e].op.weight if slot[0] != "barrier" else 1 for e in self.arrivals.get(slot, ())
                   if mask >> e & 1 and regs.get(self.events[e].op.guard, 1))

    def _base(self, event: Event, regs: dict[str, int]) -> int:
        if event.op.kind == "barrier" or "base" in self.off:
            return 0
        return self.program.base(event.op.slot, event.op.launch, regs)

    def _enabled(self, e: int, mask: int, regs: dict[str, int]) -> bool:
        event = self.events[e]
        if mask >> e & 1 or event.pre & ~mask:
            return False
        return not event.needs or all(self._count(s, mask, regs) >= n + self._base(event, regs) for s, n in event.needs)

    def without(self, held: int) -> int:
        """The mask of all that can happen while the events in `held` do not."""
        mask, changed = 0, True
        while changed:
            changed = False
            for e in bits(self.all & ~mask & ~held):
                if self._enabled(e, mask, {}):
                    mask, changed = mask | 1 << e, True
        return mask

    def _conflicts(self) -> None:
        """Pairs whose order can matter: a common cell and a write, or an arrival and a test or read of its slot."""
        self.conflict = [0] * len(self.events)
        for a, x in enumerate(self.events):
            for b, y in enumerate(self.events[:a]):
                memory = (set(x.cells) & set(y.cells) and (x.writes or y.writes) and not (x.atomic and y.atomic)
                          or set(x.buffers) & set(y.buffers))
                probe = any(p.kind == "pc" and p.op.kind in ("test", "read") and q.slot == p.op.slot
                            for p, q in ((x, y), (y, x)))
                if memory or probe:
                    self.conflict[a] |= 1 << b
                    self.conflict[b] |= 1 << a
        for e in range(len(self.events)):        # what cannot happen before e anyway needs no branch
            if self.conflict[e]:
                self.conflict[e] &= self.without(1 << e)

    def _registers(self, values: list[int] | tuple[int, ...]) -> dict[str, int]:
        return dict(zip(self.names[:self.registers], values)) if self.tests else {}

    def _step(self, e: int, mask: int, values: list[int]) -> int:
        """Executes event `e` on `values`; returns the new mask."""
        event, op = self.events[e], self.events[e].op
        regs = self._registers(values)
        if not regs.get(op.guard, 1):
            return mask | sum(1 << x for x in self.of[op.id])
        if event.kind == "perform" and op.kind == "load" or event.kind == "read":
            pending = [self.events[s].op.value for s in event.forward if not mask >> s & 1]
            value = pending[0] if pending else values[self.index[event.cells[0]]] if event.cells else 0
            values[self.index[op.reg] if event.kind == "perform" else event.buffers[0]] = value
        elif event.kind == "perform" and event.cells:
            old = values[self.index[event.cells[0]]]
            values[self.index[event.cells[0]]] = op.value + (old if op.kind == "add" else 0)
        elif event.kind == "deliver":
            for cell, buffer in zip(event.cells, event.buffers):
                value = op.value if op.immediate else values[buffer]
                add = op.accumulate and "accumulate" not in self.off
                values[self.index[cell]] = value + (values[self.index[cell]] if add else 0)
                values[buffer] = 0
        elif op.kind in ("test", "read"):
            count = self._count(op.slot, mask, regs) - self._base(event, regs)
            values[self.index[op.reg]] = int(count >= op.count) if op.kind == "test" else count
        return mask | 1 << e

    def _advance(self, mask: int, values: list[int]) -> tuple[int, list[int]]:
        """Executes, in place, all events whose order with the rest cannot matter; returns the events to choose from."""
        while True:
            regs = self._registers(values)
            enabled = [e for e in bits(self.all & ~mask) if self._enabled(e, mask, regs)]
            free = [e for e in enabled if not self.conflict[e] & ~mask]
            if not free:
                return mask, enabled
            for e in free:
                if not mask >> e & 1:
                    mask = self._step(e, mask, values)

    def _choices(self, mask: int, enabled: list[int], regs: dict[str, int]) -> list[int]:
        """A smallest stubborn set: exploring only these still reaches every outcome."""
        ready = sum(1 << e for e in enabled)
        best = enabled
        for first in enabled:
            seen, work = 1 << first, [first]
            while work:
                e = work.pop()
                event = self.events[e]
                if ready >> e & 1:
                    more = self.conflict[e] & ~mask
                elif event.pre & ~mask:
                    missing = event.pre & ~mask
                    more = 0 if missing & seen else missing & -missing
                else:
                    slot = next(s for s, n in event.needs if self._count(s, mask, regs) < n + self._base(event, regs))
                    more = sum(1 << a for a in self.arrivals.get(slot, ())) & ~mask
                work += bits(more & ~seen)
                seen |= more
            chosen = list(bits(seen & ready))
            if len(chosen) < len(best):
                best = chosen
        return best

    def _finish(self, result: Result, mask: int, values: list[int]) -> None:
        probes = sorted({op.reg for op in self.program.ops if op.kind in ("test", "read")})
        result.probes.add(tuple((reg, values[self.index[reg]]) for reg in probes))
        if mask != self.all:
            result.deadlock = True
            return
        result.outcomes.add(tuple(zip(self.names[:self.visible], values)))
        regs, program = self._registers(values), self.program
        slots = [s for s in self.arrivals if s[0] != "barrier"]
        result.unconsumed |= any(self._count(s, mask, regs) > program.base(s, program.launches, regs) for s in slots)

    def explore(self, limit: int = 200_000) -> Result:
        """Every execution, up to the order of events that do not conflict; not `complete` if `limit` cut it short."""
        result = Result(set(), False, False, 0, True)
        seen: set[tuple[int, tuple[int, ...]]] = set()
        stack: list[tuple[int, list[int]]] = [(0, [0] * len(self.names))]
        while stack and result.complete:
            mask, values = stack.pop()
            before = (mask, tuple(values))
            if before in seen:
                continue
            mask, enabled = self._advance(mask, values)
            state = (mask, tuple(values))
            visited = state in seen
            seen |= {before, state}
            if visited:
                continue
            result.states += 1
            result.complete = result.states < limit
            if not enabled:
                self._finish(result, mask, values)
                continue
            for e in self._choices(mask, enabled, self._registers(values)):
                copy = list(values)
                stack.append((self._step(e, mask, copy), copy))
        return result

    def sample(self, runs: int, seed: int = 0) -> Result:
        """`runs` executions chosen at random from `seed`."""
        result = Result(set(), False, False, runs, False)
        dice = random.Random(seed)
        for _ in range(runs):
            mask, values = 0, [0] * len(self.names)
            while True:
                mask, enabled = self._advance(mask, values)
                if not enabled:
                    break
                mask = self._step(dice.choice(enabled), mask, values)
            self._finish(result, mask, values)
        return result
