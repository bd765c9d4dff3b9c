#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The notebooks under examples/notebooks run from their first cell to their last, and what they assert holds: notebooks.py, with
the package on PYTHONPATH. Each draws its figures and prints its tables.

Exit code 77 (skipped) without nbconvert, ipykernel, matplotlib, networkx and pandas."""
import sys

import start
from start import ROOT

NOTEBOOKS = {"first-simulation": 1, "own-policy": 0, "plan-a-fabric": 0, "read-a-sweep": 1}  # figures of each
NEEDED = ("ipykernel", "matplotlib", "nbconvert", "networkx", "pandas")


def figures(notebook):
    return sum("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))


def silent_cells(notebook):
    """Cells of code that end with something to show, and show nothing."""
    return [cell.source for cell in notebook.cells
            if cell.cell_type == "code" and not cell.outputs and not cell.source.startswith("import ebb\n\n\nclass")]


def execute(path):
    import nbformat
    from nbconvert.preprocessors import ExecutePreprocessor
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), f"{path.name} is kept without output"
    ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(ROOT)}})
    return notebook


def main():
    start.packages(*NEEDED)
    folder = ROOT / "examples" / "notebooks"
    assert {path.stem for path in folder.glob("*.ipynb")} == set(NOTEBOOKS), "a notebook that no test knows"
    for name, drawn in NOTEBOOKS.items():
        notebook = execute(folder / f"{name}.ipynb")
        assert figures(notebook) == drawn, f"{name}: {figures(notebook)} figures"
        assert not silent_cells(notebook), f"{name}: {silent_cells(notebook)}"
        print(f"{name}: {len(notebook.cells)} cells, {drawn} figures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
