#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The site of the documents: site.py BUILD NODE CHROMIUM NODE_PACKAGES

It is built, every page of docs/ is in it, every link leads somewhere, every option that a verb has is on the verb's page, and a reference
page changes when the program does. site.mjs then opens it from its folder in a browser. EBB_SITE_PICTURES=FOLDER keeps screenshots."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools/site"))
sys.dont_write_bytecode = True

import links  # noqa: E402
import lists  # noqa: E402
import manual  # noqa: E402

SKIPPED = 77
DOUBLE = """#!/bin/sh
# The program, but for an option of `ebb sim` and the name of a family.
"{ebb}" "$@" | sed 's/^dragonfly$/butterfly/'
[ "$1" != --manual-pages ] || sed -i 's/threads/workers/' "$2/ebb-sim.1"
"""


def expect(true, what):
    if not true:
        sys.exit(f"FAILED: {what}")


def check_pages(site):
    """Every document and every figure of it."""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        html = site / page.relative_to(ROOT).with_suffix(".html")
        expect((html.with_name("index.html") if page.name == "README.md" else html).exists(), f"{page.relative_to(ROOT)} is in the site")
    expect((site / "docs/models/power.html").read_text().count('class="equation"') >= 4, "the power models have typeset equations")


def check_link_checker(folder):
    """It finds a file and a heading that are not there, and a script from elsewhere."""
    folder.mkdir()
    (folder / "a.html").write_text('<h1 id="top">A</h1><a href="b.html#there">b</a><a href="#top">top</a><a href="https://example.org/">out</a>')
    (folder / "b.html").write_text('<h1 id="there">B</h1><a href="a.html#gone">a</a><a href="c.html">c</a><script src="https://example.org/x.js"></script>')
    found = sorted(links.check(folder)[2])
    expect(len(found) == 3, f"the link checker finds three mistakes: {found}")
    for one, words in zip(found, ("no heading", "no file", "loads https:")):
        expect(words in one, f"'{words}' is in {one}")


def help_options(ebb, *words):
    text = subprocess.run([ebb, *words, "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.M), re.findall(r"^  ([a-z][a-z-]+)  ", text.partition("Subcommands:")[2], re.M)


def check_options(ebb, site):
    """What --help prints is on the page of the verb."""
    count = 0
    for page in sorted((site / "reference").glob("ebb-*.html")):
        verb = page.stem.removeprefix("ebb-")
        if page.stem in manual.PROGRAMS:
            continue
        options, below = help_options(ebb, verb)
        options += [option for name in below for option in help_options(ebb, verb, name)[0]]
        text = page.read_text()
        for option in options:
            expect(option in text, f"{option} of `ebb {verb}` is on its page")
        count += len(options)
    expect(count > 100, f"options were found: {count}")
    return count


def check_change(ebb, folder):
    """A program with another option and another family gives other pages, without a change elsewhere."""
    double = folder / "apps/ebb/ebb"
    double.parent.mkdir(parents=True)
    double.write_text(DOUBLE.format(ebb=ebb))
    double.chmod(0o755)
    before, after = manual.manual_pages(ebb.parent.parent.parent), manual.manual_pages(folder)
    changed = [name for name in after if before[name] != after[name]]
    expect(changed == ["ebb-sim"], f"one page changed: {changed}")
    page = manual.reference_page("ebb-sim", after, ROOT / "docs")
    expect("`--workers N`" in page and "--threads" not in page, f"the option has its new name:\n{page}")
    expect("## `butterfly`" in lists.list_page(folder, "families"), "the family has its new name")


def main():
    build, node, chromium, packages = sys.argv[1:5]
    missing = [name for name in ("mkdocs", "doxygen") if not shutil.which(name)]
    if missing or not pathlib.Path("/usr/share/javascript/katex").exists():
        print(f"skipped: needs the packages of packages/site.txt; missing: {missing}")
        return SKIPPED
    ebb = pathlib.Path(build) / "apps/ebb/ebb"
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        check_link_checker(folder / "links")
        check_change(ebb, folder / "double")
        site = folder / "site"
        built = subprocess.run([ROOT / "tools/build_site", build, site], capture_output=True, text=True)
        expect(built.returncode == 0, f"tools/build_site\n{built.stdout}{built.stderr}")
        check_pages(site)
        options = check_options(ebb, site)
        print(f"{built.stdout.strip()}\n{options} options of verbs are on their pages")
        subprocess.run([node, ROOT / "tests/site.mjs", site], check=True, env={**os.environ, "EBB_CHROMIUM": chromium, "EBB_NODE_PACKAGES": packages})
    return 0


if __name__ == "__main__":
    sys.exit(main())
