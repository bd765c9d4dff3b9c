#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ebb plot` on a results file of real runs: an SVG is XML and names every series, a PNG has its size
and is not blank, a PDF and a script are what they say, twice the same bytes."""
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77
SMALL = ["topology.hosts=4", "topology.dims=4", "schedule.warm_up=100us", "schedule.measure=200us"]
POLICIES = {"always-on": "always-on", "epoch": "{name: epoch, channels: paired}"}
SERIES = {
    "power-load": [*POLICIES, "ideal"],
    "latency-load": [f"{policy}, {what}" for policy in POLICIES for what in ("mean", "p99")],
    "state-time": ["2.5Gb/s", "40Gb/s", "changing"],
    "latency-cdf": [f"{policy}, load={load}" for policy in POLICIES for load in ("5%", "20%")],
    "savings-latency": list(POLICIES),
    "energy-parts": ["channels"],
    "critical-path": ["computing", "transmission", "waking of links", "queueing"],
}


def run(*words):
    subprocess.run(words, check=True, capture_output=True)


def make_runs(ebb, path):
    for policy in POLICIES.values():
        for load in ("5%", "20%"):
            for seed in ("1", "2"):
                settings = [*SMALL, f"policy={policy}", f"traffic.injection.load={load}", f"seed={seed}"]
                words = [word for setting in settings for word in ("--set", setting)]
                run(ebb, "sim", str(ROOT / "examples/sim-fbfly-epoch.yaml"), *words, "--results", path)


def make_jobs(ebb, path):
    for policy in ("always-on", "{name: on-demand, idle: 2us}"):
        run(ebb, "sim", str(ROOT / "examples/sim-program.yaml"), "--set", f"policy={policy}", "--results", path)


def texts(svg):
    """Every text of the drawing, lines of one label joined."""
    root = xml.etree.ElementTree.fromstring(svg)
    return {"".join(element.itertext()).strip() for element in root.iter("{http://www.w3.org/2000/svg}text")}


def chunks(png):
    at = 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        yield kind, png[at + 8:at + 8 + size]
        at += size + 12


def png_problems(png):
    if png[:8] != b"\x89PNG\r\n\x1a\n":
        yield "not a PNG"
        return
    parts = list(chunks(png))
    width, height = struct.unpack(">II", dict(parts)[b"IHDR"][:8])
    if width != 1280 or not 840 <= height <= 1400:
        yield f"{width} x {height} pixels"
    pixels = zlib.decompress(b"".join(data for kind, data in parts if kind == b"IDAT"))
    if len(set(pixels)) < 16 or len(pixels) < width * height:
        yield "blank"
    if any(kind in (b"tIME", b"tEXt") for kind, _ in parts):
        yield "says when or by what it was made"


def figure_problems(ebb, database, figure, folder):
    def written(extension, number=1):
        path = folder / f"{figure}-{number}.{extension}"
        run(ebb, "plot", database, figure, "-o", str(path))
        return path.read_bytes()
    svg = written("svg")
    missing = [label for label in SERIES[figure] if label not in texts(svg)]
    if missing:
        yield f"{figure}.svg does not name {missing}, only {sorted(texts(svg))}"
    yield from (f"{figure}.png: {problem}" for problem in png_problems(written("png")))
    if not written("pdf").startswith(b"%PDF"):
        yield f"{figure}.pdf is no PDF"
    for extension in ("svg", "png", "pdf", "gp", "csv", "json"):
        if written(extension) != written(extension, 2):
            yield f"{figure}.{extension} differs when it is written again"
    again = subprocess.run(["gnuplot", str(folder / f"{figure}-1.gp")], check=True, capture_output=True)
    if again.stdout != svg:
        yield f"{figure}.gp draws something else"


def main():
    ebb = sys.argv[1]
    if not shutil.which("gnuplot"):
        print("no gnuplot: nothing drawn")
        return SKIPPED
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        database = scratch + "/runs.db"
        jobs = scratch + "/jobs.db"
        make_runs(ebb, database)
        make_jobs(ebb, jobs)
        for figure in SERIES:
            found += figure_problems(ebb, jobs if figure == "critical-path" else database, figure, pathlib.Path(scratch))
    print("\n".join(found) if found else f"{len(SERIES)} figures in every format")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
