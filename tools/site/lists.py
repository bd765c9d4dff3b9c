# SPDX-License-Identifier: Apache-2.0
"""Reference pages of what ebb knows, from `ebb list`, `ebb parts` and the other verbs that list something."""
import pathlib
import re
import subprocess

from text import escaped, fence, table

NAME_WIDTH = 11  # of parameters in `ebb list`
LISTS = {"families": ("Topology families", "../docs/models/topologies.md"), "routings": ("Routings", "../docs/models/routing.md"),
         "patterns": ("Traffic patterns", "../docs/models/traffic.md"), "injections": ("Injections", "../docs/models/traffic.md"),
         "sizes": ("Message sizes", "../docs/models/workloads.md"), "workloads": ("Workloads", "../docs/models/workloads.md"),
         "policies": ("Policies", "../docs/models/policies.md")}
TABLES = {"repro": ("Published results", ("repro", "list"), "../docs/reproduction/README.md"),
          "checks": ("Checks of the simulator", ("validate", "list"), "../docs/validate.md"),
          "figures": ("Figures", ("plot", "--list"), "../docs/plot.md")}


def output(build, *words):
    program = pathlib.Path(build) / "apps/ebb/ebb"
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def is_parameter(line):
    """Names of parameters are padded to a column, and longer ones are longer than any first word of a sentence."""
    word = line[4:].split(" ")[0]
    return len(word) >= NAME_WIDTH or line[4 + len(word):].startswith("  ")


def entry(lines):
    """A name, a summary, remarks and parameters."""
    name, summary, *rest = lines
    remarks = [line.strip() for line in rest if not is_parameter(line)]
    parameters = [line.split(None, 1) for line in rest if is_parameter(line)]
    text = [f"## `{name}`", "", escaped(summary.strip()), *(f"<br>{escaped(remark)}" for remark in remarks), ""]
    if parameters:
        text += table(("parameter", "meaning"), [(f"`{key}`", escaped(meaning.strip())) for key, meaning in parameters])
    return text + [""]


def list_page(build, kind):
    """Blocks are divided by empty lines: the title, the entries, and for policies where they run, which is kept as printed."""
    title, explained = LISTS[kind]
    _, *blocks = [block.splitlines() for block in re.split(r"\n\n+", output(build, "list", kind).strip())]
    entries = [block for block in blocks if len(block) > 1 and block[1].startswith("    ")]
    others = blocks[len(entries):]
    if entries != blocks[:len(entries)]:
        raise SystemExit(f"tools/site/lists.py: error: `ebb list {kind}` has text between its entries")
    lines = [f"# {title}", "", f"As `ebb list {kind}` prints them; the model: [{title.lower()}]({explained}).", ""]
    for block in entries:
        lines += entry(block)
    if others:
        lines += ["## Where they run", *fence("", [line for block in others for line in [*block, ""]])]
    return "\n".join(lines)


def columns(text):
    """The rows of a printed table, the columns of which the line of dashes below the head divides."""
    lines = [line for line in text.splitlines() if line.strip()]
    dashes = next(at for at, line in enumerate(lines) if re.fullmatch(r"-[- ]*", line))
    starts = [match.start() for match in re.finditer(r"-+", lines[dashes])]
    cut = [[line[begin:end].strip() for begin, end in zip(starts, [*starts[1:], None])] for line in lines]
    return cut[dashes - 1], cut[dashes + 1:]


def table_page(build, kind):
    title, words, explained = TABLES[kind]
    head, rows = columns(output(build, *words))
    rows = [(f"`{first}`", *map(escaped, rest)) for first, *rest in rows]
    return "\n".join([f"# {title}", "", f"As `ebb {' '.join(words)}` prints them; [more]({explained}).", "", *table(head, rows), ""])


def parts_page(build):
    """Every part in a row, then every part with every number and where it comes from."""
    head, rows = columns(output(build, "parts", "list"))
    linked = [(f"[`{name}`](#{name.replace('.', '')})", *map(escaped, rest)) for name, *rest in rows]
    lines = ["# Parts", "", "The [parts library](../docs/parts.md), as `ebb parts list` and `ebb parts show` print it.", "", *table(head, linked), ""]
    for name, *_ in rows:
        lines += [f"## {name}", *fence("", output(build, "parts", "show", name).strip().splitlines())]
    return "\n".join(lines)
