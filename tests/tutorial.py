#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs docs/tutorial.md from its first command to its last.

    tutorial.py EBB BUILD_FOLDER

The commands are those of the page's `sh` blocks, in order, in a temporary copy of the folders that
the page touches. Three kinds of commands are not run as they stand:
  - packages are not installed, and ebb is not built from nothing: BUILD_FOLDER has been built;
  - the command that rebuilds ebb with the reader's policy compiles the copy's policy library with
    the flags of BUILD_FOLDER and links it with the other libraries of BUILD_FOLDER;
  - the part under the heading "## 6." needs root and Open vSwitch, and is left out without them.
Every `cpp` and `yaml` block of the page that names a file of docs/tutorial/ must be that file."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "tutorial.md"
POLICY = "libs/network/policy"
COPIED = ["docs/tutorial", "examples", POLICY]
FABRIC = "tutor"  # the fabric's name here, so that a fabric of the machine's owner is left alone
SKIP = 77


def sections(text):
    """The page as (heading, text) pairs."""
    parts = re.split(r"^(## .*)$", text, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def commands(text):
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
        for line in block.replace("\\\n", " ").splitlines():
            if line.strip() and not line.startswith("#"):
                yield line.split(" #")[0].rstrip()


def shown_files_that_differ(text):
    """The page shows files of docs/tutorial/; each must be shown as it is."""
    for name, block in re.findall(r"`docs/tutorial/([\w.-]+)`:\n\n```\w+\n(.*?)^```", text, re.M | re.S):
        if block != (ROOT / "docs" / "tutorial" / name).read_text():
            yield f"docs/tutorial.md shows another docs/tutorial/{name} than the file"


def policy_library(build, copy, out):
    """Compiles every source of the copy's policy library in one piece, with the flags of the build."""
    entries = json.loads((build / "compile_commands.json").read_text())
    command = next(e["command"] for e in entries if "ebb_policy.dir" in e["command"])
    command = re.sub(r" -o \S+ -c \S+", "", command).replace(str(ROOT / POLICY), str(copy / POLICY))
    source, library = out / "policy.cxx", out / "libebb_policy.a"
    sources = sorted((copy / POLICY / "src").rglob("*.cpp"))
    source.write_text("".join(f'#include "{s}"\n' for s in sources))
    run(f"{command} -Wno-subobject-linkage -o {out}/policy.o -c {source}", build)
    run(f"ar qc {library} {out}/policy.o && ranlib {library}", build)
    return library


def rebuild(build, copy, out):
    library = policy_library(build, copy, out)
    listed = subprocess.run(["ninja", "-C", str(build), "-t", "commands", "apps/ebb/ebb"],
                            capture_output=True, text=True, check=True).stdout.splitlines()
    link = next(line for line in reversed(listed) if " -o apps/ebb/ebb " in line)
    link = link.replace(f"{POLICY}/libebb_policy.a", str(library)).replace(" -o apps/ebb/ebb ", f" -o {out}/ebb ")
    run(link, build)
    return out / "ebb"


def run(command, folder):
    """Runs one command line with bash; what fails ends the test."""
    started = time.monotonic()
    result = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], cwd=folder, capture_output=True, text=True,
                            timeout=400)
    if result.returncode:
        sys.exit(f"exit code {result.returncode}: {command[:400]}\n{result.stdout[-2000:]}\n{result.stderr[-4000:]}")
    print(f"{time.monotonic() - started:6.1f} s  {command[:110]}", flush=True)
    return result.stdout


class Reader:
    """Who follows the page: a folder, and the ebb that is theirs at the moment."""

    def __init__(self, ebb, build, folder):
        self.ebb, self.build, self.folder = ebb, build, folder
        self.background = []

    def does(self, command):
        if re.match(r"(apt-get|export) ", command) or command.startswith("cmake --preset"):
            return ""
        if command.startswith("cmake --build"):
            if (self.folder / POLICY / "src" / "two_rates.cpp").exists():
                self.ebb = rebuild(self.build, self.folder, self.folder.parent)
            return ""
        command = command.replace("/tmp/", f"{self.folder.parent}/")
        if command.endswith("&"):
            script = self.with_ebb("exec " + command[:-1])
            self.background.append(subprocess.Popen(["bash", "-c", script], cwd=self.folder))
            return ""
        return run(self.with_ebb(command), self.folder)

    def with_ebb(self, command):
        """Live commands get a folder of their own: without a name they mean the only fabric there."""
        command = re.sub(r"(^|exec )ebb fabric (\w+)", lambda m: f"{m[0]} --state {self.folder.parent}/run", command)
        return re.sub(r"(^|[|;] |exec )ebb ", lambda m: f"{m[1]}{shlex.quote(str(self.ebb))} ", command)

    def leaves(self):
        for process in self.background:
            process.terminate()
            process.wait(timeout=60)


def why_no_fabric():
    if os.geteuid() != 0:
        return "not root"
    missing = [program for program in ("ovs-vswitchd", "ip", "fping")
               if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]
    return f"not installed: {', '.join(missing)}" if missing else None


def waits_for_sleep(reader):
    """A busy machine takes longer than the page says until links are asleep."""
    for _ in range(60):
        if re.search(r"^s\d-s\d +asleep", reader.does("ebb fabric status"), re.M):
            return
        time.sleep(1)
    sys.exit("no link fell asleep within a minute")


def live(reader, text):
    fabric = reader.folder / "examples" / "fabric-3x3.yaml"
    fabric.write_text(re.sub(r"^name: .*$", f"name: {FABRIC}", fabric.read_text(), flags=re.M))
    try:
        for command in commands(text):
            if command.startswith("ebb fabric status"):
                waits_for_sleep(reader)
            said = reader.does(command)
            if command.startswith("ebb fabric explain") and "asleep" not in said.splitlines()[0]:
                sys.exit(f"the link of `{command}` is not asleep:\n{said}")
    finally:
        reader.leaves()
        subprocess.run([reader.ebb, "fabric", "down", fabric, "--state", reader.folder.parent / "run"], capture_output=True, check=False)


def main():
    ebb, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    text = PAGE.read_text()
    if differing := list(shown_files_that_differ(text)):
        sys.exit("\n".join(differing))
    if not shutil.which("gnuplot"):
        print("gnuplot is not installed, and the tutorial draws a plot")
        return SKIP
    skipped = None
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "ebb-source"
        for copied in COPIED:
            shutil.copytree(ROOT / copied, folder / copied)
        reader = Reader(ebb, build, folder)
        for heading, part in sections(text):
            if not heading.startswith("## 6."):
                for command in commands(part):
                    reader.does(command)
            elif reason := why_no_fabric():
                skipped = f"{heading[3:]}: left out, {reason}"
            else:
                live(reader, part)
        pictures = [p.name for p in pathlib.Path(scratch).glob("*.svg") if b"two-rates" in p.read_bytes()]
        if not pictures:
            sys.exit("no picture shows the policy of the tutorial")
    print(skipped or "every command of the tutorial works")
    return SKIP if skipped else 0


if __name__ == "__main__":
    sys.exit(main())
