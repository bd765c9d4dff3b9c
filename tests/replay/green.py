#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`ebb replay --green`: green.py EBB

yanglint accepts every export and refuses broken ones; the network is the sum of its links and what the other output says; accuracy is
that of the part. A day 24 hours later is the same day. Money and carbon of constants are the product by hand."""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import yang  # noqa: E402

EBB = sys.argv[1]
DAY_S = 86400
FABRIC = ROOT / "examples" / "fabric-3x3.yaml"
COUNTERS = ROOT / "examples" / "replay-day.csv"
ALWAYS_ON, STAGES = "always-on", "stages period=500ms high=40% low=10%"
POLICIES = (ALWAYS_ON, STAGES, "epoch", "consolidate period=1s")


def expect(true, what):
    if not true:
        sys.exit(f"FAILED: {what}")


def replay(green, policy, *options, fabric=FABRIC, counters=COUNTERS):
    told = subprocess.run([EBB, "replay", fabric, "--counters", counters, "--policy", policy, "--green", green, "--json", *options],
                          capture_output=True, text=True)
    expect(told.returncode == 0, told.stderr)
    return json.loads(told.stdout)


def entries_of(path):
    return json.loads(path.read_text())["ietf-power-and-energy:energy-objects"]["energy-entry"]


def accuracies(entries):
    return {entry[part]["data-source-accuracy"] for entry in entries for part in ("power", "energy")}


def check_export(path, policy):
    """Returns what the fabric used in thousandths of a watt-hour."""
    run = replay(path, policy)["runs"][0]
    expect(not yang.refusal(path), f"{policy}: {yang.refusal(path)}")
    network, *links = entries_of(path)
    expect(network["energy-object-id"] == "tour" and len(links) == 18, f"the network and its links: {len(links)}")
    expect(len({entry["energy-object-id"] for entry in links}) == 18, "each link once")
    expect(accuracies([network, *links]) == {"accuracy-estimated"}, f"a measured model: {accuracies([network, *links])}")
    expect({entry[part]["unit-multiplier"] for entry in links for part in ("power", "energy")} == {"multiplier-milli"}, "in thousandths")
    used = int(network["energy"]["total-energy-consumed"])
    expect(abs(used - run["total"]["used_kwh"] * 1e6) <= 1, f"{policy}: {used} mWh, {run['total']}")
    for part, figure in (("energy", "total-energy-consumed"), ("power", "instantaneous-power")):
        total = sum(int(entry[part][figure]) for entry in links)
        expect(abs(int(network[part][figure]) - total) <= len(links), f"{policy}: {figure} of the links is {total}: {network}")
    return used


def check_refused(path):
    """What yanglint must find, so that its silence says something."""
    text = path.read_text()
    broken = path.with_name("broken.json")
    for right, wrong in (('"accuracy-estimated"', '"accuracy-guessed"'), ('"instantaneous-power"', '"power-now"'),
                         ('"energy-object-id": "tour/s0-s1"', '"energy-object-id": "tour"')):
        expect(right in text, f"{right} is in the export")
        broken.write_text(text.replace(right, wrong))
        expect(yang.refusal(broken), f"yanglint refuses {wrong}")


def check_static(folder):
    """A box of which a data sheet alone tells."""
    fabric = folder / "sheet.yaml"
    fabric.write_text(FABRIC.read_text().replace("cisco-nexus-9336c-fx2, setup: 100G LR", "ufispace-s9321-64e"))
    green = folder / "sheet.json"
    replay(green, ALWAYS_ON, fabric=fabric)
    expect(not yang.refusal(green), yang.refusal(green))
    expect(accuracies(entries_of(green)) == {"accuracy-static"}, f"a data sheet: {accuracies(entries_of(green))}")


def check_groups(folder):
    """Nine switches of 100 W and two cards of 20 W each, and ports of 3 W; what sleeps draws 4, 1 and 1 W."""
    files, green = ROOT / "tests" / "cli" / "files", folder / "groups.json"
    replay(green, "stages period=500ms high=40% low=10%", "--parts", files / "replay-groups.yaml", "--routing", "ecmp",
           fabric=files / "replay-groups-fabric.yaml", counters=ROOT / "examples" / "replay-ecmp.csv")
    expect(not yang.refusal(green), yang.refusal(green))
    network, *parts = entries_of(green)
    groups = parts[-1]
    expect(groups["energy-object-id"] == "routed-row/power-groups", f"the last one: {groups}")
    for part, figure in (("energy", "total-energy-consumed"), ("power", "instantaneous-power")):
        total = sum(int(entry[part][figure]) for entry in parts)
        expect(abs(int(network[part][figure]) - total) <= len(parts), f"{figure} of links and groups is {total}: {network}")
    expect({int(entry["power"]["instantaneous-power"]) for entry in parts[:-1]} <= {6000, 2000}, "links draw what their ports do")
    asleep = [entry for entry in parts[:-1] if int(entry["power"]["instantaneous-power"]) == 2000]
    expect(asleep and all(2000 * 24 <= int(entry["energy"]["total-energy-consumed"]) < 6000 * 24 for entry in asleep), f"their energy, too: {asleep}")
    expect(int(groups["power"]["instantaneous-power"]) < 9 * 140_000, f"a spine sleeps: {groups}")


def shifted(folder):
    with COUNTERS.open() as old, (folder / "tomorrow.csv").open("w") as new:
        rows = csv.DictReader(old)
        writer = csv.DictWriter(new, rows.fieldnames)
        writer.writeheader()
        writer.writerows({**row, "time": int(row["time"]) + DAY_S} for row in rows)
    return folder / "tomorrow.csv"


def without_dates(run):
    for day in run["days"]:
        day.pop("day")
    return run


def check_shift(folder):
    """The temperatures of the example are of one day, so here the PUE is a constant."""
    scenario = folder / "tariff.yaml"
    scenario.write_text("schema_version: 1\nutc_offset: 1h\npue: 1.2\ncarbon: 250\ndemand_charge: 12.50\n"
                        "price: [{from: 0, until: 7, price: 0.18}, {from: 7, until: 24, price: 0.31}]\n")
    green = [folder / "today.json", folder / "tomorrow.json"]
    today, tomorrow = (without_dates(replay(path, STAGES, "--scenario", scenario, counters=counters)["runs"][0])
                       for path, counters in zip(green, (COUNTERS, shifted(folder))))
    expect(today["costs"]["used"]["money"] > 0, f"it costs something: {today['costs']}")
    expect(today == tomorrow, "a day later the same numbers")
    expect(green[0].read_bytes() == green[1].read_bytes(), "a day later the same export")


def check_product(folder):
    """18 links of two ports that draw 1.9034 + 2.8255 - 0.0626 W each, awake for 24 hours."""
    scenario = folder / "constants.yaml"
    scenario.write_text("schema_version: 1\nprice: 0.25\npue: 1.5\ncarbon: 300\n")
    costs = replay(folder / "constant.json", ALWAYS_ON, "--scenario", scenario)["runs"][0]["costs"]["used"]
    kwh = 18 * 2 * (1.9034 + 2.8255 - 0.0626) * 24 / 1000
    expect(int(entries_of(folder / "constant.json")[0]["energy"]["total-energy-consumed"]) == round(kwh * 1e6), f"{kwh} kWh")
    for name, product in (("site_kwh", kwh * 1.5), ("money", kwh * 1.5 * 0.25), ("carbon_kg", kwh * 1.5 * 0.3)):
        expect(abs(costs[name] - product) < 1e-9 * product, f"{name}: {costs[name]} is not {product}")


def main():
    if not yang.has_yanglint():
        print("skipped: no yanglint (libyang-tools)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        used = {policy: check_export(folder / "green.json", policy) for policy in POLICIES}
        expect(used[STAGES] < used[ALWAYS_ON], f"sleep saves: {used}")
        check_refused(folder / "green.json")
        check_static(folder)
        check_groups(folder)
        check_shift(folder)
        check_product(folder)
    print(f"yanglint accepts {len(used)} exports by {yang.module().name}: {used} mWh")


if __name__ == "__main__":
    main()
