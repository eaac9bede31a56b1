"""Agreement beyond what the margins alone would give."""

from __future__ import annotations

import numpy as np

from geoutils.stats.paired import Table


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
