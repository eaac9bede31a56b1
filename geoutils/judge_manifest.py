"""The solutions to be judged: a manifest (CSV or JSONL) or our calibration set, as one table with what is wrong in it.

A row that cannot be judged stays in the table, with the reason in `fault_of_row`, and is counted.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.errors import UserError
from geoutils.experiment import Experiment, project_root, shown
from geoutils.judge_solutions import LABELS, calibration_set

if TYPE_CHECKING:
    import pandas as pd

NEEDED = ("id", "subtask", "media", "solution_text")
OPTIONAL = ("solution", "answer", "unit", *LABELS, "rendering", "problem", "fault", "reflection")
ITEM_COLUMNS = ("set", "row", "id", "subtask", "media", "solution_text", *OPTIONAL, "fault_of_row")
MAX_BYTES = 500_000_000
MAX_TEXT = 100_000  # characters of a solution or a ground truth
MAX_ID = 200
MANIFEST, CALIBRATION = "manifest", "calibration"


def find_manifest(path: str | Path, *, beside: Path | None = None) -> Path:
    """The manifest's file: from here, from the project, or beside the experiment's file; UserError where there is none."""
    given = Path(path)
    for candidate in (given, project_root() / given, *((beside.parent / given,) if beside else ())):
        if candidate.is_file():
            return candidate.resolve()
    raise UserError(f"{path}: no such manifest; give a CSV or JSONL with the columns {', '.join(NEEDED)}")


def read_manifest(path: Path) -> pd.DataFrame:
    """The rows of a manifest, in order: `ITEM_COLUMNS`, texts, labels as 1, 0 or missing; `media` absolute.

    Faults of single rows (a duplicate or missing id, no ground truth, nothing to judge, both a file and
    a text, a label that is not 0 or 1, a broken line) are in `fault_of_row`. UserError where the file as a
    whole cannot be used: not CSV or JSONL, not UTF-8, a column missing, no row.
    """
    import pandas as pd

    where = shown(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"{where}: larger than {MAX_BYTES:,} bytes; split it")
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{where}: not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except OSError as error:
        raise UserError(f"{where}: cannot be read: {error.strerror or error}") from None
    records = _json_lines(text) if path.suffix.lower() in (".jsonl", ".ndjson") else _csv_rows(text, where)
    rows = [_item(number, record, path.parent) for number, record in records]
    if not rows:
        raise UserError(f"{where}: no row; a manifest lists one solution on each row")
    seen: set[str] = set()
    for row in rows:
        if not row["fault_of_row"] and row["id"] in seen:
            row["fault_of_row"] = "the id stands on an earlier row; that one counts"
        seen.add(row["id"])
    return _typed(pd.DataFrame(rows, columns=list(ITEM_COLUMNS)).assign(set=MANIFEST))


def _typed(table: pd.DataFrame) -> pd.DataFrame:
    return table.astype(dict.fromkeys(LABELS, "Int64")).astype({"row": "int64"})


def _csv_rows(text: str, where: str) -> Iterator[tuple[int, dict[str, Any]]]:
    csv.field_size_limit(10_000_000)
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        names = [str(name).strip() for name in reader.fieldnames or ()]
        missing = [name for name in NEEDED if name not in names]
        if missing:
            raise UserError(f"{where}: no column {missing[0]!r}; a manifest has {', '.join(NEEDED)}")
        reader.fieldnames = names
        for record in reader:
            broken = "more cells than columns" if None in record else ""
            broken = broken or ("fewer cells than columns" if any(record.get(name) is None for name in NEEDED) else "")
            yield reader.line_num, {**{str(k): v for k, v in record.items() if k}, "broken": broken}
    except csv.Error as error:
        raise UserError(f"{where}, line {reader.line_num}: not a readable CSV ({error})") from None


def _json_lines(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            yield number, {"broken": "the line is not JSON"}
            continue
        if not isinstance(record, dict):
            yield number, {"broken": "the line is no JSON object"}
            continue
        missing = [name for name in ("id", "subtask", "solution_text") if name not in record]
        yield number, {**record, "broken": f"no field {missing[0]!r}" if missing else ""}


def _item(number: int, record: dict[str, Any], folder: Path) -> dict[str, Any]:
    """One row as an item, with the first thing that is wrong with it."""
    row: dict[str, Any] = {"row": number}
    fault = str(record.get("broken") or "")
    for name in (*NEEDED, *OPTIONAL):
        value = record.get(name)
        if value is not None and not isinstance(value, (str, int, float)):
            fault, value = fault or f"{name} is no text", ""
        row[name] = "" if value is None else str(value).encode("utf-8", "replace").decode().replace("\x00", "\ufffd")
    for name in LABELS:
        label = row[name].strip().removesuffix(".0")
        if label not in ("", "0", "1"):
            fault = fault or f"{name} is {label[:20]!r}, not 0, 1 or blank"
        row[name] = int(label) if label in ("0", "1") else None
    row["id"] = row["id"].strip()[:MAX_ID]
    row["media"] = row["media"].strip()
    row["fault_of_row"] = fault or _fault(row)
    row["id"] = row["id"] or f"row {number}"
    if row["media"] and not row["fault_of_row"]:
        row["media"] = str(folder / row["media"])
    return row


def _fault(row: dict[str, Any]) -> str:
    if not row["id"]:
        return "no id"
    if not row["solution_text"].strip():
        return "solution_text, the ground truth, is empty"
    if row["media"] and row["solution"].strip():
        return "both media and solution are given; one of them is to be judged"
    if not row["media"] and not row["solution"].strip():
        return "nothing to judge: media and solution are empty"
    if "://" in row["media"]:
        return "media is an address; give a file beside the manifest"
    for name in ("solution_text", "solution"):
        if len(row[name]) > MAX_TEXT:
            return f"{name} has {len(row[name]):,} characters, more than {MAX_TEXT:,}"
    return ""


def calibration_items(experiment: Experiment, count: int) -> pd.DataFrame:
    """The first `count` labelled solutions of the calibration set, drawn under data/NAME/judge/calibration where absent.

    They are made from the published problems (data/problems), so they are the same in every experiment.
    """
    import pandas as pd

    from geoutils.dataset import problems_table
    from geoutils.judge_rendering import ending, write_rendered

    if not count:
        return _typed(pd.DataFrame(columns=list(ITEM_COLUMNS)))
    table = calibration_set(problems_table(), count=count)
    folder = experiment.data_dir / "judge" / "calibration"
    media = []
    for row in table.to_dict("records"):
        kind = ending(row["rendering"])
        path = folder / f"{row['id']}-{row['problem']}-{_mark(row['solution'])}.{kind}"
        if kind and not path.is_file():
            write_rendered(row["solution"], row["rendering"], path)
        media.append(str(path) if kind else "")
    table = table.assign(media=media, set=CALIBRATION, row=range(1, len(table) + 1), fault_of_row="")
    table["solution"] = table["solution"].where(table["media"] == "", "")
    return _typed(table.reindex(columns=list(ITEM_COLUMNS)))


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]

