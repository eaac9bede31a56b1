"""What the index page of a study says, computed from results.json and the executed notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoutils.display import percent
from geoutils.experiment import REPRESENTATIONS, Experiment, shown

if TYPE_CHECKING:
    from geoutils.stages import Stage

IN_WORDS = {"coord": "coordinates", "euclid": "Euclidean text", "vector": "vectors"}
ALL_OF = {1: "the one", 2: "both", 3: "all three"}
FIRST_FIGURES = ("accuracy_by_representation", "accuracy_lines", "accuracy")
NOT_MEASURED = ("not_run", "api_error", "timeout", "malformed", "content_filter")
Record = Mapping[str, Any]


def kind_of(model: str) -> str:
    """`baseline`, `simulated`, or `model` for a real one."""
    prefix = model.split("/", 1)[0]
    return prefix if prefix in ("baseline", "simulated") else "model"


def _share(record: Record) -> float:
    return record["correct"] / record["n"] if record["n"] else float("nan")


def _interval(record: Record) -> str:
    low, high = record.get("low"), record.get("high")
    return f"{100 * low:.1f} to {percent(high)}" if low is not None and high is not None else ""


def model_rows(results: Record) -> list[dict[str, Any]]:
    """One row per model and strategy: accuracy by representation, invariance, consistency, cost, not measured."""
    accuracy = {(r["model"], r["strategy"], r["representation"]): r for r in results["accuracy"]}
    invariance = {(r["model"], r["strategy"]): r for r in results["invariance"]}
    cost = {r["model"]: r["usd"] for r in results["cost"]}
    asked: dict[tuple[str, str], list[int]] = {}
    for record in results["outcomes"]:
        counts = asked.setdefault((record["model"], record["strategy"]), [0, 0])
        counts[0] += record["count"]
        counts[1] += record["count"] if record["outcome"] in NOT_MEASURED else 0
    rows = []
    for model, strategy in dict.fromkeys((r["model"], r["strategy"]) for r in results["accuracy"]):
        own = [accuracy.get((model, strategy, representation)) for representation in REPRESENTATIONS]
        total, missing = asked.get((model, strategy), [0, 0])
        rows.append(
            {
                "model": model,
                "kind": kind_of(model),
                "strategy": strategy,
                "accuracy": [{"share": _share(r), "interval": _interval(r), "n": r["n"]} if r else None for r in own],
                "joint": invariance.get((model, strategy), {}),
                "cost": cost.get(model),
                "missing": missing / total if total else float("nan"),
            }
        )
    return rows


def outcome_rows(results: Record) -> tuple[list[str], list[dict[str, Any]]]:
    """The outcomes that occurred, and one row of counts per model and strategy."""
    names = list(dict.fromkeys(record["outcome"] for record in results["outcomes"]))
    names.sort(key=lambda name: (name != "ok", name))
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for record in results["outcomes"]:
        own = counts.setdefault((record["model"], record["strategy"]), dict.fromkeys(names, 0))
        own[record["outcome"]] += record["count"]
    return names, [
        {"model": model, "strategy": strategy, "counts": [own[name] for name in names], "total": sum(own.values())}
        for (model, strategy), own in counts.items()
    ]


def headline(rows: list[dict[str, Any]]) -> list[str]:
    """The result in a few sentences with intervals; first the real models, then what guessing reaches."""
    sentences = []
    real = [row for row in rows if row["kind"] == "model"]
    for row in real[:4]:
        parts = [
            f"{percent(cell['share'])} in {IN_WORDS[name]} ({cell['interval']})"
            for name, cell in zip(REPRESENTATIONS, row["accuracy"], strict=True)
            if cell
        ]
        if not parts:
            continue
        n = max(cell["n"] for cell in row["accuracy"] if cell)
        listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
        share = row["joint"].get("invariance")
        together = (
            f" It is right in {ALL_OF.get(row['joint']['k'], 'all')} for {percent(share)} of them."
            if share is not None
            else ""
        )
        sentences.append(f"{row['model']} (strategy {row['strategy']}) solves, of {n} problems, {listed}.{together}")
    if len(real) > 4:
        sentences.append(f"The table below has all {len(real)} combinations of model and strategy.")
    guesses = [row for row in rows if row["kind"] == "baseline" and row["model"] != "baseline/gold"]
    if guesses:
        best = max(guesses, key=_mean)
        sentences.append(
            f"Without any geometry, the best heuristic ({best['model']}) is right on {percent(_mean(best))} on average: "
            "a model near that has shown no geometry."
        )
    gold = [row for row in rows if row["model"] == "baseline/gold"]
    if gold and min(map(_mean, gold)) < 1:
        sentences.append(
            "Caution: baseline/gold, which answers with the truth, is not right everywhere; the grading is at fault."
        )
    return sentences


def robust_headline(results: Record) -> list[str]:
    """The result of variants in a sentence, of the best real model; empty where no real model was asked them."""
    real = [record for record in results.get("robustness", []) if kind_of(record["model"]) == "model"]
    if not real:
        return []
    best = max(real, key=lambda record: record["average"])
    shares = [
        f"{percent(best[name])} ({100 * best[f'{name}_low']:.1f} to {percent(best[f'{name}_high'])})"
        if best.get(f"{name}_low") is not None and best.get(f"{name}_high") is not None
        else percent(best[name])
        for name in ("average", "worst")
    ]
    how = {**IN_WORDS, "all": "all representations"}.get(best["representation"], best["representation"])
    return [
        f"Over fresh variants of {best['seeds']} problems, {best['model']} (strategy {best['strategy']}, {how}) is right on "
        f"{shares[0]} of all variants, and on every variant of {shares[1]} of the problems."
    ]


def _mean(row: Mapping[str, Any]) -> float:
    shares = [cell["share"] for cell in row["accuracy"] if cell]
    return sum(shares) / len(shares) if shares else 0.0


def first_figure(folder: Path) -> dict[str, str] | None:
    """The figure that the index shows, with its alt text."""
    from geoutils.report import png_description

    paths = [path for name in FIRST_FIGURES if (path := folder / "figures" / f"{name}.png").is_file()]
    if not paths:
        return None
    alt = png_description(paths[0])
    return {"file": f"figures/{paths[0].name}", "alt": alt or paths[0].stem.replace("_", " ")}


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
    rows = model_rows(results)
    outcomes, counts = outcome_rows(results)
    usd = [record["usd"] for record in results["cost"]]
    unknown = sum(value is None for value in usd)
    known = sum(value for value in usd if value is not None)
    path = shown(experiment.path) if experiment.path else f"{experiment.name}.yaml"
    files = {
        kind: sorted(item.name for item in (folder / kind).glob(pattern))
        for kind, pattern in (("tables", "*.csv"), ("figures", "*.png"))
    }
    return {
        "experiment": experiment,
        "path": path,
        "source": experiment.path.read_text(encoding="utf-8") if experiment.path else "",
        "results": results,
        "rows": rows,
        "headline": [*headline(rows), *robust_headline(results)],
        "outcomes": outcomes,
        "counts": counts,
        "figure": first_figure(folder),
        "cards": cards,
        "duration": duration(results["seconds"]),
        "cost": f"{known:.2f} US dollars" + (f", and unknown for {unknown} model(s)" if unknown else ""),
        "representations": [(name, IN_WORDS[name]) for name in REPRESENTATIONS],
        "files": files,
        "gallery": (folder / "gallery.html").is_file(),
        "embedded": any(row["model"].startswith("local/") for row in rows),
    }
