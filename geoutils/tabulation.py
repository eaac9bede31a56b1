"""Tables of accuracy, invariance and consistency with their intervals, and the seed's summary files.

Every function takes the scores (or the panels made of them), works on variant 0 and repeat 0, and returns one
tidy frame. Shares carry a Wilson interval (Clopper-Pearson at the edge and below ten problems), differences are
paired by problem. Missing and unread answers count as not correct; ``n`` is the planned number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from geoutils.panel import REPRESENTATIONS, Panel, all_same, assert_identities, check_scores, pairs_of, panels
from geoutils.stats.paired import mcnemar_chi2, mcnemar_exact, mcnemar_midp, paired_table
from geoutils.stats.proportions import FEW, beta_interval, share
from geoutils.stats.resampling import simultaneous_differences, weights

Data = pd.DataFrame | Sequence[Panel]
SEED_SUMMARY = [
    "model",
    *REPRESENTATIONS,
    "best_performing_geometry",
    "accuracy_gap",
    "percent_diff",
    "Invariance@3",
    "Consistency@3",
    "Inconsistency_rate",
]


def tidy(rows: Iterable[dict[str, Any]], columns: Sequence[str] = ()) -> pd.DataFrame:
    """Rows as a frame; without rows an empty frame that still has its columns."""
    rows = list(rows)
    return pd.DataFrame(rows) if rows else pd.DataFrame(columns=list(columns))


def too_few(panel: Panel) -> str:
    """The note of a panel that has too few problems for a test ("" otherwise)."""
    return f"too few for tests (n={panel.n})" if panel.n < FEW else ""


def check_identities(data: Data) -> pd.DataFrame:
    """Assert the identities of every model and strategy; a row each with the number checked.

    Raises :class:`geoutils.errors.RunError` when one does not hold.
    """
    return tidy(
        ({**p.labels, "problems": p.n, "identities_checked": assert_identities(p)} for p in panels(data)),
        ["model", "strategy", "kind", "problems", "identities_checked"],
    )


def outcomes(scores: pd.DataFrame) -> pd.DataFrame:
    """Cells by outcome: model, strategy, representation, outcome, count, over all variants and repeats."""
    checked, _ = check_scores(scores)
    keys = ["model", "strategy", "kind", "representation", "outcome"]
    return checked.groupby(keys, sort=False).size().rename("count").reset_index()


def accuracy(data: Data, *, confidence: float = 0.95) -> pd.DataFrame:
    """Accuracy by representation, one row per model, strategy and representation.

    ``correct`` of ``n`` planned with its interval; ``answered``, ``unread`` (a response without a graded
    answer: cut, refused, empty or unreadable) and ``missing`` (no response) split the plan;
    ``bound_low`` and ``bound_high`` count all unread and missing cells as wrong and as right;
    ``beta_low, beta_high`` is the interval of a uniform prior. A representation without answers has n = 0.
    """
    rows = []
    for p in panels(data):
        for r in (*p.representations, *p.missing):
            there = r in p.representations
            j = p.representations.index(r) if there else 0
            n = p.n if there else 0
            k, answered = (int(p.correct[:, j].sum()), int(p.answered[:, j].sum())) if there else (0, 0)
            silent = int(p.silent[:, j].sum()) if there else 0
            s = share(k, n, confidence=confidence)
            beta = beta_interval(k, n, confidence=confidence) if n else (np.nan, np.nan)
            rows.append(
                {
                    **p.labels,
                    "representation": r,
                    "correct": k,
                    "n": n,
                    "accuracy": s.value,
                    "low": s.low,
                    "high": s.high,
                    "method": s.method,
                    "answered": answered,
                    "unread": n - answered - silent,
                    "missing": silent,
                    "bound_low": k / n if n else np.nan,
                    "bound_high": (k + n - answered) / n if n else np.nan,
                    "beta_low": beta[0],
                    "beta_high": beta[1],
                }
            )
    return tidy(rows, ["model", "strategy", "kind", "representation", "correct", "n", "accuracy", "low", "high"])


def joint_shares(panel: Panel) -> dict[str, Any]:
    """Invariance, any, consistency, same-wrong, flip and fragile shares of one panel as numbers.

    Fragile share: the part of accuracy that is lost when all representations must be right (for three,
    (2 f2 + f1) / 3). Consistency needs all pairs of answers to be the same under the grader's comparer.
    ``nan`` when a representation is missing or the scores do not tell which answers are the same.
    """
    names = ("invariance", "any", "flip", "fragile", "mean_accuracy", "consistency", "same_wrong", "independent")
    out: dict[str, Any] = dict.fromkeys(names, np.nan)
    if panel.n == 0:
        return out
    out["mean_accuracy"] = float(panel.correct.mean())
    if not panel.complete:
        return out
    right, k = panel.correct.sum(axis=1), panel.k
    out["invariance"], out["any"] = float((right == k).mean()), float((right > 0).mean())
    out["flip"] = out["any"] - out["invariance"]
    out["fragile"] = float(right[right < k].sum() / (k * panel.n))
    out["independent"] = float(np.prod(panel.correct.mean(axis=0)))
    if panel.same is not None:
        out["consistency"] = float(all_same(panel).mean())
        out["same_wrong"] = out["consistency"] - out["invariance"]
    return out


def best(panel: Panel, *, worst: bool = False) -> str:
    """The representation with the highest (lowest) accuracy; all names when they tie."""
    if panel.n == 0:
        return "n/a"
    totals = panel.correct.sum(axis=0)
    target = totals.min() if worst else totals.max()
    names = [r for r, t in zip(panel.representations, totals, strict=True) if t == target]
    return ", ".join(names) + (" (tie)" if len(names) > 1 else "")


def _views(p: Panel) -> list[tuple[str, Panel]]:
    """The panels of the measures @3, and @k as well where another number of representations was planned."""
    planned = p.k + len(p.missing)
    return [("@3", p.core)] + ([(f"@{planned}", p)] if planned != 3 else [])


def _seed_row(p: Panel, category: str | None = None) -> dict[str, Any]:
    core = p.core
    totals = core.correct.sum(axis=0)
    rates = dict(zip(core.representations, totals / p.n if p.n else np.full(core.k, np.nan), strict=True))
    joint = joint_shares(core)
    gap = float((totals.max() - totals.min()) / p.n) if p.n and core.k > 1 else np.nan
    row: dict[str, Any] = {"model": p.model} if category is None else {"model": p.model, "category": category}
    row |= {r: rates.get(r, np.nan) for r in REPRESENTATIONS}
    return row | {
        "best_performing_geometry": best(core),
        "accuracy_gap": gap,
        "percent_diff": 100 * gap,
        "Invariance@3": joint["invariance"],
        "Consistency@3": joint["consistency"],
        "Inconsistency_rate": 1 - joint["consistency"],
    }


def _own_columns(p: Panel) -> dict[str, Any]:
    core, joint = p.core, joint_shares(p.core)
    answered = p.answered.sum(axis=0)
    more: dict[str, Any] = {}
    for at, view in _views(p)[1:]:
        wide = joint_shares(view)
        more |= {r: float(p.column(r).mean()) if p.n else np.nan for r in p.representations if r not in REPRESENTATIONS}
        more |= {f"{name}{at}": wide[name.lower()] for name in ("Invariance", "Consistency", "Any")}
    return {
        "n_problems_evaluated": p.n,
        "strategy": p.strategy,
        "kind": p.kind,
        "worst_performing_geometry": best(core, worst=True),
        "Any@3": joint["any"],
        "SameWrong": joint["same_wrong"],
        "flip_share": joint["flip"],
        "fragile_share": joint["fragile"],
        "mean_accuracy": joint["mean_accuracy"],
        "Invariance_if_independent": joint["independent"],
        **more,
        "n_expected": p.n * p.k,
        "n_answered": int(answered.sum()),
        "n_unparsed": int(p.n * p.k - answered.sum() - p.silent.sum()),
        "n_missing": int(p.silent.sum()),
        **{f"answered_{r}": int(a) for r, a in zip(p.representations, answered, strict=True)},
        "note": "; ".join(filter(None, [*p.notices, too_few(p)])),
    }


def summarise(data: Data) -> pd.DataFrame:
    """The seed's summary: one row per model and strategy, the seed's ten columns first, then ours.

    ``accuracy_gap`` is the unrounded difference of the best and the worst accuracy, ``percent_diff`` the same
    in percentage points; ``Inconsistency_rate`` is 1 - Consistency@3 (of answers, not of correctness).
    """
    return tidy(({**_seed_row(p), **_own_columns(p)} for p in panels(data)), SEED_SUMMARY)


def _interval_columns(p: Panel) -> dict[str, float]:
    out: dict[str, float] = {}
    for r in dict.fromkeys((*REPRESENTATIONS, *p.representations)):
        s = share(int(p.column(r).sum()), p.n) if r in p.representations else share(0, 0)
        out[f"{r}_ci_low"], out[f"{r}_ci_high"] = s.low, s.high
    core = p.core
    bounds = simultaneous_differences(core.correct, weights(p.n)) if p.n >= FEW and core.k > 1 else None
    out["accuracy_gap_ci_low"] = bounds.gap_low if bounds else np.nan
    out["accuracy_gap_ci_high"] = bounds.gap_high if bounds else np.nan
    for at, view in _views(p):
        right = view.correct.sum(axis=1)
        counts = {
            f"Invariance{at}": int((right == view.k).sum()) if view.complete else None,
            f"Consistency{at}": int(all_same(view).sum()) if view.complete and view.same is not None else None,
            f"Any{at}": int((right > 0).sum()) if view.complete else None,
        }
        for name, k in counts.items():
            s = share(k, p.n) if k is not None else share(0, 0)
            out[f"{name}_ci_low"], out[f"{name}_ci_high"] = s.low, s.high
    return out


def summarise_with_cis(data: Data) -> pd.DataFrame:
    """The summary with 95 % limits in ``*_ci_low`` and ``*_ci_high``.

    Shares: :func:`geoutils.stats.proportions.share`. The gap's limits come from the simultaneous limits of the
    signed differences (see :func:`geoutils.stats.resampling.simultaneous_differences`); a percentile interval
    of the gap would exclude 0 even without any effect.
    """
    return tidy(({**_seed_row(p), **_interval_columns(p), **_own_columns(p)} for p in panels(data)), SEED_SUMMARY)


def invariance_consistency(data: Data) -> pd.DataFrame:
    """The ten columns of the seed, then the limits of Invariance, Consistency and Any, n and the same-wrong share."""
    table = summarise_with_cis(data)
    limits = [c for c in table.columns if "@" in c and c.endswith(("_ci_low", "_ci_high"))]
    others = [c for c in table.columns if "@" in c and c not in limits and c not in SEED_SUMMARY]
    if table.empty:
        return table
    return table[[*SEED_SUMMARY, *limits, "n_problems_evaluated", "strategy", "kind", *others, "SameWrong", "note"]]


def _mcnemar_columns(p: Panel) -> dict[str, float]:
    columns: dict[str, dict[str, float]] = {
        "mc_p": {},
        "mcnemar_b": {},
        "mcnemar_c": {},
        "mc_midp": {},
        "mc_chi2": {},
        "mc_chi2_p": {},
    }
    for first, second in pairs_of(tuple(dict.fromkeys((*REPRESENTATIONS, *p.representations)))):
        name = f"{first}_{second}"
        there = first in p.representations and second in p.representations
        t = paired_table(p.column(first), p.column(second)) if there else None
        columns["mcnemar_b"][name], columns["mcnemar_c"][name] = (t.b, t.c) if t else (np.nan, np.nan)
        tested = t is not None and p.n >= FEW
        chi2 = mcnemar_chi2(t.b, t.c) if tested else (np.nan, np.nan)
        columns["mc_p"][name] = mcnemar_exact(t.b, t.c) if tested else np.nan
        columns["mc_midp"][name] = mcnemar_midp(t.b, t.c) if tested else np.nan
        columns["mc_chi2"][name], columns["mc_chi2_p"][name] = chi2
    return {f"{kind}_{name}": v for kind, values in columns.items() for name, v in values.items()}


def summarise_with_mcnemar(data: Data) -> pd.DataFrame:
    """The summary with limits and McNemar's test of each pair of representations.

    ``mc_p_*``: exact; ``mcnemar_b_*`` / ``mcnemar_c_*``: problems right only in the first / only in the second;
    ``mc_midp_*``: mid-p (the one to read: the exact test is too shy); ``mc_chi2_*, mc_chi2_p_*``: statsmodels,
    continuity-corrected.
    """

    def row(p: Panel) -> dict[str, Any]:
        tests = _mcnemar_columns(p)
        theirs = {name: v for name, v in tests.items() if name.startswith(("mc_p_", "mcnemar_"))}
        return _seed_row(p) | _interval_columns(p) | theirs | _own_columns(p) | tests

    return tidy((row(p) for p in panels(data)), SEED_SUMMARY)


def invariance_by_category(data: Data) -> pd.DataFrame:
    """The summary with limits for each category: intervals only, no tests (40 problems show little)."""
    rows = []
    for p in panels(data):
        for category in sorted(set(p.categories)):
            part = p.restrict(q for q, c in zip(p.problems, p.categories, strict=True) if c == category)
            rows.append({**_seed_row(part, category), **_interval_columns(part), **_own_columns(part)})
    return tidy(rows, ["model", "category", *SEED_SUMMARY[1:]])


def sensitivity(data: Data) -> pd.DataFrame:
    """The headline beside other ways to treat cells without a graded answer, labelled as such.

    ``reading``: "headline" (not correct), "all right" (the upper bound) and "complete cases" (only answered
    cells; Invariance over problems answered in every representation: it flatters a model that answers little).
    """
    rows = []
    for p in panels(data):
        for label, cells, used in (
            ("headline: unanswered = not correct", p.correct, np.ones_like(p.answered)),
            ("bound: unanswered = correct", np.where(p.answered, p.correct, 1), np.ones_like(p.answered)),
            ("complete cases only", p.correct, p.answered),
        ):
            row = {**p.labels, "reading": label}
            for j, r in enumerate(p.representations):
                n = int(used[:, j].sum())
                row |= {r: float(cells[used[:, j].astype(bool), j].mean()) if n else np.nan, f"n_{r}": n}
            full = used.astype(bool).all(axis=1)
            row["n_all"] = int(full.sum())
            row[f"Invariance@{p.k + len(p.missing)}"] = (
                float(cells[full].min(axis=1).mean()) if p.complete and full.any() else np.nan
            )
            rows.append(row)
    return tidy(rows, ["model", "strategy", "kind", "reading", *REPRESENTATIONS])


def before_the_cut(scores: pd.DataFrame) -> pd.DataFrame:
    """Truncated answers: accuracy as counted, and when an answer committed before the cut is read.

    Needs the column ``correct_before_cut`` (1/0, blank elsewhere); without it, or without truncated cells, the
    table is empty.
    """
    columns = [
        "model",
        "strategy",
        "kind",
        "representation",
        "n",
        "truncated",
        "committed",
        "accuracy",
        "accuracy_read",
    ]
    checked, _ = check_scores(scores)
    checked = checked[(checked["variant"] == 0) & (checked["repeat"] == 0)]
    if "correct_before_cut" not in checked.columns:
        return pd.DataFrame(columns=columns)
    checked["read"] = pd.to_numeric(checked["correct_before_cut"], errors="coerce")
    rows = []
    for (model, strategy, kind, r), g in checked.groupby(["model", "strategy", "kind", "representation"], sort=False):
        cut = g["outcome"].eq("truncated")
        if cut.any():
            read = g["correct"].where(~cut, g["read"].fillna(0))
            rows.append(
                {
                    "model": model,
                    "strategy": strategy,
                    "kind": kind,
                    "representation": r,
                    "n": len(g),
                    "truncated": int(cut.sum()),
                    "committed": int(g.loc[cut, "read"].notna().sum()),
                    "accuracy": float(g["correct"].mean()),
                    "accuracy_read": float(read.mean()),
                }
            )
    return tidy(rows, columns)
