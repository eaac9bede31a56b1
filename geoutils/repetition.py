"""Further tries at the same statement: repetition consistency, pass^k and pass@k, clustered by seed problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from geoutils.answers import Value, read_gold, same_answer
from geoutils.compact import by_pair
from geoutils.panel import KNOWN, kind_of
from geoutils.robustness import ALL, DRAWS
from geoutils.stats.repeats import pass_at_k, pass_hat_k
from geoutils.stats.resampling import percentile, resampled_means, weights

AT_ZERO = "temperature 0: repeats show the server's noise, not the model's"
NO_ANSWERS = "the answers themselves are not known"
CELL = ["problem", "representation", "variant"]
GROUPED = ("category", "difficulty", "variation")


@lru_cache(maxsize=65536)
def _value(text: str) -> Value | None:
    try:
        return read_gold(text, None)
    except ValueError:
        return None


@lru_cache(maxsize=65536)
def alike(first: str, second: str) -> bool:
    """Whether two answers are the same to the grader; an unread answer ("") agrees with nothing."""
    if not first or not second:
        return False
    if first == second:
        return True
    one, two = _value(first), _value(second)
    return one is not None and two is not None and same_answer(one, two)


def consistency(answers: list[str]) -> tuple[float, float]:
    """RC of one statement: against the primary answer, and against the modal one.

    The first answer is the primary one; against it RC = share of the *further* answers that are the same (Zou et al.
    2024). The modal RC is the share of *all* answers that equal the one most of them equal.
    """
    if len(answers) < 2:
        return np.nan, np.nan
    counts = Counter(answers)  # each different answer is compared once
    first = sum(count for other, count in counts.items() if alike(answers[0], other)) - alike(answers[0], answers[0])
    modal = max(sum(count for other, count in counts.items() if alike(one, other)) for one in counts)
    return first / (len(answers) - 1), modal / len(answers)


def _complete(cells: pd.DataFrame) -> Iterable[tuple[tuple[str, str], pd.DataFrame, int, int, int]]:
    """For each model and strategy the statements asked more than once, their common number of answers, and the rest."""
    for (model, strategy), g in by_pair(cells):
        size = g.groupby(CELL)["repeat"].transform("size")
        asked = g[size > 1].sort_values([*CELL, "repeat"], kind="stable")
        if asked.empty:
            continue
        own = asked.groupby(CELL).size()
        k = int(own.min())
        first = asked[asked.groupby(CELL).cumcount() < k]
        yield (model, strategy), first, k, int(own.max()), int((size == 1).sum())


def _interval(per_cell: pd.Series) -> tuple[int, float, float, float]:
    """Mean over statements within a seed, then over seeds, with percentile limits over resampled seeds."""
    seeds = per_cell.groupby(level="problem").mean().to_numpy()
    low, high = percentile(resampled_means(seeds, weights(len(seeds), draws=DRAWS)))
    return len(seeds), float(seeds.mean()), float(low), float(high)


def repetition_consistency(cells: pd.DataFrame, temperatures: dict[tuple[str, str], float | None] | None = None) -> pd.DataFrame:
    """RC of each model, strategy and representation: the first of `repetition_tables`."""
    return repetition_tables(cells, temperatures)[0]


def repetition_tables(
    cells: pd.DataFrame, temperatures: dict[tuple[str, str], float | None] | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """RC against the primary and against the modal answer, with limits: by representation, and by group.

    The first table has one row a model, strategy and representation (`all` together); `k` is the number of further
    answers; with unequal numbers the smallest is used and `note` tells the largest. `unread_primary` counts the statements
    whose primary answer could not be read: their RC is 0. The second has one row a category, difficulty and kind of
    variation (columns `by` and `group`), over all representations together.
    """
    rows, groups = [], []
    for (model, strategy), g, k, most, once in _complete(cells):
        known = g["predicted"].fillna("").astype(str) if "predicted" in g else pd.Series("", index=g.index)
        silent = not known.ne("").any()
        lists = known.groupby([g[c] for c in CELL], sort=False).agg(list)
        rc = pd.DataFrame([consistency(a) for a in lists], index=lists.index, columns=["primary", "modal"])
        zero = (temperatures or {}).get((model, strategy)) == 0 and kind_of(model) == "model"
        note = "; ".join(
            filter(None, [AT_ZERO if zero else "", f"{k} to {most} answers, the first {k} used" if most > k else "",
                          f"{once} statements asked once are left out" if once else ""])
        )  # fmt: skip
        present = [r for r in KNOWN if r in set(g["representation"])]
        head = {"model": model, "strategy": strategy, "kind": kind_of(model)}
        unknown = silent and bool(g["correct"].any())
        for name in ([ALL] if len(present) > 1 else []) + present:
            own = rc if name == ALL else rc.xs(name, level="representation", drop_level=False)
            first = lists.loc[own.index].str[0]
            row: dict[str, Any] = {**head, "representation": name, **_counted(own, k)}
            if unknown:
                rows.append({**row, "note": "; ".join(filter(None, [NO_ANSWERS, note]))})
                continue
            rows.append({**row, **_limits(own), "unread_primary": int(first.eq("").sum()), "note": note})
        about = g.drop_duplicates(CELL).set_index(CELL).reindex(rc.index)
        for by in (() if unknown else GROUPED):
            if by not in about:
                continue
            level = about[by].astype(object).fillna("").astype(str)
            groups += [
                {**head, "by": by, "group": value, **_counted(rc[level == value], k), **_limits(rc[level == value])}
                for value in sorted(set(level))
                if value
            ]
    measured = ["rc_primary", "rc_primary_low", "rc_primary_high", "rc_modal", "rc_modal_low", "rc_modal_high"]
    key = ["model", "strategy", "kind"]
    return (
        pd.DataFrame(rows, columns=[*key, "representation", "k", "seeds", "statements", *measured, "unread_primary", "note"]),
        pd.DataFrame(groups, columns=[*key, "by", "group", "k", "seeds", "statements", *measured]),
    )


def _counted(own: pd.DataFrame, k: int) -> dict[str, Any]:
    return {"k": k - 1, "seeds": own.index.get_level_values("problem").nunique(), "statements": len(own)}


def _limits(own: pd.DataFrame) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for column in ("primary", "modal"):
        _, out[f"rc_{column}"], out[f"rc_{column}_low"], out[f"rc_{column}_high"] = _interval(own[column])
    return out


def pass_rates(cells: pd.DataFrame) -> pd.DataFrame:
    """pass@k (at least one of k answers right) and pass^k (all k right), unbiased, in the mean over statements and seeds."""
    rows = []
    for (model, strategy), g, answers, _, _ in _complete(cells):
        right = g.groupby(CELL, sort=False)["correct"].sum()
        for k in range(1, answers + 1):
            row: dict[str, Any] = {"model": model, "strategy": strategy, "kind": kind_of(model), "answers": answers, "k": k}
            for name, chance in (("pass_at_k", pass_at_k), ("pass_hat_k", pass_hat_k)):
                per = right.map(lambda c, chance=chance, k=k, answers=answers: chance(answers, int(c), k))
                row["seeds"], row[name], row[f"{name}_low"], row[f"{name}_high"] = _interval(per)
            rows.append(row)
    columns = ["pass_at_k", "pass_at_k_low", "pass_at_k_high", "pass_hat_k", "pass_hat_k_low", "pass_hat_k_high"]
    return pd.DataFrame(rows, columns=["model", "strategy", "kind", "answers", "k", "seeds", *columns])
