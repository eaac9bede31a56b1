"""The figure of a comparison: what changed between two runs, model by model, with its limits."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from geoutils.panel import kind_of
from geoutils.plot_style import (
    GREY,
    INK,
    Drawn,
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

SHOWN = ("mean of all cells", "Invariance@3")
TITLES = {"mean of all cells": "all common answers", "Invariance@3": "right in all three (Invariance@3)"}
MOST = 40  # rows of the figure; the table has all


@styled
def change_forest(differences: pd.DataFrame) -> Drawn:
    """After minus before in percentage points with 95 % limits, a row per model and strategy, largest change first.

    ``differences`` is the table of :func:`geoutils.compare.differences`. A filled mark: the change is more than chance
    explains after Holm's adjustment. Rows in which nothing changed are drawn only where nothing changed at all, baselines only where
    nothing else was compared.
    """
    table = differences.assign(kind=differences["model"].map(kind_of), size=differences["difference"].abs())
    table = table[table["measure"].isin(SHOWN)]
    if table["kind"].ne("BASELINE").any():
        table = table[table["kind"].ne("BASELINE")]
    if table.empty:
        return nothing("What changed", "no model in common")
    table = table.assign(turned=table["gained"] + table["lost"])
    rows = table.groupby(["model", "strategy", "kind"], as_index=False, sort=False).agg(
        size=("size", "max"), n=("n", "max"), turned=("turned", "max")
    )
    still = int(rows["turned"].eq(0).sum())
    some = still < len(rows)
    rows = ordered(rows[rows["turned"].gt(0)] if some else rows, "size").head(MOST)
    shown = [name for name in SHOWN if name in set(table["measure"])]
    figure, axes = rows_figure(len(rows), columns=len(shown), width=3.2 + 2.6 * len(shown), extra=1.7)
    limit = 2.0
    for ax, measure in zip(axes, shown, strict=True):
        own = table[table["measure"].eq(measure)].set_index(["model", "strategy"])
        for place, row in rows.iterrows():
            if (row["model"], row["strategy"]) not in own.index:
                continue
            change = own.loc[(row["model"], row["strategy"])]
            if np.isfinite(change["low"]):
                ax.plot([100 * change["low"], 100 * change["high"]], [place, place], color=INK, linewidth=1.2, zorder=2)
                limit = max(limit, abs(100 * change["low"]), abs(100 * change["high"]))
            sure = change["p_holm"] <= 0.05
            ax.plot(100 * change["difference"], place, "o", color=INK if sure else "white", markeredgecolor=INK, markersize=5, zorder=3)
            limit = max(limit, abs(100 * change["difference"]))
        ax.axvline(0, color=GREY, linewidth=1, zorder=1)
        ax.set_title(TITLES[measure], fontsize=9)
        ax.set_xlabel("after minus before, percentage points", fontsize=8)
        ax.tick_params(axis="x", labelsize=8)
    for ax in axes:
        ax.set_xlim(-1.05 * limit, 1.05 * limit)
    several = many_strategies(rows)
    labels = [row_label(row, strategies=several, n=int(row["n"])) for _, row in rows.iterrows()]
    for ax in axes:
        label_rows(ax, labels, rows)
    handles = [
        Line2D([], [], color=INK, marker="o", label="more than chance explains (Holm)"),
        Line2D([], [], color=INK, marker="o", markerfacecolor="white", label="not shown"),
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=2, frameon=False, fontsize=8)
    mark_kinds(figure, list(rows["kind"]))
    left = f" The {still} without any change are not drawn." if some and still else ""
    sure = int((table.groupby(["model", "strategy"], sort=False)["p_holm"].min() <= 0.05).sum())
    alt = (
        f"After minus before in percentage points with 95 % limits for {len(rows)} combination{'s' if len(rows) > 1 else ''} of model and "
        f"strategy, n = {span(rows['n'])} problems: {sure} changed by more than chance explains; the largest change is "
        f"{100 * table.loc[table['size'].idxmax(), 'difference']:+.1f} points.{left} {kind_words(list(rows['kind']))}"
    )
    return drawn(figure, alt)
