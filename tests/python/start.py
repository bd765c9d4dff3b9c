# SPDX-License-Identifier: Apache-2.0
"""What tests of the Python package begin with: they run in the folder of the sources, are skipped where a package is missing,
and compare with what the program ebb prints, which is their first argument.

    import start
    numpy, _ = start.packages("numpy", "pandas")
    import ebb"""
import importlib
import importlib.util
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
os.chdir(ROOT)


def packages(*names):
    """The modules of that name; without one of them the test is skipped."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        print("skipped: needs " + ", ".join(f"python3-{name}" for name in missing))
        sys.exit(SKIPPED)
    return [importlib.import_module(name) for name in names]


def command_line(*words, code=0):
    """What ebb prints, or for another exit code than 0 what it says of errors."""
    done = subprocess.run([sys.argv[1], *words], cwd=ROOT, capture_output=True, text=True, timeout=250)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stdout if code == 0 else done.stderr


def example(name):
    """The program of examples/python as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples/python" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
