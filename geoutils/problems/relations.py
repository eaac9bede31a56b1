"""What a sentence can say of points: each relation as equations and strict inequalities.

A relation returns a `Constraint`.  Over floats its equalities and margins are free of
units (cosines, sines, shares of a side), so that one tolerance fits every figure and a
figure shrunk to a point satisfies none of them; over exact numbers the divisors are left
out, only zero and the sign matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from geoutils.problems.shapes import (
    Ellipse,
    GeometryError,
    Line,
    Number,
    Point,
    Vector,
    as_line,
    cross,
    dot,
    is_vector,
    minus,
    newell,
    norm,
    norm2,
    plus,
    sign,
    times,
    unit,
)
from geoutils.problems.shapes import (
    perp as turned,
)


@dataclass(frozen=True)
class Constraint:
    """Equalities that are 0 and margins that are positive exactly when a condition holds."""

    equalities: list[Any] = field(default_factory=list)
    margins: list[Any] = field(default_factory=list)

    def __add__(self, other: Constraint) -> Constraint:
        return Constraint(self.equalities + other.equalities, self.margins + other.margins)


# ---------------------------------------------------------------- building blocks


def _parts(value: Any) -> list[Number]:
    return list(value) if isinstance(value, tuple) else [value]


def _cosine(ops: Any, u: Vector, v: Vector) -> Number:
    d = dot(ops, u, v)
    return d if ops.exact else d / (norm(ops, u) * norm(ops, v))


def _sine(ops: Any, u: Vector, v: Vector) -> list[Number]:
    """The sine of the directed angle in the plane, three components in space."""
    c = _parts(cross(ops, u, v))
    if ops.exact:
        return c
    size = norm(ops, u) * norm(ops, v)
    return [k / size for k in c]


def _share(ops: Any, value: Any, *squares: Number) -> list[Number]:
    """The value, or each component, divided by the sum of some squared lengths."""
    parts = _parts(value)
    if ops.exact:
        return parts
    total = squares[0]
    for s in squares[1:]:
        total = total + s
    return [k / total for k in parts]


def _zero(ops: Any, v: Any, scale: Vector) -> list[Number]:
    """The components of a vector that should vanish, in units of another vector's length."""
    parts = _parts(v)
    if ops.exact:
        return parts
    size = norm(ops, scale)
    return [k / size for k in parts]


def _equal(ops: Any, a: Number, b: Number) -> Number:
    """Zero when two squared lengths agree."""
    return a - b if ops.exact else (a - b) / (a + b)


def _triple(ops: Any, u: Vector, v: Vector, w: Vector) -> Number:
    t = dot(ops, cross(ops, u, v), w)
    return t if ops.exact else t / (norm(ops, u) * norm(ops, v) * norm(ops, w))


def _lines(args: Sequence[Any], count: int) -> list[Line]:
    """Read lines off an argument list: line objects, pairs of points, or single vectors."""
    tuples = [a for a in args if is_vector(a)]
    others = [a for a in args if not is_vector(a)]
    if not all(isinstance(a, Line) for a in others):
        raise GeometryError("lines, pairs of points or vectors are needed")
    wanted = count - len(others)
    if len(tuples) not in (wanted, 2 * wanted):
        raise GeometryError(f"{count} lines are needed")
    single = len(tuples) == wanted
    lines, rest = [], list(args)
    while rest:
        head = rest.pop(0)
        if isinstance(head, Line):
            lines.append(head)
        elif single:
            lines.append(Line(tuple(0 * k for k in head), head))
        else:
            if not rest or not is_vector(rest[0]):
                raise GeometryError("a line needs two points")
            lines.append(Line(head, minus(rest.pop(0), head)))
    return lines


def _edges(points: Sequence[Point]) -> list[Vector]:
    return [minus(q, p) for p, q in zip(points, [*points[1:], points[0]], strict=True)]


def _turns(ops: Any, points: Sequence[Point]) -> list[Number]:
    """For each corner how sharply the polygon turns, positive when all turn one way."""
    edges = _edges(points)
    after = [*edges[1:], edges[0]]
    if len(points[0]) == 2:
        sines = [_sine(ops, e, f)[0] for e, f in zip(edges, after, strict=True)]
        total: Any = ops.zero
        for p, q in pairwise(points[1:]):
            total = total + cross(ops, minus(p, points[0]), minus(q, points[0]))
        way = sign(ops, total)
        return [way * s for s in sines]
    normal = newell(ops, *points)
    return [_triple(ops, e, f, normal) for e, f in zip(edges, after, strict=True)]


# ---------------------------------------------------------------- points and lines


def on_line(ops: Any, p: Point, *line: Any) -> Constraint:
    """P lies on the line."""
    ln = as_line(*line)
    offset = cross(ops, ln.direction, minus(p, ln.point))
    return Constraint(_share(ops, offset, norm2(ops, ln.direction)))


def _along(ops: Any, p: Point, a: Point, b: Point) -> tuple[list[Number], Number, Number]:
    """P on AB: the equations, and AP and PB as shares of AB along it."""
    ab = minus(b, a)
    size = norm2(ops, ab)
    ahead = _share(ops, dot(ops, ab, minus(p, a)), size)[0]
    behind = _share(ops, dot(ops, ab, minus(b, p)), size)[0]
    return _share(ops, cross(ops, ab, minus(p, a)), size), ahead, behind


def on_segment(ops: Any, p: Point, a: Point, b: Point) -> Constraint:
    """P lies between A and B."""
    equations, ahead, behind = _along(ops, p, a, b)
    return Constraint(equations, [ahead, behind])


def on_ray(ops: Any, p: Point, a: Point, b: Point) -> Constraint:
    """P lies on the ray from A through B, and is not A."""
    equations, ahead, _ = _along(ops, p, a, b)
    return Constraint(equations, [ahead])


def beyond(ops: Any, p: Point, a: Point, b: Point) -> Constraint:
    """P lies on the extension of AB past B."""
    equations, _, behind = _along(ops, p, a, b)
    return Constraint(equations, [-behind])


def midpoint(ops: Any, m: Point, a: Point, b: Point) -> Constraint:
    """M is the midpoint of AB."""
    return Constraint(_zero(ops, minus(plus(a, b), times(2, m)), minus(b, a)))


def perp(ops: Any, *args: Any) -> Any:
    """Two lines or vectors are perpendicular; of one vector: the vector turned by 90 degrees."""
    if len(args) == 1:
        return turned(ops, *args)
    first, second = _lines(args, 2)
    return Constraint([_cosine(ops, first.direction, second.direction)])


def parallel(ops: Any, *args: Any) -> Constraint:
    """Two lines or vectors have the same direction, up to its sense."""
    first, second = _lines(args, 2)
    return Constraint(_sine(ops, first.direction, second.direction))


def perp_plane(ops: Any, a: Point, b: Point, c: Point, d: Point, e: Point) -> Constraint:
    """The line AB is perpendicular to the plane CDE."""
    ab = minus(b, a)
    flat = triangle(ops, c, d, e)
    return flat + Constraint([_cosine(ops, ab, minus(d, c)), _cosine(ops, ab, minus(e, c))])


def right(ops: Any, a: Point, b: Point, c: Point) -> Constraint:
    """The angle ABC is right."""
    return Constraint([_cosine(ops, minus(a, b), minus(c, b))])


def acute(ops: Any, a: Point, b: Point, c: Point) -> Constraint:
    """The angle ABC is less than a right one."""
    return Constraint([], [_cosine(ops, minus(a, b), minus(c, b))])


def obtuse(ops: Any, a: Point, b: Point, c: Point) -> Constraint:
    """The angle ABC is more than a right one."""
    return Constraint([], [-_cosine(ops, minus(a, b), minus(c, b))])


def bisects(ops: Any, p: Point, a: Point, b: Point, c: Point) -> Constraint:
    """P lies on the ray from B that halves the angle ABC."""
    way = plus(unit(ops, minus(a, b)), unit(ops, minus(c, b)))
    return Constraint(_sine(ops, way, minus(p, b)), [_cosine(ops, way, minus(p, b))])


def bisects_outer(ops: Any, p: Point, a: Point, b: Point, c: Point) -> Constraint:
    """P, not B, lies on the line through B that halves the outer angle of ABC."""
    way = minus(unit(ops, minus(a, b)), unit(ops, minus(c, b)))
    bp = minus(p, b)
    return Constraint(
        _sine(ops, way, bp), _share(ops, norm2(ops, bp), norm2(ops, minus(a, b)))
    )  # fmt: skip


def _sides_of(ops: Any, p: Point, q: Point, line: Sequence[Any]) -> Number:
    """Positive when P and Q are on one side of a line of their plane, by the nearer one."""
    ln = as_line(*line)
    first = cross(ops, ln.direction, minus(p, ln.point))
    second = cross(ops, ln.direction, minus(q, ln.point))
    product = dot(ops, first, second) if isinstance(first, tuple) else first * second
    if ops.exact:
        return product
    size = norm(ops, first) + norm(ops, second) + norm2(ops, ln.direction) / 1024
    return product / (size * norm2(ops, ln.direction))


def same_side(ops: Any, p: Point, q: Point, *line: Any) -> Constraint:
    """P and Q lie on the same side of the line."""
    return Constraint([], [_sides_of(ops, p, q, line)])


def opposite(ops: Any, p: Point, q: Point, *line: Any) -> Constraint:
    """The line passes between P and Q."""
    return Constraint([], [-_sides_of(ops, p, q, line)])


def distinct(ops: Any, *points: Point) -> Constraint:
    """No two of the points coincide (margins in units of the largest distance)."""
    squares = [norm2(ops, minus(q, p)) for i, p in enumerate(points) for q in points[i + 1 :]]
    if ops.exact:
        return Constraint([], squares)
    largest = ops.max(*squares)
    return Constraint([], [ops.sqrt(s / largest) for s in squares])


# ---------------------------------------------------------------- polygons


def triangle(ops: Any, a: Point, b: Point, c: Point) -> Constraint:
    """A, B and C are not on one line."""
    u, v = minus(b, a), minus(c, a)
    size = cross(ops, u, v)
    if ops.exact:
        return Constraint([], [norm2(ops, size) if isinstance(size, tuple) else size * size])
    total = norm2(ops, u) + norm2(ops, v) + norm2(ops, minus(v, u))
    return Constraint([], [3 * norm(ops, size) / total])


def _planar(ops: Any, points: Sequence[Point]) -> list[Number]:
    """The equations that put points of space into the plane of the first three."""
    if len(points[0]) == 2:
        return []
    u, v = minus(points[1], points[0]), minus(points[2], points[0])
    return [_triple(ops, u, v, minus(p, points[0])) for p in points[3:]]


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
            turn = _sine(ops, u, v)[0] if normal is None else _triple(ops, u, v, normal)
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
    return Constraint(_zero(ops, closing, minus(c, a))) + triangle(ops, a, b, c)


def rectangle(ops: Any, a: Point, b: Point, c: Point, d: Point) -> Constraint:
    """ABCD is a rectangle."""
    return parallelogram(ops, a, b, c, d) + right(ops, a, b, c)


def rhombus(ops: Any, a: Point, b: Point, c: Point, d: Point) -> Constraint:
    """ABCD is a rhombus."""
    same = _equal(ops, norm2(ops, minus(b, a)), norm2(ops, minus(c, b)))
    return parallelogram(ops, a, b, c, d) + Constraint([same])


def square(ops: Any, a: Point, b: Point, c: Point, d: Point) -> Constraint:
    """ABCD is a square."""
    return rhombus(ops, a, b, c, d) + right(ops, a, b, c)


def trapezoid(ops: Any, a: Point, b: Point, c: Point, d: Point) -> Constraint:
    """ABCD is a convex quadrilateral with AB parallel to CD."""
    sides = Constraint(_sine(ops, minus(b, a), minus(d, c)))
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
            equations += _zero(ops, minus(after, expected), edges[0])
        return Constraint(equations) + triangle(ops, *points[:3])
    first, second = edges[0], edges[1]
    equations.append(_equal(ops, norm2(ops, first), norm2(ops, second)))
    if ops.exact:
        equations.append(dot(ops, first, second) - c * norm2(ops, first))
    else:
        equations.append(_cosine(ops, first, second) - c)
    for i in range(n - 3):  # e(i+2) = 2 cos e(i+1) - e(i)
        gap = plus(minus(edges[i + 2], times(2 * c, edges[i + 1])), edges[i])
        equations += _zero(ops, gap, first)
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
            margins += [way * k for k in _share(ops, c, norm2(ops, edge))]
        elif ops.exact:
            margins.append(dot(ops, c, normal))
        else:
            margins.append(dot(ops, c, normal) / (norm(ops, normal) * norm2(ops, edge)))
    return margins


def cyclic(ops: Any, a: Point, b: Point, c: Point, *others: Point) -> Constraint:
    """All the points lie on one circle."""
    total = triangle(ops, a, b, c) + Constraint(_planar(ops, (a, b, c, *others)))
    for d in others:
        equations = _sine(ops, _concyclic(ops, a, b, c), _concyclic(ops, a, b, d))
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
    return Constraint([], [3 * k for k in _share(ops, total, *squares)])


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


RELATIONS: dict[str, Callable[..., Constraint]] = {
    f.__name__: f
    for f in (
        on_line, on_segment, on_ray, beyond, midpoint, perp, parallel, perp_plane, right, acute,
        obtuse, bisects, bisects_outer, same_side, opposite, distinct, triangle, coplanar, convex,
        parallelogram, rectangle, rhombus, square, trapezoid, regular, inside, outside, cyclic,
        ccw, cw, same_sense, foci,
    )
}  # fmt: skip
