"""The subject of a clause: lines and circles, or points."""

from __future__ import annotations

from .engine import Misread
from .state import Circle, Conic, Line, State


def curves_of(s: State) -> list:
    if not s.subject or not all(isinstance(item, (Line, Circle, Conic)) for item in s.subject):
        raise Misread("lines or circles do this")
    return s.subject


def points_of(s: State) -> list[str]:
    if not s.subject or not all(isinstance(item, str) for item in s.subject):
        raise Misread("points do this")
    return s.subject


def apart(s: State, points: list[str]) -> None:
    if len(points) > 1:
        s.add(f"distinct({','.join(points)})")


def two_lines(s: State) -> tuple[Line, Line]:
    items = curves_of(s)
    if len(items) != 2 or not all(isinstance(item, Line) for item in items):
        raise Misread("two lines")
    return items[0], items[1]


def say_hypotenuse(s: State, p: tuple) -> None:
    """The side is the hypotenuse of the last triangle: the angle opposite to it is right."""
    corner = [x for x in s.triangle() if x not in p]
    if len(corner) != 1:
        raise Misread("a side of the triangle")
    s.add(f"right({p[0]},{corner[0]},{p[1]})")
