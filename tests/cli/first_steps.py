#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a person sees who types `ebb` for the first time: first_steps.py EBB

Every example that `ebb` alone prints runs as it stands, in the order of the page. No help has the parser's own notation.
Colours are there on a terminal and nowhere else, and not with NO_COLOR."""
import os
import pathlib
import pty
import re
import select
import shlex
import subprocess
import sys
import tempfile

EBB = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
ESCAPE = "\x1b["
END = b"\0"


def expect(true, what):
    if not true:
        sys.exit(f"FAILED: {what}")


def run(*words, cwd=ROOT):
    return subprocess.run([EBB, *words], cwd=cwd, capture_output=True, text=True, timeout=250)


def on_a_terminal(*words, **environment):
    """All that the program writes to a terminal, and its exit code. A terminal that its last program closes may drop what
    nobody has read yet, so this end stays open until a byte has come through that is written after the program ended."""
    variables = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"} | environment
    ours, theirs = pty.openpty()
    printed = b""
    with subprocess.Popen([EBB, *words], cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs, env=variables) as process:
        while process.poll() is None:
            while select.select([ours], [], [], 0.01)[0]:
                printed += os.read(ours, 65536)
    os.write(theirs, END)
    while not printed.endswith(END):
        printed += os.read(ours, 65536)
    os.close(theirs)
    os.close(ours)
    return printed.removesuffix(END).decode(), process.returncode


def examples():
    alone = run()
    expect(alone.returncode == 0, "`ebb` alone is a question, not a mistake")
    commands = re.findall(r"^ {8,}(ebb .*)$", alone.stdout, re.M)
    verbs = re.findall(r"^  (\w+) ", alone.stdout, re.M)
    expect(len(verbs) > 10 and [shlex.split(c)[1] for c in commands] == verbs, "each verb has one example")
    listed = re.findall(r"^  (\w+) ", run("--help").stdout.split("Options:")[1], re.M)
    expect(sorted(listed) == sorted(verbs), "`ebb` and `ebb --help` have the same verbs")
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "examples", pathlib.Path(folder) / "examples")
        for command in commands:
            done = run(*shlex.split(command)[1:], cwd=folder)
            drawn_elsewhere = "gnuplot is not installed" in done.stderr or "was built without the page" in done.stderr
            expect(done.returncode == 0 or drawn_elsewhere, f"{command}\n{done.stdout}{done.stderr}")


def second_verbs(verb):
    help_text = run(verb, "--help").stdout
    return re.findall(r"^  (\w[\w-]*) {3,}", help_text.split("Subcommands:")[1], re.M) if "Subcommands:" in help_text else []


def helps():
    verbs = re.findall(r"^  (\w+) ", run().stdout, re.M)
    for words in [[]] + [[v] for v in verbs] + [[v, s] for v in verbs for s in second_verbs(v)]:
        text = run(*words, "--help").stdout
        expect("Usage: ebb" in text, f"help of {words}")
        for notation in ("ENUM", "INT:", "->", " in {", " in [", str(EBB)):
            expect(notation not in text, f"'{notation}' in the help of {words}:\n{text}")


def colours():
    for words in ([], ["--help"], ["list", "policies"], ["parts", "list"], ["sim", "no-such-file.yaml"], ["nonsense"]):
        coloured, code = on_a_terminal(*words)
        plain = run(*words)
        expect(ESCAPE in coloured, f"colours on a terminal: {words}")
        expect(code == plain.returncode, f"the same exit code: {words}")
        expect(ESCAPE not in plain.stdout + plain.stderr, f"no colours in a pipe: {words}")
        without, _ = on_a_terminal(*words, NO_COLOR="1")
        expect(ESCAPE not in without, f"NO_COLOR: {words}")
        expect(ESCAPE not in on_a_terminal(*words, TERM="dumb")[0], f"a terminal without colours: {words}")
        bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
        expect(bare == without, f"nothing but colours differs: {words}\n{bare!r}\n{without!r}")


if __name__ == "__main__":
    examples()
    helps()
    colours()
    print("examples run, helps are in words, colours on terminals only")
