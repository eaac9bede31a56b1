"""Points, lines and planes, written once for every kind of number.

Each function takes the namespace of the number type first (`ops`) and uses nothing
but `+ - * /` and `ops`: so the very same `foot` runs over exact numbers, where a
statement's `check` is proved, and over batched dual numbers, where the solver looks
for a second figure.  Points and vectors are tuples of two or three numbers.

`ops` offers ``zero, one, pi, of, sqrt, abs, min, max``, for angles ``angle(x, y)`` (the
angle of the direction (x, y)), ``degrees, sin, cos, tan, acos, asin, atan, rad``, and
``exact``: whether its numbers are proved ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

Number = Any
Point = tuple[Number, ...]
Vector = tuple[Number, ...]


class GeometryError(ValueError):
    """A function was called with objects it has no meaning for."""


@dataclass(frozen=True)
class Line:
    """The line through `point` along `direction`."""

    point: Point
    direction: Vector


@dataclass(frozen=True)
class Plane:
    """The plane through `point` with the given normal vector (space only)."""

    point: Point
    normal: Vector


@dataclass(frozen=True)
class Circle:
    """The circle with the given centre and radius."""

    center: Point
    radius: Number


@dataclass(frozen=True)
class Ellipse:
    """The points whose distances from the two foci add up to `major`."""

    focus1: Point
    focus2: Point
    major: Number


# ---------------------------------------------------------------- vectors


def is_vector(value: Any) -> bool:
    """Whether `value` is a point or a vector."""
    return isinstance(value, tuple) and len(value) in (2, 3)


def plus(u: Vector, v: Vector) -> Vector:
    _same_dimension(u, v)
    return tuple(a + b for a, b in zip(u, v, strict=True))


def minus(u: Vector, v: Vector) -> Vector:
    _same_dimension(u, v)
    return tuple(a - b for a, b in zip(u, v, strict=True))


def times(k: Number, v: Vector) -> Vector:
    return tuple(k * a for a in v)


def over(v: Vector, k: Number) -> Vector:
    return tuple(a / k for a in v)


def _same_dimension(u: Any, v: Any) -> None:
    if not (is_vector(u) and is_vector(v) and len(u) == len(v)):
        raise GeometryError("two points or vectors of the same dimension are needed")


def x(ops: Any, p: Point) -> Number:
    """The first coordinate."""
    return _coordinate(p, 0)


def y(ops: Any, p: Point) -> Number:
    """The second coordinate."""
    return _coordinate(p, 1)


def z(ops: Any, p: Point) -> Number:
    """The third coordinate (space only)."""
    return _coordinate(p, 2)


def _coordinate(p: Any, index: int) -> Number:
    if not is_vector(p) or len(p) <= index:
        raise GeometryError("a point of the right dimension is needed")
    return p[index]


def vec(ops: Any, a: Point, b: Point) -> Vector:
    """The vector from A to B."""
    return minus(b, a)


def dot(ops: Any, u: Vector, v: Vector) -> Number:
    """The scalar product."""
    _same_dimension(u, v)
    total = u[0] * v[0] + u[1] * v[1]
    return total if len(u) == 2 else total + u[2] * v[2]


def cross(ops: Any, u: Vector, v: Vector) -> Any:
    """The cross product: a number in the plane (u1 v2 - u2 v1), a vector in space."""
    _same_dimension(u, v)
    if len(u) == 2:
        return u[0] * v[1] - u[1] * v[0]
    return (
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    )


def norm2(ops: Any, v: Vector) -> Number:
    """The squared length of a vector."""
    return dot(ops, v, v)


def norm(ops: Any, v: Vector) -> Number:
    """The length of a vector."""
    if not is_vector(v):
        return ops.abs(v)
    return ops.sqrt(dot(ops, v, v))


def unit(ops: Any, v: Vector) -> Vector:
    """The vector of length 1 in the direction of v."""
    return over(v, norm(ops, v))


def perp(ops: Any, v: Vector) -> Vector:
    """v turned by a right angle, counter-clockwise."""
    if not is_vector(v) or len(v) != 2:
        raise GeometryError("perp needs a vector in the plane")
    return (-v[1], v[0])


def cross_size(ops: Any, u: Vector, v: Vector) -> Number:
    """The area of the parallelogram on u and v, never negative."""
    c = cross(ops, u, v)
    return ops.sqrt(dot(ops, c, c)) if isinstance(c, tuple) else ops.abs(c)


def sign(ops: Any, value: Number) -> Any:
    """-1, 0 or 1; for a batch an array of them."""
    if ops.exact:
        return value if isinstance(value, int) else value.sign()
    return ops.sign(value) if hasattr(ops, "sign") else (value > 0) - (value < 0)


def gap(ops: Any, a: Point, b: Point) -> Number:
    """The distance of two points."""
    return norm(ops, minus(b, a))


def newell(ops: Any, *points: Point) -> Vector:
    """The normal of a polygon in space whose length is twice the area."""
    a = points[0]
    total: Any = None
    for p, q in pairwise(points[1:]):
        c = cross(ops, minus(p, a), minus(q, a))
        total = c if total is None else plus(total, c)
    if total is None:
        raise GeometryError("a polygon needs at least three points")
    return total


# ---------------------------------------------------------------- points


def mid(ops: Any, a: Point, b: Point) -> Point:
    """The midpoint of AB."""
    return over(plus(a, b), 2)


def at(ops: Any, a: Point, b: Point, t: Number) -> Point:
    """A + t AB: A for t = 0, B for t = 1."""
    return plus(a, times(t, minus(b, a)))


def divide(ops: Any, a: Point, b: Point, m: Number, n: Number) -> Point:
    """The point X of the segment AB with AX : XB = m : n."""
    return over(plus(times(n, a), times(m, b)), m + n)


def centroid(ops: Any, *points: Point) -> Point:
    """The mean of the points: for three, where the medians meet."""
    total = points[0]
    for p in points[1:]:
        total = plus(total, p)
    return over(total, len(points))


def as_line(*args: Any) -> Line:
    if len(args) == 1 and isinstance(args[0], Line):
        return args[0]
    if len(args) == 2 and is_vector(args[0]) and is_vector(args[1]):
        return Line(args[0], minus(args[1], args[0]))
    raise GeometryError("a line, or two points of it, is needed")


def line(ops: Any, a: Point, b: Point) -> Line:
    """The line through A and B."""
    return as_line(a, b)


def line_eq(ops: Any, a: Number, b: Number, c: Number) -> Line:
    """The line of the plane with the equation a x + b y = c."""
    s = a * a + b * b
    return Line((a * c / s, b * c / s), (-b, a))


def line_along(ops: Any, a: Point, v: Vector) -> Line:
    """The line through A in the direction v."""
    _same_dimension(a, v)
    return Line(a, v)


def plane(ops: Any, a: Point, b: Point, c: Point) -> Plane:
    """The plane through three points of space."""
    if len(a) != 3:
        raise GeometryError("a plane needs points in space")
    return Plane(a, cross(ops, minus(b, a), minus(c, a)))


def foot(ops: Any, p: Point, *target: Any) -> Point:
    """The foot of the perpendicular from P to a line (or two points), or to a plane."""
    if len(target) == 3:
        target = (plane(ops, *target),)
    if len(target) == 1 and isinstance(target[0], Plane):
        pl = target[0]
        t = dot(ops, minus(pl.point, p), pl.normal) / norm2(ops, pl.normal)
        return plus(p, times(t, pl.normal))
    ln = as_line(*target)
    t = dot(ops, minus(p, ln.point), ln.direction) / norm2(ops, ln.direction)
    return plus(ln.point, times(t, ln.direction))


def meet(ops: Any, *args: Any) -> Point:
    """Where two lines meet: ``meet(A, B, C, D)``, ``meet(line, line)`` or ``meet(line, plane)``."""
    if len(args) == 2 and isinstance(args[1], Plane):
        ln, pl = as_line(args[0]), args[1]
        t = dot(ops, minus(pl.point, ln.point), pl.normal) / dot(ops, ln.direction, pl.normal)
        return plus(ln.point, times(t, ln.direction))
    if len(args) == 4:
        first, second = as_line(*args[:2]), as_line(*args[2:])
    elif len(args) == 2:
        first, second = as_line(args[0]), as_line(args[1])
    else:
        raise GeometryError("meet needs two lines or four points")
    gap = minus(second.point, first.point)
    d = cross(ops, first.direction, second.direction)
    c = cross(ops, gap, second.direction)
    t = dot(ops, c, d) / dot(ops, d, d) if isinstance(d, tuple) else c / d
    return plus(first.point, times(t, first.direction))


def reflect(ops: Any, p: Point, *mirror: Any) -> Point:
    """P reflected in a point, a line (or two points of it) or a plane."""
    if len(mirror) == 1 and is_vector(mirror[0]):
        return minus(times(2, mirror[0]), p)
    return minus(times(2, foot(ops, p, *mirror)), p)


def rotate(ops: Any, p: Point, center: Point, angle: Any) -> Point:
    """P turned about a centre of the plane by an angle, counter-clockwise."""
    dx, dy = minus(p, center)
    c, s = ops.cos(angle), ops.sin(angle)
    return plus(center, (c * dx - s * dy, s * dx + c * dy))


def homothety(ops: Any, p: Point, center: Point, k: Number) -> Point:
    """The image of P in the homothety with the given centre and ratio k."""
    return at(ops, center, p, k)


def circumcenter(ops: Any, a: Point, b: Point, c: Point) -> Point:
    """The point as far from A as from B and C (in their plane)."""
    u, v = minus(b, a), minus(c, a)
    uu, vv, uv = norm2(ops, u), norm2(ops, v), dot(ops, u, v)
    d = 2 * (uu * vv - uv * uv)
    return plus(a, plus(times(vv * (uu - uv) / d, u), times(uu * (vv - uv) / d, v)))


def incenter(ops: Any, a: Point, b: Point, c: Point) -> Point:
    """The centre of the circle that touches the three sides from inside."""
    return _weighted(ops, (a, b, c), sides(ops, a, b, c))


def excenter(ops: Any, a: Point, b: Point, c: Point) -> Point:
    """The centre of the excircle opposite A."""
    p, q, r = sides(ops, a, b, c)
    return _weighted(ops, (a, b, c), (-p, q, r))


def orthocenter(ops: Any, a: Point, b: Point, c: Point) -> Point:
    """Where the altitudes meet."""
    o = circumcenter(ops, a, b, c)
    return minus(plus(plus(a, b), c), times(2, o))


def bisector_foot(ops: Any, a: Point, b: Point, c: Point) -> Point:
    """Where the bisector of the angle at A (the first point) meets BC."""
    return divide(ops, b, c, gap(ops, a, b), gap(ops, a, c))


def outer_bisector_foot(ops: Any, a: Point, b: Point, c: Point) -> Point:
    """Where the bisector of the outer angle at A (the first point) meets the line BC."""
    return divide(ops, b, c, gap(ops, a, b), -gap(ops, a, c))


def sides(ops: Any, a: Point, b: Point, c: Point) -> tuple[Number, Number, Number]:
    """The lengths of BC, CA and AB."""
    return gap(ops, b, c), gap(ops, c, a), gap(ops, a, b)


def _weighted(ops: Any, points: tuple[Point, ...], weights: tuple[Number, ...]) -> Point:
    total, weight = times(weights[0], points[0]), weights[0]
    for p, w in zip(points[1:], weights[1:], strict=True):
        total, weight = plus(total, times(w, p)), weight + w
    return over(total, weight)


def regular_vertex(ops: Any, a: Point, b: Point, n: Any, k: Any) -> Point:
    """Vertex k of the regular n-gon with vertices 0 and 1 at A and B, counter-clockwise."""
    n, k = _whole(n), _whole(k)
    step = ops.degrees(Fraction(360, n))
    p, q = a, b
    for _ in range(k):
        e = minus(q, p)
        c, s = ops.cos(step), ops.sin(step)
        p, q = q, plus(q, (c * e[0] - s * e[1], s * e[0] + c * e[1]))
    return p


def _whole(value: Any) -> int:
    found = value.fraction() if hasattr(value, "fraction") else Fraction(value)
    if found.denominator != 1:
        raise GeometryError("a whole number is needed")
    return int(found)
