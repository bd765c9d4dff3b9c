# SPDX-License-Identifier: Apache-2.0
"""Markdown of generated pages."""
import re


def escaped(text):
    """Text in which nothing is markup but what stands between backquotes."""
    parts = re.split(r"(`[^`]*`)", text)
    parts[::2] = [re.sub(r"([\\*_{}\[\]#|])", r"\\\1", part).replace("&", "&amp;").replace("<", "&lt;") for part in parts[::2]]
    return "".join(parts)


def linked(text):
    """The same, in which the name of a document leads to it; generated pages are in a folder beside docs."""
    return re.sub(r"\bdocs/([\w/\-]+\.md)", r"[docs/\1](../docs/\1)", escaped(text))


def fence(language, lines):
    return ["", f"```{language}", *lines, "```", ""]


def row(*cells):
    """A row of a table, in which a bar would end a cell."""
    return "| " + " | ".join(cell.replace("|", "&#124;") for cell in cells) + " |"


def table(head, rows):
    return [row(*head), "|" + "---|" * len(head), *(row(*cells) for cells in rows)]
