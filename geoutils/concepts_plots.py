"""Figures of notebook 11: mean score against accuracy, the scores of each model, and score by right and wrong."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from geoutils.files import write_bytes
from geoutils.panel import kind_of
from geoutils.plot_style import (
    GREY,
    INK,
    LINES,
    PALE,
    Drawn,
    drawn,
    kind_words,
    mark_kinds,
    nothing,
    plain,
    styled,
)
from geoutils.study import Study

MARKERS = {"zeroshot": "o", "fewshot": "s", "cot": "v", "reason": "D", "convert": "^", "unknown": "P"}
PROMPT_WORDS = {"cot": "zero-shot chain of thought", "zeroshot": "zero-shot", "fewshot": "few-shot"}
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
MOST_MODELS = 12


def _name(model: str) -> str:
    """A model's name without vendor, server or "imported"."""
    return model.rsplit("/", 1)[-1]


def model_colours(models: list[str]) -> dict[str, str]:
    """One colour a model, in order; beyond eight the colours repeat, and the order of the legend tells."""
    return {model: COLOURS[place % len(COLOURS)] for place, model in enumerate(models)}


@styled
def score_and_accuracy(groups: pd.DataFrame, note: str = "") -> Drawn:
    """Mean score against accuracy: colour the model, marker the prompt, bars 95 % limits; `groups` is concepts_groups."""
    table = groups.dropna(subset=["score", "accuracy"])
    if table.empty:
        return nothing("Mean score and accuracy", "no group has both")
    models = list(dict.fromkeys(table["model"]))
    colours = model_colours(models)
    figure = Figure(figsize=(7.4, 4.6), layout="constrained")
    ax = figure.subplots()
    for row in table.itertuples():
        colour, marker = colours[row.model], MARKERS.get(row.strategy, "X")
        ax.plot([row.score_low, row.score_high], [row.accuracy] * 2, color=colour, linewidth=1, alpha=0.5, zorder=1)
        ax.plot([row.score] * 2, [row.accuracy_low, row.accuracy_high], color=colour, linewidth=1, alpha=0.5, zorder=1)
        ax.plot(row.score, row.accuracy, marker, color=colour, markeredgecolor=INK, markersize=9, zorder=2)
    ax.set_xlabel("mean score (MSU) of the solutions")
    ax.set_ylabel("share of right answers")
    low, high = ax.get_ylim()
    ax.set_ylim(max(low, -0.03), min(high, 1.03))
    ax.grid(color=PALE, linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    handles = [Line2D([], [], color=colours[m], marker="o", linestyle="none", markeredgecolor=INK, label=plain(_name(m))) for m in models[:MOST_MODELS]]
    prompts = list(dict.fromkeys(table["strategy"]))
    handles += [Line2D([], [], color=GREY, marker=MARKERS.get(p, "X"), linestyle="none", markeredgecolor=INK, label=PROMPT_WORDS.get(p, p)) for p in prompts]
    figure.legend(handles=handles, loc="outside right upper", frameon=False, fontsize=8, title=f"{len(table)} groups", title_fontsize=8)
    ax.set_title(note, fontsize=9)
    kinds = [kind_of(m) for m in models]
    mark_kinds(figure, kinds)
    best, worst = table.loc[table["score"].idxmax()], table.loc[table["score"].idxmin()]
    alt = (
        f"Scatter of mean score against share of right answers, {len(table)} groups of model and prompt. Highest score: "
        f"{_name(best['model'])} {best['strategy']} at {best['score']:.3f} with accuracy {best['accuracy']:.3f}; lowest: "
        f"{_name(worst['model'])} {worst['strategy']} at {worst['score']:.3f} with {worst['accuracy']:.3f}. {note}. "
    )
    return drawn(figure, alt + kind_words(kinds))


def save_pdf(study: Study, figure: Figure, name: str) -> None:
    """Save a figure also as figures/NAME.pdf, the same bytes for the same figure."""
    content = io.BytesIO()
    figure.savefig(content, format="pdf", bbox_inches="tight", metadata={"CreationDate": None})
    study.wrote(write_bytes(study.figures / f"{name}.pdf", content.getvalue()), "the figure as PDF")


@styled
def violins(scored: pd.DataFrame) -> Drawn:
    """The distribution of scores: one panel a prompt, one violin a model, a bar at the median."""
    table = scored.dropna(subset=["score"])
    if table.empty:
        return nothing("Scores of each model", "no solution has a score")
    prompts, models = list(dict.fromkeys(table["strategy"])), list(dict.fromkeys(table["model"]))[:MOST_MODELS]
    colours, crowd = model_colours(models), len(models) * len(prompts)
    crowd = crowd if max(len(_name(m)) for m in models) > 9 else 0
    figure = Figure(figsize=(max(4.0, 0.9 * len(models) + 0.8) * len(prompts) if len(prompts) < 3 else 9.0, 3.6), layout="constrained")
    axes = figure.subplots(1, len(prompts), sharey=True, squeeze=False)[0]
    for ax, prompt in zip(axes, prompts, strict=True):
        for place, model in enumerate(models):
            values = table.loc[(table["strategy"] == prompt) & (table["model"] == model), "score"].to_numpy(float)
            _violin(ax, place, values, colours[model])
        counts = [int(((table["strategy"] == prompt) & (table["model"] == m)).sum()) for m in models]
        labels = [f"{plain(_name(m), 20)}\nn={n}" for m, n in zip(models, counts, strict=True)]
        ax.set_xticks(range(len(models)), labels, rotation=0 if crowd < 8 else 30, fontsize=7, ha="center" if crowd < 8 else "right")
        ax.set_xlim(-0.6, len(models) - 0.4)
        ax.set_title(PROMPT_WORDS.get(prompt, prompt), fontsize=9)
        ax.grid(axis="y", color=PALE, linewidth=0.8)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("score (MSU)")
    kinds = [kind_of(m) for m in models]
    mark_kinds(figure, kinds)
    middle = table.groupby(["strategy", "model"], sort=False)["score"].median()
    words = "; ".join(f"{prompt} {_name(str(model))} {value:.3f}" for (prompt, model), value in list(middle.items())[:9])
    return drawn(figure, f"Violins of the scores of {len(models)} models under {len(prompts)} prompts. Medians: {words}. " + kind_words(kinds))


def _violin(ax: object, place: int, values: np.ndarray, colour: str) -> None:
    if len(values) >= 5 and values.std() > 1e-9:
        body = ax.violinplot([values], positions=[place], widths=0.8, showextrema=False)["bodies"][0]  # type: ignore[attr-defined]
        body.set(facecolor=colour, edgecolor=INK, alpha=0.5)
    elif len(values):
        ax.plot([place] * len(values), values, "o", color=colour, markersize=3, alpha=0.6)  # type: ignore[attr-defined]
    if len(values):
        ax.plot([place - 0.25, place + 0.25], [np.median(values)] * 2, color=INK, linewidth=1.6)  # type: ignore[attr-defined]


@styled
def right_and_wrong(scored: pd.DataFrame) -> Drawn:
    """Shares of solutions by score, right and wrong answers apart: how far the two lie on top of each other."""
    table = scored.dropna(subset=["score", "correct"])
    if table.empty or table["correct"].nunique() < 2:
        return nothing("Scores of right and wrong answers", "there are no solutions with a score of both kinds")
    figure = Figure(figsize=(7.0, 3.2), layout="constrained")
    ax = figure.subplots()
    right, wrong = (np.sort(table.loc[table["correct"] == mark, "score"].to_numpy(float)) for mark in (1, 0))
    for values, words, colour, line in ((right, "right", "#0072B2", LINES[0]), (wrong, "wrong", "#D55E00", LINES[1])):
        share = np.arange(1, len(values) + 1) / len(values)
        ax.step(values, share, where="post", color=colour, linestyle=line, linewidth=1.8, label=f"{words} answers, n={len(values):,}")
    ax.set_xlabel("score (MSU)")
    ax.set_ylabel("share with at most this score")
    ax.set_ylim(0, 1.02)
    ax.grid(color=PALE, linewidth=0.8)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize=8, loc="upper left")
    kinds = [kind_of(m) for m in table["model"].unique()]
    mark_kinds(figure, kinds)
    alt = (
        f"Cumulative shares of the scores of {len(right):,} right and {len(wrong):,} wrong answers; medians {np.median(right):.3f} and "
        f"{np.median(wrong):.3f}. The closer the two curves, the less a score tells of one answer. "
    )
    return drawn(figure, alt + kind_words(kinds))
