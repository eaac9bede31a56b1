"""What was answered, for the later stages: responses, costs and outcomes as tables."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from geoutils.baselines import with_most_common
from geoutils.endpoints import Endpoint, resolve
from geoutils.errors import UserError
from geoutils.examples import examples_for
from geoutils.experiment import KEY, Experiment
from geoutils.merge import merge_pending
from geoutils.requests import Cell, Request, RequestMaker, _chosen, cells_of
from geoutils.shards import is_mine
from geoutils.store import Store, main_path, store_path

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    *KEY, "outcome", "content", "reasoning", "finish_reason", "served_model", "served_provider", "prompt_tokens",
    "completion_tokens", "cost_usd", "latency_s", "attempts", "response_sha256", "request_sha256", "error",
)
NOT_RUN: dict[str, Any] = {
    "outcome": "not_run", "content": "", "reasoning": "", "finish_reason": "", "served_model": "",
    "served_provider": "", "prompt_tokens": None, "completion_tokens": None, "cost_usd": None, "latency_s": None,
    "attempts": 0, "response_sha256": "", "error": "",
}


def endpoint_of(model: str, experiment: Experiment) -> Endpoint:
    """The endpoint of a model; one whose responses were only imported needs none."""
    try:
        return resolve(model, experiment)
    except UserError:
        if any(main_path(experiment, *pair).is_file() for pair in experiment.pairs() if pair[0] == model):
            return Endpoint(model, model.partition("/")[0], "imported", model, "imported:1")
        raise


def planned(experiment: Experiment, problems: pd.DataFrame, model: str, strategy: str) -> Iterator[tuple[Cell, Request]]:
    """The cells of one model and strategy with their exact requests, made one at a time; of the experiment's shard only."""
    endpoint = endpoint_of(model, experiment)
    parameters = experiment.sampling_for(model, strategy)
    if endpoint.kind == "baseline" and "most_common" not in problems:
        problems = with_most_common(problems)
    if endpoint.is_remote or endpoint.kind == "embedded":
        problems = examples_for(experiment, problems, strategy)
    make = RequestMaker(endpoint, strategy, experiment, parameters)
    for cell in cells_of(experiment, problems, model, strategy):
        request = make(cell)
        if is_mine(request.key(cell.repeat), experiment.shard):
            yield cell, request


def answered(experiment: Experiment, model: str, strategy: str) -> dict[bytes, int]:
    """What each cell of a model and strategy came to, by its key, as `Store.best` codes it; a shard also sees the main file."""
    best: dict[bytes, int] = {}
    for path in dict.fromkeys((store_path(experiment, model, strategy), main_path(experiment, model, strategy))):
        if path.is_file():
            with Store(path) as store:
                for cell, code in store.best().items():
                    best[cell] = max(best.get(cell, -1), code, key=lambda code: code // 16)
    return best


def problems_of(experiment: Experiment) -> pd.DataFrame:
    """The problems table that 01_dataset left, or a fresh one."""
    path = experiment.data_dir / "problems.csv"
    if path.is_file():
        from geoutils.study import read_table

        return read_table(path)
    from geoutils.dataset import load_problems

    return load_problems(experiment)


def iter_responses(experiment: Experiment, problems: pd.DataFrame | None = None) -> Iterator[dict[str, Any]]:
    """The best attempt of each planned cell, one at a time: for plans too large for one table."""
    merge_pending(experiment)
    problems = problems_of(experiment) if problems is None else problems
    for model, strategy in experiment.pairs():
        yield from iter_pair(experiment, problems, model, strategy)


def planned_cells(experiment: Experiment, problems: pd.DataFrame, model: str, strategy: str) -> int:
    """How many cells the plan has for a model and strategy, without making them."""
    return sum(_chosen(experiment, problems, model, strategy)[1].values())


def iter_pair(experiment: Experiment, problems: pd.DataFrame, model: str, strategy: str) -> Iterator[dict[str, Any]]:
    """The best attempt of each planned cell of one model and strategy, in the order of the plan."""
    paths = dict.fromkeys((store_path(experiment, model, strategy), main_path(experiment, model, strategy)))  # of a shard: two
    with contextlib.ExitStack() as opened:
        stores = [opened.enter_context(Store(path)) for path in paths if path.is_file()]
        for cell, request in planned(experiment, problems, model, strategy):
            found = [row for store in stores if (row := _find(store, cell, request))]
            best = next((row for row in found if row["outcome"] == "ok"), found[0] if found else NOT_RUN)
            yield _record(cell, request, best)


def _find(store: Store, cell: Cell, request: Request) -> dict[str, Any] | None:
    return store.best_row(request.key(cell.repeat)) or store.best_row(cell.imported_key())


def _record(cell: Cell, request: Request, found: dict[str, Any]) -> dict[str, Any]:
    row = {name: getattr(cell, name) for name in KEY}
    row |= {name: found[name] for name in COLUMNS if name in found}
    digest = found["response_sha256"]
    row["response_sha256"] = digest.hex() if isinstance(digest, bytes) else digest
    row["request_sha256"] = request.sha256.hex()
    return row


def load_responses(
    experiment: Experiment, plan: pd.DataFrame | None = None, *, problems: pd.DataFrame | None = None
) -> pd.DataFrame:
    """One row for each cell of the plan: its key columns and its best attempt.

    Parameters: `plan` restricts and orders the rows (default: the whole plan); `problems` is the
    problems table (default: what 01_dataset left).

    Returns the key columns, `outcome` (`not_run` where a cell was never asked), `content`,
    `reasoning`, `finish_reason`, `served_model`, `served_provider`, `prompt_tokens`,
    `completion_tokens`, `cost_usd` (US dollars of the best attempt, blank where unknown),
    `latency_s`, `attempts`, `response_sha256`, `request_sha256`, `error`.
    """
    table = as_table(iter_responses(experiment, problems))
    if plan is None:
        return table
    keys = list(KEY)
    return plan[keys].merge(table, on=keys, how="left", validate="one_to_one")


def as_table(rows: Iterable[dict[str, Any]]) -> pd.DataFrame:
    """Responses as a table with the columns and types of `load_responses`."""
    import pandas as pd

    table = pd.DataFrame(rows, columns=list(COLUMNS))
    for name in ("prompt_tokens", "completion_tokens"):
        table[name] = table[name].astype("Int64")
    for name in ("cost_usd", "latency_s"):
        table[name] = table[name].astype("float64")
    return table
