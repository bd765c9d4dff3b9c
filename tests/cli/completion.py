#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completions of the command line: completion.py EBB SCRIPTS

The program knows every verb, option and name; bash, zsh and fish, each on a terminal of its own, complete words with the
scripts of the build folder SCRIPTS. A shell that is not installed is left out, and the test says so (Debian: bash-completion,
zsh, fish)."""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

EBB, SCRIPTS = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
ROOT = pathlib.Path(__file__).resolve().parents[2]
BASH_COMPLETION = pathlib.Path("/usr/share/bash-completion/bash_completion")
LIMIT = 20  # seconds for a shell to answer

# What is typed, with TAB where the key is pressed, and the words that the program must get then.
TYPED = [
    ("ebb swe\t--dry\t", "sweep --dry-run"),
    ("ebb plan --policy on-d\t", "plan --policy on-demand"),
    ("ebb plan --switch isca10-chip-i\t", "plan --switch isca10-chip-ideal"),
    ("ebb topo info dragonfly-\tp\t2", "topo info dragonfly-plus p=2"),
    ("ebb traffic show sear\t", "traffic show search"),
    ("ebb validate deadlock --routing minimal-ad\t", "validate deadlock --routing minimal-adaptive"),
    ("ebb sim examples/sim-fbfly\t", "sim examples/sim-fbfly-epoch.yaml"),
    ("ebb sim examples/sim-sleep.yaml --set policy.id\t20us", "sim examples/sim-sleep.yaml --set policy.idle=20us"),
    ("ebb sim examples/sim-sleep.yaml --set traffic.pattern=torn\t", "sim examples/sim-sleep.yaml --set traffic.pattern=tornado"),
    ("ebb plot --log x --li\t", "plot --log x --list"),
]


def fail(what):
    sys.exit(f"FAILED: {what}")


def run(*words):
    return subprocess.run([EBB, *words], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True).stdout


def candidates(*words):
    return {line.split("\t")[0] for line in run("--complete", *words).splitlines()}


def expect(wanted, words):
    missing = set(wanted) - candidates(*words)
    if missing or not wanted:
        fail(f"`ebb {' '.join(words)}` completes {sorted(candidates(*words))}, without {sorted(missing)}")


def verbs_below(verb):
    text = run(verb, "--help")
    return re.findall(r"^  (\w[\w-]*) {3,}", text.split("Subcommands:")[1], re.M) if "Subcommands:" in text else []


def check_program():
    """Every verb and option of --help, and every name that `ebb list` prints."""
    verbs = re.findall(r"^  (\w+) ", run(), re.M)
    expect(verbs, [""])
    for words in [[v] for v in verbs] + [[v, below] for v in verbs for below in verbs_below(v)]:
        expect(re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(*words, "--help"), re.M), [*words, "-"])
    places = {"families": ["topo", "info", ""], "routings": ["validate", "deadlock", "--routing", ""], "policies": ["plan", "--policy", ""],
              "patterns": ["sim", "--set", "traffic.pattern="], "workloads": ["traffic", "show", ""], "injections": ["traffic", "show", ""],
              "sizes": ["sim", "--set", "traffic.injection.sizes="]}
    for listing, words in places.items():
        text = run("list", listing).split("Where they run")[0]
        prefix = words[-1] if words[-1].endswith("=") else ""
        expect([prefix + name for name in re.findall(r"^([a-z][\w-]*)$", text, re.M)], words)
    expect(re.findall(r"^(\S+-\S+) ", run("parts", "list"), re.M)[1:], ["parts", "show", ""])
    expect(["policy.idle=", "topology.ports=", "hardware.packet=", "seed="], ["sim", "examples/sim-sleep.yaml", "--set", ""])
    expect([":files"], ["sim", ""])
    expect([":folders"], ["results", "export", "runs.db", "--csv", ""])


class Shell:
    """A shell on a terminal."""

    def __init__(self, words, variables, folder):
        process, self.terminal = pty.fork()
        if process == 0:
            os.chdir(ROOT)
            os.execvpe(words[0], words, {"HOME": folder, "TERM": "dumb", "LC_ALL": "C.UTF-8", **variables})
        self.seen = ""

    def send(self, text):
        os.write(self.terminal, text.encode())

    def wait_for(self, pattern):
        """What stands there when the pattern does; all that was seen when it does not come."""
        end = time.monotonic() + LIMIT
        while not (found := re.search(pattern, self.seen)):
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            if not ready:
                fail(f"no {pattern} within {LIMIT} s:\n{self.seen}")
            try:
                self.seen += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:
                fail(f"the shell has ended:\n{self.seen}")
        self.seen = self.seen[found.end():]
        return found

    def close(self):
        os.close(self.terminal)


def program_for(folder):
    """An `ebb` that completes as the real one, and otherwise prints the words that it got."""
    path = pathlib.Path(folder) / "bin" / "ebb"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\n[ "$1" = --complete ] && exec {EBB} "$@"\necho "got[$*]"\n')
    path.chmod(0o755)
    return f"{path.parent}:{os.environ['PATH']}"


def bash(folder, path):
    # Words that a person typed after TAB must come after the completion: no history, no start files.
    shell = Shell(["bash", "--norc", "--noprofile", "-i"], {"PATH": path, "PS1": "ready> "}, folder)
    shell.send(f"source {BASH_COMPLETION}; source {SCRIPTS}/ebb.bash; echo set''up\n")
    return shell


def zsh(folder, path):
    functions = pathlib.Path(folder) / "functions"
    functions.mkdir()
    shutil.copy(SCRIPTS / "ebb.zsh", functions / "_ebb")
    (pathlib.Path(folder) / ".zshrc").write_text(f"fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D; PS1='ready> '\n")
    shell = Shell(["zsh", "-o", "no_global_rcs", "-i"], {"PATH": path}, folder)
    shell.send("echo set''up\n")
    return shell


def fish(folder, path):
    completions = pathlib.Path(folder) / ".config" / "fish" / "completions"
    completions.mkdir(parents=True)
    shutil.copy(SCRIPTS / "ebb.fish", completions / "ebb.fish")
    shell = Shell(["fish", "-i"], {"PATH": path, "fish_greeting": ""}, folder)
    shell.send("echo set''up\n")
    return shell


def check_shell(start):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # fish still writes there when it ends
        shell = start(folder, program_for(folder))
        shell.wait_for(r"setup\r?\n")
        for typed, words in TYPED:
            shell.send(typed + "\n")
            got = shell.wait_for(r"got\[(.*?)\]\r?\n")[1].strip()
            if got != words:
                fail(f"{start.__name__}: '{typed}' became '{got}', not '{words}'")
        shell.close()


def main():
    check_program()
    tried, left_out = [], []
    for start in (bash, zsh, fish):
        here = shutil.which(start.__name__) and (start is not bash or BASH_COMPLETION.exists())
        (tried if here else left_out).append(start.__name__)
        if here:
            check_shell(start)
    print(f"the program completes its verbs, options and names; tried in {', '.join(tried) or 'no shell'}")
    if left_out:
        print(f"skipped: {', '.join(left_out)} (Debian: bash-completion, zsh, fish)")


if __name__ == "__main__":
    main()
