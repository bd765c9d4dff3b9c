#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that libraries list their direct dependencies and nothing else: tools/check_layers.py [--root DIR]

`ebb_library(<name> PUBLIC ... PRIVATE ... TESTS ...)` in libs/<group>/<name>/CMakeLists.txt is compared with the
`#include "ebb/<library>/..."` lines of the library:
  - an include of a library that is not listed is an error,
  - a listed library that nothing includes is an error,
  - a library stands in the list that fits the place of its includes (public headers, sources, tests).
`ebb_python_module` in python/CMakeLists.txt is compared in the same way: the Python package may depend on base, network,
sim and study, and its folder live, with what is listed under LIVE, also on the live half.
The build runs this check before it compiles, so an include that is not listed does not compile."""
import argparse
import pathlib
import re
import sys

DECLARATION = re.compile(r"^ebb_(?:library|python_module)\(([^)]*)\)", re.M)
INCLUDE = re.compile(r'\s*#\s*include "ebb/(\w+)/')
KEYWORDS = ("PUBLIC", "PRIVATE", "TESTS", "LIVE", "LINK", "PRIVATE_LINK", "TEST_LINK")
# Which part of a library may include what its lists name, and the list that an include belongs to.
PARTS = {"include": "PUBLIC", "src": "PRIVATE", "tests": "TESTS", "live": "LIVE"}
# A group may depend on the groups named here and on itself.
GROUPS = {"base": set(), "network": {"base"}, "sim": {"base", "network"}, "study": {"base", "network", "sim"},
          "live": {"base", "network", "sim"}, "python": {"base", "network", "sim", "study"}}


class Library:
    def __init__(self, folder, words):
        self.folder, self.name, self.lists = folder, words[0], {keyword: [] for keyword in KEYWORDS}
        keyword = None
        for word in words[1:]:
            if word in KEYWORDS:
                keyword = word
            elif keyword and not word.startswith("$"):
                self.lists[keyword].append(word)

    def includes(self):
        """Yields (part, included library, path, line number)."""
        for part in PARTS:
            for path in sorted((self.folder / part).rglob("*.[ch]pp")):
                for number, line in enumerate(path.read_text().splitlines(), 1):
                    match = INCLUDE.match(line)
                    if match and match.group(1) != self.name:
                        yield part, match.group(1), path, number


def libraries(root):
    for path in [*sorted(root.glob("libs/**/CMakeLists.txt")), *root.glob("python/CMakeLists.txt")]:
        match = DECLARATION.search(path.read_text())
        if match:
            yield Library(path.parent, match.group(1).split())


def errors_of(library, root):
    seen = {part: set() for part in PARTS}
    for part, included, path, number in library.includes():
        lists = list(PARTS.values())[:list(PARTS).index(part) + 1]
        if not any(included in library.lists[one] for one in lists):
            yield (f"{path.relative_to(root)}:{number}: error: {library.name} includes {included} and does not list it "
                   f"under {PARTS[part]} in its CMakeLists.txt")
        seen[part].add(included)
    earlier = set()
    for part, keyword in PARTS.items():
        for listed in library.lists[keyword]:
            if listed not in seen[part] or listed in earlier:
                yield (f"{library.folder.relative_to(root)}/CMakeLists.txt: error: {library.name} lists {listed} under "
                       f"{keyword}, and nothing in {part}/ needs that")
        earlier |= set(library.lists[keyword])


def group_of(library, root):
    """libs/<group>/<library>, or python."""
    parts = library.folder.relative_to(root).parts
    return parts[1] if parts[0] == "libs" else parts[0]


def group_errors(found, root):
    group = {library.name: group_of(library, root) for library in found}
    for library in found:
        for keyword in ("PUBLIC", "PRIVATE", "LIVE"):
            for listed in library.lists[keyword]:
                mine, its = group[library.name], group.get(listed)
                if keyword == "LIVE" and its == "live":
                    continue
                if its is None:
                    yield f"{library.folder.relative_to(root)}/CMakeLists.txt: error: there is no library {listed}"
                elif mine in GROUPS and its != mine and its not in GROUPS[mine]:
                    place = f"libs/{mine}" if mine != "python" else mine
                    yield (f"{library.folder.relative_to(root)}/CMakeLists.txt: error: {library.name} is in {place}, "
                           f"which may not depend on libs/{its} ({listed})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root.resolve()
    found = list(libraries(root))
    errors = [error for library in found for error in errors_of(library, root)] + list(group_errors(found, root))
    print("\n".join(errors) if errors else f"layers: {len(found)} libraries list what they include")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
