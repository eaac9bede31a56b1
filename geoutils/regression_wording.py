"""Texts and sentences of notebook 07, computed from its tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from geoutils.display import markdown
from geoutils.files import write_text
from geoutils.panel import KNOWN
from geoutils.regression import STEP_WORDS, STEPS, Group, Regression
from geoutils.wording import by_kind, interval, listed, name, p_value, points

if TYPE_CHECKING:
    from geoutils.study import Study

SIMULATED = "SIMULATED: these answers were invented by a program; they say nothing about any real model."


def cells(merged: pd.DataFrame) -> str:
    """How many cells the regressions see, and how many they do not because a figure has no surface text."""
    said = f"{len(merged):,} cells of {merged['problem'].nunique()} problems, {merged['model'].nunique()} models and baselines."
    pictures = merged.attrs.get("without_text", 0)
    return said + (f" {pictures:,} cells of figures are left out: a picture has no surface text to measure." if pictures else "")


def _number(value: float, places: int = 3) -> str:
    return "n/a" if not np.isfinite(value) else f"{value:.{places}f}"


def _p(p: float) -> str:
    return "n/a" if not np.isfinite(p) else "<0.001" if p < 0.001 else f"{p:.3f}"


def _range(values: pd.Series) -> str:
    low, high = f"{values.min():.1f}", f"{values.max():.1f}"
    return low if low == high else f"{low} to {high}"


def _block(rows: Sequence[dict], head: Sequence[str], cells: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(h), *(len(c[i]) for c in cells)) if cells else len(h) for i, h in enumerate(head)]
    lines = ["  ".join(h.ljust(w) if i == 0 else h.rjust(w) for i, (h, w) in enumerate(zip(head, widths, strict=True)))]
    lines += [
        "  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        for row in cells
    ]
    return ["  " + line.rstrip() for line in lines]


def _title(group: Group) -> list[str]:
    line = f"{group.kind} / {group.strategy}: {len(group.models)} model(s), {group.problems} problems, {group.rows:,} cells (variant 0, repeat 0)"
    return [line, "=" * min(len(line), 100)] + ([SIMULATED] if group.kind == "SIMULATED" else [])


def summary_text(result: Regression) -> str:
    """regression_summary.txt: the coefficients of every step, estimator and group, with what was left out."""
    out = [
        "Logistic regressions of correctness. Missing and unread answers count as not correct.",
        "Coefficients are on the logit scale and population-averaged; standard errors are clustered by problem (CR1),",
        "t with problems - 1 degrees. Unadjusted, total and direct are three questions, not three tries: the effect of",
        "the representation is the total one; the direct one holds surface features fixed that the representation causes.",
        "",
    ]
    for group in result.groups:
        out += _title(group)
        for step in STEPS:
            for estimator in dict.fromkeys(c["estimator"] for c in group.coefficients if c["step"] == step):
                rows = [c for c in group.coefficients if c["step"] == step and c["estimator"] == estimator]
                out += [
                    "",
                    f"{step}: {STEP_WORDS[step]}; {estimator}; n = {rows[0]['n']:,}, {rows[0]['problems']} problems",
                ]
                cells = [
                    [
                        c["term"][:60],
                        _number(c["coefficient"]),
                        _number(c["std_error"]),
                        _number(c["low"]),
                        _number(c["high"]),
                        _number(c["t"], 2),
                        _p(c["p"]),
                    ]
                    for c in rows
                ]
                out += _block(rows, ["term", "coef", "std err", "low", "high", "t", "p"], cells)
        for test in group.tests:
            note = f" ({test['note']})" if test["note"] else ""
            out += [
                "",
                f"joint Wald test, {test['test']}: F({test['df']}, {test['df_error']}) = {_number(test['F'], 2)}, p {_p(test['p'])}{note}",
            ]
        out += ["", *(f"note: {line}" for line in dict.fromkeys([*group.lines, *group.facts])), ""]
    return "\n".join(out).rstrip() + "\n"


def margins_text(result: Regression) -> str:
    """marginal_effects.txt: average marginal effects in percentage points, of the same fits as the coefficients."""
    out = [
        "Average marginal effects, in percentage points of accuracy. Representation: everyone is set to one and to the other",
        "(g-computation), the mean prediction compared. Features: slope per SD, within problems and between means. Standard errors by the delta",
        "method from the covariance clustered by problem; beside them the standard error of a bootstrap over problems.",
        "",
    ]
    for group in result.groups:
        out += _title(group)
        for step in STEPS:
            rows = [m for m in group.margins if m["step"] == step]
            if rows:
                out += ["", f"{step}: {STEP_WORDS[step]}; n = {rows[0]['n']:,}, {rows[0]['problems']} problems"]
                cells = [
                    [
                        m["effect"],
                        *(_number(100 * m[c], 2) for c in ("ame", "std_error", "bootstrap_se", "low", "high")),
                        _p(m["p"]),
                    ]
                    for m in rows
                ]
                out += _block(rows, ["effect", "points", "std err", "bootstrap", "low", "high", "p"], cells)
        out += ["", *(f"note: {line}" for line in dict.fromkeys(group.lines)), ""]
    return "\n".join(out).rstrip() + "\n"


def save_texts(study: Study, result: Regression) -> None:
    """Write regression_summary.txt and marginal_effects.txt beside the tables of the study."""
    for file, text in (
        ("regression_summary.txt", summary_text(result)),
        ("marginal_effects.txt", margins_text(result)),
    ):
        study.wrote(write_text(study.tables / file, text), f"{len(text.splitlines())} lines")


def features(merged: pd.DataFrame, description: pd.DataFrame) -> str:
    """How statements of the representations differ in length and symbols."""
    statements = merged.drop_duplicates(["problem", "representation"])
    parts = []
    for feature in ("tokens", "symbols", "numbers"):
        rows = description[description["feature"] == feature].set_index("representation")
        means = [f"{rows.loc[r, 'mean']:.1f} ({r})" for r in KNOWN if r in rows.index]
        parts.append(f"{feature} {', '.join(means)}")
    return f"Means over {len(statements)} statements of {statements['problem'].nunique()} problems: {'; '.join(parts)}."


def correlated(table: pd.DataFrame) -> str:
    """The strongest correlation of a feature with accuracy within problems."""
    known = table[table["within_problem"].notna()]
    if known.empty:
        return "No feature and accuracy vary together within problems: nothing to correlate."
    row = known.loc[known["within_problem"].abs().idxmax()]
    return (
        f"Within problems, accuracy goes most closely with {row['feature'].replace('_', ' ')}: correlation {row['within_problem']:+.2f} over {row['statements']} statements "
        f"(across problems {row['accuracy']:+.2f}). A correlation is no effect: features and representation come together."
    )


def left_out(result: Regression) -> str:
    """What was taken out, refused or could not be estimated, in words."""
    notes = result.notes
    if notes.empty:
        return "Nothing had to be taken out and every fit converged."
    lines = []
    for note, rows in notes.groupby("note", sort=False):
        where = "; ".join(f"{kind}: {', '.join(part['strategy'])}" for kind, part in rows.groupby("kind", sort=False))
        lines.append(f"- {markdown(note)} ({where})")
    return "What to know of these fits:\n\n" + "\n".join(lines)


def total_effect(margins: pd.DataFrame, tests: pd.DataFrame, *, alpha: float = 0.05) -> str:
    """The total effect of each representation, and whether it is shown.

    Shown means: the joint test of the representation is rejected after Holm's adjustment over strategies, and the
    pair's own test as well (with three representations the pairs then need no further adjustment).
    """
    if margins.empty:
        return "No regression could be fitted, so no effect is estimated here; the notes say why."

    def say(rows: pd.DataFrame) -> str:
        parts = []
        for strategy in dict.fromkeys(rows["strategy"]):
            own = rows[rows["strategy"] == strategy]
            total = own[(own["step"] == "total") & own["effect"].str.contains(" instead of ")]
            if total.empty:
                parts.append(f"{strategy}: the adjusted fit could not be estimated")
                continue
            joint = tests[
                (tests["kind"] == own["kind"].iloc[0])
                & (tests["strategy"] == strategy)
                & (tests["test"] == "representation (total)")
            ]
            p = float(joint["p_holm"].iloc[0]) if len(joint) else np.nan
            shown = total[total["p"] <= alpha] if p <= alpha else total.head(0)
            pieces = [
                f"{r['effect']} {points(r['ame'])} ({interval(r['low'], r['high'])}, {p_value(r['p'])})"
                for _, r in shown.iterrows()
            ]
            n = f"{int(total['n'].iloc[0]):,} cells of {int(total['problems'].iloc[0])} problems"
            widest = total.loc[(total["high"] - total["low"]).idxmax()]
            if pieces:
                parts.append(f"{strategy} ({n}): {listed(pieces)}; jointly, adjusted {p_value(p)}")
            else:
                parts.append(
                    f"{strategy} ({n}): no total effect of the representation is shown (jointly, adjusted {p_value(p)}); the widest interval, of {widest['effect']}, is {100 * widest['low']:+.1f} to {100 * widest['high']:+.1f} points"
                )
        return "; ".join(parts) + "."

    return by_kind(margins, say)


def direct_effect(margins: pd.DataFrame) -> str:
    """How the effect changes when surface features are held fixed; no headline."""
    if margins.empty:
        return "There is no fit to compare."

    def say(rows: pd.DataFrame) -> str:
        parts = []
        both = rows[rows["effect"].str.contains(" instead of ")].pivot_table(
            index=["strategy", "effect"], columns="step", values="ame", sort=False
        )
        if not {"total", "direct"} <= set(both.columns):
            return "there is no direct effect to lay beside the total one."
        both = both.dropna(subset=["total", "direct"])
        if both.empty:
            return "there is no direct effect to lay beside the total one."
        moved = (both["direct"] - both["total"]).abs()
        strategy, effect = moved.idxmax()
        row = both.loc[(strategy, effect)]
        parts.append(
            f"it moves most for {effect} ({strategy}): {points(row['total'])} in total, {points(row['direct'])} with tokens, symbols and numbers held fixed"
        )
        return "; ".join(parts) + "."

    return (
        by_kind(margins, say)
        + "\n\nHolding fixed what the representation itself changes answers another question; a direct effect near zero would not make the total one go away."
    )


def interaction(tests: pd.DataFrame, *, alpha: float = 0.05) -> str:
    """Whether models differ in how the representation matters."""
    rows = tests[tests["test"] == "model x representation"] if len(tests) else tests
    if rows.empty:
        return "Whether models differ in it could not be tested: that needs two models with both right and wrong answers in every representation."

    def say(part: pd.DataFrame) -> str:
        said = [
            f"{r['strategy']}: F({r['df']}, {r['df_error']}) = {r['F']:.2f}, {p_value(r['p'])}, adjusted {p_value(r['p_holm'])}, {r['models']} models: "
            + ("models differ" if r["p_holm"] <= alpha else "a difference between models is not shown")
            if np.isfinite(r["p"])
            else f"{r['strategy']}: {r['note']}"
            for _, r in part.iterrows()
        ]
        return "; ".join(said) + "."

    return by_kind(rows, say)


def per_model(table: pd.DataFrame, *, alpha: float = 0.05) -> str:
    """Which models show an effect of vectors or Euclidean text after Holm, and which have no estimate."""

    def say(rows: pd.DataFrame) -> str:
        if not rows["p"].notna().any():
            return "no effect could be estimated (see the notes)."
        tested, shown = rows[rows["p"].notna()], rows[rows["p_holm"] <= alpha]
        lost = rows[rows["p"].isna()]
        names = [
            f"{name(r)}, {r['representation']} instead of {r['against']}: {points(r['ame'] if np.isfinite(r['ame']) else r['raw_difference'])} (adjusted {p_value(r['p_holm'])})"
            for _, r in shown.iterrows()
        ]
        text = f"of {len(tested)} effects in {tested[['model', 'strategy']].drop_duplicates().shape[0]} combination(s) of model and strategy, {len(shown)} are shown after Holm's adjustment"
        text += f": {listed(names)}." if names else "."
        if len(lost):
            text += f" {len(lost)} could not be estimated (see the notes)."
        return text

    return by_kind(table, say)


def within(table: pd.DataFrame) -> str:
    """What the conditional logit used, and how much problems differ under the random intercept."""

    def say(rows: pd.DataFrame) -> str:
        known = rows[rows["informative"].notna()]
        if known.empty:
            return "too few problems for a comparison within problems."
        low, high = int(known["dropped"].min()), int(known["dropped"].max())
        used = known[known["conditional"].notna()]
        text = f"the comparison within problems drops {low if low == high else f'{low} to {high}'} of {int(known['problems'].max())} problems, which are all right or all wrong"
        if len(used):
            sd = rows["problem_sd"].dropna()
            text += f"; it exists for {used[['model', 'strategy']].drop_duplicates().shape[0]} combination(s) of model and strategy"
            if len(sd):
                text += f"; with a random intercept, problems differ by a standard deviation of {_range(sd)} on the logit scale"
        return text + "."

    return by_kind(table, say)
