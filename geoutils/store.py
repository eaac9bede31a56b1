"""Responses on disk: one SQLite file for each model and strategy, one row for each attempt.

Rows are only ever appended, each in a transaction of its own, in write-ahead mode: a process that
is killed at any moment loses none that it saved. What a cell came to is its best attempt: one with
a completion before a permanent error before one worth asking again, and among equals the last.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from geoutils.errors import RunError, UserError
from geoutils.experiment import Experiment, safe_name, shown
from geoutils.outcomes import OUTCOMES, Result
from geoutils.requests import Request
from geoutils.shards import shard_path

SCHEMA = """
CREATE TABLE IF NOT EXISTS requests (
    sha256 BLOB PRIMARY KEY, url TEXT NOT NULL, sent BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS images (sha256 TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS attempts (
    id INTEGER PRIMARY KEY,
    cell BLOB NOT NULL,
    rank INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    problem TEXT, category TEXT, variant INTEGER, representation TEXT, repeat INTEGER,
    request_sha256 BLOB, response_sha256 BLOB,
    started TEXT NOT NULL, latency_s REAL,
    content TEXT NOT NULL, reasoning TEXT NOT NULL, finish_reason TEXT NOT NULL,
    served_model TEXT NOT NULL, served_provider TEXT NOT NULL, response_id TEXT NOT NULL,
    prompt_tokens INTEGER, completion_tokens INTEGER, cost_usd REAL,
    http_code INTEGER, error TEXT NOT NULL, received BLOB NOT NULL, source TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS by_cell ON attempts (cell, rank, id, outcome);
CREATE INDEX IF NOT EXISTS by_cost ON attempts (cost_usd, prompt_tokens, completion_tokens, http_code);
CREATE INDEX IF NOT EXISTS by_source ON attempts (source) WHERE source != '';
"""
VERSION = 1
ATTEMPT_COLUMNS = (
    "cell, rank, outcome, problem, category, variant, representation, repeat, request_sha256, response_sha256, "
    "started, latency_s, content, reasoning, finish_reason, served_model, served_provider, response_id, "
    "prompt_tokens, completion_tokens, cost_usd, http_code, error, received, source"
)
_INSERT = f"INSERT INTO attempts ({ATTEMPT_COLUMNS}) VALUES ({', '.join('?' * len(ATTEMPT_COLUMNS.split(', ')))})"
_READ = (
    "cell, outcome, content, reasoning, finish_reason, served_model, served_provider, prompt_tokens, "
    "completion_tokens, cost_usd, latency_s, response_sha256, request_sha256, error"
)

_BEST = (
    f"SELECT {_READ}, (SELECT count(*) FROM attempts AS every WHERE every.cell = attempts.cell) "
    "FROM attempts WHERE cell = ? ORDER BY rank DESC, id DESC LIMIT 1"
)
_BEST_NAMES = (*_READ.split(", "), "attempts")


@dataclass(frozen=True, slots=True)
class Key:
    """The place of an attempt in the plan; empty for a probe."""

    problem: str = ""
    category: str = ""
    variant: int = 0
    representation: str = ""
    repeat: int = 0


def main_path(experiment: Experiment, model: str, strategy: str) -> Path:
    """The response file of a model and strategy, into which those of shards are merged."""
    return experiment.data_dir / "responses" / f"{safe_name(model)}__{strategy}.sqlite"


def store_path(experiment: Experiment, model: str, strategy: str) -> Path:
    """The response file that this process writes: the main one, or that of its shard."""
    return shard_path(main_path(experiment, model, strategy), experiment.shard)


def rank_of(outcome: str, permanent: bool) -> int:
    """How good an attempt is: 3 ok, 2 another completion, 1 a permanent error, 0 worth asking again."""
    if outcome == "ok":
        return 3
    if permanent:
        return 1 if outcome == "api_error" else 2
    return 0


class Lock:
    """A lock on a file that the system lifts when its process ends, however it ends."""

    def __init__(self, path: Path, what: str) -> None:
        self._file: IO[bytes] | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("ab")
        except OSError as error:
            raise RunError(f"{shown(path.parent)}: cannot be written to ({error.strerror}); free or permit it") from None
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise RunError(f"{what} is in use by another run of this experiment; wait until it has ended") from None
        self._file = file

    def release(self) -> None:
        """Lift the lock."""
        if self._file:
            self._file.close()
            self._file = None


class Store:
    """The response file of one model and strategy. Close it, or use it in a `with` statement.

    A file written with `alone` is closed to every other process meanwhile, and so is safe on a shared
    (network) file system; `more` is noted in it beside the model and strategy.
    """

    def __init__(
        self, path: Path, *, write: bool = False, model: str = "", strategy: str = "", alone: bool = False,
        more: Mapping[str, str] | None = None,
    ) -> None:
        self.path, self._alone = path, alone and write
        self._lock = Lock(path.with_suffix(".lock"), shown(path)) if write else None
        try:
            if write:
                self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
                if alone:
                    self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA synchronous=NORMAL")
                self._db.execute("PRAGMA cache_size=-8000")
                self._db.executescript(SCHEMA)
                self._db.execute(f"PRAGMA user_version={VERSION}")
                about = (("model", model), ("strategy", strategy), *(more or {}).items())
                self._db.executemany("INSERT OR IGNORE INTO about VALUES (?, ?)", about)
            else:
                self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
            found = self._db.execute("PRAGMA user_version").fetchone()[0]
            if found != VERSION:
                raise UserError(f"{shown(path)}: version {found} of the response file is not {VERSION}; move it away")
        except sqlite3.Error as error:
            self._release()
            raise self._failure(error) from None
        except BaseException:
            self._release()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and lift its lock; one written alone is then a single file that can be copied."""
        if self._alone:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("PRAGMA journal_mode=DELETE")
        self._db.close()
        self._release()

    def append(self, cell: bytes, key: Key, request: Request | None, result: Result, **about: Any) -> None:
        """Save one attempt: RunError names the file where the disk is full or broken."""
        self.append_all([(cell, key, request, result, about)])

    def append_all(self, attempts: Iterable[tuple[bytes, Key, Request | None, Result, dict[str, Any]]]) -> None:
        """Save attempts in one transaction; `about` holds started, latency_s and source."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for cell, key, request, result, about in attempts:
                if request is not None:
                    self._save_request(request)
                self._db.execute(_INSERT, _row(cell, key, request, result, about))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise self._failure(error) from None

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The file's connection for several statements that are saved together or, after an error, not at all."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield self._db
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise self._failure(error) from None
            raise

    def best(self) -> dict[bytes, int]:
        """What each cell came to, coded as 16 x rank + place of the outcome in OUTCOMES."""
        codes = {outcome: place for place, outcome in enumerate(OUTCOMES)}
        rows = self._rows("SELECT cell, rank, outcome FROM attempts ORDER BY cell, rank, id")
        return {cell: 16 * rank + codes[outcome] for cell, rank, outcome in rows}  # the last of a cell wins

    def best_rows(self, cells: Iterable[bytes]) -> Iterator[dict[str, Any] | None]:
        """The best attempt of each given cell, with the number of its attempts; None where there is none."""
        return map(self.best_row, cells)

    def best_row(self, cell: bytes) -> dict[str, Any] | None:
        """The best attempt of one cell, with the number of its attempts; None where there is none."""
        try:
            row = self._db.execute(_BEST, (cell,)).fetchone()
        except sqlite3.Error as error:
            raise self._failure(error) from None
        return None if row is None else dict(zip(_BEST_NAMES, row, strict=True))

    def attempts_by_outcome(self) -> list[dict[str, Any]]:
        """All attempts counted by outcome and code, with the text of one error."""
        sql = "SELECT outcome, http_code, count(*), max(error) FROM attempts GROUP BY outcome, http_code ORDER BY 3 DESC"
        return [dict(zip(("outcome", "http_code", "count", "example"), row, strict=True)) for row in self._rows(sql)]

    def about(self) -> dict[str, str]:
        """The model and strategy whose responses these are."""
        return dict(self._rows("SELECT name, value FROM about"))

    def received(self, response_sha256: bytes) -> bytes:
        """The body of a response as it arrived."""
        row = next(self._rows("SELECT received FROM attempts WHERE response_sha256 = ?", response_sha256), None)
        return zlib.decompress(row[0]) if row and row[0] else b""

    def has(self, *, cell: bytes | None = None, source: str = "") -> bool:
        """Whether there is a completed attempt of a cell, or any attempt from a named source."""
        if source:
            return next(self._rows("SELECT 1 FROM attempts WHERE source = ? LIMIT 1", source), None) is not None
        return next(self._rows("SELECT 1 FROM attempts WHERE cell = ? AND rank > 0 LIMIT 1", cell), None) is not None

    def totals(self, *, after: int = 0) -> dict[str, Any]:
        """Attempts, known cost in US dollars over all of them (or those after an id), and how many have an unknown cost.

        An attempt that got no answer at all counts as unknown too: the provider may charge for it.
        """
        sql = "SELECT count(*), coalesce(sum(cost_usd), 0.0), sum(cost_usd IS NULL) FROM attempts"
        count, usd, unknown = next(self._rows(f"{sql} WHERE id > ?", after) if after else self._rows(sql))
        return {"attempts": count, "usd": usd, "unknown": unknown or 0}

    def _save_request(self, request: Request) -> None:
        self._db.execute("INSERT OR IGNORE INTO requests VALUES (?, ?, ?)", (request.sha256, request.url, request.sent))
        for name, content in request.pictures():
            self._db.execute("INSERT OR IGNORE INTO images VALUES (?, ?)", (name, content))

    def _rows(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._db.execute(sql, values)
        except sqlite3.Error as error:
            raise self._failure(error) from None

    def _failure(self, error: sqlite3.Error) -> RunError:
        words = str(error)
        if "full" in words or "disk I/O" in words:
            return RunError(f"{shown(self.path)}: cannot save ({words}); free space and run again, what is saved stays")
        if "locked" in words:
            return RunError(f"{shown(self.path)} is in use by another program ({words}); close it and run again")
        return RunError(f"{shown(self.path)}: the response file cannot be used ({words}); move it away and run again")

    def _release(self) -> None:
        if self._lock:
            self._lock.release()


def _row(cell: bytes, key: Key, request: Request | None, result: Result, about: dict[str, Any]) -> tuple[Any, ...]:
    digest = hashlib.sha256(result.received or result.content.encode()).digest()
    return (
        cell, rank_of(result.outcome, result.is_permanent), result.outcome,
        key.problem, key.category, key.variant, key.representation, key.repeat,
        request.sha256 if request else None, digest,
        about["started"], about.get("latency_s"),
        result.content, result.reasoning, result.finish_reason,
        result.served_model, result.served_provider, result.response_id,
        result.prompt_tokens, result.completion_tokens, result.cost_usd,
        result.http_code, result.error, zlib.compress(result.received, 1) if result.received else b"",
        about.get("source", ""),
    )
