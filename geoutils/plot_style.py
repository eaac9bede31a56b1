"""What all figures share: one colour and marker per representation, names that cannot break a figure, n in sight.

Colours are Okabe and Ito's (safe for colour-blind readers, and of different grey); a marker or hatch says the same
again, so that no figure needs colour.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from geoutils.display import visible
from geoutils.panel import KNOWN, STRATEGIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {"coord": "#0072B2", "euclid": "#E69F00", "vector": "#009E73", "figure": "#CC79A7"}
MARKERS = {"coord": "o", "euclid": "s", "vector": "^", "figure": "D"}
HATCHES = {"coord": "////", "euclid": "....", "vector": "xxxx", "figure": "++++"}
LINES: tuple[Any, ...] = ("-", "--", ":", "-.", (0, (5, 1)), (0, (1, 1)))
NAMES = {"coord": "coordinates", "euclid": "Euclidean text", "vector": "vectors", "figure": "figure"}
INK, GREY, PALE = "#222222", "#8C8C8C", "#E3E3E3"
KIND_ORDER = {"model": 0, "SIMULATED": 1, "BASELINE": 2}
P = ParamSpec("P")
SIZES = {
    "font.sans-serif": ["DejaVu Sans"],
    "axes.labelsize": 10,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "patch.linewidth": 0.8,
    "hatch.linewidth": 0.8,
}
LONGEST_NAME = 38
ROW = 0.30
NOTES = {
    "SIMULATED": "SIMULATED: answers invented by a program, no real model",
    "BASELINE": "BASELINE: a heuristic, no language model",
}


def styled(draw: Callable[P, Drawn]) -> Callable[P, Drawn]:
    """Draw in the project's theme (seaborn's, with our sizes), without touching the reader's settings."""

    @functools.wraps(draw)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> Drawn:
        import seaborn as sns

        theme = {**sns.axes_style("ticks"), **sns.plotting_context("paper"), **SIZES}
        with matplotlib.rc_context(theme):
            return draw(*args, **kwargs)

    return wrapped


class Drawn(NamedTuple):
    """A figure and the alternative text that says what to see in it."""

    figure: Figure
    alt: str


def drawn(figure: Figure, alt: str) -> Drawn:
    """The figure, laid out once for all, with its alternative text (control characters of names taken out)."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return Drawn(figure, " ".join(visible(alt).split()))


def combinations_of(rows: int) -> str:
    """How many rows there are, in words."""
    return f"{rows} combination{'' if rows == 1 else 's'} of model and strategy"


def plain(text: Any, limit: int = LONGEST_NAME) -> str:
    """Any name as text that matplotlib prints as it is: no mathematics, no missing glyphs, not too long."""
    shown = " ".join(visible(str(text)).split())
    shown = "".join(c if ord(c) < 0x500 or c in "√°²³–—…×·" else "?" for c in shown)
    shown = shown if len(shown) <= limit else shown[: limit - 8] + "…" + shown[-7:]
    return shown.replace("$", r"\$")


def short(model: str) -> str:
    """A model id without its prefix of vendor or server where that is no part of the name."""
    return model.rsplit("/", 1)[-1] if model.startswith(("simulated/", "baseline/", "openrouter/", "local/")) else model


def row_label(row: pd.Series, *, strategies: bool, n: int | None = None) -> str:
    """The label of a model: name, strategy where there are several, SIMULATED or BASELINE, n."""
    parts = [plain(short(str(row["model"])))]
    if strategies:
        parts.append(f"· {row['strategy']}")
    if row["kind"] != "model":
        parts.append(f"[{row['kind']}]")
    return " ".join(parts) + (f"  n={n}" if n is not None else "")


def ordered(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Rows by kind, strategy and then ``by``, highest first: the order of all figures with a row per model."""
    usual = {s: i for i, s in enumerate(STRATEGIES)}
    keyed = table.assign(
        _kind=table["kind"].map(KIND_ORDER),
        _strategy=table["strategy"].map(usual).fillna(len(usual)),
        _value=-table[by].fillna(-1.0),
    )
    keyed = keyed.sort_values(["_kind", "_strategy", "_value", "model"], kind="stable")
    return keyed.drop(columns=["_kind", "_strategy", "_value"]).reset_index(drop=True)


def many_strategies(table: pd.DataFrame) -> bool:
    """Whether labels must name the strategy."""
    return table["strategy"].nunique() > 1


def rows_figure(rows: int, *, columns: int = 1, width: float = 8.0, extra: float = 1.6) -> tuple[Figure, list[Axes]]:
    """A figure with ``rows`` rows of equal height and axes side by side that share them, the first row on top."""
    figure = Figure(figsize=(width, extra + ROW * max(rows, 1)), layout="constrained")
    axes = figure.subplots(1, columns, sharey=True, squeeze=False)[0]
    for ax in axes:
        ax.set_ylim(max(rows, 1) - 0.5, -0.5)
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
        ax.grid(axis="x", color=PALE, linewidth=0.8)
        ax.set_axisbelow(True)
    return figure, list(axes)


def label_rows(ax: Axes, labels: Sequence[str], table: pd.DataFrame, *, shift: float = 0.0) -> None:
    """Names at the rows, and a line wherever kind or strategy changes; ``shift`` moves all by a part of a row."""
    ax.set_yticks([i + shift for i in range(len(labels))], labels, fontsize=8)
    marks = (table["kind"] + " " + table["strategy"]).to_numpy()
    for i in range(1, len(marks)):
        if marks[i] != marks[i - 1]:
            ax.axhline(i - 0.5 + shift, color=GREY, linewidth=0.6)


def representation_legend(figure: Figure, representations: Sequence[str], extra: Sequence[Any] = ()) -> None:
    """The legend of the representations, above the axes."""
    handles = [
        Line2D(
            [],
            [],
            color=COLOURS[r],
            marker=MARKERS[r],
            markeredgecolor=INK,
            linestyle="none",
            markersize=7,
            label=NAMES[r],
        )
        for r in representations
    ]
    figure.legend(handles=[*handles, *extra], loc="outside upper center", ncols=4, frameon=False, fontsize=8)


def mark_kinds(figure: Figure, kinds: Sequence[str]) -> None:
    """The words SIMULATED and BASELINE below a figure that shows any."""
    lines = [NOTES[kind] for kind in ("SIMULATED", "BASELINE") if kind in set(kinds)]
    if lines:
        figure.supxlabel("   |   ".join(lines), fontsize=8, fontweight="bold", color=INK)


def kind_words(kinds: Sequence[str]) -> str:
    """The same for alternative texts."""
    return " ".join(f"{NOTES[kind]}." for kind in ("SIMULATED", "BASELINE") if kind in set(kinds))


def nothing(title: str, why: str) -> Drawn:
    """A figure that says why there is nothing to draw."""
    figure = Figure(figsize=(7, 1.4), layout="constrained")
    ax = figure.subplots()
    ax.set_axis_off()
    ax.text(0.5, 0.5, f"{title}: {plain(why, 120)}", ha="center", va="center", fontsize=10, color=INK)
    return Drawn(figure, f"{title}: nothing to draw, {why}.")


def present(values: Sequence[str]) -> list[str]:
    """Representations in their fixed order."""
    there = set(values)
    return [r for r in KNOWN if r in there]


def span(values: pd.Series) -> str:
    """n as one number or as a range."""
    low, high = int(np.min(values)), int(np.max(values))
    return f"{low}" if low == high else f"{low} to {high}"
