#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ebb replay` asks a real Prometheus, and answers the same bytes as for the same counters from files.
Argument: ebb. The server listens on a free port of 127.0.0.1 with a folder of its own; its series are filled in by
promtool. A day of every interface in steps of half an hour, and two days of one link in steps of 15 s: more points
than a server gives to one request."""
import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

EBB = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
FABRIC = ROOT / "examples/fabric-3x3.yaml"
DAY = ROOT / "examples/replay-day.csv"
BEGIN = 1704067200  # 2024-01-01
FINE_STEP, FINE_STEPS = 15, 11520
os.environ.update(no_proxy="127.0.0.1", NO_PROXY="127.0.0.1")
for name in ("http_proxy", "HTTP_PROXY"):
    os.environ.pop(name, None)


def expect(true, what):
    if not true:
        sys.exit(f"failed: {what}")


def day():
    """(end, seconds, out, in) of the shipped day."""
    for line in DAY.read_text().splitlines()[1:]:
        end, at, out, into = line.split(",")
        yield end, int(at), int(out), int(into)


def fine():
    """One link whose two ends agree, for 48 hours."""
    out = into = 0
    for step in range(FINE_STEPS + 1):
        yield BEGIN + step * FINE_STEP, out, into
        out += 187500 * (1 + step % 7)
        into += 93750 * (1 + step % 11)


def series():
    """OpenMetrics: samples by metric, with the labels of snmp_exporter and node_exporter."""
    rows = {"ifHCOutOctets": [], "ifHCInOctets": [], "node_network_transmit_bytes": [], "node_network_receive_bytes": []}
    for end, at, out, into in day():
        here, there = end.split("-")
        labels = f'{{instance="{here}:9116",ifName="{there}",job="snmp"}}'
        rows["ifHCOutOctets"].append(f"ifHCOutOctets{labels} {out} {at}")
        rows["ifHCInOctets"].append(f"ifHCInOctets{labels} {into} {at}")
    for at, out, into in fine():
        for here, there, sent, received in (("s0", "s1", out, into), ("s1", "s0", into, out)):
            labels = f'{{instance="{here}:9100",device="{there}",job="node"}}'
            rows["node_network_transmit_bytes"].append(f"node_network_transmit_bytes_total{labels} {sent} {at}")
            rows["node_network_receive_bytes"].append(f"node_network_receive_bytes_total{labels} {received} {at}")
    for metric, samples in rows.items():
        yield f"# TYPE {metric} {'counter' if 'node' in metric else 'gauge'}"
        yield from samples
    yield "# EOF"


@contextlib.contextmanager
def prometheus(folder):
    (folder / "metrics.txt").write_text("\n".join(series()) + "\n")
    made = subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", folder / "metrics.txt", folder / "tsdb"],
                          capture_output=True, text=True)
    expect(made.returncode == 0, made.stderr)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "prometheus.yml").write_text("scrape_configs: []\n")
    with open(folder / "log", "w") as log:
        server = subprocess.Popen(["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/tsdb",
                                   "--storage.tsdb.retention.time=100y", f"--web.listen-address=127.0.0.1:{port}"],
                                  stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                if urllib.request.urlopen(url + "/-/ready", timeout=5).status == 200:
                    break
            expect(server.poll() is None, (folder / "log").read_text())
            time.sleep(0.1)
        yield url
    finally:
        server.kill()
        server.wait()


def replay(*words):
    run = subprocess.run([EBB, "replay", str(FABRIC), *map(str, words)], capture_output=True, text=True, cwd=ROOT)
    return run.returncode, run.stdout + run.stderr


def answer(url, metric, step, until):
    """What the documents tell people to save by hand."""
    asked = urllib.parse.urlencode({"query": metric, "start": BEGIN, "end": until, "step": step})
    with urllib.request.urlopen(f"{url}/api/v1/query_range?{asked}", timeout=60) as got:
        return got.read().decode()


def check_day(url, folder):
    (folder / "day.csv").write_text("device,interface,time,out_bytes,in_bytes\n" + "".join(
        f"{end.replace('-', ',')},{at},{out},{into}\n" for end, at, out, into in day()))
    for metric in ("ifHCInOctets", "ifHCOutOctets"):
        (folder / f"{metric}.json").write_text(answer(url, metric, 1800, BEGIN + 86400))
    asked = ("--from", "2024-01-01", "--until", "2024-01-02", "--step", "30min")
    csv = replay("--counters", folder / "day.csv", "--json")
    saved = replay("--counters", folder / "ifHCInOctets.json", folder / "ifHCOutOctets.json", "--json")
    expect(csv[0] == 0 and saved == csv, f"saved answers: {saved[1][:2000]}")
    for queries in (("{job=\"snmp\"}",), ("ifHCInOctets", "ifHCOutOctets{job='snmp'}")):
        words = [word for query in queries for word in ("--query", query)]
        server = replay("--counters", url, *asked, *words, "--json")
        expect(server == csv, f"{queries}: {server[1][:2000]}")
    print(f"a day of {len(json.loads(csv[1])['data']['uncounted_links'])} uncounted links: the same {len(csv[1]):,} bytes")


def check_pieces(url, folder):
    """A request for all points is refused, so the range was asked in pieces."""
    until = BEGIN + FINE_STEPS * FINE_STEP
    try:
        answer(url, "node_network_transmit_bytes_total", FINE_STEP, until)
        expect(False, "one request for 11,521 points is refused")
    except urllib.error.HTTPError as refused:
        expect("11,000 points" in refused.read().decode(), "what a server refuses")
    (folder / "fine.csv").write_text("interface,time,out_bytes,in_bytes\n" + "".join(
        f"s0:s1,{at},{out},{into}\ns1:s0,{at},{into},{out}\n" for at, out, into in fine()))
    csv = replay("--counters", folder / "fine.csv", "--json", "--policy", "always-on")
    server = replay("--counters", url, "--from", "2024-01-01", "--until", until, "--step", "15s", "--query", '{job="node"}',
                    "--json", "--policy", "always-on")
    expect(csv[0] == 0 and server == csv, f"{server[1][:2000]}\n{csv[1][:2000]}")
    print(f"{json.loads(csv[1])['data']['readings']:,} readings in pieces: the same {len(csv[1]):,} bytes")


def check_errors(url):
    asked = ("--from", "2024-01-01", "--until", "2024-01-02", "--step", "30min")
    code, said = replay("--counters", url, *asked, "--query", "ifHCInOctets{")
    expect(code == 2 and said.startswith(f"{url}: error: the server answers HTTP 400: ") and "parse error" in said, said)
    code, said = replay("--counters", url, *asked, "--query", "ifOutOctets")
    expect(code == 2 and "the server has nothing for 'ifOutOctets'" in said, said)
    code, said = replay("--counters", url, *asked, "--query", "rate(ifHCInOctets[1h])")
    expect(code == 2 and "a series without a name: ask for the counters themselves" in said, said)
    code, said = replay("--counters", url + "/nowhere", *asked)
    expect(code == 3 and "HTTP 404" in said, said)
    code, said = replay("--counters", url)
    expect(code == 2 and "the server has nothing" in said, f"the last seven days are empty: {said}")
    return asked


def main():
    missing = [program for program in ("prometheus", "promtool") if not shutil.which(program)]
    if missing:
        print(f"skipped: not installed: {', '.join(missing)}")
        return 77
    code, said = replay("--counters", "http://127.0.0.1:1")
    if "built without libcurl" in said:
        print(f"skipped: {said.strip()}")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        with prometheus(folder) as url:
            check_day(url, folder)
            check_pieces(url, folder)
            asked = check_errors(url)
        code, said = replay("--counters", url, *asked)
        expect(code == 3 and said.startswith(f"{url}: error: the server cannot be reached: "), said)
    print("a wrong query, an empty one, another page and a server that is away are told apart")
    return 0


if __name__ == "__main__":
    sys.exit(main())
