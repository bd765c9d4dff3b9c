#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of other tools: what they hold, and how long those of GOAL take in the LogGOPS model, by `ebb trace`. The files are not
ebb's to give away: EBB_SAMPLES names a folder with goal/NAME and others. Argument: ebb."""
import json

from trace_files import expect, finish, info, samples, skip, trace

# Ranks, ranks with operations, sends, receives, computations, bytes sent, dependencies on ends; then the time of the last
# rank in nanoseconds with LogGOPSim's defaults, None where there is none to compare with.
FILES = {
    "binary_tree_32.goal": (32, 32, 31, 31, 0, 31, 26, 27_500),
    "one_send.goal": (16, 2, 1, 1, 0, 80_000_000, 0, 480_005_494),
    "comp.goal": (16, 2, 1, 1, 1, 80_000_000, 1, 480_013_494),
    "incast_8_1_2MiB.goal": (16, 2, 2, 2, 0, 160_000_000, 1, 960_010_988),
    "perm64.goal": (64, 64, 64, 64, 0, 32_000_000, 0, 3_005_494),
    "incast_prio.goal": (128, 6, 5, 5, 0, 10_000_000, 0, 60_011_470),
    "permutation_across_16_m.goal": (16, 16, 80, 80, 0, 80_000_000, 0, 54_028_446),
    "allreduce_ring_8.goal": (8, 8, 112, 112, 0, 14_000, 104, 87_416),
    "calc_1024.goal": (1024, 2, 1, 1, 1, 4_000_000, 1, 24_080_494),
    "calc_1024_2500ns.bin": (1024, 2, 1, 1, 1, 4_000_000, 1, 24_007_994),
    "chained_1.goal": (32, 32, 192, 160, 0, 16_000_000, 320, 3_028_970),
    "chained_1_16r.bin": (16, 16, 80, 64, 0, 64_000_000, 128, 24_023_476),
    "diss16.bin": (16, 16, 65, 64, 0, 6_400_000, 49, 2_423_476),
    "adv3.bin": (8, 3, 3, 3, 0, 6_000_000, 0, 24_006_988),
    "adv16.bin": (16, 16, 16, 15, 0, 32_000_000, 0, None),
    "ping_pong_s.bin": (2, 2, 2, 2, 0, 30_000, 1, 190_988),
    "one_send_512.bin": (16, 2, 1, 1, 0, 512, 0, 8_566),
    "made_up_features.goal": (3, 3, 3, 3, 2, 4_120, 2, None),
}
PAIRS = ("perm64", "incast_prio", "permutation_across_16_m")  # the same program as text and in the binary form
WITHOUT_PARTNER = {"adv16.bin": 5}  # three sends and two receives
# Of SimGrid: sends and bytes sent (point to point, and with the default algorithms 3 messages of a broadcast, 24 of an all-reduce,
# 12 of an all-to-all, 8 of a barrier), then the time of all computations at 1 Gflop/s in picoseconds.
SIMGRID = {
    "made_up_4ranks.txt": (4, 2 + 3 + 24 + 12 + 8, 1_250_000 + 3 * 65_536 + 6 * 8_192 + 12 * 500,
                           2_000_000_000_000 + 1_500_000_000_000 + 1_000_000_000 + 1_000_000_000 + 4 * 16_384_000),
    "made_up_split_index.txt": (2, 2, 1_048_576 + 131_072, 1_000_000_000_000),
}
KEYS = ("ranks", "ranks_with_operations", "sends", "receives", "computations", "sent_bytes", "dependencies_on_ends")


def check_file(path, expected):
    held = info(path)
    found = tuple(held[key] for key in KEYS)
    expect(found == expected[:-1], f"{path.name}: {KEYS} are {found}, not {expected[:-1]}")
    checked = trace("check", str(path), "--markers")
    mistakes = checked.stderr.count("error:")
    expect(mistakes == WITHOUT_PARTNER.get(path.name, 0), f"{path.name}: {mistakes} mistakes\n{checked.stderr}")
    if expected[-1] is None:
        return
    timed = trace("loggops", str(path), "--markers", "--json")
    last = json.loads(timed.stdout)["last_ps"] // 1000 if timed.returncode == 0 else timed.stderr
    expect(last == expected[-1], f"{path.name}: the last rank ends after {last} ns, not {expected[-1]}")
    print(f"{path.name:32}{last:>14,} ns")


def check_simgrid(path, expected):
    held = info(path)
    found = tuple(held[key] for key in ("ranks", "sends", "sent_bytes", "compute_time_ps"))
    expect(found == expected, f"{path.name}: ranks, sends, bytes and computing are {found}, not {expected}")
    expect(trace("check", str(path)).returncode == 0, f"{path.name}: has mistakes")


def statements(path):
    """Rank by rank, whatever the order of the dependencies in the file."""
    text = trace("convert", str(path)).stdout
    return [sorted(rank.splitlines()) for rank in text.split("\n\n")]


def main():
    folder = samples("goal") or skip()
    for name, expected in FILES.items():
        check_file(folder / name, expected)
    for name in PAIRS:
        expect(statements(folder / f"{name}.goal") == statements(folder / f"{name}.bin"),
               f"{name}: text and binary form are the same program")
    for name, expected in SIMGRID.items():
        check_simgrid(folder.parent / "simgrid_ti" / name, expected)
    finish(f"{len(FILES) + len(SIMGRID)} files and {len(PAIRS)} pairs are")


main()
