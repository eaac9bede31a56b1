"""Does the representation matter for one model? Cochran's Q and the accuracy gap with exact null distributions.

The null: within a problem the answers' correctness is exchangeable over representations. Given how many of
its k representations each problem has right (u), every subset of size u is equally likely. Cells are 0/1, a
row is a problem, a column a representation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from scipy import signal, stats


class CochranQ(NamedTuple):
    """Cochran's Q; ``informative`` counts the problems that are neither all right nor all wrong."""

    q: float
    df: int
    p_exact: float
    p_chi2: float
    informative: int
    method: str


class GapTest(NamedTuple):
    """The largest minus the smallest accuracy, beside what no effect at all would give."""

    gap: float
    null_mean: float
    null_q95: float
    p: float
    method: str


@dataclass(frozen=True)
class Null:
    """Null distribution of the column totals: ``totals`` (m, k), each with its probability."""

    totals: np.ndarray
    probability: np.ndarray
    method: str

    def upper_tail(self, statistic: np.ndarray, observed: float) -> float:
        """P(statistic >= observed); with sampled totals the observed one counts as a draw."""
        p = float(self.probability[statistic >= observed].sum())
        if self.method.startswith("sampled"):
            p = (p * len(statistic) + 1) / (len(statistic) + 1)
        return min(1.0, p)


def _trinomial(n: int) -> np.ndarray:
    """P(a1, a2) on the grid 0..n for three equally likely cells."""
    a1, a2 = np.indices((n + 1, n + 1))
    inside = a1 + a2 <= n
    a3 = np.where(inside, n - a1 - a2, 0)
    out = stats.multinomial.pmf(np.stack([a1, a2, a3], axis=-1), n, [1 / 3] * 3) if n else np.ones((1, 1))
    return np.where(inside, out, 0.0)


@lru_cache(maxsize=128)
def _exact_three(n1: int, n2: int, n3: int, direct: bool) -> tuple[np.ndarray, np.ndarray]:
    one, two = _trinomial(n1), _trinomial(n2)[::-1, ::-1]
    grid = signal.convolve(one, two, method="direct" if direct else "fft").clip(min=0)
    i, j = np.indices(grid.shape)
    first, second = n3 + i, n3 + j
    third = n1 + 2 * n2 + 3 * n3 - first - second
    keep = grid > 0
    return np.stack([first[keep], second[keep], third[keep]], axis=1), grid[keep] / grid.sum()


def _sampled(counts: np.ndarray, k: int, draws: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    totals = np.full((draws, k), int(counts[k]))
    for u in range(1, k):
        n = int(counts[u])
        if n:
            subsets = np.array([[(s >> r) & 1 for r in range(k)] for s in range(2**k) if s.bit_count() == u])
            totals = totals + rng.multinomial(n, [1 / len(subsets)] * len(subsets), size=draws) @ subsets
    return totals


def null_totals(cells: np.ndarray, *, direct: bool = False, draws: int = 200_000, seed: int = 20_260) -> Null:
    """Null distribution of the column totals given each problem's number right.

    Exact by enumeration for two (a binomial) and three columns (two trinomials convolved, by Fourier transform
    with errors of about 1e-17, or ``direct``); for four and more sampled with ``draws`` draws.
    """
    cells = _binary(cells)
    k = cells.shape[1]
    counts = np.bincount(cells.sum(axis=1), minlength=k + 1)
    if k == 2:
        a = np.arange(counts[1] + 1)
        return Null(
            np.stack([counts[2] + a, counts[2] + counts[1] - a], axis=1), stats.binom.pmf(a, counts[1], 0.5), "exact"
        )
    if k == 3:
        totals, probability = _exact_three(*(int(c) for c in counts[1:]), direct)
        return Null(totals, probability, "exact")
    totals = _sampled(counts, k, draws, seed)
    return Null(totals, np.full(draws, 1 / draws), f"sampled, {draws:,} draws")


def _binary(cells: np.ndarray) -> np.ndarray:
    cells = np.asarray(cells)
    if cells.ndim != 2 or cells.shape[1] < 2 or not np.isin(cells, (0, 1)).all():
        raise ValueError("expected a problems x representations array of 0 and 1 with at least two columns")
    return cells.astype(int)


def _spread(totals: np.ndarray) -> np.ndarray:
    """Sum of squared deviations of the totals, k^2 times, in whole numbers (so that ties are exact)."""
    totals = np.atleast_2d(totals)
    return ((totals.shape[1] * totals - totals.sum(axis=1, keepdims=True)) ** 2).sum(axis=1)


def cochran_q(cells: np.ndarray, *, null: Null | None = None) -> CochranQ:
    """Cochran's Q = k(k-1) sum_r (T_r - mean T)^2 / sum_i (k u_i - u_i^2), with its exact permutation p.

    Q and both p are ``nan`` when no problem is informative.
    """
    cells = _binary(cells)
    k, u = cells.shape[1], cells.sum(axis=1)
    informative = int(((u > 0) & (u < k)).sum())
    if not informative:
        return CochranQ(np.nan, k - 1, np.nan, np.nan, 0, "n/a (0 informative problems)")
    null = null or null_totals(cells)
    seen = _spread(cells.sum(axis=0))[0]
    q = (k - 1) / k * seen / (k * u - u**2).sum()
    p = null.upper_tail(_spread(null.totals), seen)
    if p < 1e-10 and k == 3 and informative < 1_000:  # too close to the error of the transform
        null = null_totals(cells, direct=True)
        p = null.upper_tail(_spread(null.totals), seen)
    return CochranQ(float(q), k - 1, p, float(stats.chi2.sf(q, k - 1)), informative, null.method)


def gap_test(cells: np.ndarray, *, null: Null | None = None) -> GapTest:
    """Accuracy gap (unrounded) with the mean, 95 % quantile and p of its permutation null.

    The gap is never below zero, so it is positive without any effect: read it against ``null_mean``.
    """
    cells = _binary(cells)
    n, totals = cells.shape[0], cells.sum(axis=0)
    if n == 0:
        return GapTest(np.nan, np.nan, np.nan, np.nan, "n/a (0 problems)")
    null = null or null_totals(cells)
    width = null.totals.max(axis=1) - null.totals.min(axis=1)
    mass = np.bincount(width, weights=null.probability)
    q95 = int(np.searchsorted(np.cumsum(mass), 0.95 - 1e-12))
    seen = int(totals.max() - totals.min())
    return GapTest(seen / n, float(mass @ np.arange(mass.size)) / n, q95 / n, null.upper_tail(width, seen), null.method)


def max_gap_test(cells: np.ndarray, *, draws: int = 10_000, seed: int = 20_261) -> GapTest:
    """The largest gap over several models, with the null of that maximum.

    ``cells`` is models x problems x representations on the common problems. The representations are
    permuted within a problem, alike for all models, so that what the models share stays shared.
    """
    cells = np.asarray(cells)
    m, n, k = cells.shape
    orders = list(permutations(range(k)))
    stacked = np.concatenate([cells[:, :, o].transpose(1, 0, 2).reshape(n, m * k) for o in orders]).astype(np.float32)
    rng, best = np.random.default_rng(seed), []
    for start in range(0, draws, 2_000):
        size = min(2_000, draws - start)
        pick = rng.integers(len(orders), size=(size, n))
        hot = np.zeros((size, len(orders) * n), dtype=np.float32)
        hot[np.arange(size)[:, None], pick * n + np.arange(n)] = 1
        totals = (hot @ stacked).reshape(size, m, k)
        best.append((totals.max(axis=2) - totals.min(axis=2)).max(axis=1))
    null = np.concatenate(best)
    totals = cells.sum(axis=1)
    seen = (totals.max(axis=1) - totals.min(axis=1)).max()
    p = (float((null >= seen - 0.5).sum()) + 1) / (draws + 1)
    return GapTest(
        float(seen) / n, float(null.mean()) / n, float(np.quantile(null, 0.95)) / n, p, f"sampled, {draws:,} draws"
    )


def sign_flip(differences: np.ndarray) -> float:
    """Exact two-sided p of a sum of paired whole-number differences when each sign is a coin toss (Fisher 1935).

    All 2^n sign patterns count; the distribution of the sum is built by convolution, so n may be large. 1 when
    every difference is 0.
    """
    d = np.abs(np.asarray(differences))
    if not np.issubdtype(d.dtype, np.integer):
        raise ValueError("sign_flip needs whole numbers: multiply scores by their common denominator")
    reach = int(d.sum())
    mass = np.zeros(2 * reach + 1)
    mass[reach] = 1.0
    for step in d[d > 0]:
        mass = (np.roll(mass, step) + np.roll(mass, -step)) / 2  # the ends hold 0 until the last step reaches them
    far = np.abs(np.arange(-reach, reach + 1)) >= abs(int(np.sum(differences)))
    return float(min(1.0, mass[far].sum()))


def equal_shares(counts: np.ndarray) -> tuple[float, int, float]:
    """Are three (or more) counts equally likely? Chi-square, df, and p: exact up to 200 in all, else asymptotic.

    ``nan`` without counts. The exact p sums the probabilities of all tables with a chi-square as large.
    """
    counts = np.asarray(counts, dtype=int)
    n, k = int(counts.sum()), counts.size
    if n == 0:
        return np.nan, k - 1, np.nan
    chi2 = float(k * (counts.astype(float) ** 2).sum() / n - n)
    if k == 3 and n <= 200:
        grid = _trinomial(n)
        i, j = np.indices(grid.shape)
        squares = i**2 + j**2 + (n - i - j) ** 2
        return chi2, 2, float(min(1.0, grid[(squares >= (counts**2).sum()) & (i + j <= n)].sum()))
    return chi2, k - 1, float(stats.chi2.sf(chi2, k - 1))
