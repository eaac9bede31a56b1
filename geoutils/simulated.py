"""SIMULATED models: answerers with a known truth, to show a rich report and to hold the analysis to that truth.

No geometry is done. An item-response model decides whether a cell is right: the logit of the chance is ability +
effect of the representation + effect of the strategy - difficulty of the problem. The response is then written
in one of the many forms that models use, right or plausibly wrong. Everything follows from the names of the cell
by hashing, so the same cell always gets the same response.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from geoutils.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

PREFIX = "simulated/"
STEPS = {"easy": -1.0, "medium": 0.0, "hard": 1.0}
SPREAD = 1.2
WITHOUT_FORMAT = ("zeroshot", "fewshot", "cot")  # prompts that ask for a written solution: theirs names concepts
NO_ANSWER = (
    "",
    "I cannot determine the answer from the information given.",
    "I'm sorry, but I can't help with that.",
    "The figure is not shown, so no value can be given.",
    "Let us place the figure and look for the relation between its parts",
)
CONVERSIONS = (
    "In the triangle the lengths of the sides and the angle between them are as given.",
    "The points are joined by segments of the given lengths.",
)


@dataclass(frozen=True)
class Profile:
    """The truth about one simulated model, on the logit scale.

    ``effects`` by representation; ``strategies`` what a strategy adds; ``evens`` the share of the representation
    effects that the convert strategy takes away; ``noise`` the share of chance (0..1) that is drawn anew in each
    repeat; ``silent`` the share of responses without an answer; ``stubborn`` how often a wrong answer is the same
    in all representations.
    """

    ability: float
    effects: Mapping[str, float] = field(default_factory=dict)
    strategies: Mapping[str, float] = field(default_factory=dict)
    evens: float = 0.0
    noise: float = 0.3
    silent: float = 0.0
    stubborn: float = 0.3


THINKING = {"reason": 0.8, "convert": 0.5, "cot": 0.8, "fewshot": 0.2}
PROFILES: dict[str, Profile] = {
    "steady": Profile(0.8, {}, THINKING),
    "coordinate-minded": Profile(0.6, {"coord": 0.8, "vector": -1.0}, THINKING, evens=0.7),
    "euclid-minded": Profile(0.2, {"euclid": 1.0}, THINKING),
    "strong": Profile(2.6, {"vector": -0.5}, THINKING, noise=0.1),
    "weak": Profile(-1.6, {}, THINKING, stubborn=0.6),
    "noisy": Profile(0.4, {}, THINKING, noise=1.0, stubborn=0.0),
    "mumbling": Profile(0.6, {"vector": -0.4}, THINKING, silent=0.15),
    "perfect": Profile(40.0, {}, {}, noise=0.0),
}
"""Known truths: ``steady``, ``weak``, ``noisy`` and ``perfect`` have no effect of the representation at all."""


def _hash(*parts: Any) -> int:
    text = json.dumps([str(part) for part in parts])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def _uniform(*parts: Any) -> float:
    """A number strictly between 0 and 1 that the parts determine."""
    return (_hash(*parts) + 0.5) / 2**64


def _normal(*parts: Any) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(min(max(_uniform(*parts), 1e-12), 1 - 1e-12))


def profile(model: str) -> Profile:
    """The truth about ``simulated/<name>`` (or just the name); UserError for an unknown one."""
    name = model.removeprefix(PREFIX)
    if name not in PROFILES:
        raise UserError(
            f"model {PREFIX}{name} is unknown; the simulated models are {', '.join(PREFIX + known for known in PROFILES)}"
        )
    return PROFILES[name]


def difficulty(problem: str, level: str = "") -> float:
    """Difficulty of a problem on the logit scale: its level (easy -1, medium 0, hard 1) and a part of its own."""
    return STEPS.get(level or next((part for part in problem.split("_") if part in STEPS), ""), 0.0) + SPREAD * _normal(
        "problem", problem
    )


def chance(model: str, row: Mapping[str, Any]) -> float:
    """The true chance that the model answers this cell correctly: known ability, representation and difficulty."""
    p = profile(model)
    strategy = str(row.get("strategy", "direct"))
    effect = p.effects.get(str(row["representation"]), 0.0) * (1 - p.evens if strategy == "convert" else 1.0)
    logit = (
        p.ability
        + effect
        + p.strategies.get(strategy, 0.0)
        - difficulty(str(row["problem"]), str(row.get("difficulty", "")))
    )
    return (1 - p.silent) / (1 + math.exp(-logit))


def _cell(model: str, row: Mapping[str, Any]) -> tuple[Any, ...]:
    return (
        model.removeprefix(PREFIX),
        row.get("strategy", "direct"),
        row["problem"],
        int(row.get("variant", 0)),
        row["representation"],
    )


def is_right(model: str, row: Mapping[str, Any]) -> bool:
    """Whether this cell is right: the same chance in each repeat, with as much new luck as ``noise`` says."""
    from statistics import NormalDist

    p, cell = profile(model), _cell(model, row)
    luck = math.sqrt(1 - p.noise) * _normal("lasting", *cell) + math.sqrt(p.noise) * _normal(
        "run", row.get("repeat", 0), *cell
    )
    return NormalDist().cdf(luck) < chance(model, row) / (1 - p.silent)


def wrong_value(row: Mapping[str, Any], draw: int) -> str:
    """A plausible wrong answer as a decimal: a slip away from the gold, and never equal to it in three figures."""
    gold = float(row["value"]) if row.get("value") not in (None, "") else 2.0
    size = abs(gold) or 1.0
    slips = [
        2 * gold,
        gold / 2,
        gold * math.sqrt(2),
        gold / math.sqrt(3),
        gold + 1,
        gold * gold,
        size**0.5,
        gold * 4 / 3,
        1 / size,
    ]
    if row.get("unit") == "degrees":
        slips = [90 - gold, 180 - gold, gold / 2, 2 * gold, gold + 15, 60.0, 45.0, 30.0]
    kept = [s for s in slips if 0.01 < s < 1e6 and abs(s - gold) > 0.02 * size + 0.01] or [gold + 3]
    value = round(kept[draw % len(kept)], 3)
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _written(answer: str, unit: str, draw: int, strategy: str, row: Mapping[str, Any]) -> str:
    from geoutils.written import written_forms

    forms = written_forms(answer, unit or None)
    if strategy == "convert" and draw % 10:  # one in ten ignores the format
        given = (
            row.get("statement", "")
            if draw % 4 == 0 or row["representation"] == "euclid"
            else CONVERSIONS[draw % len(CONVERSIONS)]
        )
        content = {
            "euclidean_conversion": given,
            "reasoning": "The relation between the parts gives the value.",
            "numeric_answer": forms[0],
        }
        text = json.dumps(content, ensure_ascii=False, indent=1 if draw % 3 else None)
        return f"```json\n{text}\n```" if draw % 2 else text
    if strategy in ("reason", "cot", "convert"):
        return f"The parts of the figure are related as given.\nFrom this the value follows.\n\nAnswer: {forms[0]}"
    return forms[draw % len(forms)]


def answer(model: str, row: Mapping[str, Any]) -> str:
    """The response of a simulated model to one cell.

    ``row`` is a row of the problems table with ``strategy`` and ``repeat``. The same row gives the same text.
    Raises :class:`UserError` for an unknown model or a gold that cannot be read.
    """
    p, cell = profile(model), _cell(model, row)
    repeat, strategy = row.get("repeat", 0), str(row.get("strategy", "direct"))
    if _uniform("silent", repeat, *cell) < p.silent:
        return NO_ANSWER[_hash("how silent", repeat, *cell) % len(NO_ANSWER)]
    gold, unit = str(row["answer"]), str(row.get("unit") or "")
    right = is_right(model, row)
    if not right:
        same = _uniform("stubborn", *cell[:4]) < p.stubborn
        gold = wrong_value(row, _hash("slip", *(cell[:4] if same else (repeat, *cell))))
    try:
        if strategy in WITHOUT_FORMAT and row.get("concepts"):
            from geoutils.concepts_simulated import solution
            from geoutils.written import written_forms

            return solution(p.ability, right, row, written_forms(gold, unit or None)[0], lambda *names: _uniform(*names, repeat, *cell))
        return _written(gold, unit, _hash("form", repeat, *cell), strategy, row)
    except ValueError as error:
        raise UserError(
            f"problem {row['problem']}, variant {row.get('variant', 0)}: the gold cannot be read: {error}"
        ) from None


def truth(model: str, problems: pd.DataFrame, *, strategy: str = "direct") -> dict[str, float]:
    """What the analysis should find, in expectation over luck, on these problems (variant 0).

    Accuracy by representation, ``Invariance`` and ``Any`` over the representations present (luck is independent
    between representations given the problem), and the signed differences as ``first-second``.
    """
    import numpy as np

    canonical = problems[problems["variant"].astype(int) == 0] if "variant" in problems.columns else problems
    table = canonical.assign(strategy=strategy)
    table["chance"] = [chance(model, row) for row in table.to_dict("records")]
    wide = table.pivot(index="problem", columns="representation", values="chance")
    found = {r: float(wide[r].mean()) for r in wide.columns}
    cells = wide.to_numpy()
    names = list(wide.columns)
    pairs = {f"{a}-{b}": found[a] - found[b] for i, a in enumerate(names) for b in names[i + 1 :]}
    return (
        found
        | pairs
        | {"Invariance": float(np.prod(cells, axis=1).mean()), "Any": float(1 - np.prod(1 - cells, axis=1).mean())}
    )
