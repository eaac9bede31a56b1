"""Tables, figures and cards of a problem set, as notebook 01 shows them."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from geoutils.display import escape
from geoutils.problems.records import CATEGORIES, DIFFICULTIES, REPRESENTATIONS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from geoutils.problems.figures import Drawing
    from geoutils.problems.labelled import Labelled

LABELS = {"coord": "coordinates", "euclid": "Euclidean", "vector": "vectors"}
SHOWN = ("tokens", "numbers", "symbols", "coordinates", "roots")
LEAK_BASELINES = ("last-number", "largest-number", "random-number", "most-common-answer")


def canonical(table: pd.DataFrame) -> pd.DataFrame:
    """One row per problem: variant 0, the first representation there is."""
    return table[table["variant"] == 0].drop_duplicates("problem").reset_index(drop=True)


def counts(table: pd.DataFrame) -> pd.DataFrame:
    """Problems by category and difficulty, with totals: category, easy, medium, hard, unmarked, all."""
    first = canonical(table)
    levels = [*DIFFICULTIES, ""]
    rows = []
    for category in CATEGORIES:
        part = first.loc[first["category"] == category, "difficulty"]
        rows.append([category, *(int((part == level).sum()) for level in levels), len(part)])
    made = pd.DataFrame(rows, columns=["category", *DIFFICULTIES, "unmarked", "all"])
    total = pd.DataFrame([["all", *made.drop(columns="category").sum()]], columns=made.columns)
    made = pd.concat([made, total], ignore_index=True)
    return made if made["unmarked"].iloc[-1] else made.drop(columns="unmarked")


def families(table: pd.DataFrame) -> pd.DataFrame:
    """Problems by family: category, family, problems, most frequent first."""
    first = canonical(table)
    sizes = first.groupby(["category", "family"], sort=False).size().rename("problems").reset_index()
    return sizes.sort_values(["category", "problems", "family"], ascending=[True, False, True], ignore_index=True)


def kinds(table: pd.DataFrame) -> pd.DataFrame:
    """Variants by what they change: kinds, variants."""
    once = table.drop_duplicates(["problem", "variant"])
    sizes = once.groupby("kinds", sort=False).size().rename("variants").reset_index()
    return sizes.sort_values("variants", ascending=False, kind="stable", ignore_index=True)


def commonest_golds(table: pd.DataFrame) -> pd.DataFrame:
    """The most frequent gold of each category: category, answer, unit, problems, of, share."""
    rows = []
    for category, part in canonical(table).groupby("category", sort=False):
        sizes = part.groupby(["value", "unit"], sort=False)["answer"].agg(["size", "first"])
        top = sizes.loc[sizes["size"].idxmax()]
        unit = str(sizes["size"].idxmax()[1])
        rows.append((category, top["first"], unit, int(top["size"]), len(part), int(top["size"]) / len(part)))
    return pd.DataFrame(rows, columns=["category", "answer", "unit", "problems", "of", "share"])


def features(table: pd.DataFrame, names: Sequence[str] = SHOWN) -> pd.DataFrame:
    """Surface features of canonical statements: feature, representation, n, median, low, high (quartiles), most."""
    from geoutils.features import statement_features

    made = statement_features(table[table["variant"] == 0].reset_index(drop=True))
    rows = []
    for name in names:
        for rep in REPRESENTATIONS:
            part = made.loc[made["representation"] == rep, name].astype(float)
            if len(part):
                quartiles = part.quantile([0.5, 0.25, 0.75])
                rows.append((name, rep, len(part), *quartiles, part.max()))
    return pd.DataFrame(rows, columns=["feature", "representation", "n", "median", "low", "high", "most"])


def feature_figure(table: pd.DataFrame, names: Sequence[str] = SHOWN[:3]) -> Figure:
    """Box plots of surface features by representation, whiskers to the extremes."""
    from matplotlib.figure import Figure

    from geoutils.features import statement_features

    made = statement_features(table[table["variant"] == 0].reset_index(drop=True))
    figure = Figure(figsize=(3.2 * len(names), 3.2), layout="constrained")
    axes = figure.subplots(1, len(names), squeeze=False)[0]
    present = [rep for rep in REPRESENTATIONS if (made["representation"] == rep).any()]
    for axis, name in zip(axes, names, strict=True):
        groups = [made.loc[made["representation"] == rep, name].astype(float).to_numpy() for rep in present]
        axis.boxplot(groups, tick_labels=[LABELS[rep] for rep in present], whis=(0, 100), widths=0.6)
        axis.set_ylabel(f"{name} in a statement")
        axis.set_ylim(bottom=0)
        axis.set_xlabel(f"representation (n = {len(groups[0]) if groups else 0} each)")
    return figure


def leak_test(table: pd.DataFrame, *, seed: int = 1) -> pd.DataFrame:
    """What answers without geometry would score: baseline, representation, correct, n, share, low, high (Wilson).

    Each heuristic baseline answers every canonical statement and is graded like a model.
    """
    from geoutils.baselines import answer, with_most_common
    from geoutils.grading import grade
    from geoutils.requests import Cell
    from geoutils.stats.proportions import wilson

    rows = with_most_common(table[table["variant"] == 0]).to_dict("records")
    made: list[tuple[Any, ...]] = []
    for name in LEAK_BASELINES:
        for rep in REPRESENTATIONS:
            verdicts = []
            for row in (row for row in rows if row["representation"] == rep):
                cell = Cell(f"baseline/{name}", "direct", row["problem"], row["category"], 0, rep, 0, row)
                content = answer(name, cell, seed).content
                verdicts.append(grade(content, row["answer"], row["unit"] or None, "direct").verdict == "correct")
            if verdicts:
                low, high = wilson(sum(verdicts), len(verdicts))
                share = sum(verdicts) / len(verdicts)
                made.append((f"baseline/{name}", rep, sum(verdicts), len(verdicts), share, float(low), float(high)))
    return pd.DataFrame(made, columns=["model", "representation", "correct", "n", "share", "low", "high"])


def spread(table: pd.DataFrame, count: int) -> list[str]:
    """Ids of `count` problems spread over categories and difficulties, the same every time."""
    first = canonical(table)
    ranks = first.groupby(["category", "difficulty"], sort=False).cumcount()
    order = first.assign(rank=ranks).sort_values(["rank", "difficulty", "category"], kind="stable")
    return sorted(order["problem"].head(count), key=list(first["problem"]).index)


def card(rows: pd.DataFrame, drawing: Drawing | None = None) -> str:
    """One variant as HTML: its statements side by side, the figure, the answer and the worked solution."""
    first = rows.iloc[0]
    texts = dict(zip(rows["representation"], rows["statement"], strict=True))
    cells = "".join(
        f'<td style="vertical-align:top;text-align:left;width:24%"><b>{LABELS[rep]}</b><br>{escape(texts[rep], limit=4000)}</td>'
        for rep in REPRESENTATIONS
        if rep in texts
    )
    if drawing is not None:
        image = base64.b64encode(drawing.png(dpi=60)).decode("ascii")
        cells += f'<td><img alt="{escape(drawing.alt)}" src="data:image/png;base64,{image}"></td>'
    unit = "°" if first["unit"] == "degrees" and str(first["answer"]).replace("/", "").isdigit() else ""
    steps = "".join(f"<li>{escape(step, limit=2000)}</li>" for step in str(first["solution"]).splitlines())
    solution = f"<details><summary>worked solution</summary><ol>{steps}</ol></details>" if steps else ""
    title = f"{first['problem']} · {first['family']} · variant {first['variant']} ({first['kinds']})"
    return (
        f'<table><caption style="text-align:left"><b>{escape(title)}</b>: '
        f"{escape(first['answer'])}{unit} = {escape(first['value'])}</caption><tr>{cells}</tr></table>{solution}"
    )


def figure_card(made: Labelled | None) -> str:
    """A figure that stands for a statement, at the size it is sent, with the short text that goes with it."""
    if made is None:
        return "<p>A static problem has no figure.</p>"
    image = base64.b64encode(made.png()).decode("ascii")
    picture = f'<img style="width:24em;max-width:100%" alt="{escape(made.alt)}" src="data:image/png;base64,{image}">'
    variant = made.givens.variant
    title = f"{variant.problem.id} · variant {variant.number}"
    return (
        f'<table><caption style="text-align:left"><b>{escape(title)}</b></caption><tr><td>{picture}</td>'
        f'<td style="vertical-align:top;text-align:left;width:40%">{escape(made.text, limit=4000)}</td></tr></table>'
    )


def said_figures(table: pd.DataFrame) -> str:
    """How many figures an experiment asks, and how much of them is told in words."""
    asked = table[table["representation"] == "figure"]
    if asked.empty:
        return "This experiment asks no figures; `representations: [coord, euclid, vector, figure]` would."
    words = asked["statement"].str.split().str.len()
    return (
        f"{len(asked):,} figures of {asked['problem'].nunique()} problems are asked; the text beside a figure has {words.median():.0f} words "
        f"in the median and {words.max()} at most, most of it the question, its rounding and how to read the marks."
    )
