#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual pages: manual.py PROGRAM ...

Each page renders without a warning, and has every verb, argument and option that --help has, in the section of its verb.
Needs man and groff (Debian: man-db, groff); exits 77 (skipped) without them."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def rendered(page):
    """The text of a page, and what man and groff warn of."""
    variables = os.environ | {"MANWIDTH": "120", "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MAN_KEEP_FORMATTING": ""}
    done = subprocess.run(["man", "--warnings=w", "-P", "cat", "-l", page], capture_output=True, text=True, env=variables, timeout=60)
    return re.sub(".\b", "", done.stdout), done.stderr


def parts_of_help(text):
    """Options, arguments and verbs that a help has."""
    options, arguments, verbs, heading = [], [], [], ""
    for line in text.splitlines():
        if re.match(r"\S.*:$", line):
            heading = line
        options += re.findall(r"^  (?:-\w,)?(--[\w-]+)", line) + re.findall(r"^  (-\w)(?:,| |$)", line)
        if word := re.match(r"  (\w[\w-]*)(?: |$)", line):
            (arguments if heading == "Positionals:" else verbs).append(word[1])
    return options, arguments, verbs


def section_of(page, command):
    """What a page has of a verb: its own section, where it has one."""
    found = re.search(rf"^   {re.escape(command)}\n(.*?)(?=^ {{0,3}}\S|\Z)", page, re.M | re.S)
    return found[1] if found else page


def missing_in(text, words):
    return [word for word in words if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)]


def check(program, command, page):
    """The problems of a verb on its page, and of the verbs below it. `command` begins with the program's name."""
    options, arguments, verbs = parts_of_help(run(program, *command[1:], "--help"))
    section = section_of(page, " ".join(command))
    if len(command) == 1:  # the page of a program names those of its verbs
        verbs = [f"{command[0]}-{verb}" for verb in verbs]
    problems = [f"{' '.join(command)}: {word} is not on its page" for word in missing_in(section, options + arguments + verbs)]
    if not options:
        problems.append(f"{' '.join(command)}: no option in its help; is this test still reading it rightly?")
    if len(command) > 1:
        for verb in verbs:
            problems += check(program, [*command, verb], page)
    return problems


def check_checker(program, page):
    """A page that lacks an option must be found out."""
    option = parts_of_help(run(program, "--help"))[0][-1]
    without = re.sub(rf"(?<![\w-]){option}(?![\w-])", "", page)
    if not check(program, [pathlib.Path(program).name], without):
        sys.exit(f"FAILED: nobody misses {option} on a page without it")


def check_program(program, folder):
    name = pathlib.Path(program).name
    run(program, "--manual-pages", folder)
    verbs = parts_of_help(run(program, "--help"))[2]
    expected = {name} | {f"{name}-{verb}" for verb in verbs}
    pages = {path.stem: rendered(path) for path in pathlib.Path(folder).glob("*.1")}
    problems = [f"{page}: {warnings.strip()}" for page, (_, warnings) in pages.items() if warnings.strip()]
    problems += [f"{page}: there is no such page, or nobody asked for it" for page in expected ^ set(pages)]
    problems += check(program, [name], pages[name][0])
    for verb in verbs:
        problems += check(program, [name, verb], pages.get(f"{name}-{verb}", ("", ""))[0])
    check_checker(program, pages[name][0])
    return len(pages), problems


def main():
    for needed in ("man", "groff"):
        if not shutil.which(needed):
            print(f"skipped: no {needed}")
            return SKIPPED
    count, problems = 0, []
    for program in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            pages, found = check_program(program, folder)
            count, problems = count + pages, problems + found
    print("\n".join(problems) or f"{count} manual pages have what --help has, and render without a warning")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
