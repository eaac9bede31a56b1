"""Relations of polygons, circles and conics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from geoutils.problems.relations import (
    Constraint,
    cosine,
    equal,
    right,
    share,
    sine,
    triangle,
    triple,
    zero,
)
from geoutils.problems.shapes import (
    Ellipse,
    GeometryError,
    Number,
    Point,
    Vector,
    cross,
    dot,
    minus,
    newell,
    norm,
    norm2,
    plus,
    sign,
    times,
)


def _edges(points: Sequence[Point]) -> list[Vector]:
    return [minus(q, p) for p, q in zip(points, [*points[1:], points[0]], strict=True)]


def _turns(ops: Any, points: Sequence[Point]) -> list[Number]:
    """For each corner how sharply the polygon turns, positive when all turn one way."""
    edges = _edges(points)
    after = [*edges[1:], edges[0]]
    if len(points[0]) == 2:
        sines = [sine(ops, e, f)[0] for e, f in zip(edges, after, strict=True)]
        total: Any = ops.zero
        for p, q in pairwise(points[1:]):
            total = total + cross(ops, minus(p, points[0]), minus(q, points[0]))
        way = sign(ops, total)
        return [way * s for s in sines]
    normal = newell(ops, *points)
    return [triple(ops, e, f, normal) for e, f in zip(edges, after, strict=True)]


def _planar(ops: Any, points: Sequence[Point]) -> list[Number]:
    """The equations that put points of space into the plane of the first three."""
    if len(points[0]) == 2:
        return []
    u, v = minus(points[1], points[0]), minus(points[2], points[0])
    return [triple(ops, u, v, minus(p, points[0])) for p in points[3:]]


def coplanar(ops: Any, *points: Point) -> Constraint:
    """The points lie in one plane."""
    return Constraint(_planar(ops, points))


def convex(ops: Any, *points: Point) -> Constraint:
    """The points are the vertices of a convex polygon, in this order."""
    margins = _turns(ops, points)
    if len(points) > 4:  # a star turns one way too: look from the first vertex as well
        spokes = [minus(p, points[0]) for p in points[1:]]
        normal = newell(ops, *points) if len(points[0]) == 3 else None
        way = _turn_sign(ops, points) if normal is None else 1
        for u, v in pairwise(spokes):
            turn = sine(ops, u, v)[0] if normal is None else triple(ops, u, v, normal)
            margins.append(way * turn)
    return Constraint(_planar(ops, points), margins)


def _turn_sign(ops: Any, points: Sequence[Point]) -> Any:
    total: Any = ops.zero
    for p, q in pairwise(points[1:]):
        total = total + cross(ops, minus(p, points[0]), minus(q, points[0]))
    return sign(ops, total)


def parallelogram(ops: Any, a: Point, b: Point, c: Point, d: Point) -> Constraint:
    """ABCD is a parallelogram."""
    closing = minus(plus(a, c), plus(b, d))
    return Constraint(zero(ops, closing, minus(c, a))) + triangle(ops, a, b, c)


def rectangle(ops: Any, a: Point, b: Point, c: Point, d: Point) -> Constraint:
    """ABCD is a rectangle."""
    return parallelogram(ops, a, b, c, d) + right(ops, a, b, c)


def rhombus(ops: Any, a: Point, b: Point, c: Point, d: Point) -> Constraint:
    """ABCD is a rhombus."""
    same = equal(ops, norm2(ops, minus(b, a)), norm2(ops, minus(c, b)))
    return parallelogram(ops, a, b, c, d) + Constraint([same])


def square(ops: Any, a: Point, b: Point, c: Point, d: Point) -> Constraint:
    """ABCD is a square."""
    return rhombus(ops, a, b, c, d) + right(ops, a, b, c)


def trapezoid(ops: Any, a: Point, b: Point, c: Point, d: Point) -> Constraint:
    """ABCD is a convex quadrilateral with AB parallel to CD."""
    sides = Constraint(sine(ops, minus(b, a), minus(d, c)))
    margins = Constraint([], convex(ops, a, b, c, d).margins)
    return sides + margins


def regular(ops: Any, *points: Point) -> Constraint:
    """The points are the vertices of a regular polygon, in this order, in either sense."""
    n = len(points)
    step = ops.degrees(Fraction(360, n))
    c, s = ops.cos(step), ops.sin(step)
    edges = _edges(points)
    equations: list[Any] = []
    if len(points[0]) == 2:
        way = _turn_sign(ops, points)
        for (x, y), after in pairwise(edges[: n - 1]):
            expected = (c * x - way * s * y, way * s * x + c * y)
            equations += zero(ops, minus(after, expected), edges[0])
        return Constraint(equations) + triangle(ops, *points[:3])
    first, second = edges[0], edges[1]
    equations.append(equal(ops, norm2(ops, first), norm2(ops, second)))
    if ops.exact:
        equations.append(dot(ops, first, second) - c * norm2(ops, first))
    else:
        equations.append(cosine(ops, first, second) - c)
    for i in range(n - 3):  # e(i+2) = 2 cos e(i+1) - e(i)
        gap = plus(minus(edges[i + 2], times(2 * c, edges[i + 1])), edges[i])
        equations += zero(ops, gap, first)
    return Constraint(equations) + triangle(ops, *points[:3])


def inside(ops: Any, p: Point, *points: Point) -> Constraint:
    """P lies inside the convex polygon (in space: its plane is not asked for)."""
    return Constraint([], _inner(ops, p, points))


def outside(ops: Any, p: Point, *points: Point) -> Constraint:
    """P lies outside the convex polygon."""
    return Constraint([], [ops.max(*(-k for k in _inner(ops, p, points)))])


def _inner(ops: Any, p: Point, points: Sequence[Point]) -> list[Number]:
    margins: list[Any] = []
    flat = len(p) == 2
    way = _turn_sign(ops, points) if flat else 1
    normal = () if flat else newell(ops, *points)
    for corner, edge in zip(points, _edges(points), strict=True):
        c = cross(ops, edge, minus(p, corner))
        if flat:
            margins += [way * k for k in share(ops, c, norm2(ops, edge))]
        elif ops.exact:
            margins.append(dot(ops, c, normal))
        else:
            margins.append(dot(ops, c, normal) / (norm(ops, normal) * norm2(ops, edge)))
    return margins


def cyclic(ops: Any, a: Point, b: Point, c: Point, *others: Point) -> Constraint:
    """All the points lie on one circle."""
    total = triangle(ops, a, b, c) + Constraint(_planar(ops, (a, b, c, *others)))
    for d in others:
        equations = sine(ops, _concyclic(ops, a, b, c), _concyclic(ops, a, b, d))
        total = total + Constraint(equations)
    return total


def _concyclic(ops: Any, a: Point, b: Point, c: Point) -> Vector:
    """The directed angle ACB, whose double tells the circle, as a vector (cos, sin)."""
    u, v = minus(a, c), minus(b, c)
    if len(u) == 2:
        return (dot(ops, u, v), cross(ops, u, v))
    raise GeometryError("cyclic needs points in the plane")


def _sense(ops: Any, points: Sequence[Point]) -> Constraint:
    total: Any = ops.zero
    for p, q in pairwise(points[1:]):
        total = total + cross(ops, minus(p, points[0]), minus(q, points[0]))
    squares = [norm2(ops, e) for e in _edges(points)]
    return Constraint([], [3 * k for k in share(ops, total, *squares)])


def ccw(ops: Any, *points: Point) -> Constraint:
    """The vertices turn anticlockwise."""
    return _sense(ops, points)


def cw(ops: Any, *points: Point) -> Constraint:
    """The vertices turn clockwise."""
    return Constraint([], [-m for m in _sense(ops, points).margins])


def same_sense(ops: Any, *points: Point) -> Constraint:
    """A to B to C turns the same way as D to E to F."""
    if len(points) != 6:
        raise GeometryError("same_sense needs six points")
    first = _sense(ops, points[:3]).margins[0]
    second = _sense(ops, points[3:]).margins[0]
    if ops.exact:
        return Constraint([], [first * second])
    return Constraint([], [first * second / (ops.abs(first) + ops.abs(second) + 1e-3)])


def foci(ops: Any, f: Point, g: Point, curve: Ellipse) -> Constraint:
    """F and G are the two foci, in either order."""
    d, e = minus(g, f), minus(curve.focus2, curve.focus1)
    gap = minus(plus(f, g), plus(curve.focus1, curve.focus2))
    pairs = [(0, 0), (0, 1), (1, 1)] if len(d) == 2 else []
    if not pairs:
        raise GeometryError("foci needs points in the plane")
    major = curve.major
    tensor = [d[i] * d[j] - e[i] * e[j] for i, j in pairs]
    if ops.exact:
        return Constraint([*gap, *tensor])
    return Constraint([k / major for k in gap] + [k / (major * major) for k in tensor])


POLYGONS: dict[str, Callable[..., Constraint]] = {
    f.__name__: f
    for f in (
        coplanar, convex, parallelogram, rectangle, rhombus, square, trapezoid, regular, inside,
        outside, cyclic, ccw, cw, same_sense, foci,
    )
}  # fmt: skip
