# ===- device.py - what PTX the device functions must and must not have -------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""The kernels of Operations.cu, which call the device functions as kernels by hand
do, and what is out of line in all kernels."""

from collections import namedtuple

from patterns import *
from ptx import BEGIN, between, order

# `archs`: all if None.
Kernel = namedtuple("Kernel", "name must never archs", defaults=[[], None])

KERNELS = [
    Kernel("signal_plain_thread", [RELEASE], [RELAXED, FENCE_SYSTEM, ANY_BARRIER]),
    Kernel("signal_plain_warp", [between(BEGIN, RELEASE, WARP)], [RELAXED, FENCE_SYSTEM]),
    Kernel("signal_plain_block", [between(BEGIN, RELEASE, SYNC)], [RELAXED, FENCE_SYSTEM]),
    Kernel("signal_relaxed_block", [RELAXED], [ANY_RELEASE, ANY_BARRIER]),
    Kernel("wait_thread", [ACQUIRE], [FENCE_SYSTEM, ANY_BARRIER]),
    Kernel("wait_block", [order(ACQUIRE, VOTE)], [FENCE_SYSTEM]),
    Kernel("test_block", [order(ACQUIRE, VOTE)], [FENCE_SYSTEM]),
    Kernel("read_thread", [ACQUIRE], [FENCE_SYSTEM]),
    Kernel(
        "put_block",
        [between(BEGIN, PAYLOAD_IN, SYNC), LOAD16, STORE16],
        [ANY_RELEASE, BULK],
    ),
    Kernel(
        "put_signal_block",
        [
            between(BEGIN, PAYLOAD_IN, SYNC),
            STORE16,
            between(PAYLOAD_OUT, RELEASE, f"{SYNC}|{WARP}"),
        ],
        [RELAXED, FENCE_SYSTEM, BULK],
    ),
    Kernel(
        "put_signal_bulk",
        [
            between(BEGIN, BULK_LOAD, PROXY),
            between(PROXY, BULK_LOAD, SYNC),
            # By one thread, which then releases; ways of others pass no such wait.
            order(BULK_STORE, BULK_DONE),
            order(BULK_DONE, RELEASE),
        ],
        [RELAXED, FENCE_SYSTEM],
        NEW,
    ),
    Kernel(
        "put_signal_bulk",
        [between(PAYLOAD_OUT, RELEASE, SYNC)],
        [FENCE_SYSTEM, BULK],
        OLD,
    ),
    Kernel(
        "get_flush_bulk",
        [
            between(BEGIN, BULK_LOAD, PROXY),
            order(BULK_STORE, BULK_DONE),
            between(BULK_DONE, END, SYNC),
        ],
        [ANY_RELEASE],
        NEW,
    ),
    Kernel("get_flush_bulk", [between(STORE16, END, SYNC)], [ANY_RELEASE, BULK], OLD),
    Kernel(
        "get_block",
        [between(BEGIN, PAYLOAD_IN, SYNC), LOAD16, between(PAYLOAD_OUT, END, SYNC)],
        [ANY_RELEASE, BULK],
    ),
    Kernel("put_value", [r"st\.relaxed\.sys\.global\.u64"], [ANY_RELEASE]),
    Kernel("accumulate_float", [r"red\.relaxed\.sys\.global\.add\.f32"], [ANY_RELEASE, STORE16]),
    Kernel("atomic_add", [RELAXED], [ANY_RELEASE]),
    Kernel(
        "barrier_block",
        [between(BEGIN, RELEASE, VOTE), order(RELEASE, ACQUIRE), between(WAITED, END, VOTE)],
        [FENCE_SYSTEM],
    ),
    Kernel(
        "wait_then_load",
        [between(WAITED, r"\bld(\.global)?\.u64 %\w+, \[%\w+\]$", VOTE)],
    ),
    Kernel(
        "launch_end",
        [between(BEGIN, ARRIVE_GPU, VOTE), between(BEGIN, ARRIVE_GPU, FENCE_GPU)],
    ),
]

# By the names that they have in Gin.h's files. All functions but kernels are here.
FUNCTIONS = [
    # Time-outs look at the clock that all threads of a GPU share. The rest of
    # what it polls is flags.
    Kernel(
        "pollSlowly",
        [between(BEGIN, END, ACQUIRE), r"%globaltimer", r"ld\.relaxed\.sys\.global\.u32"],
        [r"%clock", r"ld\.relaxed\.sys\.global\.u64"],
    ),
    Kernel("hasStopped", [r"ld\.relaxed\.sys\.global\.u32"], [r"%clock"]),
    # The host reads the record once its code is there.
    Kernel(
        "recordFault",
        [
            r"atom\.relaxed\.sys\.global\.cas",
            r"st\.release\.sys\.global\.u32",
            r"st\.relaxed\.sys\.global\.u32",
        ],
    ),
    Kernel("recordTransfer", []),
    Kernel("recordAccess", []),
    Kernel("recordArgument", []),
    Kernel("recordSlot", []),
    Kernel("copyUnaligned", [LOAD16, STORE16, r"ld\.global\.u8", r"st\.global\.u8"]),
    Kernel("awaitGeneration", [r"ld\.relaxed\.sys\.global\.u32"]),
]
