# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel of the package ebb (PEP 517): CMake makes the extension module, and what it installs is packed.

Only Python's own library is used, so that a machine without a network can build. The folder `build/wheel-<tag>` is kept
and makes the next build short; `--config-settings build-dir=FOLDER` names another, which may be a configured one."""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Without what a library does not need: switches, tests, the page of reports, processes of MPI.
OPTIONS = {"CMAKE_BUILD_TYPE": "Release", "CMAKE_UNITY_BUILD": "ON", "EBB_LIVE": "OFF", "EBB_BUILD_TESTS": "OFF",
           "EBB_BUILD_BENCH": "OFF", "EBB_REPORT": "OFF", "EBB_MPI": "OFF", "EBB_WERROR": "OFF", "EBB_PYTHON": "ON", "EBB_SOURCE_DATA": "OFF"}
FIRST_TIME = (1980, 1, 1, 0, 0, 0)  # that a zip file knows: equal files make equal wheels


def project():
    """What pyproject.toml says, with the version that CMakeLists.txt has for everything."""
    version = re.search(r"project\(ebb VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    return {**tomllib.loads((ROOT / "pyproject.toml").read_text())["project"], "version": version}


def tag():
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{version}-{version}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def metadata():
    about = project()
    lines = ["Metadata-Version: 2.1", f"Name: {about['name']}", f"Version: {about['version']}",
             f"Summary: {about['description']}", f"License: {about['license']['text']}",
             f"Requires-Python: {about['requires-python']}"]
    for extra, packages in about["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f"Requires-Dist: {one} ; extra == '{extra}'" for one in packages)]
    readme = (ROOT / about["readme"]).read_text()
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def wheel_text():
    return f"Wheel-Version: 1.0\nGenerator: ebb\nRoot-Is-Purelib: false\nTag: {tag()}\n"


def run(*words):
    subprocess.run([str(word) for word in words], check=True, stdout=sys.stderr)


def installed_package(build, prefix):
    """The folder `ebb` as CMake installs it."""
    if not (build / "CMakeCache.txt").exists():
        options = {**OPTIONS, "Python_EXECUTABLE": sys.executable}
        run("cmake", "-S", ROOT, "-B", build, "-G", "Ninja", *(f"-D{key}={value}" for key, value in options.items()))
    run("cmake", "--build", build, "--target", "_ebb")
    run("cmake", "--install", build, "--component", "python", "--prefix", prefix, "--strip")
    return next(pathlib.Path(prefix).rglob("ebb/__init__.py")).parent


class Wheel:
    def __init__(self, path):
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._record = []

    def add(self, name, data):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(data)}")
        self._write(name, data)

    def close(self, info):
        self._write(f"{info}/RECORD", "\n".join([*self._record, f"{info}/RECORD,,", ""]).encode())
        self._zip.close()

    def _write(self, name, data):
        entry = zipfile.ZipInfo(name, FIRST_TIME)
        entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
        self._zip.writestr(entry, data)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    about = project()
    build = pathlib.Path((config_settings or {}).get("build-dir", ROOT / f"build/wheel-{tag()}"))
    name = f"{about['name']}-{about['version']}"
    file = f"{name}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as prefix:
        package = installed_package(build, prefix)
        wheel = Wheel(pathlib.Path(wheel_directory) / file)
        for path in sorted(path for path in package.rglob("*") if path.is_file()):
            wheel.add(str(path.relative_to(package.parent)), path.read_bytes())
    info = f"{name}.dist-info"
    wheel.add(f"{info}/METADATA", metadata().encode())
    wheel.add(f"{info}/WHEEL", wheel_text().encode())
    wheel.add(f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())
    wheel.close(info)
    return file


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Lets pip know the wheel before it is built."""
    about = project()
    info = f"{about['name']}-{about['version']}.dist-info"
    folder = pathlib.Path(metadata_directory) / info
    folder.mkdir()
    (folder / "METADATA").write_text(metadata())
    (folder / "WHEEL").write_text(wheel_text())
    return info


def build_sdist(sdist_directory, config_settings=None):
    """The files that git knows."""
    about = project()
    name = f"{about['name']}-{about['version']}"
    files = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file in sorted(filter(None, files)):
            archive.add(ROOT / file, f"{name}/{file}", recursive=False)
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as about_file:
            about_file.write(metadata())
            about_file.flush()
            os.chmod(about_file.name, 0o644)
            archive.add(about_file.name, f"{name}/PKG-INFO")
    return f"{name}.tar.gz"
