"""Areas with curved or clipped boundaries, over any kind of number.

Arcs need the angle's length on the unit circle: exact numbers have it for whole degrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from geoutils.problems.measures import angle, area
from geoutils.problems.shapes import (
    GeometryError,
    Number,
    Point,
    cross,
    dot,
    gap,
    minus,
    norm2,
    plus,
    sides,
    sign,
    times,
)


@dataclass(frozen=True)
class Polygon:
    """The polygon with the given vertices in order."""

    vertices: tuple[Point, ...]


def polygon(ops: Any, *points: Point) -> Polygon:
    """The polygon with the given vertices in order."""
    if len(points) < 3:
        raise GeometryError("a polygon needs at least three points")
    return Polygon(points)


def arc_length(ops: Any, o: Point, a: Point, b: Point) -> Number:
    """The shorter arc from A to B of the circle with centre O through A."""
    return gap(ops, o, a) * ops.rad(angle(ops, a, o, b))


def sector_area(ops: Any, o: Point, a: Point, b: Point) -> Number:
    """The sector with the angle AOB (at most a straight one) of the circle round O through A."""
    return norm2(ops, minus(a, o)) * ops.rad(angle(ops, a, o, b)) / 2


def segment_area(ops: Any, o: Point, a: Point, b: Point) -> Number:
    """The smaller part that the chord AB cuts off the disc round O."""
    return sector_area(ops, o, a, b) - area(ops, o, a, b)


def lens_area(ops: Any, o: Point, a: Point, q: Point, b: Point) -> Number:
    """The common part of the disc round O through A and the disc round Q through B."""
    r2, s2 = norm2(ops, minus(a, o)), norm2(ops, minus(b, q))
    d2 = norm2(ops, minus(q, o))
    root = 4 * r2 * d2 - (r2 + d2 - s2) * (r2 + d2 - s2)
    half = ops.sqrt(root) / 2  # twice the area of the triangle of centres and crossing point
    at_o = ops.angle((r2 + d2 - s2) / 2, half)
    at_q = ops.angle((s2 + d2 - r2) / 2, half)
    return r2 * ops.rad(at_o) + s2 * ops.rad(at_q) - half


def gap_area(ops: Any, a: Point, b: Point, c: Point) -> Number:
    """The region between three circles round A, B, C that touch one another from outside."""
    p, q, r = sides(ops, a, b, c)
    total: Any = area(ops, a, b, c)
    for t, corner in (
        ((q + r - p) / 2, angle(ops, b, a, c)),
        ((r + p - q) / 2, angle(ops, c, b, a)),
        ((p + q - r) / 2, angle(ops, a, c, b)),
    ):
        total = total - t * t * ops.rad(corner) / 2
    return total


def _clip(ops: Any, corners: Sequence[Point], inside: Any) -> list[Point]:
    """The part of a convex polygon where the affine function `inside` is not negative."""
    kept: list[Point] = []
    for p, q in zip(corners, [*corners[1:], *corners[:1]], strict=True):
        f, g = inside(p), inside(q)
        if sign(ops, f) >= 0:
            kept.append(p)
        if sign(ops, f) * sign(ops, g) < 0:
            kept.append(plus(p, times(f / (f - g), minus(q, p))))
    return kept


def _shoelace(ops: Any, corners: Sequence[Point]) -> Number:
    return area(ops, *corners) if len(corners) > 2 else ops.zero


def overlap_area(ops: Any, first: Polygon, second: Polygon) -> Number:
    """The common part of two convex polygons of the plane."""

    def scalar(ops: Any, *points: Point) -> Number:
        corners = list(points[: len(first.vertices)])
        fence = list(points[len(first.vertices) :])
        turn = sign(ops, cross(ops, minus(fence[1], fence[0]), minus(fence[2], fence[1])))
        for a, b in zip(fence, [*fence[1:], fence[0]], strict=True):
            corners = _clip(ops, corners, lambda p, a=a, b=b: turn * cross(ops, minus(b, a), minus(p, a)))
        return _shoelace(ops, corners)

    return _apply(ops, scalar, *first.vertices, *second.vertices)


def nearer_area(ops: Any, region: Polygon, p: Point, *others: Point) -> Number:
    """The part of a convex polygon that is nearer to P than to each of the other points."""
    count = len(region.vertices)

    def scalar(ops: Any, *points: Point) -> Number:
        corners, site = list(points[:count]), points[count]
        for q in points[count + 1 :]:
            d, m = minus(q, site), plus(q, site)
            corners = _clip(ops, corners, lambda x, d=d, m=m: dot(ops, d, minus(m, times(2, x))))
        return _shoelace(ops, corners)

    return _apply(ops, scalar, *region.vertices, p, *others)


def _apply(ops: Any, scalar: Any, *points: Point) -> Number:
    """Call a function that branches on signs: directly, or row by row of a batch."""
    if ops.exact or not hasattr(ops, "rowwise"):
        return scalar(ops, *points)
    return ops.rowwise(scalar, points)
