"""Figures of accuracy and invariance, made from the tables of 05_tabulation.

Each function takes a saved table and returns the figure with its alternative text. A row is a model and strategy;
rows are sorted by accuracy within kind and strategy, so nothing is joined across models.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from geoutils.plot_style import (
    COLOURS,
    GREY,
    INK,
    LINES,
    MARKERS,
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
    plain,
    present,
    representation_legend,
    row_label,
    rows_figure,
    short,
    span,
    styled,
)

KEYS = ["model", "strategy", "kind"]


@styled
def accuracy_dumbbells(accuracy: pd.DataFrame) -> Drawn:
    """Accuracy in each representation with its 95 % interval, one row a model and strategy.

    ``accuracy`` is the table accuracy_by_representation (model, strategy, kind, representation, accuracy, low, high, n).
    """
    known = accuracy[accuracy["n"] > 0]
    if known.empty:
        return nothing("Accuracy by representation", "no answers")
    means = known.groupby(KEYS, as_index=False, sort=False).agg(accuracy=("accuracy", "mean"), n=("n", "max"))
    rows, reps = ordered(means, "accuracy"), present(known["representation"])
    figure, (ax,) = rows_figure(len(rows))
    several = many_strategies(rows)
    offsets = dict(zip(reps, np.linspace(-0.22, 0.22, len(reps)) if len(reps) > 1 else [0.0], strict=True))
    for i, row in rows.iterrows():
        own = known[(known["model"] == row["model"]) & (known["strategy"] == row["strategy"])].set_index(
            "representation"
        )
        ax.plot([own["accuracy"].min(), own["accuracy"].max()], [i, i], color=GREY, linewidth=1.5, zorder=1)
        for r in reps:
            if r in own.index:
                a = own.loc[r]
                ax.plot([a["low"], a["high"]], [i + offsets[r]] * 2, color=COLOURS[r], linewidth=1.6, zorder=2)
                ax.plot(
                    a["accuracy"],
                    i + offsets[r],
                    MARKERS[r],
                    color=COLOURS[r],
                    markeredgecolor=INK,
                    markersize=6,
                    zorder=3,
                )
    label_rows(ax, [row_label(row, strategies=several, n=int(row["n"])) for _, row in rows.iterrows()], rows)
    ax.set_xlim(-0.01, 1.01)
    ax.set_xlabel("correct, share of n problems (bars: 95 % interval)")
    representation_legend(figure, reps)
    mark_kinds(figure, rows["kind"])
    top, low = known.loc[known["accuracy"].idxmax()], known.loc[known["accuracy"].idxmin()]
    alt = (
        f"Accuracy by representation with 95 % intervals for {combinations_of(len(rows))}, n = {span(known['n'])} problems each. "
        f"Highest {top['accuracy']:.2f} ({top['model']}, {top['strategy']}, {top['representation']}), lowest {low['accuracy']:.2f} "
        f"({low['model']}, {low['strategy']}, {low['representation']}). Overlapping bars do not mean that a paired difference is absent. "
        + kind_words(rows["kind"])
    )
    return drawn(figure, alt)


@styled
def geometry_sensitivity(accuracy: pd.DataFrame) -> Drawn:
    """Accuracy over the representations, a small panel for each model, a line for each strategy, the others in grey."""
    known = accuracy[accuracy["n"] > 0]
    if known.empty or known["representation"].nunique() < 2:
        return nothing("Accuracy over representations", "it needs answers in two representations")
    reps = present(known["representation"])
    strategies = list(dict.fromkeys(known["strategy"]))
    means = known.groupby(["model", "kind"], as_index=False, sort=False).agg(
        accuracy=("accuracy", "mean"), n=("n", "max")
    )
    models = ordered(means.assign(strategy=""), "accuracy")
    columns = min(5, max(1, math.ceil(math.sqrt(len(models)))))
    rows = math.ceil(len(models) / columns)
    figure = Figure(figsize=(max(5.0, 2.3 * columns), 1.2 + 2.0 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    wide = {key: g.set_index("representation") for key, g in known.groupby(["model", "strategy"], sort=False)}
    place = {r: i for i, r in enumerate(reps)}
    for ax in axes[len(models) :]:
        ax.set_axis_off()
    for ax, (_, model) in zip(axes, models.iterrows(), strict=False):
        others = [
            np.column_stack([[place[r] for r in own.index], own["accuracy"]])
            for (name, _), own in wide.items()
            if name != model["model"]
        ]
        ax.add_collection(LineCollection(others, colors=PALE, linewidths=0.8, zorder=1))
        for s, strategy in enumerate(strategies):
            own = wide.get((model["model"], strategy))
            if own is None:
                continue
            x = [place[r] + 0.07 * (s - (len(strategies) - 1) / 2) for r in own.index]
            ax.plot(x, own["accuracy"], color=INK, linestyle=LINES[s % len(LINES)], linewidth=1.1, zorder=2)
            for at, (r, a) in zip(x, own.iterrows(), strict=True):
                ax.plot([at, at], [a["low"], a["high"]], color=COLOURS[str(r)], linewidth=1.4, zorder=3)
                ax.plot(
                    at,
                    a["accuracy"],
                    MARKERS[str(r)],
                    color=COLOURS[str(r)],
                    markeredgecolor=INK,
                    markersize=5,
                    zorder=4,
                )
        kind = "" if model["kind"] == "model" else f" [{model['kind']}]"
        ax.set_title(f"{plain(short(model['model']), 24)}{kind}\nn = {int(model['n'])}", fontsize=8)
        ax.set_xticks(range(len(reps)), reps, fontsize=8)
        ax.set_xlim(-0.4, len(reps) - 0.6)
        ax.set_ylim(-0.03, 1.03)
        ax.set_yticks([0, 0.5, 1])
        ax.tick_params(labelsize=8, labelbottom=True)
        ax.spines[["top", "right"]].set_visible(False)
    figure.supylabel("correct, share of n problems", fontsize=9)
    lines = [
        Line2D([], [], color=INK, linestyle=LINES[s % len(LINES)], label=name) for s, name in enumerate(strategies)
    ]
    representation_legend(figure, reps, lines if len(strategies) > 1 else [])
    mark_kinds(figure, models["kind"])
    spread = known.groupby(["model", "strategy"])["accuracy"].agg(lambda a: a.max() - a.min())
    alt = (
        f"{len(models)} panel(s), one a model: accuracy in {', '.join(reps)} with 95 % intervals, a line a strategy ({', '.join(strategies)}), "
        f"the other models in grey; n = {span(known['n'])}. The largest spread between representations is {spread.max():.2f} "
        f"({spread.idxmax()[0]}, {spread.idxmax()[1]}). " + kind_words(models["kind"])
    )
    return drawn(figure, alt)


@styled
def invariance_bounds(summary: pd.DataFrame) -> Drawn:
    """Invariance@3 with its interval, inside the bounds that the three accuracies leave it.

    ``summary`` is the table geometry_invariance_summary_with_CIs. The band runs from the least invariance that the
    three accuracies allow (Frechet) to the accuracy of the weakest representation; the tick is their product.
    """
    known = summary[summary["Invariance@3"].notna()]
    if known.empty:
        return nothing("Invariance@3", "it needs all three representations")
    rows = ordered(known, "Invariance@3")
    figure, (ax,) = rows_figure(len(rows))
    three = rows[["coord", "euclid", "vector"]]
    low, high = np.maximum(0, three.sum(axis=1) - 2), three.min(axis=1)
    for i, row in rows.iterrows():
        ax.barh(i, high[i] - low[i], left=low[i], height=0.6, color=PALE, edgecolor=GREY, linewidth=0.6, zorder=1)
        ax.plot([high[i]] * 2, [i - 0.3, i + 0.3], color=INK, linewidth=2, zorder=2)
        ax.plot([three.loc[i].prod()] * 2, [i - 0.2, i + 0.2], color=INK, linewidth=1, linestyle=":", zorder=2)
        ax.plot(
            [row["Invariance@3_ci_low"], row["Invariance@3_ci_high"]],
            [i, i],
            color=COLOURS["figure"],
            linewidth=1.8,
            zorder=3,
        )
        ax.plot(row["Invariance@3"], i, "D", color=COLOURS["figure"], markeredgecolor=INK, markersize=6, zorder=4)
    several = many_strategies(rows)
    label_rows(
        ax, [row_label(r, strategies=several, n=int(r["n_problems_evaluated"])) for _, r in rows.iterrows()], rows
    )
    ax.set_xlim(-0.01, 1.01)
    ax.set_xlabel("share of n problems")
    handles = [
        Line2D([], [], color=COLOURS["figure"], marker="D", markeredgecolor=INK, label="Invariance@3, 95 % interval"),
        Patch(facecolor=PALE, edgecolor=GREY, label="what the three accuracies allow"),
        Line2D([], [], color=INK, linewidth=2, label="accuracy of the weakest representation"),
        Line2D([], [], color=INK, linestyle=":", label="if the three were independent"),
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=2, frameon=False, fontsize=8)
    mark_kinds(figure, rows["kind"])
    lost = (high - rows["Invariance@3"]).idxmax()
    alt = (
        f"Invariance@3 with 95 % intervals for {combinations_of(len(rows))}, inside the band that the three accuracies allow; "
        f"n = {span(rows['n_problems_evaluated'])}. Furthest below its weakest representation: {rows.loc[lost, 'model']} ({rows.loc[lost, 'strategy']}) with "
        f"{rows.loc[lost, 'Invariance@3']:.2f} against {high[lost]:.2f}. " + kind_words(rows["kind"])
    )
    return drawn(figure, alt)
