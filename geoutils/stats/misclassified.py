"""A share that was counted by an imperfect judge, corrected for the judge's known errors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import stats

from geoutils.stats.paired import Table
from geoutils.stats.resampling import weights


class Corrected(NamedTuple):
    """A corrected share with its interval; ``youden`` is sensitivity + specificity - 1, ``note`` says what limits it."""

    value: float
    low: float
    high: float
    youden: float
    note: str


NO_BETTER = "no better than chance: not corrected"


def rogan_gladen(
    positive: int, n: int, true_positive: int, n_right: int, true_negative: int, n_wrong: int, *, confidence: float = 0.95
) -> Corrected:
    """The share of right ones behind ``positive`` of ``n`` that a judge called right.

    ``true_positive`` of ``n_right`` known right ones and ``true_negative`` of ``n_wrong`` known wrong ones were
    judged so. The estimate is Rogan and Gladen's (1978), (p + Sp - 1) / (Se + Sp - 1), cut to [0, 1]; the
    limits are Lang and Reiczigel's (2014, Preventive Veterinary Medicine 113:13-22): with z the normal
    quantile, n' = n + z^2, p' = (np + z^2/2) / n', Se' and Sp' after adding one success and one failure each,
    P' = (p' + Sp' - 1) / (Se' + Sp' - 1) and d = 2 z^2 (P' Se'(1 - Se')/n_Se' - (1 - P') Sp'(1 - Sp')/n_Sp'),
    they are P' + d -+ z sqrt(p'(1 - p')/n' + P'^2 Se'(1 - Se')/n_Se' + (1 - P')^2 Sp'(1 - Sp')/n_Sp') / (Se' + Sp' - 1).

    Where Se + Sp <= 1 the judge says nothing of the truth: value nan, limits 0 and 1. So it is where one of
    the numbers is zero. Where only the adjusted Se' + Sp' is not above 1, the limits are 0 and 1.
    """
    if min(n, n_right, n_wrong) <= 0:
        return Corrected(np.nan, 0.0, 1.0, np.nan, "no known right or wrong ones, or none judged: not corrected")
    if not (0 <= positive <= n and 0 <= true_positive <= n_right and 0 <= true_negative <= n_wrong):
        raise ValueError("a count is larger than its total, or negative")
    p, se, sp = positive / n, true_positive / n_right, true_negative / n_wrong
    youden = se + sp - 1
    if youden <= 1e-12:
        return Corrected(np.nan, 0.0, 1.0, youden, NO_BETTER)
    value = float(np.clip((p + sp - 1) / youden, 0.0, 1.0))
    z = stats.norm.ppf(0.5 + confidence / 2)
    n_, right_, wrong_ = n + z * z, n_right + 2, n_wrong + 2
    p_, se_, sp_ = (n * p + z * z / 2) / n_, (true_positive + 1) / right_, (true_negative + 1) / wrong_
    youden_ = se_ + sp_ - 1
    if youden_ <= 1e-12:
        return Corrected(value, 0.0, 1.0, youden, "hardly better than chance: no limits")
    share = (p_ + sp_ - 1) / youden_
    var_se, var_sp = se_ * (1 - se_) / right_, sp_ * (1 - sp_) / wrong_
    shift = 2 * z * z * (share * var_se - (1 - share) * var_sp)
    half = z * np.sqrt(p_ * (1 - p_) / n_ + share**2 * var_se + (1 - share) ** 2 * var_sp) / youden_
    low, high = (float(np.clip(limit, 0.0, 1.0)) for limit in (share + shift - half, share + shift + half))
    note = "" if low < high else "the limits fall together at the edge"
    return Corrected(value, min(low, value), max(high, value), youden, note)


def kappa_interval(t: Table, *, confidence: float = 0.95, draws: int = 4_000) -> tuple[float, float]:
    """Percentile limits of Cohen's kappa when the rated items are drawn again; ``nan`` where kappa is not defined."""
    n = t.n
    if n < 2:
        return np.nan, np.nan
    rated = np.repeat(np.eye(4), [int(t.a), int(t.b), int(t.c), int(t.d)], axis=0)
    a, b, c, d = (weights(n, draws=draws) @ rated).T
    chance = (a + b) * (a + c) + (c + d) * (b + d)
    with np.errstate(invalid="ignore", divide="ignore"):
        kappa = np.where(chance < 1 - 1e-12, (a + d - chance) / (1 - chance), np.nan)
    if np.isnan(kappa).mean() > 0.5:
        return np.nan, np.nan
    tail = (1 - confidence) / 2
    low, high = np.nanquantile(kappa, [tail, 1 - tail])
    return float(low), float(high)


def agreement_of_repeats(verdicts: np.ndarray, *, confidence: float = 0.95, draws: int = 4_000) -> tuple[float, float, float, int]:
    """How often two judgements of the same item agree: mean, limits, number of items.

    ``verdicts`` is items x repeats of 1, 0 and nan (not judged); an item counts with two or more judgements,
    all its pairs alike; limits resample items.
    """
    v = np.asarray(verdicts, dtype=float)
    counted = (~np.isnan(v)).sum(axis=1) if v.size else np.zeros(0)
    v, counted = v[counted >= 2], counted[counted >= 2]
    if not len(v):
        return np.nan, np.nan, np.nan, 0
    ones = np.nansum(v, axis=1)
    zeros = counted - ones
    same = (ones * (ones - 1) + zeros * (zeros - 1)) / (counted * (counted - 1))
    means = weights(len(same), draws=draws) @ same
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    if np.ptp(same) < 1e-12:  # all alike: as wide as an exact interval of as many items
        low, high = (stats.beta.ppf(tail, len(same), 1), 1.0) if same[0] == 1 else (0.0, 1.0)
    return float(same.mean()), float(low), float(high), len(same)
