#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Published results on real switches: `ebb repro run B7 D4` reproduces them, and nothing is left of its fabrics.
Argument: the program."""
import json
import sys

import bed

EBB = sys.argv[1]


def main():
    bed.skip_unless_possible("tc")
    before = bed.run("ip", "netns").stdout
    done = bed.run(EBB, "repro", "run", "B7", "D4", "--json", timeout=300)
    if "the machine stalled" in done.stdout + done.stderr:
        raise bed.MachineStalled(done.stderr.strip())
    bed.expect(done.returncode == 0, f"exits {done.returncode}:\n{done.stdout}{done.stderr}")
    for row in json.loads(done.stdout):
        for value in row["values"]:
            print(f"{row['id']}: {value['name']} {value['measured']:g}, published {value['published']}: {value['verdict']}")
            bed.expect(value["verdict"] == "reproduced", f"{row['id']}: {value}")
    bed.expect(bed.run("ip", "netns").stdout == before, "no namespace is left")


if __name__ == "__main__":
    bed.test(main)
