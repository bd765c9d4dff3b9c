#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ebb replay` reads flow records that nfcapd collected and nfdump printed, and answers the same bytes as for the same
loads from a file of rates. Argument: ebb. Two devices, 127.0.0.2 and 127.0.0.3, send NetFlow version 5 for two hours."""
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

EBB = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
FABRIC = ROOT / "examples/fabric-3x3.yaml"
BEGIN, STEP, STEPS = 1704067200, 300, 24
# Interface 1 of s0 is connected to interface 7 of s1.
MAPPING = "interface,from,to\n127.0.0.2:1,s0,s1\n127.0.0.3:7,s1,s0\n"


def expect(true, what):
    if not true:
        sys.exit(f"failed: {what}")


def rates(step):
    """Bytes per second from s0 to s1, and back: whole numbers, so that nothing is rounded."""
    return 1000 * (1 + step % 5), 1000 * (2 + step % 3)


def datagram(sequence, at, flows):
    """NetFlow version 5: a header, and up to 30 records of (input, output, bytes, first, last)."""
    uptime = 100_000_000
    data = struct.pack("!HHIIIIBBH", 5, len(flows), uptime, at, 0, sequence, 0, 0, 0)
    address = socket.inet_aton("10.0.0.1")
    for input_, output, octets, first, last in flows:
        data += struct.pack("!4s4s4sHHIIIIHHBBBBHHBBH", address, address, address, input_, output, 10, octets,
                            uptime - (at - first) * 1000, uptime - (at - last) * 1000, 1000, 80, 0, 0, 6, 0, 0, 0, 24, 24, 0)
    return data


def export(port):
    """Each step's bytes in three flows, one of which is cut into two records."""
    sockets = {}
    for device in ("127.0.0.2", "127.0.0.3"):
        sockets[device] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sockets[device].bind((device, 0))
    for step in range(STEPS):
        first, last = BEGIN + step * STEP, BEGIN + (step + 1) * STEP
        there, back = (rate * STEP for rate in rates(step))
        for device, sent, received, near in (("127.0.0.2", there, back, 1), ("127.0.0.3", back, there, 7)):
            flows = [(9, near, sent // 2, first, last), (9, near, sent // 4, first, first + 100),
                     (9, near, sent - sent // 2 - sent // 4, first + 100, last), (near, 0, received, first, last)]
            sockets[device].sendto(datagram(4 * step, last, flows), ("127.0.0.1", port))
        time.sleep(0.01)


def collected(folder):
    """What nfdump prints of it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "flows").mkdir()
    with open(folder / "log", "w") as log:
        collector = subprocess.Popen(["nfcapd", "-w", folder / "flows", "-b", "127.0.0.1", "-p", str(port), "-t", "3600"],
                                     stdout=log, stderr=log)
    try:
        for _ in range(100):
            if "Startup" in (folder / "log").read_text():
                break
            expect(collector.poll() is None, (folder / "log").read_text())
            time.sleep(0.1)
        time.sleep(0.2)
        export(port)
        time.sleep(0.5)
    finally:
        collector.terminate()
        collector.wait(timeout=30)
    print((folder / "log").read_text().splitlines()[-2].strip())
    printed = subprocess.run(["nfdump", "-R", folder / "flows", "-o", "csv"], capture_output=True, text=True,
                             env={**os.environ, "TZ": "UTC"})
    expect(printed.returncode == 0 and printed.stdout.startswith("ts,te,"), printed.stderr + printed.stdout[:200])
    return printed.stdout


def replay(*words):
    run = subprocess.run([EBB, "replay", str(FABRIC), *map(str, words)], capture_output=True, text=True, cwd=ROOT)
    return run.returncode, run.stdout + run.stderr


def main():
    missing = [program for program in ("nfcapd", "nfdump") if not shutil.which(program)]
    if missing:
        print(f"skipped: not installed: {', '.join(missing)}")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "flows.csv").write_text(collected(folder))
        (folder / "mapping.csv").write_text(MAPPING)
        rows = "interface,time,out_byte_per_s,in_byte_per_s\n"
        for step in range(STEPS):
            there, back = rates(step)
            rows += f"127.0.0.2:1,{BEGIN + step * STEP},{there},{back}\n127.0.0.3:7,{BEGIN + step * STEP},{back},{there}\n"
            for device in ("127.0.0.2", "127.0.0.3"):  # where the frames come from
                rows += f"{device}:9,{BEGIN + step * STEP},,{there if device == '127.0.0.2' else back}\n"
        (folder / "rates.csv").write_text(rows)
        words = ("--mapping", folder / "mapping.csv", "--policy", "always-on", "--policy", "stages period=500ms high=40% low=10%")
        flows = replay("--counters", folder / "flows.csv", *words)
        expected = replay("--counters", folder / "rates.csv", *words)
        expect(flows[0] == 0, flows[1])
        without = [line for line in expected[1].splitlines() if "no value" not in line and "at 1704067200 s" not in line]
        expect(flows[1].splitlines() == without, f"{flows[1]}\n{expected[1]}")
    print(f"{STEPS} steps of two interfaces: the same {len(flows[1]):,} bytes as from rates")
    return 0


if __name__ == "__main__":
    sys.exit(main())
