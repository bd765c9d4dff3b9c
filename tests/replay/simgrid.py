#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time-independent traces replayed by SimGrid (`smpirun -replay`) and by ebb's packet simulator on the same star: links of
10 Gb/s, 1 us from host to host, eager sends, no overheads, the same algorithms of collective operations.
Argument: star_replay. Prints both times and their ratio for each trace; exit code 1 when one is outside of TOLERANCE."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

STAR_REPLAY = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
TOLERANCE = 0.05
RANKS = 8
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="star" prefix="host-" radical="0-{last}" suffix="" speed="1Gf" bw="1.25GBps" lat="0.5us" sharing_policy="SPLITDUPLEX"/>
</platform>
"""
# No fitted factors, no overheads, every send eager; the model of bandwidth shares links fairly and knows no windows.
PLAIN = ("network/model:CM02", "network/TCP-gamma:0", "network/weight-S:0", "network/crosstraffic:0", "network/latency-factor:1",
         "network/bandwidth-factor:1", "smpi/lat-factor:0:1", "smpi/bw-factor:0:1", "smpi/os:0:0:0:0:0", "smpi/or:0:0:0:0:0",
         "smpi/ois:0:0:0:0:0", "smpi/async-small-thresh:1000000000", "smpi/send-is-detached-thresh:1000000000",
         "smpi/host-speed:1Gf")


def all_ranks(*actions, ranks=RANKS):
    return "".join(f"{rank} {action}\n" for action in ("init", *actions, "finalize") for rank in range(ranks))


def ping_pong(size):
    there = [f"0 send 1 0 {size}", f"1 recv 0 0 {size}", f"1 send 0 0 {size}", f"0 recv 1 0 {size}"]
    return "0 init\n1 init\n" + "\n".join(there * 5) + "\n0 finalize\n1 finalize\n"


def incast(size):
    """All ranks but 0 send to rank 0 at the same time."""
    lines = [f"{rank} init" for rank in range(RANKS)]
    lines += [f"{rank} isend 0 {rank} {size}\n{rank} waitall" for rank in range(1, RANKS)]
    lines += [f"0 irecv {rank} {rank} {size}" for rank in range(1, RANKS)] + ["0 waitall"]
    return "\n".join(lines + [f"{rank} finalize" for rank in range(RANKS)]) + "\n"


# Name, trace, settings of SimGrid, parameters of ebb.
CASES = (
    ("ping-pong, 5 x 1 MB", ping_pong(1_000_000), (), ()),
    ("ping-pong, 5 x 100 B", ping_pong(100), (), ()),
    ("incast, 7 x 1 MB", incast(1_000_000), (), ()),
    ("all-reduce 1 MB, ring", all_ranks("allreduce 1000000 1e6"), ("smpi/allreduce:lr",), ()),
    ("all-reduce 1 MB, recursive doubling", all_ranks("allreduce 1000000 1e6"), ("smpi/allreduce:rdb",),
     ("all_reduce=recursive-doubling",)),
    ("all-reduce 1 MB, halving and doubling", all_ranks("allreduce 1000000 1e6"), ("smpi/allreduce:rab1",),
     ("all_reduce=halving-doubling",)),
    ("all-gather 100 kB, ring", all_ranks("allgather 100000 100000"), ("smpi/allgather:ring",), ()),
    ("all-gather 100 kB, recursive doubling", all_ranks("allgather 100000 100000"), ("smpi/allgather:rdb",),
     ("all_gather=recursive-doubling",)),
    ("all-gather 100 kB, Bruck", all_ranks("allgather 100000 100000"), ("smpi/allgather:bruck",), ("all_gather=bruck",)),
    ("all-to-all 100 kB, pairwise", all_ranks("alltoall 100000 100000"), ("smpi/alltoall:ring",), ()),
    ("all-to-all 100 kB, linear", all_ranks("alltoall 100000 100000"), ("smpi/alltoall:basic_linear",), ("all_to_all=linear",)),
    ("broadcast 1 MB, binomial tree", all_ranks("bcast 1000000 0"), ("smpi/bcast:binomial_tree",), ()),
    ("reduce 1 MB, binomial tree", all_ranks("reduce 1000000 0 0"), ("smpi/reduce:binomial",), ()),
    ("gather 100 kB, binomial tree", all_ranks("gather 100000 100000 0"), ("smpi/gather:ompi_binomial",), ()),
    ("scatter 100 kB, binomial tree", all_ranks("scatter 100000 100000 0"), ("smpi/scatter:ompi_binomial",), ()),
    ("20 barriers, dissemination", all_ranks(*["barrier"] * 20), ("smpi/barrier:ompi_bruck",), ()),
    ("stencil with all-reduces", (ROOT / "examples/program-stencil-simgrid.txt").read_text(),
     ("smpi/allreduce:rdb", "smpi/barrier:ompi_bruck"), ("all_reduce=recursive-doubling",)),
)


def by_simgrid(folder, trace, settings):
    """Seconds, to the nanosecond."""
    ranks = len({line.split()[0] for line in trace.splitlines() if line and line[0] != "#"})
    (folder / "index").write_text(f"{folder}/trace\n")
    (folder / "hosts").write_text("".join(f"host-{rank}\n" for rank in range(ranks)))
    (folder / "platform.xml").write_text(PLATFORM.format(last=max(ranks, 2) - 1))
    words = [f"--cfg={setting}" for setting in (*PLAIN, *settings)] + ["--log=root.fmt:%.9r:%m%n"]
    run = subprocess.run(["smpirun", "-np", str(ranks), "-platform", str(folder / "platform.xml"), "-hostfile",
                          str(folder / "hosts"), "-replay", str(folder / "index"), *words],
                         capture_output=True, text=True, cwd=folder)
    found = re.search(r"([0-9.]+):Simulation time", run.stdout + run.stderr)
    return float(found.group(1)) if found else run.stdout + run.stderr


def by_ebb(folder, parameters):
    run = subprocess.run([STAR_REPLAY, str(folder / "trace"), *parameters], capture_output=True, text=True)
    return int(run.stdout) / 1e9 if run.returncode == 0 else run.stderr


def main():
    if not shutil.which("smpirun"):
        print("skipped: smpirun of SimGrid is not installed (libsimgrid-dev)")
        return 77
    failed = []
    print(f"{'trace':40}{'SimGrid us':>14}{'ebb us':>14}{'ratio':>9}")
    for name, trace, settings, parameters in CASES:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            (folder / "trace").write_text(trace)
            theirs, ours = by_simgrid(folder, trace, settings), by_ebb(folder, parameters)
        if isinstance(theirs, str) or isinstance(ours, str):
            failed.append(f"{name}: {theirs} {ours}")
            continue
        print(f"{name:40}{theirs * 1e6:14.3f}{ours * 1e6:14.3f}{ours / theirs:9.4f}")
        if abs(ours / theirs - 1) > TOLERANCE:
            failed.append(f"{name}: the ratio is {ours / theirs:.4f}, and {TOLERANCE:.0%} are allowed")
    print("\n".join(failed) if failed else f"{len(CASES)} traces within {TOLERANCE:.0%}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
