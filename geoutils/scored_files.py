"""Parsed answers into scores, one file of a model and strategy at a time: memory stays flat, all cores work.

A file is graded some thousand rows at a time, cut between problems, since answers to one problem are compared with each
other. `Scored` holds what notebook 04 shows of it: counts, the headline rows, and the rows that deserve a look.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.experiment import Experiment
from geoutils.parsed_files import ALONE, parsed_path
from geoutils.score_files import scores_path
from geoutils.workers import cores, spread

if TYPE_CHECKING:
    import pandas as pd

    from geoutils.study import Study

CHUNK = 20_000
REVIEWED = 5_000  # rows of the review table that are kept, the most telling ones
TABLES = ("verdicts", "same", "sensitivity", "notices", "headline", "graded")


@dataclass
class Scored:
    """What scoring a study came to: `rows` scored, and as tables

    `verdicts, same, sensitivity, notices` (see `geoutils.trust` and `geoutils.scoring`), `headline` (the scores of variant
    0 and repeat 0), `graded` (what our grader says of the overridden cells), `review` (the most telling rows, at most
    `REVIEWED`) and `reasons` (of all rows that deserve a look, `telling` in number).
    """

    rows: int
    telling: int
    verdicts: pd.DataFrame
    same: pd.DataFrame
    sensitivity: pd.DataFrame
    notices: pd.DataFrame
    headline: pd.DataFrame
    graded: pd.DataFrame
    review: pd.DataFrame
    reasons: pd.DataFrame
    paths: list[Path] = field(default_factory=list)


def score_study(study: Study, *, overrides: pd.DataFrame | None = None, jobs: int = 0) -> Scored:
    """Grade the parsed answers of a study into `data/NAME/scores/`, each file in a process of its own where that pays.

    `overrides` are human judgements (`geoutils.overrides`). Raises UserError when 03_parsing has not run.
    """
    import pandas as pd

    from geoutils.responses import planned_cells
    from geoutils.review import most_telling, reason_counts

    problems, pairs = study.problems(), study.experiment.pairs()
    for pair in pairs:
        study.require(parsed_path(study.experiment, *pair), "parsing")
    small = sum(planned_cells(study.experiment, problems, *pair) for pair in pairs) < ALONE
    shared = (study.experiment, problems.drop(columns=["statement", "solution"], errors="ignore"), overrides)
    found = list(spread(pairs, _score_one, 1 if small else jobs or cores(), shared=shared))
    tables = {name: pd.concat([one[name] for one in found], ignore_index=True) for name in TABLES}
    review = most_telling([one["review"] for one in found], limit=REVIEWED)
    telling = sum(one["telling"] for one in found)
    reasons = reason_counts(review)
    if telling > len(review):
        reasons = pd.concat([one["reasons"] for one in found]).groupby("reason", sort=False)["rows"].sum()
        reasons = reasons.sort_values(ascending=False, kind="stable").reset_index()
    paths = [scores_path(study.experiment, *pair) for pair in pairs]
    return Scored(sum(one["rows"] for one in found), telling, review=review, reasons=reasons, paths=paths, **tables)


def _score_one(pair: tuple[str, str], shared: tuple[Any, ...]) -> dict[str, Any]:
    experiment, problems, overrides = shared
    return score_pair(experiment, problems, *pair, overrides=overrides)


def score_pair(
    experiment: Experiment, problems: pd.DataFrame, model: str, strategy: str, *, overrides: pd.DataFrame | None = None
) -> dict[str, Any]:
    """Grade the parsed answers of one model and strategy and write their scores, whole or not at all.

    Returns `rows`, `telling` and the tables of `Scored` for this file.
    """
    import pandas as pd

    from geoutils import review, trust
    from geoutils.files import writing
    from geoutils.scoring import CELL, COLUMNS, PAIRS, score, sensitivity

    figures = experiment.grading.min_significant
    mine = overrides
    if overrides is not None:
        mine = overrides[overrides["model"].eq(model) & overrides["strategy"].eq(strategy)]
    source = parsed_path(experiment, model, strategy)
    present, pieces = _pieces(source)
    pairs = [pair for pair in combinations(present, 2) if pair not in PAIRS]
    columns = [*COLUMNS, *(name for a, b in pairs if (name := f"same_{a}_{b}") not in COLUMNS)]
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in ("once", "counts", "notices", "headline", "graded", "review", "reasons")}
    rows = telling = 0
    with writing(scores_path(experiment, model, strategy)) as file:
        for parsed in pieces:
            scores = score(parsed, problems, min_significant=figures, overrides=mine)
            scores = scores.reindex(columns=columns, fill_value=0) if list(scores) != columns else scores
            scores.to_csv(file, index=False, header=not rows, lineterminator="\n")
            rows += len(scores)
            parts["counts"].append(trust.verdict_counts(scores))
            parts["once"].append(scores.drop_duplicates(CELL)[[*CELL, *(c for c in columns if c.startswith("same_") and c != "same_group")]])
            parts["notices"].append(trust.imported_notices(scores))
            parts["headline"].append(scores[(scores["variant"].astype(int) == 0) & (scores["repeat"].astype(int) == 0)])
            if mine is not None and len(mine):
                graded = score(parsed, problems, min_significant=figures)
                judged = pd.MultiIndex.from_frame(graded[["problem", "representation"]]).isin(list(zip(mine["problem"], mine["representation"], strict=True)))
                parts["graded"].append(graded[judged])
            else:
                parts["graded"].append(scores.head(0))
            table = review.review_table(scores, parsed, min_significant=figures)
            telling += len(table)
            parts["reasons"].append(review.reason_counts(table))
            parts["review"] = [review.most_telling([*parts["review"], table], limit=REVIEWED)]
    whole = {name: pd.concat(tables, ignore_index=True) for name, tables in parts.items()}
    keys = ["model", "strategy"]
    return {
        "rows": rows,
        "telling": telling,
        "verdicts": whole["counts"].groupby(keys, sort=False).sum(numeric_only=True).reset_index(),
        "same": trust.same_counts(whole["once"]),
        "sensitivity": sensitivity(whole["headline"], min_significant=figures),
        "reasons": whole["reasons"].groupby("reason", sort=False)["rows"].sum().reset_index(),
        **{name: whole[name] for name in ("notices", "headline", "graded", "review")},
    }


def _pieces(path: Path) -> tuple[list[str], Iterator[pd.DataFrame]]:
    """The representations of a file of parsed answers, and its rows in pieces that part no problem.

    A file in which a problem comes back after another one is one piece.
    """
    import pandas as pd

    from geoutils.study import read_pieces

    known: dict[str, None] = {}
    runs: list[str] = []
    size = 0
    for piece in read_pieces(path, rows=10 * CHUNK, columns=("problem", "representation")):
        size += len(piece)
        known |= dict.fromkeys(piece["representation"])
        starts = piece["problem"].ne(piece["problem"].shift())
        runs += [name for name in piece.loc[starts, "problem"] if not runs or runs[-1] != name]
    order = [name for name in dict.fromkeys(["coord", "euclid", "vector", *known]) if name in known]
    whole = size <= CHUNK or len(set(runs)) < len(runs)

    def pieces() -> Iterator[pd.DataFrame]:
        kept: list[pd.DataFrame] = []
        for piece in read_pieces(path, rows=None if whole else CHUNK):
            last = piece["problem"].ne(piece["problem"].iloc[-1]) if len(piece) and not whole else None
            if last is None or not last.any():
                kept.append(piece)
                continue
            cut = int(last.to_numpy().nonzero()[0][-1]) + 1  # the last problem may go on in the next piece
            yield pd.concat([*kept, piece.iloc[:cut]], ignore_index=True)
            kept = [piece.iloc[cut:]]
        if kept:
            yield pd.concat(kept, ignore_index=True)

    return order, pieces()
