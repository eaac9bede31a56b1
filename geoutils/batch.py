"""Batch files: the open part of a plan as OpenAI batch JSONL, and its results back.

The lines are what OpenAI's batch API and vLLM's `run-batch` read. `custom_id` is the key of the
cell, so results fit whatever files they come in, in any order, once or twice.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.endpoints import NETWORK_KINDS
from geoutils.errors import RunError, UserError
from geoutils.experiment import Experiment, safe_name, shown
from geoutils.merge import merge_pending
from geoutils.outcomes import Result, classify
from geoutils.requests import canonical
from geoutils.responses import answered, endpoint_of, planned, problems_of
from geoutils.store import Key, Store, store_path

if TYPE_CHECKING:
    import pandas as pd

MAX_REQUESTS = 50_000
MAX_BYTES = 190_000_000  # of a limit of 200 MB
PATH = "/v1/chat/completions"
PARTIAL = frozenset({"batch_expired", "batch_cancelled"})
CHUNK = 500


def export_batch(
    experiment: Experiment, problems: pd.DataFrame | None, folder: Path | str, *, model: str | None = None,
    max_requests: int = MAX_REQUESTS, max_bytes: int = MAX_BYTES,
) -> pd.DataFrame:
    """Write the cells that are still open as batch files, split by the provider's limits.

    Parameters: `folder` is made if it is missing; `model` restricts to one model. Returns one row a
    file: path, model, strategy, requests, bytes. Raises UserError where there is nothing to export
    or a single request is larger than a file may be.
    """
    import pandas as pd

    merge_pending(experiment)
    problems = problems_of(experiment) if problems is None else problems
    folder = Path(folder)
    rows: list[dict[str, Any]] = []
    for name, strategy in experiment.pairs():
        if model not in (None, name) or endpoint_of(name, experiment).kind not in NETWORK_KINDS:
            continue
        lines = _open_lines(experiment, problems, name, strategy)
        for place, chunk in enumerate(_chunks(lines, max_requests, max_bytes), start=1):
            path = folder / f"{safe_name(name)}__{strategy}__{place:03d}.jsonl"
            _write(path, chunk)
            size = sum(map(len, chunk))
            rows.append({"path": str(path), "model": name, "strategy": strategy, "requests": len(chunk), "bytes": size})
    if not rows:
        raise UserError(f"experiment {experiment.name}: no open request of {model or 'a model with a server'} to export")
    return pd.DataFrame(rows)


def _open_lines(experiment: Experiment, problems: pd.DataFrame, model: str, strategy: str) -> Iterator[bytes]:
    best = answered(experiment, model, strategy)
    for cell, request in planned(experiment, problems, model, strategy):
        key = request.key(cell.repeat)
        if best.get(key, best.get(cell.imported_key(), 0)) < 16:
            line = {"custom_id": key.hex(), "method": "POST", "url": PATH, "body": json.loads(request.body())}
            yield canonical(line) + b"\n"


def _chunks(lines: Iterator[bytes], max_requests: int, max_bytes: int) -> Iterator[list[bytes]]:
    chunk: list[bytes] = []
    size = 0
    for line in lines:
        if len(line) > max_bytes:
            raise UserError(f"a request of {len(line):,} bytes does not fit into a batch file of {max_bytes:,}")
        if chunk and (len(chunk) >= max_requests or size + len(line) > max_bytes):
            yield chunk
            chunk, size = [], 0
        chunk.append(line)
        size += len(line)
    if chunk:
        yield chunk


def _write(path: Path, lines: list[bytes]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(lines))
    except OSError as error:
        raise RunError(f"{path}: cannot be written ({error.strerror})") from None


def import_batch(
    experiment: Experiment, problems: pd.DataFrame | None, paths: Sequence[Path | str]
) -> pd.DataFrame:
    """Save the results of batch files, outputs and errors in any order.

    A line that was imported before is not saved again. Requests that expired or were cancelled stay
    open. Returns one row a file: path, lines, saved, already, expired, foreign (a `custom_id` that
    is not of this plan), unreadable. Raises UserError where a file is missing or has no line of the
    plan.
    """
    import pandas as pd

    problems = problems_of(experiment) if problems is None else problems
    given = [Path(path) for path in paths]
    for path in given:
        if not path.is_file():
            raise UserError(f"{path}: there is no such file")
    places: dict[bytes, tuple[tuple[str, str], Key]] = {}
    for pair in experiment.pairs():
        if endpoint_of(pair[0], experiment).kind in NETWORK_KINDS:
            for cell, request in planned(experiment, problems, *pair):
                key = Key(cell.problem, cell.category, cell.variant, cell.representation, cell.repeat)
                places[request.key(cell.repeat)] = (pair, key)
    stores: dict[tuple[str, str], Store] = {}
    rows = []
    try:
        for path in given:
            rows.append(_import_file(path, experiment, places, stores))
    finally:
        for store in stores.values():
            store.close()
    table = pd.DataFrame(rows)
    strange = table[(table["saved"] + table["already"] + table["expired"] == 0) & (table["lines"] > 0)]
    if len(strange):
        raise UserError(f"{strange['path'].iloc[0]}: no line of it is a result of experiment {experiment.name}")
    return table


def _import_file(
    path: Path, experiment: Experiment, places: dict[bytes, tuple[tuple[str, str], Key]],
    stores: dict[tuple[str, str], Store],
) -> dict[str, Any]:
    counts = dict.fromkeys(("lines", "saved", "already", "expired", "foreign", "unreadable"), 0)
    waiting: dict[tuple[str, str], list[Any]] = {}
    seen: set[str] = set()
    started = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
    with path.open("rb") as file:
        for line in file:
            if not line.strip():
                continue
            counts["lines"] += 1
            try:
                entry = json.loads(line)
                cell = bytes.fromhex(entry["custom_id"])
            except (ValueError, KeyError, TypeError, RecursionError):
                counts["unreadable"] += 1
                continue
            place = places.get(cell)
            if place is None:
                counts["foreign"] += 1
                continue
            result = _result(entry)
            if result is None:
                counts["expired"] += 1
                continue
            pair, key = place
            if pair not in stores:
                stores[pair] = Store(store_path(experiment, *pair), write=True, model=pair[0], strategy=pair[1])
            source = "batch:" + hashlib.sha256(canonical(entry)).hexdigest()[:32]
            if source in seen or stores[pair].has(source=source):
                counts["already"] += 1
                continue
            seen.add(source)
            waiting.setdefault(pair, []).append((cell, key, None, result, {"started": started, "source": source}))
            counts["saved"] += 1
            if len(waiting[pair]) >= CHUNK:
                stores[pair].append_all(waiting.pop(pair))
    for pair, attempts in waiting.items():
        stores[pair].append_all(attempts)
    return {"path": shown(path.resolve()), **counts}


def _result(entry: dict[str, Any]) -> Result | None:
    """The result of a line; None where the request was never run."""
    fault = entry.get("error")
    if isinstance(fault, dict) and isinstance(fault.get("error"), dict):  # as vLLM writes a refused request
        fault = fault["error"]
    response = entry.get("response")
    if isinstance(response, dict) and isinstance(response.get("body"), (dict, list, str)):
        code = response.get("status_code")
        return classify(code if isinstance(code, int) else 200, {}, canonical(response["body"]))
    if isinstance(fault, dict) and fault.get("code") in PARTIAL:
        return None
    code = response.get("status_code") if isinstance(response, dict) else None
    return classify(code if isinstance(code, int) and code >= 400 else 500, {}, canonical({"error": fault or "no response"}))
