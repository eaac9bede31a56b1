"""What a run of the inference stage came to: outcomes, attempts, providers, times and costs."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

from geoutils.errors import UserError
from geoutils.experiment import Experiment
from geoutils.outcomes import AGAIN, OUTCOMES
from geoutils.shards import shard_in
from geoutils.store import Store, store_path

if TYPE_CHECKING:
    import pandas as pd


def outcome_table(responses: pd.DataFrame) -> pd.DataFrame:
    """Counts of outcomes: model, strategy, representation, planned, then one column for each outcome."""
    import pandas as pd

    keys = ["model", "strategy", "representation"]
    outcome = pd.Categorical(responses["outcome"], categories=OUTCOMES)
    counts = pd.crosstab([responses[key] for key in keys], outcome, dropna=False)
    counts = counts.reindex(columns=list(OUTCOMES), fill_value=0)
    order = responses[keys].drop_duplicates().astype(str)
    counts = order.merge(counts.reset_index().astype(dict.fromkeys(keys, "str")), on=keys, how="left")
    counts.insert(3, "planned", counts[list(OUTCOMES)].sum(axis=1))
    return counts.reset_index(drop=True)


def provider_table(responses: pd.DataFrame) -> pd.DataFrame:
    """Who served each model and strategy: providers, models as served, and whether they are mixed.

    `mixed` is true where one model and strategy, or the repeats of one statement, were served by
    more than one provider or model version: their numbers then mix two things.
    """
    asked = responses[responses["served_provider"].ne("") | responses["served_model"].ne("")]
    groups = asked.groupby(["model", "strategy"], sort=False)
    table = groups.agg(
        providers=("served_provider", lambda names: ", ".join(sorted(set(filter(None, names))))),
        served_models=("served_model", lambda names: ", ".join(sorted(set(filter(None, names))))),
        n=("outcome", "size"),
    ).reset_index()
    several = groups[["served_provider", "served_model"]].nunique().max(axis=1).gt(1)
    table["mixed"] = several.to_numpy(dtype=bool) if len(table) else []
    return table


def cost_table(experiment: Experiment, *, answers_only: bool = False) -> pd.DataFrame:
    """What each model cost: model, attempts, usd, unknown.

    With `answers_only` it is the cost of the answers alone, without what later stages asked of judges and for concepts.

    `usd` sums what providers reported (or known prices times tokens) over every attempt of every
    response file of the experiment, failed attempts and judges included; `unknown` counts the
    attempts whose cost is not known and therefore not in it; `usd` is blank where all are. The files of
    shards count once they are merged; a shard itself sees only its own.
    """
    import pandas as pd

    totals: dict[str, list[float]] = {}
    folder = experiment.data_dir / "responses" if answers_only else experiment.data_dir
    every = sorted(path for path in folder.rglob("*.sqlite") if not shard_in(path))
    own = [path for pair in experiment.pairs() if (path := store_path(experiment, *pair)).is_file()]
    for path in own if experiment.shard else every:
        try:
            with Store(path) as store:
                model = store.about().get("model", "")
                found = store.totals()
        except (sqlite3.Error, UserError):
            continue
        sums = totals.setdefault(model or path.stem, [0, 0.0, 0])
        for place, name in enumerate(("attempts", "usd", "unknown")):
            sums[place] += found[name]
    rows = [
        {"model": model, "attempts": int(count), "usd": None if count and count == unknown else usd, "unknown": int(unknown)}
        for model, (count, usd, unknown) in totals.items()
    ]
    return pd.DataFrame(rows, columns=["model", "attempts", "usd", "unknown"]).astype({"usd": "float64"})


def attempts_table(experiment: Experiment) -> pd.DataFrame:
    """Every attempt, also those that failed and were repeated: model, strategy, outcome, http_code, count, example.

    `example` is the text of one error (blank where there was none).
    """
    import pandas as pd

    rows: list[dict[str, Any]] = []
    for model, strategy in experiment.pairs():
        path = store_path(experiment, model, strategy)
        if path.is_file():
            with Store(path) as store:
                rows += [{"model": model, "strategy": strategy, **row} for row in store.attempts_by_outcome()]
    table = pd.DataFrame(rows, columns=["model", "strategy", "outcome", "http_code", "count", "example"])
    return table.astype({"http_code": "Int64"})


def usage_table(responses: pd.DataFrame) -> pd.DataFrame:
    """Time and length of the answers of models that were asked over a connection.

    Returns model, strategy, n (answers), latency_median_s and latency_95_s (seconds), prompt_tokens
    and completion_tokens (means), truncated (share of the n that were cut by the token limit).
    """
    answered = responses[responses["prompt_tokens"].notna()]
    groups = answered.groupby(["model", "strategy"], sort=False)
    table = groups.agg(
        n=("outcome", "size"),
        latency_median_s=("latency_s", "median"),
        latency_95_s=("latency_s", lambda times: times.quantile(0.95)),
        prompt_tokens=("prompt_tokens", "mean"),
        completion_tokens=("completion_tokens", "mean"),
        truncated=("outcome", lambda outcomes: (outcomes == "truncated").mean()),
    )
    return table.reset_index()


def say_estimate(estimate: pd.DataFrame, max_usd: float) -> str:
    """One sentence: how many cells are open, and what they could cost at most."""
    cells = f"{int(estimate['open'].sum()):,} of {int(estimate['planned'].sum()):,} cells are open"
    if (estimate["usd_at_most"] == 0).all():
        return f"{cells}; nothing in this plan costs money."
    unknown = estimate.loc[estimate["usd_at_most"].isna(), "model"].unique()
    blind = f"; for {', '.join(f'`{model}`' for model in unknown)} the cost cannot be told" if len(unknown) else ""
    return f"{cells}; at most {estimate['usd_at_most'].sum():.2f} USD{blind}. The experiment's limit is {max_usd:g} USD."


def say_outcomes(outcomes: pd.DataFrame) -> str:
    """One sentence: how many of the planned cells have an answer, and what became of the others."""
    planned = int(outcomes["planned"].sum())
    counts = {name: int(outcomes[name].sum()) for name in OUTCOMES}
    others = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count and name != "ok")
    measured = planned - sum(counts[name] for name in AGAIN)
    return (
        f"Of {planned:,} planned cells, {counts['ok']:,} ended `ok`" + (f"; the others: {others}" if others else "")
        + f". {measured:,} were measured; the other {planned - measured:,} count as not correct and stay in every denominator."
    )


def say_usage(usage: pd.DataFrame) -> str:
    """One sentence: the slowest model and the one most often cut by its token limit."""
    if usage.empty:
        return "No model was asked over a connection."
    slow = usage.loc[usage["latency_median_s"].idxmax()]
    cut = usage.loc[usage["truncated"].idxmax()]
    return (
        f"Half of the answers of `{slow['model']}` to `{slow['strategy']}` took longer than {slow['latency_median_s']:.1f} s "
        f"(n = {slow['n']}). The token limit cut at most {cut['truncated']:.0%} of the answers of a model and strategy "
        f"(`{cut['model']}`, `{cut['strategy']}`, n = {cut['n']})."
    )


def say_providers(providers: pd.DataFrame) -> str:
    """One sentence: whether each model and strategy was served by one provider and version."""
    mixed = providers[providers["mixed"]]
    if mixed.empty:
        return f"Each of the {len(providers)} combinations of model and strategy was served by one provider and one model version."
    names = "; ".join(f"`{row.model}` ({row.strategy}): {row.providers or row.served_models}" for row in mixed.itertuples())
    return f"**Warning:** numbers that mix providers or model versions: {names}. Pin one with `provider: {{only: [...]}}`."


def say_costs(costs: pd.DataFrame) -> str:
    """One sentence: what all attempts cost, and what is not known."""
    unknown = int(costs["unknown"].sum())
    more = f"; the cost of {unknown:,} attempts is unknown and not in it" if unknown else ""
    return f"All {int(costs['attempts'].sum()):,} attempts together cost {costs['usd'].sum():.4f} USD{more}."
