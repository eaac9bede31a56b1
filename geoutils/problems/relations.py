"""What a sentence can say of points: each relation as equations and strict inequalities.

A relation returns a `Constraint`.  Over floats its equalities and margins are free of
units (cosines, sines, shares of a side), so that one tolerance fits every figure and a
figure shrunk to a point satisfies none of them; over exact numbers the divisors are left
out, only zero and the sign matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from geoutils.problems.shapes import (
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
    norm,
    norm2,
    plus,
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


def components(value: Any) -> list[Number]:
    """The numbers of a vector, or the number itself."""
    return list(value) if isinstance(value, tuple) else [value]


def cosine(ops: Any, u: Vector, v: Vector) -> Number:
    """The cosine of the angle between two vectors (exact: up to a positive factor)."""
    d = dot(ops, u, v)
    return d if ops.exact else d / (norm(ops, u) * norm(ops, v))


def sine(ops: Any, u: Vector, v: Vector) -> list[Number]:
    """The sine of the directed angle in the plane, three components in space."""
    c = components(cross(ops, u, v))
    if ops.exact:
        return c
    size = norm(ops, u) * norm(ops, v)
    return [k / size for k in c]


def share(ops: Any, value: Any, *squares: Number) -> list[Number]:
    """The value, or each component, divided by the sum of some squared lengths."""
    parts = components(value)
    if ops.exact:
        return parts
    total = squares[0]
    for s in squares[1:]:
        total = total + s
    return [k / total for k in parts]


def zero(ops: Any, v: Any, scale: Vector) -> list[Number]:
    """The components of a vector that should vanish, in units of another vector's length."""
    parts = components(v)
    if ops.exact:
        return parts
    size = norm(ops, scale)
    return [k / size for k in parts]


def equal(ops: Any, a: Number, b: Number) -> Number:
    """Zero when two squared lengths agree."""
    return a - b if ops.exact else (a - b) / (a + b)


def triple(ops: Any, u: Vector, v: Vector, w: Vector) -> Number:
    """The volume spanned by three vectors, of unit length each; 0 when they are coplanar."""
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


# ---------------------------------------------------------------- points and lines


def on_line(ops: Any, p: Point, *line: Any) -> Constraint:
    """P lies on the line."""
    ln = as_line(*line)
    offset = cross(ops, ln.direction, minus(p, ln.point))
    return Constraint(share(ops, offset, norm2(ops, ln.direction)))


def _along(ops: Any, p: Point, a: Point, b: Point) -> tuple[list[Number], Number, Number]:
    """P on AB: the equations, and AP and PB as shares of AB along it."""
    ab = minus(b, a)
    size = norm2(ops, ab)
    ahead = share(ops, dot(ops, ab, minus(p, a)), size)[0]
    behind = share(ops, dot(ops, ab, minus(b, p)), size)[0]
    return share(ops, cross(ops, ab, minus(p, a)), size), ahead, behind


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
    return Constraint(zero(ops, minus(plus(a, b), times(2, m)), minus(b, a)))


def perp(ops: Any, *args: Any) -> Any:
    """Two lines or vectors are perpendicular; of one vector: the vector turned by 90 degrees."""
    if len(args) == 1:
        return turned(ops, *args)
    first, second = _lines(args, 2)
    return Constraint([cosine(ops, first.direction, second.direction)])


def parallel(ops: Any, *args: Any) -> Constraint:
    """Two lines or vectors have the same direction, up to its sense."""
    first, second = _lines(args, 2)
    return Constraint(sine(ops, first.direction, second.direction))


def perp_plane(ops: Any, a: Point, b: Point, c: Point, d: Point, e: Point) -> Constraint:
    """The line AB is perpendicular to the plane CDE."""
    ab = minus(b, a)
    flat = triangle(ops, c, d, e)
    return flat + Constraint([cosine(ops, ab, minus(d, c)), cosine(ops, ab, minus(e, c))])


def right(ops: Any, a: Point, b: Point, c: Point) -> Constraint:
    """The angle ABC is right."""
    return Constraint([cosine(ops, minus(a, b), minus(c, b))])


def acute(ops: Any, a: Point, b: Point, c: Point) -> Constraint:
    """The angle ABC is less than a right one."""
    return Constraint([], [cosine(ops, minus(a, b), minus(c, b))])


def obtuse(ops: Any, a: Point, b: Point, c: Point) -> Constraint:
    """The angle ABC is more than a right one."""
    return Constraint([], [-cosine(ops, minus(a, b), minus(c, b))])


def bisects(ops: Any, p: Point, a: Point, b: Point, c: Point) -> Constraint:
    """P lies on the ray from B that halves the angle ABC."""
    way = plus(unit(ops, minus(a, b)), unit(ops, minus(c, b)))
    return Constraint(sine(ops, way, minus(p, b)), [cosine(ops, way, minus(p, b))])


def bisects_outer(ops: Any, p: Point, a: Point, b: Point, c: Point) -> Constraint:
    """P, not B, lies on the line through B that halves the outer angle of ABC."""
    way = minus(unit(ops, minus(a, b)), unit(ops, minus(c, b)))
    bp = minus(p, b)
    return Constraint(
        sine(ops, way, bp), share(ops, norm2(ops, bp), norm2(ops, minus(a, b)))
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
    largest = ops.max(squares[0], *squares) + 1e-300
    return Constraint([], [ops.sqrt(s / largest) for s in squares])


def triangle(ops: Any, a: Point, b: Point, c: Point) -> Constraint:
    """A, B and C are not on one line."""
    u, v = minus(b, a), minus(c, a)
    size = cross(ops, u, v)
    if ops.exact:
        return Constraint([], [norm2(ops, size) if isinstance(size, tuple) else size * size])
    total = norm2(ops, u) + norm2(ops, v) + norm2(ops, minus(v, u))
    return Constraint([], [3 * norm(ops, size) / total])


RELATIONS: dict[str, Callable[..., Constraint]] = {
    f.__name__: f
    for f in (
        on_line, on_segment, on_ray, beyond, midpoint, perp, parallel, perp_plane, right, acute,
        obtuse, bisects, bisects_outer, same_side, opposite, distinct, triangle,
    )
}  # fmt: skip
