"""Figures of flips: the eight patterns as shares, and transfer between representations."""

from __future__ import annotations

from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.patches import Patch, Rectangle

from geoutils.flips import ORDER, PATTERNS
from geoutils.plot_style import (
    COLOURS,
    GREY,
    HATCHES,
    INK,
    PALE,
    Drawn,
    combinations_of,
    drawn,
    kind_words,
    label_rows,
    many_strategies,
    mark_kinds,
    nothing,
    ordered,
    row_label,
    rows_figure,
    span,
    styled,
)


def _pale(colour: str, share: float = 0.55) -> str:
    rgb = np.array(matplotlib.colors.to_rgb(colour))
    r, g, b = (float(c) for c in rgb + (1 - rgb) * share)
    return str(matplotlib.colors.to_hex((r, g, b)))


def pattern_style(pattern: str) -> dict[str, Any]:
    """Face and hatch of a pattern: the odd one out gives the colour; full where it alone fails, pale where it alone is right."""
    if pattern in ("CCC", "WWW"):
        return {"facecolor": "#4D4D4D" if pattern == "CCC" else PALE, "hatch": ""}
    alone_wrong = pattern.count("W") == 1
    odd = ORDER[pattern.index("W" if alone_wrong else "C")]
    return {
        "facecolor": COLOURS[odd] if alone_wrong else _pale(COLOURS[odd]),
        "hatch": HATCHES[odd] if alone_wrong else HATCHES[odd][:2],
    }


def _meaning(pattern: str) -> str:
    if pattern in ("CCC", "WWW"):
        return f"{pattern}: {'right' if pattern == 'CCC' else 'wrong'} in all"
    alone_wrong = pattern.count("W") == 1
    return f"{pattern}: only {ORDER[pattern.index('W' if alone_wrong else 'C')]} {'wrong' if alone_wrong else 'right'}"


@styled
def flip_stack(counts: pd.DataFrame) -> Drawn:
    """The eight patterns as shares of n, one bar a model and strategy, counts inside and n beside it.

    ``counts`` is the table rep_flip_counts_per_model.
    """
    known = counts[counts["n"] > 0]
    if known.empty:
        return nothing("Flip patterns", "they need all three representations")
    rows = ordered(known.assign(all_right=known["CCC"] / known["n"]), "all_right")
    figure, (ax,) = rows_figure(len(rows), width=9.0, extra=2.0)
    for i, row in rows.iterrows():
        left = 0.0
        for pattern in PATTERNS:
            width = row[pattern] / row["n"]
            if width > 0:
                ax.barh(i, width, left=left, height=0.74, edgecolor=INK, linewidth=0.5, **pattern_style(pattern))
            if width >= 0.035:
                ax.text(left + width / 2, i, str(int(row[pattern])), ha="center", va="center", fontsize=7,
                        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.85})  # fmt: skip
            left += width
    several = many_strategies(rows)
    label_rows(ax, [row_label(row, strategies=several, n=int(row["n"])) for _, row in rows.iterrows()], rows)
    ax.set_xlim(0, 1)
    ax.set_xlabel("share of n problems (numbers: problems)")
    handles = [Patch(edgecolor=INK, linewidth=0.5, label=_meaning(p), **pattern_style(p)) for p in PATTERNS]
    figure.legend(handles=handles, loc="outside upper center", ncols=4, frameon=False, fontsize=8,
                  title="correct (C) or not (W) in Euclid-Coord-Vector order", title_fontsize=8)  # fmt: skip
    mark_kinds(figure, rows["kind"])
    flips = 1 - (rows["CCC"] + rows["WWW"]) / rows["n"]
    i = flips.idxmax()
    alt = (
        f"Stacked bars: shares of the eight correctness patterns for {combinations_of(len(rows))}, n = {span(rows['n'])} problems. Most flips: "
        f"{rows.loc[i, 'model']} ({rows.loc[i, 'strategy']}), {flips[i]:.0%} of its problems are right in some representations only. "
        + kind_words(rows["kind"])
    )
    return drawn(figure, alt)


@styled
def transfer_heatmap(pairwise: pd.DataFrame) -> Drawn:
    """Of the problems right in one representation, the share right in another: k/m in every cell, hatched where m = 0.

    ``pairwise`` is the table rep_flip_pairwise_metrics_per_model.
    """
    if pairwise.empty or not (pairwise["n"] > 0).any():
        return nothing("Transfer", "it needs two representations")
    there = pairwise.rename(columns={"transfer": "share", "transfer_k": "k", "transfer_m": "m"})[
        ["model", "strategy", "kind", "n", "first", "second", "share", "k", "m"]
    ]
    back = pairwise.rename(
        columns={"first": "second", "second": "first", "reverse": "share", "reverse_k": "k", "reverse_m": "m"}
    )[there.columns]
    both = pd.concat([there, back], ignore_index=True)
    columns = [
        (a, b)
        for a in (*ORDER, "figure")
        for b in (*ORDER, "figure")
        if ((both["first"] == a) & (both["second"] == b)).any()
    ]
    means = both.groupby(["model", "strategy", "kind", "n"], as_index=False, sort=False)["share"].mean()
    rows = ordered(means, "share")
    cells = both.set_index(["model", "strategy", "first", "second"])[["share", "k", "m"]]
    found = [
        [cells.loc[key] if (key := (r["model"], r["strategy"], a, b)) in cells.index else None for a, b in columns]
        for _, r in rows.iterrows()
    ]
    shares = np.array([[np.nan if c is None or not c["m"] > 0 else float(c["share"]) for c in line] for line in found])
    texts = np.array(
        [["" if c is None else f"{c['share']:.2f}  {int(c['k'])}/{int(c['m'])}" for c in line] for line in found]
    )
    figure, (ax,) = rows_figure(len(rows), width=3.2 + 1.05 * len(columns), extra=1.9)
    ax.grid(visible=False)
    bar = {"fraction": 0.03, "pad": 0.02, "label": "share right in the second"}
    annotated = {"annot": texts, "fmt": "", "annot_kws": {"size": 7}}
    sns.heatmap(
        shares, ax=ax, vmin=0, vmax=1, cmap="cividis", linewidths=1, cbar_kws=bar, yticklabels=False, **annotated
    )
    for i, j in zip(*np.nonzero(np.isnan(shares)), strict=True):
        ax.add_patch(Rectangle((j, i), 1, 1, facecolor="white", edgecolor=GREY, hatch="////", linewidth=0))
        ax.text(
            j + 0.5,
            i + 0.5,
            "0 of 0",
            ha="center",
            va="center",
            fontsize=7,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    several = many_strategies(rows)
    label_rows(ax, [row_label(row, strategies=several, n=int(row["n"])) for _, row in rows.iterrows()], rows, shift=0.5)
    ax.set_xticks([j + 0.5 for j in range(len(columns))], [f"{a} →\n{b}" for a, b in columns], fontsize=8)
    ax.xaxis.tick_top()
    ax.tick_params(length=0, labelrotation=0)
    ax.set_xlabel("of the problems right in the first, the share right in the second (k/m problems)", fontsize=8)
    mark_kinds(figure, rows["kind"])
    defined = both[both["m"] > 0]
    low = "" if defined.empty else (
        f"Lowest: {defined.loc[defined['share'].idxmin(), 'model']}, {defined.loc[defined['share'].idxmin(), 'first']} to "
        f"{defined.loc[defined['share'].idxmin(), 'second']}, {defined['share'].min():.2f}. "
    )  # fmt: skip
    alt = (
        f"Heat map for {combinations_of(len(rows))}: of the problems right in one representation, the share right in another, with counts k/m. {low}"
        f"{int((~(both['m'] > 0)).sum())} cells have no problem to start from. " + kind_words(rows["kind"])
    )
    return drawn(figure, alt)
