# SPDX-License-Identifier: Apache-2.0
"""What the tables of all studies share: runs of a results file, and means with confidence intervals."""
import math
import sqlite3

STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}


def read(path):
    """(settings, seed) -> metrics, in the order in which settings were first stored."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    runs = {}
    for run, seed, status in database.execute("SELECT id, seed, status FROM runs ORDER BY id"):
        settings = tuple(
            database.execute("SELECT key, value FROM parameters WHERE run = ? ORDER BY position", (run,)))
        if status == "done":
            runs[settings, seed] = dict(database.execute("SELECT name, value FROM metrics WHERE run = ?", (run,)))
    return runs


def with_interval(values, digits=2):
    """The mean, and after +- the half width of its 95 % confidence interval after Student."""
    mean = sum(values) / len(values)
    if len(values) == 1:
        return f"{mean:.{digits}f}"
    deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
    half = STUDENT[len(values) - 1] * deviation / math.sqrt(len(values))
    return f"{mean:.{digits}f} ± {half:.{digits}f}"


def name(settings):
    return ", ".join(value if key == "policy" else f"{key.split('.')[-1]} {value}" for key, value in settings)
