"""A run in one file: experiment, problems table, responses, overrides and hashes, without keys; and back again.

Everything later is computed from these, so that the same version of the project makes the same tables elsewhere.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import sqlite3
import tempfile
import zipfile
from pathlib import Path

from geoutils.errors import RunError, UserError
from geoutils.experiment import Experiment, load_experiment, shown
from geoutils.files import write_bytes
from geoutils.paths import work_root

MANIFEST = "manifest.json"
ALLOWED = re.compile(r"experiment\.yaml|problems\.csv|imported\.json|overrides\.csv|responses/[^/\\]+\.sqlite")
LARGEST = 8_000_000_000  # bytes of all files together
MOMENT = (1980, 1, 1, 0, 0, 0)


def export_run(experiment: Experiment | str | Path, out: str | Path) -> tuple[Path, int]:
    """Pack a run into a zip file; returns its path and the number of files in it.

    Raises UserError when there are no responses, and RunError when a file holds the value of an API key.
    """
    loaded = experiment if isinstance(experiment, Experiment) else load_experiment(experiment)
    stores = sorted((loaded.data_dir / "responses").glob("*.sqlite"))
    if loaded.path is None or not stores:
        raise UserError(f"{loaded.name}: there are no responses to pack; run the experiment first")
    contents = {"experiment.yaml": loaded.path.read_bytes()}
    for name in ("problems.csv", "imported.json"):
        if (loaded.data_dir / name).is_file():
            contents[name] = (loaded.data_dir / name).read_bytes()
    if overrides := _overrides(loaded.name):
        contents["overrides.csv"] = overrides
    contents |= {f"responses/{path.name}": _store_bytes(path) for path in stores}
    names = {"OPENROUTER_API_KEY", *(endpoint.api_key_env or "" for endpoint in loaded.endpoints.values())} - {""}
    for key in sorted(names):
        value = os.environ.get(key, "").encode()
        for name, content in contents.items():
            if len(value) >= 8 and value in content:
                raise RunError(f"{name} holds the value of {key}; nothing was packed")
    record = {"name": loaded.name, "files": {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}}
    contents[MANIFEST] = (json.dumps(record, indent=1) + "\n").encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in contents.items():
            file.writestr(zipfile.ZipInfo(name, MOMENT), content, zipfile.ZIP_DEFLATED)
    return write_bytes(Path(out), packed.getvalue()), len(contents) - 1


def _store_bytes(path: Path) -> bytes:
    """A response file as one whole, also while another process writes to it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.sqlite"
        with contextlib.closing(sqlite3.connect(path)) as source, contextlib.closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("pragma journal_mode = delete")
        return copy.read_bytes()


def _overrides(name: str) -> bytes:
    from geoutils.overrides import load_overrides

    table = load_overrides(experiment=name)
    return table.to_csv(index=False, lineterminator="\n").encode() if len(table) else b""


def import_run(path: str | Path) -> tuple[str, Path]:
    """Unpack a run of `export_run` into data/NAME; returns the name and the experiment file to run.

    Raises UserError when the file is not a packed run, a hash does not fit, or data/NAME has responses already.
    """
    from geoutils.overrides import add_override

    contents = _unpacked(Path(path))
    try:
        record = json.loads(contents.pop(MANIFEST))
        name, hashes = str(record["name"]), dict(record["files"])
    except (KeyError, ValueError, TypeError):
        raise UserError(f"{path}: not a packed run ({MANIFEST} cannot be read)") from None
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", name) or set(hashes) != set(contents) or "experiment.yaml" not in contents:
        raise UserError(f"{path}: not a packed run ({MANIFEST} does not fit its files)")
    for item, content in contents.items():
        if hashlib.sha256(content).hexdigest() != hashes[item]:
            raise UserError(f"{path}: {item} is not what was packed; get the file again")
    folder = work_root() / "data" / name
    if any((folder / "responses").glob("*.sqlite")):
        raise UserError(f"{shown(folder)} has responses already; move it away first")
    overrides = contents.pop("overrides.csv", b"")
    for item, content in contents.items():
        write_bytes(folder / item, content)
    experiment = folder / "experiment.yaml"
    if load_experiment(experiment).name != name:
        raise UserError(f"{path}: its experiment is not named {name!r}")
    if overrides:
        import pandas as pd

        for row in pd.read_csv(io.BytesIO(overrides), dtype=str, keep_default_na=False).to_dict("records"):
            add_override(**{str(key): value for key, value in row.items()})
    return name, experiment


def _unpacked(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(path) as file:
            infos = file.infolist()
            if sum(info.file_size for info in infos) > LARGEST:
                raise UserError(f"{path}: larger than {LARGEST:,} bytes when unpacked")
            for info in infos:
                if info.filename != MANIFEST and not ALLOWED.fullmatch(info.filename):
                    raise UserError(f"{path}: holds {info.filename!r:.80}, which is not part of a packed run")
            return {info.filename: file.read(info) for info in infos}
    except (OSError, zipfile.BadZipFile, RuntimeError) as error:
        raise UserError(f"{path}: not a packed run ({error})") from None
