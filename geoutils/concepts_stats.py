"""What scores of concepts say about right answers: correlations over groups and over items, AUC, pairs of models.

A group is one model under one prompt. Over a handful of groups a correlation is nearly always high and says little of
one solution, so the same is asked over items, with intervals that take all solutions of a problem together (a bootstrap
over problems), within problems and within groups. Every function takes the scored table: one row an item with model,
strategy, problem, category, difficulty, `score` (nan where there is none) and `correct` (1, 0).
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from geoutils.stats.paired import holm, mean_difference
from geoutils.stats.proportions import clopper_pearson, share
from geoutils.stats.resampling import weights

DRAWS = 2_000
MOST_CELLS = 20_000_000  # numbers in one matrix of resamples
FEW_GROUPS, FEW_ITEMS = 4, 10
NAN = (np.nan, np.nan, np.nan)


class Correlation(NamedTuple):
    """A coefficient with its 95 % limits; all nan where it does not exist."""

    r: float
    low: float
    high: float


def mean_by_problem(values: pd.Series, problems: pd.Series) -> Correlation:
    """A mean over rows with limits from problems as units (Student's t over clusters; Miller 2024); nan below two problems."""
    known = values.notna()
    x, names = values[known].astype(float).to_numpy(), problems[known]
    if not len(x):
        return Correlation(*NAN)
    mean = float(x.mean())
    sums = pd.Series(x - mean).groupby(names.to_numpy()).sum().to_numpy()
    g = len(sums)
    if g < 2:
        return Correlation(mean, np.nan, np.nan)
    half = float(stats.t.ppf(0.975, g - 1) * np.sqrt(g / (g - 1) * (sums**2).sum()) / len(x))
    return Correlation(mean, mean - half, mean + half)


def _inside(limit: float) -> float:
    """A limit of a mean cosine within what a cosine can be."""
    return float(np.clip(limit, -1.0, 1.0))


def groups(table: pd.DataFrame) -> pd.DataFrame:
    """One row a model and prompt: n planned, scored, mean score and accuracy with 95 % limits.

    Accuracy is over all planned items, the mean score over those that have one. Limits take problems as units; an
    accuracy of 0 or 1 has exact limits over the number of problems.
    """
    rows = []
    for (model, strategy), part in table.groupby(["model", "strategy"], sort=False):
        score, right = mean_by_problem(part["score"], part["problem"]), part["correct"].astype(float)
        accuracy = mean_by_problem(right, part["problem"])
        k, known, problems = int(right.sum()), int(right.notna().sum()), part["problem"].nunique()
        if known and problems == known:
            exact = share(k, known)
            accuracy = Correlation(exact.value, exact.low, exact.high)
        elif known and k in (0, known):
            accuracy = Correlation(k / known, *clopper_pearson(problems if k else 0, problems))
        rows.append({
            "model": model, "strategy": strategy, "n": len(part), "problems": problems, "scored": int(part["score"].notna().sum()),
            "score": score.r, "score_low": _inside(score.low), "score_high": _inside(score.high),
            "correct": k, "accuracy": accuracy.r, "accuracy_low": max(0.0, accuracy.low) if accuracy.low == accuracy.low else np.nan,
            "accuracy_high": min(1.0, accuracy.high) if accuracy.high == accuracy.high else np.nan,
        })  # fmt: skip
    columns = ["model", "strategy", "n", "problems", "scored", "score", "score_low", "score_high", "correct", "accuracy", "accuracy_low", "accuracy_high"]
    return pd.DataFrame(rows, columns=columns)


def pearson(x: np.ndarray, y: np.ndarray) -> Correlation:
    """Pearson's r with Fisher's interval (independent points); limits are nan below four points."""
    return _fisher(x, y, spearman=False)


def spearman(x: np.ndarray, y: np.ndarray) -> Correlation:
    """Spearman's rho with the interval of Bonett and Wright (2000): Fisher's z with variance (1 + rho^2/2)/(n - 3)."""
    return _fisher(x, y, spearman=True)


def _fisher(x: np.ndarray, y: np.ndarray, *, spearman: bool) -> Correlation:
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if spearman:
        x, y = stats.rankdata(x), stats.rankdata(y)
    r = plain_r(x, y)
    n = len(x)
    if np.isnan(r) or n < FEW_GROUPS or abs(r) >= 1 - 1e-12:
        return Correlation(r, np.nan, np.nan)
    half = 1.959963984540054 * np.sqrt((1 + r * r / 2 if spearman else 1.0) / (n - 3))
    z = np.arctanh(r)
    return Correlation(r, float(np.tanh(z - half)), float(np.tanh(z + half)))


def plain_r(x: np.ndarray, y: np.ndarray) -> float:
    """Pearson's r, nan where one of the two does not vary."""
    if len(x) < 2:
        return np.nan
    a, b = x - x.mean(), y - y.mean()
    size = np.sqrt((a @ a) * (b @ b))
    return float(np.clip(a @ b / size, -1, 1)) if size > 1e-12 * max(1.0, len(x)) else np.nan


def _weights(problems: int) -> np.ndarray:
    return weights(problems, draws=int(np.clip(MOST_CELLS // problems, 200, DRAWS)))


def clustered_pearson(x: np.ndarray, y: np.ndarray, clusters: np.ndarray) -> Correlation:
    """Pearson's r over items with percentile limits of a bootstrap that draws whole clusters (problems)."""
    r = plain_r(x, y)
    names, codes = np.unique(clusters, return_inverse=True)
    if np.isnan(r) or len(names) < 2:
        return Correlation(r, np.nan, np.nan)
    a, b = x - x.mean(), y - y.mean()
    columns = np.column_stack([np.ones_like(a), a, b, a * a, b * b, a * b])
    sums = np.zeros((len(names), 6))
    np.add.at(sums, codes, columns)
    n, sa, sb, saa, sbb, sab = (_weights(len(names)) @ sums).T
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = (sab - sa * sb / n) / np.sqrt((saa - sa * sa / n) * (sbb - sb * sb / n))
    return _limits(r, drawn)


def clustered_spearman(x: np.ndarray, y: np.ndarray, clusters: np.ndarray) -> Correlation:
    """Spearman's rho over items; each draw of clusters is ranked anew (weighted mid-ranks)."""
    r = plain_r(stats.rankdata(x), stats.rankdata(y))
    names, codes = np.unique(clusters, return_inverse=True)
    if np.isnan(r) or len(names) < 2:
        return Correlation(r, np.nan, np.nan)
    draws = int(np.clip(2 * MOST_CELLS // len(x), 200, DRAWS))
    w = weights(len(names), draws=draws)
    drawn = []
    for start in range(0, draws, 100):
        each = w[start : start + 100][:, codes]
        u, v = _weighted_ranks(x, each), _weighted_ranks(y, each)
        total = each.sum(axis=1, keepdims=True)
        u, v = u - (each * u).sum(axis=1, keepdims=True) / total, v - (each * v).sum(axis=1, keepdims=True) / total
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn.append((each * u * v).sum(axis=1) / np.sqrt((each * u * u).sum(axis=1) * (each * v * v).sum(axis=1)))
    return _limits(r, np.concatenate(drawn))


def _weighted_ranks(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Mid-ranks of x under each row of weights: (draws, items)."""
    values, codes = np.unique(x, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(len(values)))
    sums = np.add.reduceat(w[:, order], starts, axis=1)
    return (np.cumsum(sums, axis=1) - sums / 2)[:, codes]


def _limits(value: float, drawn: np.ndarray) -> Correlation:
    known = drawn[np.isfinite(drawn)]
    if len(known) < 0.9 * len(drawn) or len(known) < 100:
        return Correlation(value, np.nan, np.nan)
    low, high = np.quantile(known, [0.025, 0.975])
    return Correlation(value, float(low), float(high))


def auc(score: np.ndarray, correct: np.ndarray, clusters: np.ndarray) -> Correlation:
    """The chance that a right answer has a higher score than a wrong one (ties half), with clustered limits.

    Variance for clustered data after Obuchowski (1997), limits on the logit scale. nan where all are right or all wrong.
    """
    right, wrong = score[correct == 1], score[correct == 0]
    m, n = len(right), len(wrong)
    if not m or not n:
        return Correlation(*NAN)
    ranked = stats.rankdata(np.concatenate([right, wrong]))
    v_right = (ranked[:m] - stats.rankdata(right)) / n  # share of the wrong below each right one
    v_wrong = 1 - (ranked[m:] - stats.rankdata(wrong)) / m
    value = float(v_right.mean())
    names, codes = np.unique(clusters, return_inverse=True)
    g = len(names)
    a, b = np.zeros(g), np.zeros(g)
    np.add.at(a, codes[correct == 1], v_right - value)
    np.add.at(b, codes[correct == 0], v_wrong - value)
    has_a, has_b = len(set(codes[correct == 1])), len(set(codes[correct == 0]))
    if has_a < 2 or has_b < 2 or not 0 < value < 1:
        return Correlation(value, np.nan, np.nan)
    variance = (
        has_a / (has_a - 1) * (a @ a) / m**2 + has_b / (has_b - 1) * (b @ b) / n**2 + 2 * g / (g - 1) * (a @ b) / (m * n)
    )
    half = 1.959963984540054 * np.sqrt(max(variance, 0.0)) / (value * (1 - value))
    centre = np.log(value / (1 - value))
    return Correlation(value, float(1 / (1 + np.exp(half - centre))), float(1 / (1 + np.exp(-half - centre))))


def _within(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Values less the mean of their class."""
    sums, counts = np.bincount(codes, values), np.bincount(codes)
    return values - (sums / counts)[codes]


def correlations(table: pd.DataFrame) -> pd.DataFrame:
    """Score against right answers: level, method, r, low, high (95 %), n, problems, note.

    `groups`: over means of model and prompt, as published. `items`: over single solutions (Pearson with a 0/1 answer is
    the point-biserial correlation). `items within problem` and `items within group` take the mean of the problem, or of
    model and prompt, off both. AUC is no correlation: 0.5 is none. What cannot be computed is nan, and `note` says why.
    """
    rows = []
    means = groups(table).dropna(subset=["score", "accuracy"])
    for method, function in (("Pearson", pearson), ("Spearman", spearman)):
        found = function(means["score"].to_numpy(), means["accuracy"].to_numpy())
        rows.append(("groups", method, *found, len(means), _group_note(means, found)))
    items = table.dropna(subset=["score", "correct"])
    x, y = items["score"].to_numpy(float), items["correct"].to_numpy(float)
    problems = items["problem"].to_numpy(str)
    note = _item_note(y)
    for method, estimate in (("Pearson", clustered_pearson), ("Spearman", clustered_spearman), ("AUC", auc)):
        rows.append(("items", method, *(estimate(x, y, problems) if len(x) else NAN), len(x), note))
    by_problem = np.unique(problems, return_inverse=True)[1]
    by_group = np.unique((items["model"] + "\x00" + items["strategy"]).to_numpy(str), return_inverse=True)[1]
    for level, codes in (("items within problem", by_problem), ("items within group", by_group)):
        found = clustered_pearson(_within(x, codes), _within(y, codes), problems) if len(x) else Correlation(*NAN)
        rows.append((level, "Pearson", *found, len(x), note or ("" if found.r == found.r else "nothing varies within")))
    out = pd.DataFrame(rows, columns=["level", "method", "r", "low", "high", "n", "note"])
    out.insert(6, "problems", int(items["problem"].nunique()))
    return out


def _group_note(means: pd.DataFrame, found: Correlation) -> str:
    if len(means) < 3:
        return f"only {len(means)} group(s) of model and prompt: no correlation can be told"
    if np.isnan(found.r):
        return "the groups do not differ in accuracy or in score"
    return "few groups: the interval is wide" if len(means) < 10 else ""


def _item_note(correct: np.ndarray) -> str:
    if not len(correct):
        return "no item has a score"
    if not 0 < correct.sum() < len(correct):
        return f"all {len(correct)} scored items are {'right' if correct[0] else 'wrong'}"
    few = int(min(correct.sum(), len(correct) - correct.sum()))
    return f"only {few} {'right' if correct.sum() == few else 'wrong'}" if few < FEW_ITEMS else ""


def by_level(table: pd.DataFrame, column: str = "difficulty") -> pd.DataFrame:
    """The same over items for each level of difficulty (or another column): n, correct, mean score, r, AUC."""
    rows = []
    order = {"easy": "0", "medium": "1", "hard": "2"}
    for level, part in sorted(table.groupby(column), key=lambda item: order.get(str(item[0]), str(item[0]))):
        items = part.dropna(subset=["score", "correct"])
        x, y, z = items["score"].to_numpy(float), items["correct"].to_numpy(float), items["problem"].to_numpy(str)
        r, area = (clustered_pearson(x, y, z), auc(x, y, z)) if len(x) else (Correlation(*NAN), Correlation(*NAN))
        rows.append((level, len(part), len(items), int(y.sum()), x.mean() if len(x) else np.nan, *r, *area, _item_note(y)))
    names = [column, "n", "scored", "correct", "score", "r", "r_low", "r_high", "auc", "auc_low", "auc_high", "note"]
    return pd.DataFrame(rows, columns=names)


def pairwise(table: pd.DataFrame) -> pd.DataFrame:
    """Pairs of models under each prompt: two tests of the scores, each with Holm's correction over all rows.

    Mann-Whitney takes all solutions as independent, as the study did. Wilcoxon's signed-rank test pairs the problems that
    both solved (a problem's score is its mean over representations); `difference` is first minus second over these, with
    Student limits.
    """
    rows = []
    for strategy, part in table.dropna(subset=["score"]).groupby("strategy", sort=False):
        models = list(dict.fromkeys(part["model"]))
        wide = part.pivot_table(index="problem", columns="model", values="score", aggfunc="mean")
        for first, second in combinations(models, 2):
            a, b = (part.loc[part["model"] == model, "score"].to_numpy(float) for model in (first, second))
            u, p_u = stats.mannwhitneyu(a, b, alternative="two-sided") if len(a) and len(b) else (np.nan, np.nan)
            both = wide[[first, second]].dropna()
            difference, _ = mean_difference(both[first], both[second])
            w, p_w = _signed_rank(both[first].to_numpy() - both[second].to_numpy())
            better = float(u / (len(a) * len(b))) if len(a) and len(b) else np.nan
            rows.append((strategy, first, second, len(a), len(b), float(u), better, float(p_u), len(both), *difference, w, p_w))
    names = ["strategy", "model", "other", "n", "n_other", "u", "first_higher", "p_mann_whitney", "problems", "difference", "low", "high", "w", "p_wilcoxon"]
    out = pd.DataFrame(rows, columns=names)
    for name in ("mann_whitney", "wilcoxon"):
        out[f"p_{name}_holm"] = holm(out[f"p_{name}"].to_numpy(float))
    return out


def _signed_rank(d: np.ndarray) -> tuple[float, float]:
    """Wilcoxon's W and two-sided p; zero differences are left out, and without any other p is 1."""
    d = d[np.abs(d) > 1e-12]
    if not len(d):
        return np.nan, 1.0
    found = stats.wilcoxon(d)
    return float(found.statistic), float(found.pvalue)
