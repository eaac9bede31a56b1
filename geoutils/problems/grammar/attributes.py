"""What figures and circles have: sides, areas, radii, vertices, right angles, diagonals."""

from __future__ import annotations

from typing import Any

from .algebra import Value
from .engine import Misread, entry
from .points import its_centre
from .state import Circle, Figure, Line, State, same
from .subjects import say_hypotenuse

# ---- attributes -------------------------------------------------------------------------------------------------------


@entry(
    "Attribute",
    "[the] (side|sides|edge|edges|side length|edge length) [of length] <q:Qty>",
    "[the] (sides|edges) of length <q:Qty>",
    example="ABCDE is a regular pentagon with side 4. => regular(A,B,C,D,E); dist(A,B) == 4",
    counter="ABCDE is a regular pentagon with side 4°.",
)
def side(s: State, q: Value) -> None:
    points = s.figure().points
    same(s, Value(f"dist({points[0]},{points[1]})", "num"), q)


@entry(
    "Whose",
    "whose (side|edge|side length) is <q:Qty>",
    "whose (sides|edges) have length <q:Qty>",
    "of side [length] <q:Qty>",
    example="ABCDE is a regular pentagon whose sides have length 4. => regular(A,B,C,D,E); dist(A,B) == 4",
    counter="ABCDE is a regular pentagon whose sides have length 4°.",
)
def whose_side(s: State, q: Value) -> Value:
    return q


for _word, _name in (("cosine", "cos"), ("sine", "sin"), ("tangent", "tan")):

    def _with(s: State, q: Value, _name: str = _name) -> None:
        if "angle" not in s.curves:
            raise Misread("of which angle")
        same(s, Value(f"{_name}({s.curves['angle']})", "num"), q)

    _with.__name__ = f"with_{_word}"
    entry(
        "Attribute",
        f"{_word} <q:Qty>",
        example=f"Angle BAC is acute, with {_word} 3/5. => acute(B,A,C); {_name}(angle(B,A,C)) == 3/5",
        counter=f"AB = 5, with {_word} 3/5.",
    )(_with)


@entry(
    "Clause",
    "[the] sides of <f:Figure> (are|have length|have lengths) <q:Qty>",
    "each side of <f:Figure> (has length|is) <q:Qty>",
    example="The sides of the equilateral triangle ABC have length 6. => regular(A,B,C); dist(A,B) == 6",
    counter="The sides of the triangle AB have length 6.",
)
def sides_of(s: State, f: Figure, q: Value) -> None:
    same(s, Value(f"dist({f.points[0]},{f.points[1]})", "num"), q)


@entry(
    "Clause",
    "(its|the) (sides|legs|diagonals|angles) are <c:Clauses>",
    example="Triangle ABC has a right angle at C, and its legs are AC = 5 and BC = 12. => triangle(A,B,C); right(A,C,B); dist(A,C) == 5; dist(B,C) == 12",
    counter="Triangle ABC has a right angle at C, and its legs are.",
)
def its_sides_are(s: State, c: Any) -> None:
    return None


@entry(
    "Clause",
    "[the] sides of <f:Figure> are <c:Clauses>",
    "[the] (diagonals|angles|legs) of <f:Figure> are <c:Clauses>",
    example="The sides of triangle ABC are AB = 13, BC = 14 and CA = 15. => triangle(A,B,C); dist(A,B) == 13; dist(B,C) == 14; dist(A,C) == 15",
    counter="The sides of triangle ABC are.",
)
def sides_are(s: State, f: Figure, c: Any) -> None:
    return None


@entry(
    "Attribute",
    "[the] area <q:Qty>",
    example="Triangle ABC has area 6. => triangle(A,B,C); area(A,B,C) == 6",
    counter="Triangle ABC has area 6°.",
)
def area(s: State, q: Value) -> None:
    same(s, Value(f"area({','.join(s.figure().points)})", "num"), q)


@entry(
    "Attribute",
    "[the] perimeter <q:Qty>",
    example="Triangle ABC has perimeter 6. => triangle(A,B,C); perimeter(A,B,C) == 6",
    counter="Triangle ABC has perimeter 6°.",
)
def perimeter(s: State, q: Value) -> None:
    same(s, Value(f"perimeter({','.join(s.figure().points)})", "num"), q)


@entry(
    "Attribute",
    "[the] circumradius <q:Qty>",
    example="Triangle ABC has circumradius 6. => triangle(A,B,C); circumradius(A,B,C) == 6",
    counter="Triangle ABC has circumradius 6°.",
)
def circumradius(s: State, q: Value) -> None:
    same(s, Value(f"circumradius({','.join(s.figure().points[:3])})", "num"), q)


@entry(
    "Attribute",
    "[the] inradius <q:Qty>",
    example="Triangle ABC has inradius 6. => triangle(A,B,C); inradius(A,B,C) == 6",
    counter="Triangle ABC has inradius 6°.",
)
def inradius(s: State, q: Value) -> None:
    same(s, Value(f"inradius({','.join(s.triangle())})", "num"), q)


@entry(
    "Attribute",
    "[the] hypotenuse <p:Pair> [= <q:Qty>]",
    "[the] hypotenuse <p:Pair> of length <q:Qty>",
    example="Triangle ABC is right-angled at C with hypotenuse AB = 13. => triangle(A,B,C); right(A,C,B); dist(A,B) == 13",
    counter="Triangle ABC is right-angled at C with hypotenuse 13.",
)
def hypotenuse(s: State, p: tuple, q: Value | None = None) -> None:
    say_hypotenuse(s, p)
    if q:
        same(s, Value(f"dist({','.join(p)})", "num"), q)


@entry(
    "Clause",
    "[the] hypotenuse <p:Pair> (has length|is|=) <q:Qty>",
    "[its|the] hypotenuse is <p:Pair>",
    example="In triangle ABC, the hypotenuse AB has length 13. => triangle(A,B,C); right(A,C,B); dist(A,B) == 13",
    counter="In triangle ABC, the hypotenuse has length 13.",
)
def hypotenuse_has(s: State, p: tuple, q: Value | None = None) -> None:
    hypotenuse(s, p, q)


@entry(
    "Attribute",
    "[the] centre <p:Point>",
    "[its] centre at <p:Point>",
    example="A circle has centre O. It passes through A and B. => dist(A,O) == dist(B,O)",
    counter="A circle has centre OA.",
)
def centre(s: State, p: str) -> None:
    if isinstance(s.topic, Circle):
        s.topic.name_centre(s, p)
        return
    its_centre(s).say(s, p)


for _word, _function in (
    ("incentre", "incenter"),
    ("orthocentre", "orthocenter"),
    ("centroid", "centroid"),
    ("circumcentre", "circumcenter"),
):

    def _named(s: State, p: str, _function: str = _function) -> None:
        s.add(f"{p} == {_function}({','.join(s.triangle())})")

    _named.__name__ = "has_" + _word
    entry(
        "Attribute",
        f"[the] {_word} <p:Point>",
        example=f"Triangle ABC has {_word} G. => triangle(A,B,C); G == {_function}(A,B,C)",
        counter=f"Triangle ABC has {_word} GA.",
    )(_named)


@entry(
    "Attribute",
    "[the] radius <q:Qty>",
    "[of] radius <q:Qty>",
    example="A circle has centre O and radius 5. A lies on it. => dist(A,O) == 5",
    counter="A circle has centre O and radius 5°.",
)
def radius(s: State, q: Value) -> None:
    if q.type != "num":
        raise Misread("a length")
    (s.topic if isinstance(s.topic, Circle) else s.circle()).has_radius(s, q.text)


@entry(
    "VP",
    "have [the] (radii|radius) <qs:Qty*>",
    "have equal radii",
    "with [the] radii <qs:Qty+>",
    example="Two circles with centres O and Q have radii 5 and 4. A lies on both circles. => dist(A,O) == 5; dist(A,Q) == 4",
    counter="Two circles with centres O and Q have radii 5, 4 and 3.",
)
def radii(s: State, qs: list | None = None) -> None:
    items = [item for item in s.subject if isinstance(item, Circle)] or s.circles[-2:]
    if qs is None:
        s.add(f"{items[0].radius_of()} == {items[1].radius_of()}")
        return
    if len(qs) == 1:
        qs = qs * len(items)
    if len(items) != len(qs) or any(q.type != "num" for q in qs):
        raise Misread("as many radii as circles")
    for item, q in zip(items, qs, strict=False):
        item.has_radius(s, q.text)


@entry(
    "Attribute",
    "(its|the) (vertices|corners) <ps:Placed+>",
    example="The square DEFG has its vertices D and E on AB, F on BC and G on CA. => square(D,E,F,G); on_segment(D,A,B); on_segment(E,A,B); on_segment(F,B,C); on_segment(G,A,C)",
    counter="The square DEFG has its vertices D and E on AB and F.",
)
def vertices_placed(s: State, ps: list) -> None:
    return None


@entry(
    "Attribute",
    "[the] (vertices|corners) <ps:Dot+>",
    "[the] (vertex|corner) <ps:Dot*>",
    "[the] opposite (vertices|corners) <ps:Dot+>",
    "[the] consecutive vertices <ps:Dot+>",
    example="Triangle ABC has vertices A(0, 0), B(4, 0) and C(1, 3). => triangle(A,B,C); A == (0, 0); B == (4, 0); C == (1, 3)",
    counter="Triangle ABC has vertices A(0, 0), B(4, 0) and (1, 3).",
)
def vertices(s: State, ps: list) -> None:
    if not set(ps) <= set(s.figure().points):
        raise Misread("vertices of the figure")


@entry(
    "Clause",
    "[the] (vertices|corners) of <f:Figure> are <ps:Dot+>",
    example="The vertices of triangle ABC are A(0, 0), B(4, 0) and C(1, 3). => triangle(A,B,C); A == (0, 0); B == (4, 0); C == (1, 3)",
    counter="The vertices of triangle ABC are A(0, 0), B(4, 0) and D(1, 3).",
)
def vertices_of(s: State, f: Figure, ps: list) -> None:
    if not set(ps) <= set(f.points):
        raise Misread("vertices of the figure")


@entry(
    "Subject",
    "[the|its] diagonals [of <f:Figure>]",
    "[the] diagonals <a:Pair> and <b:Pair> of <f:Figure>",
    example="The diagonals of the convex quadrilateral ABCD meet at P. => convex(A,B,C,D); on_segment(P,A,C); on_segment(P,B,D)",
    counter="The diagonals of triangle ABC meet at P.",
)
def diagonals(s: State, f: Figure | None = None, a: tuple = (), b: tuple = ()) -> list:
    p = (f or s.figure(4)).points
    if a:
        return [Line("two", a, "segment"), Line("two", b, "segment")]
    if len(p) != 4:
        raise Misread("four corners")
    return [Line("two", (p[0], p[2]), "segment"), Line("two", (p[1], p[3]), "segment")]


@entry(
    "Subject",
    "[the] lines <ps:Pair+> of <f:Figure>",
    example="The lines AC and BE of the regular pentagon ABCDE meet at P. => regular(A,B,C,D,E); on_line(P,A,C); on_line(P,B,E)",
    counter="The lines AC of the regular pentagon ABCDE meet at P.",
)
def sides_of_figure(s: State, ps: list, f: Figure) -> list:
    return [Line("two", p) for p in ps]


@entry(
    "VP",
    "lies outside [of] <f:Figure>",
    "lies on the outside of <f:Figure>",
    "is (drawn|erected) outside <f:Figure>",
    example="The equilateral triangle BCE lies outside the square ABCD. => regular(B,C,E); square(A,B,C,D); outside(E,A,B,C,D)",
    counter="The equilateral triangle BCE lies outside the line AB.",
)
def figure_outside(s: State, f: Figure) -> None:
    _beside(s, f, "outside")


@entry(
    "VP",
    "lies inside <f:Figure>",
    "is (drawn|erected) inside <f:Figure>",
    example="The equilateral triangle ABE lies inside the square ABCD. => regular(A,B,E); square(A,B,C,D); inside(E,A,B,C,D)",
    counter="The equilateral triangle ABE lies inside the line AB.",
)
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
            s.add(
                f"outside({x},{','.join(f.points)})" if len(new) == 1 else f"opposite({x},{third},{','.join(common)})"
            )
        return
    for x in new:
        s.add(f"{word}({x},{','.join(f.points)})")
