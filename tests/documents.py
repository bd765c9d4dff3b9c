#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the documents true: the README's packages are those of packages/, every relative link of every
page leads to a file and to a heading of it, every `libs/...` or similar path in a page is a file or
folder, the architecture page has every library, and every `ebb ...` line in a shell block of a page runs.
The commands of docs/tutorial.md build on each other: tests/tutorial.py runs them."""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("libs/**/README.md"), ROOT / "packages" / "README.md"])
TUTORIAL = ROOT / "docs" / "tutorial.md"


def shell_blocks(text):
    return re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)


def package_problems():
    """The README installs what the build needs, and of the programs that verbs start those that it names."""
    needed = set((ROOT / "packages" / "build.txt").read_text().split())
    allowed = needed | set((ROOT / "packages" / "run.txt").read_text().split())
    match = re.search(r"apt-get install -y (.*)", (ROOT / "README.md").read_text().replace("\\\n", " "))
    listed = set(match.group(1).split()) if match else set()
    for package in sorted(needed - listed):
        yield f"README.md: the apt-get line lacks {package} of packages/build.txt"
    for package in sorted(listed - allowed):
        yield f"README.md: the apt-get line has {package}, which is in neither build.txt nor run.txt of packages/"


def anchors(page):
    """Where links into a page can lead. A heading's name is as GitHub makes it: lower case, without
    punctuation, spaces as hyphens."""
    yield from re.findall(r'<a (?:id|name)="([^"]+)"', page.read_text())
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.M):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        yield re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def link_problems(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)", text):
        leads_to = page.parent / target if target else page
        if "://" in target:
            continue
        if not leads_to.exists():
            yield f"{page.relative_to(ROOT)}: link to {target} leads nowhere"
        elif anchor and leads_to.suffix == ".md" and anchor not in anchors(leads_to):
            yield f"{page.relative_to(ROOT)}: {target} has no heading #{anchor}"


def path_problems(page):
    """Paths in backquotes, from the top folder or from that of the page. Those with a placeholder, as
    `<group>` or `*`, are not looked at."""
    folders = "apps|bench|cmake|docs|examples|fuzz|libs|packages|parts|peers|repro|share|studies|tests|tools|web"
    for number, line in enumerate(page.read_text().splitlines(), 1):
        for path in re.findall(rf"`((?:{folders})/[^`\s<*{{:#]*)[`:#]", line):
            if not (ROOT / path).exists() and not (page.parent / path).exists():
                yield f"{page.relative_to(ROOT)}:{number}: there is no {path}"


def library_problems():
    """The architecture page has every library, and every library has a README."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    for library in sorted(path.parent.relative_to(ROOT) for path in ROOT.glob("libs/*/*/CMakeLists.txt")):
        if f"({pathlib.PurePosixPath('..') / library}/README.md)" not in page:
            yield f"docs/architecture.md: no row for {library}"
        if not (ROOT / library / "README.md").exists():
            yield f"{library}: no README.md"


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
    found = [*package_problems(), *library_problems()]
    with tempfile.TemporaryDirectory() as scratch:
        for page in PAGES:
            found += link_problems(page)
            found += path_problems(page)
            if page != TUTORIAL:
                found += command_problems(sys.argv[1], page, scratch)
    print("\n".join(found) if found else f"{len(PAGES)} pages: links and commands work")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
