#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists of flows of other tools: what they hold, by `ebb trace info`. The files are not ebb's to give away: EBB_SAMPLES names a
folder with htsim/cm/NAME and hpcc/NAME. Argument: ebb."""
from trace_files import expect, finish, info, samples, skip, trace

# Hosts, flows, bytes sent, dependencies of flows on others.
FILES = {
    "htsim/cm/one.cm": (16, 1, 2_000_000, 0),
    "htsim/cm/bidir.cm": (16, 2, 4_000_000, 0),
    "htsim/cm/incast.cm": (16, 15, 30_000_000, 0),
    "htsim/cm/incast_128.cm": (128, 127, 254_000_000, 0),
    "htsim/cm/outcast_incast.cm": (128, 21, 42_000_000, 0),
    "htsim/cm/perm_16n_16c_2MB.cm": (16, 16, 32_000_000, 0),
    "htsim/cm/perm_32n_32c_2MB.cm": (32, 32, 64_000_000, 0),
    "htsim/cm/perm_1024n_1024c_0u_2000000b.cm": (1024, 1024, 2_048_000_000, 0),
    "htsim/cm/foo2.cm": (128, 12, 24_000_000, 8),
    "htsim/cm/alltoall_serial_16n.cm": (16, 240, 480_000_000, 224),
    "htsim/cm/test_cr_1f10m10p.cm": (2, 10, 408_600, 0),
    "htsim/cm/incast_3-1_overlapped.tm": (128, 3, 2_500_000, 0),
    "hpcc/made_up_flow.txt": (6, 6, 17_030_064, 4),  # four flows start after time 0 and wait for their clock
}
for senders in (2, 8, 32):
    for start in ("0us", "16us"):
        for name, size in (("1Ms", 1_048_576), ("16Ms", 16_777_216)):
            FILES[f"htsim/cm/gen_random_incast_8192n_{senders}c_{start}_{name}.cm"] = (8192, senders, senders * size, 0)
# These hold starts of some picoseconds, where microseconds were meant.
SMALL_STARTS = ("_16us_", "incast_3-1_overlapped")


def check_file(folder, name, expected):
    begin = ("--set", "begin=first") if name.startswith("hpcc/") else ()
    held = info(folder / name, *begin)
    counts = (held["ranks"], held["sends"], held["sent_bytes"], held["dependencies_on_ends"])
    expect(counts == expected, f"{name}: hosts, flows, bytes, dependencies are {counts}, not {expected}")
    expect(held["receives"] == held["sends"], f"{name}: {held['receives']} receives of {held['sends']} flows")
    warns = any("older files mean us" in repair for repair in held["repairs"])
    expect(warns == any(part in name for part in SMALL_STARTS), f"{name}: repairs are {held['repairs']}")
    checked = trace("check", str(folder / name), *begin)
    expect(checked.returncode == 0, f"{name}: {checked.stderr}")
    print(f"{name:52}{counts[1]:>6} flows of {counts[2]:>14,} bytes")


def main():
    folder = (samples("htsim") or skip()).parent
    for name, expected in FILES.items():
        check_file(folder, name, expected)
    finish(f"{len(FILES)} files are")


main()
