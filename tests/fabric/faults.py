#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What goes wrong on a live fabric: a cable is cut, the controller is killed, a switch's daemon dies,
a cable runs elsewhere, a link refuses to wake. Arguments: ebb, ebb-host, the traffic tool."""
import os
import pathlib
import signal
import subprocess
import sys
import time

import bed
from live import Live, expect_carried, silence

TOPOLOGY = "{family: fbfly, hosts: 2, dims: 3x3}"


def set_cable(fabric, switch, port, up):
    bed.must("ip", "-n", f"ebb-{fabric.name}-{switch}", "link", "set", port, "up" if up else "down")


def check_cut(fabric):
    """s1 p4 is the cable to s2: frames go by s0 within 50 ms, and back when it is mended."""
    load = fabric.traffic([("h2", "h5")], 2000, 4)
    time.sleep(1)
    since = len(fabric.log)
    set_cable(fabric, "s1", "p4", up=False)
    fabric.wait_for("s1-s2 failed", 5, since)
    time.sleep(1)
    set_cable(fabric, "s1", "p4", up=True)
    fabric.wait_for("s1-s2 active", 10, since)
    result = fabric.finish(load)
    lost, silent = result["lost"], silence(result)
    expect_carried(result, "of 2000 a second: less than 50 ms", lost=0.05 * 2000)
    print(f"cable cut: {lost} of {result['sent']} datagrams lost, {lost / 2:.1f} ms of them; longest silence {silent:.1f} ms")


def check_controller_killed(fabric):
    load = fabric.traffic([("h2", "h5"), ("h16", "h0")], 2000, 8)
    fabric.change("drain", "s1-s2", "asleep")
    fabric.kill()
    time.sleep(2)
    fabric.start()
    fabric.wait_for("s1-s2 asleep: was found asleep")
    fabric.change("undrain", "s1-s2", "active")  # it was still drained
    result = fabric.finish(load)
    expect_carried(result, "while the controller was away")
    print(f"controller killed and started: 0 of {result['sent']} datagrams lost, sleeping link found")


def vswitchd(fabric, switch):
    return int((bed.STATE / fabric.name / switch / "ovs-vswitchd.pid").read_text())


def check_daemon_killed(fabric):
    """Its rules are gone with it; a new one gets them back."""
    pid = vswitchd(fabric, "s4")
    words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:-1]
    environment = dict(pair.split("=", 1) for pair in
                       pathlib.Path(f"/proc/{pid}/environ").read_text().split("\0") if "=" in pair)
    since = len(fabric.log)
    os.kill(pid, signal.SIGKILL)
    fabric.wait_for("s4 has gone", 20, since)
    words = [word.decode() for word in words]
    done = subprocess.run(["ip", "netns", "exec", f"ebb-{fabric.name}-s4", *words, *([] if "--detach" in words else ["--detach"])],
                          env={**os.environ, **environment}, capture_output=True, text=True)
    bed.expect(done.returncode == 0, f"the daemon starts again: {done.stderr}")
    fabric.wait_for("s4 is here", 30, since)
    end = time.monotonic() + 20
    while fabric.all_pairs()[0] != 306:
        bed.expect(time.monotonic() < end, "everyone is reached again")
    print("switch daemon killed and started: its rules are back, 306 pairs reached")


def check_refuses_to_wake(fabric):
    """The cable of a sleeping link is taken away."""
    fabric.change("drain", "s1-s2", "asleep")
    bed.must("ip", "-n", f"ebb-{fabric.name}-s1", "link", "del", "p4")
    since = len(fabric.log)
    bed.expect(fabric.ask("undrain", "s1-s2").returncode == 0, "it is asked to wake")
    fabric.wait_for("s1-s2 failed", 20, since)
    bed.expect(fabric.all_pairs()[0] == 306, "everyone is still reached")
    state = next(link for link in fabric.status()["links"] if link["link"] == "s1-s2")
    bed.expect(state["state"] == "failed", f"it is reported: {state}")
    print(f"a link that refuses to wake: {state['why']}; routed around, 306 pairs reached")


def with_two_swapped(graph):
    """s0 to s3 and s1 to s2 where s0 to s1 and s2 to s3 are, at rates that software carries."""
    rows = [row for row in graph.splitlines() if not row.startswith("origin:")]
    swapped = {"s0,s1": "s0,s3", "s2,s3": "s1,s2", "s0,s3": "s0,s1", "s1,s2": "s2,s3"}
    rows = [swapped.get(row[:5], row[:5]) + row[5:] for row in rows]
    return "\n".join(rows).replace("[40Gb/s]", "[1Mb/s, 10Mb/s, 100Mb/s]") + "\n"


def check_wrong_cable(programs):
    """The description has two cables swapped: both are named."""
    with Live(programs, bed.own_name("w"), "{family: complete, switches: 4, hosts: 1}", hosts=False) as fabric:
        fabric.kill()
        path = fabric.folder / "swapped.yaml"
        path.write_text(with_two_swapped(bed.must(fabric.ebb, "topo", "make", "complete", "switches=4", "hosts=1")))
        fabric.write_file(f"{{graph: {path}}}")
        fabric.start(wait=False)
        fabric.wait_for("wrong cable:", 20)
        time.sleep(1.5)
        named = [line for line in fabric.log if "wrong cable" in line]
        bed.expect(len(named) >= 2, f"both ends are named: {named}")
        print(f"wrong cables: {len(named)} ends named, as: {named[0].split('  ')[-1]}")


def main():
    bed.skip_unless_possible("fping", "ovs-ofctl")
    programs = sys.argv[1:4]
    with Live(programs, bed.own_name("f"), TOPOLOGY) as fabric:
        check_cut(fabric)
        check_controller_killed(fabric)
        fabric.change("drain", "s0-s1", "asleep")
        fabric.change("undrain", "s0-s1", "active")
        check_daemon_killed(fabric)
        check_refuses_to_wake(fabric)
    check_wrong_cable(programs)


if __name__ == "__main__":
    bed.test(main)
