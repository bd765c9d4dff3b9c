# SPDX-License-Identifier: Apache-2.0
"""The reference page of the Python package, from its sources: what ebb.__all__ names, with signatures and docstrings."""
import ast
import inspect
import textwrap

from text import fence, linked

HIDDEN = ("__init_subclass__",)


def exported(package):
    """Each public name and the module that defines it."""
    tree = ast.parse((package / "__init__.py").read_text())
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.level == 1:
            for name in statement.names:
                if not (name.asname or name.name).startswith("__"):
                    yield name.asname or name.name, statement.module


def definitions(package, module):
    stub, source = package / f"{module}.pyi", package / f"{module}.py"
    tree = ast.parse((stub if stub.exists() else source).read_text())
    return {item.name: item for item in tree.body if isinstance(item, (ast.ClassDef, ast.FunctionDef))}


def signature(function):
    head = ast.unparse(ast.FunctionDef(function.name, function.args, [ast.Pass()], [], function.returns, lineno=0))
    text = head.rsplit("\n", 1)[0].removesuffix(":")
    if len(text) <= 100:
        return text
    inside = [f"    {one}," for one in parameters(function.args)]
    end = f") -> {ast.unparse(function.returns)}" if function.returns else ")"
    return "\n".join([f"def {function.name}(", *inside, end])


def parameters(arguments):
    """Each parameter as it is written, with the bare star before those that are given by name."""
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    yield from (parameter(one, default) for one, default in zip(positional, defaults))
    if arguments.vararg:
        yield "*" + ast.unparse(arguments.vararg)
    elif arguments.kwonlyargs:
        yield "*"
    yield from (parameter(one, default) for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults))
    if arguments.kwarg:
        yield "**" + ast.unparse(arguments.kwarg)


def parameter(argument, default):
    return ast.unparse(argument) + (f" = {ast.unparse(default)}" if default else "")


def docstring(item):
    """Paragraphs as Markdown; those that are indented show code, and lines in columns, as a table of attributes, are kept as they stand."""
    lines = []
    for paragraph in filter(None, inspect.cleandoc(ast.get_docstring(item) or "").split("\n\n")):
        if paragraph.startswith("    "):
            lines += fence("python", textwrap.dedent(paragraph).splitlines())
        elif any("  " in line.strip() for line in paragraph.splitlines()):
            lines += fence("", paragraph.splitlines())
        else:
            lines += [linked(paragraph), ""]
    return lines


def is_property(function):
    return any(ast.unparse(one).endswith("property") for one in function.decorator_list)


def class_lines(item):
    bases = ", ".join(ast.unparse(base) for base in item.bases)
    lines = [f"## `{item.name}`", *fence("python", [f"class {item.name}({bases})" if bases else f"class {item.name}"]), *docstring(item)]
    fields = [ast.unparse(one) for one in item.body if isinstance(one, ast.AnnAssign)]
    functions = [one for one in item.body if isinstance(one, ast.FunctionDef) and one.name not in HIDDEN]
    fields += [f"{one.name}: {ast.unparse(one.returns)}" for one in functions
               if is_property(one) and one.returns and not ast.get_docstring(one)]
    if fields:
        lines += fence("python", [text for text in fields if not text.startswith("_")])
    for one in functions:
        if (one.name.startswith("_") and not one.name.startswith("__")) or (is_property(one) and not ast.get_docstring(one)):
            continue
        lines += [f"### `{item.name}.{one.name}`", *fence("python", signature(one).splitlines()), *docstring(one)]
    return lines


def python_page(package):
    tree = ast.parse((package / "__init__.py").read_text())
    lines = ["# Python package `ebb`", "", "Examples of every function: [Python](../docs/python.md).", "", *docstring(tree)]
    names = sorted(exported(package), key=lambda pair: (not pair[0][0].islower(), pair[0].lower()))
    for name, module in names:  # functions first
        item = definitions(package, module)[name]
        if isinstance(item, ast.ClassDef):
            lines += class_lines(item)
        else:
            lines += [f"## `{name}`", *fence("python", signature(item).splitlines()), *docstring(item)]
    return "\n".join([*lines, ""]).replace("_input.", "")  # the module in which the types of arguments are
