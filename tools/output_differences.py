# SPDX-License-Identifier: Apache-2.0
"""What differs in the outputs of two versions of ebb, JSON or plain text, once the words of the older one are those of
the newer one. For tools/compare_versions."""
import collections
import decimal
import json
import re

NUMBER = re.compile(r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?")


class UsageError(Exception):
    pass


def table_rows(file, kinds):
    """Lines of a table by their first column, which is one of `kinds`; each line has two or three columns."""
    rows = collections.defaultdict(list)
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        kind, *rest = line.split("\t")
        if kind not in kinds or len(rest) not in (1, 2) or not all(rest):
            raise UsageError(f"{file}:{number}: not one of {', '.join(kinds)} and one or two columns more")
        rows[kind].append(rest)
    return rows


class Renamed:
    """What was renamed. Output of the older version is brought into words of the newer one, commands the other way."""

    def __init__(self, file):
        rows = table_rows(file, ("json-key", "value", "text", "option", "file", "column", "line"))
        old_names = [(kind, row[0]) for kind, some in rows.items() for row in some if row[0] != "-"]
        if len(set(old_names)) < len(old_names) or any(len(row) != 2 for some in rows.values() for row in some):
            raise UsageError(f"{file}: a row without a new name, or an old name twice")
        if any("-" in row for kind, some in rows.items() if kind not in ("json-key", "column", "line") for row in some):
            raise UsageError(f"{file}: only a json-key, a column or a line may come or go (-)")
        if any(row[0] != "-" for kind in ("column", "line") for row in rows[kind]):
            raise UsageError(f"{file}: a column or a line can only come (-)")
        self.came = {new for old, new in rows["json-key"] if old == "-"}
        self.came_columns = {new for _, new in rows["column"]}
        self.came_lines = tuple(new for _, new in rows["line"])
        self.keys = {old: new for old, new in rows["json-key"] if old != "-"}
        self.values = dict(rows["value"])
        self.new_text = self.replacer([(" ".join(old.split()), new) for old, new in rows["text"] + rows["file"]])
        self.new_name = self.replacer(rows["option"])
        self.new_file = self.replacer(rows["file"])
        self.old_command = self.replacer([(new, old) for old, new in rows["option"] + rows["file"]])

    @staticmethod
    def replacer(pairs):
        """Replaces whole words of a text."""
        words = dict(pairs)
        if not words:
            return str
        longest_first = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        pattern = re.compile(rf"(?<![\w-])(?:{longest_first})(?![\w-])")
        return lambda text: pattern.sub(lambda match: words[match.group()], text)

    def new_key(self, path):
        """The newer name of the key that a path ends with; `-` when it went."""
        for end in ends(path):
            if end in self.keys:
                # A key may itself have dots, as the parameters of a sweep do.
                return self.keys[end] if end == path[-1] else self.keys[end].rsplit(".", 1)[-1]
        return path[-1]

    def without_what_came(self, text):
        """Plain text of the newer version without the columns and lines that the older one does not have."""
        lines = [line for line in text.splitlines() if not (self.came_lines and line.strip().startswith(self.came_lines))]
        if lines and not self.came.isdisjoint(csv_fields(lines[0])):
            return "\n".join(without_fields(lines, self.came))
        for place, rule in enumerate(lines):
            if place and re.fullmatch(r"-+(  -+)+", rule):
                spans = [match.span() for match in re.finditer("-+", rule)]
                came = [span for span in spans if lines[place - 1][slice(*span)].strip() in self.came_columns]
                end = next((i for i in range(place, len(lines)) if not lines[i].strip()), len(lines))
                lines[place - 1:end] = [without_spans(line, came) for line in lines[place - 1:end]]
        return "\n".join(lines)

    def has_come(self, path):
        return not self.came.isdisjoint(ends(path))


def csv_fields(line):
    """As they are written, with their quotes."""
    return re.findall(r'(?:^|(?<=,))(?:(?:"[^"]*")+|[^,]*)', line)


def without_fields(lines, names):
    kept = [place for place, name in enumerate(csv_fields(lines[0])) if name not in names]
    return [",".join(csv_fields(line)[place] for place in kept) for line in lines]


def without_spans(line, spans):
    for begin, end in reversed(spans):
        line = line[:begin] + line[end:]
    return line


def ends(path):
    """All that a dotted name in a table may say of a path: the whole of it, ..., its last key."""
    return [".".join(path[first:]) for first in range(len(path))]


class Comparison:
    """Counts what was compared of one command and collects the differences."""

    def __init__(self, renamed, not_compared):
        self.renamed = renamed
        self.not_compared = not_compared
        self.numbers = 0
        self.differences = []
        self.seconds = 0.0

    def differs(self, where, old, new):
        self.differences.append(f"{where}: {old} -> {new}")

    def compare_output(self, old, new):
        trees = json_tree(old), json_tree(new)
        if None in trees:
            self.compare_text("text", old, new)
        else:
            self.compare_tree((), *trees)

    def compare_tree(self, path, old, new):
        where = ".".join(path) or "document"
        if isinstance(old, dict) and isinstance(new, dict):
            self.compare_object(path, old, new)
        elif isinstance(old, list) and isinstance(new, list):
            if len(old) != len(new):
                self.differs(where, f"{len(old)} elements", f"{len(new)} elements")
            for place, pair in enumerate(zip(in_order(old, self.renamed.new_text), in_order(new))):
                self.compare_tree((*path, f"[{place}]"), *pair)
        elif isinstance(old, str) and isinstance(new, str):
            self.compare_text(where, self.renamed.values.get(old, old), new)
        elif is_number(old) and is_number(new):
            self.numbers += 1
            if old != new:
                self.differs(where, old, new)
        elif old is not new:
            self.differs(where, shown(old), shown(new))

    def compare_object(self, path, old, new):
        names = tuple(step for step in path if not step.startswith("["))
        mapped = {}
        for key, value in old.items():
            name = self.renamed.new_key((*names, key))
            if name in mapped:
                self.differs(".".join((*path, name)), "two keys of this name", "one")
            if name != "-":
                mapped[name] = value
        for key in {**mapped, **new}:
            where = ".".join((*path, key))
            if key not in new:
                self.differs(where, shown(mapped[key]), "no such key")
            elif key not in mapped:
                if not self.renamed.has_come((*names, key)):
                    self.differs(where, "no such key", shown(new[key]))
            elif ".".join((*names, key)) not in self.not_compared:
                self.compare_tree((*path, key), mapped[key], new[key])

    def compare_text(self, where, old, new):
        """Numbers one by one, then words. Widths of columns and ends of lines follow from words and do not count."""
        if old != new:
            old, new = self.renamed.new_text(" ".join(old.split())), self.renamed.without_what_came(new)
        texts = old, new
        numbers = [NUMBER.findall(text) for text in texts]
        self.numbers += len(numbers[1])
        if len(numbers[0]) != len(numbers[1]):
            self.differs(where, f"{len(numbers[0])} numbers", f"{len(numbers[1])} numbers")
        for place, pair in enumerate(zip(*numbers), 1):
            if pair[0] != pair[1]:
                self.differs(f"{where}, number {place} of {len(numbers[0])}", *pair)
        words = [re.sub(r"-{2,}(?![\w-])", "--", NUMBER.sub("#", text)).split() for text in texts]
        if words[0] != words[1]:
            place = next((i for i, (a, b) in enumerate(zip(*words)) if a != b), min(map(len, words)))
            self.differs(f"{where}, word {place + 1}", *(" ".join(some[max(0, place - 2):place + 4]) for some in words))


def json_tree(text):
    """Numbers as they are printed, to the last digit. None: not JSON."""
    try:
        return json.loads(text, parse_float=decimal.Decimal) if text.lstrip()[:1] in ("{", "[") else None
    except ValueError:
        return None


def is_number(value):
    return isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool)


def shown(value):
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def in_order(items, words=str):
    """Runs of a results file are sorted by a key that changes with the version; here by their parameters and seed."""
    if not all(isinstance(item, dict) and "seed" in item and "parameters" in item for item in items):
        return items
    return sorted(items, key=lambda run: ([words(str(value)) for value in run["parameters"].values()], run["seed"]))
