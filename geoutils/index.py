"""What the index page of a study says, computed from results.json, the tables and the executed notebooks."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.experiment import KNOWN_REPRESENTATIONS, REPRESENTATIONS, Experiment, shown
from geoutils.headline import (
    CONCEPTS_QUESTION,
    IN_WORDS,
    QUESTION,
    VARIANTS_QUESTION,
    between,
    caution,
    concepts_headline,
    headline,
    robust_headline,
)

if TYPE_CHECKING:
    from geoutils.stages import Stage

FIRST_FIGURES = ("accuracy_by_representation", "robustness_average_and_worst", "stats", "accuracy")
FIRST_FIGURE = "first_page"
MOST_ROWS = 14  # of the figure of the first page
NOT_MEASURED = ("not_run", "api_error", "timeout", "malformed", "content_filter")
KIND_ORDER = {"model": 0, "simulated": 1, "baseline": 2}
Record = Mapping[str, Any]


def kind_of(model: str) -> str:
    """`baseline`, `simulated`, or `model` for a real one."""
    prefix = model.split("/", 1)[0]
    return prefix if prefix in ("baseline", "simulated") else "model"


def representations_of(results: Record) -> list[str]:
    """The representations that were asked, in their fixed order; the usual three where there is none."""
    there = {record["representation"] for record in results["accuracy"] if record["n"]}
    return [name for name in KNOWN_REPRESENTATIONS if name in there] or list(REPRESENTATIONS)


def _cell(record: Record) -> dict[str, Any]:
    value = record["correct"] / record["n"] if record["n"] else float("nan")
    cell = {"share": value, "k": record["correct"], "n": record["n"], "low": record.get("low"), "high": record.get("high")}
    return cell | {"limits": between(cell)}


def _joint(record: Record, name: str) -> dict[str, Any] | None:
    """A share of problems with its limits; the count follows from the share."""
    from geoutils.stats.proportions import share

    value, n = record.get(name), record.get("n")
    if value is None or not n:
        return None
    part = share(round(value * n), n)
    cell = {"share": value, "k": part.k, "n": n, "low": part.low, "high": part.high}
    return cell | {"limits": between(cell)}


def _limited(record: Record, name: str) -> dict[str, Any]:
    """A share of a record of results.json's robustness, with its limits."""
    cell = {"share": record[name], "low": record.get(f"{name}_low"), "high": record.get(f"{name}_high"), "n": record["seeds"]}
    return cell | {"limits": between(cell)}


def effects_in(folder: Path) -> dict[tuple[str, str], dict[str, float | None]]:
    """Limits of the gap and the adjusted p of each model and strategy, as notebook 05 left them; empty without it."""
    try:
        with (folder / "tables" / "representation_effect.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error):
        return {}
    return {
        (row["model"], row["strategy"]): {name: _float(row.get(name)) for name in ("gap_low", "gap_high", "p_holm")}
        for row in rows
        if {"model", "strategy"} <= row.keys()
    }


def _float(text: str | None) -> float | None:
    try:
        value = float(text or "nan")
    except ValueError:
        return None
    return None if math.isnan(value) else value


def model_rows(results: Record, effects: Mapping[tuple[str, str], Mapping[str, Any]] | None = None) -> list[dict[str, Any]]:
    """One row per model and strategy, real models first: shares with limits and n, robustness, cost, not measured.

    `effects` adds the limits of the gap and the p of the representation (`effects_in`).
    """
    accuracy = {(r["model"], r["strategy"], r["representation"]): r for r in results["accuracy"] if r["n"]}
    joint: dict[tuple[str, str], Record] = {}
    for record in results["invariance"]:  # with figures there is a record of three and one of four: three come first
        joint.setdefault((record["model"], record["strategy"]), record)
    robust: dict[tuple[str, str], Record] = {}
    for record in results.get("robustness", []):  # all representations together come first, where there are several
        robust.setdefault((record["model"], record["strategy"]), record)
    cost = {r["model"]: r["usd"] for r in results["cost"]}
    asked: dict[tuple[str, str], list[int]] = {}
    for record in results["outcomes"]:
        counts = asked.setdefault((record["model"], record["strategy"]), [0, 0])
        counts[0] += record["count"]
        counts[1] += record["count"] if record["outcome"] in NOT_MEASURED else 0
    rows = []
    pairs = [(r["model"], r["strategy"]) for name in ("accuracy", "robustness") for r in results.get(name, [])]
    for key in dict.fromkeys(pairs):
        own = {name: _cell(accuracy[(*key, name)]) for name in representations_of(results) if (*key, name) in accuracy}
        total, missing = asked.get(key, [0, 0])
        record, effect = joint.get(key, {}), (effects or {}).get(key, {})
        gap = record.get("gap")
        rows.append(
            {
                "model": key[0],
                "kind": kind_of(key[0]),
                "strategy": key[1],
                "n": max((cell["n"] for cell in own.values()), default=0),
                "accuracy": own,
                "k": record.get("k", len(REPRESENTATIONS)),
                "invariance": _joint(record, "invariance"),
                "consistency": _joint(record, "consistency"),
                "any": _joint(record, "any"),
                "gap": None if gap is None else {"share": gap, "low": effect.get("gap_low"), "high": effect.get("gap_high")},
                "effect": effect,
                "robust": robust.get(key),
                "variants": {name: _limited(robust[key], name) for name in ("average", "worst")} if key in robust else None,
                "cost": cost.get(key[0]),
                "missing": missing,
                "planned": total,
            }
        )
    return sorted(rows, key=lambda row: KIND_ORDER[row["kind"]])


def outcome_rows(results: Record) -> tuple[list[str], list[dict[str, Any]]]:
    """The outcomes that occurred, and one row of counts per model and strategy."""
    names = list(dict.fromkeys(record["outcome"] for record in results["outcomes"]))
    names.sort(key=lambda name: (name != "ok", name))
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for record in results["outcomes"]:
        own = counts.setdefault((record["model"], record["strategy"]), dict.fromkeys(names, 0))
        own[record["outcome"]] += record["count"]
    return names, [
        {"model": model, "kind": kind_of(model), "strategy": strategy, "counts": [own[name] for name in names], "total": sum(own.values())}
        for (model, strategy), own in counts.items()
    ]


def first_figure(folder: Path) -> dict[str, str] | None:
    """The figure that the index shows, with its alt text; any other where none of the usual ones is there.

    Where the study has many models and strategies it is drawn anew with fewer rows.
    """
    from geoutils.report import png_description

    usual = [folder / "figures" / f"{name}.png" for name in FIRST_FIGURES]
    paths = [path for path in (*usual, *sorted((folder / "figures").glob("*.png"))) if path.is_file()]
    if not paths:
        return None
    if paths[0] == usual[0] and (short := _short_figure(folder)):
        return short
    alt = png_description(paths[0])
    return {"file": f"figures/{paths[0].name}", "alt": alt or paths[0].stem.replace("_", " ")}


def _short_figure(folder: Path) -> dict[str, str] | None:
    """Accuracy by representation for one strategy and at most MOST_ROWS rows; None where the whole figure is short enough."""
    import pandas as pd

    from geoutils.plot_style import ordered
    from geoutils.plots import accuracy_dumbbells
    from geoutils.study import write_figure

    try:
        table = pd.read_csv(folder / "tables" / "accuracy_by_representation.csv")
        means = table.groupby(["model", "strategy", "kind"], as_index=False, sort=False).agg(n=("n", "max"), accuracy=("accuracy", "mean"))
    except (OSError, ValueError, KeyError):
        return None
    if len(means) <= MOST_ROWS:
        return None
    counts = means.groupby("strategy", sort=False).agg(n=("n", "max"), models=("model", "size"))
    strategy = max(counts.index, key=lambda name: tuple(counts.loc[name]))  # the first of equals
    rows = ordered(means[means["strategy"] == strategy], "accuracy").head(MOST_ROWS)
    made = accuracy_dumbbells(table[(table["strategy"] == strategy) & table["model"].isin(rows["model"])])
    alt = f"{made.alt} These are {len(rows)} of {len(means)} combinations, all with the strategy {strategy}; 08_plots shows all."
    write_figure(made.figure, folder / "figures" / f"{FIRST_FIGURE}.png", alt=alt)
    return {"file": f"figures/{FIRST_FIGURE}.png", "alt": alt}


def comparisons_of(folder: Path, name: str) -> list[dict[str, str]]:
    """The comparisons beside a report in which it is one of the two: link, names and first sentence."""
    found = []
    for path in sorted((folder.parent / "comparisons").glob("*/comparison.json")):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            about = {key: str(record[key]) for key in ("before", "after", "said")}
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if name in (about["before"], about["after"]) and (path.parent / "index.html").is_file():
            found.append(about | {"link": f"../comparisons/{path.parent.name}/index.html"})
    return found


def duration(seconds: float) -> str:
    """A duration in words: 42 s, 3 min 5 s, 2 h 10 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def index_context(experiment: Experiment, results: Record, stages: Iterable[Stage], folder: Path) -> dict[str, Any]:
    """All that the template of the index page names."""
    from geoutils.report import question_of, read_notebook

    cards = []
    for stage in sorted(stages, key=lambda item: item.stem):
        if (folder / f"{stage.stem}.html").is_file():
            question, about = question_of(read_notebook(stage.notebook))
            cards.append({"stem": stage.stem, "question": question, "about": about})
    rows = model_rows(results, effects_in(folder))
    outcomes, counts = outcome_rows(results)
    usd = [record["usd"] for record in results["cost"]]
    unknown = sum(value is None for value in usd)
    known = sum(value for value in usd if value is not None)
    path = shown(experiment.path) if experiment.path else f"{experiment.name}.yaml"
    files = {
        kind: sorted(item.name for item in (folder / kind).glob(pattern))
        for kind, pattern in (("tables", "*.csv"), ("figures", "*.png"))
    }
    several = len({record["representation"] for record in results["accuracy"] if record["n"]}) > 1
    question, sentences = QUESTION, [*headline(rows), *robust_headline(results.get("robustness", []))]
    if not several and results.get("robustness"):
        question, sentences = VARIANTS_QUESTION, sentences[::-1]
    elif not several and results.get("concepts_correlation"):
        question, sentences = CONCEPTS_QUESTION, [*concepts_headline(results["concepts_correlation"]), *sentences]
    return {
        "question": question,
        "several": several,
        "experiment": experiment,
        "path": path,
        "source": experiment.path.read_text(encoding="utf-8") if experiment.path else "",
        "results": results,
        "rows": rows,
        "caution": caution(rows),
        "headline": sentences,
        "outcomes": outcomes,
        "counts": counts,
        "figure": first_figure(folder),
        "cards": cards,
        "started": f"{results['started'][:16].replace('T', ' ')} UTC",
        "duration": duration(results["seconds"]),
        "cost": f"{known:.2f} US dollars" + (f", and unknown for {unknown} model(s)" if unknown else ""),
        "representations": [(name, IN_WORDS[name]) for name in representations_of(results)],
        "files": files,
        "dictionary": (folder / "dictionary.html").is_file(),
        "gallery": (folder / "gallery.html").is_file(),
        "comparisons": comparisons_of(folder, experiment.name),
        "embedded": any(row["model"].startswith("local/") for row in rows),
    }
