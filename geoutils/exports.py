"""Our results go out in the same formats that come in: raw texts, parsed JSON, scored CSVs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from geoutils.errors import UserError
from geoutils.experiment import Experiment, load_experiment, safe_name
from geoutils.files import write_text

if TYPE_CHECKING:
    import pandas as pd

    from geoutils.study import Study

SEED_COLUMNS = ["problem", "category", "representation", "predicted", "gold", "correct"]


def _study(experiment: Experiment | str | Path) -> Study:
    from geoutils.study import open_study

    loaded = experiment if isinstance(experiment, Experiment) else load_experiment(experiment)
    return open_study(loaded, stage="scoring", quiet=True)


def _first(table: pd.DataFrame) -> pd.DataFrame:
    """Variant 0 and repeat 0: the other layouts have no place for more."""
    return table[(table["variant"].astype(int) == 0) & (table["repeat"].astype(int) == 0)]


def _summary(rows: list[tuple[str, str, str, int]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows, columns=["model", "strategy", "path", "rows"])


def export_raw(experiment: Experiment | str | Path, out: str | Path) -> pd.DataFrame:
    """Responses as `OUT/<model>__<strategy>/<problem>_<representation>.txt`; cells without a response have no file."""
    rows = []
    responses = _first(_study(experiment).responses())
    for (model, strategy), group in responses.groupby(["model", "strategy"], sort=False):
        folder = Path(out) / f"{safe_name(str(model))}__{strategy}"
        given = group[group["outcome"].isin(("ok", "truncated", "refused", "content_filter", "empty"))]
        for row in given.itertuples(index=False):
            write_text(folder / f"{row.problem}_{row.representation}.txt", str(row.content))
        rows.append((str(model), str(strategy), str(folder), len(given)))
    return _summary(rows)


def export_parsed(experiment: Experiment | str | Path, out: str | Path) -> pd.DataFrame:
    """Parsed answers as `OUT/<model>__<strategy>.json`, a list of records."""
    rows = []
    for (model, strategy), group in _first(_study(experiment).parsed()).groupby(["model", "strategy"], sort=False):
        names = ["problem", "category", "representation", "predicted", "outcome", "reading", "rule", "warnings"]
        records = [{"model": model, "strategy": strategy, **dict(zip(names, row, strict=True))} for row in group[names].itertuples(index=False)]
        path = write_text(Path(out) / f"{safe_name(str(model))}__{strategy}.json", json.dumps(records, ensure_ascii=False, indent=1) + "\n")
        rows.append((str(model), str(strategy), str(path), len(records)))
    return _summary(rows)


def export_scores(experiment: Experiment | str | Path, out: str | Path, *, seed_columns: bool = False) -> pd.DataFrame:
    """Scores as `OUT/exp1_<model>__<strategy>.csv`, the usual six columns first (only they with `seed_columns`)."""
    from geoutils.study import write_table

    scores = _first(_study(experiment).scores()).drop(columns=["file", "line"], errors="ignore")
    if scores.empty:
        raise UserError("there are no scores of variant 0 and repeat 0 to export")
    rows = []
    for (model, strategy), group in scores.groupby(["model", "strategy"], sort=False):
        table = group[SEED_COLUMNS] if seed_columns else group
        path = write_table(table, Path(out) / f"exp1_{safe_name(str(model))}__{strategy}.csv")
        rows.append((str(model), str(strategy), str(path), len(table)))
    return _summary(rows)
