"""Figures of notebook 10: what a judge gets right by the way a solution is shown, and accuracy before and after correction."""

from __future__ import annotations

import pandas as pd
from matplotlib.lines import Line2D

from geoutils.plot_style import GREY, INK, PALE, Drawn, drawn, nothing, plain, rows_figure, short, styled

RIGHT, WRONG, MENDED = "#0072B2", "#D55E00", "#009E73"


@styled
def quality_by(table: pd.DataFrame, by: str) -> Drawn:
    """Sensitivity and specificity on the final answer with 95 % limits, one row a judge and value of `by`."""
    rows = table[table["judged"] > 0].reset_index(drop=True)
    title = "Sensitivity and specificity"
    if rows.empty:
        return nothing(title, "no solution with known labels was judged")
    figure, (ax,) = rows_figure(len(rows))
    for place, row in rows.iterrows():
        for name, colour, marker, shift in (("sensitivity", RIGHT, "o", -0.15), ("specificity", WRONG, "s", 0.15)):
            if row[name] == row[name]:
                ax.plot([row[f"{name}_low"], row[f"{name}_high"]], [place + shift] * 2, color=colour, linewidth=1.6, zorder=2)
                ax.plot(row[name], place + shift, marker, color=colour, markeredgecolor=INK, markersize=6, zorder=3)
    labels = [f"{plain(short(row['model']))} · {plain(row[by]).replace('_', ' ')}  n={row['right']}+{row['wrong']}" for _, row in rows.iterrows()]
    ax.set_yticks(range(len(rows)), labels, fontsize=8)
    for place in range(1, len(rows)):
        if rows["model"][place] != rows["model"][place - 1]:
            ax.axhline(place - 0.5, color=GREY, linewidth=0.6)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel("share of right solutions called right, and of wrong ones called wrong")
    handles = [
        Line2D([], [], color=colour, marker=marker, markeredgecolor=INK, label=name)
        for name, colour, marker in (("sensitivity", RIGHT, "o"), ("specificity", WRONG, "s"))
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=2, frameon=False, fontsize=8)
    words = "; ".join(
        f"{row['model']}, {row[by]}: sensitivity {_number(row['sensitivity'])}, specificity {_number(row['specificity'])}"
        for _, row in rows.head(12).iterrows()
    )
    return drawn(figure, f"{title} of the verdict on the final answer by {by}, with 95 % limits. {words}.")


@styled
def raw_and_corrected(table: pd.DataFrame) -> Drawn:
    """Accuracy as judged and as corrected for the judge's errors, with limits; with the truth where `truth` is known."""
    rows = table.reset_index(drop=True)
    title = "Accuracy as judged and corrected"
    if rows.empty:
        return nothing(title, "no solutions beside those of the calibration set, or none of the latter")
    named = "medium" if "medium" in rows else "corrected_half"
    figure, (ax,) = rows_figure(len(rows))
    for place, row in rows.iterrows():
        ax.plot([row["raw_low"], row["raw_high"]], [place - 0.15] * 2, color=RIGHT, linewidth=1.6, zorder=2)
        ax.plot(row["raw"], place - 0.15, "o", color=RIGHT, markeredgecolor=INK, markersize=6, zorder=3)
        ax.plot([row["corrected_low"], row["corrected_high"]], [place + 0.15] * 2, color=MENDED, linewidth=1.6, zorder=2)
        if row["corrected"] == row["corrected"]:
            ax.plot(row["corrected"], place + 0.15, "D", color=MENDED, markeredgecolor=INK, markersize=6, zorder=3)
        if "truth" in rows:
            ax.plot(row["truth"], place, "|", color=INK, markersize=16, markeredgewidth=2, zorder=4)
    ax.set_yticks(range(len(rows)), [f"{plain(short(r['model']))} · {plain(r[named])}  n={r['n']}" for _, r in rows.iterrows()], fontsize=8)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel("share of the judged solutions with a right final answer")
    ax.axvline(0.5, color=PALE, linewidth=0.8, zorder=0)
    marks = [("as judged", RIGHT, "o"), ("corrected", MENDED, "D"), *([("true share", INK, "|")] if "truth" in rows else [])]
    handles = [Line2D([], [], color=colour, marker=marker, markeredgecolor=INK, label=name) for name, colour, marker in marks]
    figure.legend(handles=handles, loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    words = "; ".join(
        f"{row['model']}, {row[named]}: as judged {_number(row['raw'])}, corrected {_number(row['corrected'])}"
        + (f", true {_number(row['truth'])}" if "truth" in rows else "")
        for _, row in rows.head(12).iterrows()
    )
    return drawn(figure, f"{title}, with 95 % limits. {words}.")


def _number(value: float) -> str:
    return f"{value:.2f}" if value == value else "none"
