"""Checks what viewers need of a trace: times are whole nanoseconds, a thread's number is its own in all processes, the
slices of a thread nest, and both ends of an arrow lie in a slice. Prints how many processes, slices and arrows there are."""

import json
import sys
from collections import defaultdict


def nanoseconds(event, key):
    value = round(event[key] * 1000)
    assert abs(event[key] * 1000 - value) < 1e-3, f"{key} is no whole number of nanoseconds: {event}"
    return value


events = json.load(open(sys.argv[1], encoding="utf-8"))["traceEvents"]
slices, arrows = defaultdict(list), defaultdict(list)
for event in events:
    thread = event["pid"], event["tid"]
    if event["ph"] == "X":
        begin = nanoseconds(event, "ts")
        slices[thread].append((begin, -(begin + nanoseconds(event, "dur")), event["name"]))
    elif event["ph"] in "sf":
        arrows[event["id"]].append((event["ph"], thread, nanoseconds(event, "ts")))

processes = {(event["pid"], event["tid"]) for event in events}
assert len(processes) == len({thread for _, thread in processes}), "two processes have a thread of one number"
assert not {process for process, _ in processes} & {thread for _, thread in processes}

for thread, found in slices.items():
    around = []
    for begin, end, name in sorted(found):
        while around and around[-1] <= begin:
            around.pop()
        assert not around or -end <= around[-1], f"thread {thread}: {name} at {begin} overlaps its end"
        around.append(-end)

for number, ends in arrows.items():
    assert sorted(phase for phase, _, _ in ends) == ["f", "s"], f"arrow {number} is not paired"
    for _, thread, time in ends:
        assert any(begin <= time < -end for begin, end, _ in slices[thread]), f"arrow {number} ends in no slice"

print(len({event["pid"] for event in events}), "processes,", sum(map(len, slices.values())), "slices,",
      len(arrows), "arrows")
