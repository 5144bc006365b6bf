#===- program.py - tiny programs as text -----------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#===----------------------------------------------------------------------===#
"""Tiny gin programs: a text notation, its parser, and launches unrolled into one list of operations.

A rank's text is a list of operations separated by `;`. A place is `window[lo:hi]@rank`; `[...]` defaults to cell 0,
`@rank` to the rank itself.

    store x = 5 | store y@1 = 5           own window, or through a peer view
    load r = y | load r = y@1
    add y@1 += 2                          memref.atomic_rmw, own window or through a peer view
    put x[0:2] -> y[0:2]@1                options: signal s, add 2, ctx 1, as t, accumulate
    put 7 -> y@1                          gin.put_value, same options; with accumulate alone, gin.atomic_add
    get y@1 -> z as t                     options: ctx 1
    signal s@1                            options: add 2, ctx 1, relaxed
    wait s >= 2 | test r = s >= 2 | read r = s
    await t | flush | barrier | barrier global
    fork { put ... | put ...; signal ... }    iterations of a forall, or roles: each branch is an agent, joined at `}`
    if r: <operation>                     r is the result of an earlier test or read of the same agent
"""
from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Cell = tuple[int, str, int]   # rank, window, index
Slot = tuple[int, str]        # rank, name with index

_PLACE = re.compile(r"(\w+)(?:\[(\d+)(?::(\d+))?\])?(?:@(\d+))?$")


@dataclass
class Op:
    """One operation of one agent in one launch. `src` is read and `dst` is written, cell by cell."""
    kind: str                 # load store add put get signal wait test read await flush barrier fork join end
    rank: int
    agent: int
    launch: int
    id: int
    text: str
    host: bool = False
    src: tuple[Cell, ...] = ()
    dst: tuple[Cell, ...] = ()
    value: int = 0
    immediate: bool = False   # put_value: no source window
    reg: str = ""
    peer: int = -1
    ctx: int = 0
    slot: Slot = (-1, "")    # of a signal, a bundled one, a wait, test or read
    weight: int = 1
    count: int = 0            # a wait's or test's n
    relaxed: bool = False
    accumulate: bool = False
    world: bool = False       # barrier global
    token: str = ""
    guard: str = ""
    children: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"rank {self.rank}, launch {self.launch}: {self.text}"


@dataclass
class Program:
    """The program on every rank, unrolled over its launches; with more than one, a host step H precedes each."""
    ranks: int
    launches: int
    sizes: dict[tuple[str, int], int]
    ops: list[Op] = field(default_factory=list)            # within a rank, in an order that extends program order
    parent: dict[int, int] = field(default_factory=dict)   # agent -> id of the fork that starts it
    errors: set[str] = field(default_factory=set)          # what is wrong whatever the order of events

    def earlier(self, op: Op) -> list[Op]:
        """Operations of the same agent and launch before `op`."""
        return [o for o in self.ops if (o.agent, o.launch, o.host) == (op.agent, op.launch, op.host) and o.id < op.id]

    def preceding(self, op: Op) -> list[Op]:
        """All before `op` in program order: of its agent, of children joined by then, of ancestors up to the fork."""
        own, inner = self.earlier(op), set[int]()
        joins = own
        while joins:
            children = {child for o in joins if o.kind == "join" for child in o.children} - inner
            inner |= children
            joins = [o for o in self.ops if o.agent in children]
        outer = self.preceding(self.ops[self.parent[op.agent]]) if op.agent in self.parent else []
        return sorted([*outer, *own, *(o for o in self.ops if o.agent in inner)], key=lambda o: o.id)

    def waited(self, slot: Slot, launch: int, regs: Mapping[str, int]) -> int:
        """The largest count waited for on `slot` in `launch`, by which its base advances at the launch's end."""
        best = 0
        for o in self.ops:
            if o.slot == slot and o.launch == launch and regs.get(o.guard, 1):
                if o.kind == "wait" or (o.kind == "test" and regs.get(o.reg, 0)):
                    best = max(best, o.count)
                elif o.kind == "read":
                    best = max(best, regs.get(o.reg, 0))
        return best

    def base(self, slot: Slot, launch: int, regs: Mapping[str, int]) -> int:
        return sum(self.waited(slot, k, regs) for k in range(launch))


def _place(text: str, me: int) -> tuple[Cell, ...]:
    match = _PLACE.match(text)
    if not match:
        raise ValueError(f"not a place: {text!r}")
    window, low, high, rank = match.groups()
    first = int(low or 0)
    return tuple((int(rank) if rank else me, window, i) for i in range(first, int(high) if high else first + 1))


def _slot(text: str, me: int) -> Slot:
    name, _, rank = text.partition("@")
    return (int(rank) if rank else me, name)


def _split(text: str, separator: str) -> list[str]:
    """Splits at `separator` outside braces."""
    parts, depth, last = [], 0, 0
    for i, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if char == separator and depth == 0:
            parts.append(text[last:i])
            last = i + 1
    return [part.strip() for part in [*parts, text[last:]] if part.strip()]


def _parse(op: Op, words: list[str]) -> None:
    """Fills `op` from its words, the kind being `words[0]`."""
    me = op.rank
    if op.kind == "load":
        op.reg, op.src = words[1], _place(words[3], me)
    elif op.kind in ("store", "add"):
        op.dst, op.value = _place(words[1], me), int(words[3])
    elif op.kind == "put":
        op.immediate = words[1].lstrip("-").isdigit()
        op.value, op.src = (int(words[1]), ()) if op.immediate else (0, _place(words[1], me))
        op.dst = _place(words[3], me)
        op.peer = op.dst[0][0]
    elif op.kind == "get":
        op.src, op.dst = _place(words[1], me), _place(words[3], me)
        op.peer = op.src[0][0]
    elif op.kind == "signal":
        op.slot = _slot(words[1], me)
        op.peer = op.slot[0]
    elif op.kind == "wait":
        op.slot, op.count = _slot(words[1], me), int(words[3])
    elif op.kind == "test":
        op.reg, op.slot, op.count = words[1], _slot(words[3], me), int(words[5])
    elif op.kind == "read":
        op.reg, op.slot = words[1], _slot(words[3], me)
    elif op.kind == "await":
        op.token = words[1]
    elif op.kind == "barrier":
        op.world = "global" in words
    elif op.kind != "flush":
        raise ValueError(f"unknown operation: {op.text!r}")
    if op.kind in ("put", "get", "signal"):
        options = words[2 if op.kind == "signal" else 4:]
        for name, value in zip(options, [*options[1:], ""]):
            if name == "signal":
                op.slot = (op.peer, value)
            elif name == "add":
                op.weight = int(value)
            elif name == "ctx":
                op.ctx = int(value)
            elif name == "as":
                op.token = value
        op.relaxed, op.accumulate = "relaxed" in options, "accumulate" in options


def build(ranks: int, text: Callable[[int, int], str], launches: int = 1, sizes: Mapping[str, int | Sequence[int]] = {},
          scratch: Sequence[str] = (), source: Sequence[str] = (), host: bool = True) -> Program:
    """Builds the program whose rank `me` runs `text(me, k)` in launch `k` (that is gin.launch).

    A window is as large as the largest index used, unless `sizes` gives a size, or one for each rank. `scratch` windows
    have no host step; `source` windows are registered by their own rank alone.
    """
    program = Program(ranks, launches, {})
    agents = iter(range(ranks, 1 << 30))

    def add(kind: str, rank: int, agent: int, launch: int, line: str, **more: object) -> Op:
        op = Op(kind, rank, agent, launch, len(program.ops), line, **more)  # type: ignore[arg-type]
        program.ops.append(op)
        return op

    def body(rank: int, agent: int, launch: int, lines: str) -> None:
        for line in _split(lines, ";"):
            if line.startswith("fork"):
                branches = _split(line[line.index("{") + 1:line.rindex("}")], "|")
                children = tuple(next(agents) for _ in branches)
                fork = add("fork", rank, agent, launch, "fork", children=children)
                for child, branch in zip(children, branches):
                    program.parent[child] = fork.id
                    body(rank, child, launch, branch)
                add("join", rank, agent, launch, "join", children=children)
                continue
            guard, rest = re.match(r"(?:if (\w+): )?(.*)", line).groups()  # type: ignore[union-attr]
            words = rest.split()
            _parse(add(words[0], rank, agent, launch, line, guard=guard or ""), words)

    texts = {(r, k): text(r, k) for r in range(ranks) for k in range(launches)}
    windows: dict[str, int] = {}
    for (r, k), lines in texts.items():     # a dry parse, for the sizes
        body(r, r, k, lines)
    for op in program.ops:
        for _, window, index in op.src + op.dst:
            windows[window] = max(windows.get(window, 0), index + 1)
    for window, inferred in windows.items():
        given = sizes.get(window, inferred)
        for r in range(ranks):
            program.sizes[window, r] = given if isinstance(given, int) else given[r]
    program.ops.clear()
    program.parent.clear()

    for r in range(ranks):
        for k in range(launches):
            if launches > 1 and host:
                for window in windows:
                    for i in range(0 if window in scratch else program.sizes[window, r]):
                        cell = (r, window, i)
                        add("load", r, r, k, f"H reads {window}", host=True, src=(cell,), reg=f"h{k}.{window}[{i}]@{r}")
                        add("store", r, r, k, f"H writes {window}", host=True, dst=(cell,), value=10 * (k + 1) + r)
                add("end", r, r, k, "H ends", host=True)
            body(r, r, k, texts[r, k])
            add("end", r, r, k, "launch ends")

    for op in program.ops:
        inside = [cell[2] < program.sizes[cell[1], cell[0]] for cell in op.dst or op.src]
        if op.kind == "put" and not op.immediate or op.kind == "get":
            inside = [ok and c[2] < program.sizes[c[1], c[0]] for ok, c in zip(inside, op.src)]
            if op.src == op.dst:
                op.src = op.dst = ()            # the same place: a no-op that still signals
            elif set(op.src) & set(op.dst):
                program.errors.add("overlap")
        if not all(inside):
            program.errors.add("out-of-bounds")
            op.src = tuple(c for c, ok in zip(op.src, inside) if ok)
            op.dst = tuple(c for c, ok in zip(op.dst, inside) if ok)
        if any(c[1] in source and c[0] != op.rank for c in op.src + op.dst):
            program.errors.add("access-right")
    return program
