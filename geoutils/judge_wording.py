"""The sentences of notebook 10, each computed from its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from geoutils.display import markdown, percent
from geoutils.judge import BAD_INPUT, JUDGE_ERROR, Judging
from geoutils.judge_manifest import CALIBRATION, MANIFEST
from geoutils.judge_settings import BASELINE
from geoutils.judge_solutions import COUNT

if TYPE_CHECKING:
    import pandas as pd

KIND = {MANIFEST: "solutions of the manifest", CALIBRATION: "labelled solutions of the calibration set"}


def _name(model: str) -> str:
    return f"{markdown(model)} (a baseline: OCR and our grader, no model)" if model == BASELINE else markdown(model)


def _limits(low: float, high: float) -> str:
    return f"95 % limits {percent(low)} to {percent(high)}"


def planned(judging: Judging) -> str:
    """What is to be judged, and by whom."""
    counts = judging.items["set"].value_counts()
    what = " and ".join(f"**{counts[name]} {KIND[name]}**" for name in (MANIFEST, CALIBRATION) if name in counts) or "nothing"
    few = int(counts.get(CALIBRATION, 0))
    more = f" The whole calibration set has {COUNT}; `judge: {{calibration: {COUNT}}}` in the experiment's file takes all." if 0 < few < COUNT else ""
    only = "" if MANIFEST in counts else " No manifest is given, so the judge is only measured here, and nothing else is judged."
    return f"To be judged: {what}, {_times(judging.settings.repeats)} each, by {', '.join(map(_name, judging.models))}.{more}{only}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def outcomes(verdicts: pd.DataFrame) -> str:
    """How many rows have a verdict, and what became of the others."""
    counts = verdicts["outcome"].value_counts()
    others = ", ".join(f"{count} `{name}`" for name, count in counts.items() if name != "ok")
    bad, errors = int(counts.get(BAD_INPUT, 0)), int(counts.get(JUDGE_ERROR, 0))
    said = f"Of {len(verdicts)} planned judgements {int(counts.get('ok', 0))} gave verdicts" + (f"; the others: {others}." if others else ".")
    if errors:
        said += f" {errors} replies came but gave no verdict on the final answer: they are unscored, not counted as 0."
    return said + (f" {bad} had no solution that can be judged." if bad else "")


def accuracy(table: pd.DataFrame) -> str:
    """The headline of each judge, beside the share among the judged and the bounds."""
    said = []
    for row in table.to_dict("records"):
        known = " The true share is one half, by construction." if row["set"] == CALIBRATION else ""
        said.append(
            f"- {_name(row['model'])} on the {row['n']} {KIND[row['set']]}: accuracy **{percent(row['accuracy'])}** "
            f"({row['correct']} of {row['n']}; {_limits(row['low'], row['high'])}); among the {row['judged']} judged "
            f"{percent(row['share_of_judged'])}; {percent(row['bound_low'])} if every unjudged one is wrong, "
            f"{percent(row['bound_high'])} if every one is right.{known}"
        )
    return "\n".join(said) or "Nothing was judged."


def combinations(table: pd.DataFrame) -> str:
    """The two combinations that a verdict on the final answer alone would hide."""
    if table.empty:
        return "No judge here gives all three verdicts: the baseline abstains on steps and reflection, so there are no combinations to count."
    said = []
    for (name, model), part in table.groupby(["set", "model"], sort=False):
        lucky = part[(part["final_correct"] == 1) & (part["intermediate_correct"] == 0)]["count"].sum()
        slipped = part[(part["final_correct"] == 0) & (part["intermediate_correct"] == 1)]["count"].sum()
        said.append(
            f"- {_name(model)} on the {KIND[name]} (n = {part['n'].iloc[0]}): {lucky} right answers through wrong steps, "
            f"{slipped} wrong answers after right steps."
        )
    return "\n".join(said)


def quality(table: pd.DataFrame) -> str:
    """Sensitivity, specificity and kappa of each judge's verdict on the final answer."""
    rows = table[table["metric"] == "final_correct"]
    if rows.empty:
        return "No solution with known labels was judged, so nothing can be said of the judge."
    return "\n".join(
        f"- {_name(row['model'])} on the {KIND[row['set']]}, final answer: of {row['right']} right ones it called {percent(row['sensitivity'])} right "
        f"({_limits(row['sensitivity_low'], row['sensitivity_high'])}), of {row['wrong']} wrong ones {percent(row['specificity'])} wrong "
        f"({_limits(row['specificity_low'], row['specificity_high'])}); kappa {_kappa(row)}; {row['known'] - row['judged']} not judged."
        for row in rows.to_dict("records")
    )


def _kappa(row: dict[str, Any]) -> str:
    if row["kappa"] != row["kappa"]:
        return "is not defined"
    return f"{row['kappa']:.2f} ({row['kappa_low']:.2f} to {row['kappa_high']:.2f})"


def by_look(table: pd.DataFrame, by: str) -> str:
    """Where each judge agrees least with the labels."""
    said = []
    for model, part in table.groupby("model", sort=False):
        rows = part.dropna(subset=["agreement"])
        if len(rows) > 1:
            worst, best = rows.loc[rows["agreement"].idxmin()], rows.loc[rows["agreement"].idxmax()]
            said.append(
                f"- {_name(str(model))} agrees with the labels least on `{markdown(worst[by])}` ({percent(worst['agreement'])}, n = {worst['judged']}) "
                f"and most on `{markdown(best[by])}` ({percent(best['agreement'])}, n = {best['judged']})."
            )
    return "\n".join(said) or "There is nothing to compare."


def consistency(table: pd.DataFrame) -> str:
    """How often a judge agrees with itself."""
    if table.empty:
        return "Each solution was judged once, so self-consistency cannot be told; `judge: {repeats: 3}` in the experiment's file asks three times."
    rows = table[table["metric"] == "final_correct"]
    return "\n".join(
        f"- {_name(row['model'])} on the {KIND[row['set']]}: two judgements of one final answer agree in {percent(row['agreement'])} of pairs "
        f"({_limits(row['low'], row['high'])}; {row['items']} solutions, {row['repeats']} times each)."
        for row in rows.to_dict("records")
    )


def corrected(table: pd.DataFrame) -> str:
    """Raw and corrected accuracy of each judge on the manifest."""
    if table.empty:
        return "There is nothing to correct: that takes a manifest, and judged solutions of the calibration set."
    return "\n".join(_correction(row, "all media") for row in table[table["medium"] == "all"].to_dict("records"))


def tried(table: pd.DataFrame) -> str:
    """Whether the correction moves the accuracy of known halves towards the truth."""
    if table.empty:
        return "Too few solutions of the calibration set were judged to try the correction on them."
    inside = sum(row["corrected_low"] - 1e-9 <= row["truth"] <= row["corrected_high"] + 1e-9 for row in table.to_dict("records"))
    lines = [f"{_correction(row, str(row['corrected_half']))} The truth is {percent(row['truth'])}." for row in table.to_dict("records")]
    return "\n".join([*lines, f"\nThe corrected limits hold the truth in {inside} of {len(table)} cases."])


def _correction(row: dict[str, Any], what: str) -> str:
    who = f"- {_name(row['model'])}, {markdown(what)} (n = {row['n']}): as judged {percent(row['raw'])} ({_limits(row['raw_low'], row['raw_high'])})"
    if row["corrected"] != row["corrected"]:
        return f"{who}; {row['note']}."
    note = f"; {row['note']}" if row["note"] else ""
    return f"{who}, corrected **{percent(row['corrected'])}** ({_limits(row['corrected_low'], row['corrected_high'])}){note}."
