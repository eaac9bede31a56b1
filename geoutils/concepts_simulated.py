"""SIMULATED solutions that name concepts, with a known truth: a better answerer names more of the right concepts.

A right answer itself adds only a little. So over groups of model and prompt score and accuracy go together, and over
single solutions hardly: the two levels that notebook 11 tells apart.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any

NAMED, STRENGTH, RIGHT = 0.35, 0.35, 0.08  # chance that an own concept is named: base, of the best ability, of a right answer
STRAY, CALM = 0.5, 0.4  # chance that each of the stray concepts is named, and how much of it the best ability takes away
STRAYS = 4
SENTENCES = ("Here we use the {}.", "The {} gives the next step.", "By the {}, the value follows.", "Consider the {} first.")


@functools.cache
def _tags() -> tuple[str, ...]:
    from geoutils.dataset import concepts

    return tuple(concepts())


def solution(ability: float, right: bool, row: Mapping[str, Any], answer: str, draw: Callable[..., float]) -> str:
    """A solution that names concepts and ends with the answer.

    `ability` is on the logit scale, `row` has the problem's `concepts`, `draw(*names)` gives a number in 0..1 that the names fix.
    """
    strength = 1 / (1 + math.exp(-min(ability, 20.0)))
    own = [tag.strip() for tag in str(row.get("concepts", "")).split(";") if tag.strip()]
    named = [tag for tag in own if draw("own concept", tag) < NAMED + STRENGTH * strength + RIGHT * right]
    known = _tags()
    for place in range(STRAYS):
        stray = known[int(draw("which stray", place) * len(known))]
        if stray not in own and draw("stray", place) < STRAY - CALM * strength:
            named.append(stray)
    lines = [SENTENCES[place % len(SENTENCES)].format(tag) for place, tag in enumerate(dict.fromkeys(named))]
    return "\n".join([*lines, f"Final answer: {answer}"])
