"""What came back, without the texts: as much of all responses as the tables of notebook 02 need, in little memory."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from geoutils.experiment import Experiment
from geoutils.parsed_files import ALONE
from geoutils.workers import cores, spread

if TYPE_CHECKING:
    import pandas as pd

CHUNK = 10_000
TEXTS = ("model", "strategy", "representation", "outcome", "served_model", "served_provider")
NUMBERS = ("prompt_tokens", "completion_tokens", "latency_s")
SHOWN = ("model", "strategy", "problem", "representation", "outcome", "content")


def load_asked(experiment: Experiment, problems: pd.DataFrame, *, jobs: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """One row for each planned cell with `TEXTS` (as categories) and `NUMBERS`, and the first response of each model and strategy.

    The second table has the columns `SHOWN`. Like `geoutils.inference.load_responses`, but millions of cells fit in memory.
    """
    import pandas as pd

    from geoutils.compact import together
    from geoutils.merge import merge_pending
    from geoutils.responses import planned_cells

    merge_pending(experiment)
    pairs = experiment.pairs()
    small = sum(planned_cells(experiment, problems, *pair) for pair in pairs) < ALONE
    found = list(spread(pairs, _asked, 1 if small else jobs or cores(), shared=(experiment, problems)))
    tables = [table for part, _ in found for table in part]
    return together(tables), pd.DataFrame([row for _, first in found for row in first], columns=list(SHOWN))


def _asked(pair: tuple[str, str], shared: tuple[Any, ...]) -> tuple[list[pd.DataFrame], list[dict[str, Any]]]:
    from geoutils.responses import as_table, iter_pair

    experiment, problems = shared
    rows = iter_pair(experiment, problems, *pair)
    tables: list[pd.DataFrame] = []
    first: list[dict[str, Any]] = []
    while (chunk := list(islice(rows, CHUNK))) or not tables:
        first = first or [{name: row[name] for name in SHOWN} for row in chunk if row["content"]][:1]
        table = as_table(chunk)[[*TEXTS, *NUMBERS]]
        tables.append(table.astype(dict.fromkeys(TEXTS, "category") | dict.fromkeys(NUMBERS, "float64")))
    return tables, first
