"""Triangles, quadrilaterals and regular polygons: what the word implies, and what is said of them."""

from __future__ import annotations

from typing import Any

from .algebra import Value
from .engine import Misread, entry
from .state import Circle, Figure, Line, State, same


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


# ---- clauses about figures --------------------------------------------------------------------------------------------

@entry("Clause", "in <f:Figure>", "<f:Figure> (is given|has)", "<f:Figure>", "let <f:Figure> be given", example="In triangle ABC, AB = 5. => triangle(A,B,C); dist(A,B) == 5", counter="In triangle AB, AB = 5.")
def in_figure(s: State, f: Figure) -> None:
    return None


@entry("Clause", "<f:Figure> (has|with) <a:Attribute>", "in <f:Figure> (with|of) <a:Attribute>", example="The square ABCD has side 6. => square(A,B,C,D); dist(A,B) == 6", counter="The square ABCD has colour 6.")
def figure_has(s: State, f: Figure, a: Any) -> None:
    return None


@entry("Clause", "<a:Attribute>", "has <a:Attribute>", "and has <a:Attribute>", example="The square ABCD has side 6 and centre O. => square(A,B,C,D); dist(A,B) == 6; O == centroid(A,B,C,D)", counter="The square ABCD has side 6 and centred O.")
def more_attributes(s: State, a: Any) -> None:
    return None


@entry("Attribute", "<c:Clause>", "[the] (sides|legs|diagonals|angles|lengths) <c:Clause>", "[the] (side|leg|diagonal|edge|base|height) <c:Clause>",
       example="Triangle ABC has sides AB = 7, BC = 8 and CA = 9. => triangle(A,B,C); dist(A,B) == 7; dist(B,C) == 8; dist(A,C) == 9", counter="Triangle ABC has sides 7, 8 and.")
def attribute_fact(s: State, c: Any) -> None:
    return None


@entry("VP", "has <a:Attribute>", "have <a:Attribute>", example="A circle has centre O and radius 5. The point A lies on it. => dist(A,O) == 5", counter="A circle has center.")
def has(s: State, a: Any) -> None:
    return None


@entry("Clause", "<p:Many> is <f:FigureWord>", "<p:Quad> is <f:FigureWord>", "let <p:Many> be <f:FigureWord>", example="ABCD is a parallelogram with AB = 5. => parallelogram(A,B,C,D); dist(A,B) == 5", counter="ABC is a parallelogram with AB = 5.")
def polygon_is(s: State, p: tuple, f: str) -> None:
    size, rows = _WORDS[f]
    _sizes(p, size or len(p))
    if f == "convex polygon" and len(p) < 5:
        raise Misread("a polygon with five corners or more")
    _declare(s, p, *rows)


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


@entry("VP", "(is|are) isosceles with <a:Pair> = <b:Pair> [= <q:Qty>]", example="Triangle ABC is isosceles with AB = AC = 10. => triangle(A,B,C); dist(A,B) == dist(A,C); dist(A,C) == 10", counter="Triangle ABC is isosceles.")
def isosceles(s: State, a: tuple, b: tuple, q: Value | None = None) -> None:
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


@entry("Attribute", "(a|its) right angle at <p:Point>", "right angles at <p:Point> and <q:Point>", example="Triangle ABC has a right angle at C. => triangle(A,B,C); right(A,C,B)", counter="Triangle ABC has a right angle.")
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


# ---- attributes -------------------------------------------------------------------------------------------------------

@entry("Attribute", "[the] (side|sides|edge|edges|side length|edge length) [of length] <q:Qty>", "[the] (sides|edges) of length <q:Qty>", example="ABCDE is a regular pentagon with side 4. => regular(A,B,C,D,E); dist(A,B) == 4", counter="ABCDE is a regular pentagon with side 4°.")
def side(s: State, q: Value) -> None:
    points = s.figure().points
    same(s, Value(f"dist({points[0]},{points[1]})", "num"), q)


@entry("Clause", "[the] sides of <f:Figure> (are|have length|have lengths) <q:Qty>", "each side of <f:Figure> (has length|is) <q:Qty>", example="The sides of the equilateral triangle ABC have length 6. => regular(A,B,C); dist(A,B) == 6", counter="The sides of the triangle AB have length 6.")
def sides_of(s: State, f: Figure, q: Value) -> None:
    same(s, Value(f"dist({f.points[0]},{f.points[1]})", "num"), q)


@entry("Clause", "(its|the) (sides|legs|diagonals|angles) are <c:Clauses>", example="Triangle ABC has a right angle at C, and its legs are AC = 5 and BC = 12. => triangle(A,B,C); right(A,C,B); dist(A,C) == 5; dist(B,C) == 12", counter="Triangle ABC has a right angle at C, and its legs are.")
def its_sides_are(s: State, c: Any) -> None:
    return None


@entry("Clause", "[the] sides of <f:Figure> are <c:Clauses>", "[the] (diagonals|angles) of <f:Figure> are <c:Clauses>", example="The sides of triangle ABC are AB = 13, BC = 14 and CA = 15. => triangle(A,B,C); dist(A,B) == 13; dist(B,C) == 14; dist(A,C) == 15", counter="The sides of triangle ABC are.")
def sides_are(s: State, f: Figure, c: Any) -> None:
    return None


@entry("Attribute", "[the] area <q:Qty>", example="Triangle ABC has area 6. => triangle(A,B,C); area(A,B,C) == 6", counter="Triangle ABC has area 6°.")
def area(s: State, q: Value) -> None:
    same(s, Value(f"area({','.join(s.figure().points)})", "num"), q)


@entry("Attribute", "[the] perimeter <q:Qty>", example="Triangle ABC has perimeter 6. => triangle(A,B,C); perimeter(A,B,C) == 6", counter="Triangle ABC has perimeter 6°.")
def perimeter(s: State, q: Value) -> None:
    same(s, Value(f"perimeter({','.join(s.figure().points)})", "num"), q)


@entry("Attribute", "[the] circumradius <q:Qty>", example="Triangle ABC has circumradius 6. => triangle(A,B,C); circumradius(A,B,C) == 6", counter="Triangle ABC has circumradius 6°.")
def circumradius(s: State, q: Value) -> None:
    same(s, Value(f"circumradius({','.join(s.figure().points[:3])})", "num"), q)


@entry("Attribute", "[the] inradius <q:Qty>", example="Triangle ABC has inradius 6. => triangle(A,B,C); inradius(A,B,C) == 6", counter="Triangle ABC has inradius 6°.")
def inradius(s: State, q: Value) -> None:
    same(s, Value(f"inradius({','.join(s.triangle())})", "num"), q)


@entry("Attribute", "[the] hypotenuse <p:Pair> [= <q:Qty>]", "[the] hypotenuse <p:Pair> of length <q:Qty>", example="Triangle ABC is right-angled at C with hypotenuse AB = 13. => triangle(A,B,C); right(A,C,B); dist(A,B) == 13", counter="Triangle ABC is right-angled at C with hypotenuse 13.")
def hypotenuse(s: State, p: tuple, q: Value | None = None) -> None:
    corner = [x for x in s.triangle() if x not in p]
    if len(corner) != 1:
        raise Misread("a side of the triangle")
    s.add(f"right({p[0]},{corner[0]},{p[1]})")
    if q:
        same(s, Value(f"dist({','.join(p)})", "num"), q)


@entry("Clause", "[the] hypotenuse <p:Pair> (has length|is|=) <q:Qty>", "[its|the] hypotenuse is <p:Pair>", example="In triangle ABC, the hypotenuse AB has length 13. => triangle(A,B,C); right(A,C,B); dist(A,B) == 13", counter="In triangle ABC, the hypotenuse has length 13.")
def hypotenuse_has(s: State, p: tuple, q: Value | None = None) -> None:
    hypotenuse(s, p, q)


@entry("Attribute", "[the] centre <p:Point>", "[its] centre at <p:Point>", example="A circle has centre O. It passes through A and B. => dist(A,O) == dist(B,O)", counter="A circle has centre OA.")
def centre(s: State, p: str) -> None:
    if isinstance(s.topic, Circle):
        s.topic.name_centre(s, p)
        return
    from .points import its_centre
    its_centre(s).say(s, p)


for _word, _function in (("incentre", "incenter"), ("orthocentre", "orthocenter"), ("centroid", "centroid"), ("circumcentre", "circumcenter")):
    def _named(s: State, p: str, _function: str = _function) -> None:
        s.add(f"{p} == {_function}({','.join(s.triangle())})")
    _named.__name__ = "has_" + _word
    entry("Attribute", f"[the] {_word} <p:Point>", example=f"Triangle ABC has {_word} G. => triangle(A,B,C); G == {_function}(A,B,C)", counter=f"Triangle ABC has {_word} GA.")(_named)


@entry("Attribute", "[the] radius <q:Qty>", "[of] radius <q:Qty>", example="A circle has centre O and radius 5. A lies on it. => dist(A,O) == 5", counter="A circle has centre O and radius 5°.")
def radius(s: State, q: Value) -> None:
    if q.type != "num":
        raise Misread("a length")
    (s.topic if isinstance(s.topic, Circle) else s.circle()).has_radius(s, q.text)


@entry("VP", "have [the] (radii|radius) <qs:Qty*>", "have equal radii", "with [the] radii <qs:Qty+>", example="Two circles with centres O and Q have radii 5 and 4. A lies on both circles. => dist(A,O) == 5; dist(A,Q) == 4", counter="Two circles with centres O and Q have radii 5, 4 and 3.")
def radii(s: State, qs: list | None = None) -> None:
    items = [item for item in s.subject if isinstance(item, Circle)] or s.circles[-2:]
    if qs is None:
        s.add(f"{items[0].radius_of()} == {items[1].radius_of()}")
        return
    if len(qs) == 1:
        qs = qs * len(items)
    if len(items) != len(qs) or any(q.type != "num" for q in qs):
        raise Misread("as many radii as circles")
    for item, q in zip(items, qs):
        item.has_radius(s, q.text)


@entry("Attribute", "[the] (vertices|corners) <ps:Dot+>", "[the] opposite (vertices|corners) <ps:Dot+>", "[the] consecutive vertices <ps:Dot+>", example="Triangle ABC has vertices A(0, 0), B(4, 0) and C(1, 3). => triangle(A,B,C); A == (0, 0); B == (4, 0); C == (1, 3)", counter="Triangle ABC has vertices A(0, 0), B(4, 0) and (1, 3).")
def vertices(s: State, ps: list) -> None:
    if not set(ps) <= set(s.figure().points):
        raise Misread("vertices of the figure")


@entry("Clause", "[the] (vertices|corners) of <f:Figure> are <ps:Dot+>", example="The vertices of triangle ABC are A(0, 0), B(4, 0) and C(1, 3). => triangle(A,B,C); A == (0, 0); B == (4, 0); C == (1, 3)", counter="The vertices of triangle ABC are A(0, 0), B(4, 0) and D(1, 3).")
def vertices_of(s: State, f: Figure, ps: list) -> None:
    if not set(ps) <= set(f.points):
        raise Misread("vertices of the figure")


@entry("Subject", "[the|its] diagonals [of <f:Figure>]", "[the] diagonals <a:Pair> and <b:Pair> of <f:Figure>", example="The diagonals of the convex quadrilateral ABCD meet at P. => convex(A,B,C,D); on_segment(P,A,C); on_segment(P,B,D)", counter="The diagonals of triangle ABC meet at P.")
def diagonals(s: State, f: Figure | None = None, a: tuple = (), b: tuple = ()) -> list:
    p = (f or s.figure(4)).points
    if a:
        return [Line("two", a, "segment"), Line("two", b, "segment")]
    if len(p) != 4:
        raise Misread("four corners")
    return [Line("two", (p[0], p[2]), "segment"), Line("two", (p[1], p[3]), "segment")]


@entry("Subject", "[the] lines <ps:Pair+> of <f:Figure>", example="The lines AC and BE of the regular pentagon ABCDE meet at P. => regular(A,B,C,D,E); on_line(P,A,C); on_line(P,B,E)", counter="The lines AC of the regular pentagon ABCDE meet at P.")
def sides_of_figure(s: State, ps: list, f: Figure) -> list:
    return [Line("two", p) for p in ps]


@entry("VP", "lies outside [of] <f:Figure>", "lies on the outside of <f:Figure>", "is (drawn|erected) outside <f:Figure>", example="The equilateral triangle BCE lies outside the square ABCD. => regular(B,C,E); square(A,B,C,D); outside(E,A,B,C,D)", counter="The equilateral triangle BCE lies outside the line AB.")
def figure_outside(s: State, f: Figure) -> None:
    _beside(s, f, "outside")


@entry("VP", "lies inside <f:Figure>", "is (drawn|erected) inside <f:Figure>", example="The equilateral triangle ABE lies inside the square ABCD. => regular(A,B,E); square(A,B,C,D); inside(E,A,B,C,D)", counter="The equilateral triangle ABE lies inside the line AB.")
def figure_inside(s: State, f: Figure) -> None:
    _beside(s, f, "inside")


def _beside(s: State, f: Figure, word: str) -> None:
    rows = [item for item in s.figures if item.points != f.points]
    if not rows:
        raise Misread("which figure")
    own, common = rows[-1].points, [x for x in f.points if x in rows[-1].points]
    new = [x for x in own if x not in f.points]
    if len(common) == 2 and word == "outside" and len(f.points) > 2:
        third = next(x for x in f.points if x not in common)
        for x in new:
            s.add(f"outside({x},{','.join(f.points)})" if len(new) == 1 else f"opposite({x},{third},{','.join(common)})")
        return
    for x in new:
        s.add(f"{word}({x},{','.join(f.points)})")
