#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the rule of direct dependencies promises, on a project of three small libraries: layers.py COMPILER

`lower` is a dependency of `middle`, and `middle` of `upper`. The project builds as it stands. It does not build when
`upper` includes a header of `lower` without listing it, when a library lists what nothing includes, and when a library
of a lower group includes one of an upper group."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOP = """cmake_minimum_required(VERSION 3.25)
project(layers LANGUAGES CXX)
include(GNUInstallDirs)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_SOURCE_DIR}/cmake)
include(EbbCompiler)
include(EbbLibrary)
add_subdirectory(libs/base/lower)
add_subdirectory(libs/network/middle)
add_subdirectory(libs/sim/upper)
"""
FILES = {
    "libs/base/lower/CMakeLists.txt": "ebb_library(lower)\n",
    "libs/base/lower/include/ebb/lower/one.hpp": "#pragma once\ninline int one() { return 1; }\n",
    "libs/base/lower/src/lower.cpp": '#include "ebb/lower/one.hpp"\n',
    "libs/network/middle/CMakeLists.txt": "ebb_library(middle PUBLIC lower)\n",
    "libs/network/middle/include/ebb/middle/two.hpp":
        '#pragma once\n#include "ebb/lower/one.hpp"\ninline int two() { return one() + one(); }\n',
    "libs/network/middle/src/middle.cpp": '#include "ebb/middle/two.hpp"\n',
    "libs/sim/upper/CMakeLists.txt": "ebb_library(upper PRIVATE middle)\n",
    "libs/sim/upper/src/upper.cpp": '#include "ebb/middle/two.hpp"\nint three() { return two() + 1; }\n',
}
UPPER = "libs/sim/upper/src/upper.cpp"
# name, files that differ, what the build says; nothing: it succeeds.
CASES = [
    ("as it stands", {}, None),
    ("an include that is not listed",
     {UPPER: '#include "ebb/lower/one.hpp"\n#include "ebb/middle/two.hpp"\nint three() { return two() + one(); }\n'},
     "upper.cpp:1: error: upper includes lower and does not list it under PRIVATE"),
    ("a dependency that nothing includes",
     {"libs/sim/upper/CMakeLists.txt": "ebb_library(upper PRIVATE middle lower)\n"},
     "upper lists lower under PRIVATE, and nothing in src/ needs that"),
    ("a private dependency that is listed as public",
     {"libs/sim/upper/CMakeLists.txt": "ebb_library(upper PUBLIC middle)\n"},
     "upper lists middle under PUBLIC, and nothing in include/ needs that"),
    ("a group that depends on an upper group",
     {"libs/base/lower/CMakeLists.txt": "ebb_library(lower PRIVATE middle)\n",
      "libs/base/lower/src/lower.cpp": '#include "ebb/middle/two.hpp"\n'},
     "lower is in libs/base, which may not depend on libs/network (middle)"),
    ("an include of the Python module that is not listed",
     {"python/CMakeLists.txt": "ebb_python_module(_ebb PRIVATE middle)\n",
      "python/src/module.cpp": '#include "ebb/lower/one.hpp"\n#include "ebb/middle/two.hpp"\n'},
     "module.cpp:1: error: _ebb includes lower and does not list it under PRIVATE"),
    ("a Python module whose folder live includes what is not listed",
     {"python/CMakeLists.txt": "ebb_python_module(_ebb PRIVATE middle)\n",
      "python/src/module.cpp": '#include "ebb/middle/two.hpp"\n',
      "python/live/control.cpp": '#include "ebb/lower/one.hpp"\n'},
     "control.cpp:1: error: _ebb includes lower and does not list it under LIVE"),
    ("a Python module that depends on the live half",
     {"libs/live/alive/CMakeLists.txt": "ebb_library(alive)\n",
      "python/CMakeLists.txt": "ebb_python_module(_ebb PRIVATE alive)\n",
      "python/src/module.cpp": '#include "ebb/alive/one.hpp"\n'},
     "_ebb is in python, which may not depend on libs/live (alive)"),
]


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def build(root, compiler):
    configure = ["cmake", "-S", str(root), "-B", str(root / "build"), "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
                 "-DEBB_PRECOMPILED_HEADERS=OFF"]
    done = subprocess.run(configure, capture_output=True, text=True)
    if done.returncode:
        return done
    return subprocess.run(["cmake", "--build", str(root / "build")], capture_output=True, text=True)


def main():
    failed = 0
    for name, changes, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            shutil.copytree(ROOT / "cmake", root / "cmake")
            (root / "tools").mkdir()
            shutil.copy(ROOT / "tools/check_layers.py", root / "tools")
            write(root, {"CMakeLists.txt": TOP, **FILES, **changes})
            done = build(root, sys.argv[1])
            said = done.stdout + done.stderr
            right = done.returncode == 0 if expected is None else done.returncode != 0 and expected in said
        print(f"{'passed' if right else 'FAILED'}: {name}")
        if not right:
            failed += 1
            print(said)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
