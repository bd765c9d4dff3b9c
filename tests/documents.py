#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the documents true: the README's packages are .ci/packages, every relative link of every
page leads to a file, and every `ebb ...` line in a shell block of a page runs."""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("libs/*/README.md")])


def shell_blocks(text):
    return re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)


def package_problems():
    wanted = (ROOT / ".ci" / "packages").read_text().split()
    text = (ROOT / "README.md").read_text().replace("\\\n", " ")
    match = re.search(r"apt-get install -y (.*)", text)
    if not match or sorted(match.group(1).split()) != sorted(wanted):
        yield "README.md: the apt-get line is not the list of .ci/packages"


def link_problems(page):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
        if "://" not in target and not (page.parent / target).exists():
            yield f"{page.relative_to(ROOT)}: link to {target} leads nowhere"


def command_problems(ebb, page, scratch):
    for block in shell_blocks(page.read_text()):
        for line in block.replace("\\\n", " ").splitlines():
            if not line.startswith("ebb "):
                continue
            command = line.split(" #")[0].replace("/tmp/", scratch + "/")
            script = f"set -o pipefail; ebb() {{ {shlex.quote(ebb)} \"$@\"; }}; {command}"
            result = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120)
            if result.returncode == 3 and "was built without" in result.stderr:
                continue  # an optional part that this build does not have
            if result.returncode:
                yield f"{page.relative_to(ROOT)}: `{line}` exits {result.returncode}:\n{result.stderr}"


def main():
    found = list(package_problems())
    with tempfile.TemporaryDirectory() as scratch:
        for page in PAGES:
            found += link_problems(page)
            found += command_problems(sys.argv[1], page, scratch)
    print("\n".join(found) if found else f"{len(PAGES)} pages: links and commands work")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
