#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every #include "ebb/<folder>/..." names the folder itself or one of its declared
dependencies. The build proves the same by include paths; this names the line to mend."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DECLARATION = re.compile(r"ebb_library\((\w+)(?:\s+DEPENDS\s+([\w\s]+?))?(?:\s+(?:LINK|PRIVATE_LINK)\b.*)?\)", re.S)
INCLUDE = re.compile(r'#include "ebb/(\w+)/')


def declared_layers():
    layers = {}
    for path in sorted(ROOT.glob("libs/*/CMakeLists.txt")):
        match = DECLARATION.search(path.read_text())
        if not match:
            sys.exit(f"{path}: no ebb_library(...) found")
        layers[match.group(1)] = set((match.group(2) or "").split())
    return layers


def violations(layers):
    for folder, allowed in layers.items():
        for path in sorted((ROOT / "libs" / folder).rglob("*.[ch]pp")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if match and match.group(1) not in allowed | {folder}:
                    yield f"{path.relative_to(ROOT)}:{number}: error: {folder} may not include {match.group(1)}"


def main():
    layers = declared_layers()
    found = list(violations(layers))
    print("\n".join(found) if found else f"layers: {len(layers)} folders, no forbidden include")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
