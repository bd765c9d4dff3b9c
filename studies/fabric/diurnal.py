#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A day of traffic on a live fabric of nine switches, twice: with all links on, and under `stages`.
Writes into a folder what links, watts and latencies did, hour by hour: CSV, SVG and index.html.

    diurnal.py EBB EBB_HOST TRAFFIC_TOOL --out FOLDER [--day day.csv] [--hour SECONDS] [--only 3,14]

An hour of the day lasts --hour seconds; --only runs some hours, in that order. Needs root and Open
vSwitch."""
import argparse
import csv
import html
import os
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "fabric"))

import bed  # noqa: E402
from live import Live  # noqa: E402

HOSTS, SHIFT, RATE, FRAME, PAYLOAD = 18, 5, 2e6, 1042, 1000
TOPOLOGY = "{family: fbfly, hosts: 2, dims: 3x3, rates: [2Mb/s]}"
PARTS = "parts: {switch: cisco-nexus-9336c-fx2, setup: 100G LR}\n"
SAFETY = "safety: {min_awake_time: 1s, min_sleep_time: 1s, failure_holdoff: 1s, transitions_per_hour: 100000}\n"
POLICIES = {"always on": "policy: {name: always-on}\n",
            "stages": "policy: {name: stages, period: 500ms, high: 20%, low: 10%}\n"}


def read_day(path, only):
    with open(path, newline="") as rows:
        loads = {int(row["hour"]): float(row["load [%]"]) / 100 for row in csv.DictReader(rows)}
    return [(hour, loads[hour]) for hour in (only or loads)]


def start_controller(fabric, policy, history):
    """The moment, on our clock, at which the controller's begins."""
    fabric.more = PARTS + SAFETY + POLICIES[policy]
    fabric.write_file(TOPOLOGY)
    fabric.start("--history", str(history))
    line = next(line for line in fabric.log if "all switches are here" in line)
    return time.monotonic() - float(line.split()[0])


def send_day(fabric, day, seconds):
    """Every host to the one five further on; what became of it, by hour."""
    pairs = [(f"h{host}", f"h{(host + SHIFT) % HOSTS}") for host in range(HOSTS)]
    begin, sending, results = time.monotonic(), [], []
    for number, (_, load) in enumerate(day):
        time.sleep(max(0, begin + number * seconds - time.monotonic()))
        rate = load * RATE / (8 * FRAME)
        # Ports of their own: the last hour's receivers still wait for late datagrams.
        sending.append(fabric.traffic(pairs, rate, seconds, "--bytes", str(PAYLOAD), "--port", str(21000 + 100 * number)))
    for process in sending:
        result = fabric.finish(process)
        results.append({"sent": result["sent"], "lost": result["lost"], **result["latency_ms"]})
    return begin, results


def sampled(history, offset, count):
    """The rows of a history at each second of the day."""
    with open(history, newline="") as lines:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(lines)]
    chosen = []
    for second in range(count):
        chosen.append([row for row in rows if row["at [s]"] <= second + offset or row is rows[0]][-1])
    return chosen


def run_policy(fabric, policy, day, seconds, out):
    history = out / f"history-{policy.replace(' ', '-')}.csv"
    began = start_controller(fabric, policy, history)
    time.sleep(2)  # rules are everywhere and counters known
    begin, hours = send_day(fabric, day, seconds)
    fabric.stop()
    return sampled(history, begin - began, round(len(day) * seconds)), hours


def write_csv(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def latency_columns():
    return [f"{what} {policy}" for what in ("mean", "p99") for policy in POLICIES]


def write_tables(out, day, seconds, runs):
    states, always = runs["stages"][0], runs["always on"][0]
    write_csv(out / "day.csv", ["hour", "offered load [%]", "links asleep", "stages [W]", "always on [W]", "highest use [%]"],
              [[f"{second / seconds:.3f}", f"{100 * day[min(int(second / seconds), len(day) - 1)][1]:.1f}", f"{now['links asleep']:.0f}",
                f"{now['power [W]']:.1f}", f"{was['power [W]']:.1f}", f"{now['highest use [%]']:.1f}"]
               for second, (now, was) in enumerate(zip(states, always))])
    write_csv(out / "latency.csv", ["hour", *(f"{name} [ms]" for name in latency_columns())],
              [[number, *(f"{runs[policy][1][number][what]:.3f}" for what in ("mean", "p99") for policy in POLICIES)]
               for number in range(len(day))])


def draw(ebb, out):
    drawings = {"load": ("day.csv", "offered load,highest use", "Offered load, and the busiest channel under stages"),
                "asleep": ("day.csv", "links asleep", "Links asleep, of 18"),
                "power": ("day.csv", "stages,always on", "Modelled power of the links between switches"),
                "latency": ("latency.csv", ",".join(latency_columns()), "Latency of datagrams")}
    for name, (table, columns, title) in drawings.items():
        bed.must(ebb, "plot", str(out / table), "--x", "hour", "--y", columns, "--title", title, "-o", str(out / f"{name}.svg"))
    return drawings


def hour_rows(day, seconds, runs):
    for number, (hour, load) in enumerate(day):
        states = runs["stages"][0][round(number * seconds):round((number + 1) * seconds)]
        asleep = sum(state["links asleep"] for state in states) / len(states)
        watts = sum(state["power [W]"] for state in states) / len(states)
        before, after = runs["always on"][1][number], runs["stages"][1][number]
        yield [f"{hour}", f"{100 * load:.0f} %", f"{asleep:.1f}", f"{watts:.1f} W", f"{before['mean']:.2f}", f"{after['mean']:.2f}",
               f"{before['p99']:.2f}", f"{after['p99']:.2f}", f"{before['lost']} of {before['sent']}", f"{after['lost']} of {after['sent']}"]


def summary(runs):
    watts = {policy: sum(state["power [W]"] for state in run[0]) / len(run[0]) for policy, run in runs.items()}
    lost, sent = ({policy: sum(hour[what] for hour in run[1]) for policy, run in runs.items()} for what in ("lost", "sent"))
    saved = 1 - watts["stages"] / watts["always on"]
    return (f"{watts['stages']:.1f} W of {watts['always on']:.1f} W modelled over the day ({saved:.1%} less); "
            + "; ".join(f"{policy}: {lost[policy]} of {sent[policy]} datagrams lost" for policy in runs))


def write_page(out, day, seconds, runs, drawings):
    heads = ["hour", "load", "links asleep", "power", "mean ms, always on", "mean ms, stages", "p99 ms, always on", "p99 ms, stages",
             "lost, always on", "lost, stages"]
    cells = lambda tag, row: "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row)
    table = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in hour_rows(day, seconds, runs))
    # Without the declaration of a file of its own.
    pictures = "\n".join((out / f"{name}.svg").read_text().split("?>", 1)[-1].split("]>", 1)[-1] for name in drawings)
    (out / "index.html").write_text(
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>A day on a live fabric</title>\n"
        "<style>body{font:15px sans-serif;max-width:60em;margin:2em auto}td,th{padding:.2em .6em;text-align:right}svg{max-width:100%}</style>\n"
        f"<h1>A day on a live fabric</h1>\n<p>{html.escape(summary(runs))}</p>\n{pictures}\n"
        f"<table><tr>{cells('th', heads)}</tr>\n{table}\n</table></html>\n")


def go_first():
    """Before whatever else the machine does, with all that is started from here: latencies are measured."""
    try:
        os.nice(-15)
    except OSError:
        print("this machine gives no priorities: latencies are those of a shared processor")


def study(programs, day, seconds, out):
    """Runs the day under each policy and writes the report; the runs."""
    go_first()
    out.mkdir(parents=True, exist_ok=True)
    runs = {}
    with Live(programs, bed.own_name("y"), TOPOLOGY, more=PARTS + SAFETY + POLICIES["always on"]) as fabric:
        fabric.stop()
        for policy in POLICIES:
            runs[policy] = run_policy(fabric, policy, day, seconds, out)
    write_tables(out, day, seconds, runs)
    write_page(out, day, seconds, runs, draw(programs[0], out))
    print(summary(runs))
    return runs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs=3)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--day", default=ROOT / "studies" / "fabric" / "day.csv")
    parser.add_argument("--hour", type=float, default=6)
    parser.add_argument("--only", type=lambda text: [int(hour) for hour in text.split(",")])
    options = parser.parse_args()
    bed.skip_unless_possible()
    day = read_day(options.day, options.only)
    runs = study(options.programs, day, options.hour, options.out)
    for row in hour_rows(day, options.hour, runs):
        print(" | ".join(row))


if __name__ == "__main__":
    main()
