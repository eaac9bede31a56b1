"""Does the representation matter? Cochran's Q, signed differences, the gap beside its null, and equivalence.

Every function takes the scores (or the panels made of them), works on variant 0 and repeat 0, and returns one
tidy frame. All comparisons are paired by problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from geoutils.panel import Panel, common_problems, pairs_of, panels
from geoutils.stats.paired import (
    Interval,
    bonett_price,
    holm,
    mcnemar_exact,
    mcnemar_midp,
    newcombe,
    odds_ratio,
    paired_table,
    within_margin,
)
from geoutils.stats.permutation import cochran_q, gap_test, max_gap_test, null_totals
from geoutils.stats.proportions import FEW
from geoutils.stats.resampling import simultaneous_differences, weights
from geoutils.tabulation import Data, tidy, too_few


def representation_effect(data: Data) -> pd.DataFrame:
    """Does the representation matter at all? Cochran's Q with its exact permutation p, a row per model and strategy.

    ``p_holm`` is adjusted over the rows of the same kind (``family`` of them); the gap stands beside the mean
    and the 95 % quantile that it has when nothing but chance moves it, and the limits from the simultaneous
    differences.
    """
    rows = [{**p.labels, **_effect(p)} for p in panels(data)]
    return add_holm(tidy(rows, ["model", "strategy", "kind", "n", "Q", "p_exact"]), "p_exact", by=["kind"])


_effects: dict[tuple[Any, ...], dict[str, Any]] = {}  # two tables need the same tests


def _effect(p: Panel) -> dict[str, Any]:
    key = (p.correct.tobytes(), p.correct.shape, str(p.correct.dtype), p.missing, p.notices)
    if key not in _effects:
        while len(_effects) >= 1000:
            del _effects[next(iter(_effects))]
        _effects[key] = _tested(p)
    return _effects[key]


def _tested(p: Panel) -> dict[str, Any]:
    """The row of one panel."""
    row: dict[str, Any] = {
        "n": p.n,
        "informative": 0,
        "Q": np.nan,
        "df": 2,
        "p_exact": np.nan,
        "p_chi2": np.nan,
        "gap": np.nan,
        "gap_low": np.nan,
        "gap_high": np.nan,
        "gap_null_mean": np.nan,
        "gap_null_q95": np.nan,
        "p_gap": np.nan,
        "note": "",
    }
    if p.n and p.k > 1:
        null = null_totals(p.correct)
        q, gap = cochran_q(p.correct, null=null), gap_test(p.correct, null=null)
        row |= {
            "gap": gap.gap,
            "informative": q.informative,
            "gap_null_mean": gap.null_mean,
            "gap_null_q95": gap.null_q95,
        }
        if p.n >= FEW:
            bounds = simultaneous_differences(p.correct, weights(p.n))
            row |= {"gap_low": bounds.gap_low, "gap_high": bounds.gap_high}
        if not p.complete:
            row["note"] = f"Q needs three; no answers in {', '.join(p.missing)}"
        elif p.n < FEW:
            row["note"] = too_few(p)
        else:
            row |= {
                "Q": q.q,
                "df": q.df,
                "p_exact": q.p_exact,
                "p_chi2": q.p_chi2,
                "p_gap": gap.p if q.informative else np.nan,
                "note": "" if q.informative else "Q n/a (0 informative problems)",
            }
    return row


def add_holm(table: pd.DataFrame, column: str, *, by: Sequence[str], name: str = "p_holm") -> pd.DataFrame:
    """Add Holm's adjusted p after ``column``, over each group of ``by``, and ``family``: how many were adjusted."""
    adjusted, size = pd.Series(np.nan, index=table.index), pd.Series(0, index=table.index)
    for _, group in table.groupby(list(by), sort=False, dropna=False):
        adjusted[group.index] = holm(group[column].to_numpy(dtype=float))
        size[group.index] = len(group)
    out = table.copy()
    place = list(out.columns).index(column) + 1
    out.insert(place, name, adjusted)
    out.insert(place + 1, "family", size)
    return out


def representation_differences(data: Data, *, confidence: float = 0.95) -> pd.DataFrame:
    """Signed accuracy differences of each pair of representations (first minus second), paired by problem.

    ``low, high``: Bonett-Price; ``newcombe_*``: the check beside it; ``sim_low, sim_high``: simultaneous over the
    pairs of one model (all ``nan`` below ten problems); ``p_midp`` and ``p_exact``: McNemar; ``p_closed`` =
    max(p_midp, Holm-adjusted Q): after Q is rejected the three pairs need no further correction (closed testing),
    before it none may be claimed. With four representations the pairs are adjusted among themselves as well (Holm),
    with a missing one by Bonferroni over pairs and models, since there is no Q.
    """
    effect = representation_effect(data).set_index(["model", "strategy"])
    rows = []
    for p in panels(data):
        if p.n == 0 or p.k < 2:
            continue
        joint = simultaneous_differences(p.correct, weights(p.n), confidence=confidence)
        closed = _closed(p, effect.loc[(p.model, p.strategy)])
        for (first, second), simultaneous in zip(pairs_of(p.representations), joint.intervals, strict=True):
            t = paired_table(p.column(first), p.column(second))
            odds, tested = odds_ratio(t.b, t.c), p.n >= FEW
            bp, nc = bonett_price(t, confidence=confidence), newcombe(t, confidence=confidence)
            if not tested:
                bp, nc, simultaneous = (Interval(t.difference, np.nan, np.nan) for _ in range(3))
            midp = mcnemar_midp(t.b, t.c) if tested else np.nan
            note = too_few(p) or ("no discordant problem" if t.b + t.c == 0 else "")
            rows.append(
                {
                    **p.labels,
                    "first": first,
                    "second": second,
                    "n": p.n,
                    "b": t.b,
                    "c": t.c,
                    "difference": bp.value,
                    "low": bp.low,
                    "high": bp.high,
                    "newcombe_low": nc.low,
                    "newcombe_high": nc.high,
                    "sim_low": simultaneous.low,
                    "sim_high": simultaneous.high,
                    "p_midp": midp,
                    "p_exact": mcnemar_exact(t.b, t.c) if tested else np.nan,
                    "p_closed": closed.get((first, second), np.nan),
                    "odds_ratio": odds.value,
                    "odds_low": odds.low,
                    "odds_high": odds.high,
                    "note": note,
                }
            )
    return tidy(rows, ["model", "strategy", "kind", "first", "second", "n", "difference", "low", "high"])


def _closed(p: Panel, effect: pd.Series) -> dict[tuple[str, str], float]:
    """Adjusted p of each pair: none below ten problems."""
    if p.n < FEW:
        return {}
    pairs = pairs_of(p.representations)
    tables = [paired_table(p.column(a), p.column(b)) for a, b in pairs]
    raw = np.array([mcnemar_midp(t.b, t.c) for t in tables])
    if not p.complete:  # no Q: Bonferroni over the pairs there are and the models of the kind
        return dict(zip(pairs, np.minimum(1.0, raw * len(pairs) * effect["family"]), strict=True))
    own = raw if p.k <= 3 else holm(raw)
    return dict(zip(pairs, np.fmax(own, effect["p_holm"]), strict=True))


def largest_gap(data: Data, *, draws: int = 10_000) -> pd.DataFrame:
    """The largest gap over the models of a strategy and kind, with the null of that maximum (permuted jointly).

    On coord, euclid and vector, which all models share; a model that lacks one is left out.
    """
    rows = []
    groups: dict[tuple[str, str], list[Panel]] = {}
    for p in (each.core for each in panels(data)):
        if p.complete:
            groups.setdefault((p.kind, p.strategy), []).append(p)
    for (kind, strategy), group in groups.items():
        shared, told = common_problems(group)
        row = {"strategy": strategy, "kind": kind, "models": len(group), "n": len(shared), "note": told}
        if len(shared) >= FEW:
            cells = np.stack([p.restrict(shared).correct for p in group])
            test = max_gap_test(cells, draws=draws)
            gaps = cells.sum(axis=1).max(axis=1) - cells.sum(axis=1).min(axis=1)
            names = [p.model for p, g in zip(group, gaps, strict=True) if g == gaps.max()]
            row |= {
                "largest_gap": test.gap,
                "of": ", ".join(names),
                "null_mean": test.null_mean,
                "null_q95": test.null_q95,
                "p": test.p,
            }
        else:
            row |= {
                "largest_gap": np.nan,
                "of": "",
                "null_mean": np.nan,
                "null_q95": np.nan,
                "p": np.nan,
                "note": told or f"too few for tests (n={len(shared)})",
            }
        rows.append(row)
    return tidy(rows, ["strategy", "kind", "models", "n", "largest_gap", "of", "null_mean", "null_q95", "p"])


def equivalence(data: Data, *, margin: float = 0.05) -> pd.DataFrame:
    """Is a model invariant within ``margin``? Only where every signed difference's 90 % interval lies inside it.

    ``verdict`` is "invariant within 5 points" or "undecided" (never "different": that is what Q is for);
    ``widest_low, widest_high`` are the outermost limits of the intervals, which say how far it was off.
    """
    rows = []
    for p in panels(data):
        tables = [paired_table(p.column(a), p.column(b)) for a, b in pairs_of(p.representations)]
        limits = [bonett_price(t, confidence=0.90) for t in tables] if p.n >= FEW else []
        inside = p.complete and p.n >= FEW and within_margin(tables, margin=margin)
        note = too_few(p) or ("" if p.complete else f"needs three; no answers in {', '.join(p.missing)}")
        rows.append(
            {
                **p.labels,
                "n": p.n,
                "margin": margin,
                "mean_accuracy": float(p.correct.mean()) if p.n else np.nan,
                "widest_low": min((i.low for i in limits), default=np.nan),
                "widest_high": max((i.high for i in limits), default=np.nan),
                "verdict": f"invariant within {100 * margin:g} points" if inside else "undecided",
                "note": note,
            }
        )
    return tidy(rows, ["model", "strategy", "kind", "n", "margin", "verdict"])
