# ===- translate.py - tiny programs in the dialect -------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Writes a tiny program of the oracle as a file of the gin dialect that `ginc litmus` runs.

Every element is an i64. What a load, test or read returned is a register: it is stored to `%out` at the end of its
agent's text, so that nothing before needs the value and a load may be late. `%out` is one array for all ranks and
launches. A guarded operation (`if t: ...`) takes the rest of the text with it into both branches, for the same reason.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from notation import Instr, Name, Num, Place, Slot, join, parse

WIDTH = 100


@dataclass
class Litmus:
    """A program and what is expected of it; `text` and the expectations are in the oracle's notation."""
    name: str
    about: str
    text: Callable[[int, int], str]                 # of (rank, launch)
    ranks: int
    launches: int = 1
    sizes: dict[tuple[str, int], int] = field(default_factory=dict)     # (window, rank) -> elements
    scratch: Sequence[str] = ()
    source: Sequence[str] = ()
    allow: Sequence[str] = ()
    forbid: Sequence[str] = ()
    verdict: Sequence[str] = ()
    exact: bool = False                             # `allow` lists all outcomes
    forall: bool = False                            # forks are iterations of a loop, else roles
    notes: Sequence[str] = ()
    run: str = "ginc litmus %s"                     # the RUN line; "" for none

    @property
    def host(self) -> bool:
        return self.launches > 1


def immediate_accumulate(text: str) -> str:
    """Replaces accumulating puts of a value that bundle a signal or have a token, which the dialect lacks, by puts from
    a cell of the window `v` that is stored before."""
    cells = iter(range(99))

    def source(match: re.Match[str]) -> str:
        cell = f"v[{next(cells)}]"
        return f"store {cell} = {match[1]}; put {cell} -> {match[2]}"
    return re.sub(r"put (-?\d+) -> ([^;|}]*\baccumulate\b[^;|}]*\b(?:signal|as)\b)", source, text)


class _Body:
    """The text of one function."""

    def __init__(self, program: _Program, symbols: dict[str, str]) -> None:
        self.program, self.symbols = program, symbols
        self.lines: list[str] = []
        self.depth = 1
        self.scopes: list[set[str]] = [set(program.arguments) | set(symbols.values())]
        self.constants: set[tuple[str, int]] = set()

    # -- lines and names ---------------------------------------------------------------------------------------------
    def line(self, text: str, tail: str = "") -> None:
        """Adds `text tail`, on two lines if one is too short."""
        indent = "  " * self.depth
        if tail and len(indent) + len(text) + 1 + len(tail) > WIDTH:
            self.lines += [indent + text, indent + "  " + tail]
        else:
            self.lines.append(f"{indent}{text} {tail}".rstrip())

    def open(self, text: str) -> None:
        self.line(text)
        self.depth += 1
        self.scopes.append(set())

    def close(self, text: str = "}") -> None:
        self.scopes.pop()
        self.depth -= 1
        self.line(text)

    def fresh(self, wish: str) -> str:
        """An SSA name that is not taken here; those of constants are kept free."""
        name, tries = wish, 0
        while any(name in scope for scope in self.scopes) or re.fullmatch(r"[cv]\d+", name):
            tries += 1
            name = f"{wish}_{tries}" if wish[-1].isdigit() else f"{wish}{tries}"
        self.scopes[-1].add(name)
        return name

    def define(self, wish: str, text: str, tail: str = "") -> str:
        name = self.fresh(wish)
        self.line(f"%{name} = {text}", tail)
        return name

    # -- numbers -----------------------------------------------------------------------------------------------------
    def constant(self, value: int, kind: str) -> str:
        self.constants.add((kind, value))
        prefix = "c" if kind == "index" else "v"
        return f"%{prefix}{value}" if value >= 0 else f"%{prefix}m{-value}"

    def index(self, num: Num) -> str:
        """An SSA value of type index."""
        if not num.coef:
            return self.constant(num.const, "index")
        value = self.symbols[num.symbol]
        if num.coef != 1:
            value = self.define(f"{num.symbol}_times_{num.coef}",
                                f"arith.muli %{value}, {self.constant(num.coef, 'index')} : index")
        if num.const:
            value = self.define(f"{num.symbol}_plus_{num.const}",
                                f"arith.addi %{value}, {self.constant(num.const, 'index')} : index")
        return f"%{value}"

    def literal(self, num: Num) -> str:
        """Where a literal is as good as a value of type index."""
        return self.index(num) if num.coef else str(num.const)

    def element(self, num: Num) -> str:
        """An SSA value of type i64."""
        if not num.coef:
            return self.constant(num.const, "i64")
        index = self.index(num)
        return "%" + self.define("value", f"arith.index_cast {index} : index to i64")

    # -- operands ----------------------------------------------------------------------------------------------------
    def slot(self, slot: Slot) -> str:
        return f"%{slot.bank}[{self.literal(slot.index)}]"

    def bank(self, slot: Slot) -> str:
        return f"!gin.signals<{self.program.banks[slot.bank]}>"

    def window(self, name: str, space: str = "window") -> str:
        return self.program.alias(self.program.size(name), None, space)

    def part(self, place: Place) -> tuple[str, str]:
        """A block of the own part: its value and type."""
        if place.size == self.program.size(place.window) and place.low == Num(0):
            return f"%{place.window}", self.window(place.window)
        kind = self.program.alias(place.size, None if place.low.coef else place.low.const, "window", part=True)
        where = self.literal(place.low)
        name = self.define(f"{place.window}_at_{where.strip('%')}",
                           f"memref.subview %{place.window}[{where}] [{place.size}] [1]",
                           f": {self.window(place.window)} to {kind}")
        return f"%{name}", kind

    def remote(self, place: Place, me: int) -> str:
        """`%w[i] on p`."""
        peer = str(me) if place.rank is None else self.literal(place.rank)
        return f"%{place.window}[{self.literal(place.low)}] on {peer}"

    def access(self, place: Place, me: int) -> tuple[str, str]:
        """What a load or store needs: `%w[%i]` and the type of %w."""
        name, space = place.window, "window"
        if place.rank is not None and place.rank != Num(me):
            space, peer = "peer", self.literal(place.rank)
            name = self.define(f"{place.window}_on_{peer.strip('%')}", f"gin.peer_view %{place.window} on {peer}",
                               f": {self.window(place.window)} to {self.window(place.window, 'peer')}")
        return f"%{name}[{self.index(place.low)}]", self.window(place.window, space)

    # -- operations --------------------------------------------------------------------------------------------------
    def agent(self, text: Sequence[Instr], me: int) -> None:
        self._sequence(list(text), me, {}, {}, [])

    def _sequence(self, text: list[Instr], me: int, tokens: dict[str, str], tests: dict[str, str],
                  registers: list[tuple[Name, str]]) -> None:
        """The rest of an agent's text; `registers` wait for being stored at its end."""
        for i, op in enumerate(text):
            if op.guard:
                self.open(f"scf.if {tests[op.guard.variants[0]]} {{")
                self._sequence([replace(op, guard=None), *text[i + 1:]], me, dict(tokens), dict(tests), [*registers])
                self.close("} else {")
                self.depth += 1
                self.scopes.append(set())
                self._sequence(text[i + 1:], me, dict(tokens), dict(tests), [*registers])
                self.close()
                return
            self._one(op, me, tokens, tests, registers)
        for register, value in registers:
            where = self.index(self.program.register(register, self.symbols))
            self.line(f"memref.store {value}, %out[{where}] : {self.program.out}")

    def _one(self, op: Instr, me: int, tokens: dict[str, str], tests: dict[str, str],
             registers: list[tuple[Name, str]]) -> None:
        getattr(self, f"_{op.kind}")(op, me, tokens, tests, registers)

    def _load(self, op: Instr, me: int, tokens: object, tests: object, registers: list[tuple[Name, str]]) -> None:
        cell, kind = self.access(op.src, me)
        registers.append((op.reg, "%" + self.define(op.reg.variants[0], f"memref.load {cell} : {kind}")))

    def _store(self, op: Instr, me: int, *_: object) -> None:
        value = self.element(op.value)
        cell, kind = self.access(op.dst, me)
        self.line(f"memref.store {value}, {cell} : {kind}")

    def _add(self, op: Instr, me: int, *_: object) -> None:
        value = self.element(op.value)
        cell, kind = self.access(op.dst, me)
        self.line(f"memref.atomic_rmw addi {value}, {cell} : (i64, {kind}) -> i64")

    def _atomic_add(self, op: Instr, me: int) -> None:
        self.line(f"gin.atomic_add {self.element(op.value)} into {self.remote(op.dst, me)}" + self._context(op),
                  f": i64 into {self.window(op.dst.window)}")

    @staticmethod
    def _context(op: Instr) -> str:
        return f" context {op.ctx}" if op.ctx else ""

    def _bundle(self, op: Instr) -> tuple[str, str]:
        if not op.slot:
            return "", ""
        weight = "" if op.weight == Num(1) else f" add {self.literal(op.weight)}"
        return f" signal {self.slot(op.slot)}{weight}", f", {self.bank(op.slot)}"

    def _transfer(self, op: Instr, tokens: dict[str, str], text: str, types: str) -> None:
        if op.token:
            tokens[op.token] = self.define(op.token, text + " -> !gin.token", types)
        else:
            self.line(text, types)

    def _put(self, op: Instr, me: int, tokens: dict[str, str], *_: object) -> None:
        if op.value and op.accumulate:
            self._atomic_add(op, me)
            return
        source, kind = (self.element(op.value), "i64") if op.value else self.part(op.src)
        bundle, bank = self._bundle(op)
        text = (f"gin.put{'_value' if op.value else ''} {source} into {self.remote(op.dst, me)}{self._context(op)}"
                f"{' accumulate' if op.accumulate else ''}{bundle}")
        self._transfer(op, tokens, text, f": {kind} into {self.window(op.dst.window)}{bank}")

    def _get(self, op: Instr, me: int, tokens: dict[str, str], *_: object) -> None:
        target, kind = self.part(op.dst)
        text = f"gin.get {self.remote(op.src, me)}{self._context(op)} into {target}"
        self._transfer(op, tokens, text, f": {self.window(op.src.window)} into {kind}")

    def _signal(self, op: Instr, me: int, *_: object) -> None:
        peer = str(me) if op.slot.rank is None else self.literal(op.slot.rank)
        weight = "" if op.weight == Num(1) else f" add {self.literal(op.weight)}"
        self.line(f"gin.signal {self.slot(op.slot)} on {peer}{self._context(op)}{weight}"
                  f"{' relaxed' if op.relaxed else ''} : {self.bank(op.slot)}")

    def _wait(self, op: Instr, *_: object) -> None:
        self.line(f"gin.wait {self.slot(op.slot)} >= {self.literal(op.count)} : {self.bank(op.slot)}")

    def _test(self, op: Instr, me: int, tokens: object, tests: dict[str, str],
              registers: list[tuple[Name, str]]) -> None:
        name = self.define(op.reg.variants[0], f"gin.test {self.slot(op.slot)} >= {self.literal(op.count)}",
                           f": {self.bank(op.slot)}")
        tests[op.reg.variants[0]] = f"%{name}"
        registers.append((op.reg, "%" + self.define(f"{name}_out", f"arith.extui %{name} : i1 to i64")))

    def _read(self, op: Instr, me: int, tokens: object, tests: dict[str, str],
              registers: list[tuple[Name, str]]) -> None:
        name = self.define(op.reg.variants[0], f"gin.read {self.slot(op.slot)} : {self.bank(op.slot)}")
        if op.reg.variants[0] in self.program.guards:
            zero = self.constant(0, "index")
            tests[op.reg.variants[0]] = "%" + self.define(f"{name}_any", f"arith.cmpi ne, %{name}, {zero} : index")
        registers.append((op.reg, "%" + self.define(f"{name}_out", f"arith.index_cast %{name} : index to i64")))

    def _await(self, op: Instr, me: int, tokens: dict[str, str], *_: object) -> None:
        if op.token in tokens:
            self.line(f"gin.await %{tokens[op.token]}")

    def _flush(self, *_: object) -> None:
        self.line("gin.flush")

    def _barrier(self, op: Instr, *_: object) -> None:
        self.line("gin.barrier global" if op.world else "gin.barrier")

    def _fork(self, op: Instr, me: int, *_: object) -> None:
        if not self.program.litmus.forall:
            self.open("gin.specialize {")
            for letter, branch in zip("abcdefgh", op.branches):
                self.open(f'role "{letter}" {{')
                self.agent(branch, me)
                self.close()
            self.close()
            return
        joined = join(op.branches, "i")
        i = self.fresh("i")
        self.open(f"scf.forall (%{i}) in ({len(op.branches)}) {{")
        self.symbols["i"] = i
        if joined is not None:
            self.agent(joined, me)
        else:
            self.switch(i, [(n, [branch]) for n, branch in enumerate(op.branches)], me)
        del self.symbols["i"]
        self.close()

    # -- who does what -----------------------------------------------------------------------------------------------
    def switch(self, on: str, cases: Iterable[tuple[int, list[tuple[Instr, ...]]]], me: int | None) -> None:
        """`scf.index_switch` over ranks (`me` is None), or over launches or iterations of rank `me`. Empty texts are
        left to the default."""
        self.line(f"scf.index_switch %{on}")
        for n, texts in cases:
            if not any(texts):
                continue
            self.open(f"case {n} {{")
            self.variants(texts, n if me is None else me)
            self.line("scf.yield")
            self.close()
        self.open("default {")
        self.close()

    def variants(self, texts: list[tuple[Instr, ...]], me: int) -> None:
        """What a rank does, one text for each launch or one for all."""
        joined = texts[0] if len(texts) == 1 else join(texts, "k")
        if joined is not None:
            self.agent(joined, me)
        else:
            self.switch(self.symbols["k"], [(k, [text]) for k, text in enumerate(texts)], me)

    def finish(self, prologue: Sequence[str]) -> list[str]:
        """All lines, those of the constants first."""
        lines = list(prologue)
        used = "\n".join(self.lines)
        for kind, value in sorted(self.constants):
            name = self.constant(value, kind)
            if re.search(re.escape(name) + r"\b", used):
                lines.append(f"  {name} = arith.constant {value} : {kind}")
        return lines + self.lines


class _Program:
    """A whole file."""

    def __init__(self, litmus: Litmus) -> None:
        self.litmus = litmus
        # Accumulating puts of values are rewritten for each launch alike, so that the launches stay joined.
        self.texts = {(r, k): parse(immediate_accumulate(litmus.text(r, k)))
                      for r in range(litmus.ranks) for k in range(litmus.launches)}
        self.windows: list[str] = []
        self.banks: dict[str, int] = {}
        self.guards: set[str] = set()
        self.sizes = dict(litmus.sizes)
        for (rank, _), text in self.texts.items():
            self._collect(text, rank)
        self.arguments = [*self.windows, *self.banks, "out"]
        if len(set(self.arguments)) < len(self.arguments):
            raise ValueError(f"{litmus.name}: a window and a bank have the same name")
        self.registers: list[str] = []
        self.bases: dict[Name, int] = {}
        self.aliases: dict[str, str] = {}
        self.out = "memref<OUTxi64>"

    def _collect(self, text: Iterable[Instr], rank: int) -> None:
        for op in text:
            for place in (op.src, op.dst):
                if place and place.window not in self.windows:
                    self.windows.append(place.window)
                if place:           # only windows that are not in the oracle's program (see immediate_accumulate)
                    for r in range(self.litmus.ranks):
                        if (place.window, r) not in self.litmus.sizes:
                            least = place.low.const + place.size
                            self.sizes[place.window, r] = max(least, self.sizes.get((place.window, r), 0))
            if op.slot:
                self.banks[op.slot.bank] = max(self.banks.get(op.slot.bank, 0), op.slot.index.const + 1)
            if op.guard:
                self.guards |= set(op.guard.variants)
            for branch in op.branches:
                self._collect(branch, rank)

    def size(self, window: str) -> int | None:
        """Elements, or None if the ranks differ."""
        sizes = {self.sizes[window, r] for r in range(self.litmus.ranks)}
        return sizes.pop() if len(sizes) == 1 else None

    def alias(self, size: int | None, offset: int | None, space: str, part: bool = False) -> str:
        """The name of a type of memrefs."""
        name = "!cells" if size is None else "!cell" if size == 1 else f"!cells_{size}"
        layout = ""
        if part:
            name += "_at_any" if offset is None else f"_at_{offset}"
            layout = ", strided<[1]" + ("" if offset == 0 else f", offset: {'?' if offset is None else offset}") + ">"
        if space == "peer":
            name = name.replace("!", "!peer_")
        self.aliases[name] = f"memref<{'?' if size is None else size}xi64{layout}, #gin.{space}>"
        return name

    def register(self, name: Name, symbols: dict[str, str]) -> Num:
        """Its place in %out."""
        if name not in self.bases:
            if set(name.variants) & set(self.registers):
                raise ValueError(f"{self.litmus.name}: two agents or launches set {name.variants}")
            self.bases[name] = len(self.registers)
            self.registers += name.variants
        return Num(self.bases[name], len(name.variants) > 1, "k" if len(name.variants) > 1 else "")

    # -- functions ---------------------------------------------------------------------------------------------------
    def main(self) -> list[str]:
        litmus = self.litmus
        body = _Body(self, {"me": "me", "k": "k"})
        body.switch("me", [(r, [self.texts[r, k] for k in range(litmus.launches)]) for r in range(litmus.ranks)], None)
        launch = "  %k = gin.launch"
        used = any(re.search(r"%k\b", line) for line in body.lines)
        return body.finish(["  %me = gin.rank", *([launch] if used else [])])

    def between(self) -> list[str]:
        """The host step: reads and writes every cell of every window that is not scratch."""
        litmus = self.litmus
        cells = [(w, i) for w in self.windows if w not in litmus.scratch for i in range(self.size(w))]
        if not cells:
            return []
        body = _Body(self, {"me": "me", "k": "k"})
        ten, one = body.constant(10, "index"), body.constant(1, "index")
        nth = body.define("nth", f"arith.addi %k, {one} : index")
        tens = body.define("tens", f"arith.muli %{nth}, {ten} : index")
        number = body.define("number", f"arith.addi %{tens}, %me : index")
        value = body.define("value", f"arith.index_cast %{number} : index to i64")
        loads = []
        for window, i in cells:
            where = f"%{window}[{body.constant(i, 'index')}] : {body.window(window)}"
            loads.append(body.define(f"{window}{i}", f"memref.load {where}"))
            body.line(f"memref.store %{value}, {where}")
        ranks = body.constant(litmus.ranks, "index")
        before = body.define("before", f"arith.muli %k, {ranks} : index")
        row = body.define("row", f"arith.addi %{before}, %me : index")
        start = row
        if len(cells) > 1:
            start = body.define("start", f"arith.muli %{row}, {body.constant(len(cells), 'index')} : index")
        for j, load in enumerate(loads):
            base = len(self.registers) + j
            where = start
            if base:
                where = body.define(f"slot{j}", f"arith.addi %{start}, {body.constant(base, 'index')} : index")
            body.line(f"memref.store %{load}, %out[%{where}] : {self.out}")
        self.registers += [f"h{k}.{w}[{i}]@{r}" for k in range(litmus.launches) for r in range(litmus.ranks)
                           for w, i in cells]
        return body.finish(["  %me = gin.rank", "  %k = gin.launch"])

    # -- the file ----------------------------------------------------------------------------------------------------
    def _arguments(self) -> list[str]:
        found = []
        for window in self.windows:
            kind = self.alias(self.size(window), None, "window")
            mark = (" {gin.scratch}" if window in self.litmus.scratch else
                    " {gin.source}" if window in self.litmus.source else "")
            found.append(f"%{window}: {kind}{mark}")
        return [*found, *(f"%{bank}: !gin.signals<{n}>" for bank, n in self.banks.items()), f"%out: {self.out}"]

    def _signature(self, what: str, attributes: Sequence[str]) -> list[str]:
        head, lines = f"func.func {what}(", []
        pad, current = " " * len(head), head
        arguments = self._arguments()
        for i, argument in enumerate(arguments):
            piece = argument + (", " if i + 1 < len(arguments) else ")")
            if len(current) + len(piece.rstrip()) > WIDTH and current.strip() and current != head:
                lines.append(current.rstrip())
                current = pad
            current += piece
        return [*lines, current, *attributes] if attributes else [*lines, current + " {"]

    def _expectations(self, host: bool) -> list[str]:
        """The attributes of the function, in lines."""
        litmus = self.litmus
        quoted: Callable[[Iterable[str]], str] = lambda texts: "[" + ", ".join(f'"{t}"' for t in texts) + "]"
        entries = [f"ranks = {litmus.ranks}"]
        if litmus.launches > 1:
            entries[0] += f", launches = {litmus.launches}"
        if litmus.allow or litmus.exact:
            entries.append(f"allow = {quoted(litmus.allow)}" + (", exact" if litmus.exact else ""))
        if litmus.forbid:
            entries.append(f"forbid = {quoted(litmus.forbid)}")
        if litmus.verdict:
            entries.append(f"verdict = {quoted(litmus.verdict)}")
        if self.registers:
            entries.append(f"registers = {quoted(self.registers)}")
        if host:
            entries.append("host = @host")
        end = "}"
        sizes = self._dims()
        if sizes:
            end = f"}},\n{' ' * 16}gin.run = {{dims = {{{sizes}}}}}"
        pad = " " * 30
        short = "    attributes {gin.litmus = {" + ", ".join(entries) + end + "} {"
        if len(short) <= WIDTH:
            return [short]
        lines = []
        for i, entry in enumerate(entries):
            current = "    attributes {gin.litmus = {" if i == 0 else pad
            for word in _words(entry + ("," if i + 1 < len(entries) else end + "} {")):
                if len(current) + len(word.rstrip()) > WIDTH and current.strip():
                    lines.append(current.rstrip())
                    current = pad + "  "
                current += word
            lines += current.split("\n")
        return lines

    def _dims(self) -> str:
        """The sizes that differ between the ranks, as expressions of ginc run."""
        found = []
        for window in self.windows:
            if self.size(window) is None:
                terms = " + ".join(f"(rank == {r}) * {self.sizes[window, r]}" for r in range(self.litmus.ranks))
                found.append(f'{window} = "{terms}"')
        return ", ".join(found)

    def _header(self) -> list[str]:
        litmus = self.litmus
        title = f"//===- {litmus.name}.mlir - a litmus program of the memory model "
        lines = [title.ljust(75, "-") + "===//", "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
                 "//===" + "-" * 70 + "===//", "//"]
        lines += _comment(litmus.about[0].upper() + litmus.about[1:] + ".", "")
        lines.append("//")
        for rank in range(litmus.ranks):
            texts = [immediate_accumulate(litmus.text(rank, k)) for k in range(litmus.launches)]
            if len(texts) > 1:
                for k, text in enumerate(texts):
                    lines += _comment(text or "(nothing)", f"  rank {rank}, launch {k}: ")
            else:
                lines += _comment(texts[0] or "(nothing)", f"  rank {rank}: ")
        lines.append("//")
        for note in litmus.notes:
            lines += _comment(note, "")
        lines += [line for outcome in litmus.allow for line in _comment(outcome, "ALLOW:   ")]
        if litmus.exact:
            lines.append("// ... and no other.")
        lines += [line for outcome in litmus.forbid for line in _comment(outcome, "FORBID:  ")]
        lines += _comment(", ".join(litmus.verdict) or "ok", "VERDICT: ")
        lines += ["//", "// Written by generate.py; change the program there."] if litmus.run else []
        lines += [f"// RUN: {litmus.run}"] if litmus.run else []
        return [line.rstrip() for line in lines]

    def file(self) -> str:
        body = self.main()
        host = self.between() if self.litmus.host else []
        name = self.litmus.name.replace("-", "_")
        functions = [*self._signature(f"@{name}", self._expectations(bool(host))), *body, "  return", "}"]
        if host:
            functions += ["", "// Between launches: the host reads every window that is not scratch, and writes",
                          f"// 10 * (launch + 1) + rank to it.", *self._signature("private @host", []), *host,
                          "  return", "}"]
        functions = [line.replace(self.out, f"memref<{max(1, len(self.registers))}xi64>") for line in functions]
        text = "\n".join(functions)
        aliases = [f"{name} = {kind}" for name, kind in self.aliases.items() if re.search(name + r"\b", text)]
        return "\n".join([*self._header(), "", *aliases, "", text]) + "\n"


def _words(text: str) -> list[str]:
    """Pieces at which a line may be broken: after a comma outside quotes."""
    return re.findall(r'(?:"[^"]*"|[^",])+,? ?|.', text)


def _comment(text: str, head: str) -> list[str]:
    """A paragraph, the first line starting with `head` and the others indented as deep."""
    lines, current = [], "// " + head
    for word in text.split():
        if len(current) + len(word) > WIDTH and current.strip("/ "):
            lines.append(current.rstrip())
            current = "// " + " " * len(head)
        current += word + " "
    return [*lines, current.rstrip()]


def translate(litmus: Litmus) -> str:
    """The file."""
    return _Program(litmus).file()
