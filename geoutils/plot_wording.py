"""Sentences of notebook 08, computed from the tables that its figures show."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from geoutils.plot_style import span
from geoutils.stats.proportions import share
from geoutils.wording import by_kind, interval, listed, name, pct, points


def scope(accuracy: pd.DataFrame) -> str:
    """What the figures show: how many models, strategies and problems."""
    known = accuracy[accuracy["n"] > 0]
    if known.empty:
        return "There are no answers of variant 0 and repeat 0, so the figures are empty."
    kinds = known.drop_duplicates("model")["kind"].value_counts()
    words = {"model": "models", "SIMULATED": "SIMULATED models", "BASELINE": "baselines"}
    parts = [f"{kinds[k]} {w}" for k, w in words.items() if k in kinds.index]
    strategies = ", ".join(dict.fromkeys(known["strategy"]))
    return f"{listed(parts)}; strategies {strategies}; {span(known['n'])} problems each."


def spread(summary: pd.DataFrame) -> str:
    """The largest and the smallest spread between representations, without a claim that it is real."""

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["accuracy_gap"].notna()]
        if known.empty:
            return "no accuracy gap can be given."
        top = known.loc[known["accuracy_gap"].idxmax()]
        return (
            f"the accuracies of {name(top)} lie furthest apart, {100 * top['accuracy_gap']:.1f} points (n = {int(top['n_problems_evaluated'])}); "
            f"the median over {len(known)} rows is {100 * known['accuracy_gap'].median():.1f} points. A gap is never below zero, so the next figure sets it against chance."
        )

    return by_kind(summary, say)


def differences(table: pd.DataFrame, effect: pd.DataFrame) -> str:
    """How many differences are shown, the largest of them, and the size chance alone reaches."""

    def say(rows: pd.DataFrame) -> str:
        shown = rows[rows["p_closed"] <= 0.05]
        tested = int(rows["p_closed"].notna().sum())
        null = effect.loc[effect["kind"] == rows["kind"].iloc[0], "gap_null_q95"].dropna()
        chance = (
            f" Chance alone stays within {100 * null.median():.1f} points in 95 % of cases (median over rows)."
            if len(null)
            else ""
        )
        if not tested:
            return f"none of the {len(rows)} differences could be tested.{chance}"
        if shown.empty:
            return f"of {tested} differences none is shown to be more than chance.{chance}"
        r = shown.loc[shown["difference"].abs().idxmax()]
        return (
            f"{len(shown)} of {tested} differences are shown; the largest is {r['first']} minus {r['second']} of {name(r)}: "
            f"{points(r['difference'])} ({interval(r['low'], r['high'])}, n = {int(r['n'])}).{chance}"
        )

    return by_kind(table, say)


def lost(summary: pd.DataFrame) -> str:
    """Where Invariance@3 falls furthest below the weakest representation."""

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["Invariance@3"].notna()]
        if known.empty:
            return "Invariance@3 needs all three representations."
        weakest = known[["coord", "euclid", "vector"]].min(axis=1)
        r = known.loc[(weakest - known["Invariance@3"]).idxmax()]
        return (
            f"furthest below its weakest representation is {name(r)}: right in all three on {pct(r['Invariance@3'])} of {int(r['n_problems_evaluated'])} problems "
            f"({interval(r['Invariance@3_ci_low'], r['Invariance@3_ci_high'])}), in the weakest alone on {pct(weakest[r.name])}."
        )

    return by_kind(summary, say)


def flips(counts: pd.DataFrame) -> str:
    """The range of the share of problems that flip."""

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["n"] > 0]
        if known.empty:
            return "patterns need all three representations."
        flipping = known["n"] - known["CCC"] - known["WWW"]
        part = flipping / known["n"]

        def told(place: Any) -> str:
            own = share(int(flipping[place]), int(known.loc[place, "n"]))
            return f"{pct(own.value)} of {own.n} problems ({interval(own.low, own.high)})"

        top, low = part.idxmax(), part.idxmin()
        text = f"{told(top)} flip for {name(known.loc[top])}"
        if part.min() < part.max():
            text += f", {told(low)} for {name(known.loc[low])}"
        return text + "; with one run a cell this includes chance."

    return by_kind(counts, say)


def transfer(pairwise: pd.DataFrame) -> str:
    """The lowest transfer with its counts."""

    def say(rows: pd.DataFrame) -> str:
        there = rows[
            [
                "model",
                "strategy",
                "n",
                "first",
                "second",
                "transfer",
                "transfer_k",
                "transfer_m",
                "transfer_low",
                "transfer_high",
            ]
        ]
        back = rows[
            [
                "model",
                "strategy",
                "n",
                "second",
                "first",
                "reverse",
                "reverse_k",
                "reverse_m",
                "reverse_low",
                "reverse_high",
            ]
        ]
        back.columns = there.columns
        both = pd.concat([there, back], ignore_index=True)
        known = both[both["transfer_m"] > 0]
        if known.empty:
            return "nothing is right in any representation, so nothing can carry over."
        r = known.loc[known["transfer"].idxmin()]
        return (
            f"the least carries over for {name(r)} from {r['first']} to {r['second']}: {int(r['transfer_k'])} of {int(r['transfer_m'])} problems "
            f"= {pct(r['transfer'])} ({interval(r['transfer_low'], r['transfer_high'])})."
        )

    return by_kind(pairwise, say)


def power(detectable: pd.DataFrame) -> str:
    """The range of detectable differences, alone and corrected."""

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["detectable"].notna()]
        if known.empty:
            return "no detectable difference can be named (too few problems or no discordance)."
        text = f"with n = {span(known['n'])}, differences of {100 * known['detectable'].min():.1f} to {100 * known['detectable'].max():.1f} points would be found in 80 % of runs"
        corrected = known["corrected"].dropna()
        if len(corrected):
            text += f", {100 * corrected.min():.1f} to {100 * corrected.max():.1f} points when corrected for {int(np.max(known['tests']))} tests"
        return text + "; smaller ones would mostly go unseen."

    return by_kind(detectable, say)
