"""Responses into parsed answers, one file of a model and strategy at a time: memory stays flat, all cores work.

A file is read in the order of the plan, a few thousand rows at a time, written whole or not at all, and told in counts:
`Parsed` holds those of all files, with the few responses that are shown, but never all of them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.errors import UserError
from geoutils.experiment import Experiment, imported_record, safe_name
from geoutils.workers import cores, spread

if TYPE_CHECKING:
    import pandas as pd

    from geoutils.study import Study

CHUNK = 4_000
ALONE = 20_000  # so many rows are read sooner here than processes start
TALLIED = ("outcome", "reading", "rule", "warnings", "json_keys")
SHOWN = ("model", "strategy", "problem", "representation", "outcome", "reading", "rule", "span", "predicted", "warnings", "content")


@dataclass
class Parsed:
    """What parsing a study came to.

    `tally` counts `cells` by model, strategy and `TALLIED`, in the order of their first row; `examples` are the first
    responses of each rule; `paths` the files; `speed` holds `answers`, `per_second` of one core and `worst_ms`.
    """

    tally: pd.DataFrame
    examples: pd.DataFrame
    paths: list[Path] = field(default_factory=list)
    speed: dict[str, float] = field(default_factory=dict)


def parse_study(study: Study, *, per_rule: int = 2, jobs: int = 0) -> Parsed:
    """Read all responses of a study into `data/NAME/parsed/`, each file in a process of its own where that pays.

    `per_rule` is how many examples of a rule are to be shown; `jobs` the number of processes (0: one for each core).
    Pairs of model and strategy whose answers were imported already parsed keep them as they came.
    """
    import pandas as pd

    from geoutils.merge import merge_pending
    from geoutils.responses import planned_cells

    merge_pending(study.experiment)
    problems = study.problems()
    pairs = study.experiment.pairs()
    small = sum(planned_cells(study.experiment, problems, *pair) for pair in pairs) < ALONE
    shared = (study.experiment, problems, 2 * per_rule)
    found = list(spread(pairs, _parse_one, 1 if small else jobs or cores(), shared=shared))
    counted = [{"model": m, "strategy": s, **row} for (m, s), one in zip(pairs, found, strict=True) for row in one["tally"]]
    shown = [{"model": m, "strategy": s, **row} for (m, s), one in zip(pairs, found, strict=True) for row in one["examples"]]
    answers, seconds = sum(one["answers"] for one in found), sum(one["seconds"] for one in found)
    speed = {"answers": answers, "per_second": answers / seconds if seconds else 0.0, "worst_ms": max((1000 * one["worst"] for one in found), default=0.0)}
    return Parsed(
        pd.DataFrame(counted, columns=["model", "strategy", *TALLIED, "cells"]),
        pd.DataFrame(shown, columns=list(SHOWN)),
        [parsed_path(study.experiment, *pair) for pair in pairs],
        speed,
    )


def parsed_path(experiment: Experiment, model: str, strategy: str) -> Path:
    """The file of parsed answers of a model and strategy."""
    return experiment.data_dir / "parsed" / f"{safe_name(model)}__{strategy}.csv"


def _parse_one(pair: tuple[str, str], shared: tuple[Any, ...]) -> dict[str, Any]:
    experiment, problems, keep = shared
    return parse_pair(experiment, problems, *pair, keep=keep)


def parse_pair(experiment: Experiment, problems: pd.DataFrame, model: str, strategy: str, *, keep: int = 4) -> dict[str, Any]:
    """Parse the responses of one model and strategy and write their file, whole or not at all.

    A file that was made from the same responses by the same code is taken as it is.
    Returns plain data: `tally` and `examples` (records, see `Parsed`; at most `keep` of each rule, read or not), and
    how long reading took: `answers`, `seconds`, `worst`.
    """
    from geoutils.files import writing
    from geoutils.kept import mark_of, read_kept, write_kept
    from geoutils.parsed import read_rows
    from geoutils.readings import units_of
    from geoutils.responses import as_table, iter_pair
    from geoutils.store import main_path

    told = _Told(keep)
    path = parsed_path(experiment, model, strategy)
    if [model, strategy] in imported_record(experiment.name).get("parsed", []) and path.is_file():
        for table in _pieces(path):
            told.add(table)
        return told.record()
    made_from = [main_path(experiment, model, strategy), experiment.data_dir / "problems.csv"]
    mark = mark_of(experiment, model, strategy, made_from, keep=keep, rows=len(problems))
    if (kept := read_kept(path, mark)) is not None:
        return kept
    units = units_of(problems)
    rows = iter_pair(experiment, problems, model, strategy)
    with writing(path) as file:
        chunk = list(islice(rows, CHUNK))
        first = True
        while first or chunk:
            table = as_table(chunk)
            table = table.join(read_rows(table, units, told.time))
            told.add(table)
            table.drop(columns=["content", "reasoning"]).to_csv(file, index=False, header=first, lineterminator="\n")
            chunk, first = list(islice(rows, CHUNK)), False
    write_kept(path, mark, told.record())
    return told.record()


def _pieces(path: Path) -> Iterator[pd.DataFrame]:
    import pandas as pd

    from geoutils.experiment import shown

    try:
        yield from pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8", chunksize=10 * CHUNK)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise UserError(f"{shown(path)}: not a readable CSV ({error}); import it again") from None


class _Told:
    """Counts and examples of one file, gathered chunk by chunk."""

    def __init__(self, keep: int) -> None:
        self.keep = keep
        self.tally: Counter[tuple[str, ...]] = Counter()
        self.kept: Counter[tuple[bool, str]] = Counter()
        self.examples: list[dict[str, str]] = []
        self.answers, self.seconds, self.worst = 0, 0.0, 0.0

    def time(self, read: Any, *given: Any, **options: Any) -> Any:
        """Read one answer, and note how long that took."""
        before = time.perf_counter()
        reading = read(*given, **options)
        spent = time.perf_counter() - before
        self.answers, self.seconds, self.worst = self.answers + 1, self.seconds + spent, max(self.worst, spent)
        return reading

    def add(self, table: pd.DataFrame) -> None:
        """Count the rows of a table, and keep the first of each rule."""
        columns: list[Iterable[str]] = [table[c] if c in table else [""] * len(table) for c in TALLIED]
        self.tally.update(zip(*columns, strict=True))
        ok = table[table["outcome"].eq("ok")]
        for answered, part in ((True, ok[ok["reading"].eq("answered")]), (False, ok[ok["reading"].isin(("none", "refusal", "cut"))])):
            for rule, group in part.groupby("rule", sort=False):
                room = self.keep - self.kept[answered, rule]
                if room > 0:
                    chosen = group.head(room).reindex(columns=list(SHOWN[2:]), fill_value="")
                    self.kept[answered, rule] += len(chosen)
                    self.examples += chosen.to_dict("records")

    def record(self) -> dict[str, Any]:
        """All of it as plain data."""
        tally = [dict(zip(TALLIED, key, strict=True)) | {"cells": count} for key, count in self.tally.items()]
        return {"tally": tally, "examples": self.examples, "answers": self.answers, "seconds": self.seconds, "worst": self.worst}
