# SPDX-License-Identifier: Apache-2.0
"""The changelog and its fragments: files in changes/ that each have headings of the changelog with lists below them.
changes/README.md says how they are written. tools/release uses this module."""
import difflib
import re

HEADINGS = ("Names changed", "For operators", "For everybody", "For everybody who uses Python", "For everybody who simulates",
            "For planners", "For researchers", "For developers", "Numbers changed")
UNRELEASED = "## Unreleased"


def fragments(root):
    return sorted(path for path in (root / "changes").glob("*.md") if path.name != "README.md")


def sections(text):
    """The text below each heading of level 3, by heading. What comes before the first has the heading ''."""
    pieces = re.split(r"^### (.*)\n", text, flags=re.M)
    return {"": pieces[0].strip("\n"), **{name: body.strip("\n") for name, body in zip(pieces[1::2], pieces[2::2])}}


def fragment_problems(path):
    found = sections(path.read_text())
    if found.pop(""):
        yield f"{path.name}: text before the first heading"
    if not found:
        yield f"{path.name}: no heading; there are {', '.join(HEADINGS)}"
    for heading, body in found.items():
        if heading not in HEADINGS:
            nearest = difflib.get_close_matches(heading, HEADINGS, 1)
            hint = f"did you mean '{nearest[0]}'?" if nearest else f"there are {', '.join(HEADINGS)}"
            yield f"{path.name}: unknown heading '{heading}'; {hint}"
        lines = body.splitlines()
        if not lines:
            yield f"{path.name}: nothing below '{heading}'"
        elif not lines[0].startswith("- "):
            yield f"{path.name}: '{heading}' begins with '{lines[0]}', not with an item of a list ('- ')"
        for line in lines:
            if line and not line.startswith(("- ", "  ")):
                yield f"{path.name}: '{line}' is neither an item ('- ') nor continues one (two spaces)"


def split(changelog):
    """What stands before the section of the next release, the section, and the versions before it."""
    before, heading, rest = changelog.partition(UNRELEASED + "\n")
    if not heading:
        raise SystemExit(f"CHANGELOG.md: no line '{UNRELEASED}'")
    section, older = (re.split(r"^(?=## )", rest, maxsplit=1, flags=re.M) + [""])[:2]
    return before, section, older


def assembled(root):
    """The section of the next release with the fragments in it, headings in their order."""
    merged = sections(split((root / "CHANGELOG.md").read_text())[1])
    for path in fragments(root):
        for heading, body in sections(path.read_text()).items():
            if heading:
                merged[heading] = f"{merged[heading]}\n{body}" if heading in merged else body
    order = [name for name in HEADINGS if name in merged] + [name for name in merged if name and name not in HEADINGS]
    lead = merged[""] + "\n\n" if merged[""] else ""
    return lead + "\n\n".join(f"### {name}\n{merged[name]}" for name in order) + "\n"


def release(root, version, date):
    """Gives the next release its version and date in the changelog, and removes the fragments."""
    before, _, older = split((root / "CHANGELOG.md").read_text())
    text = f"{before}{UNRELEASED}\n\n## {version} ({date})\n\n{assembled(root)}\n{older}"
    (root / "CHANGELOG.md").write_text(text)
    for path in fragments(root):
        path.unlink()


def newest(root):
    """What changed in the release that is made: its section, or what is not released yet, with the fragments."""
    _, section, older = split((root / "CHANGELOG.md").read_text())
    if section.strip() or fragments(root):
        return assembled(root)
    return re.split(r"^(?=## )", older, flags=re.M)[1]
