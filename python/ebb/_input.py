# SPDX-License-Identifier: Apache-2.0
"""What the functions of the package take: files or dicts, settings, part files."""
from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Iterable, List, Mapping, Optional, Union

from . import _ebb

Path = Union[str, "os.PathLike[str]"]
Config = Union[Path, Mapping[str, Any]]
Overrides = Union[Mapping[str, Any], Iterable[str]]


def _plain(value: Any) -> Any:
    """Numbers of numpy as those of Python."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{value!r} is neither a text, a number, a list nor a dict")


def to_json(value: Any) -> str:
    """A value on one line. JSON is YAML, too, which the readers of ebb take."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)


def document(config: Config) -> _ebb.Document:
    """A path names a file. A dict has the keys of the file; its schema_version may be left out."""
    if isinstance(config, Mapping):
        return _ebb.Document("", to_json({"schema_version": 1, **config}))
    return _ebb.Document(os.fspath(config), "")


def settings(overrides: Optional[Overrides]) -> List[str]:
    """As `--set` of the command line takes them: "policy.target=75%". Texts of a dict are taken as they are, so that
    "{name: epoch, target: 50%}" is a value, too."""
    if overrides is None:
        return []
    if isinstance(overrides, str):
        raise TypeError("overrides are a dict, or a list of texts as 'policy.target=75%'")
    if not isinstance(overrides, Mapping):
        return list(overrides)
    return [f"{key}={value if isinstance(value, str) else to_json(value)}" for key, value in overrides.items()]


def paths(files: Iterable[Path]) -> List[str]:
    return [os.fspath(file) for file in files]


def data_folder() -> str:
    """Where the shipped parts are: $EBB_DATA, else in the package, else where ebb was installed, else its sources."""
    chosen = os.environ.get("EBB_DATA")
    if chosen:
        return chosen
    for folder in (pathlib.Path(__file__).parent / "data", pathlib.Path(_ebb.INSTALLED_DATA)):
        if (folder / "parts").is_dir():
            return str(folder)
    return _ebb.SOURCE_DATA
