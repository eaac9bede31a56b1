"""Figures of surface features: how representations look, and whether longer statements are answered worse."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch

from geoutils.features import FEATURES
from geoutils.plot_style import (
    COLOURS,
    INK,
    LINES,
    NAMES,
    PALE,
    Drawn,
    drawn,
    kind_words,
    mark_kinds,
    nothing,
    present,
    styled,
)


@styled
def feature_histograms(merged: pd.DataFrame) -> Drawn:
    """Distribution of each feature over statements, a line for each representation (step histograms of shares)."""
    statements = merged.drop_duplicates(["problem", "representation"])
    varying = [name for name in FEATURES if statements[name].notna().any() and statements[name].nunique() > 1]
    if not varying:
        return nothing("Features", "no feature varies")
    reps = present(statements["representation"])
    columns = min(4, len(varying))
    styles = {COLOURS[r]: LINES[s] for s, r in enumerate(reps)}
    rows = math.ceil(len(varying) / columns)
    figure = Figure(figsize=(2.5 * columns, 1.1 + 1.7 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax in axes[len(varying) :]:
        ax.set_axis_off()
    for ax, name in zip(axes, varying, strict=False):
        values = statements[name].astype(float)
        low, high = values.min(), values.max()
        whole = bool((values % 1 == 0).all())
        bins = np.arange(low - 0.5, high + 1) if whole and high - low < 20 else np.linspace(low, high, 16)
        sns.histplot(
            statements, x=name, hue="representation", hue_order=reps, bins=bins, element="step", fill=False, legend=False,
            stat="proportion", common_norm=False, palette=COLOURS, linewidth=1.5, ax=ax,
        )  # fmt: skip
        for line in ax.lines:
            line.set_linestyle(styles[to_hex(line.get_color()).upper()])
        ax.set(xlabel="", ylabel="", ylim=(0, None))
        ax.set_title(name.replace("_", " "), fontsize=9)
        ax.tick_params(labelsize=7)
        ax.locator_params(nbins=4)
        ax.spines[["top", "right"]].set_visible(False)
    handles = [Line2D([], [], color=COLOURS[r], linestyle=LINES[s], label=NAMES[r]) for s, r in enumerate(reps)]
    figure.legend(handles=handles, loc="outside upper center", ncols=4, frameon=False, fontsize=8)
    sizes = statements["representation"].value_counts()
    figure.supylabel(f"share of statements (n = {', '.join(f'{sizes[r]} {r}' for r in reps)})", fontsize=8)
    tokens = statements.groupby("representation")["tokens"].median()
    alt = (
        f"Histograms of {len(varying)} surface features over {len(statements)} statements by representation. Median tokens: "
        + ", ".join(f"{r} {tokens[r]:.0f}" for r in reps)
        + "."
    )
    return drawn(figure, alt)


@styled
def token_box(merged: pd.DataFrame, *, feature: str = "tokens") -> Drawn:
    """Length of the statements of right and of wrong answers, by representation; a panel for each kind of answerer.

    Cells of one statement repeat over models, so the boxes describe; they test nothing.
    """
    kinds = [k for k in ("model", "SIMULATED", "BASELINE") if (merged["kind"] == k).any()]
    kinds = [k for k in kinds if k != "BASELINE"] or kinds
    if not kinds:
        return nothing("Length and correctness", "no answers")
    reps = present(merged["representation"])
    figure = Figure(figsize=(1.2 + max(3.4, 1.5 * len(reps)) * len(kinds), 3.8), layout="constrained")
    axes = figure.subplots(1, len(kinds), sharey=True, squeeze=False)[0]
    medians = []
    for ax, kind in zip(axes, kinds, strict=True):
        part = merged[merged["kind"] == kind]
        sns.boxplot(
            part, x="representation", y=feature, order=reps, hue=part["correct"].eq(1), hue_order=[True, False], gap=0.15,
            width=0.8, whis=(5, 95), showfliers=False, legend=False, linecolor=INK, palette={True: PALE, False: "white"}, ax=ax,
        )  # fmt: skip
        for box in (p for p in ax.patches if isinstance(p, PathPatch)):
            at = np.asarray(box.get_path().vertices)[:, 0]
            middle = float(at.min() + at.max()) / 2
            right = middle < round(middle)
            box.set(facecolor=COLOURS[reps[round(middle)]] if right else "white", hatch="" if right else "////")
        for i, r in enumerate(reps):
            for correct, place in ((1, i - 0.2), (0, i + 0.2)):
                values = part.loc[(part["representation"] == r) & (part["correct"] == correct), feature]
                ax.text(place, 1.01, f"{len(values):,}", transform=ax.get_xaxis_transform(), ha="center", fontsize=7)
                if len(values):
                    medians.append(f"{kind} {r} {'right' if correct else 'not right'} {values.median():.0f}")
        ax.set(xlabel="", ylabel="")
        ax.set_xticks(range(len(reps)), reps)
        ax.set_xlim(-0.6, len(reps) - 0.4)
        ax.set_title(f"{'models' if kind == 'model' else kind}\n(cells above each box)\n", fontsize=9)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel(f"{feature} of the statement")
    handles = [
        Patch(facecolor=PALE, edgecolor=INK, label="correct"),
        Patch(facecolor="white", edgecolor=INK, hatch="////", label="not correct"),
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=2, frameon=False, fontsize=8)
    mark_kinds(figure, kinds)
    alt = f"Box plots of {feature} for correct and not correct answers by representation (box: quartiles, whiskers: 5 to 95 %). Medians: {'; '.join(medians)}. "
    return drawn(figure, alt + kind_words(kinds))
