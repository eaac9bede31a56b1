"""Human judgement over the grader: one CSV, checked, applied to the response it was made for, never lost.

`data/overrides.csv` has the columns `COLUMNS`. An override names a cell and the SHA-256 of the response that the reader
saw; when the response has changed since, the override is *stale*: listed, not applied.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = [
    "experiment", "problem", "representation", "model", "strategy", "variant", "repeat", "response_sha256", "correct", "who", "why",
]  # fmt: skip
CELL = ["model", "strategy", "problem", "variant", "representation", "repeat"]


def overrides_path() -> Path:
    """The file of overrides, `data/overrides.csv` of the working project."""
    from geoutils.experiment import work_root

    return work_root() / "data" / "overrides.csv"


def load_overrides(path: Path | None = None, *, experiment: str | None = None) -> pd.DataFrame:
    """The overrides of a file (empty if there is none), only those of `experiment` if it is named.

    Raises UserError naming file, row and field for missing columns, a `correct` other than 0 or 1, a blank `who` or `why`,
    something that is no SHA-256, and two overrides of one response.
    """
    import pandas as pd

    from geoutils.experiment import shown

    path = overrides_path() if path is None else Path(path)
    if not path.is_file():
        return pd.DataFrame(columns=COLUMNS)
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise UserError(f"{shown(path)}: not a readable CSV ({str(error).splitlines()[0]})") from None
    missing = [name for name in COLUMNS if name not in table]
    if missing:
        raise UserError(f"{shown(path)}: column {missing[0]} is missing; the columns are {', '.join(COLUMNS)}")
    table = table[COLUMNS].apply(lambda column: column.str.strip())
    for number, row in enumerate(table.to_dict("records"), start=2):
        _check(row, f"{shown(path)}: row {number}")
    twice = table.duplicated(["experiment", *CELL, "response_sha256"])
    if twice.any():
        number = int(twice.to_numpy().argmax()) + 2
        raise UserError(f"{shown(path)}: row {number}: a second override of the same response; keep one of them")
    table["variant"], table["repeat"], table["correct"] = (table[c].astype(int) for c in ("variant", "repeat", "correct"))
    return table if experiment is None else table[table["experiment"] == experiment].reset_index(drop=True)


def _check(row: Mapping[Any, str], where: str) -> None:
    if row["correct"] not in ("0", "1"):
        raise UserError(f"{where}: correct is {row['correct']!r}; write 1 or 0")
    for name in ("experiment", "problem", "representation", "model", "strategy", "who", "why"):
        if not row[name]:
            raise UserError(f"{where}: {name} is blank; an override needs it")
    for name in ("variant", "repeat"):
        if not row[name].isdigit():
            raise UserError(f"{where}: {name} is {row[name]!r}; write a whole number")
    digest = row["response_sha256"]
    if len(digest) != 64 or any(c not in "0123456789abcdef" for c in digest):
        raise UserError(f"{where}: response_sha256 is {digest[:20]!r}; copy the 64 hexadecimal digits of the response")


def _joined(scores: pd.DataFrame, overrides: pd.DataFrame) -> pd.DataFrame:
    """Each override beside the present row of its cell: `now_sha256`, `graded`, and the row's index."""
    present = scores[[*CELL, "response_sha256", "correct"]].rename(columns={"response_sha256": "now_sha256", "correct": "graded"})
    present = present.assign(place=scores.index)
    for name in ("variant", "repeat"):
        present[name] = present[name].astype(int)
    table = overrides.drop(columns=[c for c in ("now_sha256", "graded") if c in overrides]).merge(present, on=CELL, how="left")
    table["state"] = "applied"
    table.loc[table["now_sha256"] != table["response_sha256"], "state"] = "stale"
    table.loc[table["now_sha256"].isna(), "state"] = "no such cell"
    return table


def apply_overrides(scores: pd.DataFrame, overrides: pd.DataFrame) -> pd.DataFrame:
    """`scores` with `correct`, `verdict` and `overridden` set where an override's response is the present one."""
    result = scores.copy()
    for row in _joined(scores, overrides).itertuples(index=False):
        if row.state == "applied":
            result.loc[row.place, ["correct", "overridden"]] = [int(row.correct), 1]
            predicted = str(result.loc[row.place, "predicted"])
            result.loc[row.place, "verdict"] = "correct" if int(row.correct) else ("wrong" if predicted else "unparsed")
    return result


def override_states(graded: pd.DataFrame, overrides: pd.DataFrame) -> pd.DataFrame:
    """Every override with its `state` (applied, stale, no such cell), what our grader says (`graded`) and whether it differs.

    `graded` are scores made without overrides.
    """
    table = _joined(graded, overrides)
    table["changes"] = [
        int(state == "applied" and int(given) != int(ours)) for state, given, ours in
        zip(table["state"], table["correct"], table["graded"].fillna(-1), strict=True)
    ]  # fmt: skip
    return table[[*COLUMNS, "graded", "state", "changes"]]


def add_override(path: Path | None = None, **row: Any) -> Path:
    """Add or replace one override in the file, checked, written whole; returns the path.

    `row` has the values of `COLUMNS`. An earlier override of the same response is replaced.
    """
    import pandas as pd

    from geoutils.study import write_table

    path = overrides_path() if path is None else Path(path)
    record = {name: str(row.get(name, "")).strip() for name in COLUMNS}
    _check(record, "new override")
    table = load_overrides(path).astype(str)
    key = ["experiment", *CELL, "response_sha256"]
    keep = ~(table[key] == pd.Series(record)[key]).all(axis=1) if len(table) else []
    table = table[keep] if len(table) else table
    return write_table(pd.concat([table, pd.DataFrame([record])], ignore_index=True)[COLUMNS], path)


def remove_override(path: Path | None = None, **row: Any) -> Path:
    """Take the override of one response out of the file; returns the path."""
    from geoutils.study import write_table

    path = overrides_path() if path is None else Path(path)
    table = load_overrides(path).astype(str)
    key = [c for c in ["experiment", *CELL, "response_sha256"] if c in row]
    for name in key:
        table = table if not len(table) else table.assign(**{f"_{name}": table[name] == str(row[name])})
    if len(table):
        hit = table[[f"_{name}" for name in key]].all(axis=1)
        table = table[~hit][COLUMNS]
    return write_table(table, path)
