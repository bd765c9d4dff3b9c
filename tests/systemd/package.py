#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Debian package: what is in it, what it depends on, and that its program runs from where it was
unpacked. Arguments: the build folder, cpack."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
WANTED = ("bin/ebb", "bin/ebb-host", "lib/systemd/system/ebb-fabric@.service", "lib/systemd/system/ebb-host@.service",
          "lib/sysusers.d/ebb.conf", "share/ebb/examples/fabric-3x3.yaml", "share/ebb/parts/")
UNWANTED = ("/include/", ".a", "/build/", "/tests/")


def must(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=250)
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(true, what):
    if not true:
        sys.exit(f"FAILED: {what}")


def make(build, cpack, folder):
    must(cpack, "-G", "DEB", "--config", f"{build}/CPackConfig.cmake", "-B", folder)
    found = list(pathlib.Path(folder).glob("*.deb"))
    expect(len(found) == 1, f"one package: {found}")
    return str(found[0])


def check_contents(package):
    names = [line.split()[5] for line in must("dpkg-deb", "-c", package).splitlines()]
    for wanted in WANTED:
        expect(any(name.endswith(wanted) for name in names), f"{wanted} is in {names}")
    for name in names:
        expect(not any(name.endswith(bad) if bad[0] == "." else bad in name for bad in UNWANTED), f"{name} is not in it")
    return len(names)


def check_dependencies(package):
    depends = must("dpkg-deb", "-f", package, "Depends")
    for library in ("libc6", "libssl3", "libsqlite3-0", "libyaml-cpp"):
        expect(library in depends, f"{library} among {depends}")
    return len(depends.split(","))


def check_program(package, folder):
    must("dpkg-deb", "-x", package, f"{folder}/root")
    ebb = next(pathlib.Path(f"{folder}/root").rglob("bin/ebb"))
    example = next(pathlib.Path(f"{folder}/root").rglob("fabric-3x3.yaml"))
    said = must(ebb, "fabric", "check", example)
    expect("6 of 18 links" in said, said)
    unit = next(pathlib.Path(f"{folder}/root").rglob("ebb-fabric@.service")).read_text()
    for program in re.findall(r"^Exec\w+=(\S+)", unit, re.M):
        expect(pathlib.Path(f"{folder}/root{program}").exists(), f"{program}, which the unit starts, is in the package")


def main():
    for program in ("dpkg-deb", "dpkg-shlibdeps"):
        if not shutil.which(program):
            print(f"skipped: no {program}")
            sys.exit(SKIPPED)
    build, cpack = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        package = make(build, cpack, folder)
        files, dependencies = check_contents(package), check_dependencies(package)
        check_program(package, folder)
        print(f"{pathlib.Path(package).name}: {files} files, {dependencies} dependencies, {pathlib.Path(package).stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
