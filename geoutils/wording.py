"""Sentences computed from the tables of notebooks 05 and 06: what a number means, and what is not shown.

Each function takes a table of :mod:`geoutils.tabulation`, :mod:`~geoutils.effects`, :mod:`~geoutils.comparisons` or
:mod:`~geoutils.flips` and returns Markdown. Models, simulated models and baselines are spoken of apart; names of
models are escaped.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from geoutils.display import markdown

KINDS = {
    "model": "Models: ",
    "SIMULATED": "**SIMULATED** models: ",
    "BASELINE": "Baselines (no language model): ",
}


def pct(value: float, places: int = 1) -> str:
    """A share in percent; n/a where it does not exist."""
    return "n/a" if value is None or np.isnan(value) else f"{100 * value:.{places}f} %"


def points(value: float) -> str:
    """A difference of shares in percentage points, with its sign."""
    return "n/a" if np.isnan(value) else f"{100 * value:+.1f} points"


def interval(low: float, high: float) -> str:
    """95 % limits in percent."""
    return "no interval" if np.isnan(low) or np.isnan(high) else f"95 % interval {100 * low:.1f} to {100 * high:.1f}"


def p_value(p: float) -> str:
    """p with three places, n/a where there was no test."""
    return "p n/a" if np.isnan(p) else "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def name(row: pd.Series) -> str:
    """The model of a row with its strategy, escaped."""
    return f"{markdown(row['model'])} ({row['strategy']})" if "strategy" in row.index else markdown(row["model"])


def listed(items: list[str], most: int = 5) -> str:
    """Items with commas and "and"; beyond ``most`` only counted."""
    if len(items) > most:
        return ", ".join(items[:most]) + f" and {len(items) - most} more"
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1] if items else "none"


def by_kind(
    table: pd.DataFrame, say: Callable[[pd.DataFrame], str], *, empty: str = "There is nothing to show here."
) -> str:
    """``say`` of the rows of each kind, each named as what it is, in one paragraph."""
    if "kind" not in table.columns:  # an empty table
        return empty
    parts = [KINDS[kind] + say(table[table["kind"] == kind]) for kind in KINDS if (table["kind"] == kind).any()]
    return "\n\n".join(parts) or empty


def counted(accuracy: pd.DataFrame) -> str:
    """How many planned cells have an answer that could be graded."""
    if accuracy.empty:
        return "There is no planned cell of variant 0 and repeat 0."
    n, answered = int(accuracy["n"].sum()), int(accuracy["answered"].sum())
    unread, missing = int(accuracy["unread"].sum()), int(accuracy["missing"].sum())
    gone = accuracy[accuracy["n"] == 0]
    more = (
        ""
        if gone.empty
        else f" No answers at all: {listed([f'{name(r)} in {r.representation}' for _, r in gone.iterrows()])}."
    )
    if not n:
        return "There is no planned cell of variant 0 and repeat 0." + more
    return (
        f"Of {n:,} planned cells {answered:,} ({pct(answered / n)}) hold an answer that could be graded; in {unread:,} the response "
        f"holds none (cut, refused, empty or unreadable) and {missing:,} have no response. All of these count as not correct.{more}"
    )


def accuracy_range(accuracy: pd.DataFrame) -> str:
    """The highest and the lowest accuracy with interval and n."""

    def say(rows: pd.DataFrame) -> str:
        rows = rows[rows["n"] > 0]
        if rows.empty:
            return "no answers."
        top, bottom = rows.loc[rows["accuracy"].idxmax()], rows.loc[rows["accuracy"].idxmin()]

        def part(row: pd.Series) -> str:
            return (
                f"{name(row)} in {row['representation']} with {row['correct']} of {row['n']} = {pct(row['accuracy'])} "
                f"({interval(row['low'], row['high'])})"
            )

        if top["accuracy"] == bottom["accuracy"]:
            return f"every accuracy is {pct(top['accuracy'])}, for example {part(top)}."
        return f"highest {part(top)}; lowest {part(bottom)}."

    return by_kind(accuracy, say)


def bounds(accuracy: pd.DataFrame) -> str:
    """How far the cells without a graded answer could move a number."""
    rows = accuracy[accuracy["n"] > 0]
    if rows.empty:
        return "There is nothing to bound."
    width = rows["bound_high"] - rows["bound_low"]
    row = rows.loc[width.idxmax()]
    if width.max() == 0:
        return "Every cell holds a graded answer, so no number depends on how missing answers are treated."
    return (
        f"The bounds are widest for {name(row)} in {row['representation']}: {pct(row['bound_low'])} if its {row['n'] - row['answered']} "
        f"cells without a graded answer are wrong (as in the headline), {pct(row['bound_high'])} if all of them were right."
    )


def sensitivity(table: pd.DataFrame) -> str:
    """How far complete cases lie from the headline."""
    three = [r for r in ("coord", "euclid", "vector") if r in table.columns]
    if table.empty or not three:
        return "There is nothing to compare."
    keys = ["model", "strategy"]
    head = table[table["reading"].str.startswith("headline")].set_index(keys)
    rest = table[table["reading"] == "complete cases only"].set_index(keys)
    change = (rest[three] - head[three]).stack().dropna()
    if rest[three].isna().all().all():
        return "No cell holds a graded answer, so there are no complete cases."
    if change.abs().max() == 0:
        return "Complete cases give the same numbers."
    model, strategy, representation = change.abs().idxmax()
    place = (model, strategy)
    return (
        f"Complete cases differ most for {markdown(model)} ({strategy}) in {representation}: {pct(rest.loc[place, representation])} of "
        f"{rest.loc[place, f'n_{representation}']} answered instead of {pct(head.loc[place, representation])} of {head.loc[place, f'n_{representation}']} planned."
    )


def cut(table: pd.DataFrame) -> str:
    """What answers before the cut would change."""
    if table.empty:
        return "No response was cut at the token limit, or the scores do not hold what stood before the cut."
    change = table["accuracy_read"] - table["accuracy"]
    row = table.loc[change.idxmax()]
    return (
        f"{table['truncated'].sum()} responses were cut, {table['committed'].sum()} of them after an answer; reading those changes an accuracy by at most "
        f"{points(change.max())} ({name(row)} in {row['representation']}, n = {row['n']})."
    )


def ranks(table: pd.DataFrame) -> str:
    """How many places are certain."""
    if table.empty:
        return "With one model in a strategy, or fewer than ten problems, there is no ranking."
    sure = table[table["rank_low"] == table["rank_high"]]
    if len(sure) == len(table):
        return f"All {len(table)} places are certain (both limits the same, n = {table['n'].iloc[0]} problems)."
    wide = table.loc[(table["rank_high"] - table["rank_low"]).idxmax()]
    return (
        f"{len(sure)} of {len(table)} places are certain (both limits the same); the least certain is that of {name(wide)}, "
        f"between {wide['rank_low']} and {wide['rank_high']} of {wide['models']} (n = {wide['n']} problems)."
    )


def invariance(summary: pd.DataFrame) -> str:
    """Invariance@3 and Consistency@3, and what is consistently wrong."""

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["Invariance@3"].notna()]
        if known.empty:
            return "Invariance@3 needs all three representations."
        top = known.loc[known["Invariance@3"].idxmax()]
        n = int(top["n_problems_evaluated"])
        text = (
            f"the highest Invariance@3 is {pct(top['Invariance@3'])} of {n} problems ({name(top)}, "
            f"{interval(top['Invariance@3_ci_low'], top['Invariance@3_ci_high'])}), with a mean accuracy of {pct(top['mean_accuracy'])}; "
        )
        if np.isnan(top["Consistency@3"]):
            return text + "the scores do not tell which answers are the same, so Consistency@3 is n/a."
        return text + (
            f"it gives the same answer three times on {pct(top['Consistency@3'])} of the problems, the same wrong answer on {pct(top['SameWrong'])}."
        )

    return by_kind(summary, say)


def effect(table: pd.DataFrame, *, alpha: float = 0.05) -> str:
    """For which models an effect of the representation is shown, after Holm; and for which it is not."""

    def say(rows: pd.DataFrame) -> str:
        tested = rows[rows["p_exact"].notna()]
        found = tested[tested["p_holm"] <= alpha].sort_values("p_holm")
        untested = len(rows) - len(tested)
        tail = f" No test was possible for {untested} (see the note)." if untested else ""
        if tested.empty:
            return "no test was possible (see the note)."
        if found.empty:
            small = tested.loc[tested["p_exact"].idxmin()]
            return (
                f"an effect of the representation is **not shown** for any of the {len(tested)} tested (smallest unadjusted "
                f"{p_value(small['p_exact'])}, {name(small)}; adjusted for {small['family']}: {p_value(small['p_holm'])}). "
                f"That is no proof of invariance: see the equivalence and the power below.{tail}"
            )
        names = [
            f"{name(r)} (Q = {r['Q']:.1f}, adjusted {p_value(r['p_holm'])}, gap {100 * r['gap']:.1f} points)"
            for _, r in found.iterrows()
        ]
        rest = len(tested) - len(found)
        return (
            f"accuracy depends on the representation for {len(found)} of {len(tested)} tested: {listed(names)}."
            + (f" For the other {rest} it is not shown." if rest else "")
            + tail
        )

    return by_kind(table, say)


def gap(table: pd.DataFrame) -> str:
    """The largest gap over models beside the null of that maximum."""

    def say(rows: pd.DataFrame) -> str:
        parts = []
        for _, r in rows.iterrows():
            if np.isnan(r["p"]):
                parts.append(f"{r['strategy']}: {r['note']}")
                continue
            verdict = "more than chance gives" if r["p"] <= 0.05 else "**within** what chance alone gives"
            parts.append(
                f"{r['strategy']}: the largest gap over {r['models']} is {100 * r['largest_gap']:.1f} points ({markdown(r['of'])}, "
                f"n = {r['n']}); with no effect at all the largest gap would be {100 * r['null_mean']:.1f} on average and below "
                f"{100 * r['null_q95']:.1f} in 95 % of cases ({p_value(r['p'])}): {verdict}"
            )
        return "; ".join(parts) + "."

    return by_kind(table, say)


def pairs(table: pd.DataFrame, *, alpha: float = 0.05) -> str:
    """Signed differences that survive closed testing."""

    def say(rows: pd.DataFrame) -> str:
        found = rows[rows["p_closed"] <= alpha]
        if rows["p_closed"].isna().all():
            return "no test was possible (see the note)."
        if found.empty:
            wide = rows.loc[rows["difference"].abs().idxmax()]
            return (
                f"**no** pair of representations differs beyond chance after adjustment; the largest difference is "
                f"{points(wide['difference'])} ({name(wide)}, {wide['first']} minus {wide['second']}, "
                f"{interval(wide['low'], wide['high'])}, n = {wide['n']})."
            )
        found = found.reindex(found["difference"].abs().sort_values(ascending=False).index)
        names = [
            f"{name(r)}: {r['first']} minus {r['second']} {points(r['difference'])} ({interval(r['low'], r['high'])}, n = {r['n']})"
            for _, r in found.iterrows()
        ]
        return f"{len(found)} of {len(rows)} pairs differ after adjustment: {listed(names, 4)}."

    return by_kind(table, say)


def equivalent(table: pd.DataFrame) -> str:
    """Which models are invariant within the margin, and that the others are undecided."""

    def say(rows: pd.DataFrame) -> str:
        margin = f"{100 * rows['margin'].iloc[0]:g} points"
        found = rows[rows["verdict"] != "undecided"]
        rest = len(rows) - len(found)
        names = [f"{name(r)} at a mean accuracy of {pct(r['mean_accuracy'])}" for _, r in found.iterrows()]
        if found.empty:
            return f"**none** of the {len(rows)} is shown to be invariant within {margin}; all stay undecided."
        return f"{len(found)} of {len(rows)} are invariant within {margin}: {listed(names)}." + (
            f" The other {rest} stay undecided." if rest else ""
        )

    return by_kind(table, say)


def categories(table: pd.DataFrame) -> str:
    """Range of Invariance@3 over categories, with a warning that intervals are wide."""

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["Invariance@3"].notna()]
        if known.empty:
            return "Invariance@3 needs all three representations."
        top, bottom = known.loc[known["Invariance@3"].idxmax()], known.loc[known["Invariance@3"].idxmin()]
        if top["Invariance@3"] == bottom["Invariance@3"]:
            return f"Invariance@3 is {pct(top['Invariance@3'])} in every category (n from {known['n_problems_evaluated'].min()})."
        part = [
            f"{pct(r['Invariance@3'])} in {markdown(r['category'])} ({name(r)}, n = {r['n_problems_evaluated']}, "
            f"{interval(r['Invariance@3_ci_low'], r['Invariance@3_ci_high'])})"
            for r in (top, bottom)
        ]
        return f"Invariance@3 runs from {part[1]} to {part[0]}. No test is made here: categories are small."

    return by_kind(table, say)


def models(table: pd.DataFrame, *, alpha: float = 0.05) -> str:
    """How many pairs of models can be told apart."""
    rows = table[table["metric"] == "mean accuracy"]
    if rows.empty:
        return "There is only one model in each strategy, so nothing is compared between models."
    parts = []
    for strategy, group in rows.groupby("strategy", sort=False):
        if group["p"].isna().all():
            parts.append(f"{strategy}: no test was possible (see the note)")
            continue
        apart = group[group["p_holm"] <= alpha]
        text = f"{strategy}: {len(apart)} of {len(group)} pairs differ in mean accuracy after adjustment"
        real = apart[apart["kinds"] == "model"]
        if len(real):
            r = real.loc[real["difference"].abs().idxmax()]
            text += (
                f" (most among models: {markdown(r['model'])} minus {markdown(r['other'])} {points(r['difference'])}, "
                f"{interval(r['low'], r['high'])}, n = {r['n']})"
            )
        parts.append(text)
    left = sorted({n for n in rows["note"] if "left out" in n})
    return "; ".join(parts) + "." + (f" Some pairs are {left[0]}." if left else "")


def strategies(table: pd.DataFrame, *, alpha: float = 0.05) -> str:
    """What each contrast of strategies shows for Invariance@3 and the gap."""
    if table.empty:
        return "No model was asked in two strategies, so the effect of the strategy cannot be shown."

    def say(rows: pd.DataFrame) -> str:
        parts = []
        for contrast, group in rows.groupby("contrast", sort=False):
            main = group[group["metric"].str.startswith("Invariance")]
            if main.empty:
                parts.append(f"{contrast}: Invariance needs all representations in both")
                continue
            r = main.loc[main["difference"].abs().idxmax()]
            if main["p"].isna().all():
                parts.append(f"{contrast}: no test was possible (see the note)")
                continue
            shown = (main["p_holm"] <= alpha).sum()
            gaps = group[(group["metric"] == "accuracy gap") & (group["p_holm"] <= alpha)]
            parts.append(
                f"{contrast}: Invariance changes beyond chance for {shown} of {len(main)}"
                f" (largest {points(r['difference'])}, {markdown(r['model'])}, {interval(r['low'], r['high'])}, n = {r['n']}); "
                f"the accuracy gap does for {len(gaps)}"
            )
        return "; ".join(parts) + "."

    return by_kind(table, say)


def conversions(table: pd.DataFrame) -> str:
    """How many convert responses kept the format and whether the conversion is Euclidean."""
    if table.empty:
        return "The strategy convert was not asked."

    def say(rows: pd.DataFrame) -> str:
        keys, good = (
            rows[rows["condition"] == "all three keys"],
            rows[rows["condition"] == "conversion passes the lint"],
        )
        n = int(keys["n"].sum())
        k, passed = int(keys["k"].sum()), int(good["k"].sum())
        right = int(good["correct"].sum())
        given = f"; of those {right} of {passed} = {pct(right / passed)} are correct" if passed else ""
        return (
            f"{k} of {n} responses ({pct(k / n)}) hold all three keys; {passed} of {n} ({pct(passed / n)}) hold a conversion that passes "
            f"the Euclidean lint{given}. A model chooses what it converts well, so this is no effect of converting."
        )

    return by_kind(table, say)


def detectable(table: pd.DataFrame) -> str:
    """The detectable difference from the observed discordance."""

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["detectable"].notna()]
        if known.empty:
            return "no detectable difference can be named (no discordant problem, too few problems, or even the largest possible difference would go unseen)."
        low, high = known.loc[known["detectable"].idxmin()], known.loc[known["detectable"].idxmax()]
        lost = rows["detectable"].isna().sum()
        text = (
            f"with the observed discordance ({100 * known['discordance'].min():.0f} to {100 * known['discordance'].max():.0f} % of problems) "
            f"a difference of {100 * low['detectable']:.1f} to {100 * high['detectable']:.1f} points is found in 80 % of such runs"
        )
        corrected = known["corrected"].dropna()
        if len(corrected):
            text += f", {100 * corrected.min():.1f} to {100 * corrected.max():.1f} points when corrected for {int(known['tests'].iloc[0])} tests"
        return (
            text
            + (f"; for {lost} pairs none can be named" if lost else "")
            + ". Smaller effects would mostly go unseen."
        )

    return by_kind(table, say)
