#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The units that are installed: systemd accepts them, and they leave an intruder little. Arguments: the
folder of the units, then programs that they start. One that is not built here (an agent without
libmnl) is left out."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
INSTANCES = {"ebb-fabric@": "tour", "ebb-wake@": "tour", "ebb-agent@": "br0", "ebb-host@": "eth1"}
# What systemd-analyze security says at most, of 10. The host's two capabilities over the network are
# the larger part of its figure; the agent is root in name.
EXPOSURE = {"ebb-fabric@": 1.4, "ebb-wake@": 1.4, "ebb-agent@": 1.3, "ebb-host@": 2.0}


def with_programs(text, programs):
    """The unit with programs of the build folder; nothing when one of them is not there."""
    for installed in sorted(set(re.findall(r"^Exec\w+=(\S+)", text, re.M)), key=len, reverse=True):
        built = programs.get(pathlib.Path(installed).name)
        if not built:
            return None
        text = re.sub(rf"^(Exec\w+=){re.escape(installed)} ", rf"\1{built} ", text, flags=re.M)
    return text


def check_options(text, name):
    """Programs know the options that the unit gives them."""
    for line in re.findall(r"^Exec\w+=(.*)", text, re.M):
        words = line.split()
        verb = [word for word in words[1:3] if re.fullmatch("[a-z]+", word)]
        known = subprocess.run([words[0], *verb, "--help"], capture_output=True, text=True).stdout
        for option in [word for word in words if word.startswith("--")]:
            if option not in known:
                sys.exit(f"FAILED: {name}: {words[0]} has no {option}")


def check_restart(text, name):
    """A controller that has ended is started again, and one that cannot be started has its links woken by a unit that there is."""
    wanted = {"ebb-fabric@": {"Restart": "always", "RestartPreventExitStatus": "2", "OnFailure": "ebb-wake@%i.service"}}
    for key, value in wanted.get(name, {}).items():
        if f"\n{key}={value}\n" not in text:
            sys.exit(f"FAILED: {name}: {key}={value} is missing")


def analyze(*words):
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, timeout=60)


def check_unit(path, programs, folder):
    name = path.name.removesuffix(".service")
    text = with_programs(path.read_text(), programs)
    if text is None:
        return print(f"{name}: left out, its program is not built")
    check_options(text, name)
    unit = folder / f"{name}{INSTANCES[name]}.service"
    unit.write_text(text)
    check_restart(text, name)
    verified = analyze("verify", "--man=no", "--recursive-errors=no", str(unit))
    if verified.returncode or unit.name in verified.stderr:
        sys.exit(f"FAILED: {name}: {verified.stderr}")
    judged = analyze("security", "--offline=true", "--no-pager", str(unit))
    found = re.search(r"exposure level for \S+: ([0-9.]+)", judged.stdout)
    if not found or float(found.group(1)) > EXPOSURE[name]:
        sys.exit(f"FAILED: {name}: at most {EXPOSURE[name]} wanted\n{judged.stdout}{judged.stderr}")
    print(f"{name}: accepted, exposure {found.group(1)} of 10, at most {EXPOSURE[name]}")


def main():
    if not shutil.which("systemd-analyze"):
        print("skipped: no systemd-analyze")
        sys.exit(SKIPPED)
    units = sorted(pathlib.Path(sys.argv[1]).glob("*.service"))
    programs = {pathlib.Path(program).name: program for program in sys.argv[2:]}
    if {unit.name.removesuffix(".service") for unit in units} != set(INSTANCES):
        sys.exit(f"FAILED: units {units}")
    with tempfile.TemporaryDirectory() as folder:
        for unit in units:
            check_unit(unit, programs, pathlib.Path(folder))


if __name__ == "__main__":
    main()
