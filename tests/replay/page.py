#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of `ebb replay --report`: page.py EBB

Three days of counters: the page has a drawing of the watts and one of the links for each policy that let links sleep, names the links
that slept every night, takes any letters in names, and fetches nothing."""
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EBB = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
NEVER_CLOSED = {"meta"}


def expect(true, what):
    if not true:
        sys.exit(f"FAILED: {what}")


class Page(html.parser.HTMLParser):
    """Elements by name, and whether all are closed in their order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.count, self.words = [], {}, []
        self.feed(text)
        expect(not self.open, f"all elements are closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1
        expect(not {name for name, _ in attributes} & {"src", "href", "onload"}, f"{tag} fetches nothing: {attributes}")
        if tag not in NEVER_CLOSED:
            self.open.append(tag)

    def handle_endtag(self, tag):
        expect(self.open.pop() == tag, f"</{tag}> in its place")

    def handle_startendtag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_data(self, data):
        self.words.append(data)


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        counters = subprocess.run([sys.executable, ROOT / "studies/replay/make_counters.py", "--fbfly", "3x3", "--days", "3", "--step", "1800",
                                   "--rate", "100e6"], capture_output=True, text=True, check=True)
        (folder / "counters.csv").write_text(counters.stdout)
        fabric = (ROOT / "examples/fabric-3x3.yaml").read_text()
        (folder / "fabric.yaml").write_text(fabric)
        shutil.copy(ROOT / "examples/replay-temperatures.csv", folder)
        scenario = (ROOT / "examples/replay-scenario.yaml").read_text()
        (folder / "scenario.yaml").write_text(scenario + "embodied: [{part: <switch>, count: 9, kg: 36.525, years: 5, source: assumed}]\n")
        base = [EBB, "replay", folder / "fabric.yaml", "--counters", folder / "counters.csv", "--year",
                "--scenario", folder / "scenario.yaml",
                "--policy", "stages period=500ms high=40% low=10%", "--policy", "always-on", "--report"]
        words = [*base, folder / "page.html"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        expect(done.returncode == 0, done.stderr)
        text = (folder / "page.html").read_text()
        page = Page(text)
        told = " ".join(page.words)
        expect(page.count["svg"] == 2, f"watts, and links under stages alone: {page.count}")
        expect("always-on: no link slept." in told, "a policy that lets nothing sleep has no drawing")
        night = re.search(r"6 links slept every day from (\d\d:00 to \d\d:00) UTC", told)
        expect(night and night[0] in done.stdout, f"nights in the page and in the terminal: {night}\n{done.stdout}")
        expect(len(re.findall(r'stroke-opacity="1.000"', text)) == 1, "whole columns asleep are one path")
        expect("saved EUR" in told and "a year like this saves" in told, "money and the year")
        # 9 * 36.525 kg * 3 days / (5 * 365.25 days)
        expect("embodied, of this time" in told and "<switch>" in page.words and page.words.count("0.540") == 2, "embodied carbon")
        again = subprocess.run(words, capture_output=True, text=True, check=True)
        expect(again.stdout == done.stdout and (folder / "page.html").read_text() == text, "the same bytes again")
        refused = subprocess.run([*base, folder / "no" / "page.html"], capture_output=True, text=True, check=False)
        expect(refused.returncode == 3 and "cannot be written" in refused.stderr, f"exit code {refused.returncode}: {refused.stderr}")
    print("the page of a replay stands by itself")


if __name__ == "__main__":
    main()
