# SPDX-License-Identifier: Apache-2.0
"""Reference pages of the C++ libraries: Doxygen reads the public headers, and each library becomes a page.

Comments of the headers are plain, so Doxygen is given copies in which a comment before a declaration, or behind it, is marked as its
description. The comment at the head of a file describes the file and is taken as it stands."""
import re
import subprocess
import tempfile
import textwrap
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from text import fence, linked

SETTINGS = """
QUIET=YES
WARNINGS=NO
GENERATE_HTML=NO
GENERATE_LATEX=NO
GENERATE_XML=YES
XML_PROGRAMLISTING=NO
EXTRACT_ALL=YES
RECURSIVE=YES
FILE_PATTERNS=*.hpp
SORT_MEMBER_DOCS=NO
ENABLE_PREPROCESSING=YES
MACRO_EXPANSION=NO
HAVE_DOT=NO
"""


def libraries(root):
    """Folders of libraries: libs/network/policy, and libs/live/drivers/snmp beside libs/live/drivers."""
    return sorted({path.parent for path in root.glob("libs/**/include") if any(path.rglob("*.hpp"))})


def marked(text):
    """A header with its comments marked for Doxygen. A comment that an empty line follows belongs to no declaration."""
    lines = text[text.index("#pragma once"):].splitlines()
    for at in range(len(lines) - 1, -1, -1):
        line, after = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
        if re.match(r"\s*//", line):
            belongs = "NOLINT" not in line and (after.strip().startswith("///") or (after.strip() and not after.strip().startswith("//")))
            code = re.match(r"\s*//   ", line)  # Doxygen takes lines for code that are indented by four
            lines[at] = re.sub(r"//", "///  " if code else "///", line, count=1) if belongs else ""
        elif "NOLINT" not in line and not re.match(r"\s*[}#]", line):
            lines[at] = re.sub(r"(?<=\S)\s+// ", " ///< ", line, count=1)
    return "\n".join(lines) + "\n"


def head_comment(text):
    """The comment above #pragma once as Markdown. Lines that are indented show code."""
    lines, code = [], []
    for line in [re.sub(r"^// ?", "", line) for line in text[:text.index("#pragma once")].splitlines()[1:]] + ["."]:
        if line.startswith("  ") or (code and not line.strip()):
            code.append(line)
            continue
        if code:
            lines += fence("cpp", textwrap.dedent("\n".join(code)).rstrip().splitlines())
            code = []
        lines.append(linked(line))
    return lines[:-1]


def doxygen(root):
    """All compounds that Doxygen finds, as XML."""
    with tempfile.TemporaryDirectory() as folder:
        for library in libraries(root):
            for header in (library / "include").rglob("*.hpp"):
                copy = Path(folder) / "in" / header.relative_to(root)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(marked(header.read_text()))
        settings = f"{SETTINGS}\nINPUT={folder}/in\nSTRIP_FROM_PATH={folder}/in\nOUTPUT_DIRECTORY={folder}\n"
        subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)
        return [ElementTree.parse(path).getroot()[0] for path in sorted(Path(folder).glob("xml/*.xml"))
                if path.name.startswith(("class", "struct", "namespace"))]


def flat(element):
    return re.sub(r"\s+", " ", "".join(element.itertext())).strip() if element is not None else ""


def description(item):
    """What the comment says, as Markdown."""
    paragraphs = []
    for part in ("briefdescription", "detaileddescription"):
        for paragraph in item.findall(f"{part}/para"):
            text = ""
            for one in pieces(paragraph):
                if one.tag in ("verbatim", "preformatted"):
                    paragraphs += [linked(re.sub(r"\s+", " ", text).strip()), *fence("cpp", textwrap.dedent("".join(one.itertext())).strip("\n").splitlines())]
                    text = ""
                else:
                    text += f"`{flat(one)}`" if one.tag == "computeroutput" else "".join(one.itertext())
            if text.strip():
                paragraphs += [linked(re.sub(r"\s+", " ", text).strip()), ""]
    return paragraphs


def pieces(paragraph):
    """The text of a paragraph and its elements in their order; text is wrapped as an element."""
    def wrap(text):
        one = ElementTree.Element("text")
        one.text = text or ""
        return one
    yield wrap(paragraph.text)
    for child in paragraph:
        yield child
        yield wrap(child.tail)


def template(item):
    parameters = item.findall("templateparamlist/param")
    if not parameters:
        return ""
    return "template <" + ", ".join(f"{flat(one.find('type'))} {flat(one.find('declname'))}".strip() for one in parameters) + "> "


def tidy(text):
    """A type or parameters, with spaces as clang-format puts them."""
    text = text.replace("[[nodiscard]] ", "").replace("< ", "<").replace(" >", ">")
    return re.sub(r"\s*([&*])\s*(?=\w)", r"\1 ", text)


def declaration(item):
    """A member as it is declared."""
    kind, name = item.get("kind"), flat(item.find("name"))
    if kind == "enum":
        strong = "enum class" if item.get("strong") == "yes" else "enum"
        return [f"{strong} {name} {{", *(enum_value(one) for one in item.findall("enumvalue")), "};"]
    if kind == "typedef":
        return [f"{template(item)}using {name} = {tidy(flat(item.find('type'))).removeprefix('typedef ')};"]
    words = [template(item), "static " if item.get("static") == "yes" else "", "virtual " if item.get("virt") in ("virtual", "pure-virtual") else "",
             "explicit " if item.get("explicit") == "yes" else "", tidy(flat(item.find("type"))), " "]
    text = re.sub(r" +", " ", "".join(words)).lstrip()
    end = tidy(flat(item.find("argsstring"))) if kind == "function" else " " + flat(item.find("initializer"))
    return wrapped(f"{text}{name}{end}".rstrip() + ";")


def wrapped(text):
    """Long declarations have a line for each parameter."""
    if len(text) <= 100 or "(" not in text:
        return [text]
    begin, rest = text.split("(", 1)
    inside, end = rest.rsplit(")", 1)
    return [f"{begin}(", *(f"    {one}" for one in re.split(r"(?<=,) (?![^<]*>)", inside)), f"){end}"]


def remark(item):
    """What the comment says, as it stands in a line of code."""
    text = flat(item.find("briefdescription")) + flat(item.find("detaileddescription"))
    return f"  // {text}" if text else ""


def enum_value(item):
    return f"  {flat(item.find('name'))},{remark(item)}"


def members(compound, header=None):
    """Public members of a class, or what a namespace has in a header. Those without a comment stand together."""
    lines, together = [], []
    for section in compound.findall("sectiondef"):
        for item in section.findall("memberdef"):
            if item.get("prot") == "private" or (header and item.find("location").get("file") != header):
                continue
            if item.get("kind") == "friend" or flat(item.find("name")).startswith("~") or re.search(r"=\s*(delete|default)$", flat(item.find("argsstring"))):
                continue
            said = description(item)
            if said and item.get("kind") == "variable" and len(remark(item)) < 80:
                together += [declaration(item)[-1] + remark(item)]
            elif said:
                lines += (fence("cpp", together) if together else [])
                lines += [*fence("cpp", declaration(item)), *said]
                together = []
            else:
                together += declaration(item)
    return lines + (fence("cpp", together) if together else [])


def class_lines(compound):
    name = flat(compound.find("compoundname"))
    bases = ", ".join(flat(base) for base in compound.findall("basecompoundref"))
    head = f"{template(compound)}{compound.get('kind')} {name}" + (f" : {bases}" if bases else "")
    return [f"### `{name.split('::', 2)[-1]}`", *fence("cpp", [head]), *description(compound), *members(compound)]


def header_lines(root, header, compounds):
    path = str(header.relative_to(root))
    name = path.split("include/", 1)[1]
    lines = [f"## `{name}`", "", *head_comment(header.read_text()), ""]
    for compound in compounds:
        if compound.get("kind") == "namespace":
            lines += members(compound, path)
        elif compound.find("location").get("file") == path and compound.get("prot") != "private":
            lines += class_lines(compound)
    return lines


def library_pages(root):
    """A page for each library, by its name."""
    compounds = doxygen(root)
    for library in libraries(root):
        name = str(library.relative_to(root / "libs")).split("/", 1)[1].replace("/", "-")
        readme = library / "README.md"
        lines = [f"# Library `{name}`", ""]
        if readme.exists():
            lines += [f"What it is for, its invariant and its tests: [README](../{readme.relative_to(root)}).", ""]
        for header in sorted((library / "include").rglob("*.hpp")):
            lines += header_lines(root, header, compounds)
        yield str(library.relative_to(root / "libs")).split("/")[0], name, "\n".join([*lines, ""])
