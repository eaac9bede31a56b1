"""The bootstrap over problems: one weight matrix for all models and statistics.

Drawing problems with replacement is a multinomial count per problem, so a statistic that is a mean over
problems is one matrix product for all resamples: W @ X / n. Since every model uses the same W, pairs and the
correlation between models are kept.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy import stats

from geoutils.stats.paired import Interval, bonett_price_terms

DRAWS = 10_000
SEED = 20_262


@lru_cache(maxsize=8)
def weights(n: int, *, draws: int = DRAWS, seed: int = SEED) -> np.ndarray:
    """How often each of ``n`` problems is drawn in each resample, divided by n (rows sum to 1).

    The last few matrices are kept, read-only, so that every statistic of a run uses the same resamples.
    """
    if n < 1:
        raise ValueError("a bootstrap needs at least one problem")
    rng = np.random.default_rng(seed)
    cell = rng.integers(n, size=(draws, n)) + np.arange(draws)[:, None] * n
    w = np.bincount(cell.ravel(), minlength=draws * n).reshape(draws, n) / n
    w.flags.writeable = False  # shared by all callers
    return w


def resampled_means(scores: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Means of each column of ``scores`` (problems first) in each resample: (draws, ...)."""
    scores = np.asarray(scores, dtype=float)
    return (w @ scores.reshape(scores.shape[0], -1)).reshape(w.shape[0], *scores.shape[1:])


def percentile(draws: np.ndarray, *, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Percentile limits along the first axis. Not for a single share and never for the accuracy gap."""
    tail = (1 - confidence) / 2
    low, high = np.quantile(draws, [tail, 1 - tail], axis=0)
    return low, high


def normal_interval(value: float, draws: np.ndarray, *, confidence: float = 0.95) -> Interval:
    """Estimate +- z times the bootstrap standard error."""
    half = float(stats.norm.ppf(0.5 + confidence / 2) * np.std(draws, ddof=1))
    return Interval(float(value), float(value) - half, float(value) + half)


class Simultaneous(NamedTuple):
    """Simultaneous limits of all signed differences between columns, and what they say of the gap."""

    pairs: list[tuple[int, int]]
    intervals: list[Interval]
    critical: float
    gap_low: float
    gap_high: float


def simultaneous_differences(cells: np.ndarray, w: np.ndarray, *, confidence: float = 0.95) -> Simultaneous:
    """Limits that hold for all signed differences between the columns at once (max-|t|).

    The critical value is the quantile of max |d* - d| / se* over the resamples, which knows how the
    differences hang together; centre and standard error are Bonett and Price's, so that a pair without
    discordant problems does not get an interval of width zero. The gap is the largest absolute difference:
    its limits are the largest lower (at least 0) and the largest upper limit among them.
    """
    cells = np.asarray(cells, dtype=float)
    n, k = cells.shape
    pairs = list(combinations(range(k), 2))
    first, second = [i for i, _ in pairs], [j for _, j in pairs]
    means = resampled_means(cells, w)
    spread = means[:, first] - means[:, second]
    observed = cells.mean(axis=0)[first] - cells.mean(axis=0)[second]
    se = spread.std(axis=0, ddof=1)
    moving = se > 1e-12
    sidak = stats.norm.ppf(0.5 + confidence ** (1 / len(pairs)) / 2)
    if moving.any():
        t = np.abs((spread - observed)[:, moving]) / se[moving]
        critical = float(np.clip(np.quantile(t.max(axis=1), confidence), stats.norm.ppf(0.5 + confidence / 2), None))
    else:
        critical = float(sidak)
    b = (cells[:, first] * (1 - cells[:, second])).sum(axis=0)
    c = (cells[:, second] * (1 - cells[:, first])).sum(axis=0)
    middle, se_bp = bonett_price_terms(b, c, n)
    low, high = np.clip(middle - critical * se_bp, -1, 1), np.clip(middle + critical * se_bp, -1, 1)
    intervals = [Interval(float(d), float(x), float(y)) for d, x, y in zip(observed, low, high, strict=True)]
    gap_low = max(0.0, float(np.max(np.maximum(low, -high))))
    gap_high = float(np.max(np.maximum(high, -low)))
    return Simultaneous(pairs, intervals, critical, gap_low, gap_high)


def rank_intervals(scores: np.ndarray, w: np.ndarray, *, confidence: float = 0.95) -> np.ndarray:
    """Rank (1 = best) of each model with limits: columns rank, low, high; ties take their best and worst place.

    ``scores`` is problems x models (per-problem mean scores).
    """
    means = np.round(np.vstack([np.asarray(scores, dtype=float).mean(axis=0), resampled_means(scores, w)]), 12)
    best = stats.rankdata(-means, method="min", axis=1)
    worst = stats.rankdata(-means, method="max", axis=1)
    tail = (1 - confidence) / 2
    low = np.quantile(best[1:], tail, axis=0, method="lower")
    high = np.quantile(worst[1:], 1 - tail, axis=0, method="higher")
    return np.column_stack([best[0], np.minimum(low, best[0]), np.maximum(high, worst[0])]).astype(int)


def swap_test(first: np.ndarray, second: np.ndarray, statistic, *, draws: int = DRAWS, seed: int = SEED + 1) -> float:
    """Two-sided p of ``statistic(first) - statistic(second)`` when the two labels are swapped within problems.

    ``statistic`` maps an array (draws, problems-averaged columns) of column means to one number a draw; it is
    used for the gap, whose difference has no simple standard error.
    """
    x, y = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    n = x.shape[0]
    flips = np.random.default_rng(seed).integers(2, size=(draws, n))
    d = (y - x) / n
    seen = statistic(x.mean(axis=0)[None])[0] - statistic(y.mean(axis=0)[None])[0]
    moved = flips @ d
    null = statistic(x.mean(axis=0) + moved) - statistic(y.mean(axis=0) - moved)
    return float((np.sum(np.abs(null) >= abs(seen) - 1e-12) + 1) / (draws + 1))
