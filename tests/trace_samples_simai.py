#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Workloads of SimAI and AICB: the operations that `ebb trace info` counts. The files are not ebb's to give away: EBB_SAMPLES
names a folder with simai/NAME. What their lines hold is checked by ebb_trace_test in the same way. Argument: ebb."""
import json
import os
import pathlib
import subprocess
import sys

EBB = sys.argv[1]


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
failed = []


def expect(true, what):
    if not true:
        failed.append(what)


def run(*words):
    return subprocess.run([EBB, "trace", *words], capture_output=True, text=True)


def main():
    folder = pathlib.Path(os.environ.get("EBB_SAMPLES", "/nonexistent")) / "simai"
    if not folder.is_dir():
        print("skipped: EBB_SAMPLES names no folder with files of other tools")
        return 77
    for name, (given, expected) in FILES.items():
        settings = [word for setting in given for word in ("--set", setting)]
        info = json.loads(run("info", str(folder / name), "--json", *settings).stdout)
        found = (info["sends"], info["sent_bytes"])
        expect(found == expected, f"{name}: sends and bytes are {found}, not {expected}")
        checked = run("check", str(folder / name), *settings)
        expect(checked.returncode == 0, f"{name}: {checked.stderr}")
        print(f"{name:32}{found[0]:>8,} sends of {found[1]:>18,} bytes")
    refused = run("info", str(folder / TOO_LARGE))
    expect(refused.returncode == 2 and "1789 layers on 9216 GPUs make up to" in refused.stderr, refused.stderr)
    smaller = run("check", str(folder / TOO_LARGE), "--set", "gpus=384", "--set", "layers=600")
    expect(smaller.returncode == 0, smaller.stderr)
    print(smaller.stdout, end="")
    print("\n".join(failed) if failed else f"{len(FILES) + 1} files are as they should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
