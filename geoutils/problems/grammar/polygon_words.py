"""What is said of figures: *ABCD is a square*, isosceles, right-angled, inside another."""

from __future__ import annotations

from typing import Any

from .algebra import Value
from .engine import Misread, entry
from .figures import REGULAR, check_size, declare
from .state import Figure, State, same

# ---- clauses about figures --------------------------------------------------------------------------------------------


@entry(
    "Clause",
    "in <f:Figure>",
    "in <f:Figure> <c:Clause>",
    "<f:Figure> (is given|has)",
    "<f:Figure>",
    "let <f:Figure> be given",
    example="In triangle ABC, AB = 5. => triangle(A,B,C); dist(A,B) == 5",
    counter="In triangle AB, AB = 5.",
)
def in_figure(s: State, f: Figure, c: Any = None) -> None:
    return None


@entry(
    "Clause",
    "<f:Figure> (has|with) <a:Attribute>",
    "in <f:Figure> (with|of) <a:Attribute>",
    "<f:Figure> (with|of) <c:Clauses> (has|have) <a:Attribute>",
    "<f:Figure> (with|of) <c:Clauses> <v:VP>",
    example="The square ABCD has side 6. => square(A,B,C,D); dist(A,B) == 6",
    counter="The square ABCD has colour 6.",
)
def figure_has(s: State, f: Figure, a: Any = None, c: Any = None, v: Any = None) -> None:
    return None


@entry(
    "Clause",
    "<a:Attribute>",
    "has <a:Attribute>",
    "and has <a:Attribute>",
    example="The square ABCD has side 6 and centre O. => square(A,B,C,D); dist(A,B) == 6; O == centroid(A,B,C,D)",
    counter="The square ABCD has side 6 and centred O.",
)
def more_attributes(s: State, a: Any) -> None:
    return None


@entry(
    "Attribute",
    "<c:Clause>",
    "[the] (sides|legs|diagonals|angles|lengths|edges) <c:Fact>",
    "[the] (side|leg|diagonal|edge|base) <c:Fact>",
    example="Triangle ABC has sides AB = 7, BC = 8 and CA = 9. => triangle(A,B,C); dist(A,B) == 7; dist(B,C) == 8; dist(A,C) == 9",
    counter="Triangle ABC has sides 7, 8 and.",
)
def attribute_fact(s: State, c: Any) -> None:
    return None


@entry(
    "VP",
    "has <a:Attribute>",
    "have <a:Attribute>",
    example="A circle has centre O and radius 5. The point A lies on it. => dist(A,O) == 5",
    counter="A circle has center.",
)
def has(s: State, a: Any) -> None:
    return None


@entry(
    "Clause",
    "<p:Many> is <f:FigureWord> [<w:Whose>]",
    "let <p:Many> be <f:FigureWord>",
    "<p:Many> <f:FigureWord>",
    example="ABCD is a parallelogram with AB = 5. => parallelogram(A,B,C,D); dist(A,B) == 5",
    counter="ABC is a parallelogram with AB = 5.",
)
def polygon_is(s: State, p: tuple, f: str, w: Value | None = None) -> None:
    size, rows = _WORDS[f]
    check_size(p, size or len(p))
    declare(s, p, *rows)
    if w:
        same(s, Value(f"dist({p[0]},{p[1]})", "num"), w)


_WORDS: dict[str, tuple[int, list[str]]] = {
    "triangle": (3, ["triangle({})"]),
    "square": (4, ["square({})"]),
    "rectangle": (4, ["rectangle({})"]),
    "rhombus": (4, ["rhombus({})"]),
    "parallelogram": (4, ["parallelogram({})"]),
    "kite": (4, ["convex({})"]),
    "trapezoid": (4, ["convex({})"]),
    "convex quadrilateral": (4, ["convex({})"]),
    "cyclic quadrilateral": (4, ["convex({})", "cyclic({})"]),
    "equilateral triangle": (3, ["regular({})"]),
    "convex pentagon": (5, ["convex({})"]),
    "convex hexagon": (6, ["convex({})"]),
    "isosceles trapezoid": (4, ["convex({})", "dist({1},{3}) == dist({2},{4})"]),
    "acute triangle": (3, ["triangle({})", "acute({2},{1},{3})", "acute({1},{2},{3})", "acute({1},{3},{2})"]),
    **{f"regular {word}": (size, ["regular({})"]) for word, size in REGULAR.items()},
}
for _name in _WORDS:

    def _word_reader(s: State, _name: str = _name) -> str:
        return _name

    _word_reader.__name__ = "word_" + _name.replace(" ", "_")
    _letters = "ABCDEFGHJKLM"[: _WORDS[_name][0]]
    _show = "; ".join(row.format(",".join(_letters), *_letters) for row in _WORDS[_name][1])
    entry(
        "FigureWord",
        f"(a|an|the) {_name}",
        example=f"{_letters} is {'an' if _name[0] in 'aei' else 'a'} {_name}. => {_show}",
        counter=f"AB is a {_name}.",
    )(_word_reader)


@entry(
    "VP",
    "(is|are) isosceles with <a:Pair> = <b:Pair> [= <q:Qty>]",
    "is isosceles with apex <p:Point> [and base <c:Pair>]",
    example="Triangle ABC is isosceles with AB = AC = 10. => triangle(A,B,C); dist(A,B) == dist(A,C); dist(A,C) == 10",
    counter="Triangle ABC is isosceles.",
)
def isosceles(s: State, a: tuple = (), b: tuple = (), q: Value | None = None, p: str = "", c: tuple = ()) -> None:
    if p:
        a, b = ((p, x) for x in s.triangle_of(p))
    s.add(f"dist({','.join(a)}) == dist({','.join(b)})")
    if q:
        same(s, Value(f"dist({','.join(b)})", "num"), q)


@entry(
    "VP",
    "is equilateral",
    example="Triangle ABC is equilateral with side 6. => triangle(A,B,C); regular(A,B,C); dist(A,B) == 6",
    counter="Triangle ABC is unilateral.",
)
def equilateral(s: State) -> None:
    s.add(f"regular({','.join(s.figure(3).points)})")


@entry(
    "VP",
    "is acute",
    "is acute-angled",
    example="Triangle ABC is acute. => triangle(A,B,C); acute(B,A,C); acute(A,B,C); acute(A,C,B)",
    counter="Triangle ABC is cute.",
)
def is_acute(s: State) -> None:
    a, b, c = s.figure(3).points
    for row in ((b, a, c), (a, b, c), (a, c, b)):
        s.add(f"acute({','.join(row)})")


@entry(
    "VP",
    "is (right-angled|right) at <p:Point>",
    "has a right angle at <p:Point>",
    example="Triangle ABC is right-angled at C. => triangle(A,B,C); right(A,C,B)",
    counter="Triangle ABC is right-angled.",
)
def right_at(s: State, p: str) -> None:
    points = s.figure().points
    if p not in points:
        raise Misread("a corner of it")
    i = points.index(p)
    s.add(f"right({points[i - 1]},{p},{points[(i + 1) % len(points)]})")


@entry(
    "Attribute",
    "(a|its|the) right angle at <p:Point>",
    "right angles at <p:Point> and <q:Point>",
    example="Triangle ABC has a right angle at C. => triangle(A,B,C); right(A,C,B)",
    counter="Triangle ABC has a right angle.",
)
def has_right_angle(s: State, p: str, q: str = "") -> None:
    right_at(s, p)
    if q:
        right_at(s, q)


@entry(
    "VP",
    "is (convex|given)",
    "is not degenerate",
    example="The quadrilateral ABCD is convex. => convex(A,B,C,D)",
    counter="The quadrilateral ABCD is concave.",
)
def is_convex(s: State) -> None:
    points = s.figure().points
    if len(points) > 3:
        s.add(f"convex({','.join(points)})")


@entry(
    "Clause",
    "<f:Figure> <v:VP>",
    "[the] (quadrilateral|figure|triangle) <v:VP>",
    example="Triangle ABC is right-angled at C with AC = 5. => triangle(A,B,C); right(A,C,B); dist(A,C) == 5",
    counter="Triangle ABC right-angled at C.",
)
def figure_verb(s: State, v: Any, f: Figure | None = None) -> None:
    return None
