# SPDX-License-Identifier: Apache-2.0
"""Reference pages of files: every key with its type, default and meaning, from the JSON schemas in docs/schema."""
import json

from text import linked, table

SIMPLE = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "null": "null"}


def resolved(schema, root):
    """A schema with what it refers to; its own words go first."""
    while "$ref" in schema:
        target = root
        for name in schema["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


def kind(schema, root):
    """The type of a value in words: `credits`, `pause` or `bubble`; list of text. A text that the schema has a name for is that: a time."""
    name = schema.get("$ref", "").rsplit("/", 1)[-1]
    schema = resolved(schema, root)
    if name and schema.get("type") == "string":
        return name
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return ", or ".join(dict.fromkeys(kind(one, root) for one in schema[word]))
    types = schema.get("type", "object" if "properties" in schema else "anything")
    return " or ".join(typed(name, schema, root) for name in ([types] if isinstance(types, str) else types))


def typed(name, schema, root):
    if name == "array":
        inner = kind(schema["items"], root) if isinstance(schema.get("items"), dict) else "anything"
        return f"list of {inner}"
    if name == "object":
        return "map"
    return SIMPLE.get(name, name) + limits(schema)


def limits(schema):
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and most is not None:
        return f", {least} to {most}"
    if least is not None:
        return f", at least {least}"
    return f", at most {most}" if most is not None else ""


def default_text(schema, required):
    if "default" in schema:
        return f"`{json.dumps(schema['default'], ensure_ascii=False)}`".replace('"', "")
    return "required" if required else ""


def below(schema, root):
    """The schemas that may describe keys of a value: itself, its alternatives, the items of a list."""
    schema = resolved(schema, root)
    yield schema
    for word in ("oneOf", "anyOf", "allOf"):
        for one in schema.get(word, ()):
            yield from below(one, root)
    if isinstance(schema.get("items"), dict):
        yield from below(schema["items"], root)


def keys(schema, root, prefix="", ancestors=()):
    """The rows of a table, depth first, by key: type, default, meaning. A key of several alternatives stands once, with the
    constants of all of them, and is required only where there is one alternative."""
    rows = {}
    shapes = [one for one in below(schema, root) if "properties" in one]
    for one in shapes:
        for key, value in one["properties"].items():
            name = prefix + key
            required = key in one.get("required", ()) and len(shapes) == 1
            row = rows.setdefault(name, [kind(value, root), default_text(resolved(value, root), required), meaning(value, root)])
            if "const" in value and kind(value, root) not in row[0]:
                row[0] += f", {kind(value, root)}"
            inner = name + (".#." if is_list(value, root) else ".")
            add_below(rows, value, root, inner, ancestors)
    for one in below(schema, root):
        names = one.get("additionalProperties")
        if isinstance(names, dict) and has_keys(names, root):
            add_below(rows, names, root, f"{prefix}NAME.", ancestors)
    return rows


def add_below(rows, value, root, prefix, ancestors):
    if id(value) not in ancestors:  # a schema may contain itself
        for name, row in keys(value, root, prefix, (*ancestors, id(value))).items():
            rows.setdefault(name, row)


def meaning(value, root):
    return linked(resolved(value, root).get("description", ""))


def is_list(value, root):
    return any(one.get("type") == "array" for one in below(value, root))


def has_keys(value, root):
    return any("properties" in one for one in below(value, root))


def schema_page(path):
    root = json.loads(path.read_text())
    title = root["title"].removeprefix("ebb ")
    lines = [f"# {title[0].upper()}{title[1:]}: keys", "", linked(root.get("description", "")), "",
             f"From the [schema](../docs/schema/{path.name}), by which editors complete and check such files "
             "([how](../docs/README.md#formats)). `#` stands for the items of a list, `NAME` for a name of yours.", ""]
    rows = [(f"`{name}`", *row) for name, row in keys(root, root).items()]
    return title, "\n".join([*lines, *table(("key", "value", "default", "meaning"), rows), ""])
