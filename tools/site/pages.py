# SPDX-License-Identifier: Apache-2.0
"""The pages of the repository as MkDocs reads them, in the folders in which they are, so that their links hold.

Pages are written for GitHub's Markdown. Python-Markdown, which MkDocs uses, wants an empty line before lists and tables, and knows no
links to sources: a source that a page links becomes a page that shows it."""
import os
import re
import shutil

LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".yaml": "yaml", ".json": "json", ".patch": "diff"}
SHOWN_BY_BROWSERS = (".svg", ".png", ".csv", ".html")
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]+)?\))")
FENCE = re.compile(r"(^```.*?^```$)", re.M | re.S)


def outside_fences(text, change):
    """The text with everything but its blocks of code changed."""
    parts = FENCE.split(text)
    return "".join(part if at % 2 else change(part) for at, part in enumerate(parts))


def spaced(text):
    """With an empty line where a paragraph ends and a list or a table begins."""
    given, lines = text.split("\n"), []
    for line, after in zip(given, [*given[1:], ""]):
        before = lines[-1] if lines else ""
        begins_list = re.match(r"[-*] |1\. ", line) and not re.match(r"([-*]|\d+\.) | ", before)
        begins_table = line.startswith("|") and re.match(r"\|[-:| ]+\|$", after)
        if before.strip() and (begins_list or begins_table):
            lines.append("")
        lines.append(line)
    return "\n".join(lines)


class Pages:
    """Copies pages and all that they link into a folder. `root` is the top folder of the sources."""

    def __init__(self, root, folder):
        self.root, self.folder = root, folder
        self.done = set()

    def add(self, page):
        """A page, and then what it links, unless it is there already."""
        waiting = [page]
        while waiting:
            page = waiting.pop()
            if page in self.done:
                continue
            self.done.add(page)
            found = []
            text = outside_fences(page.read_text(), lambda part: spaced(self.linked(page, part, found)))
            self.write(page.relative_to(self.root), text)
            waiting += found

    def linked(self, page, text, found):
        """The text with links to sources turned into links to the pages that show them; pages that it links are added to `found`."""
        def replace(match):
            target = page.parent / match[2]
            if "://" in match[2] or not target.is_file():
                return match[0]
            target = target.resolve()
            if target.suffix == ".md":
                found.append(target)
                return match[0]
            return match[1] + self.source(page, target, match[2]) + match[3]
        return LINK.sub(replace, text)

    def source(self, page, target, link):
        """How a page links a file that is not a page."""
        place = target.relative_to(self.root)
        if target.suffix in SHOWN_BY_BROWSERS or target.name.endswith(".schema.json"):
            copy = self.folder / place
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(target, copy)
            return link
        shown = place.with_name(place.name + ".md")
        if shown not in self.done:
            self.done.add(shown)
            language = LANGUAGES.get(target.suffix, "")
            self.write(shown, f"# `{place}`\n\n````{language}\n{target.read_text()}````\n")
        return os.path.relpath(self.root / shown, page.parent)

    def write(self, place, text):
        path = self.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def title(page):
    """The first heading."""
    match = re.search(r"^# (.*)$", page.read_text(), re.M)
    return label(match[1] if match else page.stem)


def label(text):
    """As navigation shows it: without marks, with a capital unless it is a command."""
    text = text.replace("`", "")
    return text if text.startswith("ebb") else text[:1].upper() + text[1:]


def navigation(index):
    """The sections of the page that lists all pages, docs/README.md, each with its pages. A page stands where it is listed first; a
    bullet with words before its links, as `design notes:`, is a section of its own."""
    seen = set()
    for section in re.split(r"^## ", index.read_text(), flags=re.M)[1:]:
        name, _, text = section.partition("\n")
        entries = []
        for bullet in re.findall(r"^- (.*)$", text, re.M):
            links = [(words, link) for words, link in re.findall(r"\[([^\]]+)\]\(([^)#]+\.md)(?:#[^)]*)?\)", bullet) if "://" not in link]
            pages = []
            for at, (words, link) in enumerate(links):
                if link in seen:
                    continue
                seen.add(link)
                first = at == 0 or not bullet.startswith("[")
                pages.append({label(words) if first else title(index.parent / link): f"docs/{link}"})
            entries += pages if bullet.startswith("[") else [{label(bullet.split(":")[0]): pages}] if pages else []
        if entries:
            yield {name.split(":")[0]: entries}
