#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Workloads of SimAI and AICB: the operations that `ebb trace info` counts. The files are not ebb's to give away: EBB_SAMPLES
names a folder with simai/NAME. What their lines hold is checked by ebb_trace_test in the same way. Argument: ebb."""
from trace_files import expect, finish, info, samples, skip, trace


def ring(gpus, operations, buffer, all_reduce):
    """Sends and bytes of all GPUs of one group: p - 1 rounds in which each sends a part of the buffer; twice for all-reduces."""
    rounds = (2 if all_reduce else 1) * (gpus - 1)
    return gpus * rounds * operations, rounds * buffer


# Parameters; sends and bytes of all GPUs.
FILES = {
    "microAllReduce.txt": ((), ring(8, 2, 83_886_080, True)),
    "aicb_all_reduce.txt": (("gpus=16",), ring(16, 19, 2_147_479_552, True)),
    "aicb_all_to_all.txt": (("gpus=16",), ring(16, 19, 2_147_479_552, False)),
    # Two data groups of the eight GPUs of a tensor group: sixteen GPUs have eight data groups of two.
    "aicb_muti_all_reduce.txt": (("gpus=16",), tuple(8 * value for value in ring(2, 19, 2_147_479_552, True))),
}
TOO_LARGE = "workload_analytical.txt"  # 1,789 layers on 9,216 GPUs


def main():
    folder = samples("simai") or skip()
    for name, (given, expected) in FILES.items():
        settings = [word for setting in given for word in ("--set", setting)]
        held = info(folder / name, *settings)
        found = (held["sends"], held["sent_bytes"])
        expect(found == expected, f"{name}: sends and bytes are {found}, not {expected}")
        checked = trace("check", str(folder / name), *settings)
        expect(checked.returncode == 0, f"{name}: {checked.stderr}")
        print(f"{name:32}{found[0]:>8,} sends of {found[1]:>18,} bytes")
    refused = trace("info", str(folder / TOO_LARGE))
    expect(refused.returncode == 2 and "1789 layers on 9216 GPUs make up to" in refused.stderr, refused.stderr)
    smaller = trace("check", str(folder / TOO_LARGE), "--set", "gpus=384", "--set", "layers=600")
    expect(smaller.returncode == 0, smaller.stderr)
    print(smaller.stdout, end="")
    finish(f"{len(FILES) + 1} files are")


main()
