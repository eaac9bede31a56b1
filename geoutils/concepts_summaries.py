"""Tables of notebook 11 from the scored solutions: what was counted, nulls, length, odd cases, grader and judge, records.

`scored` is what `geoutils.concepts.score` gives; functions that take one extractor's rows say so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from geoutils.concepts import CONDITIONS, NULLS, SCORED
from geoutils.concepts_stats import (
    clustered_pearson,
    clustered_spearman,
    correlations,
    groups,
    mean_by_problem,
    plain_r,
)
from geoutils.panel import kind_of
from geoutils.records import records_of
from geoutils.stats.agreement import cohen_kappa
from geoutils.stats.paired import paired_table

GROUP = ["model", "strategy"]
BINS = ((1, 2), (3, 4), (5, 7), (8, 12), (13, 10_000))


def condition_counts(scored: pd.DataFrame) -> pd.DataFrame:
    """One row for each extractor, model and prompt: planned solutions, truncated ones, and how many ended in each condition."""
    rows = []
    for (extractor, model, strategy), part in scored.groupby(["extractor", *GROUP], sort=False):
        counts = {name.replace(" ", "_"): int((part["condition"] == name).sum()) for name in CONDITIONS}
        truncated = int((part["outcome"] == "truncated").sum())
        rows.append({"extractor": extractor, "model": model, "strategy": strategy, "n": len(part), "truncated": truncated, **counts})
    names = ["extractor", *GROUP, "n", "truncated", *(name.replace(" ", "_") for name in CONDITIONS)]
    return pd.DataFrame(rows, columns=names)


def measures(scored: pd.DataFrame) -> pd.DataFrame:
    """One row for each extractor, model and prompt: means of MSU, coverage, harmonic mean, precision, recall, F1 and list lengths."""
    names = ["generated", "golden", "msu", "coverage", "harmonic", "precision", "recall", "f1"]
    known = scored[scored["condition"] == SCORED]
    table = known.groupby(["extractor", *GROUP], sort=False)[names].mean().reset_index()
    counts = known.groupby(["extractor", *GROUP], sort=False).size().reset_index(name="n")
    return counts.merge(table, on=["extractor", *GROUP])


def nulls(scored: pd.DataFrame) -> pd.DataFrame:
    """The mean score against the own golden concepts and against others, by extractor, model and prompt.

    `random`: another problem of the category; `gain`: own minus random on the same solutions, with 95 % limits by problem;
    `paraphrase`: the golden concepts in other words; `truncated_gold`: their first half.
    """
    rows = []
    known = scored[(scored["condition"] == SCORED) & scored[list(NULLS)].notna().any(axis=1)]
    for (extractor, model, strategy), part in known.groupby(["extractor", *GROUP], sort=False):
        gain = mean_by_problem(part["msu"] - part["random"], part["problem"])
        means = {name: part[name].mean() for name in NULLS}
        rows.append({
            "extractor": extractor, "model": model, "strategy": strategy, "n": len(part), "own": part["msu"].mean(), **means,
            "gain": gain.r, "gain_low": gain.low, "gain_high": gain.high,
        })  # fmt: skip
    names = ["extractor", *GROUP, "n", "own", *NULLS, "gain", "gain_low", "gain_high"]
    return pd.DataFrame(rows, columns=names)


def with_gain(scored: pd.DataFrame) -> pd.DataFrame:
    """The same rows with own minus random as the score: what is left of it when the subject is taken off."""
    return scored.assign(score=scored["score"] - scored["random"])


def by_length(scored: pd.DataFrame) -> pd.DataFrame:
    """How the score moves with the number of generated concepts: n, mean score and limits, random score, share right."""
    known = scored[(scored["condition"] == SCORED) & scored["generated"].notna()]
    rows = []
    for low, high in BINS:
        part = known[known["generated"].between(low, high)]
        if len(part):
            words = f"{low} to {high}" if high < BINS[-1][1] else f"{low} and more"
            rows.append((words, len(part), *mean_by_problem(part["score"], part["problem"]), part["coverage"].mean(), part["random"].mean(), part["correct"].mean()))
    return pd.DataFrame(rows, columns=["concepts", "n", "score", "low", "high", "coverage", "random", "right"])


def length_correlation(scored: pd.DataFrame) -> dict[str, Any]:
    """Spearman's rho of the score, and of coverage, with the number of generated concepts, limits by problem; n."""
    known = scored[(scored["condition"] == SCORED) & scored["generated"].notna()]
    out: dict[str, Any] = {"n": len(known)}
    for name in ("score", "coverage"):
        part = known.dropna(subset=[name])
        lengths = part["generated"].to_numpy(float)
        out[name] = clustered_spearman(part[name].to_numpy(float), lengths, part["problem"].to_numpy(str)) if len(part) > 2 else None
    return out


def odd_cases(scored: pd.DataFrame, *, right: bool, count: int = 10) -> pd.DataFrame:
    """Right answers with the lowest scores, or wrong ones with the highest: where score and answer disagree most."""
    known = scored[(scored["condition"] == SCORED) & (scored["correct"] == int(right))]
    columns = ["model", "strategy", "problem", "representation", "score", "concepts", "golden_concepts"]
    return known.sort_values(["score", "problem"], ascending=[right, True], kind="stable").head(count)[columns].reset_index(drop=True)


def judge_agreement(scored: pd.DataFrame) -> pd.DataFrame:
    """Our grader against a judge's True or False on the same solutions, by model and prompt; empty where none was asked.

    n, right by the grader and by the judge, share in agreement, Cohen's kappa, and how often only one says right.
    """
    known = scored.dropna(subset=["judged", "correct"])
    rows = []
    pieces = [((model, strategy), part) for (model, strategy), part in known.groupby(GROUP, sort=False)]
    for (model, strategy), part in [*pieces, *([(("all", "all"), known)] if len(pieces) > 1 else [])]:
        table = paired_table(part["correct"].to_numpy(float), part["judged"].to_numpy(float))
        observed, _, kappa = cohen_kappa(table)
        rows.append((model, strategy, len(part), table.a + table.b, table.a + table.c, observed, kappa, table.b, table.c))
    return pd.DataFrame(rows, columns=[*GROUP, "n", "right_grader", "right_judge", "agreement", "kappa", "only_grader", "only_judge"])


def judge_disagreements(scored: pd.DataFrame) -> pd.DataFrame:
    """The solutions on which grader and judge disagree."""
    known = scored.dropna(subset=["judged", "correct"])
    apart = known[known["judged"] != known["correct"]]
    return apart[["model", "strategy", "problem", "correct", "judged", "score"]].reset_index(drop=True)


def judged_as_right(scored: pd.DataFrame) -> pd.DataFrame:
    """The rows with the judge's True or False in the place of the grader's verdict, where there is one."""
    return scored[scored["judged"].notna()].assign(correct=lambda table: table["judged"])


def extractor_agreement(scored: pd.DataFrame) -> pd.DataFrame:
    """Each two extractors on the same solutions: n, Pearson's r of their scores with limits by problem, mean difference."""
    names = list(dict.fromkeys(scored["extractor"]))
    key = [*GROUP, "problem", "representation", "variant", "repeat"]
    rows = []
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            both = scored[scored["extractor"] == first].merge(scored[scored["extractor"] == second], on=key, suffixes=("", "_other"))
            both = both.dropna(subset=["score", "score_other"])
            x, y = both["score"].to_numpy(float), both["score_other"].to_numpy(float)
            r = clustered_pearson(x, y, both["problem"].to_numpy(str)) if len(both) else (np.nan,) * 3
            rows.append((first, second, len(both), *r, float((x - y).mean()) if len(both) else np.nan))
    return pd.DataFrame(rows, columns=["extractor", "other", "n", "r", "low", "high", "difference"])


def concept_records(scored: pd.DataFrame) -> list[dict[str, Any]]:
    """The records `concepts` of results.json: model, prompt, extractor, score, accuracy, n, scored, kind."""
    rows: list[dict[str, Any]] = []
    for extractor, part in scored.groupby("extractor", sort=False):
        table = groups(part).rename(columns={"strategy": "prompt"}).assign(extractor=extractor)
        table["kind"] = [kind_of(model) for model in table["model"]]
        rows += records_of(table, ["model", "prompt", "extractor", "score", "score_low", "score_high", "accuracy", "n", "scored", "kind"])
    return rows


def correlation_records(scored: pd.DataFrame) -> list[dict[str, Any]]:
    """The records `concepts_correlation` of results.json: level (groups or items), extractor, r (Pearson), low, high, n, note."""
    rows: list[dict[str, Any]] = []
    for extractor, part in scored.groupby("extractor", sort=False):
        table = correlations(part)
        table = table[(table["method"] == "Pearson") & table["level"].isin(["groups", "items"])].assign(extractor=extractor)
        rows += records_of(table, ["level", "extractor", "r", "low", "high", "n", "note"])
    return rows


def between_share(scored: pd.DataFrame) -> float:
    """The share of the variance of the score that lies between groups (model and prompt): eta squared."""
    known = scored.dropna(subset=["score"])
    if known["score"].nunique() < 2:
        return np.nan
    fitted = known.groupby(GROUP)["score"].transform("mean").to_numpy(float)
    return float(plain_r(fitted, known["score"].to_numpy(float)) ** 2) if np.ptp(fitted) > 1e-12 else 0.0
