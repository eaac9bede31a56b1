"""Several answers to the same statement: what is chance, what is the representation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from geoutils.stats.paired import Interval
from geoutils.stats.resampling import percentile, resampled_means, weights


def pass_at_k(n: int, c: int, k: int) -> float:
    """Unbiased chance that at least one of k answers is right, from c right of n (Chen et al. 2021, eq. 1)."""
    _check(n, c, k)
    return 1.0 - comb(n - c, k) / comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float:
    """Unbiased chance that all of k answers are right: C(c, k) / C(n, k)."""
    _check(n, c, k)
    return comb(c, k) / comb(n, k)


def _check(n: int, c: int, k: int) -> None:
    if not (0 <= c <= n and 1 <= k <= n):
        raise ValueError(f"needs 0 <= c <= n and 1 <= k <= n, got n={n}, c={c}, k={k}")


def modal_share(answers: Sequence[Hashable | None]) -> float:
    """Share of the repeats whose answer is the most frequent one; an unread answer (None) agrees with nothing."""
    if not answers:
        return np.nan
    read = Counter(a for a in answers if a is not None)
    return max(read.values(), default=0) / len(answers)


class Decomposition(NamedTuple):
    """Disagreement of two answers to one problem, in the mean over problems.

    ``within``: two runs of the same statement; ``between``: runs of two different representations;
    ``excess`` = between - within estimates the mean squared difference of the chances of being right (it may
    be negative), ``noise_share`` = within / between.
    """

    problems: int
    repeats: int
    within: Interval
    between: Interval
    excess: Interval
    noise_share: float


def decompose(cells: np.ndarray, *, draws: int = 10_000) -> Decomposition:
    """Split flips into sampling noise and representation; ``cells`` is problems x representations x repeats.

    All three means are unbiased for independent runs; limits are percentiles of the bootstrap over problems.
    ``excess`` is twice the unbiased variance over representations within a problem,
    var_r(p) - mean_r p(1 - p) / (K - 1).
    """
    cells = np.asarray(cells, dtype=float)
    n, k, repeats = cells.shape
    if repeats < 2 or k < 2:
        raise ValueError("needs at least two repeats and two representations")
    p = cells.mean(axis=2)
    within = (2 * p * (1 - p) * repeats / (repeats - 1)).mean(axis=1)
    rows, columns = np.triu_indices(k, 1)
    between = (p[:, rows] * (1 - p[:, columns]) + p[:, columns] * (1 - p[:, rows])).mean(axis=1)
    parts = np.column_stack([within, between, between - within])
    low, high = percentile(resampled_means(parts, weights(n, draws=draws)))
    mean, low, high = (np.round(v, 12) for v in (parts.mean(axis=0), low, high))
    out = [Interval(float(m), float(a), float(b)) for m, a, b in zip(mean, low, high, strict=True)]
    return Decomposition(n, repeats, *out, float(mean[0] / mean[1]) if mean[1] > 0 else np.nan)
