#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tools/release checks, prepares and writes: release.py EBB

The version is the same everywhere, and a place that differs is found. Fragments of the changelog come into its section,
and malformed ones are refused. The bill of materials has what SPDX requires, and what lacks it is found. Packages are
not built. Exit code 77 (skipped) without dpkg, which knows the sources of Debian's packages."""
import copy
import importlib.machinery
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "python/build_backend")]
import cmake_backend
import release_notes
import sbom

LOADER = importlib.machinery.SourceFileLoader("release", str(ROOT / "tools/release"))
release = importlib.util.module_from_spec(importlib.util.spec_from_loader("release", LOADER))
LOADER.exec_module(release)
FRAGMENT = "### For operators\n- Fans are quieter.\n  By night.\n\n### For developers\n- A fragment.\n"


def copied(folder):
    """A source folder with only what a release looks at."""
    root = pathlib.Path(folder) / "source"
    for name in (release.DECIDES[0], *(name for name, _ in release.REPEATED), "CHANGELOG.md", "changes/README.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    return root


def one_version(ebb):
    now = release.version(ROOT)
    assert not list(release.problems(ROOT)), list(release.problems(ROOT))
    assert subprocess.check_output([ebb, "--version"], text=True).split()[1] == now
    assert cmake_backend.project()["version"] == now
    for name, _ in release.REPEATED:
        with tempfile.TemporaryDirectory() as folder:
            root = copied(folder)
            (root / name).write_text((root / name).read_text().replace(now, "98.7.6"))
            found = list(release.problems(root))
            assert found and all(line.startswith(name) and "98.7.6" in line for line in found), (name, found)


def malformed_fragments():
    cases = {"Text.\n### For operators\n- x\n": "text before the first heading", "- x\n": "no heading",
             "### For operator\n- x\n": "did you mean 'For operators'?", "### For operators\n\n### For planners\n- x\n": "nothing below",
             "### For operators\nx\n": "not with an item", "### For operators\n- x\ny\n": "'y' is neither an item"}
    for text, wanted in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "one.md"
            path.write_text(text)
            found = list(release_notes.fragment_problems(path))
            assert any(wanted in line for line in found), (text, found)
            path.write_text(FRAGMENT)
            assert not list(release_notes.fragment_problems(path))


def prepared():
    with tempfile.TemporaryDirectory() as folder:
        root = copied(folder)
        before = (root / "CHANGELOG.md").read_text()
        (root / "changes/fans.md").write_text(FRAGMENT)
        assert release.prepare(root, "0.0.1") == 2 and release.prepare(root, "one") == 2
        assert release.prepare(root, "99.0.0") == 0
        after = (root / "CHANGELOG.md").read_text()
        section = re.search(r"^## Unreleased\n\n## 99\.0\.0 \(\d{4}-\d\d-\d\d\)\n(.*?)^## ", after, re.M | re.S)[1]
        operators = release_notes.sections(section)["For operators"]
        assert operators.endswith("\n- Fans are quieter.\n  By night."), operators[-200:]
        lost = {line for line in before.splitlines() if line} - set(after.splitlines())
        assert not lost, lost
        assert not release_notes.fragments(root) and (root / "changes/README.md").exists()
        assert release_notes.newest(root).startswith("## 99.0.0 (")
        shown = subprocess.check_output(["dpkg-parsechangelog", "-l", root / "debian/changelog", "-S", "Version"], text=True)
        assert shown == "99.0.0\n", shown


def installed(*names):
    shown = subprocess.check_output(["dpkg-query", "-W", "-f", " ${Package} (= ${Version}),\n", *names], text=True)
    return f"Format: 1.0\nInstalled-Build-Depends:\n{shown}\n"


def bill_of_materials():
    lock = (ROOT / "web/report/package-lock.json").read_text()
    bill = sbom.bill("0.1.0", "Tue, 17 Nov 2026 13:00:00 +0100", installed("dpkg", "libc6"), lock)
    assert not list(sbom.problems(bill)), list(sbom.problems(bill))
    assert bill == sbom.bill("0.1.0", "Tue, 17 Nov 2026 13:00:00 +0100", installed("dpkg", "libc6"), lock)
    assert bill["creationInfo"]["created"] == "2026-11-17T12:00:00Z"
    names = {(one["SPDXID"].split("-")[1], one["name"]) for one in bill["packages"]}
    assert {("Package", "ebb"), ("Debian", "glibc"), ("npm", "@observablehq/plot"), ("npm", "esbuild")} <= names, names
    contained = {one["relatedSpdxElement"] for one in bill["relationships"] if one["relationshipType"] == "CONTAINS"}
    assert any("plot" in one for one in contained) and not any("esbuild" in one for one in contained), contained
    for kind, fields in sbom.REQUIRED.items():
        for field in fields:
            broken = copy.deepcopy(bill)
            del {"document": broken, "creationInfo": broken["creationInfo"], "package": broken["packages"][-1],
                 "relationship": broken["relationships"][-1]}[kind][field]
            assert list(sbom.problems(broken)), (kind, field)
    assert list(sbom.problems({**bill, "packages": bill["packages"] * 2})) and list(sbom.problems({**bill, "packages": bill["packages"][1:]}))
    try:
        sbom.source_packages("Installed-Build-Depends: libc6 (= 0)\n")
        raise AssertionError("a version that is not installed has no source")
    except SystemExit as refused:
        assert "libc6 0" in str(refused), refused


def checksums():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("one", "two"):
            (pathlib.Path(folder) / name).write_text(name)
        assert release.make_checksums(pathlib.Path(folder)) == 2
        check = ["sha256sum", "--quiet", "-c", "SHA256SUMS"]
        assert subprocess.run(check, cwd=folder).returncode == 0
        (pathlib.Path(folder) / "two").write_text("three")
        assert subprocess.run(check, cwd=folder, capture_output=True).returncode == 1


def main():
    if not shutil.which("dpkg-query") or not shutil.which("dpkg-parsechangelog"):
        print("skipped: needs dpkg and dpkg-dev")
        return 77
    one_version(sys.argv[1])
    for test in (malformed_fragments, prepared, bill_of_materials, checksums):
        test()
    return 0


if __name__ == "__main__":
    sys.exit(main())
