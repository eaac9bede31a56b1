"""Lengths, angles, areas and volumes, over any kind of number."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from geoutils.problems.circles import half_axes
from geoutils.problems.shapes import (
    Circle,
    Ellipse,
    GeometryError,
    Line,
    Number,
    Plane,
    Point,
    Vector,
    cross,
    cross_size,
    dot,
    is_vector,
    minus,
    newell,
    norm,
    norm2,
    sides,
)


def dist(ops: Any, a: Any, b: Any) -> Number:
    """The distance of two points, of a point from a line or plane, or of two lines.

    Lines of the plane must be parallel; in space they may also be skew.
    """
    if is_vector(a) and is_vector(b):
        return norm(ops, minus(b, a))
    if isinstance(a, Line | Plane) and is_vector(b):
        a, b = b, a
    if isinstance(b, Line) and isinstance(a, Line):
        if len(a.point) == 3:
            normal = cross(ops, a.direction, b.direction)
            if not _vanishes(ops, norm2(ops, normal)):
                return ops.abs(dot(ops, minus(a.point, b.point), normal)) / norm(ops, normal)
        elif ops.exact and cross(ops, a.direction, b.direction) != 0:
            raise GeometryError("the distance of two lines that meet")
        a = a.point
    if isinstance(b, Line):
        return cross_size(ops, minus(a, b.point), b.direction) / norm(ops, b.direction)
    if isinstance(b, Plane):
        return ops.abs(dot(ops, minus(a, b.point), b.normal)) / norm(ops, b.normal)
    raise GeometryError("dist needs points, lines or planes")


def _vanishes(ops: Any, square: Number) -> bool:
    if ops.exact:
        return bool(square == 0)
    return isinstance(square, float) and not square > 1e-18  # a recorded number is taken as not 0


def angle(ops: Any, *args: Any) -> Any:
    """``angle(A, B, C)`` at B, ``angle(u, v)`` of vectors, or the smaller one of lines and planes."""
    if len(args) == 3:
        a, b, c = args
        args = (minus(a, b), minus(c, b))
    if len(args) != 2:
        raise GeometryError("angle needs three points, two vectors or two lines")
    u, v = args
    if is_vector(u) and is_vector(v):
        return ops.angle(dot(ops, u, v), cross_size(ops, u, v))
    if isinstance(u, Plane) and isinstance(v, Line):
        u, v = v, u
    d, e = _direction(u), _direction(v)
    along, across = ops.abs(dot(ops, d, e)), cross_size(ops, d, e)
    if isinstance(u, Line) and isinstance(v, Plane):
        along, across = across, along
    return ops.angle(along, across)


def _direction(value: Any) -> Vector:
    if isinstance(value, Line):
        return value.direction
    if isinstance(value, Plane):
        return value.normal
    raise GeometryError("angle needs three points, two vectors or two lines")


def signed_area(ops: Any, *points: Point) -> Number:
    """The area of a polygon in the plane, positive when counter-clockwise."""
    a = points[0]
    total: Any = 0
    for p, q in pairwise(points[1:]):
        total = cross(ops, minus(p, a), minus(q, a)) + total
    return total / 2


def area(ops: Any, *args: Any) -> Number:
    """The area of a polygon (its vertices in order), a circle or an ellipse."""
    if len(args) == 1 and isinstance(args[0], Circle):
        return ops.pi * args[0].radius * args[0].radius
    if len(args) == 1 and isinstance(args[0], Ellipse):
        ax, ay = half_axes(ops, args[0])
        return ops.pi * ax * ay
    if len(args) < 3:
        raise GeometryError("area needs at least three points, a circle or an ellipse")
    if len(args[0]) == 2:
        return ops.abs(signed_area(ops, *args))
    normal = newell(ops, *args)
    return norm(ops, normal) / 2


def perimeter(ops: Any, *points: Point) -> Number:
    """The length of the closed path through the points."""
    total: Any = dist(ops, points[-1], points[0])
    for p, q in pairwise(points):
        total = total + dist(ops, p, q)
    return total


def volume(ops: Any, a: Point, b: Point, c: Point, d: Point) -> Number:
    """The volume of the tetrahedron ABCD."""
    n = cross(ops, minus(b, a), minus(c, a))
    return ops.abs(dot(ops, n, minus(d, a))) / 6


def circumradius(ops: Any, a: Point, b: Point, c: Point) -> Number:
    """The radius of the circle through A, B and C: abc / (4 area)."""
    p, q, r = sides(ops, a, b, c)
    return p * q * r / (4 * area(ops, a, b, c))


def inradius(ops: Any, a: Point, b: Point, c: Point) -> Number:
    """The radius of the incircle: twice the area over the perimeter."""
    p, q, r = sides(ops, a, b, c)
    return 2 * area(ops, a, b, c) / (p + q + r)


def exradius(ops: Any, a: Point, b: Point, c: Point) -> Number:
    """The radius of the excircle opposite A."""
    p, q, r = sides(ops, a, b, c)
    return 2 * area(ops, a, b, c) / (q + r - p)
