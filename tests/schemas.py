#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The published JSON Schemas accept every shipped file and what ebb prints, and refuse broken ones; every shipped file
names its schema for editors: schemas.py EBB. Needs jsonschema and PyYAML (Debian: python3-jsonschema, python3-yaml); exits 77
(skipped) without them."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent
EDITOR_LINE = "# yaml-language-server: $schema="


class Texts(yaml.SafeLoader):
    """Dates stay text, as ebb reads them."""


Texts.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def yaml_part(path):
    return yaml.load(path.read_text().split("\n...\n")[0], Texts)


def validator(name):
    schema = json.loads((ROOT / "docs" / "schema" / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def example_kind(path):
    """The schema that an example must satisfy; none for topology and plan files, which have no schema."""
    document = yaml_part(path)
    if path.name.startswith("fabric-"):
        return "fabric"
    kinds = {"switches": "graph", "base": "sweep", "traffic": "sim", "requests": "inference", "model": "training",
             "price": "scenario", "sources": "parts"}
    return next((kind for key, kind in kinds.items() if key in document), None)


def line_problems(folder):
    """Each part file and example names its schema for editors in its first line."""
    for path in sorted([*(folder / "parts").glob("*.yaml"), *(folder / "examples").glob("*.yaml")]):
        kind = "parts" if path.parent.name == "parts" else example_kind(path)
        lines = path.read_text().splitlines()
        named = [line.removeprefix(EDITOR_LINE) for line in lines if line.startswith(EDITOR_LINE)]
        expected = [f"../docs/schema/{kind}.schema.json"] if kind else []
        if named != expected or (kind and not lines[0].startswith(EDITOR_LINE)):
            yield f"{path.name}: its first line must be '{EDITOR_LINE}{expected[0]}'" if kind else f"{path.name}: has no schema, but names {named}"
        for schema in named:
            if not (ROOT / path.parent.name / schema).is_file():
                yield f"{path.name}: there is no {schema}"


def check_line_problems():
    """A file without the line, and one with the line of another kind, must be found out."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("sim-none.yaml", "traffic: {}\n"), ("sim-other.yaml", f"{EDITOR_LINE}../docs/schema/graph.schema.json\ntraffic: {{}}\n")):
            path = pathlib.Path(folder) / "examples" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        if len(list(line_problems(pathlib.Path(folder)))) != 2:
            sys.exit("FAILED: nobody misses the line that names the schema")


def shipped_files(checks):
    """Every document with the schema it must satisfy."""
    for path in sorted((ROOT / "parts").glob("*.yaml")):
        yield checks["parts"], path.name, yaml_part(path)
    for path in sorted((ROOT / "fuzz" / "corpus" / "fabric").glob("*.yaml")):
        yield checks["fabric"], path.name, yaml_part(path)
    for path in sorted((ROOT / "fuzz" / "corpus" / "devices").glob("*.yaml")):
        yield checks["devices"], path.name, yaml_part(path)
    for path in sorted((ROOT / "share" / "models").glob("*.yaml")):
        yield checks["model"], path.name, yaml_part(path)
    for path in sorted((ROOT / "examples").glob("*.yaml")):
        if kind := example_kind(path):
            yield checks[kind], path.name, yaml_part(path)


def printed(ebb, checks):
    sim = [ebb, "sim", "examples/sim-sleep.yaml", "--set", "schedule={warm_up: 0s, measure: 100us}"]
    run = lambda *more: subprocess.run(sim + list(more), cwd=ROOT, capture_output=True, text=True, check=True).stdout
    yield checks["sim-result"], "ebb sim --json", json.loads(run("--json"))
    fed = [ebb, "sim", "examples/sim-planes.yaml", "--parts", "examples/switch-supply.yaml", "--set", "parts.switch=fed-16", "--set", "parts.switch_sleep=groups", "--json"]
    yield checks["sim-result"], "ebb sim --json of switches behind power supplies", json.loads(
        subprocess.run(fed, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    breakeven = [ebb, "breakeven", "--hosts", "16", "--time", "2ms", "--json"]
    yield checks["breakeven"], "ebb breakeven --json", json.loads(
        subprocess.run(breakeven, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    yield checks["sim"], "ebb sim --print-resolved", yaml.load(run("--print-resolved"), Texts)
    day = [ebb, "sim", "examples/sim-day.yaml", "--set", r'schedule.day="time,load\n00:00,5%\n12:00,30%\n"']
    run_day = lambda *more: subprocess.run(day + list(more), cwd=ROOT, capture_output=True, text=True, check=True).stdout
    yield checks["sim-day-result"], "ebb sim --json of a day", json.loads(run_day("--json"))
    yield checks["sim"], "ebb sim --print-resolved of a day", yaml.load(run_day("--print-resolved"), Texts)


def printed_fits(ebb, checks):
    """Of the series of an invented box: as they are, and with ports enabled exactly when they are up, which cannot be told apart."""
    files = ROOT / "tests" / "cli" / "files"
    rows = [line.split(",") for line in (files / "box-counters.csv").read_text().splitlines()]
    enabled, up = rows[0].index("enabled"), rows[0].index("up")
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as poor:
        poor.write("\n".join(",".join(rows[0] if row is rows[0] else [*row[:enabled], row[up], *row[enabled + 1:]]) for row in rows))
        poor.flush()
        for path in (files / "box-counters.csv", poor.name):
            fit = [ebb, "parts", "fit", "--power", files / "box-power.csv", "--counters", path, "--json"]
            yield checks["parts-fit"], f"ebb parts fit --json of {path}", json.loads(
                subprocess.run(fit, capture_output=True, text=True, check=True).stdout)


STRANGE = "zzzzzzzzzzzzzzzzzzzz"  # near no key, so that the reader lists all that it knows
FLATTENED_BUTTERFLY = {"family": "fbfly", "hosts": 1, "dims": 3}
# What reads a file, and files with a strange key in some of their sections. A simulation has two: its own, and a
# fabric's, whose parts have other keys.
READERS = {
    "fabric": (["fabric", "check"], [{"schema_version": 1, "name": "x", "topology": FLATTENED_BUTTERFLY,
                                      STRANGE: 1, "parts": {STRANGE: 1}, "safety": {STRANGE: 1}}]),
    "sim": (["sim"], [{"schema_version": 1, "topology": FLATTENED_BUTTERFLY, "routing": "minimal-adaptive",
                       STRANGE: 1, "parts": {STRANGE: 1}, "hardware": {STRANGE: 1}, "schedule": {STRANGE: 1}, "series": {STRANGE: 1}},
                      {"schema_version": 1, "name": "x", "topology": FLATTENED_BUTTERFLY, "parts": {STRANGE: 1}}]),
    "scenario": (["replay", "examples/fabric-3x3.yaml", "--counters", "examples/replay-day.csv", "--scenario"], [{"schema_version": 1, STRANGE: 1}]),
    "sweep": (["sweep", "--dry-run"], [{"schema_version": 1, "base": "none.yaml", STRANGE: 1}]),
}


def keys_of_schema(name, section):
    schema = json.loads((ROOT / "docs" / "schema" / f"{name}.schema.json").read_text())
    return set((schema["properties"][section] if section else schema)["properties"])


def keys_taken(command, document):
    """Of each section with a strange key the keys that its reader takes; nothing without the reader."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        json.dump(document, file)  # JSON is YAML
        file.flush()
        errors = subprocess.run([*command, file.name], cwd=ROOT, capture_output=True, text=True).stderr
    if "built without" in errors:  # the live half
        return {}
    strange = lambda value: isinstance(value, dict) and STRANGE in value
    taken = {}
    for section in [""] * strange(document) + [key for key, value in document.items() if strange(value)]:
        place = re.escape(f"{section}.{STRANGE}" if section else STRANGE)
        told = re.search(rf"unknown key '{STRANGE}'; valid: (.*) \(at {place}\)", errors)
        taken[section] = set(told[1].split(", ")) if told else set()
    return taken


def key_problems(ebb):
    """The keys of each section are those that its reader takes: no more and no fewer."""
    for name, (command, documents) in READERS.items():
        taken = {}
        for document in documents:
            for section, keys in keys_taken([ebb, *command], document).items():
                taken.setdefault(section, set()).update(keys)
        for section, keys in taken.items():
            known = keys_of_schema(name, section)
            if keys != known:
                yield f"{name} {section}: only the reader has {sorted(keys - known)}, only the schema {sorted(known - keys)}"


def main():
    checks = {name: validator(name) for name in ("parts", "graph", "fabric", "devices", "sim", "sim-result", "sim-day-result", "sweep", "breakeven", "model", "training", "inference", "scenario", "parts-fit")}
    failed = 0
    documents = [*shipped_files(checks), *printed(sys.argv[1], checks), *printed_fits(sys.argv[1], checks)]
    for check, name, document in documents:
        for error in check.iter_errors(document):
            failed += 1
            print(f"{name}: {error.json_path}: {error.message}")
        if check.is_valid({**document, "colour": "red"}):
            failed += 1
            print(f"{name}: its schema accepts an unknown key")
    check_line_problems()
    for problem in [*line_problems(ROOT), *key_problems(sys.argv[1])]:
        failed += 1
        print(problem)
    print(f"{len(documents)} documents against their schemas, {failed} problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
