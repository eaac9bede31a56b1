"""Sentences of notebook 06, computed from the tables of :mod:`geoutils.flips`."""

from __future__ import annotations

import numpy as np
import pandas as pd

from geoutils.stats.proportions import share
from geoutils.wording import by_kind, interval, listed, markdown, name, p_value, pct


def patterns(table: pd.DataFrame) -> str:
    """How often correctness depends on the representation."""

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["n"] > 0]
        if known.empty:
            return "patterns need all three representations."
        if (known["CCC"] + known["WWW"] == known["n"]).all():
            return "nothing flips: every problem is right in all representations or in none."
        flips = known["n"] - known["CCC"] - known["WWW"]
        row = known.loc[(flips / known["n"]).idxmax()]
        count = int(row["n"] - row["CCC"] - row["WWW"])
        part = share(count, int(row["n"]))
        text = (
            f"most flips: {name(row)}, where {count} of {part.n} problems ({pct(part.value)}, {interval(part.low, part.high)}) are right in "
            "some and not in others"
        )
        none = known[flips == 0]
        return text + (f"; {listed([name(r) for _, r in none.iterrows()])} never flips." if len(none) else ".")

    return by_kind(table, say)


def over_all(table: pd.DataFrame) -> str:
    """How many patterns there are over every representation asked, and the commonest that is neither all nor none."""

    def say(rows: pd.DataFrame) -> str:
        k = rows["pattern"].str.len()
        rows = rows[k == k.max()]
        mixed = rows[~rows["pattern"].isin(("C" * k.max(), "W" * k.max()))]
        if not mixed["count"].sum():
            return f"over {k.max()} representations nothing flips."
        top = mixed.loc[mixed["share"].idxmax()]
        return (
            f"over {k.max()} representations ({top['representations']}) there are {2 ** k.max()} patterns; the commonest flip is {top['pattern']} with "
            f"{top['count']} of {top['n']} problems ({pct(top['share'])}, {interval(top['low'], top['high'])}) for {name(top)}."
        )

    return by_kind(table, say) if len(table) else "No model was asked in all representations."


def exchangeability(table: pd.DataFrame, *, alpha: float = 0.05) -> str:
    """Whether one representation is the odd one out more often than chance."""

    def say(rows: pd.DataFrame) -> str:
        two, one = rows[rows["two_p"] <= alpha], rows[rows["one_p"] <= alpha]
        tested = int(rows["two_p"].notna().sum() + rows["one_p"].notna().sum())
        if not tested:
            return "no test was possible (too few problems, or none with one or two right)."
        if two.empty and one.empty:
            return f"in none of the {tested} tables (unadjusted) is one representation the odd one out more often than chance gives."
        names = [f"{name(r)}, two right ({p_value(r['two_p'])})" for _, r in two.iterrows()]
        names += [f"{name(r)}, one right ({p_value(r['one_p'])})" for _, r in one.iterrows()]
        return f"{len(names)} of {tested} tables are uneven before adjustment ({0.05 * tested:.1f} would be by chance): {listed(names)}."

    return by_kind(table, say)


def pairwise(table: pd.DataFrame) -> str:
    """The least coherent pair beyond chance, and transfer as k of m."""

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["kappa"].notna()]
        if known.empty:
            return "kappa is n/a everywhere: one of the two representations is always or never right."
        r = known.loc[known["kappa"].idxmin()]
        return (
            f"the least coherent pair is {r['pair']} of {name(r)}: the two agree on {pct(r['agreement'])} of {r['n']} problems, "
            f"{pct(r['agreement_by_chance'])} would agree by chance (kappa {r['kappa']:.2f}{_limits(r['kappa_low'], r['kappa_high'])}); of the problems right in {r['first']}, "
            f"{r['transfer_k']} of {r['transfer_m']} are right in {r['second']} too ({interval(r['transfer_low'], r['transfer_high'])})."
        )

    return by_kind(table, say)


def _limits(low: float, high: float) -> str:
    return "" if np.isnan(low) else f" (95 % interval {low:.2f} to {high:.2f})"


def net(table: pd.DataFrame) -> str:
    """Net flips beside churn: how much changes without moving the accuracy."""

    def say(rows: pd.DataFrame) -> str:
        r = rows.loc[rows["churn"].idxmax()]
        if r["churn"] == 0:
            return "no problem changes between any two representations."
        return (
            f"most churn: {r['pair']} of {name(r)}, where {r['churn']} of {r['n']} problems change and the net is {r['net']:+d} "
            f"in favour of {r['first']} ({p_value(r['p_midp'])})."
        )

    return by_kind(table, say)


def single(table: pd.DataFrame) -> str:
    """Single points of failure, ties and none told."""

    def say(rows: pd.DataFrame) -> str:
        words = [
            f"{name(r)}: {r['single_point_of_failure']} ({r['single_failures']} of {r['n']} problems fail in one representation only)"
            for _, r in rows.iterrows()
        ]
        return listed(words, 4) + "."

    return by_kind(table, say)


def audit(table: pd.DataFrame) -> str:
    """The inconsistency audit in words."""

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["all_correct"].notna()]
        if known.empty:
            return "the audit needs all three representations."
        r = known.loc[known["inconsistent_share"].idxmax()]
        if r["inconsistent"] == 0:
            return f"no problem is inconsistent in any of the {len(known)} (n up to {known['n'].max()})."
        return (
            f"{name(r)} is the most inconsistent: {int(r['all_correct'])} of {r['n']} problems right in all representations, "
            f"{int(r['all_wrong'])} in none, {int(r['inconsistent'])} in some ({pct(r['inconsistent_share'])}, "
            f"{interval(r['low'], r['high'])}); {r['with_unanswered']} have a cell without a graded answer."
        )

    return by_kind(table, say)


def over_models(table: pd.DataFrame) -> str:
    """The problems that flip in the most models."""
    if table.empty:
        return "No model (baselines apart) answered all three representations."
    top = table["inconsistent"].max()
    if top == 0:
        return f"None of the {len(table)} problems is inconsistent in any model."
    names = [markdown(p) for p in table.loc[table["inconsistent"] == top, "problem"]]
    return (
        f"{int((table['inconsistent'] > 0).sum())} of {len(table)} problems are inconsistent in at least one model and strategy; most "
        f"often (in {top}): {listed(names)}."
    )


def sources(table: pd.DataFrame) -> str:
    """What repeats tell of flips, or that one run cannot tell."""

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["within"].notna()]
        if known.empty:
            return "flips include sampling noise; not separable with one run per cell."
        parts = []
        for _, r in known.iterrows():
            shown = (
                "the representation adds to it"
                if r["excess_low"] > 0
                else "that the representation adds to it is not shown"
            )
            parts.append(
                f"{name(r)}: two runs of one statement disagree in {pct(r['within'])} of cases, runs of two representations in "
                f"{pct(r['between'])} (difference {100 * r['excess']:.1f} points, {interval(r['excess_low'], r['excess_high'])}, "
                f"n = {r['n']} problems, {r['repeats']} repeats): {shown}"
            )
        rest = len(rows) - len(known)
        return listed(parts, 4) + "." + (f" The other {rest} have one run per cell." if rest else "")

    return by_kind(table, say)


def coherence(table: pd.DataFrame) -> str:
    """Range of Fleiss's kappa."""

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["fleiss_kappa"].notna()]
        if known.empty:
            return "Fleiss's kappa is n/a (all or none are right, or a representation is missing)."
        ends = known.sort_values("fleiss_kappa", kind="stable").iloc[[0, -1]].to_dict("records")
        said = [f"{r['fleiss_kappa']:.2f}{_limits(r['low'], r['high'])}" for r in ends]
        span = said[0] if np.isclose(ends[0]["fleiss_kappa"], ends[1]["fleiss_kappa"]) else " to ".join(said)
        return f"Fleiss's kappa over the representations is {span}; 0 is as by chance, 1 always alike."

    return by_kind(table, say)
