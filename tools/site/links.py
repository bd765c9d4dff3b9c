# SPDX-License-Identifier: Apache-2.0
"""Checks a folder of HTML pages: every link leads to a file of the folder and to an anchor of it, and nothing is loaded from elsewhere."""
import html.parser
import os
import pathlib
import urllib.parse

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.anchors.update(filter(None, (attributes.get("id"), attributes.get("name"))))
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        if tag in LOADED and attributes.get(LOADED[tag]):
            self.loads.append(attributes[LOADED[tag]])


def check(folder):
    """How many pages there are, how many links, and a line for each link that leads nowhere or loads from elsewhere."""
    folder = pathlib.Path(folder)
    pages = {path: Page(path.read_text()) for path in sorted(folder.rglob("*.html"))}
    found = [problem for path, page in pages.items() for problem in problems(folder, pages, path, page)]
    return len(pages), sum(len(page.links) for page in pages.values()), found


def problems(folder, pages, path, page):
    place = path.relative_to(folder)
    for address in dict.fromkeys(page.links + page.loads):
        url = urllib.parse.urlsplit(address)
        if url.scheme or url.netloc:
            if address in page.loads and url.scheme != "data":
                yield f"{place}: loads {address}"
            continue
        target = pathlib.Path(os.path.normpath(path.parent / urllib.parse.unquote(url.path))) if url.path else path
        if target not in pages and not (target.is_file() and folder in target.parents):
            yield f"{place}: {address} leads to no file of the site"
        elif url.fragment and target in pages and urllib.parse.unquote(url.fragment) not in pages[target].anchors:
            yield f"{place}: {address} leads to no heading of {target.relative_to(folder)}"
