# SPDX-License-Identifier: Apache-2.0
"""Reference pages of programs and verbs, from the manual pages that the programs write from their option tables."""
import pathlib
import re
import subprocess
import tempfile

from text import fence, linked

ESCAPES = {r"\-": "-", r"\(rs": "\\", r"\(aq": "'", r"\(ga": "`", r"\(ha": "^", r"\(ti": "~", r"\:": "", r"\&": ""}
PROGRAMS = ("ebb", "ebb-agent", "ebb-agentx", "ebb-gnmi-target", "ebb-host")
TITLES = {"SYNOPSIS": "Synopsis", "OPTIONS": "Options", "COMMANDS": "Commands", "EXAMPLES": "Examples",
          "EXIT STATUS": "Exit codes", "ENVIRONMENT": "Environment", "SEE ALSO": "See also"}


def plain(roff):
    """The text without fonts."""
    text = re.sub(r"\\f[BIR]", "", roff)
    return re.sub(r"\\(?:\(..|[-:&])", lambda match: ESCAPES[match[0]], text)


def prose(roff):
    """A sentence as Markdown. Bold words are typed as they stand, names with (1) are pages, and so is docs/....md."""
    parts = re.split(r"\\fB(.*?)\\fR(\(1\))?", roff)
    markdown = ""
    for at in range(0, len(parts), 3):
        markdown += linked(plain(parts[at]))
        if at + 1 < len(parts):
            word = plain(parts[at + 1])
            markdown += f"[`{word}`]({word}.md)" if parts[at + 2] else f"`{word}`"
    return markdown


def manual_pages(build):
    """The manual page of each program and verb, by its name: `ebb`, then its verbs as `ebb-sim`, then other programs as `ebb-agent`."""
    programs = [path for path in sorted(pathlib.Path(build).glob("apps/*/ebb*"))
                if re.fullmatch(r"ebb(-[a-z]+)*", path.name) and path.is_file()]
    if not any(path.name == "ebb" for path in programs):
        raise SystemExit(f"{build}: error: no program apps/ebb/ebb; build the target ebb first")
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            subprocess.run([program, "--manual-pages", folder], check=True)
        pages = sorted(pathlib.Path(folder).glob("*.1"), key=lambda path: (path.stem != "ebb", path.stem in PROGRAMS, path.stem))
        return {path.stem: path.read_text() for path in pages}


def markdown_lines(roff):
    """The requests that apps/shell_integration/manual.cpp writes: .SH .SS .TP .PP .br .EX .EE."""
    lines = iter(roff.splitlines())
    section = ""
    for line in lines:
        if line.startswith((".\\\"", ".TH")):
            continue
        if line.startswith(".SH "):
            section = line[4:]
            if section in TITLES:
                yield from ("", f"## {TITLES[section]}", "")
        elif section == "NAME":
            continue
        elif line.startswith(".SS "):
            yield from ("", f"### {plain(line[4:])}", "")
        elif line == ".TP":
            yield from ("", tag(next(lines)), f":   {prose(next(lines))}")
        elif line == ".EX":
            yield from fence("sh", [plain(text) for text in iter(lambda: next(lines), ".EE")])
        elif line in (".PP", ".br"):
            yield ""
        elif line.startswith("."):
            raise SystemExit(f"tools/site/manual.py: error: unknown request {line.split()[0]} of a manual page")
        elif section == "SYNOPSIS" or "[\\fIOPTIONS" in line:
            yield from fence("", [plain(line)])
        else:
            yield prose(line)


def tag(roff):
    """What a description is of: an option, a positional, an exit code, or the page of a verb."""
    return prose(roff) if "(1)" in roff else f"`{plain(roff).strip()}`"


def command(name):
    """What is typed for the page ebb-sim: `ebb sim`. Other programs are named as their pages are."""
    return name if name in PROGRAMS else name.replace("-", " ", 1)


def reference_page(name, pages, documents):
    """The page of one of the manual pages; what it names and this build lacks, as a program that needs gRPC, is no link."""
    page = documents / f"{name.removeprefix('ebb-')}.md"
    lines = [f"# `{command(name)}`", ""]
    if page.exists() and name not in PROGRAMS:
        lines += [f"What it is for and how to use it: [{command(name)}](../docs/{page.name}). `{command(name)} --help` prints the options below.", ""]
    text = "\n".join([*lines, *markdown_lines(pages[name]), ""])
    return re.sub(r"\[(`[\w-]+`)\]\(([\w-]+)\.md\)", lambda match: match[0] if match[2] in pages else match[1], text)
