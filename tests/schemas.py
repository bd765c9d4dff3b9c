#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The published JSON Schemas accept every shipped file and what ebb prints, and refuse broken ones:
schemas.py EBB. Needs jsonschema and PyYAML (Debian: python3-jsonschema, python3-yaml); exits 77
(skipped) without them."""
import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent


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


def shipped_files(checks):
    """Every document with the schema it must satisfy."""
    for path in sorted((ROOT / "parts").glob("*.yaml")):
        yield checks["parts"], path.name, yaml_part(path)
    for path in sorted((ROOT / "fuzz" / "corpus" / "fabric").glob("*.yaml")):
        yield checks["fabric"], path.name, yaml_part(path)
    for path in sorted((ROOT / "fuzz" / "corpus" / "devices").glob("*.yaml")):
        yield checks["devices"], path.name, yaml_part(path)
    for path in sorted((ROOT / "examples").glob("*.yaml")):
        document = yaml_part(path)
        if path.name.startswith("fabric-"):
            yield checks["fabric"], path.name, document
        if "switches" in document:
            yield checks["graph"], path.name, document
        if "base" in document:
            yield checks["sweep"], path.name, document
        if "traffic" in document:
            yield checks["sim"], path.name, document


def printed(ebb, checks):
    sim = [ebb, "sim", "examples/sim-sleep.yaml", "--set", "schedule={warm_up: 0s, measure: 100us}"]
    run = lambda *more: subprocess.run(sim + list(more), cwd=ROOT, capture_output=True, text=True, check=True).stdout
    yield checks["sim-result"], "ebb sim --json", json.loads(run("--json"))
    breakeven = [ebb, "breakeven", "--hosts", "16", "--time", "2ms", "--json"]
    yield checks["breakeven"], "ebb breakeven --json", json.loads(
        subprocess.run(breakeven, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    yield checks["sim"], "ebb sim --print-resolved", yaml.load(run("--print-resolved"), Texts)


def main():
    checks = {name: validator(name) for name in ("parts", "graph", "fabric", "devices", "sim", "sim-result", "sweep", "breakeven")}
    failed = 0
    documents = [*shipped_files(checks), *printed(sys.argv[1], checks)]
    for check, name, document in documents:
        for error in check.iter_errors(document):
            failed += 1
            print(f"{name}: {error.json_path}: {error.message}")
        if check.is_valid({**document, "colour": "red"}):
            failed += 1
            print(f"{name}: its schema accepts an unknown key")
    print(f"{len(documents)} documents against their schemas, {failed} problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
