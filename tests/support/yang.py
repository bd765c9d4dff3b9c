# SPDX-License-Identifier: Apache-2.0
"""What yanglint says of a file of the module ietf-power-and-energy.

The module beside the tests is a subset written for checking. EBB_YANG_MODULES names a folder with the published one and all that it
imports, which is then taken instead."""
import os
import pathlib
import shutil
import subprocess
import sys

SUBSET = pathlib.Path(__file__).resolve().parents[1] / "replay" / "yang"
MODULE = "ietf-power-and-energy"


def has_yanglint():
    return shutil.which("yanglint") is not None


def module():
    folder = pathlib.Path(os.environ.get("EBB_YANG_MODULES") or SUBSET)
    found = sorted(folder.glob(f"{MODULE}@*.yang")) or sorted(folder.glob(f"{MODULE}.yang"))
    if not found:
        sys.exit(f"FAILED: no {MODULE}.yang in {folder}")
    return found[-1]


def refusal(path):
    """Nothing: it is accepted."""
    told = subprocess.run(["yanglint", "-p", module().parent, "-t", "data", module(), path], capture_output=True, text=True)
    return "" if told.returncode == 0 else told.stderr or "refused"
