# ===- ptx.py - what a table demands of PTX ----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Reads PTX, and says whether functions of it are as a row of a table demands.
Each demand also knows functions that it must refuse, made of one that it accepts.

Blocks of instructions do not stand in the order in which they run, so that
demands of an order are about paths. What a function calls is one instruction:
`call NAME`. Conditions are not looked at: each branch may go both ways.
"""

import copy
import re
from collections import deque
from dataclasses import dataclass

# As where a path begins: the function's first instruction.
BEGIN = "(begin)"


class Instruction:
    def __init__(self, text, after=()):
        self.text = text
        self.after = list(after)  # numbers of instructions that may follow
        self.is_conditional = text.startswith("@")


class Function:
    """The instructions of a body, and which may follow which."""

    def __init__(self, body):
        self.instructions = []
        self.begin = 0
        labels, branches, scopes, tables = {}, [], [()], {}
        for text in self._statements(body):
            number = len(self.instructions)
            if text == "{":
                scopes.append((*scopes[-1], number, len(labels)))
            elif text == "}":
                scopes.pop()
            elif text.endswith(":"):
                labels[scopes[-1], text[:-1]] = number
            elif ".branchtargets" in text:
                name, targets = text.split(": .branchtargets")
                tables[name] = re.split(r"[,\s]+", targets.strip())
            elif not text.startswith("."):
                self.instructions.append(Instruction(text))
                branches.append(scopes[-1])
        for number, instruction in enumerate(self.instructions):
            scope = branches[number]
            words = instruction.text.split()
            opcode = words[1] if instruction.is_conditional else words[0]
            targets = []
            if opcode.startswith("brx"):
                targets = tables[words[-1]]
            elif opcode.startswith("bra"):
                targets = [words[-1]]
            for target in targets:
                inner = scope
                while (inner, target) not in labels:
                    inner = inner[:-2] if inner else self._unknown(target)
                instruction.after.append(labels[inner, target])
            leaves = bool(targets) or re.match(r"(ret|exit|trap)\b", opcode)
            is_last = number + 1 == len(self.instructions)
            if not is_last and (not leaves or instruction.is_conditional):
                instruction.after.append(number + 1)

    @staticmethod
    def _unknown(target):
        raise ValueError(f"no label {target}")

    @staticmethod
    def _statements(body):
        text = re.sub(r"//[^\n]*", "", body)
        # Labels end with a colon, all else with a semicolon or brace; vectors
        # of registers have braces, too, inside statements.
        pattern = r"[\w$%]+:(?!\s*\.branchtargets)|\{|\}|[^\s;{}](?:[^;{}]|\{[^;{}]*\})*;"
        for match in re.finditer(pattern, text):
            statement = " ".join(match.group().rstrip(";").split())
            call = re.match(r"call\S* (?:\([^)]*\), )?([\w$]+)", statement)
            yield f"call {call.group(1)}" if call else statement

    def changed(self, pattern, change):
        """The same paths, where `change` makes other texts of those that match."""
        new = copy.copy(self)
        new.instructions = list(self.instructions)
        for number in self.places(pattern):
            old = self.instructions[number]
            new.instructions[number] = Instruction(change(old.text), old.after)
        return new

    def without(self, pattern):
        return self.changed(pattern, lambda text: "")

    def beginning_with(self, text):
        new = copy.copy(self)
        new.begin = len(self.instructions)
        new.instructions = [*self.instructions, Instruction(text, [self.begin])]
        return new

    def places(self, pattern, surely=False):
        return [
            number
            for number, instruction in enumerate(self.instructions)
            if re.search(pattern, instruction.text)
            and not (surely and instruction.is_conditional)
        ]

    def reached(self, begin, avoiding=()):
        """What can run after `begin`, without what it would have to pass."""
        seen = set(avoiding)
        found = set()
        after = (
            [self.begin]
            if begin == BEGIN
            else [n for b in self.places(begin) for n in self.instructions[b].after]
        )
        pending = deque(after)
        while pending:
            number = pending.popleft()
            if number not in found:
                found.add(number)
                if number not in seen:
                    pending.extend(self.instructions[number].after)
        return found


@dataclass
class has:
    """It occurs."""

    pattern: str

    def meeting(self, name, pattern):
        return self

    def error(self, function):
        return None if function.places(self.pattern) else f"lacks {self.pattern}"

    def broken(self, function):
        """Functions that are not as demanded."""
        yield function.without(self.pattern)


@dataclass
class order:
    """Both occur, the second can run after the first, and never before it."""

    first: str
    second: str

    def meeting(self, name, pattern):
        return self

    def error(self, function):
        for pattern in (self.first, self.second):
            if not function.places(pattern):
                return f"lacks {pattern}"
        if not function.reached(self.first) & set(function.places(self.second)):
            return f"never has {self.second} after {self.first}"
        if function.reached(self.second) & set(function.places(self.first)):
            return f"can have {self.second} before {self.first}"
        return None

    def broken(self, function):
        yield function.without(self.first)
        yield function.without(self.second)
        second = function.places(self.second)[0]
        yield function.beginning_with(function.instructions[second].text)


@dataclass
class between:
    """Both occur, and each way from the first to the second passes `via`."""

    first: str
    second: str
    via: str

    def meeting(self, name, pattern):
        """The demand with a pattern for a name of one. Threads that act alone
        have none: the two are in order."""
        if name not in self.via:
            return self
        if pattern:
            return between(self.first, self.second, self.via.replace(name, pattern))
        if self.first == BEGIN:
            return has(self.second)
        return order(self.first, self.second)

    def error(self, function):
        for pattern in (self.first, self.second):
            if pattern != BEGIN and not function.places(pattern):
                return f"lacks {pattern}"
        ends = set(function.places(self.second))
        if not function.reached(self.first) & ends:
            return f"never has {self.second} after {self.first}"
        passing = function.places(self.via, surely=True)
        if function.reached(self.first, passing) & (ends - set(passing)):
            return f"has a way from {self.first} to {self.second} without {self.via}"
        return None

    def broken(self, function):
        if self.first != BEGIN:
            yield function.without(self.first)
        yield function.without(self.second)
        yield function.without(self.via)
        # Not on each way.
        yield function.changed(self.via, lambda text: f"@%p {text}")


def functions(ptx):
    """Name -> each function that has a body."""
    found = {}
    pattern = (
        r"^(?:\.visible |\.weak )?\.(?:entry|func)\s+(?:\([^)]*\)\s*)?(\w+)"
        r"\s*\([^{;]*\{"
    )
    for match in re.finditer(pattern, ptx, re.M):
        end, depth = match.end(), 1
        while depth:  # inline assembly has braces of its own
            depth += {"{": 1, "}": -1}.get(ptx[end], 0)
            end += 1
        found[match.group(1)] = Function(ptx[match.end() : end - 1])
    return found


def demands(must):
    """A pattern alone says that it occurs."""
    return [has(demand) if isinstance(demand, str) else demand for demand in must]


def errors_of(function, must, never):
    """What is wrong with a function, as texts."""
    errors = [demand.error(function) for demand in demands(must)]
    errors += [
        f"must not have: {function.instructions[number].text} ({pattern})"
        for pattern in never
        for number in function.places(pattern)
    ]
    return [error for error in errors if error]


def unnoticed(function, must, never, examples):
    """What no error comes of, when the function is broken: demands, and patterns
    that must not be, of which `examples` has an instruction each."""
    for demand in demands(must):
        for number, broken in enumerate(demand.broken(function)):
            if not demand.error(broken):
                yield f"{demand} ({number})"
    for pattern in never:
        broken = function.beginning_with(examples[pattern])
        if not errors_of(broken, [], [pattern]):
            yield f"must not have {pattern}"
