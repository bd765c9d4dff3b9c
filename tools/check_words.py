#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that names and pages use the terms of the field: tools/check_words.py [--count]

tools/retired_words.tsv lists words that an earlier version used, with the term that took their place. None may stand in
an identifier, an option, a key or a page, except where tools/retired_words_kept.tsv says so, with the reason. The
changelog, the notes in docs/design and the files in tests/compatibility are of earlier versions and are not looked at."""
import collections
import fnmatch
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOOKED_AT = ("*.cpp", "*.hpp", "*.md", "*.yaml", "*.case", "CMakeLists.txt", "*.cmake", "*.ts", "*.service.in")
HISTORY = ("CHANGELOG.md", "docs/design/*", "tests/compatibility/*", "tests/malformed/*", "libs/base/core/src/renamed_names.hpp")


def rows(name):
    for line in (ROOT / "tools" / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def main():
    words = [(word, re.compile(word), now) for word, now in rows("retired_words.tsv")]
    kept = [(word, pattern) for word, pattern, _reason in rows("retired_words_kept.tsv")]
    used, errors, counts = set(), [], collections.Counter()
    for name in subprocess.check_output(["git", "ls-files", *LOOKED_AT], cwd=ROOT, text=True).split():
        if any(fnmatch.fnmatch(name, pattern) for pattern in HISTORY) or not (ROOT / name).is_file():
            continue
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
            for word, pattern, now in words:
                if not pattern.search(line):
                    continue
                reasons = [entry for entry in kept if entry[0] in (word, "*") and fnmatch.fnmatch(name, entry[1])]
                used.update(reasons)
                if not reasons:
                    counts[word] += 1
                    errors.append(f"{name}:{number}: '{pattern.search(line).group()}' is now: {now}")
    errors += [f"tools/retired_words_kept.tsv: nothing needs '{word}' in {pattern}" for word, pattern in kept
               if (word, pattern) not in used]
    if "--count" in sys.argv:
        print("\n".join(f"{count:5} {word}" for word, count in counts.most_common()))
    else:
        print("\n".join(errors) if errors else f"words: none of {len(words)} retired words is left")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
