"""Between models and between strategies: always paired by problem, on the problems that both have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from geoutils.effects import add_holm
from geoutils.json_answers import convert_fields
from geoutils.normalise import fold
from geoutils.panel import Panel, all_same, check_scores, common_problems, panels
from geoutils.stats.paired import Interval, bonett_price, mcnemar_exact, mcnemar_midp, mean_difference, paired_table
from geoutils.stats.permutation import sign_flip
from geoutils.stats.proportions import FEW, share
from geoutils.stats.resampling import normal_interval, rank_intervals, resampled_means, swap_test, weights
from geoutils.tabulation import Data, tidy

if TYPE_CHECKING:
    from geoutils.study import Study

CONTRASTS = (("convert", "direct"), ("reason", "direct"), ("convert", "reason"))
LONGEST_TEXT = 200_000


def _binary(first: np.ndarray, second: np.ndarray) -> dict[str, Any]:
    t = paired_table(first, second)
    tested = t.n >= FEW
    i = bonett_price(t) if tested else Interval(t.difference, np.nan, np.nan)
    return {
        "n": t.n,
        "b": t.b,
        "c": t.c,
        "difference": i.value,
        "low": i.low,
        "high": i.high,
        "p": mcnemar_midp(t.b, t.c) if tested else np.nan,
        "p_exact": mcnemar_exact(t.b, t.c) if tested else np.nan,
        "method": "Bonett-Price, mid-p McNemar",
        "note": f"too few for tests (n={t.n})" if not tested else "no discordant problem" if t.b + t.c == 0 else "",
    }


def _mean(cells: Sequence[np.ndarray]) -> dict[str, Any]:
    first, second = (c.mean(axis=1) for c in cells)
    i, p = mean_difference(first, second)
    tested = first.size >= FEW
    i = i if tested else Interval(i.value, np.nan, np.nan)
    return {
        "n": first.size,
        "difference": i.value,
        "low": i.low,
        "high": i.high,
        "p": p if tested else np.nan,
        "p_exact": sign_flip(cells[0].sum(axis=1) - cells[1].sum(axis=1)) if tested else np.nan,
        "method": "paired t, clustered by problem",
        "note": f"too few for tests (n={first.size})"
        if not tested
        else ("every problem differs alike: no interval" if np.isnan(i.low) else ""),
    }


def _gap(means: np.ndarray) -> np.ndarray:
    return means.max(axis=1) - means.min(axis=1)


def gap_difference(first: np.ndarray, second: np.ndarray) -> dict[str, Any]:
    """Difference of two accuracy gaps on the same problems: bootstrap standard error, p by swapping labels."""
    n = first.shape[0]
    d = float(_gap(first.mean(axis=0)[None])[0] - _gap(second.mean(axis=0)[None])[0])
    w = weights(n)
    i = normal_interval(d, _gap(resampled_means(first, w)) - _gap(resampled_means(second, w)))
    tested = n >= FEW
    return {
        "n": n,
        "difference": d,
        "low": i.low if tested else np.nan,
        "high": i.high if tested else np.nan,
        "p": swap_test(first, second, _gap) if tested else np.nan,
        "method": "bootstrap SE, label-swap permutation",
        "note": "" if tested else f"too few for tests (n={n})",
    }


def between_models(data: Data) -> pd.DataFrame:
    """Every pair of models of one strategy: mean accuracy over the representations, and Invariance@3.

    Paired by problem on the common problems (``note`` counts what was left out); mean accuracy by the paired
    standard error of per-problem mean scores (Miller 2024), Invariance@3 by Bonett-Price and mid-p McNemar.
    ``p_holm`` is adjusted over the pairs of one strategy and metric. Empty with fewer than two models.
    """
    rows = []
    groups: dict[str, list[Panel]] = {}
    for p in panels(data):
        groups.setdefault(p.strategy, []).append(p)
    for strategy, group in groups.items():
        for one, two in combinations(group, 2):
            shared, told = common_problems([one, two])
            both = [r for r in one.representations if r in two.representations]
            if not shared or not both:
                continue
            x, y = one.restrict(shared), two.restrict(shared)
            cells = [np.stack([q.column(r) for r in both], axis=1) for q in (x, y)]
            found = {"mean accuracy": _mean(cells)}
            if one.complete and two.complete and one.k == two.k:
                found[f"Invariance@{one.k}"] = _binary(x.correct.min(axis=1), y.correct.min(axis=1))
            labels = {
                "strategy": strategy,
                "model": one.model,
                "other": two.model,
                "kinds": one.kind if one.kind == two.kind else f"{one.kind} - {two.kind}",
            }
            rows += [
                {**labels, "metric": name, **row, "note": "; ".join(filter(None, [told, row["note"]]))}
                for name, row in found.items()
            ]
    columns = [
        "strategy",
        "model",
        "other",
        "kinds",
        "metric",
        "n",
        "difference",
        "low",
        "high",
        "p",
        "p_exact",
        "method",
        "note",
    ]
    table = tidy(rows, columns).reindex(columns=columns)
    return add_holm(table, "p", by=["strategy", "metric"])


def ranks(data: Data) -> pd.DataFrame:
    """Rank of each model within a strategy with 95 % limits from the shared bootstrap; ties share their places.

    On the common problems and representations; empty for a strategy with one model or with fewer than ten problems.
    """
    rows = []
    groups: dict[str, list[Panel]] = {}
    for p in panels(data):
        groups.setdefault(p.strategy, []).append(p)
    for _strategy, group in groups.items():
        shared, told = common_problems(group)
        both = [r for r in group[0].representations if all(r in p.representations for p in group)]
        if len(group) < 2 or len(shared) < FEW or not both:
            continue
        scores = np.column_stack([np.mean([p.restrict(shared).column(r) for r in both], axis=0) for p in group])
        for p, mean, (rank, low, high) in zip(
            group, scores.mean(axis=0), rank_intervals(scores, weights(len(shared))), strict=True
        ):
            rows.append(
                {
                    **p.labels,
                    "n": len(shared),
                    "mean_accuracy": float(mean),
                    "rank": int(rank),
                    "rank_low": int(low),
                    "rank_high": int(high),
                    "models": len(group),
                    "note": told,
                }
            )
    table = tidy(
        rows, ["model", "strategy", "kind", "n", "mean_accuracy", "rank", "rank_low", "rank_high", "models", "note"]
    )
    return table.sort_values(["strategy", "rank"], ignore_index=True, kind="stable") if len(table) else table


def between_strategies(data: Data, *, contrasts: Sequence[tuple[str, str]] = CONTRASTS) -> pd.DataFrame:
    """What asking differently changes, per model: convert - direct, reason - direct and convert - reason.

    Metrics: accuracy in each representation, their mean, Invariance@3, Consistency@3 and the accuracy gap (the
    seed's question is whether its difference is negative), on the problems that both strategies were asked.
    ``p_holm`` is adjusted over models and contrasts for each metric and kind. Empty when a model has one strategy.
    """
    rows = []
    groups: dict[str, dict[str, Panel]] = {}
    for p in panels(data):
        groups.setdefault(p.model, {})[p.strategy] = p
    for model, by in groups.items():
        for first, second in contrasts:
            if first not in by or second not in by:
                continue
            shared, told = common_problems([by[first], by[second]])
            if not shared:
                continue
            x, y = by[first].restrict(shared), by[second].restrict(shared)
            both = [r for r in x.representations if r in y.representations]
            found = {f"accuracy {r}": _binary(x.column(r), y.column(r)) for r in both}
            cells = [np.stack([q.column(r) for r in both], axis=1) for q in (x, y)] if both else []
            if cells:
                found["mean accuracy"] = _mean(cells)
            if x.complete and y.complete and x.k == y.k:
                found[f"Invariance@{x.k}"] = _binary(x.correct.min(axis=1), y.correct.min(axis=1))
                if x.same is not None and y.same is not None:
                    found[f"Consistency@{x.k}"] = _binary(all_same(x), all_same(y))
                found["accuracy gap"] = gap_difference(*cells)
            rows += [
                {
                    "model": model,
                    "kind": x.kind,
                    "contrast": f"{first} - {second}",
                    "metric": name,
                    **row,
                    "note": "; ".join(filter(None, [told, row["note"]])),
                }
                for name, row in found.items()
            ]
    columns = [
        "model",
        "kind",
        "contrast",
        "metric",
        "n",
        "b",
        "c",
        "difference",
        "low",
        "high",
        "p",
        "p_exact",
        "method",
        "note",
    ]
    table = tidy(rows, columns).reindex(columns=columns)
    return add_holm(table, "p", by=["metric", "kind"])


def conversions_table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Rows of :func:`conversions` as a frame."""
    return tidy(rows, ["model", "kind", "representation", "condition", "k", "n", "share", "correct", "accuracy_given"])


def conversions(scores: pd.DataFrame, responses: pd.DataFrame, *, lint: Callable[[str], Sequence[str]]) -> pd.DataFrame:
    """How the convert strategy was followed: the three JSON keys, the Euclidean lint, and accuracy given each.

    ``lint`` returns the findings of a text (none = it is Euclidean). One row per model, representation and
    condition (all three keys, keys missing, conversion passes the lint, fails it, none to check): ``k`` of ``n``
    planned cells meet it, ``correct`` of ``k`` are correct, each with its interval. What a model converts well is
    not drawn at random: a higher accuracy there is no proof that converting helps.
    """
    checked, _ = check_scores(scores)
    key = ["model", "strategy", "problem", "variant", "representation", "repeat"]
    mine = checked[(checked["strategy"] == "convert") & (checked["variant"] == 0) & (checked["repeat"] == 0)]
    texts = responses[[*key, "content"]].copy()
    texts[["variant", "repeat"]] = texts[["variant", "repeat"]].astype(int)
    joined = mine.merge(texts, on=key, how="left", validate="one_to_one")
    found = [convert_fields(fold(t[:LONGEST_TEXT])) if isinstance(t, str) else {} for t in joined["content"]]
    joined["keys"] = [bool(f) and all(value is not None for value in f.values()) for f in found]
    said = [f.get("euclidean_conversion") for f in found]
    written = [isinstance(s, str) and bool(s.strip()) for s in said]
    joined["passes"] = [w and not lint(s[:LONGEST_TEXT]) for w, s in zip(written, said, strict=True)]
    joined["fails"] = [w and not passes for w, passes in zip(written, joined["passes"], strict=True)]
    joined["none"] = ~pd.Series(written, index=joined.index, dtype=bool)
    joined["no_keys"] = ~joined["keys"].astype(bool)
    conditions = {
        "keys": "all three keys",
        "no_keys": "keys missing",
        "passes": "conversion passes the lint",
        "fails": "conversion fails the lint",
        "none": "no conversion to check",
    }
    rows = []
    for (model, kind, r), g in joined.groupby(["model", "kind", "representation"], sort=False):
        for name, words in conditions.items():
            met = g[g[name].astype(bool)]
            s, right = share(len(met), len(g)), share(int(met["correct"].sum()), len(met))
            rows.append(
                {
                    "model": model,
                    "kind": kind,
                    "representation": r,
                    "condition": words,
                    "k": s.k,
                    "n": s.n,
                    "share": s.value,
                    "low": s.low,
                    "high": s.high,
                    "correct": right.k,
                    "accuracy_given": right.value,
                    "accuracy_low": right.low,
                    "accuracy_high": right.high,
                }
            )
    return conversions_table(rows)


def convert_compliance(study: Study, scores: pd.DataFrame) -> pd.DataFrame:
    """:func:`conversions` of a study with the lint of our own Euclidean statements; empty without convert."""
    if not (scores["strategy"] == "convert").any():
        return conversions_table([])
    from geoutils.problems.lints import euclid_findings

    return conversions(scores, _conversions_said(study), lint=euclid_findings)


def _conversions_said(study: Study) -> pd.DataFrame:
    """The responses to convert on variant 0."""
    from geoutils.baselines import with_most_common
    from geoutils.responses import as_table, iter_pair

    problems = with_most_common(study.problems())
    first = problems[problems["variant"] == 0]
    pairs = [pair for pair in study.experiment.pairs() if pair[1] == "convert"]
    return as_table([row for pair in pairs for row in iter_pair(study.experiment, first, *pair)])
