"""Intervals of one share: k successes among n trials."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import stats

FEW = 10
"""Below this number of problems only counts and exact intervals are given, and no test."""


class Share(NamedTuple):
    """A share with its interval; ``method`` says how the interval was made."""

    k: int
    n: int
    value: float
    low: float
    high: float
    method: str


def _counts(k: object, n: object) -> tuple[np.ndarray, np.ndarray]:
    k_, n_ = np.broadcast_arrays(np.asarray(k, dtype=float), np.asarray(n, dtype=float))
    if np.any(k_ < 0) or np.any(k_ > n_):
        raise ValueError(f"a share needs 0 <= k <= n, got k={k}, n={n}")
    return k_, n_


def _pair(low: np.ndarray, high: np.ndarray) -> tuple:
    return (float(low), float(high)) if np.ndim(low) == 0 else (low, high)


def wilson(k, n, *, confidence: float = 0.95) -> tuple:
    """Wilson's score interval (1927); ``nan`` where n = 0. Arrays are allowed."""
    k, n = _counts(k, n)
    z2 = stats.norm.ppf(0.5 + confidence / 2) ** 2
    with np.errstate(invalid="ignore", divide="ignore"):
        p = k / n
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        half = np.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    low, high = np.where(k == 0, 0.0, middle - half), np.where(k == n, 1.0, middle + half)
    none = n == 0
    return _pair(np.where(none, np.nan, low)[()], np.where(none, np.nan, high)[()])


def clopper_pearson(k, n, *, confidence: float = 0.95) -> tuple:
    """Exact (conservative) interval of Clopper and Pearson (1934); ``nan`` where n = 0."""
    k, n = _counts(k, n)
    tail = (1 - confidence) / 2
    with np.errstate(invalid="ignore"):
        low = np.where(k == 0, 0.0, stats.beta.ppf(tail, k, n - k + 1))
        high = np.where(k == n, 1.0, stats.beta.isf(tail, k + 1, n - k))
    none = n == 0
    return _pair(np.where(none, np.nan, low)[()], np.where(none, np.nan, high)[()])


def agresti_coull(k, n, *, confidence: float = 0.95) -> tuple:
    """Wald's interval around Wilson's centre (Agresti and Coull 1998); for comparison only."""
    k, n = _counts(k, n)
    z = stats.norm.ppf(0.5 + confidence / 2)
    n_ = n + z * z
    p = (k + z * z / 2) / n_
    half = z * np.sqrt(p * (1 - p) / n_)
    return _pair(p - half, p + half)


def beta_interval(k, n, *, confidence: float = 0.95, prior: tuple[float, float] = (1.0, 1.0)) -> tuple:
    """Equal-tailed credible interval under a Beta prior: (1, 1) uniform, (0.5, 0.5) Jeffreys."""
    k, n = _counts(k, n)
    tail = (1 - confidence) / 2
    a, b = k + prior[0], n - k + prior[1]
    return _pair(stats.beta.ppf(tail, a, b), stats.beta.isf(tail, a, b))


def share(k: int, n: int, *, confidence: float = 0.95) -> Share:
    """A share with the interval the project prints.

    Wilson, except at the edge (k = 0 or k = n) and below ten trials, where it is Clopper-Pearson.
    With n = 0 everything is ``nan`` and the method reads ``n/a (0 of 0)``.
    """
    k, n = int(k), int(n)
    if n == 0:
        return Share(0, 0, np.nan, np.nan, np.nan, "n/a (0 of 0)")
    exact = k in (0, n) or n < FEW
    low, high = (clopper_pearson if exact else wilson)(k, n, confidence=confidence)
    return Share(k, n, k / n, low, high, "Clopper-Pearson" if exact else "Wilson")


def k_of_n(part: Share) -> str:
    """``k of n = 0.xyz [low, high]``, or ``n/a (0 of 0)``."""
    if part.n == 0:
        return "n/a (0 of 0)"
    return f"{part.k} of {part.n} = {part.value:.3f} [{part.low:.3f}, {part.high:.3f}]"
