#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The published JSON Schemas accept every shipped file and refuse a broken one. Needs jsonschema and
PyYAML (Debian: python3-jsonschema, python3-yaml); exits 77 (skipped) without them."""
import json
import pathlib
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


def main():
    parts, graph = validator("parts"), validator("graph")
    failed = 0
    shipped = [(parts, path) for path in sorted((ROOT / "parts").glob("*.yaml"))]
    shipped += [(graph, path) for path in sorted((ROOT / "examples").glob("*.yaml"))
                if "switches" in yaml_part(path)]
    for check, path in shipped:
        for error in check.iter_errors(yaml_part(path)):
            failed += 1
            print(f"{path.relative_to(ROOT)}: {error.json_path}: {error.message}")
    for check in (parts, graph):
        if check.is_valid({"schema_version": 1, "colour": "red"}):
            failed += 1
            print("a schema accepts an unknown key")
    print(f"{len(shipped)} files against their schemas, {failed} problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
