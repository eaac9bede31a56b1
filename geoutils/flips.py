"""Which representation fails where: patterns, coherence, transfer, audit, and what repeats tell.

A pattern is three letters in Euclid-Coord-Vector order, C for correct and W for not correct. All functions take
scores (or panels), use variant 0 and repeat 0 unless they say otherwise, and return one tidy frame. A model and
strategy without all three representations has no patterns: it is listed with n = 0 and a note.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from geoutils.errors import RunError
from geoutils.panel import KNOWN, Panel, check_scores, common_problems, pairs_of, panels
from geoutils.stats.agreement import cohen_kappa, cohen_kappa_limits, fleiss_kappa_cells, fleiss_kappa_limits
from geoutils.stats.paired import Interval, bonett_price, mcnemar_midp, paired_table
from geoutils.stats.permutation import equal_shares
from geoutils.stats.proportions import FEW, k_of_n, share
from geoutils.stats.repeats import decompose
from geoutils.stats.resampling import weights
from geoutils.tabulation import Data, tidy

ORDER = ("euclid", "coord", "vector")
PATTERNS = ("CCC", "CCW", "CWC", "WCC", "CWW", "WCW", "WWC", "WWW")


def patterns(panel: Panel) -> np.ndarray:
    """The pattern of each problem, in Euclid-Coord-Vector order."""
    letters = np.where(np.column_stack([panel.column(r) for r in ORDER]) == 1, "C", "W")
    return np.array(["".join(row) for row in letters], dtype=object)


def pattern_counts(data: Data) -> pd.DataFrame:
    """Problems by pattern: model, the eight patterns, n, strategy, kind. The eight add up to n (asserted)."""
    rows = []
    for p in (each.core for each in panels(data)):
        found = pd.Series(patterns(p) if p.complete else [], dtype=object).value_counts()
        counts = {name: int(found.get(name, 0)) for name in PATTERNS}
        n = p.n if p.complete else 0
        if sum(counts.values()) != n:
            raise RunError(f"{p.model} ({p.strategy}): the eight patterns add up to {sum(counts.values())}, not {n}")
        rows.append(
            {
                "model": p.model,
                **counts,
                "n": n,
                "strategy": p.strategy,
                "kind": p.kind,
                "note": "" if p.complete else f"needs three; no answers in {', '.join(p.missing)}",
            }
        )
    return tidy(rows, ["model", *PATTERNS, "n", "strategy", "kind", "note"])


def pattern_shares(data: Data) -> pd.DataFrame:
    """Patterns in percent of n (``n/a`` where n = 0), with n beside them."""
    out = pattern_counts(data)
    out[list(PATTERNS)] = 100 * out[list(PATTERNS)].div(out["n"].where(out["n"] > 0), axis=0)
    return out


def patterns_over_all(data: Data) -> pd.DataFrame:
    """Problems by pattern over every representation asked, one row a pattern: 2^k rows a model and strategy.

    Letters stand in the order of ``representations`` (Euclid-Coord-Vector, then others such as figure). ``count`` of
    ``n`` problems with a 95 % interval of the share; the counts of a model and strategy add up to n (asserted).
    """
    rows = []
    for p in panels(data):
        if not p.complete:
            continue
        order = [r for r in ORDER if r in p.representations] + [r for r in p.representations if r not in ORDER]
        right = np.column_stack([p.column(r) for r in order]) == 1
        found = pd.Series(["".join(row) for row in np.where(right, "C", "W")], dtype=object).value_counts()
        names = ["".join(letters) for letters in product("CW", repeat=len(order))]
        names.sort(key=lambda name: (name.count("W"), name))
        if sum(int(found.get(name, 0)) for name in names) != p.n:
            raise RunError(f"{p.model} ({p.strategy}): its patterns do not add up to {p.n}")
        for name in names:
            part = share(int(found.get(name, 0)), p.n)
            rows.append(
                {"model": p.model, "strategy": p.strategy, "kind": p.kind, "representations": "-".join(order), "pattern": name,
                 "count": part.k, "n": p.n, "share": part.value, "low": part.low, "high": part.high}
            )  # fmt: skip
    columns = ["model", "strategy", "kind", "representations", "pattern", "count", "n", "share", "low", "high"]
    return tidy(rows, columns)


def pattern_exchangeability(data: Data) -> pd.DataFrame:
    """Among problems with two (one) correct: is each representation equally often the odd one out?

    ``two_*``: counts CCW, CWC, WCC with chi-square (df 2) and exact p; ``one_*``: CWW, WCW, WWC. Cochran's Q
    pools both into one contrast; apart they tell whether a representation fails alone or helps alone.
    """
    rows = []
    for row in pattern_counts(data).to_dict("records"):
        out = {k: row[k] for k in ("model", "strategy", "kind", "n")}
        for name, which in (("two", PATTERNS[1:4]), ("one", PATTERNS[4:7])):
            counts = [row[w] for w in which]
            chi2, df, p = equal_shares(np.array(counts))
            few = row["n"] < FEW
            out |= {
                f"{name}_correct": sum(counts),
                f"{name}_expected_each": sum(counts) / 3,
                **{f"{name}_{w}": c for w, c in zip(which, counts, strict=True)},
                f"{name}_chi2": np.nan if few else chi2,
                f"{name}_df": df,
                f"{name}_p": np.nan if few else p,
            }
        rows.append(out)
    return tidy(rows, ["model", "strategy", "kind", "n"])


def pairwise(data: Data) -> pd.DataFrame:
    """Coherence and transfer between each pair of representations.

    ``agreement`` (both right or both not) with its interval, ``agreement_by_chance`` from the two accuracies and
    Cohen's ``kappa`` (n/a where one of the two is always or never right) with limits over resampled problems;
    ``transfer``: of the problems right in ``first`` the share right in ``second`` as k of m with interval, and
    ``reverse``; ``net`` = b - c problems in favour of ``first``, ``churn`` = b + c problems that change, the difference with Bonett-Price limits and
    mid-p McNemar.
    """
    rows = []
    for p in panels(data):
        order = [r for r in ORDER if r in p.representations] + [r for r in p.representations if r not in ORDER]
        for first, second in pairs_of(order):
            t = paired_table(p.column(first), p.column(second))
            observed, chance, kappa = cohen_kappa(t)
            limits = (np.nan, np.nan)
            if t.n >= FEW and not np.isnan(kappa):
                limits = cohen_kappa_limits(p.column(first), p.column(second), weights(t.n))
            agree, there, back = share(t.a + t.d, t.n), share(t.a, t.a + t.b), share(t.a, t.a + t.c)
            d = bonett_price(t) if t.n >= FEW else Interval(t.difference, np.nan, np.nan)
            rows.append(
                {
                    "model": p.model,
                    "pair": f"{first}-{second}",
                    "first": first,
                    "second": second,
                    "n": t.n,
                    "both": t.a,
                    "only_first": t.b,
                    "only_second": t.c,
                    "neither": t.d,
                    "agreement": observed,
                    "agreement_low": agree.low,
                    "agreement_high": agree.high,
                    "agreement_by_chance": chance,
                    "kappa": kappa,
                    "kappa_low": limits[0],
                    "kappa_high": limits[1],
                    "transfer": there.value,
                    "transfer_k": there.k,
                    "transfer_m": there.n,
                    "transfer_low": there.low,
                    "transfer_high": there.high,
                    "transfer_text": k_of_n(there),
                    "reverse": back.value,
                    "reverse_k": back.k,
                    "reverse_m": back.n,
                    "reverse_low": back.low,
                    "reverse_high": back.high,
                    "reverse_text": k_of_n(back),
                    "net": t.b - t.c,
                    "churn": t.b + t.c,
                    "difference": d.value,
                    "low": d.low,
                    "high": d.high,
                    "p_midp": mcnemar_midp(t.b, t.c) if t.n >= FEW else np.nan,
                    "strategy": p.strategy,
                    "kind": p.kind,
                    "note": f"too few for tests (n={t.n})"
                    if t.n < FEW
                    else ("no discordant problem" if t.b + t.c == 0 else ""),
                }
            )
    return tidy(rows, ["model", "pair", "first", "second", "n", "agreement", "kappa", "transfer"])


def coherence(data: Data) -> pd.DataFrame:
    """Agreement of all three representations together: Fleiss's kappa (n/a when all or none are right), with its limits."""
    rows = []
    for p in panels(data):
        uniform = p.correct.mean() in (0, 1) if p.n else True
        known = p.complete and not uniform
        low, high = fleiss_kappa_limits(p.correct, weights(p.n)) if known and p.n >= FEW else (np.nan, np.nan)
        rows.append(
            {
                **p.labels,
                "n": p.n if p.complete else 0,
                "fleiss_kappa": fleiss_kappa_cells(p.correct) if known else np.nan,
                "low": low,
                "high": high,
                "note": ""
                if known
                else (
                    "kappa n/a: all or none are right"
                    if p.complete
                    else f"needs three; no answers in {', '.join(p.missing)}"
                ),
            }
        )
    return tidy(rows, ["model", "strategy", "kind", "n", "fleiss_kappa", "low", "high", "note"])


def single_failures(data: Data) -> pd.DataFrame:
    """The representation that most often fails alone, ties told, "none" when nothing fails alone.

    ``fails_alone_*`` counts problems where only that representation is not correct, ``alone_right_*`` where only
    it is.
    """
    rows = []
    for row in pattern_counts(data).to_dict("records"):
        alone = dict(zip(ORDER, (row["WCC"], row["CWC"], row["CCW"]), strict=True))
        helps = dict(zip(ORDER, (row["CWW"], row["WCW"], row["WWC"]), strict=True))
        top = max(alone.values())
        names = [r for r, c in alone.items() if c == top]
        point = (
            "n/a" if row["n"] == 0 else "none" if top == 0 else ", ".join(names) + (" (tie)" if len(names) > 1 else "")
        )
        total = share(sum(alone.values()), row["n"])
        rows.append(
            {
                "model": row["model"],
                "single_point_of_failure": point,
                **{f"fails_alone_{r}": c for r, c in alone.items()},
                **{f"alone_right_{r}": c for r, c in helps.items()},
                "single_failures": total.k,
                "n": row["n"],
                "share": total.value,
                "low": total.low,
                "high": total.high,
                "strategy": row["strategy"],
                "kind": row["kind"],
            }
        )
    return tidy(rows, ["model", "single_point_of_failure", "single_failures", "n", "strategy", "kind"])


def audit(data: Data) -> pd.DataFrame:
    """The inconsistency audit: problems right in all, wrong in all, and inconsistent (of correctness, not of answers).

    ``with_unanswered`` counts the problems with at least one cell without a graded answer; they are in the other
    columns too, as not correct.
    """
    rows = []
    for p in panels(data):
        if p.complete:
            right = p.correct.sum(axis=1)
            every, none = int((right == p.k).sum()), int((right == 0).sum())
            mixed = share(p.n - every - none, p.n)
            counts: dict[str, Any] = {
                "all_correct": every,
                "all_wrong": none,
                "inconsistent": mixed.k,
                "n": p.n,
                "inconsistent_share": mixed.value,
                "low": mixed.low,
                "high": mixed.high,
                "with_unanswered": int((~p.answered).any(axis=1).sum()),
                "note": "",
            }
        else:
            counts = {
                "all_correct": np.nan,
                "all_wrong": np.nan,
                "inconsistent": np.nan,
                "n": p.n,
                "inconsistent_share": np.nan,
                "low": np.nan,
                "high": np.nan,
                "with_unanswered": int((~p.answered).any(axis=1).sum()),
                "note": f"needs three; no answers in {', '.join(p.missing)}",
            }
        rows.append({"model": p.model, **counts, "strategy": p.strategy, "kind": p.kind})
    return tidy(rows, ["model", "all_correct", "all_wrong", "inconsistent", "n", "strategy", "kind"])


def audit_over_models(data: Data, *, include_baselines: bool = False) -> pd.DataFrame:
    """A row per problem: in how many models (and strategies) it is right in all, wrong in all, or inconsistent.

    Baselines are left out unless asked for: what a heuristic gets wrong says nothing of a statement.
    """
    rows = []
    for p in panels(data):
        if p.complete and (include_baselines or p.kind != "BASELINE"):
            right = p.correct.sum(axis=1)
            rows += [
                {
                    "problem": q,
                    "category": c,
                    "all_correct": int(x == p.k),
                    "all_wrong": int(x == 0),
                    "inconsistent": int(0 < x < p.k),
                    **{f"wrong_{r}": int(1 - y) for r, y in zip(p.representations, cells, strict=True)},
                }
                for q, c, x, cells in zip(p.problems, p.categories, right, p.correct, strict=True)
            ]
    columns = [
        "problem",
        "category",
        "models",
        "inconsistent",
        "all_correct",
        "all_wrong",
        *(f"wrong_{r}" for r in ORDER),
    ]
    if not rows:
        return pd.DataFrame(columns=columns)
    table = pd.DataFrame(rows)
    grouped = table.groupby(["problem", "category"], sort=True)
    out = grouped.sum().reset_index()
    out["models"] = grouped.size().to_numpy()
    return out[columns].sort_values(["inconsistent", "problem"], ascending=[False, True], ignore_index=True)


def suspects(data: Data, *, strong: float = 0.6, at_least: int = 2) -> tuple[pd.DataFrame, str]:
    """Problems on which *all* strong models fail in exactly one and the same representation.

    That is a hint of a faulty statement, not proof. Strong: a model (no baseline) and strategy with mean accuracy
    of at least ``strong``; with fewer than ``at_least`` of them nothing can be said. The sentence tells how many
    there are and how many such problems chance alone would give if the models failed independently with their
    own rates.
    """
    three = [each.core for each in panels(data)]
    group = [p for p in three if p.kind != "BASELINE" and p.complete and p.n and p.correct.mean() >= strong]
    columns = ["problem", "category", "representation", "models"]
    if len(group) < at_least:
        return pd.DataFrame(columns=columns), (
            f"{len(group)} of the models and strategies reach a mean accuracy of {strong:g}; "
            f"at least {at_least} are needed, so no problem is flagged."
        )
    shared, told = common_problems(group)
    cells = np.stack([p.restrict(shared).correct for p in group])
    categories = dict(zip(group[0].problems, group[0].categories, strict=True))
    rows, expected = [], 0.0
    for j, r in enumerate(group[0].representations):
        alone = (cells[:, :, j] == 0) & (np.delete(cells, j, axis=2).min(axis=2) == 1)
        expected += len(shared) * float(np.prod(alone.mean(axis=1)))
        rows += [
            {"problem": q, "category": categories[q], "representation": r, "models": len(group)}
            for q, hit in zip(shared, alone.all(axis=0), strict=True)
            if hit
        ]
    return tidy(rows, columns), (
        f"{len(rows)} of {len(shared)} problems fail in one representation only for all {len(group)} strong "
        f"models and strategies (independent failures alone would give about {expected:.2g})."
        + (f" This is {told}." if told else "")
    )


def flip_sources(scores: pd.DataFrame, *, variant: int = 0) -> pd.DataFrame:
    """With repeats: how much two answers to one problem differ because of chance, and because of representation.

    ``within``: two runs of one statement disagree in correctness; ``between``: runs of two representations do;
    ``excess`` = between - within is what the representation adds (unbiased, may be negative), with bootstrap
    limits over problems; ``invariance_each_run`` is the unbiased chance that one run each is right in all.
    With unequal repeats the smallest number is used and the range told; with one run the row says that flips
    include sampling noise and cannot be split.
    """
    checked, _ = check_scores(scores)
    checked = checked[checked["variant"] == variant]
    rows = []
    for (model, strategy, kind), g in checked.groupby(["model", "strategy", "kind"], sort=False):
        present = [r for r in KNOWN if r in set(g["representation"])]
        counts = g.groupby(["problem", "representation"]).size()
        low, high = int(counts.min()), int(counts.max())
        told = f"{low}" if low == high else f"{low} to {high} (the first {low} used)"
        row: dict[str, Any] = {
            "model": model,
            "strategy": strategy,
            "kind": kind,
            "n": g["problem"].nunique(),
            "repeats": told,
        }
        full = counts.unstack().reindex(columns=present)
        use = full.index[full.notna().all(axis=1)]
        if low < 2 or len(present) < 2 or len(use) < 2:
            row["note"] = (
                "flips include sampling noise; not separable with one run per cell"
                if low < 2
                else "needs two representations and two problems"
            )
            rows.append(row)
            continue
        part = g[g["problem"].isin(use)].sort_values(["problem", "representation", "repeat"])
        part = part.groupby(["problem", "representation"], sort=False).head(low)
        cells = np.stack(
            [part.loc[part["representation"] == r, "correct"].to_numpy().reshape(len(use), low) for r in present],
            axis=1,
        )
        d = decompose(cells)
        row |= {
            "n": d.problems,
            "within": d.within.value,
            "between": d.between.value,
            "excess": d.excess.value,
            "excess_low": d.excess.low,
            "excess_high": d.excess.high,
            "noise_share": d.noise_share,
            "invariance_each_run": float(cells.mean(axis=2).prod(axis=1).mean()),
            "note": "",
        }
        rows.append(row)
    columns = [
        "model",
        "strategy",
        "kind",
        "n",
        "repeats",
        "within",
        "between",
        "excess",
        "excess_low",
        "excess_high",
        "noise_share",
        "invariance_each_run",
        "note",
    ]
    return tidy(rows, columns).reindex(columns=columns)
