# ===- litmus_bundle.py - litmus programs for a machine with GPUs -----------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""What make_bundle.py writes of litmus programs: sources with the bodies that ginc emits,
in a form that Rounds.h can call, and copies of device headers without single rules, for
controls."""

import json
import re
import shutil
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PER_SOURCE = 6

# Control: what it lacks; file, line as it stands there, line instead. A test that no
# longer finds a line fails, so these stay true.
SIGNAL = "runtime/device/Signal.h"
RELEASES = [
    (SIGNAL, "  addRelease(address, weight + context.zero);",
     "  addRelaxed(address, weight + context.zero);"),
]
ACQUIRES = [
    (SIGNAL, "    value = loadAcquire(awaited.address);",
     "    value = loadRelaxed(awaited.address);"),
    (SIGNAL, "    if (likely(reached(loadAcquire(awaited.address),",
     "    if (likely(reached(loadRelaxed(awaited.address),"),
    (SIGNAL, "        loadAcquire(bank.values + static_cast<uint64_t>(slot) * slotStride);",
     "        loadRelaxed(bank.values + static_cast<uint64_t>(slot) * slotStride);"),
]
CONTROLS = {
    "relaxed-signals": ("the release of plain and bundled signals", RELEASES),
    "relaxed-waits": ("the acquire of waits", ACQUIRES),
    "no-fences": ("release and acquire, and meetings of threads before a signal", [
        *RELEASES,
        *ACQUIRES,
        (SIGNAL, "  if (strength == Strength::Plain)\n    coop.sync();",
         ""),
        ("runtime/device/Transfer.h",
         "    return;\n  coop.sync();\n  if (coop.leader() && likely(!context.failed))",
         "    return;\n  if (coop.leader() && likely(!context.failed))"),
    ]),
    # Shows forbidden outcomes on any machine: that the others could be seen.
    "no-waits": ("the wait of waits", [
        (SIGNAL, "    if (likely(reached(loadAcquire(awaited.address),\n"
         "                       awaited.base + awaited.count)))",
         "    loadAcquire(awaited.address);\n    if (true)"),
    ]),
}  # fmt: skip


class NotRun(Exception):
    """Why a program is not played."""


def attribute(text):
    """The entries of gin.litmus that matter here."""
    body = text[text.index("gin.litmus = {") :]
    body = body[: body.index("}}")]

    def strings(key):
        found = re.search(rf"\b{key} = \[((?:\s*\"[^\"]*\",?)*)\s*\]", body)
        return re.findall(r'"([^"]*)"', found[1]) if found else []

    def number(key):
        found = re.search(rf"\b{key} = (\d+)", body)
        return int(found[1]) if found else 1

    return {
        "ranks": number("ranks"),
        "launches": number("launches"),
        "host": "host = @" in body,
        "exact": bool(re.search(r"\bexact\b", body)),
        **{key: strings(key) for key in ("allow", "forbid", "registers", "verdict")},
    }


def function_of(text, name):
    """The emitted kernel's body as a function, and the names of its parameters: the
    context, and those of the kernel after the program."""
    kernel = re.search(
        rf"^extern.*?\b{name}_kernel\((.*?)\) {{\n"
        r"  gin::run\(program, \[&\]\((gin::Context &\w*)\) {\n(.*?)^  }\);\n}\n",
        text, re.S | re.M)  # fmt: skip
    taken = [" ".join(one.split()) for one in kernel[1].split(",")][1:]
    taken = [re.sub(r"^const __grid_constant__ (\S+) ", r"const \1 &", one) for one in taken]
    head = ", ".join([kernel[2], *taken])
    return (
        f"static __device__ void {name}_body({head}) {{\n{kernel[3]}}}\n\n",
        [re.search(r"\w+$", one)[0] for one in taken],
    )


class Program:
    """One litmus program, emitted."""

    def __init__(self, bundle, file):
        text = file.read_text()
        self.expected = attribute(text)
        self.file = file
        (self.name,) = re.findall(r"^func\.func @(\w+)\(", text, re.M)
        verdict = self.expected["verdict"]
        for word in ("deadlock", "out-of-bounds", "access-right", "overlap"):
            if word in verdict:
                raise NotRun(f"ends in an error: {word}")
        self.host = f"{self.name}_host" if self.expected["host"] else None
        text = text.replace("@host", f"@{self.host}").replace("func private", "func")
        self.needs, self.text = self.emit(bundle, text, self.name)
        self.host_text = self.emit(bundle, text, self.host)[1] if self.host else None
        if "OfGrid(" in self.text:
            raise NotRun("a kernel of several blocks")
        self.describe()

    def emit(self, bundle, text, entry):
        source = bundle.folder / self.file.name
        source.write_text(text)
        bundle.run(bundle.ginc, "build", "--quiet", self.file.name, "--entry", entry, "-o",
                   "emitted", "--launch-barrier=never", "--launch-barrier-reason",
                   "a litmus program runs as it is", cwd=bundle.folder)  # fmt: skip
        source.unlink()
        out = bundle.folder / "emitted"
        needs = json.loads((out / f"{entry}.json").read_text())
        code = (out / f"{entry}.cu").read_text()
        shutil.rmtree(out)
        return needs, code

    def describe(self):
        needs = self.needs
        arrays = [a for a in needs["arguments"] if a["kind"] == "window"] + needs["scratch"]
        pointers = [a for a in needs["arguments"] if a["kind"] != "window"]
        if any(a["kind"] != "pointer" for a in pointers):
            raise NotRun("memory that one rank alone registers")
        self.windows = {a["name"]: a for a in arrays}
        self.banks = {b["name"]: b for b in needs["banks"]}
        self.out = pointers[0]["name"] if pointers else "out"
        for a in arrays:
            if a.get("type", a.get("element")) != "i64" or not all(
                e.isdigit() for e in a["shape"]
            ):
                raise NotRun("windows of other types or sizes")
        self.observed = []
        for pattern in self.expected["allow"] + self.expected["forbid"]:
            for term in pattern.split():
                name = term.rsplit("=", 1)[0]
                if name not in self.observed:
                    self.observed.append(name)
        self.observed = self.observed or self.expected["registers"]

    def place(self, name):
        """An Observed."""
        if name in self.expected["registers"]:
            return f"{{-1, 0, {self.expected['registers'].index(name)}}}"
        window, element, rank = re.fullmatch(r"(\w+)\[(\d+)\]@(\d+)", name).groups()
        return f"{{{list(self.windows).index(window)}, {rank}, {element}}}"

    def pattern(self, text):
        terms = [term.rsplit("=", 1) for term in text.split()]
        return '{"%s", {%s}}' % (
            text, ", ".join(f"{{{self.observed.index(n)}, {v}}}" for n, v in terms))  # fmt: skip

    def body(self, text, name):
        """The kernel's body as a function, after its macro, and its parameters' names."""
        macro = re.search(r"^// Where an operation stands.*?\n\n", text, re.S | re.M)
        function, names = function_of(text, name)
        return (macro[0] if macro else "") + function, names

    def arguments(self, names):
        words = []
        for name in names:
            window = name.removesuffix("_window")
            if name == self.out:
                words.append("out")
            elif window in self.windows:
                place = f"windows[{list(self.windows).index(window)}]"
                # One that is loaded and stored only is a pointer.
                words.append(place if name != window else f"gin::elements<int64_t>({place})")
            else:
                words.append(f"banks[{list(self.banks).index(name)}]")
        return ", ".join(["context", *words])

    def function(self, which, text, name):
        body, names = self.body(text, name)
        return body + "#undef AT\n\n", (
            f"  static __device__ void {which}(gin::Context &context, const gin::Window *windows,\n"
            "      const gin::Bank *banks, int64_t *out) {\n"
            "    (void)windows, (void)banks, (void)out;\n"
            f"    {name}_body({self.arguments(names)});\n  }}\n")  # fmt: skip

    def source(self):
        before, body = self.function("body", self.text, self.name)
        host = ("  static __device__ void host(gin::Context &, const gin::Window *,"
                " const gin::Bank *, int64_t *) {}\n")  # fmt: skip
        if self.host:
            more, host = self.function("host", self.host_text, self.host)
            before += more
        registers = len(self.expected["registers"])

        def extent(a):
            count = 1
            for e in a["shape"]:
                count *= int(e)
            return count

        def row(values):
            return "{" + ", ".join(map(str, values)) + "}"

        expected = self.expected
        return f"""// -- {self.file.name}

{before}struct {self.name}_litmus {{
{body}{host}}};
static const gintest::litmus::Registered {self.name}_entry({{
    "{self.file.stem}",
    gintest::litmus::rounds<{self.name}_litmus>,
    {{{expected["ranks"]}, {expected["launches"]}, {len(self.windows)}, {len(self.banks)},
     {registers}, {len(self.observed)}, {row(map(extent, self.windows.values()))},
     {row(a["rights"] for a in self.windows.values())},
     {row(extent(b) for b in self.banks.values())},
     {row(map(self.place, self.observed))}}},
    {row(f'"{name}"' for name in self.observed)},
    {row(map(self.pattern, expected["allow"]))},
    {row(map(self.pattern, expected["forbid"]))},
    {str(expected["exact"]).lower()},
    "{", ".join(expected["verdict"]) or "ok"}",
}});

"""


def write_sources(folder, stem, programs):
    names = []
    for number in range(0, len(programs), PER_SOURCE):
        name = f"{stem}{number // PER_SOURCE}.cu"
        (folder / name).write_text(
            "// Written by make_bundle.py.\n\n"
            '#include "runtime/device/Compiled.h"\n#include "test/gpu/litmus/Rounds.h"\n\n'
            + "".join(program.source() for program in programs[number : number + PER_SOURCE]))  # fmt: skip
        names.append(f"litmus/{name}")
    return names


def weaken(folder, replacements):
    """Copies of headers with lines replaced, each of which stands there once."""
    texts = {}
    for file, line, instead in replacements:
        text = texts.get(file) or (ROOT / file).read_text()
        if text.count(line) < 1:
            raise SystemExit(f"{file} has no longer the line\n{line}")
        texts[file] = text.replace(line, instead)
    for file, text in texts.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)


def add(bundle, wanted):
    """Writes everything; returns the lines of CMake that build it."""
    programs, left_out = [], {}
    for file in sorted((ROOT / "test" / "litmus").glob("*.mlir")):
        if wanted and file.stem not in wanted:
            continue
        try:
            programs.append(Program(bundle, file))
        except NotRun as why:
            left_out.setdefault(str(why), []).append(file.stem)
    folder = bundle.folder / "litmus"
    folder.mkdir()
    lines = [
        "function(add_litmus name)",
        "  gin_kernels(${ARGN})",
        "  add_executable(${name} ${ARGN} test/gpu/litmus/Main.cpp ${platform})",
        "  gin_program(${name})",
        "endfunction()",
        f"add_litmus(gin-litmus {' '.join(write_sources(folder, 'Litmus', programs))})",
    ]
    controlled = [p for p in programs if p.expected["forbid"]]
    sources = write_sources(folder, "Control", controlled)
    for control, (_, replacements) in CONTROLS.items():
        weaken(folder / control, replacements)
        lines += [
            f"add_litmus(gin-litmus-{control} {' '.join(sources)})",
            f"target_include_directories(gin-litmus-{control} BEFORE PRIVATE litmus/{control})",
        ]
    (folder / "controls").write_text("".join(f"{name}\n" for name in CONTROLS))
    (folder / "left-out.md").write_text(
        "".join(f"- {why}: {', '.join(names)}\n" for why, names in left_out.items()))  # fmt: skip
    bundle.notes.append(f"{len(programs)} litmus programs, {len(controlled)} in controls")
    return lines
