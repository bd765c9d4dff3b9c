#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The components of the install, each of which is a Debian package: packages.py BUILD CMAKE

Each has what it should and nothing of the others, together they are all that is installed, and the program runs from where it
was installed. Nothing is built; tools/test_packages builds the packages themselves."""
import pathlib
import re
import subprocess
import sys
import tempfile

WANTED = {
    "programs": ("bin/ebb", "share/ebb/examples/fabric-3x3.yaml", "share/ebb/parts/boxes.yaml", "share/ebb/docs/schema/sim.schema.json",
                 "share/man/man1/ebb.1", "share/man/man1/ebb-sim.1", "share/bash-completion/completions/ebb",
                 "share/fish/vendor_completions.d/ebb.fish", "share/zsh/site-functions/_ebb"),
    "fabric": ("bin/ebb-host", "lib/systemd/system/ebb-fabric@.service", "lib/systemd/system/ebb-host@.service", "lib/sysusers.d/ebb.conf",
               "share/ebb/grafana/ebb-fabric.json", "share/man/man1/ebb-host.1", "share/bash-completion/completions/ebb-host"),
    "development": ("include/ebb/units/time.hpp", "cmake/ebb/ebbConfig.cmake", "libebb_topology.a"),
}
PYTHON = {"python": ("ebb/__init__.py", "ebb/py.typed", "ebb/data/parts/boxes.yaml")}  # where there is pybind11


def must(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=250)
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(true, what):
    if not true:
        sys.exit(f"FAILED: {what}")


def installed(cmake, build, folder, *component):
    must(cmake, "--install", build, "--prefix", folder, *component)
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def check_components(cmake, build, folder):
    components = WANTED | (PYTHON if (pathlib.Path(build) / "python/ebb").exists() else {})
    files = {name: installed(cmake, build, folder / name, "--component", name) for name in components}
    for name, wanted in components.items():
        for file in wanted:
            expect(any(path.endswith(file) for path in files[name]), f"{file} is in {name}: {sorted(files[name])}")
        for other in components:
            shared = files[name] & files[other] if other != name else set()
            expect(not shared, f"{name} and {other} share {sorted(shared)}")
    everything = installed(cmake, build, folder / "all")
    together = set().union(*files.values())
    expect(everything == together, f"in no component: {sorted(everything - together)}")
    return {name: len(found) for name, found in files.items()}


def check_programs(folder):
    said = must(folder / "programs/bin/ebb", "fabric", "check", folder / "programs/share/ebb/examples/fabric-3x3.yaml")
    expect("6 of 18 links" in said, said)
    for unit in folder.rglob("fabric/lib/systemd/system/*.service"):
        for program in re.findall(r"^Exec\w+=\S*/(\S+)", unit.read_text(), re.M):
            expect((folder / "all/bin" / program).exists(), f"{program}, which {unit.name} starts, is installed")


def main():
    build, cmake = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        counts = check_components(cmake, build, pathlib.Path(folder))
        check_programs(pathlib.Path(folder))
    print(", ".join(f"{name}: {count} files" for name, count in counts.items()))


if __name__ == "__main__":
    main()
