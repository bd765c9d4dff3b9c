#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A week of traffic on a live fabric of nine switches, twice: with its controller off, recorded by a Prometheus and replayed by
`ebb replay`, and with `stages` in control. Prints how long links slept, what that saved and how often they changed, by both.

    live_week.py EBB EBB_HOST TRAFFIC_TOOL --out FOLDER [--hour SECONDS] [--days 7] [--as-recorded]

An hour of the week lasts --hour seconds. With --as-recorded the controller reads counters and decides each second, as often as they
are recorded, and not ten times and twice a second. Needs root, Open vSwitch, prometheus and prometheus-node-exporter."""
import argparse
import contextlib
import json
import pathlib
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "studies" / "fabric"), str(ROOT / "tests" / "fabric")]  # both have a diurnal.py

import bed  # noqa: E402
import diurnal  # noqa: E402
from live import Live  # noqa: E402

WEEKEND = 0.4  # of the load of a day of work
SWITCHES, LINKS = 9, 18
METRICS = {"out": "node_network_transmit_bytes_total", "in": "node_network_receive_bytes_total"}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def week(days):
    """(hour, load) for `diurnal.send_day`; the fifth and sixth day are the weekend."""
    day = diurnal.read_day(ROOT / "studies" / "fabric" / "day.csv", None)
    return [(24 * number + hour, load * (WEEKEND if number % 7 >= 5 else 1)) for number in range(days) for hour, load in day]


def daemon_of(name, switch):
    """The process of a switch: what it sees as /proc/net/dev are the ports of the switch."""
    return int((bed.STATE / name / switch / "ovs-vswitchd.pid").read_text())


class Monitoring:
    """A node exporter for each switch, and a Prometheus that asks all of them and the controller each second."""

    def __init__(self, fabric, folder):
        self.folder, self.processes = folder, []
        self.port, self.controller_port = free_port(), free_port()
        targets = {f"s{number}": free_port() for number in range(SWITCHES)}
        for switch, port in targets.items():
            self.start("prometheus-node-exporter", f"--web.listen-address=127.0.0.1:{port}", "--collector.disable-defaults",
                       "--collector.netdev", "--no-collector.netdev.netlink", f"--path.procfs=/proc/{daemon_of(fabric.name, switch)}")
        config = {"global": {"scrape_interval": "1s", "scrape_timeout": "1s"}, "scrape_configs": [
            {"job_name": "switches", "static_configs": [
                {"targets": [f"127.0.0.1:{port}"], "labels": {"instance": switch}} for switch, port in targets.items()]},
            {"job_name": "controller", "static_configs": [{"targets": [f"127.0.0.1:{self.controller_port}"]}]}]}
        (folder / "prometheus.yml").write_text(json.dumps(config))
        self.start("prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
                   f"--web.listen-address=127.0.0.1:{self.port}")

    def start(self, *words):
        with open(self.folder / "monitoring.log", "a") as log:
            self.processes.append(subprocess.Popen(words, stdout=log, stderr=log))

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()

    def ask(self, path, **parameters):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}") as answer:
            return answer.read().decode()

    def wait(self):
        """Until each switch has been asked."""
        for _ in range(60):
            with contextlib.suppress(OSError):
                up = json.loads(self.ask("query", query='sum(up{job="switches"})'))["data"]["result"]
                if up and float(up[0]["value"][1]) == SWITCHES:
                    return
            time.sleep(0.5)
        bed.expect(False, "Prometheus reaches each switch:\n" + (self.folder / "monitoring.log").read_text()[-2000:])

    def record(self, begin, end):
        """The counters between two times of the clock, as files for `ebb replay`."""
        files = []
        for direction, metric in METRICS.items():
            path = self.folder / f"{direction}.json"
            path.write_text(self.ask("query_range", query=metric + '{device=~"p[0-9]+"}', start=f"{begin:.0f}", end=f"{end:.0f}", step=1))
            files.append(str(path))
        return files

    def total(self, query, at):
        result = json.loads(self.ask("query", query=f"sum({query})", time=f"{at:.3f}"))["data"]["result"]
        return float(result[0]["value"][1]) if result else 0.0


def send_week(fabric, load, hour):
    """The times of the clock at which it began and ended."""
    begin = time.time()
    _, hours = diurnal.send_day(fabric, load, hour)
    return begin, begin + len(load) * hour, sum(one["lost"] for one in hours), sum(one["sent"] for one in hours)


def replayed(ebb, fabric, files):
    text = bed.must(ebb, "replay", fabric.file, "--counters", *files, "--json")
    (pathlib.Path(files[0]).parent / "replay.json").write_text(text)
    total = json.loads(text)["runs"][0]["total"]
    seconds, joules = 3600 * total["hours"], 3.6e6
    return {"asleep": LINKS * seconds * total["asleep_share"], "energy": joules * total["used_kwh"], "all awake": joules * total["all_awake_kwh"],
            "saved": joules * total["saved_kwh"], "slept": total["slept"], "woken": total["woken"]}


def live(monitoring, begin, end):
    grown = lambda query: monitoring.total(query, end) - monitoring.total(query, begin)
    saved, all_awake = grown("ebb_modelled_saved_joules_total"), (end - begin) * monitoring.total("ebb_modelled_all_awake_power_watts", end)
    return {"asleep": grown("ebb_link_asleep_seconds_total"), "energy": all_awake - saved, "all awake": all_awake, "saved": saved,
            "slept": grown('ebb_link_transitions_total{to="asleep"}'), "woken": grown('ebb_link_transitions_total{to="waking"}')}


def settings(as_recorded):
    safety, policy = diurnal.SAFETY, diurnal.POLICIES["stages"]
    if as_recorded:
        safety = safety.replace("{", "{counter_interval: 1s, max_counter_age: 3s, drain_limit: 5s, ")
        policy = policy.replace("500ms", "1s")
    return diurnal.PARTS + safety + policy


def study(programs, load, hour, out, policy):
    diurnal.go_first()
    out.mkdir(parents=True, exist_ok=True)
    with Live(programs, bed.own_name("w"), diurnal.TOPOLOGY, more=policy) as fabric:
        fabric.stop()
        monitoring = Monitoring(fabric, out)
        try:
            monitoring.wait()
            begin, end, lost, sent = send_week(fabric, load, hour)
            print(f"controller off: {lost} of {sent} datagrams lost", flush=True)
            time.sleep(3)
            files = monitoring.record(begin, end)
            # As a replay does, the controller begins with all links awake when the week begins.
            fabric.start("--metrics", f"127.0.0.1:{monitoring.controller_port}")
            begin, end, lost, sent = send_week(fabric, load, hour)
            print(f"stages: {lost} of {sent} datagrams lost", flush=True)
            time.sleep(3)
            measured = live(monitoring, begin, end)
        finally:
            monitoring.stop()
        return measured, replayed(programs[0], fabric, files)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs=3)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--hour", type=float, default=3)
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--as-recorded", action="store_true")
    options = parser.parse_args()
    bed.skip_unless_possible("prometheus", "prometheus-node-exporter")
    measured, total = study(options.programs, week(options.days), options.hour, options.out, settings(options.as_recorded))
    units = {"asleep": "s", "energy": "J", "all awake": "J", "saved": "J", "slept": "", "woken": ""}
    print("| | live | replay | difference |\n|---|---|---|---|")
    for what, unit in units.items():
        difference = total[what] / measured[what] - 1 if measured[what] else float("nan")
        print(f"| {what} | {measured[what]:,.0f} {unit} | {total[what]:,.0f} {unit} | {difference:+.1%} |")


if __name__ == "__main__":
    main()
