"""Sentences computed from the tables of notebook 09: what a number means, and what cannot be said."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from geoutils.display import markdown
from geoutils.robustness import ALL, NO_CORRECT, Cube
from geoutils.wording import by_kind, interval, listed, name, p_value, pct, points


def counted(number: int, word: str) -> str:
    """A number with its word: 1 seed, 2 seeds."""
    return f"{number} {word}" + ("" if number == 1 else "s")


def coverage(given: Sequence[Cube], *, asked: int = 0) -> str:
    """Seeds, variants and representations; and what was left out because it has fewer variants."""
    if not any(c.n for c in given):
        return "No problem was planned in all variants, so there is nothing to show."
    seeds, variants = sorted({c.n for c in given}), sorted({c.m for c in given})

    def span(values: list[int]) -> str:
        return f"{values[0]}" if len(values) == 1 else f"{values[0]} to {values[-1]}"

    said = (
        f"{len(given)} combinations of model and strategy, {span(seeds)} seed problems with {span(variants)} variants each, in "
        f"{listed(sorted({r for c in given for r in c.representations}))}."
    )
    left = {c.left_out for c in given if c.left_out}
    if left:
        said += (
            f" Up to {max(left)} problems of a model were planned with fewer variants than its others; they are not counted here, "
            "since a worst case over fewer variants is higher for that reason alone."
        )
    apart = sorted({r for c in given for r in c.apart})
    if apart:
        said += f" Asked in fewer variants, and so left out: {listed(apart)}."
    if asked > len(given):
        said += f" {asked - len(given)} more have one variant only and are not shown."
    if max(variants) == 1:
        said += " With one variant the worst case is the average and says nothing: set `variants` in the experiment."
    return said


def faults(counts: pd.DataFrame) -> str:
    """What was wrong with rows, or that nothing was."""
    if counts.empty:
        return "Every planned cell has exactly one row with a mark of right or wrong."
    parts = [f"{r['what']} ({int(r['count']):,}; the first: {markdown(r['first'])}) {r['handled']}" for _, r in counts.iterrows()]
    return "Faults, each listed in the table: " + "; ".join(parts) + "."


def summary(table: pd.DataFrame) -> str:
    """The highest and lowest RR with average and worst case."""

    def say(rows: pd.DataFrame) -> str:
        joint = rows[rows["representation"] == ALL]
        rows = (joint if len(joint) else rows).dropna(subset=["rr"])
        if rows.empty:
            return "no answers."
        none = rows[rows["note"] == NO_CORRECT]
        some = rows[rows["note"] != NO_CORRECT]
        said = []
        ends = {} if some.empty else {"lowest": some.loc[some["rr"].idxmin()]}
        if len(some) and some["rr"].max() > some["rr"].min():
            ends = {"highest": some.loc[some["rr"].idxmax()], **ends}
        for word, r in ends.items():
            said.append(
                f"{word} RR {r['rr']:.3f} (95 % {r['rr_low']:.3f} to {r['rr_high']:.3f}) for {name(r)}: average {pct(r['average'])} "
                f"({interval(r['average_low'], r['average_high'])}), right in every variant {r['always_right']:.0f} of {r['seeds']} = "
                f"{pct(r['worst'])} ({interval(r['worst_low'], r['worst_high'])})"
            )
        if len(said) == 1:
            said = [said[0].replace("lowest RR", "RR", 1)]
        if len(none):
            said.append(f"{listed([name(r) for _, r in none.iterrows()])}: no correct answer, so RR is 0 by definition")
        return "; ".join(said) + "."

    return by_kind(table, say)


def group(table: pd.DataFrame, by: str) -> str:
    """The group with the highest and the lowest average of each kind."""
    if table.empty:
        return f"No {by} is known here."

    def say(rows: pd.DataFrame) -> str:
        top, bottom = rows.loc[rows["average"].idxmax()], rows.loc[rows["average"].idxmin()]
        if top["average"] == bottom["average"]:
            return f"every average is {pct(top['average'])}."
        return "; ".join(
            f"{word} average {pct(r['average'])} ({interval(r['average_low'], r['average_high'])}, {counted(r['seeds'], 'seed')}) for {name(r)} in "
            f"{markdown(r[by])}, worst case {pct(r['worst'])}"
            for word, r in (("highest", top), ("lowest", bottom))
        ) + "."

    return by_kind(table, say)


def variation(table: pd.DataFrame) -> str:
    """How far variants lie below the canonical problem."""
    if table.empty:
        return "What each variant changes is not known here, so kinds of variation cannot be told apart."

    def say(rows: pd.DataFrame) -> str:
        rows = rows.dropna(subset=["drop"])
        if rows.empty:
            return "no canonical problem (variant 0) to compare with."
        if rows["drop"].abs().max() == 0:
            return "no kind of variation differs from the canonical problem in accuracy."
        r = rows.loc[rows["drop"].abs().idxmax()]
        return (
            f"the largest change from the canonical problem is {points(-r['drop'])} for {name(r)} with {r['variation']} "
            f"({pct(r['canonical'])} to {pct(r['average'])}; canonical minus variant: {interval(r['drop_low'], r['drop_high'])}, "
            f"{p_value(r['p'])} unadjusted, {counted(r['seeds'], 'seed')})."
        )

    return by_kind(table, say)


def decay(table: pd.DataFrame) -> str:
    """Observed against independent at the largest number of variants."""

    def say(rows: pd.DataFrame) -> str:
        last = rows[(rows["k"] == rows.groupby(["model", "strategy", "representation"])["k"].transform("max")) & (rows["k"] > 1)]
        last = last[last["observed"] > 0]
        if last.empty:
            return "nothing is right in all variants, or there is only one."
        r = last.loc[last["observed"].idxmax()]
        if last["observed"].min() == 1:
            return "every answer is right, so there is nothing to fall."
        return (
            f"at {r['k']} variants {name(r)} ({r['representation']}) is right in all of them for {pct(r['observed'])} of the seeds "
            f"({interval(r['low'], r['high'])}); independent answers would give {pct(r['independent'])}. The rest is that some seeds "
            "are easy for it and others are not."
        )

    return by_kind(table, say)


def floor(table: pd.DataFrame) -> str:
    """Flips between representations against the floor of new names."""
    if table.empty or table["names"].isna().all():
        return "There are no variants that change names only, so the noise floor is not known here."

    def say(rows: pd.DataFrame) -> str:
        parts = []
        fixed = rows["average"].isin((0.0, 1.0))
        for _, r in rows[rows["names"].notna() & ~fixed].iterrows():
            between = (
                f"between representations {pct(r['representations'])} (difference {points(r['excess'])}, "
                f"{interval(r['excess_low'], r['excess_high'])}, {counted(r['names_seeds'], 'seed')})"
                if not np.isnan(r["representations"])
                else "there is one representation only"
            )
            parts.append(f"{name(r)}: new names alone flip {pct(r['names'])} of the answers inside one representation; {between}")
        if fixed.any():
            parts.append(f"{counted(int(fixed.sum()), 'combination')} of model and strategy always or never right, so nothing can flip")
        return "; ".join(parts[:4]) + (f"; and {len(parts) - 4} more" if len(parts) > 4 else "") + "."

    return by_kind(table, say)


def repetition(table: pd.DataFrame) -> str:
    """RC, or that nothing was repeated."""
    if table.empty:
        return "Every statement was asked once, so repetition consistency and pass^k do not exist here: set `repeats`."

    def say(rows: pd.DataFrame) -> str:
        joint = rows[rows["representation"] == ALL]
        rows = joint if len(joint) else rows
        parts = [
            f"{name(r)} gives its primary answer again in {pct(r['rc_primary'])} of the further tries "
            f"({interval(r['rc_primary_low'], r['rc_primary_high'])}, {r['seeds']} seeds); {pct(r['rc_modal'])} of all tries give the "
            f"modal one" + (f". {markdown(r['note'])}" if r["note"] else "")
            if not np.isnan(r["rc_primary"])
            else f"{name(r)}: {markdown(r['note'])}"
            for _, r in rows.iterrows()
        ]
        return "; ".join(parts[:4]) + (f"; and {len(parts) - 4} more" if len(parts) > 4 else "") + "."

    return by_kind(table, say)


def repeated_groups(table: pd.DataFrame) -> str:
    """Where answers repeat best and worst, among categories, difficulties and kinds of variation."""
    if table.empty:
        return "There is nothing to group."

    def say(rows: pd.DataFrame) -> str:
        top, bottom = rows.loc[rows["rc_primary"].idxmax()], rows.loc[rows["rc_primary"].idxmin()]
        if top["rc_primary"] == bottom["rc_primary"]:
            return f"RC is {pct(top['rc_primary'])} in every group."
        return "; ".join(
            f"{word} RC {pct(r['rc_primary'])} ({interval(r['rc_primary_low'], r['rc_primary_high'])}, {counted(r['seeds'], 'seed')}) "
            f"for {name(r)} in {markdown(r['group'])}"
            for word, r in (("highest", top), ("lowest", bottom))
        ) + "."

    return by_kind(table, say)


def compared(groups: Sequence[tuple[Sequence[Cube], str]]) -> str:
    """At which seeds and variants models are compared, and why."""
    parts = [
        f"{group[0].strategy} in {listed(list(group[0].representations))}: {counted(len(group), 'model')} at {counted(group[0].n, 'seed')} and "
        f"{counted(group[0].m, 'variant')}" + (f" ({told})" if told else "")
        for group, told in groups
        if len(group) > 1
    ]
    reason = "Models are compared only at equal numbers of variants, since the worst case falls with every further one. "
    return reason + ("; ".join(parts) + "." if parts else "Here no two models share strategy, representations and variants.")


def ranks(table: pd.DataFrame) -> str:
    """Who could be first, by average and by worst case."""
    if table.empty:
        return "There are no two models to rank."
    parts = []
    for measure, words in (("average", "average case"), ("worst", "worst case")):
        first = table[table[f"{measure}_rank_low"] == 1]
        parts.append(f"by the {words} {listed([name(r) for _, r in first.iterrows()])} may be first")
    return f"Within the 95 % limits of their ranks, {' and '.join(parts)}."


def differences(table: pd.DataFrame) -> str:
    """How many pairs of models differ."""
    tested = table[table["measure"].isin(("average", "worst"))]
    if tested.empty:
        return "There are no two models to compare."
    said = []
    for measure in ("average", "worst"):
        mine = tested[tested["measure"] == measure]
        said.append(f"{int((mine['p_holm'] < 0.05).sum())} of {len(mine)} pairs differ in the {measure} case")
    return " and ".join(said) + " (Holm's adjusted p below 0.05). A pair that does not is not thereby equal."


def question_types(table: pd.DataFrame) -> str:
    """Accuracy by type of question, or that the source has none."""
    if table.empty:
        return "The source has no type of question: multiple choice and free form cannot be told apart, and no chance level is known."

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["chance"].notna()]
        beyond = f"{int((known['low'] > known['chance']).sum())} of {len(known)} lie above their chance level with the whole interval"
        return f"{len(rows)} accuracies by type" + (f"; of those with a chance level, {beyond}." if len(known) else "; no chance level is known.")

    return by_kind(table, say)
