"""Relations of points in space: boxes, prisms, pyramids."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from geoutils.problems.polygons import convex, rectangle
from geoutils.problems.relations import Constraint, equal, right, triple, zero
from geoutils.problems.shapes import GeometryError, Point, minus, norm2


def tetrahedron(ops: Any, a: Point, b: Point, c: Point, d: Point) -> Constraint:
    """The four points are not in one plane."""
    t = triple(ops, minus(b, a), minus(c, a), minus(d, a))
    return Constraint([], [t * t if ops.exact else ops.abs(t)])


def regular_tetrahedron(ops: Any, a: Point, b: Point, c: Point, d: Point) -> Constraint:
    """All six distances of the four points are equal."""
    pairs = ((a, b), (a, c), (a, d), (b, c), (b, d), (c, d))
    first, *others = (norm2(ops, minus(q, p)) for p, q in pairs)
    return Constraint([equal(ops, k, first) for k in others]) + tetrahedron(ops, a, b, c, d)


def prism(ops: Any, *points: Point) -> Constraint:
    """A right prism: the base in order, then the top in the same order."""
    n = len(points) // 2
    if len(points) % 2 or n < 3:
        raise GeometryError("prism needs the base and then the top, in the same order")
    base, top = points[:n], points[n:]
    lift = minus(top[0], base[0])
    total = convex(ops, *base)
    for p, q in zip(base[1:], top[1:], strict=True):
        total = total + Constraint(zero(ops, minus(minus(q, p), lift), lift))
    total = total + right(ops, top[0], base[0], base[1]) + right(ops, top[0], base[0], base[-1])
    return total


def box(ops: Any, *points: Point) -> Constraint:
    """A rectangular box: the base in order, then the top above it."""
    if len(points) != 8:
        raise GeometryError("box needs eight points")
    return prism(ops, *points) + rectangle(ops, *points[:4])


def cube(ops: Any, *points: Point) -> Constraint:
    """A cube: the base in order, then the top above it."""
    edges = [norm2(ops, minus(points[i], points[0])) for i in (1, 3, 4)]
    same = [equal(ops, edges[0], k) for k in edges[1:]]
    return box(ops, *points) + Constraint(same)


def right_pyramid(ops: Any, s: Point, *base: Point) -> Constraint:
    """The apex S is equally far from all vertices of the base, and not in its plane."""
    first, *others = (norm2(ops, minus(p, s)) for p in base)
    total = convex(ops, *base) + Constraint([equal(ops, k, first) for k in others])
    t = triple(ops, minus(base[1], base[0]), minus(base[2], base[0]), minus(s, base[0]))
    return total + Constraint([], [t * t if ops.exact else ops.abs(t)])


SOLIDS: dict[str, Callable[..., Constraint]] = {
    f.__name__: f
    for f in (tetrahedron, regular_tetrahedron, prism, box, cube, right_pyramid)
}  # fmt: skip
