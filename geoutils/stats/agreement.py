"""Agreement beyond what the margins alone would give."""

from __future__ import annotations

import numpy as np

from geoutils.stats.paired import Table
from geoutils.stats.resampling import percentile, resampled_means


def cohen_kappa(t: Table) -> tuple[float, float, float]:
    """Observed agreement, agreement expected from the margins, and Cohen's kappa.

    Kappa is ``nan`` when a margin is 0 or 1 (one of the two is always right or always wrong).
    """
    n = t.n
    if n == 0:
        return np.nan, np.nan, np.nan
    p1, p2 = (t.a + t.b) / n, (t.a + t.c) / n
    observed = (t.a + t.d) / n
    chance = p1 * p2 + (1 - p1) * (1 - p2)
    degenerate = p1 in (0.0, 1.0) or p2 in (0.0, 1.0)
    return observed, chance, np.nan if degenerate else (observed - chance) / (1 - chance)


def fleiss_kappa(counts: np.ndarray) -> float:
    """Fleiss's kappa of a table subjects x categories of counts; ``nan`` when one category holds everything."""
    counts = np.asarray(counts, dtype=float)
    if counts.size == 0:
        return np.nan
    raters = counts.sum(axis=1)[0]
    if raters < 2 or not np.allclose(counts.sum(axis=1), raters):
        raise ValueError("Fleiss's kappa needs the same number (two or more) of ratings for each subject")
    observed = float((((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))).mean())
    chance = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    return np.nan if chance >= 1 - 1e-12 else (observed - chance) / (1 - chance)


def fleiss_kappa_cells(cells: np.ndarray) -> float:
    """Fleiss's kappa of right/wrong cells (problems x representations)."""
    cells = np.asarray(cells, dtype=int)
    right = cells.sum(axis=1)
    return fleiss_kappa(np.column_stack([right, cells.shape[1] - right]))


def cohen_kappa_limits(first: np.ndarray, second: np.ndarray, w: np.ndarray) -> tuple[float, float]:
    """95 % percentile limits of Cohen's kappa of two 0/1 columns over resampled problems (`w` of `resampling.weights`).

    Resamples without a kappa (one of the two always or never right) are left out; ``nan`` where more than 5 % are.
    """
    x, y = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    p1, p2, both = resampled_means(np.column_stack([x, y, x * y]), w).T
    return _limits(1 - p1 - p2 + 2 * both, p1 * p2 + (1 - p1) * (1 - p2))


def fleiss_kappa_limits(cells: np.ndarray, w: np.ndarray) -> tuple[float, float]:
    """The same for Fleiss's kappa of right/wrong cells (problems x representations)."""
    cells = np.asarray(cells, dtype=float)
    k = cells.shape[1]
    right = cells.sum(axis=1)
    agreeing = (right**2 + (k - right) ** 2 - k) / (k * (k - 1))
    observed, share = resampled_means(np.column_stack([agreeing, right / k]), w).T
    return _limits(observed, share**2 + (1 - share) ** 2)


def _limits(observed: np.ndarray, chance: np.ndarray) -> tuple[float, float]:
    known = chance < 1 - 1e-12
    if known.mean() < 0.95:
        return np.nan, np.nan
    low, high = percentile((observed[known] - chance[known]) / (1 - chance[known]))
    return float(low), float(high)
