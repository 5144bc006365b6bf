# ===- patterns.py - names for parts of instructions of PTX ------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""Regular expressions of parts of instructions, by the names that the tables and
docs/ptx.md use; and the architectures."""

ARCHS = ["75", "80", "90a"]
OLD, NEW = ARCHS[:2], ARCHS[2:]

# Signals. A release is cumulative over all that the thread did or saw, and with
# the barrier before it over what its agent's threads did: as good as a fence and
# a relaxed addition, and 1 us faster. At the scope of the system, since other
# GPUs wait for it.
RELEASE = r"red\.release\.sys\.global\.add\.u64"
RELAXED = r"red\.relaxed\.sys\.global\.add\.u64"
ANY_RELEASE = r"\.release|fence\.(acq_rel|sc)\.sys"
# Waits. What is polled by anything weaker orders nothing after it. The long way
# is a function, which has a row of its own.
ACQUIRE = r"ld\.acquire\.sys\.global\.u64"
WAITED = ACQUIRE + r"|call \S*pollSlowly"
# Payload, by inline assembly, and by what is out of line.
LOAD16 = r"ld\.global\.v4\.u32"
STORE16 = r"st\.global\.v4\.u32"
COPY = r"call \S*copyUnaligned"
PAYLOAD_IN = f"{LOAD16}|{COPY}"
PAYLOAD_OUT = f"{STORE16}|{COPY}"
# A put or get of f32 whose rows are not all multiples of 16 bytes; additions.
STRIDED_OUT = PAYLOAD_OUT + r"|st\.relaxed\.sys\.global\.u32"
ADD_F32 = r"red\.relaxed\.sys\.global\.add\.f32"
# Loads and stores of the program, all of which are of f32 here.
LOAD = r"\bld(\.global)?(\.v\d)?\.(f|b)32"
STORE = r"\bst(\.global)?(\.v\d)?\.(f|b)32"
END = r"^ret\b"
# Barriers, which order memory. A vote of a warp does not.
SYNC = r"\bbar\.sync"
VOTE = r"\bbar\.red\.or"
WARP = r"\bbar\.warp\.sync"
BLOCK = r"\bbar\.(sync|red)"
ANY_SYNC = r"\bbar(rier)?\.(sync|red)|barrier\.cluster\.wait"
ANY_BARRIER = r"\bbar(rier)?\."
# In demands of rows for ops, what the threads of the op's scope meet by.
MEET = "MEET"
MEETINGS = {
    "thread": None,
    "warp": WARP,
    "block": BLOCK,
    "warps": r"\bbarrier\.(sync|red)",
}
SHARED_STORE = r"\bst\.shared"
SHARED_LOAD = r"\bld\.shared"
FENCE_SYSTEM = r"fence\.(acq_rel|sc)\.sys"
FENCE_GPU = r"fence\.acq_rel\.gpu"
ARRIVE_GPU = r"atom\.relaxed\.gpu\.global\.inc"
# The copy engine.
PROXY = r"fence\.proxy\.async(?!\.shared)"
BULK = r"cp\.async\.bulk"
BULK_LOAD = r"cp\.async\.bulk\.shared::cluster\.global"
BULK_STORE = r"cp\.async\.bulk\.global\.shared::cta"
BULK_DONE = r"cp\.async\.bulk\.wait_group\s+0"
TENSOR_LOAD = r"cp\.async\.bulk\.tensor\.2d\.shared"
TENSOR_STORE = r"cp\.async\.bulk\.tensor\.2d\.global"

# In no function at all, and why.
LOCAL = r"\b(ld|st)\.local"
NEVER = {
    r"\.nc\b": "the cache for read-only data has what was there before a wait",
    r"\b(ld|st)\S*\.(L1|L2)::": "names a policy of caches",
    r"\b(ld|st)\S*\.(ca|cg|cs|cv|lu|wb|wt)\b": "names a policy of caches",
    r"ld\.volatile|st\.volatile": "orders nothing; what is shared is relaxed or stronger",
    r"(?<!\.)\b(atom|red)\.(?!\S*\b(sys|gpu)\b)": "an atomic access that does not say its scope",
    r"(?<!\.)\b(ld|st|red|atom|fence)\S*\.cta\b": "a scope that other ranks and blocks are not in",
    r"membar": "fences say what they order",
    r"multimem|multicast": "the link's switch executes it",
    LOCAL: "memory of threads: only blocks with gaps need it, for their strides",
}
