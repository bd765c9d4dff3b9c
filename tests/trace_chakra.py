#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chakra traces: what `protoc --decode` says of files that ebb wrote, and what traces of other tools hold by `ebb trace`. The
traces are not ebb's to give away: where they are at hand, EBB_SAMPLES names a folder with chakra/. Arguments: ebb, the
folder of the source."""
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

from trace_files import expect, finish, info, samples, skip, trace

SOURCE = pathlib.Path(sys.argv[2])
PROTO = SOURCE / "libs/network/trace/proto"
# Of the folder: sends, receives, bytes sent by all ranks. Each rank brings 1 MiB to one collective.
MIB = 1 << 20
COLLECTIVES = {
    "all_reduce_4npus_1MB": (4, 2 * 4 * 3, 2 * 3 * MIB),
    "all_reduce_8npus_1MB": (8, 2 * 8 * 7, 2 * 7 * MIB),
    "all_reduce_16npus_1MB": (16, 2 * 16 * 15, 2 * 15 * MIB),
    "all_gather_4npus_1MB": (4, 4 * 3, 4 * 3 * MIB),
    "all_gather_8npus_1MB": (8, 8 * 7, 8 * 7 * MIB),
    "reduce_scatter_4npus_1MB": (4, 4 * 3, 3 * MIB),
    "reduce_scatter_8npus_1MB": (8, 8 * 7, 7 * MIB),
    "all_to_all_4npus_1MB": (4, 4 * 3, 3 * MIB),
    "all_to_all_8npus_1MB": (8, 8 * 7, 7 * MIB),
}
# A recorded trace of one rank.
RECORDED = {"files": 1, "nodes": 3664, "COMP": 3643, "COMM_COLL": 21, "COMM_COLL without comm_type": 14, "is_cpu_op": 2448,
            "data_deps": 181_878, "ctrl_deps": 3664, "dependencies on no node": 1277, "ctrl_deps in cycles": 937,
            "bytes of collectives": 102_441_032, "microseconds": 381_795}
# Sends, receives, computations, bytes, dependencies, microseconds of computations, of all eight ranks.
RING = (112, 112, 56, 14_680_064, 8 * 34, 8 * 49)


def check_collectives(folder):
    for name, (ranks, messages, sent) in COLLECTIVES.items():
        path = next(folder.glob(f"{name}/*.{ranks - 1}.et"))
        found = info(path)
        values = (found["ranks"], found["sends"], found["receives"], found["sent_bytes"])
        expect(values == (ranks, messages, messages, sent), f"{name}: {values}")
        expect(not found["repairs"] and found["contents"]["COMM_COLL"] == ranks, f"{name}: {found}")
        expect(trace("check", path).returncode == 0, f"{name}: is whole")


def check_ring(path, scratch):
    """A ring all-reduce in Chakra's files, as another tool wrote it."""
    found = info(path)
    values = (found["sends"], found["receives"], found["computations"], found["sent_bytes"],
              found["dependencies_on_ends"], found["compute_time_ps"] // 1_000_000)
    expect(values == RING, f"{path.name}: {values}, not {RING}")
    check_written(path, scratch / "other", 34)


def check_written(path, prefix, dependencies):
    """What ebb writes is the same program, and protoc decodes every message of it."""
    done = trace("convert", path, "--format", "chakra", "-o", prefix)
    expect(done.returncode == 0 and not done.stderr, f"{path.name} is written without loss: {done.stderr}")
    expect(trace("convert", path).stdout == trace("convert", f"{prefix}.0.et").stdout, f"{path.name}: written and read, it is the same")
    messages = decoded(pathlib.Path(f"{prefix}.3.et").read_bytes())
    expect(len(messages) == 36 and messages[0] == 'version: "0.0.4"\n', "metadata and 35 nodes")
    nodes = "".join(messages[1:])
    for text, times in (("type: COMM_SEND_NODE", 14), ("type: COMM_RECV_NODE", 14), ("type: COMP_NODE", 7),
                        ("duration_micros: 7", 7), ("data_deps: ", dependencies), ("int64_val: 131072", 28)):
        expect(nodes.count(text) == times, f"protoc sees '{text}' {nodes.count(text)} times, not {times}")


def decoded(data):
    """Each message of a file as text, by protoc."""
    texts, at = [], 0
    while at < len(data):
        length = shift = 0
        while True:
            byte = data[at]
            at += 1
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        kind = "Node" if texts else "GlobalMetadata"
        done = subprocess.run(["protoc", f"--proto_path={PROTO}", f"--decode=ChakraProtoMsg.{kind}", "chakra.proto"],
                              input=data[at:at + length], capture_output=True)
        expect(done.returncode == 0, done.stderr.decode())
        texts.append(done.stdout.decode())
        at += length
    return texts


def check_recorded(archive, scratch):
    with tarfile.open(archive) as tar:
        member = tar.extractfile("tests/data/chakra.0.et")
        (scratch / "chakra.0.et").write_bytes(member.read())
    found = info(scratch / "chakra.0.et")
    for what, number in RECORDED.items():
        expect(found["contents"][what] == number, f"{archive.name}: {what} {found['contents'][what]}, not {number}")
    expect(found["sends"] == 0 and len(found["repairs"]) == 3, f"{archive.name}: {found['repairs']}")
    shared = info(scratch / "chakra.0.et", "--set", "ranks=8")
    expect(shared["ranks"] == 8 and shared["sends"] == 5 * 2 * 8 * 7 + 2 * 7, f"{archive.name}, 8 ranks: {shared}")
    expect(trace("check", scratch / "chakra.0.et", "--set", "ranks=8").returncode == 0, f"{archive.name}, 8 ranks: is whole")


def main():
    if not shutil.which("protoc") or "not built in" in trace("formats").stdout:
        skip("there is no protoc, or a format is not built in")
    folder = samples("chakra")
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        check_written(SOURCE / "examples/program-ring-allreduce.goal", scratch / "ring", 33)
        if folder:
            check_collectives(folder / "microbench")
            check_ring(folder / "custom_ring_allreduce_8npus_1MB/custom_allreduce.3.et", scratch)
            check_recorded(folder / "mlcommons_feeder_tests_trace.tar.gz", scratch)
    others = f", and {len(COLLECTIVES) + 2} of other tools" if folder else ""
    finish(f"a trace of ebb's{others} are")


main()
