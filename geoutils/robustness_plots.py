"""Figures of notebook 09: average beside worst case, and how the worst case falls with further variants."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from geoutils.plot_style import (
    COLOURS,
    GREY,
    INK,
    MARKERS,
    PALE,
    Drawn,
    drawn,
    kind_words,
    label_rows,
    many_strategies,
    mark_kinds,
    nothing,
    ordered,
    plain,
    row_label,
    rows_figure,
    short,
    styled,
)
from geoutils.robustness import ALL

AVERAGE, WORST = "#0072B2", "#D55E00"
MOST_CURVES = 6


def _joint(table: pd.DataFrame) -> pd.DataFrame:
    """One row a model and strategy: all representations together where several were asked."""
    joint = table[table["representation"] == ALL]
    alone = table.groupby(["model", "strategy"])["representation"].transform("nunique") == 1
    return pd.concat([joint, table[alone & (table["representation"] != ALL)]])


@styled
def average_and_worst(table: pd.DataFrame) -> Drawn:
    """Average and worst case with 95 % intervals, one row a model and strategy; `table` is robustness_summary."""
    rows = _joint(table).dropna(subset=["average"])
    if rows.empty:
        return nothing("Average and worst case", "no answers")
    rows = ordered(rows, "average")
    figure, (ax,) = rows_figure(len(rows))
    for i, r in rows.iterrows():
        ax.plot([r["worst"], r["average"]], [i, i], color=GREY, linewidth=1.2, zorder=1)
        for name, colour, marker, shift in (("average", AVERAGE, "o", -0.14), ("worst", WORST, "v", 0.14)):
            ax.plot([r[f"{name}_low"], r[f"{name}_high"]], [i + shift] * 2, color=colour, linewidth=1.6, zorder=2)
            ax.plot(r[name], i + shift, marker, color=colour, markeredgecolor=INK, markersize=6, zorder=3)
    several = many_strategies(rows)
    label_rows(ax, [row_label(r, strategies=several, n=int(r["seeds"])) for _, r in rows.iterrows()], rows)
    ax.set_xlim(-0.01, 1.01)
    ax.set_xlabel("share of answers (average) and of seeds (worst case)")
    handles = [
        Line2D([], [], color=colour, marker=marker, markeredgecolor=INK, label=words)
        for words, colour, marker in (("average over variants", AVERAGE, "o"), ("right in every variant", WORST, "v"))
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=2, frameon=False, fontsize=8)
    mark_kinds(figure, rows["kind"])
    top = rows.iloc[0]
    alt = (
        f"Average and worst case of {len(rows)} combinations of model and strategy, one row each with n seeds. The worst case lies "
        f"left of the average everywhere; {short(str(top['model']))}: average {top['average']:.3f}, worst {top['worst']:.3f}. "
    )
    return drawn(figure, alt + kind_words(rows["kind"]))


@styled
def decay_curves(table: pd.DataFrame) -> Drawn:
    """The worst case at 1 to M variants, observed and independent; `table` is robustness_decay.

    One panel for each of the models with the highest average, at most six; one line a representation.
    """
    known = table[table["kind"] != "BASELINE"]
    known = known if len(known) else table
    if known.empty or known["k"].max() < 2:
        return nothing("Worst case by number of variants", "there is only one variant")
    heads = known[known["k"] == 1].groupby(["model", "strategy", "kind"], sort=False)["observed"].max().nlargest(MOST_CURVES)
    columns = min(3, len(heads))
    lines = int(np.ceil(len(heads) / columns))
    figure = Figure(figsize=(3.0 * columns + 0.6, 2.5 * lines + 0.9), layout="constrained")
    axes = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for ax in axes[len(heads) :]:
        ax.set_axis_off()
    for ax, (model, strategy, kind) in zip(axes, heads.index, strict=False):
        own = known[(known["model"] == model) & (known["strategy"] == strategy)]
        for name, g in own.groupby("representation", sort=False):
            colour = COLOURS.get(str(name), INK)
            ax.fill_between(g["k"], g["low"], g["high"], color=colour, alpha=0.15, linewidth=0)
            ax.plot(g["k"], g["observed"], color=colour, marker=MARKERS.get(str(name), "*"), markersize=4, label=str(name))
            ax.plot(g["k"], g["independent"], color=colour, linestyle=":", linewidth=1.2)
        row = pd.Series({"model": model, "strategy": strategy, "kind": kind})
        ax.set_title(row_label(row, strategies=many_strategies(known), n=int(own["seeds"].max())), fontsize=8)
        ax.grid(color=PALE, linewidth=0.8)
        ax.set_ylim(-0.02, 1.02)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    figure.supxlabel("number of variants that must all be right", fontsize=9)
    figure.supylabel("share of seeds", fontsize=9)
    handles, labels = axes[0].get_legend_handles_labels()
    handles.append(Line2D([], [], color=GREY, linestyle=":"))
    figure.legend(handles, [*map(plain, labels), "if answers were independent"], loc="outside upper center", ncols=5, frameon=False, fontsize=8)
    alt = (
        f"Worst case against the number of variants for {len(heads)} models, with 95 % bands. Every curve falls; the dotted curve of "
        "independent answers falls faster where some seeds are always right. "
    )
    return drawn(figure, alt + kind_words([str(k) for _, _, k in heads.index]))
