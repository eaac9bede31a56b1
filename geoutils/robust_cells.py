"""Score rows made fit for counting variants and repeats; what was wrong with them is told row by row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from geoutils.compact import KEPT, compact, together
from geoutils.panel import KEYS, LISTED_AS_WRONG, RIGHT, WRONG, check_scores
from geoutils.robustness import Cube, cubes, sorted_cubes, variation_of
from geoutils.score_files import each_file, plan_of, read_scores

if TYPE_CHECKING:
    from geoutils.study import Study

KEY = [name for name in KEYS if name != "category"]
FAULTS = ["file", "row", "model", "problem", "variant", "value", "what", "handled"]


def read_cells(
    scores: pd.DataFrame, *, problems: pd.DataFrame | None = None, plan: pd.DataFrame | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The planned cells with `correct` as 0/1, and a table of faults (file, row, problem, variant, value, what, handled).

    - An unknown or empty value of `correct` counts as not correct: an empty answer is never correct.
    - Where two rows share a cell, the first counts.
    - Without a plan, a statement with fewer repeats than others of its model is told; repeats count as far as all have them.
    - A cell of `plan` without a row counts as not correct (`not_run`); a row that is not planned does not count. Without a
      plan it is each model's problems x variants x representations that count as planned, on repeat 0.

    `problems` adds what each variant changes (`variation`), and `question_type` and `choices` where it has them. Raises
    :class:`UserError` for missing columns, unknown representations and variants that are no whole numbers.
    """
    table = scores.reset_index(drop=True).copy()
    for name, default in (("model", "model"), ("strategy", "direct"), ("variant", 0), ("repeat", 0)):
        if name not in table:
            table[name] = default
    if "file" not in table:
        table["file"], table["line"] = "scores", range(2, len(table) + 2)
    faults: list[pd.DataFrame] = []
    if "correct" in table:
        table["correct"], unknown = _marks(table)
        faults.append(_told(table[unknown.ne("")], unknown[unknown.ne("")], "not a mark of right or wrong", "counts as not correct"))
    if set(KEY) <= set(table):
        twice = table.duplicated(KEY, keep="first")
        first = table[twice].merge(table[~twice], on=KEY, how="left", suffixes=("", "_first"))
        value = first.get("correct", pd.Series(dtype=object)).astype(str) + " after " + first.get("correct_first", pd.Series(dtype=object)).astype(str)
        faults.append(_told(table[twice], value.to_numpy(), "a second row for the same cell", "does not count, the first does"))
        table = table[~twice]
    cells, _ = check_scores(table)
    cells["difficulty"] = cells["difficulty"].fillna("").astype(str) if "difficulty" in cells else ""
    uneven = _uneven(cells) if plan is None else pd.DataFrame(columns=FAULTS)
    cells, missing = _planned(cells, plan, problems)
    faults += [missing, uneven]
    cells["variation"] = ""
    if problems is not None and "kinds" in problems:
        known = problems.drop_duplicates(["problem", "variant"]).astype({"variant": int})
        extra = [c for c in ("question_type", "choices") if c in known]
        known = known[["problem", "variant", "kinds", *extra]]
        cells = cells.drop(columns=["kinds", *extra], errors="ignore").merge(known, on=["problem", "variant"], how="left")
        cells["variation"] = [variation_of(k) if isinstance(k, str) else "" for k in cells["kinds"]]
    real = [f for f in faults if len(f)]
    return cells, pd.concat(real, ignore_index=True) if real else pd.DataFrame(columns=FAULTS)


def load_cells(study: Study) -> tuple[pd.DataFrame, pd.DataFrame]:
    """:func:`read_cells` of a study's scores, problems and plan, file by file; UserError where 04_scoring has not run.

    The cells are compact (see :func:`compact`): take those of a model and strategy with :func:`by_pair`.
    """
    found = list(each_file(study, _cells_of))
    real = [f for _, f in found if len(f)]
    cells, faults = together([c for c, _ in found]), pd.concat(real, ignore_index=True) if real else pd.DataFrame(columns=FAULTS)
    return cells, pd.concat([imported_faults(study.experiment.imported), faults], ignore_index=True)


def imported_faults(record: Mapping[str, Any]) -> pd.DataFrame:
    """The faults that were found when tables were imported, by place."""
    said = record.get("faults", [])
    told = [
        fault if isinstance(fault, dict) else {"value": str(fault), "what": "a fault of the imported tables", "handled": "is counted as its value says"}
        for fault in said
    ]
    return pd.DataFrame(told, columns=FAULTS, dtype=object).fillna("")


def _cells_of(pair: tuple[str, str], study: Study) -> tuple[pd.DataFrame, pd.DataFrame]:
    problems = study.problems()
    scores = read_scores(study, *pair, columns=(*KEYS, *KEPT, "verdict"))
    cells, faults = read_cells(scores, problems=problems, plan=plan_of(study.experiment, problems, *pair))
    return compact(cells), faults


def load_cubes(study: Study) -> list[Cube]:
    """The cubes of a study (repeat 0), file by file; UserError where 04_scoring has not run."""
    return sorted_cubes(cube for found in each_file(study, _cubes_of) for cube in found)


def _cubes_of(pair: tuple[str, str], study: Study) -> list[Cube]:
    scores = read_scores(study, *pair, repeat=0, columns=(*KEYS, *KEPT, "verdict"))
    plan = plan_of(study.experiment, study.problems(), *pair)
    cells, _ = read_cells(scores, plan=plan[plan["repeat"] == 0])
    return cubes(cells)


def _marks(table: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """`correct` as 0/1, and for each row the value that is no mark ("" where it is one, or no answer was given)."""
    text = table["correct"].astype("string").str.strip().str.lower().fillna("")
    right, known = text.isin(RIGHT), text.isin(RIGHT | WRONG | LISTED_AS_WRONG)
    silent = pd.Series(False, index=table.index)
    for column, words in (("outcome", ("ok", "")), ("verdict", ("correct", "wrong", ""))):
        if column in table:
            silent |= ~table[column].fillna("").isin(words)
    value = table["correct"].astype("string").fillna("").replace("", "(empty)")
    return right.astype(int), value.where(~known & ~(text.eq("") & silent), "").astype(str)


def _told(rows: pd.DataFrame, value: Any, what: str, handled: str) -> pd.DataFrame:
    out = rows.reindex(columns=["file", "line", "model", "problem", "variant"]).rename(columns={"line": "row"})
    return out.assign(value=value, what=what, handled=handled)[FAULTS]


def _uneven(cells: pd.DataFrame) -> pd.DataFrame:
    """Statements with fewer repeats than others of their model and strategy, though more than one: told at their last row."""
    pair = ["model", "strategy"]
    statement = [*pair, "problem", "representation", "variant"]
    size = cells.groupby(statement, observed=True)["repeat"].transform("size")
    most = size.groupby([cells[c] for c in pair], observed=True).transform("max")
    some = cells[size < most].drop_duplicates(statement, keep="last")
    value = size[some.index].astype(str) + " of " + most[some.index].astype(str) + " repeats"
    return _told(some, value.to_numpy(), "fewer repeats than other statements", "RC and pass rates use as many repeats as all have")


def _planned(
    cells: pd.DataFrame, plan: pd.DataFrame | None, problems: pd.DataFrame | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The planned cells; those without a row are added as not run, and told."""
    if plan is None:
        grids = []
        for (model, strategy), g in cells[cells["repeat"] == 0].groupby(["model", "strategy"], sort=False):
            names = ["problem", "variant", "representation"]
            grid = pd.MultiIndex.from_product([g[n].unique() for n in names], names=names).to_frame(index=False)
            grids.append(grid.assign(model=model, strategy=strategy, repeat=0))
        further = cells.loc[cells["repeat"] > 0, KEY]
        plan = pd.concat([*grids, further], ignore_index=True) if grids else cells[KEY]
    wanted = plan[KEY].astype({"variant": int, "repeat": int})
    out = wanted.merge(cells, on=KEY, how="left")
    absent = out["correct"].isna()
    extra = cells.merge(wanted, on=KEY, how="left", indicator=True)
    extra = extra[extra["_merge"] == "left_only"]
    about = cells.drop_duplicates("problem").set_index("problem")
    for column in ("category", "difficulty"):
        out[column] = out[column].fillna(out["problem"].map(about[column]))
        if problems is not None and column in problems:
            known = problems.drop_duplicates("problem").set_index("problem")[column]
            out[column] = out[column].fillna(out["problem"].map(known))
        out[column] = out[column].fillna("")
    out["correct"] = out["correct"].fillna(0).astype(int)
    out["outcome"] = out["outcome"].fillna("not_run")
    out["answered"] = out["answered"].eq(True)
    lost = _told(out[absent], "(no row)", "a planned cell without a row", "counts as not correct")
    lost["file"], lost["row"] = lost["file"].fillna(""), lost["row"].astype(object).fillna("")
    told = [t for t in (lost, _told(extra, "", "a row that is not planned", "does not count")) if len(t)]
    return out, pd.concat(told, ignore_index=True) if told else pd.DataFrame(columns=FAULTS)


def fault_counts(faults: pd.DataFrame) -> pd.DataFrame:
    """How often each fault occurs and how it is handled, with the first of its places (file, row, value)."""
    if faults.empty:
        return pd.DataFrame(columns=["what", "handled", "count", "first"])
    rows = []
    for (what, handled), g in faults.groupby(["what", "handled"], sort=False):
        f = g.iloc[0]
        where = [f["file"], f"row {f['row']}" if f["row"] != "" else "", f["model"], f"{f['problem']} variant {f['variant']}"]
        place = f"{', '.join(filter(None, where))}: {f['value']}" if f["problem"] else f["value"]
        rows.append({"what": what, "handled": handled, "count": len(g), "first": place})
    return pd.DataFrame(rows)
