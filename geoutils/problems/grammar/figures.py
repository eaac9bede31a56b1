"""Triangles, quadrilaterals and regular polygons: what the word implies, and what is said of them."""

from __future__ import annotations

from typing import Any

from .algebra import Value
from .engine import Misread, entry
from .state import Circle, Figure, State, same


def declare(s: State, points: tuple, *conditions: str) -> Figure:
    text = ",".join(points)
    for condition in conditions:
        s.add(condition.format(text, *points))
    return s.new_figure("polygon", points)


def check_size(points: tuple, size: int) -> None:
    if len(points) != size:
        raise Misread("as many letters as corners")


@entry(
    "Figure",
    "[the|a] triangle <p:Three>",
    example="In triangle ABC, AB = 5. => triangle(A,B,C); dist(A,B) == 5",
    counter="In triangle ABCD, AB = 5.",
)
def triangle(s: State, p: tuple) -> Figure:
    return declare(s, p, "triangle({})")


@entry(
    "Figure",
    "(the|an) (acute|acute-angled) triangle <p:Three>",
    example="In the acute triangle ABC, AB = 5. => triangle(A,B,C); acute(B,A,C); acute(A,B,C); acute(A,C,B); dist(A,B) == 5",
    counter="In the cute triangle ABC, AB = 5.",
)
def acute_triangle(s: State, p: tuple) -> Figure:
    return declare(s, p, "triangle({})", "acute({2},{1},{3})", "acute({1},{2},{3})", "acute({1},{3},{2})")


@entry(
    "Figure",
    "(the|an) isosceles triangle <p:Three> [with apex <a:Point>]",
    example="In the isosceles triangle ABC, AB = AC. => triangle(A,B,C); dist(A,B) == dist(A,C)",
    counter="In the isosceles triangle ABCD, AB = AC.",
)
def isosceles_triangle(s: State, p: tuple, a: str = "") -> Figure:
    figure = declare(s, p, "triangle({})")
    if a:
        one, two = s.triangle_of(a)
        s.add(f"dist({a},{one}) == dist({a},{two})")
    return figure


@entry(
    "Figure",
    "(the|an) equilateral triangle <p:Three>",
    "(the|a) regular triangle <p:Three>",
    example="In the equilateral triangle ABC, AB = 5. => regular(A,B,C); dist(A,B) == 5",
    counter="In the equilateral triangle ABCD, AB = 5.",
)
def equilateral_triangle(s: State, p: tuple) -> Figure:
    return declare(s, p, "regular({})")


@entry(
    "Figure",
    "(the|a) (right|right-angled) triangle <p:Three>",
    example="In the right triangle ABC, angle ACB is right. => triangle(A,B,C); right(A,C,B)",
    counter="In the left triangle ABC, angle ACB is right.",
)
def right_triangle(s: State, p: tuple) -> Figure:
    return declare(s, p, "triangle({})")


@entry(
    "Figure",
    "[the|a] (square|face) <p:Quad>",
    example="In the square ABCD, AB = 5. => square(A,B,C,D); dist(A,B) == 5",
    counter="In the square ABC, AB = 5.",
)
def square(s: State, p: tuple) -> Figure:
    for figure in s.figures:
        if figure.word == "solid" and set(p) <= set(figure.points):
            return Figure("polygon", p)
    return declare(s, p, "square({})")


for _word in ("rectangle", "rhombus", "parallelogram"):

    def _read(s: State, p: tuple, _word: str = _word) -> Figure:
        return declare(s, p, _word + "({})")

    _read.__name__ = _word
    entry(
        "Figure",
        f"[the|a] {_word} <p:Quad>",
        example=f"In the {_word} ABCD, AB = 5. => {_word}(A,B,C,D); dist(A,B) == 5",
        counter=f"In the {_word} ABC, AB = 5.",
    )(_read)


@entry(
    "Figure",
    "[the|a] [convex] kite <p:Quad>",
    example="In the convex kite ABCD, AB = AD and CB = CD. => convex(A,B,C,D); dist(A,B) == dist(A,D); dist(B,C) == dist(C,D)",
    counter="In the kite ABC, AB = AC.",
)
def kite(s: State, p: tuple) -> Figure:
    return declare(s, p, "convex({})")


@entry(
    "Figure",
    "[the|an] isosceles trapezoid <p:Quad> (with|in which) <a:Pair> [is] parallel to <b:Pair>",
    "[the|an] isosceles trapezoid <p:Quad> with [the] (parallel sides|bases) <a:Pair> and <b:Pair>",
    example="In the isosceles trapezoid ABCD with AB parallel to CD, AB = 5. => convex(A,B,C,D); parallel(A,B,C,D); dist(A,D) == dist(B,C); dist(A,C) == dist(B,D); dist(A,B) == 5",
    counter="In the isosceles trapezoid ABCD with AB parallel to CE, AB = 5.",
)
def isosceles_trapezoid(s: State, p: tuple, a: tuple, b: tuple) -> Figure:
    if set(a) | set(b) != set(p):
        raise Misread("sides of the trapezoid")
    figure = declare(s, p, "convex({})", "dist({1},{3}) == dist({2},{4})")
    s.add(f"parallel({','.join(a + b)})")
    legs = [(x, p[(i + 1) % 4]) for i, x in enumerate(p) if {x, p[(i + 1) % 4]} not in (set(a), set(b))]
    s.add(f"dist({','.join(legs[0])}) == dist({','.join(legs[1])})")
    return figure


@entry(
    "Figure",
    "[the|a] trapezoid <p:Quad> (with|in which) <a:Pair> [is] parallel to <b:Pair>",
    "[the|a] trapezoid <p:Quad> with [the] (parallel sides|bases) <a:Pair> and <b:Pair>",
    example="In the trapezoid ABCD with AB parallel to CD, AB = 5. => convex(A,B,C,D); parallel(A,B,C,D); dist(A,B) == 5",
    counter="In the trapezoid ABCD with AB parallel to CE, AB = 5.",
)
def trapezoid_with(s: State, p: tuple, a: tuple, b: tuple) -> Figure:
    if set(a) | set(b) != set(p):
        raise Misread("sides of the trapezoid")
    figure = declare(s, p, "convex({})")
    s.add(f"parallel({','.join(a + b)})")
    return figure


@entry(
    "Figure",
    "[the|a] [right] trapezoid <p:Quad>",
    example="In the trapezoid ABCD, AB is parallel to CD. => convex(A,B,C,D); parallel(A,B,C,D)",
    counter="In the trapezoid ABC, AB is parallel to AC.",
)
def trapezoid(s: State, p: tuple) -> Figure:
    return declare(s, p, "convex({})")


@entry(
    "Clause",
    "[the] (parallel sides|bases) <a:Pair> and <b:Pair> [(of lengths|of length) <q:Qty> and <r:Qty>]",
    "[the] (parallel sides|bases) <a:Pair> = <q:Qty> and <b:Pair> = <r:Qty>",
    "[the] parallel sides [are] <a:Pair> and <b:Pair> [with lengths <q:Qty> and <r:Qty>]",
    example="ABCD is a trapezoid with parallel sides AB and CD of lengths 10 and 4. => convex(A,B,C,D); parallel(A,B,C,D); dist(A,B) == 10; dist(C,D) == 4",
    counter="ABCD is a trapezoid with parallel sides AB and CD of lengths 10.",
)
def parallel_sides(s: State, a: tuple, b: tuple, q: Value | None = None, r: Value | None = None) -> None:
    s.add(f"parallel({','.join(a + b)})")
    if q and r:
        same(s, Value(f"dist({a[0]},{a[1]})", "num"), q)
        same(s, Value(f"dist({b[0]},{b[1]})", "num"), r)


@entry(
    "Figure",
    "[the|a] [convex] quadrilateral <p:Quad>",
    "[the|a] convex (pentagon|hexagon|polygon) <p:Many>",
    "[the|a] (pentagon|hexagon|octagon|polygon) <p:Many>",
    example="In the convex quadrilateral ABCD, AB = 5. => convex(A,B,C,D); dist(A,B) == 5",
    counter="In the convex quadrilateral ABC, AB = 5.",
)
def convex_polygon(s: State, p: tuple) -> Figure:
    if len(p) < 4:
        raise Misread("four corners or more")
    return declare(s, p, "convex({})")


@entry(
    "Figure",
    "[the|a] cyclic quadrilateral <p:Quad>",
    example="In the cyclic quadrilateral ABCD, AB = 5. => convex(A,B,C,D); cyclic(A,B,C,D); dist(A,B) == 5",
    counter="In the cyclic quadrilateral ABC, AB = 5.",
)
def cyclic_quadrilateral(s: State, p: tuple) -> Figure:
    return declare(s, p, "convex({})", "cyclic({})")


REGULAR = {"pentagon": 5, "hexagon": 6, "octagon": 8, "decagon": 10, "dodecagon": 12}
for _word, _size in REGULAR.items():

    def _regular(s: State, p: tuple, _size: int = _size) -> Figure:
        check_size(p, _size)
        return declare(s, p, "regular({})")

    _regular.__name__ = f"regular_{_word}"
    _letters = "ABCDEFGHJKLM"[:_size]
    entry(
        "Figure",
        f"[the|a] regular {_word} <p:Many>",
        example=f"In the regular {_word} {_letters}, AB = 5. => regular({','.join(_letters)}); dist(A,B) == 5",
        counter=f"In the regular {_word} {_letters[:-1]}, AB = 5.",
    )(_regular)


_SIZES = {
    "triangle": 3,
    "square": 4,
    "rectangle": 4,
    "parallelogram": 4,
    "rhombus": 4,
    "quadrilateral": 4,
    "trapezoid": 4,
    "kite": 4,
    "pentagon": 5,
    "hexagon": 6,
    "octagon": 8,
}
for _word, _size in _SIZES.items():

    def _bare(s: State, _size: int = _size) -> Figure:
        return s.figure(_size)

    _bare.__name__ = f"the_{_word}"
    _letters = "ABCDEFGH"[:_size]
    _kind = "regular " if _size > 4 else "convex " if _word == "quadrilateral" else ""
    _first = {"triangle": "triangle", "kite": "convex", "trapezoid": "convex", "quadrilateral": "convex"}.get(
        _word, "regular" if _size > 4 else _word
    )
    entry(
        "Figure",
        f"(the|this) {_word}",
        example=f"{_letters} is a {_kind}{_word}. P lies inside the {_word}. => {_first}({','.join(_letters)}); inside(P,{','.join(_letters)})",
        counter=f"P lies inside the {_word}.",
    )(_bare)


@entry(
    "Figure",
    "[the|an] isosceles trapezoid <p:Quad>",
    example="In the isosceles trapezoid ABCD, AB is parallel to CD. => convex(A,B,C,D); dist(A,C) == dist(B,D); parallel(A,B,C,D)",
    counter="In the isosceles trapezoid ABC, AB is parallel to CD.",
)
def isosceles_trapezoid_alone(s: State, p: tuple) -> Figure:
    return declare(s, p, "convex({})", "dist({1},{3}) == dist({2},{4})")


@entry(
    "Attribute",
    "perpendicular diagonals",
    example="ABCD is a trapezoid with AB parallel to CD and with perpendicular diagonals. => convex(A,B,C,D); parallel(A,B,C,D); perp(A,C,B,D)",
    counter="ABCD is a trapezoid with peculiar diagonals.",
)
def perpendicular_diagonals(s: State) -> None:
    a, b, c, d = s.figure(4).points
    s.add(f"perp({a},{c},{b},{d})")


@entry(
    "Clause",
    "<f:Figure> and <g:Figure> are inscribed in (the same circle|<c:Curve>)",
    example="The square ABCD and the equilateral triangle AEF are inscribed in the same circle. => square(A,B,C,D); regular(A,E,F); cyclic(A,B,C,D); cyclic(A,B,C,E); cyclic(A,B,C,F)",
    counter="The square ABCD and the equilateral triangle AEF are inscribed in the line AB.",
)
def inscribed_together(s: State, f: Figure, g: Figure, c: Any = None) -> None:
    circle = c or s.new_circle(Circle())
    if not isinstance(circle, Circle):
        raise Misread("in a circle")
    for x in dict.fromkeys(f.points + g.points):
        circle.on(s, x)
