"""Unite the response files of shards: every attempt once, no answer changed, nothing lost.

Files are checked whole before anything is written; a pair of model and strategy is merged in one
transaction or not at all. The files of the shards stay as they are, so merging again changes nothing.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.errors import GeoutilsError, RunError, UserError
from geoutils.experiment import Experiment, shown
from geoutils.outcomes import OUTCOMES
from geoutils.shards import NAME, Shard, read_shard, shard_files, shard_in, shard_of
from geoutils.store import ATTEMPT_COLUMNS, VERSION, Lock, Store, main_path

if TYPE_CHECKING:
    import pandas as pd

MARK = "merged:"  # in a main file: what of a shard's file it has already
OK = 3  # the rank of an answer that arrived whole
_COLUMNS = ATTEMPT_COLUMNS.split(", ")
_SAME = ("cell", "outcome", "started", "latency_s", "response_sha256", "response_id", "http_code", "source")
_PLACES = [_COLUMNS.index(name) for name in _SAME]
_KNOWN = f"SELECT {', '.join(_SAME)}, rank, content FROM attempts WHERE cell = ?"


@dataclass
class Source:
    """A response file to be merged, and what it says of itself."""

    path: Path
    model: str
    strategy: str
    shard: Shard | None
    identity: str
    last: int
    count: int
    end: str

    @property
    def mark(self) -> str:
        """What a main file notes when it has all of this file."""
        return json.dumps({"last": self.last, "count": self.count, "end": self.end})


@dataclass
class Merged:
    """What became of the attempts of one file."""

    attempts: int = 0
    merged: int = 0
    already: int = 0
    duplicates: int = 0
    conflicts: list[str] = field(default_factory=list)


def merge(experiment: Experiment, files: Sequence[Path | str] = (), *, remove: bool = False) -> pd.DataFrame:
    """Unite response files of shards with the main file of their model and strategy.

    Parameters: `files` are response files from anywhere (default: all shards in the experiment's
    folder); `remove` deletes each file once everything in it is merged.

    Returns one row a file: file, model, strategy, attempts (in the file), merged (new), already (merged
    before), duplicates (merged, but the cell had the same `ok` answer from another file: asked twice).

    Raises UserError naming the file where one is damaged, of another experiment or another shard than
    its name says, or has an `ok` answer to a cell that has a different one already: of that model and
    strategy nothing is merged then. RunError where a file is still being written.
    """
    import pandas as pd

    paths = [Path(path) for path in files] or _own_files(experiment)
    sources = [check_file(path, experiment) for path in paths]
    rows: list[dict[str, Any]] = []
    failures: list[GeoutilsError] = []
    for pair in dict.fromkeys((source.model, source.strategy) for source in sources):
        group = [source for source in sources if (source.model, source.strategy) == pair]
        try:
            rows += _merge_pair(experiment, group)
        except GeoutilsError as error:
            failures.append(error)
            continue
        for source in group if remove else ():
            _remove(source.path)
    if failures:
        more = f" (and {len(failures) - 1} more models or strategies)" if len(failures) > 1 else ""
        raise type(failures[0])(f"{failures[0]}{more}")
    return pd.DataFrame(rows, columns=["file", "model", "strategy", "attempts", "merged", "already", "duplicates"])


def merge_pending(experiment: Experiment) -> None:
    """Merge what shards have written since the last time; cheap where there is nothing.

    A file that is still being written, or a main file that another run holds, is left for later with a
    line on standard error.
    """
    if experiment.shard is not None:
        return
    for pair in experiment.pairs():
        main = main_path(experiment, *pair)
        pending = [path for path in shard_files(main) if not is_merged(path, main)]
        if not pending:
            continue
        free = [path for path in pending if _is_free(path)]
        for path in set(pending) - set(free):
            print(f"{shown(path)}: still being written, not merged yet", file=sys.stderr)
        if free and _is_free(main):
            table = merge(experiment, free)
            print(f"merged {int(table['merged'].sum()):,} attempts of {len(free)} shards of {pair[0]}, {pair[1]}", file=sys.stderr)
        elif free:
            print(f"{shown(main)}: in use by another run, {len(free)} shards are not merged yet", file=sys.stderr)


def is_merged(path: Path, main: Path) -> bool:
    """Whether a main file has all of a shard's file, by what both note about themselves."""
    try:
        with _reading(path) as shard:
            identity, mark = _identity(shard, path), _mark(shard)
    except (sqlite3.Error, RunError):
        return False
    return json.loads(mark)["count"] == 0 or marks(main).get(identity) == mark


def is_merged_shard(path: Path) -> bool:
    """Whether a file is that of a shard, and the main file beside it has all of it."""
    match = NAME.fullmatch(path.name)
    return match is not None and is_merged(path, path.with_name(f"{match['pair']}.sqlite"))


def marks(main: Path) -> dict[str, str]:
    """What a main file has of which shard files."""
    if not main.is_file():
        return {}
    with Store(main) as store:
        return {name.removeprefix(MARK): value for name, value in store.about().items() if name.startswith(MARK)}


def merged_up_to(main: Path, identity: str) -> int:
    """The last attempt of a shard's file that a main file has, 0 if none."""
    try:
        return int(json.loads(marks(main).get(identity, "{}")).get("last", 0))
    except (ValueError, TypeError, AttributeError):
        return 0


def check_file(path: Path, experiment: Experiment) -> Source:
    """What a response file says of itself; UserError where it is damaged or not of this experiment."""
    where = shown(path.resolve())
    if not path.is_file():
        raise UserError(f"{where}: there is no such file")
    with _unwritten(path):
        try:
            with _reading(path) as file:
                return _checked(file, path, where, experiment)
        except sqlite3.Error as error:
            if "locked" in str(error):
                raise RunError(f"{where} is in use by another program; wait until it has ended") from None
            raise UserError(f"{where}: no response file, or a damaged one ({error}); copy it again or move it away") from None


def _checked(file: sqlite3.Connection, path: Path, where: str, experiment: Experiment) -> Source:
    damage = file.execute("PRAGMA quick_check(1)").fetchone()[0]
    if damage != "ok":
        raise UserError(f"{where}: damaged or incomplete ({' '.join(str(damage).split())[:100]}); copy it again or move it away")
    version = file.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        raise UserError(f"{where}: no response file of this version ({version} instead of {VERSION}); move it away")
    about = dict(file.execute("SELECT name, value FROM about"))
    pair = str(about.get("model", "")), str(about.get("strategy", ""))
    if pair not in experiment.pairs():
        raise UserError(f"{where}: holds {pair[0]!r:.80} with {pair[1]!r:.40}, which experiment {experiment.name} does not ask")
    if about.get("experiment", experiment.name) != experiment.name:
        raise UserError(f"{where}: made by experiment {about['experiment']!r:.80}, not by {experiment.name}; move it away")
    shard = read_shard(str(about["shard"])) if about.get("shard") else None
    if shard_in(path) is not None and shard_in(path) != shard:
        raise UserError(f"{where}: its name does not say what it holds ({about.get('shard', 'no shard')}); give it its old name")
    for cell, rank, outcome, variant, repeat, number in file.execute(
        "SELECT cell, rank, outcome, variant, repeat, id FROM attempts ORDER BY id"
    ):
        sound = isinstance(cell, bytes) and len(cell) == 16 and rank in range(OK + 1) and outcome in OUTCOMES
        if not (sound and isinstance(variant, int) and isinstance(repeat, int)):
            raise UserError(f"{where}: row {number} is no attempt; this is no response file of ours, move it away")
    if shard and (stray := _stray(file, shard)):
        raise UserError(f"{where}: row {stray} belongs to another shard than {shard[0]}/{shard[1]}; move the file away")
    return Source(path, *pair, shard, _identity(file, path), **json.loads(_mark(file)))


def _stray(file: sqlite3.Connection, shard: Shard) -> int:
    """The first attempt at a cell of the plan that is not of this shard, 0 if there is none."""
    rows = file.execute("SELECT id, cell FROM attempts WHERE problem != '' ORDER BY id")  # a probe has no problem
    return next((number for number, cell in rows if shard_of(cell, shard[1]) != shard[0]), 0)


def _merge_pair(experiment: Experiment, sources: Sequence[Source]) -> list[dict[str, Any]]:
    """Merge the files of one model and strategy in one transaction."""
    model, strategy = sources[0].model, sources[0].strategy
    main = main_path(experiment, model, strategy)
    rows, notes = [], {}
    with Store(main, write=True, model=model, strategy=strategy) as store, store.transaction() as db:
        known = marks_in(db)
        for source in sources:
            if source.path.resolve() == main.resolve():
                raise UserError(f"{shown(main)} is the file that others are merged into; name the others")
            done = Merged(attempts=source.count)
            if known.get(source.identity) == source.mark:
                done.already = source.count
            else:
                with _unwritten(source.path), _reading(source.path) as file:
                    _take(db, file, done)
            if done.conflicts:
                raise UserError(
                    f"{shown(source.path.resolve())}: {len(done.conflicts)} cell(s) have another `ok` answer than in "
                    f"{main.name} or another shard, the first is {done.conflicts[0]}; nothing of {model}, {strategy} was merged: "
                    "move away the file that you do not want"
                )
            notes[MARK + source.identity] = source.mark
            counts = {name: getattr(done, name) for name in ("attempts", "merged", "already", "duplicates")}
            rows.append({"file": shown(source.path.resolve()), "model": model, "strategy": strategy, **counts})
        db.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", notes.items())
    return rows


def marks_in(db: sqlite3.Connection) -> dict[str, str]:
    """The marks of an open main file."""
    rows = db.execute("SELECT name, value FROM about WHERE name LIKE ?", (MARK + "%",))
    return {name.removeprefix(MARK): value for name, value in rows}


def _take(db: sqlite3.Connection, file: sqlite3.Connection, done: Merged) -> None:
    """Copy the attempts that are not there yet, with their requests."""
    insert = f"INSERT INTO attempts ({ATTEMPT_COLUMNS}) VALUES ({', '.join('?' * len(_COLUMNS))})"
    rank, content, problem = (_COLUMNS.index(name) for name in ("rank", "content", "problem"))  # a probe has no problem
    for row in file.execute(f"SELECT {ATTEMPT_COLUMNS} FROM attempts ORDER BY id"):
        there = db.execute(_KNOWN, (row[0],)).fetchall()
        same = tuple(row[place] for place in _PLACES)
        if any(found[: len(_SAME)] == same for found in there):
            done.already += 1
            continue
        answers = [found for found in there if found[-2] == OK] if row[rank] == OK and row[problem] else []
        strange = [found for found in answers if not _has(file, found)]  # not an earlier answer of this file
        if any(found[-1] != row[content] for found in strange):
            done.conflicts.append(_place(row))
            continue
        done.duplicates += bool(strange)
        done.merged += 1
        db.execute(insert, row)
    db.executemany("INSERT OR IGNORE INTO requests VALUES (?, ?, ?)", file.execute("SELECT sha256, url, sent FROM requests"))
    db.executemany("INSERT OR IGNORE INTO images VALUES (?, ?)", file.execute("SELECT sha256, content FROM images"))


def _has(file: sqlite3.Connection, found: tuple[Any, ...]) -> bool:
    """Whether a file holds an attempt of the main file."""
    return any(row[: len(_SAME)] == found[: len(_SAME)] for row in file.execute(_KNOWN, (found[0],)))


def _place(row: tuple[Any, ...]) -> str:
    values = dict(zip(_COLUMNS, row, strict=True))
    return f"{values['problem']}, variant {values['variant']}, {values['representation']}, repeat {values['repeat']}"


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A response file opened to be read, trusting nothing in it but its rows."""
    file = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=1.0)
    try:
        file.execute("PRAGMA trusted_schema=OFF")
        yield file
    finally:
        file.close()


@contextlib.contextmanager
def _unwritten(path: Path) -> Iterator[None]:
    """Hold the lock of a response file in the meantime; RunError where its shard still writes."""
    if not path.with_suffix(".lock").is_file():  # a copy from elsewhere
        yield
        return
    lock = Lock(path.with_suffix(".lock"), shown(path.resolve()))
    try:
        yield
    finally:
        lock.release()


def _is_free(path: Path) -> bool:
    try:
        with _unwritten(path):
            return True
    except RunError:
        return False


def _identity(file: sqlite3.Connection, path: Path) -> str:
    """What tells a response file from every other: its own random name, its path where it has none."""
    row = file.execute("SELECT value FROM about WHERE name = 'identity'").fetchone()
    return str(row[0]) if row else path.resolve().as_posix()


def _mark(file: sqlite3.Connection) -> str:
    last, count = file.execute("SELECT coalesce(max(id), 0), count(*) FROM attempts").fetchone()
    end = file.execute("SELECT started, hex(response_sha256) FROM attempts WHERE id = ?", (last,)).fetchone() or ("", "")
    return json.dumps({"last": last, "count": count, "end": f"{end[0]} {end[1][:16]}"})


def _own_files(experiment: Experiment) -> list[Path]:
    return [path for pair in experiment.pairs() for path in shard_files(main_path(experiment, *pair))]


def _remove(path: Path) -> None:
    for suffix in (".sqlite", ".sqlite-wal", ".sqlite-shm", ".lock"):
        with contextlib.suppress(OSError):
            path.with_suffix(suffix).unlink()


def strays(experiment: Experiment) -> Iterable[Path]:
    """Shard files in the experiment's folder that belong to no model and strategy of it."""
    own = set(_own_files(experiment))
    folder = experiment.data_dir / "responses"
    return [path for path in sorted(folder.glob("*.sqlite")) if shard_in(path) and path not in own]
