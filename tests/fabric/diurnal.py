#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A night and a peak of `studies/fabric/diurnal.py` on real switches: links sleep by night and are awake
at the peak, no datagram is lost, and the report is written. Arguments: ebb, ebb-host, the traffic tool."""
import pathlib
import sys

import bed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "studies" / "fabric"))

import diurnal  # noqa: E402

SECONDS, HOURS, SLEEPERS = 4, [3, 14], 6


def check_runs(runs):
    for policy, (_, hours) in runs.items():
        lost, sent = sum(hour["lost"] for hour in hours), sum(hour["sent"] for hour in hours)
        bed.expect(lost == 0 and sent > 1000, f"{policy}: {lost} of {sent} datagrams lost")
    bed.expect(all(state["links asleep"] == 0 for state in runs["always on"][0]), "all links are on without a policy")
    asleep = [state["links asleep"] for state in runs["stages"][0]]
    bed.expect(max(asleep[:SECONDS]) == SLEEPERS, f"{SLEEPERS} links sleep by night: {asleep}")
    bed.expect(asleep[-1] == 0, f"all links are awake at the peak: {asleep}")
    saved = [state["all awake [W]"] - state["power [W]"] for state in runs["stages"][0]]
    bed.expect(max(saved) > 0 and saved[-1] == 0, f"watts follow: {saved}")
    print(f"links asleep, second by second: {', '.join(f'{count:.0f}' for count in asleep)}")


def check_report(out):
    page = (out / "index.html").read_text()
    bed.expect(page.count("<svg") == 4 and page.count("<tr>") == 1 + len(HOURS), "the page has four drawings and a row for each hour")
    for name in ("day.csv", "latency.csv", "asleep.svg", "power.svg", "latency.svg", "load.svg"):
        bed.expect((out / name).stat().st_size > 0, f"{name} is written")


def main():
    bed.skip_unless_possible("gnuplot")
    with bed.scratch() as folder:
        out = pathlib.Path(folder) / "report"
        day = diurnal.read_day(diurnal.ROOT / "studies" / "fabric" / "day.csv", HOURS)
        check_runs(diurnal.study(sys.argv[1:4], day, SECONDS, out))
        check_report(out)


if __name__ == "__main__":
    main()
