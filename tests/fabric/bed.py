# SPDX-License-Identifier: Apache-2.0
"""What the tests of `ebb fabric` share: names of their own, and what is left of a fabric."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
STATE = pathlib.Path("/run/ebb")


def skip_unless_possible(*programs):
    if os.geteuid() != 0:
        print("skipped: not root")
        sys.exit(SKIPPED)
    for program in ("ovs-vswitchd", "ip", *programs):
        if not shutil.which(program):
            print(f"skipped: no {program}")
            sys.exit(SKIPPED)
    made = subprocess.run(["ip", "netns", "add", own_name("t")], capture_output=True, text=True)
    if made.returncode:
        print(f"skipped: no network namespaces here: {made.stderr}")
        sys.exit(SKIPPED)
    subprocess.run(["ip", "netns", "del", own_name("t")], check=True)


def own_name(letter):
    """No other process has it."""
    return f"{letter}{os.getpid()}"


def expect(true, what):
    if not true:
        sys.exit(f"FAILED: {what}")


class MachineStalled(Exception):
    """Something went wrong while the machine had no processor for it: nobody can tell whose fault it was."""


def test(main, attempts=3):
    """Runs the test, again when the machine stalled; a machine that always does cannot run it."""
    for _ in range(attempts):
        try:
            return main()
        except MachineStalled as stall:
            print(f"once more: {stall}", flush=True)
    print(f"skipped: the machine stalled {attempts} times")
    sys.exit(SKIPPED)


def run(*words, timeout=120, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=timeout, **more)


def must(*words, **more):
    done = run(*words, **more)
    expect(done.returncode == 0, f"{' '.join(words[:8])} exits {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def fabric_file(folder, name, topology, more=""):
    path = pathlib.Path(folder) / f"{name}.yaml"
    path.write_text(f"schema_version: 1\nname: {name}\ntopology: {topology}\n{more}")
    return str(path)


def daemons(folder):
    """Processes that name the folder in their arguments."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(f"={folder}/".encode() in word or f":{folder}/".encode() in word for word in words):
            found.append(int(process.name))
    return found


def left_of(name, state=STATE):
    """Everything that there is of a fabric."""
    spaces = [space.name for space in pathlib.Path("/run/netns").glob(f"ebb-{name}-*")]
    folder = [str(state / name)] if (state / name).exists() else []
    return spaces + folder + daemons(state / name)


def take_down(ebb, name, *options, state=STATE):
    """Of a fabric that stays, the next test or the machine's owner would be told that several are up."""
    done = run(ebb, "fabric", "down", name, *options)
    left = left_of(name, state)
    if left and not sys.exc_info()[0]:  # what went wrong before has the first word
        sys.exit(f"ebb fabric down {name} exits {done.returncode} and leaves {left}:\n{done.stdout}{done.stderr}")


def scratch():
    return tempfile.TemporaryDirectory()
