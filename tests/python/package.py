#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python package as others install and check it: package.py EBB BUILD_FOLDER

The wheel has the same bytes each time, installs into a fresh environment without a network and simulates there. The
stub of the extension module names what the module has. mypy accepts a program with types and refuses one that is wrong;
without mypy that part is left out. Exit code 77 (skipped) without venv or pip."""
import ast
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = "examples/sim-fbfly-epoch.yaml"
SETTINGS = {"schedule.warm_up": "50us", "schedule.measure": "200us"}
PROGRAM = """
import ebb

class Slow(ebb.Policy):
    acts_by = ("set_rate",)

    def decide(self, sample: ebb.Sample) -> ebb.Orders:
        orders = ebb.Orders(sample)
        orders.set_rate_level(0, where=sample.busy_ps * 2 < sample.window_ps)
        return orders

result: ebb.Result = ebb.simulate("sim.yaml", policy=Slow(), overrides={"seed": 2})
power: float = result.metrics["power.relative"]
edges = ebb.topology("fbfly", hosts=4, dims=[4]).edges()
names: list[str] = [one.name for one in ebb.policies()]
"""


def run(*words, **keys):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=250, env=environment, **keys)
    return done.returncode, done.stdout + done.stderr


def wheel_in(folder):
    code, text = run(sys.executable, "-m", "pip", "wheel", "--no-index", "--no-build-isolation", "--no-cache-dir",
                     "--config-settings", f"build-dir={BUILD}", "-w", folder, ROOT)
    assert code == 0, text
    wheels = list(pathlib.Path(folder).glob("ebb-*.whl"))
    assert len(wheels) == 1, wheels
    return wheels[0]


def wheel():
    with tempfile.TemporaryDirectory() as folder:
        one, other = (wheel_in(pathlib.Path(folder) / name) for name in ("one", "other"))
        assert hashlib.sha256(one.read_bytes()).digest() == hashlib.sha256(other.read_bytes()).digest()
        assert f"VERSION {one.name.split('-')[1]} " in (ROOT / "CMakeLists.txt").read_text(), one.name
        code, text = run(sys.executable, "-m", "venv", f"{folder}/venv")
        if code != 0:
            print("skipped: needs python3-venv")
            sys.exit(77)
        python = f"{folder}/venv/bin/python"
        code, text = run(python, "-m", "pip", "install", "--no-index", one)
        assert code == 0, text
        program = f"import ebb, sys; sys.stdout.write(ebb.simulate({EXAMPLE!r}, overrides={SETTINGS!r}).json)"
        options = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]
        assert run(python, "-c", program, cwd=ROOT) == run(EBB, "sim", EXAMPLE, "--json", *options, cwd=ROOT)
        code, text = run(python, "-c", "import ebb; print(ebb.__file__, len(ebb.parts()))", cwd="/")
        assert code == 0 and text.startswith(folder) and int(text.split()[1]) > 10, text


def names_in(body):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id, node


def stub():
    sys.path.insert(0, str(pathlib.Path(BUILD) / "python"))
    from ebb import _ebb
    declared = dict(names_in(ast.parse((ROOT / "python/ebb/_ebb.pyi").read_text()).body))
    if not hasattr(_ebb, "ControllerRun"):  # a build without the live half
        declared = {name: node for name, node in declared.items() if name not in ("ControllerRun", "LivePolicy", "RunOptions")}
    assert set(declared) == {name for name in vars(_ebb) if not name.startswith("_")}
    for name, node in declared.items():
        if isinstance(node, ast.ClassDef):
            members = {member for member, _ in names_in(node.body) if not member.startswith("__")}
            assert members == {member for member in vars(getattr(_ebb, name)) if not member.startswith("_")}, name


def types():
    program = shutil.which("mypy")
    if not program:
        print("without mypy: types are not checked")
        return
    mypy = [program, "--strict", "--config-file", ROOT / "pyproject.toml", "--cache-dir", os.devnull]
    code, text = run(*mypy, ROOT / "python/ebb", *sorted((ROOT / "examples/python").glob("*.py")), cwd=ROOT / "python")
    assert code == 0, text
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.py"
        path.write_text(PROGRAM)
        code, text = run(*mypy, path, cwd=ROOT / "python")
        assert code == 0, text
        path.write_text(PROGRAM + 'wrong: int = result.json\nebb.simulate(3)\nebb.plan(top="many")\n')
        code, text = run(*mypy, path, cwd=ROOT / "python")
        first = len(PROGRAM.splitlines()) + 1
        lines = {int(line) for line in re.findall(r"program\.py:(\d+): error", text)}
        assert code == 1 and lines == {first, first + 1, first + 2}, text


def main():
    for test in (stub, types, wheel):
        test()
    return 0


if __name__ == "__main__":
    EBB, BUILD = sys.argv[1:3]
    if run(sys.executable, "-m", "pip", "--version")[0] != 0:
        print("skipped: needs python3-pip")
        sys.exit(77)
    sys.exit(main())
