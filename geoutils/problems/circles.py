"""Circles and ellipses, over any kind of number."""

from __future__ import annotations

from typing import Any

from geoutils.problems.shapes import (
    Circle,
    Ellipse,
    GeometryError,
    Line,
    Number,
    Point,
    circumcenter,
    cross_size,
    foot,
    gap,
    incenter,
    is_vector,
    mid,
    minus,
    norm2,
    over,
    perp,
    plus,
    reflect,
    sides,
    times,
)


def circle(ops: Any, *args: Any) -> Circle:
    """``circle(O, r)``, ``circle(O, P)`` through P, or ``circle(A, B, C)`` through three points."""
    if len(args) == 3:
        o = circumcenter(ops, *args)
        return Circle(o, gap(ops, o, args[0]))
    if len(args) != 2 or not is_vector(args[0]):
        raise GeometryError("circle needs a centre and a radius, or three points")
    o, r = args
    return Circle(o, gap(ops, o, r) if is_vector(r) else r)


def incircle(ops: Any, a: Point, b: Point, c: Point) -> Circle:
    """The circle that touches the three sides from inside."""
    p, q, r = sides(ops, a, b, c)
    return Circle(incenter(ops, a, b, c), cross_size(ops, minus(b, a), minus(c, a)) / (p + q + r))


def center(ops: Any, curve: Circle | Ellipse) -> Point:
    """The centre of a circle or an ellipse."""
    if isinstance(curve, Ellipse):
        return mid(ops, curve.focus1, curve.focus2)
    if isinstance(curve, Circle):
        return curve.center
    raise GeometryError("center needs a circle or an ellipse")


def apollonius(ops: Any, a: Point, b: Point, k: Number) -> Circle:
    """The circle of the points X with XA = k XB (k not 1)."""
    d = 1 - k * k
    return Circle(over(minus(a, times(k * k, b)), d), ops.abs(k / d) * gap(ops, a, b))


def radius(ops: Any, c: Circle) -> Number:
    """The radius of a circle."""
    if not isinstance(c, Circle):
        raise GeometryError("radius needs a circle")
    return c.radius


def power(ops: Any, p: Point, c: Circle) -> Number:
    """The power of P: the squared distance from the centre minus the squared radius."""
    return norm2(ops, minus(p, c.center)) - c.radius * c.radius


def tangent_length(ops: Any, p: Point, c: Circle) -> Number:
    """The length of a tangent from P to the circle."""
    return ops.sqrt(power(ops, p, c))


def _cut(ops: Any, ln: Line, c: Circle, sign: int) -> Point:
    f = foot(ops, c.center, ln)
    half2 = c.radius * c.radius - norm2(ops, minus(f, c.center))
    t = ops.sqrt(half2 / norm2(ops, ln.direction))
    return plus(f, times(sign * t, ln.direction))


def cut1(ops: Any, ln: Line, c: Circle) -> Point:
    """The first point of a circle met on the way along the line."""
    return _cut(ops, ln, c, -1)


def cut2(ops: Any, ln: Line, c: Circle) -> Point:
    """The last point of a circle met on the way along the line."""
    return _cut(ops, ln, c, 1)


def second(ops: Any, p: Point, q: Point, c: Circle) -> Point:
    """The other point in which the line PQ meets the circle, P being on it."""
    return reflect(ops, p, foot(ops, c.center, p, q))


def radical_axis(ops: Any, c: Circle, d: Circle) -> Line:
    """The line of the points with equal powers; the common chord where the circles cross."""
    v = minus(d.center, c.center)
    vv = norm2(ops, v)
    t = (vv + c.radius * c.radius - d.radius * d.radius) / (2 * vv)
    return Line(plus(c.center, times(t, v)), perp(ops, v))


def cross1(ops: Any, c: Circle, d: Circle) -> Point:
    """The common point of two circles on the right of the way from centre to centre."""
    return cut1(ops, radical_axis(ops, c, d), c)


def cross2(ops: Any, c: Circle, d: Circle) -> Point:
    """The common point of two circles on the left of the way from centre to centre."""
    return cut2(ops, radical_axis(ops, c, d), c)


def touch1(ops: Any, p: Point, c: Circle) -> Point:
    """Where the tangent from P touches, on the right of the way from P to the centre."""
    return cross1(ops, _tangent_circle(ops, p, c), c)


def touch2(ops: Any, p: Point, c: Circle) -> Point:
    """Where the tangent from P touches, on the left of the way from P to the centre."""
    return cross2(ops, _tangent_circle(ops, p, c), c)


def _tangent_circle(ops: Any, p: Point, c: Circle) -> Circle:
    return Circle(p, tangent_length(ops, p, c))


def ellipse(ops: Any, f: Point, g: Point, major: Number) -> Ellipse:
    """The points X with XF + XG = major."""
    return Ellipse(f, g, major)


def ellipse_xy(ops: Any, o: Point, a: Number, b: Number) -> Ellipse:
    """The ellipse with centre O and half axes a along x and b along y."""
    v = (
        ops.sqrt(ops.max(a * a - b * b, ops.zero)),
        ops.sqrt(ops.max(b * b - a * a, ops.zero)),
    )
    return Ellipse(minus(o, v), plus(o, v), 2 * ops.max(a, b))


def half_axes(ops: Any, e: Ellipse) -> tuple[Number, Number]:
    """The half axes along x and along y of an ellipse with axes parallel to them."""
    v = minus(e.focus2, e.focus1)
    minor2 = (e.major * e.major - norm2(ops, v)) / 4
    return tuple(ops.sqrt(minor2 + c * c / 4) for c in v)  # type: ignore[return-value]


def focus1(ops: Any, e: Ellipse) -> Point:
    """The first focus."""
    return e.focus1


def focus2(ops: Any, e: Ellipse) -> Point:
    """The second focus."""
    return e.focus2


def major(ops: Any, e: Ellipse) -> Number:
    """The length of the long axis."""
    return e.major


def minor(ops: Any, e: Ellipse) -> Number:
    """The length of the short axis."""
    return ops.sqrt(e.major * e.major - norm2(ops, minus(e.focus2, e.focus1)))
