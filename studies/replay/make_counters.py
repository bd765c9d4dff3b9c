#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes octet counters of a made-up network as a CSV file for `ebb replay`: one interface for each link, at one end, read at
regular times. Load follows the day and is less at the weekend; every link has a share of its own.

  make_counters.py --leaf-spine 46x23 --days 365 --step 300 > year.csv    # links s<leaf>-s<spine>, 1058 of them
  make_counters.py --fbfly 3x3 --days 1 --step 1800 --rate 100e6 > day.csv
"""
import argparse
import itertools
import math
import random
import sys

DAY = 86400
START = 1704067200  # 2024-01-01, a Monday


def size(text):
    first, second = text.split("x")
    return int(first), int(second)


def leaf_spine(leaves, spines):
    return [f"s{leaf}-s{leaves + spine}" for leaf in range(leaves) for spine in range(spines)]


def fbfly(columns, rows):
    """Switches in a grid, each linked to all of its row and of its column."""
    in_rows = [(row * columns + a, row * columns + b) for row in range(rows) for a, b in itertools.combinations(range(columns), 2)]
    in_columns = [(a * columns + column, b * columns + column) for column in range(columns)
                  for a, b in itertools.combinations(range(rows), 2)]
    return [f"s{a}-s{b}" for a, b in in_rows + in_columns]


def growth(names, rate, step, low, high, seed):
    """Octets by kind of day, step of the day and link: the direction out, then in."""
    rng = random.Random(seed)
    shares = [[rng.uniform(0.7, 1.3) for _ in names] for _ in range(2)]

    def octets(second, weight, share):
        phase = 2 * math.pi * (second - 4 * 3600) / DAY  # least at 4 o'clock
        load = (low + high) / 2 - (high - low) / 2 * math.cos(phase)
        return int(rate * load * weight * share * step / 8)

    return [[[[octets(second, weight, share) for share in direction] for direction in shares]
             for second in range(0, DAY, step)] for weight in (1.0, 0.4)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leaf-spine", type=size, metavar="LxS")
    parser.add_argument("--fbfly", type=size, metavar="CxR")
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--step", type=int, default=300, help="seconds")
    parser.add_argument("--rate", type=float, default=100e9, help="bit/s of a link")
    parser.add_argument("--low", type=float, default=0.02, help="share of the rate in the night")
    parser.add_argument("--high", type=float, default=0.25, help="and in the day")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = leaf_spine(*options.leaf_spine) if options.leaf_spine else fbfly(*options.fbfly)
    days = growth(names, options.rate, options.step, options.low, options.high, options.seed)
    out = [0] * len(names)
    into = [0] * len(names)
    print("interface,time,out_bytes,in_bytes")
    for at in range(START, START + options.days * DAY + 1, options.step):
        sys.stdout.write("".join([f"{name},{at},{a},{b}\n" for name, a, b in zip(names, out, into)]))
        weekday = (at - START) // DAY % 7
        more_out, more_into = days[1 if weekday >= 5 else 0][(at - START) % DAY // options.step]
        out = [a + b for a, b in zip(out, more_out)]
        into = [a + b for a, b in zip(into, more_into)]


if __name__ == "__main__":
    main()
