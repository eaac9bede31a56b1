"""The effect of the representation inside each model: four estimators side by side, and what each one means.

- logit with category, clustered by problem: population-averaged coefficient, and from it the average effect;
- conditional logit: right and wrong compared within problems (all-right and all-wrong problems drop out);
- random intercept: coefficient for a given problem, and how much problems differ (``sd``);
- Firth's logit where a representation is always or never right and the others have no finite coefficient.

Conditional and random-intercept coefficients are larger than population-averaged ones by construction.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from geoutils.panel import Panel, panels
from geoutils.regression import FEWEST_CLUSTERS, fit_group
from geoutils.stats.logit import NotEstimable, firth
from geoutils.stats.mixed import conditional_logit, pattern_intercept
from geoutils.stats.paired import holm
from geoutils.stats.proportions import FEW

COLUMNS = [
    "model", "representation", "against", "coef", "std_error", "low", "high", "t", "p", "p_holm", "family", "method",
    "ame", "ame_se", "ame_low", "ame_high", "raw_difference", "conditional", "conditional_se", "informative", "dropped",
    "intercept_model", "intercept_model_se", "problem_sd", "n", "problems", "strategy", "kind", "note",
]  # fmt: skip


def _empty(panel: Panel, j: int, note: str) -> dict[str, Any]:
    share = panel.correct.mean(axis=0) if panel.n else np.full(panel.k, np.nan)
    row: dict[str, Any] = dict.fromkeys(COLUMNS, np.nan)
    return row | {
        **panel.labels, "representation": panel.representations[j], "against": panel.representations[0], "method": "n/a",
        "raw_difference": float(share[j] - share[0]), "n": panel.n * panel.k, "problems": panel.n, "note": note,
    }  # fmt: skip


def _rows(panel: Panel, merged: pd.DataFrame) -> list[dict[str, Any]]:
    rows = [_empty(panel, j, "") for j in range(1, panel.k)]
    if panel.n < FEW or panel.k < 2:
        why = (
            f"too few for tests (n={panel.n})" if panel.k > 1 else f"only {', '.join(panel.representations)} was asked"
        )
        return [row | {"note": why} for row in rows]
    notes: list[str] = []
    cells = panel.correct
    right = cells.sum(axis=1)
    mixed = int(((right > 0) & (right < panel.k)).sum())
    for row in rows:
        row |= {"informative": mixed, "dropped": panel.n - mixed}
    try:
        found = conditional_logit(cells)
        for j, row in enumerate(rows):
            row |= {"conditional": found.params[j], "conditional_se": found.se[j]}
    except NotEstimable as error:
        notes.append(f"conditional logit: {error}" if mixed else "conditional logit: no problem differs")
    try:
        inner = pattern_intercept(cells)
        for j, row in enumerate(rows, start=1):
            row |= {"intercept_model": inner.params[j], "intercept_model_se": inner.se[j], "problem_sd": inner.sd}
    except NotEstimable as error:
        notes.append(f"random intercept: {error}")
    if panel.n < FEWEST_CLUSTERS:
        notes.append(f"no clustered logit with {panel.n} problems (needs {FEWEST_CLUSTERS})")
        return [row | {"note": "; ".join(notes)} for row in rows]
    share = cells.mean(axis=0)
    if cells.min() == cells.max():
        return [
            row | {"note": f"{'all' if cells.max() else 'none'} of {cells.size} cells correct: no effect to estimate"}
            for row in rows
        ]
    if (share == 0).any() or (share == 1).any():
        x = np.tile(np.eye(panel.k)[:, 1:], (panel.n, 1))
        names = list(panel.representations[1:])
        for row, f in zip(rows, firth(x, cells.ravel(), names, names), strict=True):
            row |= {"coef": f.value, "low": f.low, "high": f.high, "p": f.p, "method": "Firth, unclustered (shy)"}
        edge = [r for r, s in zip(panel.representations, share, strict=True) if s in (0, 1)]
        notes.append(f"{', '.join(edge)} always or never correct: Firth's fit")
        return [row | {"note": "; ".join(notes)} for row in rows]
    group = fit_group(merged, panel.kind, panel.strategy, draws=0)
    fit = group.fits.get("total")
    notes += group.lines if fit is None else [line for line in group.lines if "taken out" in line]
    for row in rows:
        effect = f"{row['representation']} instead of {row['against']}"
        if fit is None or row["representation"] not in fit.names:
            continue
        e = fit.term(row["representation"])
        row |= {"coef": e.value, "std_error": e.se, "low": e.low, "high": e.high, "t": e.t, "p": e.p,
                "method": "logit, clustered by problem"}  # fmt: skip
        for m in group.margins:
            if m["step"] == "total" and m["effect"] == effect:
                row |= {"ame": m["ame"], "ame_se": m["std_error"], "ame_low": m["low"], "ame_high": m["high"]}
    return [row | {"note": "; ".join(dict.fromkeys(notes))} for row in rows]


def per_model(merged: pd.DataFrame) -> pd.DataFrame:
    """One row per model, strategy and representation (against the first one), with all estimators.

    ``merged`` is the table of :func:`geoutils.feature_tables.merge_features`. ``p_holm`` adjusts ``p`` over the rows
    of the same kind (``family`` of them). ``raw_difference`` is the plain difference of the two accuracies over
    all problems; ``ame`` can differ from it where categories were taken out.
    """
    rows = []
    for p in panels(merged):
        own = merged[(merged["model"] == p.model) & (merged["strategy"] == p.strategy)]
        rows += _rows(p, own)
    table = pd.DataFrame(rows, columns=COLUMNS)
    for _, part in table.groupby("kind", sort=False):
        table.loc[part.index, "p_holm"] = holm(part["p"].to_numpy(dtype=float))
        table.loc[part.index, "family"] = len(part)
    return table


def vector_coefficients(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of :func:`per_model` about vectors: the seed's per_model_representation_vector_coef.csv."""
    return table[table["representation"] == "vector"].reset_index(drop=True)
