"""Which notebooks there are, what each needs first, and which of them would only repeat themselves."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sqlite3
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from geoutils.errors import UserError
from geoutils.experiment import Experiment, project_root, shown

NEEDS = {
    "dataset": (),
    "inference": ("dataset",),
    "parsing": ("inference",),
    "scoring": ("parsing",),
    "plots": ("tabulation", "flips"),
    "judge": ("inference",),  # one after the other, so that both keep to the experiment's budget
}
OTHERS_NEED = ("scoring",)  # what a notebook needs of which nothing else is known
READS = {
    "dataset": (),
    "parsing": ("problems.csv", "responses"),
    "scoring": ("problems.csv", "parsed", "../overrides.csv"),
    "concepts": ("problems.csv", "responses", "scores", "concepts/solutions.csv"),
}
NOT_HASHED = (".lock", ".tmp", ".sqlite-shm", ".sqlite-wal")
OTHERS_READ = ("problems.csv", "responses", "scores")


@dataclass(frozen=True)
class Stage:
    """One notebook, named by its noun: notebooks/05_tabulation.ipynb is the stage `tabulation`."""

    name: str
    notebook: Path
    needs: tuple[str, ...]

    @property
    def stem(self) -> str:
        """The notebook's file name without its ending."""
        return self.notebook.stem


def find_stages(folder: Path | None = None) -> list[Stage]:
    """All stages in order: each NN_noun.ipynb of the notebooks folder; the overview comes last."""
    folder = folder or project_root() / "notebooks"
    found = []
    for path in sorted(folder.glob("*.ipynb")):
        match = re.fullmatch(r"\d\d_([a-z][a-z0-9_]*)", path.stem)
        if match:
            found.append((match[1], path))
    names = [name for name, _ in found]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"{shown(folder)}: two notebooks are named {name!r}; rename one")
    stages = [
        Stage(name, path, tuple(need for need in _all_needs(name, names) if need in names)) for name, path in found
    ]
    if not stages:
        raise UserError(f"{shown(folder)}: no notebook named like 01_dataset.ipynb")
    return sorted(stages, key=lambda stage: (stage.name == "overview", stage.stem))


def _all_needs(name: str, names: Iterable[str]) -> list[str]:
    """What a stage needs, directly or not, also where a stage between is not there."""
    if name == "overview":
        return [other for other in names if other != name]
    direct = NEEDS.get(name, OTHERS_NEED)
    return list(dict.fromkeys([need for first in direct for need in (first, *_all_needs(first, names))]))


def chosen(stages: list[Stage], only: Iterable[str]) -> list[Stage]:
    """The stages named in `only` (a noun or a notebook's name), all when it is empty."""
    wanted = list(only)
    known = {key: stage for stage in stages for key in (stage.name, stage.stem)}
    for name in wanted:
        if name not in known:
            raise UserError(f"unknown stage {name!r}; known are {', '.join(stage.name for stage in stages)}")
    names = {known[name].name for name in wanted}
    return [stage for stage in stages if stage.name in names] if wanted else stages


def check_parameters(stage: Stage, given: Mapping[str, Any]) -> None:
    """Refuse a notebook without exactly one cell tagged `parameters`, or without one of those given."""
    import nbformat
    from papermill import inspect_notebook

    try:
        cells = nbformat.read(stage.notebook, as_version=4).cells
    except (OSError, ValueError, nbformat.reader.NotJSONError, nbformat.ValidationError) as error:
        raise UserError(f"{shown(stage.notebook)}: not a readable notebook: {str(error)[:200]}") from None
    tagged = sum("parameters" in cell.metadata.get("tags", []) for cell in cells)
    if tagged != 1:
        raise UserError(f"{shown(stage.notebook)}: {tagged} cells are tagged `parameters`, exactly one must be")
    known = inspect_notebook(str(stage.notebook))
    for name in given:
        if name not in known:
            raise UserError(f"{shown(stage.notebook)}: no parameter {name!r}; it has {', '.join(known) or 'none'}")


def hash_files(paths: Iterable[Path]) -> str:
    """One hash of the names and contents of files, and of all files below folders."""
    digest = hashlib.sha256()
    for path in paths:
        inside = sorted(item for item in path.rglob("*") if item.is_file()) if path.is_dir() else [path]
        for item in inside:
            if item.is_file() and "__pycache__" not in item.parts and item.suffix not in NOT_HASHED:
                name = item.relative_to(path.parent).as_posix()
                digest.update(f"{name} {_hash_file(item)}\n".encode())
    return digest.hexdigest()


_known: dict[tuple[Path, tuple[int, ...]], str] = {}


def _hash_file(path: Path) -> str:
    """A hash of a file, remembered by size and time of change, since many stages of a run read the same files.

    A file that changed within the last two seconds is not remembered: it may change again within one tick of the clock.
    """
    states = [item.stat() for item in (path, path.with_name(f"{path.name}-wal")) if item.is_file()]
    key = (path, tuple(number for state in states for number in (state.st_size, state.st_mtime_ns)))
    if key not in _known:
        found = _content_hash(path)
        if all(time.time() - state.st_mtime > 2 for state in states):
            _known[key] = found
        return found
    return _known[key]


def _content_hash(path: Path) -> str:
    """A hash of a file's content; of a response store, of its attempts, since opening it changes its bytes."""
    if path.suffix == ".sqlite":
        digest = hashlib.sha256()
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as store:
            for row in store.execute("select id, cell, outcome, response_sha256 from attempts order by id"):
                digest.update(repr(row).encode())
            return digest.hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint(stage: Stage, experiment: Experiment, given: Mapping[str, Any], code: str) -> str:
    """A hash of all that a stage's result depends on; "" for a stage that must always run."""
    if stage.name in ("inference", "overview"):
        return ""
    reads = [experiment.data_dir / name for name in READS.get(stage.name, OTHERS_READ)]
    if stage.name == "dataset":
        reads = [experiment.source]
    given = dict(given)
    if stage.name == "judge":
        from geoutils.judge import fingerprint as judge_fingerprint

        reads = [project_root() / "data" / name for name in ("prompts", "problems")]
        given["judge"] = judge_fingerprint(experiment, given)
    parts = [code, experiment.sha256, hash_files([stage.notebook, *reads]), json.dumps(dict(given), sort_keys=True)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def code_hash() -> str:
    """A hash of the library and of the locked versions."""
    package = Path(__file__).parent
    return hash_files([package, project_root() / "requirements.lock"])
