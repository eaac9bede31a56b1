"""The result of a study in a few sentences with uncertainty, from the rows of its first page (plain text)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from geoutils.display import percent

IN_WORDS = {"coord": "coordinates", "euclid": "Euclidean text", "vector": "vectors", "figure": "figures"}
ALL_OF = {2: "both representations", 3: "all three representations", 4: "all four representations"}
SIMULATED = (
    "SIMULATED: no language model was asked here. Programs with a known ability answered, to show what a rich report looks "
    "like and to check the analysis; none of these numbers says anything about a real model."
)
ONLY_BASELINES = "No language model was asked here, only heuristics that know no geometry, and answers taken from the truth."
ALPHA = 0.05
QUESTION = "Does a language model understand geometry, or only one way of writing it down?"
CONCEPTS_QUESTION = "Does a solution that names the right concepts also reach the right answer?"
VARIANTS_QUESTION = "Does a right answer survive when the same problem comes with other numbers?"
Row = Mapping[str, Any]


def between(part: Mapping[str, Any]) -> str:
    """The limits of a share in percent, "" where there are none."""
    low, high = part.get("low"), part.get("high")
    return f"{100 * low:.1f} to {100 * high:.1f}" if low is not None and high is not None else ""


def with_limits(part: Mapping[str, Any]) -> str:
    """A share in percent with its limits in brackets."""
    limits = between(part)
    return percent(part["share"]) + (f" ({limits})" if limits else "")


def mean_accuracy(row: Row) -> float:
    """The mean of a row's accuracies over the representations that were asked."""
    shares = [cell["share"] for cell in row["accuracy"].values()]
    return sum(shares) / len(shares) if shares else 0.0


def _listed(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def _named(row: Row) -> str:
    return f"{row['model']} (strategy {row['strategy']})"


def caution(rows: Sequence[Row]) -> str:
    """What must be said before any number where no real model was asked; "" where one was, or nothing was scored."""
    kinds = {row["kind"] for row in rows}
    if not kinds or "model" in kinds:
        return ""
    return SIMULATED if "simulated" in kinds else ONLY_BASELINES


def headline(rows: Sequence[Row]) -> list[str]:
    """The result in sentences: what the representation does, what the best model solves, what guessing reaches.

    `rows` are of `geoutils.index.model_rows`. Real models are spoken of where there are any, else simulated ones
    (`caution` says so). The best is chosen among the rows with at least half of the problems of the widest row.
    """
    told = []
    group = [row for row in rows if row["kind"] == "model" and row["accuracy"]]
    group = group or [row for row in rows if row["kind"] == "simulated" and row["accuracy"]]
    if group:
        enough = [row for row in group if row["n"] * 2 >= max(other["n"] for other in group)]
        best = max(enough, key=mean_accuracy)
        told += _best(best, len(group))
        effect = _effect(group)
        told = [*effect, *told] if len(group) > 1 else [*told, *effect]
        told += _most_lost([row for row in enough if row is not best])
    guesses = [row for row in rows if row["kind"] == "baseline" and row["model"] != "baseline/gold" and row["accuracy"]]
    if guesses:
        best = max(guesses, key=mean_accuracy)
        ends = [[cell[end] for cell in best["accuracy"].values() if cell[end] is not None] for end in ("low", "high")]
        limits = f" (95 % intervals within {100 * min(ends[0]):.1f} to {100 * max(ends[1]):.1f})" if all(ends) else ""
        told.append(
            f"Without any geometry, the best heuristic ({best['model']}) is right on {percent(mean_accuracy(best))} of {best['n']} problems, "
            f"on average over the representations{limits}: a model near that has shown no geometry."
        )
    gold = [row for row in rows if row["model"] == "baseline/gold" and row["accuracy"]]
    if gold and min(map(mean_accuracy, gold)) < 1:
        told.append("Caution: baseline/gold, which answers with the truth, is not right everywhere; the grading is at fault.")
    return told


def _lost(row: Row) -> int:
    """Problems that a row solves in some representation and not in all."""
    return row["any"]["k"] - row["invariance"]["k"] if row["invariance"] else 0


def _most_lost(rows: Sequence[Row]) -> list[str]:
    """Where a solved problem depends most on how it is written down."""
    most = max(rows, key=_lost, default=None)
    if most is None or not _lost(most):
        return []
    return [
        f"The way of writing decides most for {_named(most)}: of {most['n']} problems it solves {with_limits(most['any'])} in at least one "
        f"representation, but {with_limits(most['invariance'])} in {ALL_OF.get(most['k'], 'all')}."
    ]


def _best(row: Row, of: int) -> list[str]:
    """What the best row of a group does in all representations, and in each."""
    chosen = f"The best of {of} combinations of model and strategy, {_named(row)}," if of > 1 else _named(row)
    parts = [f"{with_limits(cell)} in {IN_WORDS[name]}" for name, cell in row["accuracy"].items()]
    by = f"of {row['n']} problems {_listed(parts)}"
    whole, anywhere = row["invariance"], row["any"]
    if not whole:
        return [f"{chosen} solves {by} (95 % intervals in brackets)."]
    if not anywhere["k"]:
        limits = f" (95 % intervals up to {100 * max(cell['high'] or 0 for cell in row['accuracy'].values()):.1f} %)"
        return [f"{chosen} solves none of {row['n']} problems in any representation{limits}."]
    lost = _lost(row)
    first = (
        f"{chosen} solves {with_limits(whole)} of {row['n']} problems in {ALL_OF.get(row['k'], 'all')}, and "
        f"{with_limits(anywhere)} in at least one"
    )
    tail = f": for {lost} of them it depends on how the problem is written down." if lost else "."
    perfect = whole["share"] == 1
    return [f"{first}{tail}" + ("" if perfect else f" One representation at a time it solves {_listed(parts)}.") + " In brackets are 95 % intervals."]


def _effect(group: Sequence[Row]) -> list[str]:
    """Whether the differences between representations are more than chance explains, over a group of rows."""
    tested = [row for row in group if row["effect"].get("p_holm") is not None]
    if not tested:
        return []
    found = [row for row in tested if row["effect"]["p_holm"] <= ALPHA]
    if len(tested) == 1:
        p = _p(tested[0]["effect"]["p_holm"])
        if found:
            return [f"Its accuracies in the representations differ by more than chance explains (adjusted {p})."]
        return [f"That its accuracy depends on the representation is not shown (adjusted {p}); that is no proof that it does not."]
    if not found:
        least = min(row["effect"]["p_holm"] for row in tested)
        return [
            f"For none of the {len(tested)} combinations of model and strategy that could be tested is it shown that accuracy depends on "
            f"the representation (smallest adjusted {_p(least)}); that is no proof that it does not."
        ]
    most = max(found, key=lambda row: row["gap"]["share"])
    rest = len(tested) - len(found)
    return [
        f"For {len(found)} of {len(tested)} combinations of model and strategy, accuracy depends on the representation by more than chance "
        f"explains (adjusted p at most {ALPHA}); most for {_named(most)}, with {100 * most['gap']['share']:.1f} points between its "
        f"best and its worst representation{_points(most['gap'])}."
        + (f" For the other {rest} it is not shown, which is no proof that it does not." if rest else "")
    ]


def _points(gap: Mapping[str, Any]) -> str:
    low, high = gap.get("low"), gap.get("high")
    return f" ({100 * low:.1f} to {100 * high:.1f})" if low is not None and high is not None else ""


def robust_headline(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """The result of variants in a sentence, of the best real (else simulated) model; empty where only baselines were asked.

    `records` are those of results.json's `robustness`.
    """
    kinds: dict[str, list[Mapping[str, Any]]] = {}
    for record in records:
        kinds.setdefault(record["model"].split("/", 1)[0], []).append(record)
    real = [record for kind, own in kinds.items() if kind not in ("baseline", "simulated") for record in own]
    group = real or kinds.get("simulated", [])
    if not group:
        return []
    whole = [record for record in group if record["representation"] == "all"] or group
    best = max(whole, key=lambda record: record["average"])
    shares = [
        with_limits({"share": best[name], "low": best.get(f"{name}_low"), "high": best.get(f"{name}_high")})
        for name in ("average", "worst")
    ]
    name = best["representation"]
    how = "over all representations" if name == "all" else f"in {IN_WORDS.get(name, name)}"
    combinations = len({(record["model"], record["strategy"]) for record in whole})
    chosen = _named(best) + (f", the best of {combinations}" if combinations > 1 else "")
    rr = ""
    if best.get("rr") is not None:
        limits = f" ({best['rr_low']:.2f} to {best['rr_high']:.2f})" if best.get("rr_low") is not None else ""
        rr = f" Worst case by average case (RR) is {best['rr']:.2f}{limits}."
    return [
        f"Asked {best['variants']} variants each of {best['seeds']} problems, {chosen}, {how}, is right on {shares[0]} of all variants, "
        f"and on every variant of {shares[1]} of the problems.{rr} In brackets are 95 % intervals."
    ]


def concepts_headline(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """How concepts and accuracy go together, a sentence an extractor, from results.json's `concepts_correlation`."""
    levels = {"groups": "means of model and prompt", "items": "single solutions"}
    told: dict[str, list[str]] = {}
    for record in records:
        if record.get("r") is None or record["level"] not in levels:
            continue
        limits = f" ({record['low']:.2f} to {record['high']:.2f})" if record.get("low") is not None else ""
        part = f"over {record['n']:,} {levels[record['level']]} r = {record['r']:.2f}{limits}"
        told.setdefault(record["extractor"], []).append(part)
    return [
        f"Score of concepts against right answers, extractor {name}: {_listed(parts)} (Pearson's r with 95 % limits)."
        for name, parts in told.items()
    ]
