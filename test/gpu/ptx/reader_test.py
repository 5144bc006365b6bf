#!/usr/bin/env python3
# ===- reader_test.py - tests of ptx.py ----------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""What demands say of short PTX written by hand."""

import unittest

from ptx import BEGIN, between, errors_of, functions, has, order


def function(body):
    return functions(".visible .entry f(\n.param .u64 a\n)\n.maxntid 64\n{" + body + "}\n")["f"]


def ways(text):
    """From store to load, over what `text` has in between."""
    return function(f"st.f [%rd1], %f1;\n{text}\nld.f %f2, [%rd1];\nret;")


SYNCED = between(r"^st", r"^ld", r"^bar")


class ReaderTest(unittest.TestCase):
    def accepts(self, demand, function):
        self.assertIsNone(demand.error(function))

    def refuses(self, demand, function, error):
        self.assertIn(error, demand.error(function))

    def test_statements(self):
        f = function(
            "// bar.sync 0;\n.reg .b32 %r<2>;\n"
            "ld.v2.u32 {%r1, %r2}, [%rd1];\n{ call (x), g, (%r1, %r2); }\n$L: ret;"
        )
        texts = [instruction.text for instruction in f.instructions]
        self.assertEqual(texts, ["ld.v2.u32 {%r1, %r2}, [%rd1]", "call g", "ret"])

    def test_several_functions(self):
        f = functions(".func (.param .b32 r) g(.param .b32 a)\n{ ret; }\n"
                      ".weak .func h(\n)\n;\n.visible .entry k()\n{ { exit; } }\n")
        self.assertEqual({"g", "k"}, f.keys())

    def test_straight(self):
        self.accepts(SYNCED, ways("bar.sync 0;"))
        self.refuses(SYNCED, ways(""), "has a way")
        self.refuses(SYNCED, function("ld.f; bar.sync 0; st.f; ret;"), "never has ^ld after ^st")
        self.refuses(SYNCED, function("st.f; bar.sync 0; ret;"), "lacks ^ld")

    def test_branch_around(self):
        self.refuses(SYNCED, ways("@%p1 bra $L;\nbar.sync 0;\n$L:"), "has a way")
        self.accepts(SYNCED, ways("bra.uni $M;\n$L: bar.sync 0; bra $N;\n$M: bra $L;\n$N:"))

    def test_condition(self):
        self.refuses(SYNCED, ways("@%p1 bar.sync 0;"), "has a way")
        self.accepts(SYNCED, ways("@%p1 ret;\nbar.sync 0;"))

    def test_loop(self):
        # The second time around there is a load after a store.
        loop = "$L: ld.f; bar.sync 0; st.f; @%p1 bra $L; ret;"
        self.refuses(SYNCED, function(loop), "has a way")
        self.accepts(SYNCED, function(loop.replace("$L:", "$L: bar.sync 0;")))
        self.refuses(order(r"^ld", r"^st"), function(loop), "can have ^st before ^ld")
        self.accepts(order(r"^ld", r"^st"), function(loop.replace("@%p1 bra $L;", "")))

    def test_table_of_branches(self):
        body = "t: .branchtargets $L, $M;\nbrx.idx %r1, t;\n$L: bar.sync 0;\n$M:"
        self.refuses(SYNCED, ways(body), "has a way")
        self.accepts(SYNCED, ways(body.replace("$L, $M", "$L")))

    def test_labels_of_blocks(self):
        # Inline assembly has labels of its own, of the same names.
        block = "{\nL: @%p1 bra L;\n}\n"
        self.accepts(SYNCED, ways(block + "bar.sync 0;\n" + block))
        with self.assertRaisesRegex(ValueError, "no label L"):
            function(block + "bra L;")

    def test_begin(self):
        begin = between(BEGIN, r"^ld", r"^bar")
        self.accepts(begin, ways("bar.sync 0;"))
        self.refuses(begin, ways(""), "has a way")

    def test_meeting(self):
        demand = between(r"^st", r"^ld", "MEET|^fence")
        self.accepts(demand.meeting("MEET", r"^bar"), ways("bar.sync 0;"))
        self.accepts(demand.meeting("MEET", r"^bar"), ways("fence.sc.sys;"))
        self.assertEqual(demand.meeting("MEET", None), order(r"^st", r"^ld"))
        self.assertEqual(between(BEGIN, r"^ld", "MEET").meeting("MEET", None), has(r"^ld"))

    def test_errors(self):
        f = ways("ld.global.nc.f %f1, [%rd1];")
        self.assertEqual(errors_of(f, [r"^st", r"\.nc\b"], [r"\bmembar"]), [])
        self.assertEqual(
            errors_of(f, [r"^red"], [r"\.nc\b"]),
            ["lacks ^red", r"must not have: ld.global.nc.f %f1, [%rd1] (\.nc\b)"],
        )

    def test_broken(self):
        for demand in [has(r"^st"), order(r"^st", r"^ld"), SYNCED]:
            broken = list(demand.broken(ways("bar.sync 0;")))
            self.assertTrue(broken)
            for one in broken:
                self.assertIsNotNone(demand.error(one))


if __name__ == "__main__":
    unittest.main()
