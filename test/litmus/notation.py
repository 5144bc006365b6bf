# ===- notation.py - the oracle's text notation, parsed --------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Parses the operations of a tiny program (the notation of gin_oracle/program.py) and joins variants of one text.

Texts that differ from each other in numbers alone, and these grow linearly from one to the next (those of the launches,
or of the iterations of a loop), are joined into one text in which such a number is a `Num` over a symbol.
"""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass


@dataclass(frozen=True)
class Num:
    """const + coef * symbol; a plain number has no symbol."""
    const: int
    coef: int = 0
    symbol: str = ""


@dataclass(frozen=True)
class Name:
    """A register; in joined texts it has one name for each variant."""
    variants: tuple[str, ...]


@dataclass(frozen=True)
class Place:
    window: str
    low: Num
    size: int
    rank: Num | None    # None: the own rank, not written


@dataclass(frozen=True)
class Slot:
    bank: str
    index: Num
    rank: Num | None


@dataclass(frozen=True)
class Instr:
    """One operation. Which fields mean something depends on the kind; see gin_oracle/program.py."""
    kind: str
    text: str
    guard: Name | None = None
    reg: Name | None = None
    src: Place | None = None
    dst: Place | None = None
    value: Num | None = None
    slot: Slot | None = None
    weight: Num = Num(1)
    count: Num = Num(0)
    ctx: int = 0
    token: str = ""
    accumulate: bool = False
    relaxed: bool = False
    world: bool = False
    branches: tuple[tuple[Instr, ...], ...] = ()


_PLACE = re.compile(r"(\w+)(?:\[(\d+)(?::(\d+))?\])?(?:@(\d+))?$")


def _place(text: str) -> Place:
    match = _PLACE.match(text)
    if not match:
        raise ValueError(f"not a place: {text!r}")
    window, low, high, rank = match.groups()
    first = int(low or 0)
    return Place(window, Num(first), int(high) - first if high else 1, Num(int(rank)) if rank else None)


def _slot(text: str) -> Slot:
    place = _place(text)
    return Slot(place.window, place.low, place.rank)


def split(text: str, separator: str) -> list[str]:
    """Splits at `separator` outside braces."""
    parts, depth, last = [], 0, 0
    for i, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if char == separator and depth == 0:
            parts.append(text[last:i])
            last = i + 1
    return [part.strip() for part in [*parts, text[last:]] if part.strip()]


def _options(words: list[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in zip(words, [*words[1:], ""]):
        if name == "signal":
            found["slot"] = _slot(value)
        elif name == "add":
            found["weight"] = Num(int(value))
        elif name == "ctx":
            found["ctx"] = int(value)
        elif name == "as":
            found["token"] = value
        elif name in ("relaxed", "accumulate"):
            found[name] = True
    return found


def _instr(line: str) -> Instr:
    if line.startswith("fork"):
        branches = split(line[line.index("{") + 1:line.rindex("}")], "|")
        return Instr("fork", line, branches=tuple(map(parse, branches)))
    guard, rest = re.match(r"(?:if (\w+): )?(.*)", line).groups()  # type: ignore[union-attr]
    words = rest.split()
    kind, more = words[0], dict[str, object](guard=Name((guard,)) if guard else None)
    if kind == "load":
        more |= dict(reg=Name((words[1],)), src=_place(words[3]))
    elif kind in ("store", "add"):
        more |= dict(dst=_place(words[1]), value=Num(int(words[3])))
    elif kind in ("put", "get"):
        if words[1].lstrip("-").isdigit():
            more |= dict(value=Num(int(words[1])))
        else:
            more |= dict(src=_place(words[1]))
        more |= dict(dst=_place(words[3])) | _options(words[4:])
    elif kind == "signal":
        more |= dict(slot=_slot(words[1])) | _options(words[2:])
    elif kind == "wait":
        more |= dict(slot=_slot(words[1]), count=Num(int(words[3])))
    elif kind == "test":
        more |= dict(reg=Name((words[1],)), slot=_slot(words[3]), count=Num(int(words[5])))
    elif kind == "read":
        more |= dict(reg=Name((words[1],)), slot=_slot(words[3]))
    elif kind == "await":
        more |= dict(token=words[1])
    elif kind == "barrier":
        more |= dict(world="global" in words)
    elif kind != "flush":
        raise ValueError(f"unknown operation: {line!r}")
    return Instr(kind, line, **more)  # type: ignore[arg-type]


def parse(text: str) -> tuple[Instr, ...]:
    """The operations of an agent, one after the other."""
    return tuple(map(_instr, split(text, ";")))


class _Different(Exception):
    pass


def _join(variants: Sequence[object], symbol: str) -> object:
    first = variants[0]
    if any(type(v) is not type(first) for v in variants):
        raise _Different
    if isinstance(first, Num):
        if all(v == first for v in variants):
            return first
        if any(v.symbol for v in variants):
            raise _Different
        step = variants[1].const - first.const
        if any(v.const != first.const + i * step for i, v in enumerate(variants)):
            raise _Different
        return Num(first.const, step, symbol)
    if isinstance(first, Name):
        return Name(tuple(name for v in variants for name in v.variants))
    if isinstance(first, tuple):
        if any(len(v) != len(first) for v in variants):
            raise _Different
        return tuple(_join(some, symbol) for some in zip(*variants))
    if is_dataclass(first):
        joined = {f.name: _join([getattr(v, f.name) for v in variants], symbol)
                  for f in fields(first) if f.name != "text"}
        return type(first)(**joined, **({"text": first.text} if isinstance(first, Instr) else {}))
    if any(v != first for v in variants):
        raise _Different
    return first


def join(variants: Sequence[tuple[Instr, ...]], symbol: str) -> tuple[Instr, ...] | None:
    """One text for all `variants`, the i-th being that of `symbol` = i; None if they differ in more than numbers."""
    try:
        return _join(variants, symbol)  # type: ignore[return-value]
    except _Different:
        return None
