"""Where the letters of a figure go: near their points, clear of every stroke and letter.

Everything is in one plane with one unit (inches).  For each label a ring of places round
its point is tried; the place wins whose letter keeps clear of strokes, points and letters
already placed, and is not far away.  The most crowded point chooses first, and all choose
again once the others are known.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DIRECTIONS = 24
DISTANCES = (1.0, 1.2, 1.45, 1.8, 2.3)  # from the point to the letter's middle, in letter heights
ENOUGH = 1.25  # clearance beyond which nearness to the point counts for more
FAR = 2.0  # clearances are not told apart beyond this
PASSES = 3


@dataclass(frozen=True)
class Placement:
    """Middles of the letters, and the least room they have, in letter heights.

    `clearance` is the distance from a letter's middle, `gap` that from its box, to the
    nearest stroke, point or other letter.
    """

    places: dict[str, tuple[float, float]]
    clearance: float
    gap: float


def place(
    points: Mapping[str, tuple[float, float]],
    sizes: Mapping[str, tuple[float, float]],
    strokes: Array,
    dots: Array,
    *,
    height: float,
    frame: tuple[float, float, float, float],
) -> Placement:
    """Place a letter beside each point.

    Parameters
    ----------
    points : where the labelled points are
    sizes : width and height of each letter
    strokes : (n, 4) array of straight pieces x1, y1, x2, y2 to keep clear of
    dots : (n, 2) array of marked points to keep clear of
    height : the height of a letter, the unit of the result
    frame : x1, y1, x2, y2 that letters stay inside
    """
    if not points:
        return Placement({}, FAR, FAR)
    strokes = np.asarray(strokes, float).reshape(-1, 4)
    fixed = np.concatenate([strokes, np.tile(np.asarray(dots, float).reshape(-1, 2), 2)])
    turn = np.arange(DIRECTIONS) * (2 * math.pi / DIRECTIONS)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    offsets = np.concatenate([ring * (d * height) for d in DISTANCES])
    far = np.repeat(DISTANCES, DIRECTIONS)
    options, room, order = {}, {}, []
    for name, p in points.items():
        at = np.asarray(p) + offsets
        half = np.asarray(sizes[name]) / 2
        near = fixed[_to_segments_each(np.asarray(p, float), fixed) < (DISTANCES[-1] + FAR) * height + half.max()]
        centre = np.minimum(_to_segments(at, near) / height, FAR)
        gap = np.minimum(_box_to_segments(at, half, near) / height, FAR)
        outside = (
            (at[:, 0] - half[0] < frame[0]) | (at[:, 0] + half[0] > frame[2])
            | (at[:, 1] - half[1] < frame[1]) | (at[:, 1] + half[1] > frame[3])
        )  # fmt: skip
        options[name] = at
        room[name] = (centre, gap, outside)
        order.append((float(np.mean(centre)), name))
    chosen: dict[str, int] = {}
    for _ in range(PASSES):
        before = dict(chosen)
        for _, name in sorted(order):
            centre, gap, outside = room[name]
            others = [(options[k][i], sizes[k]) for k, i in chosen.items() if k != name]
            centre, gap = _with_letters(options[name], sizes[name], others, centre, gap, height)
            score = np.minimum(centre, ENOUGH) + 0.6 * np.minimum(gap, 0.5) - 0.35 * far
            score = score - 2.0 * (gap <= 0.05) - 5.0 * outside
            chosen[name] = int(np.argmax(np.round(score, 9)))
        if chosen == before:
            break
    clearance, least = FAR, FAR
    for name, i in chosen.items():
        centre, gap, _ = room[name]
        others = [(options[k][j], sizes[k]) for k, j in chosen.items() if k != name]
        c, g = _with_letters(options[name][i : i + 1], sizes[name], others, centre[i : i + 1], gap[i : i + 1], height)
        clearance, least = min(clearance, float(c[0])), min(least, float(g[0]))
    places = {name: (float(options[name][i][0]), float(options[name][i][1])) for name, i in chosen.items()}
    return Placement(places, clearance, least)


def _with_letters(
    at: Array, size: tuple[float, float], others: Sequence[tuple[Array, tuple[float, float]]],
    centre: Array, gap: Array, height: float,
) -> tuple[Array, Array]:  # fmt: skip
    """Clearances when letters already placed count as well."""
    for middle, other in others:
        apart = np.abs(at - middle)
        between = np.maximum(apart - np.asarray(other) / 2, 0.0)
        centre = np.minimum(centre, np.hypot(between[:, 0], between[:, 1]) / height)
        between = np.maximum(apart - (np.asarray(other) + np.asarray(size)) / 2, 0.0)
        gap = np.minimum(gap, np.hypot(between[:, 0], between[:, 1]) / height)
    return centre, gap


def _to_segments(at: Array, segments: Array) -> Array:
    """For each place the distance to the nearest segment."""
    if not len(segments):
        return np.full(len(at), np.inf)
    a, d = segments[:, :2], segments[:, 2:] - segments[:, :2]
    length2 = np.maximum((d * d).sum(axis=1), 1e-12)
    w = at[:, None, :] - a
    t = np.clip((w * d).sum(axis=2) / length2, 0.0, 1.0)
    rest = w - t[:, :, None] * d
    return np.sqrt((rest * rest).sum(axis=2).min(axis=1))


def _to_segments_each(p: Array, segments: Array) -> Array:
    """The distance of one place from each segment."""
    a, d = segments[:, :2], segments[:, 2:] - segments[:, :2]
    t = np.clip(((p - a) * d).sum(axis=1) / np.maximum((d * d).sum(axis=1), 1e-12), 0.0, 1.0)
    return np.asarray(np.linalg.norm(p - a - t[:, None] * d, axis=1))


def _box_to_segments(at: Array, half: Array, segments: Array) -> Array:
    """For each place the distance from the letter's box to the nearest segment, 0 where they meet."""
    if not len(segments):
        return np.full(len(at), np.inf)
    corners = [_to_segments(at + half * s, segments) for s in np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)])]
    ends = np.concatenate([segments[:, :2], segments[:, 2:]])
    out = np.maximum(np.abs(ends[None] - at[:, None]) - half, 0.0)
    nearest = np.minimum(np.min(corners, axis=0), np.sqrt((out * out).sum(axis=2).min(axis=1)))
    return np.where(_crosses(at, half, segments), 0.0, nearest)


def _crosses(at: Array, half: Array, segments: Array) -> Array:
    """Whether a segment passes through the box (clipping by slabs)."""
    a, d = segments[None, :, :2] - at[:, None], (segments[:, 2:] - segments[:, :2])[None]
    safe = np.where(np.abs(d) < 1e-12, 1e-12, d)
    first, second = (-half - a) / safe, (half - a) / safe
    enter = np.maximum(np.minimum(first, second).max(axis=2), 0.0)
    leave = np.minimum(np.maximum(first, second).min(axis=2), 1.0)
    return np.asarray((enter <= leave).any(axis=1))
