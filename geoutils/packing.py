"""A run in one file: experiment, problems, answers of models and judges, overrides and hashes, without keys; and back.

Packed is what cannot be made again: the stores of responses, verdicts, concepts and embeddings, what was imported, the
problem files, the solutions to be judged and the human overrides. Everything later is computed from these, so that the same version of the project
makes the same tables elsewhere. Files go through the disk, not through memory.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from geoutils.errors import RunError, UserError
from geoutils.experiment import Experiment, load_experiment, shown
from geoutils.files import write_bytes, write_text
from geoutils.merge import is_merged_shard, merge_pending
from geoutils.paths import project_root, work_root

MANIFEST = "manifest.json"
EXPERIMENT = "experiment.yaml"
OVERRIDES = "overrides.csv"
PROBLEMS = "packed-problems"  # the problem files; used where those of the project are not the same
PROMPTS = "packed-prompts"  # to tell whether those of the project are the same
STORES = (".sqlite", ".db")
JUDGED = "packed-judge"  # the manifest of solutions to judge, with its images and videos
MEDIA = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".mp4", ".webm", ".mov", ".mkv", ".avi")
KINDS = (".csv", ".json", ".sqlite", ".db", ".txt", ".yaml", ".yml", ".jsonl", ".ndjson", ".py", *MEDIA)
ALLOWED = re.compile(
    rf"(?:[A-Za-z0-9][\w.~+=@-]*/){{0,3}}[A-Za-z0-9][\w.~+=@-]*(?:{'|'.join(map(re.escape, KINDS))})", re.ASCII
)
MADE = (
    "failed",
    "parsed",
    "scores",
    "cluster",
    EXPERIMENT,
    OVERRIDES,
    MANIFEST,
    "runs.jsonl",
    PROBLEMS,
    PROMPTS,
    JUDGED,
)
LARGEST = 64_000_000_000  # bytes of all files together
MOMENT = (1980, 1, 1, 0, 0, 0)
PIECE = 1 << 20


def export_run(experiment: Experiment | str | Path, out: str | Path) -> tuple[Path, int]:
    """Pack a run into a zip file; returns its path and the number of files in it.

    Raises UserError when there is nothing to pack, and RunError when a file holds the value of an API key.
    """
    loaded = experiment if isinstance(experiment, Experiment) else load_experiment(experiment)
    if loaded.path is None or not _has_results(loaded):
        raise UserError(f"{loaded.name}: there are no responses to pack; run the experiment first")
    target = Path(out)
    merge_pending(loaded)
    hashes: dict[str, str] = {}
    keys = _keys(loaded)
    with tempfile.TemporaryDirectory() as folder:
        packed = Path(folder) / "run.zip"
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
            for name, path in _contents(loaded, Path(folder)):
                hashes[name] = _add(file, name, path, keys)
            record = {"name": loaded.name, "files": hashes}
            file.writestr(zipfile.ZipInfo(MANIFEST, MOMENT), json.dumps(record, indent=1) + "\n", zipfile.ZIP_DEFLATED)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            half = target.with_name(f".{target.name}.tmp")
            shutil.copyfile(packed, half)
            os.replace(half, target)
        except OSError as error:
            raise RunError(f"{target}: cannot be written: {error.strerror or error}") from None
    return target, len(hashes)


def _has_results(experiment: Experiment) -> bool:
    stores = any((experiment.data_dir / "responses").rglob("*.sqlite"))
    return stores or (bool(experiment.imported) and (experiment.data_dir / "problems.csv").is_file())


def _keys(experiment: Experiment) -> dict[str, bytes]:
    names = {"OPENROUTER_API_KEY", *(endpoint.api_key_env or "" for endpoint in experiment.endpoints.values())} - {""}
    values = {name: os.environ.get(name, "").encode() for name in sorted(names)}
    return {name: value for name, value in values.items() if len(value) >= 8}


def _contents(experiment: Experiment, folder: Path) -> Iterator[tuple[str, Path]]:
    """Name in the packed run and path of each file; `folder` takes copies."""
    assert experiment.path is not None
    yield EXPERIMENT, experiment.path
    data = experiment.data_dir
    made = set(MADE) - ({"parsed", "scores"} if experiment.imported else set())
    for path in sorted(data.rglob("*")):
        name = path.relative_to(data).as_posix()
        if path.is_file() and name.split("/")[0] not in made and path.suffix in KINDS and ALLOWED.fullmatch(name) and not is_merged_shard(path):
            yield name, _whole_store(path, folder) if path.suffix in STORES else path
    for path in _problem_files(experiment.source):
        yield f"{PROBLEMS}/{path.name}", path
    for path in sorted((project_root() / "data" / "prompts").glob("*.txt")):
        yield f"{PROMPTS}/{path.name}", path
    yield from _judged_files(experiment)
    if overrides := _overrides(experiment.name):
        yield OVERRIDES, write_bytes(folder / OVERRIDES, overrides)


def _problem_files(source: Path) -> list[Path]:
    """The files of a problem folder, or a problem file and the list of concepts beside it."""
    if source.is_dir():
        return sorted(path for path in source.iterdir() if path.suffix in (".yaml", ".yml"))
    return [path for path in (source, source.parent / "concepts.yaml") if path.is_file()]


def _judged_files(experiment: Experiment) -> Iterator[tuple[str, Path]]:
    """The judge's manifest and those of its images and videos that lie beside or below it, if the experiment has one."""
    if experiment.judge.manifest is None:
        return
    from geoutils.judge_manifest import find_manifest, read_manifest

    manifest = find_manifest(experiment.judge.manifest, beside=experiment.path)
    yield f"{JUDGED}/{manifest.name}", manifest
    for media in sorted({Path(text) for text in read_manifest(manifest)["media"] if text}):
        name = (
            f"{JUDGED}/{media.relative_to(manifest.parent).as_posix()}" if media.is_relative_to(manifest.parent) else ""
        )
        if media.is_file() and ALLOWED.fullmatch(name):
            yield name, media


def _add(file: zipfile.ZipFile, name: str, path: Path, keys: dict[str, bytes]) -> str:
    """Put a file into the packed run piece by piece; returns its hash. RunError where it holds a key."""
    digest = hashlib.sha256()
    longest = max(map(len, keys.values()), default=1)
    tail = b""
    with path.open("rb") as source, file.open(_info(name), "w", force_zip64=True) as target:
        while piece := source.read(PIECE):
            for key, value in keys.items():
                if value in tail + piece:
                    raise RunError(f"{name} holds the value of {key}; nothing was packed")
            tail = (tail + piece)[-longest:]
            digest.update(piece)
            target.write(piece)
    return digest.hexdigest()


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, MOMENT)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _whole_store(path: Path, folder: Path) -> Path:
    """A copy of a store as one whole, also while another process writes to it."""
    copy = folder / "copy.sqlite"
    copy.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path)) as source, contextlib.closing(sqlite3.connect(copy)) as target:
        source.backup(target)
        target.execute("pragma journal_mode = delete")
    return copy


def _overrides(name: str) -> bytes:
    from geoutils.overrides import load_overrides

    table = load_overrides(experiment=name)
    return table.to_csv(index=False, lineterminator="\n").encode() if len(table) else b""


def import_run(path: str | Path) -> tuple[str, Path, list[str]]:
    """Unpack a run of `export_run` into data/NAME; returns the name, the experiment file to run, and what to know of it.

    Where the problem files of the project are not those of the run, the packed ones are used; where a prompt differs it
    is told, since stored answers count only for the request that they answer. Raises UserError when the file is not a
    packed run, a hash does not fit, or data/NAME has responses already.
    """
    packed = Path(path)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        name, names = _unpack(packed, folder)
        data = work_root() / "data" / name
        if any((data / "responses").rglob("*.sqlite")) or (data / "imported.json").is_file():
            raise UserError(f"{shown(data)} has responses already; move it away first")
        problems = _use_problems(folder, names, name)
        _use_manifest(folder, names)
        for item in names:
            if (
                item == OVERRIDES
                or item.startswith(f"{PROMPTS}/")
                or (item.startswith(f"{PROBLEMS}/") and not problems)
            ):
                continue
            try:
                (data / item).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(folder / item, data / item)
            except OSError as error:
                raise RunError(f"{shown(data / item)}: cannot be written: {error.strerror or error}") from None
        experiment = data / EXPERIMENT
        if load_experiment(experiment).name != name:
            raise UserError(f"{path}: its experiment is not named {name!r}")
        if OVERRIDES in names:
            _take_overrides(folder / OVERRIDES)
        told = problems + _other_prompts(folder, names)
    return name, experiment, told


def _use_problems(folder: Path, names: list[str], name: str) -> list[str]:
    """Point the experiment to the packed problem files where those of the project differ; says so."""
    import yaml

    packed = {item.partition("/")[2]: folder / item for item in names if item.startswith(f"{PROBLEMS}/")}
    if not packed:
        return []
    text = (folder / EXPERIMENT).read_text(encoding="utf-8")
    here = {path.name: path for path in _problem_files(load_experiment(folder / EXPERIMENT).source)}
    if {key: path.read_bytes() for key, path in packed.items()} == {
        key: path.read_bytes() for key, path in here.items()
    }:
        return []
    given = yaml.safe_load(text)
    problems = dict(given.get("problems") or {})
    source = Path(str(problems.get("source", "data/problems")))
    one = source.name if source.suffix and source.name in packed else ""
    given["problems"] = {**problems, "source": f"{PROBLEMS}/{one}" if one else PROBLEMS}
    write_text(folder / EXPERIMENT, yaml.safe_dump(given, sort_keys=False, allow_unicode=True))
    return [f"the problem files here are not those of the run; the packed ones are used: data/{name}/{PROBLEMS}"]


def _use_manifest(folder: Path, names: list[str]) -> None:
    """Point the experiment to the packed manifest of solutions to judge."""
    import yaml

    given = yaml.safe_load((folder / EXPERIMENT).read_text(encoding="utf-8"))
    judge = given.get("judge") if isinstance(given, dict) else None
    name = Path(str(judge.get("manifest"))).name if isinstance(judge, dict) else ""
    if name and f"{JUDGED}/{name}" in names:
        given["judge"] = {**judge, "manifest": f"{JUDGED}/{name}"}
        write_text(folder / EXPERIMENT, yaml.safe_dump(given, sort_keys=False, allow_unicode=True))


def _other_prompts(folder: Path, names: list[str]) -> list[str]:
    prompts = project_root() / "data" / "prompts"
    other = [
        item.partition("/")[2]
        for item in names
        if item.startswith(f"{PROMPTS}/")
        and (
            not (prompts / Path(item).name).is_file()
            or (prompts / Path(item).name).read_bytes() != (folder / item).read_bytes()
        )
    ]
    if not other:
        return []
    return [
        f"prompts that are not those of the run: {', '.join(other)}; answers to a prompt that differs count as not run"
    ]


def _take_overrides(path: Path) -> None:
    from geoutils.overrides import add_override

    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(io.StringIO(file.read(), newline="")):
            add_override(**{str(key): value for key, value in row.items()})


def _unpack(path: Path, folder: Path) -> tuple[str, list[str]]:
    """Unpack a run into an empty folder and check it; its name, and the names of its files."""
    try:
        with zipfile.ZipFile(path) as file:
            infos = file.infolist()
            if sum(info.file_size for info in infos) > LARGEST:
                raise UserError(f"{path}: larger than {LARGEST:,} bytes when unpacked")
            for info in infos:
                if not ALLOWED.fullmatch(info.filename):
                    raise UserError(f"{path}: holds {info.filename!r:.80}, which is not part of a packed run")
            found = {info.filename: _extract(file, info, folder) for info in infos}
    except (OSError, zipfile.BadZipFile, RuntimeError, zlib.error) as error:
        raise UserError(f"{path}: not a packed run ({error})") from None
    try:
        found.pop(MANIFEST)
        record: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        name, hashes = str(record["name"]), dict(record["files"])
    except (KeyError, ValueError, TypeError):
        raise UserError(f"{path}: not a packed run ({MANIFEST} cannot be read)") from None
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", name) or set(hashes) != set(found) or EXPERIMENT not in found:
        raise UserError(f"{path}: not a packed run ({MANIFEST} does not fit its files)")
    for item, digest in found.items():
        if digest != hashes[item]:
            raise UserError(f"{path}: {item} is not what was packed; get the file again")
    return name, list(found)


def _extract(file: zipfile.ZipFile, info: zipfile.ZipInfo, folder: Path) -> str:
    target = folder / info.filename
    target.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with file.open(info) as source, target.open("wb") as made:
        while piece := source.read(PIECE):
            digest.update(piece)
            made.write(piece)
    return digest.hexdigest()
