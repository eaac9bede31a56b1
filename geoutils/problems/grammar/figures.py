"""Triangles, quadrilaterals and regular polygons: what the word implies, and what is said of them."""

from __future__ import annotations

from typing import Any

from .algebra import Value
from .engine import Misread, entry
from .state import Circle, Figure, State, same


def _declare(s: State, points: tuple, *conditions: str) -> Figure:
    text = ",".join(points)
    for condition in conditions:
        s.add(condition.format(text, *points))
    return s.new_figure("polygon", points)


def _sizes(points: tuple, size: int) -> None:
    if len(points) != size:
        raise Misread("as many letters as corners")


@entry("Figure", "[the|a] triangle <p:Three>", example="In triangle ABC, AB = 5. => triangle(A,B,C); dist(A,B) == 5", counter="In triangle ABCD, AB = 5.")
def triangle(s: State, p: tuple) -> Figure:
    return _declare(s, p, "triangle({})")


@entry("Figure", "(the|an) (acute|acute-angled) triangle <p:Three>", example="In the acute triangle ABC, AB = 5. => triangle(A,B,C); acute(B,A,C); acute(A,B,C); acute(A,C,B); dist(A,B) == 5",
       counter="In the cute triangle ABC, AB = 5.")
def acute_triangle(s: State, p: tuple) -> Figure:
    return _declare(s, p, "triangle({})", "acute({2},{1},{3})", "acute({1},{2},{3})", "acute({1},{3},{2})")


@entry("Figure", "(the|an) isosceles triangle <p:Three> [with apex <a:Point>]", example="In the isosceles triangle ABC, AB = AC. => triangle(A,B,C); dist(A,B) == dist(A,C)",
       counter="In the isosceles triangle ABCD, AB = AC.")
def isosceles_triangle(s: State, p: tuple, a: str = "") -> Figure:
    figure = _declare(s, p, "triangle({})")
    if a:
        one, two = s.triangle_of(a)
        s.add(f"dist({a},{one}) == dist({a},{two})")
    return figure


@entry("Figure", "(the|an) equilateral triangle <p:Three>", "(the|a) regular triangle <p:Three>", example="In the equilateral triangle ABC, AB = 5. => regular(A,B,C); dist(A,B) == 5",
       counter="In the equilateral triangle ABCD, AB = 5.")
def equilateral_triangle(s: State, p: tuple) -> Figure:
    return _declare(s, p, "regular({})")


@entry("Figure", "(the|a) (right|right-angled) triangle <p:Three>", example="In the right triangle ABC, angle ACB is right. => triangle(A,B,C); right(A,C,B)", counter="In the left triangle ABC, angle ACB is right.")
def right_triangle(s: State, p: tuple) -> Figure:
    return _declare(s, p, "triangle({})")


@entry("Figure", "[the|a] (square|face) <p:Quad>", example="In the square ABCD, AB = 5. => square(A,B,C,D); dist(A,B) == 5", counter="In the square ABC, AB = 5.")
def square(s: State, p: tuple) -> Figure:
    for figure in s.figures:
        if figure.word == "solid" and set(p) <= set(figure.points):
            return Figure("polygon", p)
    return _declare(s, p, "square({})")


for _word in ("rectangle", "rhombus", "parallelogram"):
    def _read(s: State, p: tuple, _word: str = _word) -> Figure:
        return _declare(s, p, _word + "({})")
    _read.__name__ = _word
    entry("Figure", f"[the|a] {_word} <p:Quad>", example=f"In the {_word} ABCD, AB = 5. => {_word}(A,B,C,D); dist(A,B) == 5", counter=f"In the {_word} ABC, AB = 5.")(_read)


@entry("Figure", "[the|a] kite <p:Quad>", example="In the kite ABCD, AB = AD and CB = CD. => convex(A,B,C,D); dist(A,B) == dist(A,D); dist(B,C) == dist(C,D)", counter="In the kite ABC, AB = AC.")
def kite(s: State, p: tuple) -> Figure:
    return _declare(s, p, "convex({})")


@entry("Figure", "[the|an] isosceles trapezoid <p:Quad> (with|in which) <a:Pair> [is] parallel to <b:Pair>", "[the|an] isosceles trapezoid <p:Quad> with [the] (parallel sides|bases) <a:Pair> and <b:Pair>",
       example="In the isosceles trapezoid ABCD with AB parallel to CD, AB = 5. => convex(A,B,C,D); parallel(A,B,C,D); dist(A,D) == dist(B,C); dist(A,C) == dist(B,D); dist(A,B) == 5",
       counter="In the isosceles trapezoid ABCD with AB parallel to CE, AB = 5.")
def isosceles_trapezoid(s: State, p: tuple, a: tuple, b: tuple) -> Figure:
    if set(a) | set(b) != set(p):
        raise Misread("sides of the trapezoid")
    figure = _declare(s, p, "convex({})", "dist({1},{3}) == dist({2},{4})")
    s.add(f"parallel({','.join(a + b)})")
    legs = [(x, p[(i + 1) % 4]) for i, x in enumerate(p) if {x, p[(i + 1) % 4]} not in (set(a), set(b))]
    s.add(f"dist({','.join(legs[0])}) == dist({','.join(legs[1])})")
    return figure


@entry("Figure", "[the|a] trapezoid <p:Quad> (with|in which) <a:Pair> [is] parallel to <b:Pair>", "[the|a] trapezoid <p:Quad> with [the] (parallel sides|bases) <a:Pair> and <b:Pair>",
       example="In the trapezoid ABCD with AB parallel to CD, AB = 5. => convex(A,B,C,D); parallel(A,B,C,D); dist(A,B) == 5", counter="In the trapezoid ABCD with AB parallel to CE, AB = 5.")
def trapezoid_with(s: State, p: tuple, a: tuple, b: tuple) -> Figure:
    if set(a) | set(b) != set(p):
        raise Misread("sides of the trapezoid")
    figure = _declare(s, p, "convex({})")
    s.add(f"parallel({','.join(a + b)})")
    return figure


@entry("Figure", "[the|a] [right] trapezoid <p:Quad>", example="In the trapezoid ABCD, AB is parallel to CD. => convex(A,B,C,D); parallel(A,B,C,D)", counter="In the trapezoid ABC, AB is parallel to AC.")
def trapezoid(s: State, p: tuple) -> Figure:
    return _declare(s, p, "convex({})")


@entry("Clause", "[the] (parallel sides|bases) <a:Pair> and <b:Pair> [(of lengths|of length) <q:Qty> and <r:Qty>]", "[the] (parallel sides|bases) <a:Pair> = <q:Qty> and <b:Pair> = <r:Qty>",
       "[the] parallel sides [are] <a:Pair> and <b:Pair> [with lengths <q:Qty> and <r:Qty>]",
       example="ABCD is a trapezoid with parallel sides AB and CD of lengths 10 and 4. => convex(A,B,C,D); parallel(A,B,C,D); dist(A,B) == 10; dist(C,D) == 4",
       counter="ABCD is a trapezoid with parallel sides AB and CD of lengths 10.")
def parallel_sides(s: State, a: tuple, b: tuple, q: Value | None = None, r: Value | None = None) -> None:
    s.add(f"parallel({','.join(a + b)})")
    if q and r:
        same(s, Value(f"dist({a[0]},{a[1]})", "num"), q)
        same(s, Value(f"dist({b[0]},{b[1]})", "num"), r)


@entry("Figure", "[the|a] [convex] quadrilateral <p:Quad>", "[the|a] convex (pentagon|hexagon|polygon) <p:Many>", "[the|a] (pentagon|hexagon|octagon|polygon) <p:Many>",
       example="In the convex quadrilateral ABCD, AB = 5. => convex(A,B,C,D); dist(A,B) == 5", counter="In the convex quadrilateral ABC, AB = 5.")
def convex_polygon(s: State, p: tuple) -> Figure:
    if len(p) < 4:
        raise Misread("four corners or more")
    return _declare(s, p, "convex({})")


@entry("Figure", "[the|a] cyclic quadrilateral <p:Quad>", example="In the cyclic quadrilateral ABCD, AB = 5. => convex(A,B,C,D); cyclic(A,B,C,D); dist(A,B) == 5", counter="In the cyclic quadrilateral ABC, AB = 5.")
def cyclic_quadrilateral(s: State, p: tuple) -> Figure:
    return _declare(s, p, "convex({})", "cyclic({})")


_REGULAR = {"pentagon": 5, "hexagon": 6, "octagon": 8, "decagon": 10, "dodecagon": 12}
for _word, _size in _REGULAR.items():
    def _regular(s: State, p: tuple, _size: int = _size) -> Figure:
        _sizes(p, _size)
        return _declare(s, p, "regular({})")
    _regular.__name__ = f"regular_{_word}"
    _letters = "ABCDEFGHJKLM"[:_size]
    entry("Figure", f"[the|a] regular {_word} <p:Many>", example=f"In the regular {_word} {_letters}, AB = 5. => regular({','.join(_letters)}); dist(A,B) == 5",
          counter=f"In the regular {_word} {_letters[:-1]}, AB = 5.")(_regular)


_SIZES = {"triangle": 3, "square": 4, "rectangle": 4, "parallelogram": 4, "rhombus": 4, "quadrilateral": 4, "trapezoid": 4, "kite": 4, "pentagon": 5, "hexagon": 6, "octagon": 8}
for _word, _size in _SIZES.items():
    def _bare(s: State, _size: int = _size) -> Figure:
        return s.figure(_size)
    _bare.__name__ = f"the_{_word}"
    _letters = "ABCDEFGH"[:_size]
    _kind = "regular " if _size > 4 else "convex " if _word == "quadrilateral" else ""
    _first = {"triangle": "triangle", "kite": "convex", "trapezoid": "convex", "quadrilateral": "convex"}.get(_word, "regular" if _size > 4 else _word)
    entry("Figure", f"(the|this) {_word}", example=f"{_letters} is a {_kind}{_word}. P lies inside the {_word}. => {_first}({','.join(_letters)}); inside(P,{','.join(_letters)})", counter=f"P lies inside the {_word}.")(_bare)


@entry("Figure", "[the|an] isosceles trapezoid <p:Quad>", example="In the isosceles trapezoid ABCD, AB is parallel to CD. => convex(A,B,C,D); dist(A,C) == dist(B,D); parallel(A,B,C,D)", counter="In the isosceles trapezoid ABC, AB is parallel to CD.")
def isosceles_trapezoid_alone(s: State, p: tuple) -> Figure:
    return _declare(s, p, "convex({})", "dist({1},{3}) == dist({2},{4})")


@entry("Attribute", "perpendicular diagonals", example="ABCD is a trapezoid with AB parallel to CD and with perpendicular diagonals. => convex(A,B,C,D); parallel(A,B,C,D); perp(A,C,B,D)", counter="ABCD is a trapezoid with peculiar diagonals.")
def perpendicular_diagonals(s: State) -> None:
    a, b, c, d = s.figure(4).points
    s.add(f"perp({a},{c},{b},{d})")


@entry("Clause", "<f:Figure> and <g:Figure> are inscribed in (the same circle|<c:Curve>)", example="The square ABCD and the equilateral triangle AEF are inscribed in the same circle. => square(A,B,C,D); regular(A,E,F); cyclic(A,B,C,D); cyclic(A,B,C,E); cyclic(A,B,C,F)", counter="The square ABCD and the equilateral triangle AEF are inscribed in the line AB.")
def inscribed_together(s: State, f: Figure, g: Figure, c: Any = None) -> None:
    circle = c or s.new_circle(Circle())
    if not isinstance(circle, Circle):
        raise Misread("in a circle")
    for x in dict.fromkeys(f.points + g.points):
        circle.on(s, x)


# ---- clauses about figures --------------------------------------------------------------------------------------------

@entry("Clause", "in <f:Figure>", "in <f:Figure> <c:Clause>", "<f:Figure> (is given|has)", "<f:Figure>", "let <f:Figure> be given", example="In triangle ABC, AB = 5. => triangle(A,B,C); dist(A,B) == 5", counter="In triangle AB, AB = 5.")
def in_figure(s: State, f: Figure, c: Any = None) -> None:
    return None


@entry("Clause", "<f:Figure> (has|with) <a:Attribute>", "in <f:Figure> (with|of) <a:Attribute>", "<f:Figure> (with|of) <c:Clauses> (has|have) <a:Attribute>", "<f:Figure> (with|of) <c:Clauses> <v:VP>", example="The square ABCD has side 6. => square(A,B,C,D); dist(A,B) == 6", counter="The square ABCD has colour 6.")
def figure_has(s: State, f: Figure, a: Any = None, c: Any = None, v: Any = None) -> None:
    return None


@entry("Clause", "<a:Attribute>", "has <a:Attribute>", "and has <a:Attribute>", example="The square ABCD has side 6 and centre O. => square(A,B,C,D); dist(A,B) == 6; O == centroid(A,B,C,D)", counter="The square ABCD has side 6 and centred O.")
def more_attributes(s: State, a: Any) -> None:
    return None


@entry("Attribute", "<c:Clause>", "[the] (sides|legs|diagonals|angles|lengths|edges) <c:Fact>", "[the] (side|leg|diagonal|edge|base) <c:Fact>",
       example="Triangle ABC has sides AB = 7, BC = 8 and CA = 9. => triangle(A,B,C); dist(A,B) == 7; dist(B,C) == 8; dist(A,C) == 9", counter="Triangle ABC has sides 7, 8 and.")
def attribute_fact(s: State, c: Any) -> None:
    return None


@entry("VP", "has <a:Attribute>", "have <a:Attribute>", example="A circle has centre O and radius 5. The point A lies on it. => dist(A,O) == 5", counter="A circle has center.")
def has(s: State, a: Any) -> None:
    return None


@entry("Clause", "<p:Many> is <f:FigureWord> [<w:Whose>]", "let <p:Many> be <f:FigureWord>", "<p:Many> <f:FigureWord>", example="ABCD is a parallelogram with AB = 5. => parallelogram(A,B,C,D); dist(A,B) == 5", counter="ABC is a parallelogram with AB = 5.")
def polygon_is(s: State, p: tuple, f: str, w: Value | None = None) -> None:
    size, rows = _WORDS[f]
    _sizes(p, size or len(p))
    _declare(s, p, *rows)
    if w:
        same(s, Value(f"dist({p[0]},{p[1]})", "num"), w)


_WORDS: dict[str, tuple[int, list[str]]] = {
    "triangle": (3, ["triangle({})"]), "square": (4, ["square({})"]), "rectangle": (4, ["rectangle({})"]), "rhombus": (4, ["rhombus({})"]),
    "parallelogram": (4, ["parallelogram({})"]), "kite": (4, ["convex({})"]), "trapezoid": (4, ["convex({})"]),
    "convex quadrilateral": (4, ["convex({})"]), "cyclic quadrilateral": (4, ["convex({})", "cyclic({})"]), "equilateral triangle": (3, ["regular({})"]),
    "convex pentagon": (5, ["convex({})"]), "convex hexagon": (6, ["convex({})"]), "isosceles trapezoid": (4, ["convex({})", "dist({1},{3}) == dist({2},{4})"]),
    "acute triangle": (3, ["triangle({})", "acute({2},{1},{3})", "acute({1},{2},{3})", "acute({1},{3},{2})"]),
    **{f"regular {word}": (size, ["regular({})"]) for word, size in _REGULAR.items()},
}
for _name in _WORDS:
    def _word_reader(s: State, _name: str = _name) -> str:
        return _name
    _word_reader.__name__ = "word_" + _name.replace(" ", "_")
    _letters = "ABCDEFGHJKLM"[:_WORDS[_name][0]]
    _show = "; ".join(row.format(",".join(_letters), *_letters) for row in _WORDS[_name][1])
    entry("FigureWord", f"(a|an|the) {_name}", example=f"{_letters} is {'an' if _name[0] in 'aei' else 'a'} {_name}. => {_show}", counter=f"AB is a {_name}.")(_word_reader)


@entry("VP", "(is|are) isosceles with <a:Pair> = <b:Pair> [= <q:Qty>]", "is isosceles with apex <p:Point> [and base <c:Pair>]", example="Triangle ABC is isosceles with AB = AC = 10. => triangle(A,B,C); dist(A,B) == dist(A,C); dist(A,C) == 10", counter="Triangle ABC is isosceles.")
def isosceles(s: State, a: tuple = (), b: tuple = (), q: Value | None = None, p: str = "", c: tuple = ()) -> None:
    if p:
        a, b = ((p, x) for x in s.triangle_of(p))
    s.add(f"dist({','.join(a)}) == dist({','.join(b)})")
    if q:
        same(s, Value(f"dist({','.join(b)})", "num"), q)


@entry("VP", "is equilateral", example="Triangle ABC is equilateral with side 6. => triangle(A,B,C); regular(A,B,C); dist(A,B) == 6", counter="Triangle ABC is unilateral.")
def equilateral(s: State) -> None:
    s.add(f"regular({','.join(s.figure(3).points)})")


@entry("VP", "is acute", "is acute-angled", example="Triangle ABC is acute. => triangle(A,B,C); acute(B,A,C); acute(A,B,C); acute(A,C,B)", counter="Triangle ABC is cute.")
def is_acute(s: State) -> None:
    a, b, c = s.figure(3).points
    for row in ((b, a, c), (a, b, c), (a, c, b)):
        s.add(f"acute({','.join(row)})")


@entry("VP", "is (right-angled|right) at <p:Point>", "has a right angle at <p:Point>", example="Triangle ABC is right-angled at C. => triangle(A,B,C); right(A,C,B)", counter="Triangle ABC is right-angled.")
def right_at(s: State, p: str) -> None:
    points = s.figure().points
    if p not in points:
        raise Misread("a corner of it")
    i = points.index(p)
    s.add(f"right({points[i - 1]},{p},{points[(i + 1) % len(points)]})")


@entry("Attribute", "(a|its|the) right angle at <p:Point>", "right angles at <p:Point> and <q:Point>", example="Triangle ABC has a right angle at C. => triangle(A,B,C); right(A,C,B)", counter="Triangle ABC has a right angle.")
def has_right_angle(s: State, p: str, q: str = "") -> None:
    right_at(s, p)
    if q:
        right_at(s, q)


@entry("VP", "is (convex|given)", "is not degenerate", example="The quadrilateral ABCD is convex. => convex(A,B,C,D)", counter="The quadrilateral ABCD is concave.")
def is_convex(s: State) -> None:
    points = s.figure().points
    if len(points) > 3:
        s.add(f"convex({','.join(points)})")


@entry("Clause", "<f:Figure> <v:VP>", "[the] (quadrilateral|figure|triangle) <v:VP>", example="Triangle ABC is right-angled at C with AC = 5. => triangle(A,B,C); right(A,C,B); dist(A,C) == 5", counter="Triangle ABC right-angled at C.")
def figure_verb(s: State, v: Any, f: Figure | None = None) -> None:
    return None
