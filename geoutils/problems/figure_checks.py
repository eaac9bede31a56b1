"""Whether a labelled figure can be read, is to scale and says everything: measured on what was made."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from geoutils.exact import read_exact
from geoutils.problems.building import Variant
from geoutils.problems.figures import glyphs
from geoutils.problems.labelled import DPI, LINE, NUMBER, Labelled, label, strokes_apart
from geoutils.problems.labels import _box_to_segments, _crosses
from geoutils.problems.restating import missing

LEAST_PIXELS = 14  # height of a capital letter at the size sent


def findings(made: Labelled) -> Iterator[str]:
    """What is wrong with a labelled figure; nothing when it is readable, to scale and complete.

    Writing touches no stroke and no other writing and stays on the paper; a number is nearer to its own segment than to
    any other stroke; letters have LEAST_PIXELS; every length
    in the plane is drawn at one scale; every condition of the statement is seen, marked, written or told; each mark
    that is not drawn is written; there is alternative text.
    """
    width, height = made.made.size
    names = list(made.boxes)
    array = np.array([made.boxes[k] for k in names]).reshape(-1, 4)
    middles, halves = (array[:, :2] + array[:, 2:]) / 2, (array[:, 2:] - array[:, :2]) / 2
    for i, name in enumerate(names):
        if len(made.strokes) and _crosses(middles[i : i + 1], halves[i], made.strokes)[0]:
            yield f"{name} touches a line"
        for j in range(i):
            if (np.abs(middles[i] - middles[j]) < halves[i] + halves[j]).all():
                yield f"{name} and {names[j]} overlap"
        low = -height if name.startswith("line ") else 0.0
        if array[i, 0] < 0 or array[i, 2] > width or array[i, 3] > height or (array[i, 1] < low):
            yield f"{name} runs off the paper"
    for mark, at in made.beside:
        p, q = (np.array(made.made.places[k]) for k in mark.points[:2])
        half = np.array(glyphs(mark.text, NUMBER, "normal")[1]) / 2
        own = _box_to_segments(np.array([at]), half, np.array([[*p, *q]]))[0]
        others = strokes_apart(made.strokes, p, q)
        if len(others) and _box_to_segments(np.array([at]), half, others)[0] <= own:
            yield f"{''.join(mark.points[:2])} = {mark.text} stands nearer to another line"
    pixels = glyphs("H", min(made.font, NUMBER, LINE))[1][1] * DPI
    if pixels < LEAST_PIXELS:
        yield f"letters are {pixels:.0f} pixels high; at least {LEAST_PIXELS} are needed"
    yield from _scale(made)
    yield from (f"{mark.condition} is neither drawn nor written" for mark in made.unsaid)
    yield from (f"{c} is given neither in the figure nor in the text" for c in missing(made.givens))
    if not made.alt.strip():
        yield "there is no alternative text"


def faults(variant: Variant) -> list[str]:
    """The findings of a variant's figure, or why it cannot be drawn."""
    try:
        return list(findings(label(variant)))
    except (ValueError, ArithmeticError, LookupError, TypeError) as error:
        return [f"it cannot be drawn with its givens: {error}"]


def _scale(made: Labelled) -> Iterator[str]:
    """Lengths of the plane that are not drawn as their number says."""
    if made.made.solid:
        return
    scales = []
    for mark in made.givens.marks:
        if mark.kind in ("length", "height", "median"):
            a, b = (made.made.places[k] for k in mark.points[:2])
            scales.append((math.dist(a, b) / float(read_exact(mark.text)), mark))  # type: ignore[arg-type]
    for scale, mark in scales:
        if abs(scale / made.made.scale - 1) > 1e-6:
            yield f"{''.join(mark.points[:2])} = {mark.text} is not drawn to scale"
