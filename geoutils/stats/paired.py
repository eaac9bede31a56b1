"""Two right/wrong answers to the same problems.

The table is [[a, b], [c, d]]: a both right, b only the first, c only the second, d neither; n = a+b+c+d.
The difference is first minus second, (b - c) / n.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats


class Table(NamedTuple):
    """Counts of a paired two by two table."""

    a: int
    b: int
    c: int
    d: int

    @property
    def n(self) -> int:
        return self.a + self.b + self.c + self.d

    @property
    def difference(self) -> float:
        return (self.b - self.c) / self.n if self.n else np.nan


class Interval(NamedTuple):
    """An estimate with its limits."""

    value: float
    low: float
    high: float


def paired_table(first: np.ndarray, second: np.ndarray) -> Table:
    """Count two 0/1 arrays over the same problems."""
    x, y = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    if x.shape != y.shape:
        raise ValueError(f"paired answers need equal length, got {x.shape} and {y.shape}")
    return Table(int((x & y).sum()), int((x & ~y).sum()), int((~x & y).sum()), int((~x & ~y).sum()))


def _z(confidence: float) -> float:
    return float(stats.norm.ppf(0.5 + confidence / 2))


def mcnemar_exact(b: int, c: int) -> float:
    """Exact conditional McNemar p (binomial, two-sided); 1 when there is no discordant problem."""
    return float(min(1.0, 2 * stats.binom.cdf(min(b, c), b + c, 0.5))) if b + c else 1.0


def mcnemar_midp(b: int, c: int) -> float:
    """Mid-p McNemar: 2 P(B <= min) - P(B = min), B binomial with b + c trials (Fagerland et al. 2013)."""
    if b + c == 0:
        return 1.0
    low, n = min(b, c), b + c
    return float(min(1.0, 2 * stats.binom.cdf(low, n, 0.5) - stats.binom.pmf(low, n, 0.5)))


class ChiSquare(NamedTuple):
    chi2: float
    p: float


def mcnemar_chi2(b: int, c: int, *, correction: bool = True) -> ChiSquare:
    """Asymptotic McNemar by statsmodels, as the seed's third script promises; (nan, 1) without discordance.

    With ``exact=True`` statsmodels returns min(b, c) as its "statistic", which is no chi-square: so the
    asymptotic variant is called here and the exact p stands in a column of its own.
    """
    if b + c == 0:
        return ChiSquare(np.nan, 1.0)
    from statsmodels.stats.contingency_tables import mcnemar

    done = mcnemar([[0, b], [c, 0]], exact=False, correction=correction)
    return ChiSquare(float(done.statistic), float(done.pvalue))


def wald_difference(t: Table, *, confidence: float = 0.95) -> Interval:
    """Wald interval of the paired difference; too narrow near the edge, for comparison only."""
    d = t.difference
    half = _z(confidence) * np.sqrt(t.b + t.c - (t.b - t.c) ** 2 / t.n) / t.n
    return Interval(d, d - half, d + half)


def agresti_min(t: Table, *, confidence: float = 0.95) -> Interval:
    """Wald after adding 1/2 to each cell (Agresti and Min 2005)."""
    b, c, n = t.b + 0.5, t.c + 0.5, t.n + 2
    half = _z(confidence) * np.sqrt(b + c - (b - c) ** 2 / n) / n
    return Interval(t.difference, (b - c) / n - half, (b - c) / n + half)


def bonett_price_terms(b, c, n) -> tuple:
    """Centre and standard error of Bonett and Price (2012): 1 added to b and c, 2 to n. Arrays allowed."""
    pb, pc = (np.asarray(b) + 1) / (np.asarray(n) + 2), (np.asarray(c) + 1) / (np.asarray(n) + 2)
    return pb - pc, np.sqrt((pb + pc - (pb - pc) ** 2) / (np.asarray(n) + 2))


def bonett_price(t: Table, *, confidence: float = 0.95) -> Interval:
    """The project's interval of a paired difference; the value is the plain (b - c) / n."""
    if t.n == 0:
        return Interval(np.nan, np.nan, np.nan)
    middle, se = bonett_price_terms(t.b, t.c, t.n)
    half = _z(confidence) * se
    return Interval(t.difference, max(-1.0, float(middle - half)), min(1.0, float(middle + half)))


def newcombe(t: Table, *, confidence: float = 0.95) -> Interval:
    """Newcombe's square-and-add interval (1998, method 10) with the continuity term in phi."""
    from geoutils.stats.proportions import wilson

    n = t.n
    if n == 0:
        return Interval(np.nan, np.nan, np.nan)
    p1, p2 = (t.a + t.b) / n, (t.a + t.c) / n
    l1, u1 = wilson(t.a + t.b, n, confidence=confidence)
    l2, u2 = wilson(t.a + t.c, n, confidence=confidence)
    margins = (t.a + t.b) * (t.c + t.d) * (t.a + t.c) * (t.b + t.d)
    cross = t.a * t.d - t.b * t.c
    cross = max(cross - n / 2, 0.0) if cross > 0 else cross
    phi = cross / np.sqrt(margins) if margins else 0.0
    d = p1 - p2
    below = np.sqrt(max(0.0, (p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2))
    above = np.sqrt(max(0.0, (u1 - p1) ** 2 - 2 * phi * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2))
    return Interval(d, float(d - below), float(d + above))


def odds_ratio(b: int, c: int, *, confidence: float = 0.95) -> Interval:
    """Conditional odds ratio b / c with exact limits from the binomial of b among b + c.

    Without discordance it is ``nan``; with b = 0 or c = 0 it is 0 or infinite, and the limit on the open
    side is one-sided at the same confidence.
    """
    n = b + c
    if n == 0:
        return Interval(np.nan, np.nan, np.nan)
    tail = 1 - confidence if 0 in (b, c) else (1 - confidence) / 2
    low = 0.0 if b == 0 else float(stats.beta.ppf(tail, b, c + 1))
    high = 1.0 if c == 0 else float(stats.beta.isf(tail, b + 1, c))
    return Interval(b / c if c else np.inf, low / (1 - low), high / (1 - high) if high < 1 else np.inf)


def odds_ratio_wald(b: int, c: int, *, confidence: float = 0.95) -> Interval:
    """Conditional odds ratio with Wald limits: log(b/c) +- z sqrt(1/b + 1/c); ``nan`` when b or c is 0."""
    if 0 in (b, c):
        return Interval(np.nan, np.nan, np.nan)
    half = _z(confidence) * np.sqrt(1 / b + 1 / c)
    return Interval(b / c, float(np.exp(np.log(b / c) - half)), float(np.exp(np.log(b / c) + half)))


def mean_difference(first: np.ndarray, second: np.ndarray, *, confidence: float = 0.95) -> tuple[Interval, float]:
    """Paired difference of per-problem scores, and its two-sided p by Student's t with n - 1 degrees.

    The standard error is sqrt(sum (d - mean d)^2 / (n (n - 1))), clustered by problem since each problem is
    one row (Miller 2024). If every problem has the same difference there is no spread to test against:
    p is 1 for a difference of 0 and ``nan`` otherwise, and the limits are ``nan``.
    """
    d = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    n = d.size
    if n < 2:
        return Interval(float(d.mean()) if n else np.nan, np.nan, np.nan), np.nan
    mean, se = float(d.mean()), float(d.std(ddof=1) / np.sqrt(n))
    if se < 1e-12:
        return Interval(mean, np.nan, np.nan), 1.0 if abs(mean) < 1e-12 else np.nan
    half = float(stats.t.ppf(0.5 + confidence / 2, n - 1)) * se
    return Interval(mean, mean - half, mean + half), float(2 * stats.t.sf(abs(mean) / se, n - 1))


def holm(p: Sequence[float]) -> np.ndarray:
    """Holm's adjusted p. A ``nan`` (a test that could not be made) counts as 1 in the family, and stays ``nan``."""
    raw = np.asarray(p, dtype=float)
    if raw.size == 0:
        return raw
    filled = np.where(np.isnan(raw), 1.0, raw)
    order = np.argsort(filled, kind="stable")
    steps = np.maximum.accumulate(filled[order] * np.arange(raw.size, 0, -1))
    out = np.empty_like(raw)
    out[order] = np.minimum(steps, 1.0)
    return np.where(np.isnan(raw), np.nan, out)


def within_margin(tables: Sequence[Table], *, margin: float = 0.05, confidence: float = 0.90) -> bool:
    """Equivalence: the interval of *every* difference lies inside +-margin.

    A 90 % interval inside the margin is two one-sided tests at 5 %; requiring it of all differences needs
    no correction (an intersection-union test).
    """
    limits = [bonett_price(t, confidence=confidence) for t in tables]
    return bool(limits) and all(-margin < i.low and i.high < margin for i in limits)
