"""Quantities: lengths, distances, angles, areas, perimeters, sums and multiples."""

from __future__ import annotations

from typing import Any

from .algebra import Value, value
from .engine import Misread, entry, primitive
from .state import Figure, Line, PointDef, State
from .tokens import Token

# ---- quantities -------------------------------------------------------------------------------------------------------


@entry("Qty", "<f:Formula>", example="AB = 2CD. => dist(A,B) == 2*dist(C,D)", counter="AB = 2ABC.")
def formula(s: State, f: Any) -> Value:
    return value(f, s)


@entry(
    "Qty", "[the] angle <t:Three>", example="Angle ABC is 60°. => angle(A,B,C) == deg(60)", counter="Angle AB is 60°."
)
def angle(s: State, t: tuple) -> Value:
    s.curves["angle"] = Value(f"angle({','.join(t)})", "angle")
    return s.curves["angle"]


@entry(
    "Qty",
    "[the] angle at [the vertex] <p:Point>",
    example="In triangle ABC, the angle at C is 60°. => triangle(A,B,C); angle(A,C,B) == deg(60)",
    counter="The angle at C is 60°.",
)
def angle_at(s: State, p: str) -> Value:
    points = s.figure().points
    if s.figure().word != "polygon" or p not in points:
        raise Misread("a corner of the figure")
    i = points.index(p)
    return angle(s, (points[i - 1], p, points[(i + 1) % len(points)]))


for _word, _name in (("cosine", "cos"), ("sine", "sin"), ("tangent", "tan")):

    def _its(s: State, _name: str = _name) -> Value:
        if "angle" not in s.curves:
            raise Misread("of which angle")
        return Value(f"{_name}({s.curves['angle']})", "num")

    _its.__name__ = f"its_{_word}"
    entry(
        "Qty",
        f"its {_word}",
        example=f"Angle BAC is acute and its {_word} is 3/5. => acute(B,A,C); {_name}(angle(B,A,C)) == 3/5",
        counter=f"AB = 5 and its {_word} is 3/5.",
    )(_its)


@entry(
    "Qty",
    "[the] angle between [the] (lines|segments|sides|diagonals) <a:Pair> and <b:Pair>",
    "[the] [acute] angle between [the] (lines|segments) <a:Pair> and <b:Pair>",
    example="The angle between the lines AB and CD is 60°. => angle(line(A,B),line(C,D)) == deg(60)",
    counter="The angle between the lines AB and CD is 5.",
)
def angle_of_lines(s: State, a: tuple, b: tuple) -> Value:
    return Value(f"angle(line({','.join(a)}),line({','.join(b)}))", "angle")


def _trig(word: str, name: str) -> None:
    def read(s: State, q: Value) -> Value:
        if q.type != "angle":
            raise Misread("not an angle")
        return Value(f"{name}({q})", "num")

    read.__name__ = word
    entry(
        "Qty",
        f"[the] {word} of <q:Qty>",
        example=f"The {word} of angle ABC is 3/5. => {name}(angle(A,B,C)) == 3/5",
        counter=f"The {word} of AB is 3/5.",
    )(read)


for _word, _name in (("cosine", "cos"), ("sine", "sin"), ("tangent", "tan")):
    _trig(_word, _name)


@entry(
    "Qty",
    "[the] (length|measure) of <q:Measured>",
    example="The length of AB is 5. => dist(A,B) == 5",
    counter="The length of ABC is 5.",
)
def length_of(s: State, q: Value) -> Value:
    return q


@entry(
    "Measured",
    "[the] [side|segment|diagonal|edge|leg|hypotenuse|base|median|altitude] <p:Pair>",
    "[the] line segment <p:Pair>",
    example="The length of the diagonal AC is 5. => dist(A,C) == 5",
    counter="The length of the triangle AC is 5.",
)
def measured(s: State, p: tuple) -> Value:
    s.segment = p
    return Value(f"dist({p[0]},{p[1]})", "num")


@entry(
    "Qty",
    "[the] (side|segment|diagonal|edge|leg|base|height) <p:Pair>",
    example="The side AB is twice the side CD. => dist(A,B) == 2*dist(C,D)",
    counter="The corner AB is twice the side CD.",
)
def side_as_length(s: State, p: tuple) -> Value:
    s.segment = p
    return Value(f"dist({p[0]},{p[1]})", "num")


@entry(
    "Qty",
    "[the] chord <p:Pair>",
    example="A circle has centre O and radius 5. The chord AB is 6. => dist(A,O) == 5; dist(B,O) == 5; dist(A,B) == 6",
    counter="The chord AB is 6.",
)
def chord_as_length(s: State, p: tuple) -> Value:
    for x in p:
        s.circle().on(s, x)
    s.segment = p
    return Value(f"dist({p[0]},{p[1]})", "num")


@entry(
    "Measured",
    "[the] chord <p:Pair>",
    example="A circle has centre O and radius 5. The length of the chord AB is 6. => dist(A,O) == 5; dist(B,O) == 5; dist(A,B) == 6",
    counter="The length of the chord AB is 6.",
)
def measured_chord(s: State, p: tuple) -> Value:
    return chord_as_length(s, p)


@entry(
    "Qty",
    "their distance",
    "the distance between them",
    example="The lines AB and CD are parallel, and their distance is 5. => parallel(A,B,C,D); dist(A,line(C,D)) == 5",
    counter="Their distance is 5.",
)
def their_distance(s: State) -> Value:
    two = [item for item in s.subject if isinstance(item, Line)] or s.curves.get("sides", [])
    if len(two) != 2:
        raise Misread("two lines")
    return Value(f"dist({two[0].points()[0]},{two[1].obj()})", "num")


@entry(
    "Qty",
    "[the] distance (from|of) <p:Spot> (to|from) <c:Curve>",
    "[the] distance between <p:Spot> and <c:Curve>",
    example="The distance from A to the line BC is 5. => dist(A,line(B,C)) == 5",
    counter="The distance from A to the point BC is 5.",
)
def distance_to_line(s: State, p: str, c: Any) -> Value:
    c = c[0] if isinstance(c, list) and len(c) == 1 else c
    if not isinstance(c, Line):
        raise Misread("distance to a line only")
    return Value(f"dist({p},{c.obj()})", "num")


@entry(
    "Qty",
    "[the] distance (from|of) <p:Spot> (to|from) <q:Spot>",
    "[the] distance between [the points] <p:Spot> and <q:Spot>",
    example="The distance from A to B is 5. => dist(A,B) == 5",
    counter="The distance to B is 5.",
)
def distance(s: State, p: str, q: str) -> Value:
    return Value(f"dist({p},{q})", "num")


@entry(
    "Qty",
    "[the] distance (between|of) [the] [parallel] lines <a:Pair> and <b:Pair>",
    "[the] distance between [the] parallel sides <a:Pair> and <b:Pair>",
    example="The distance between the parallel lines AB and CD is 5. => parallel(A,B,C,D); dist(A,line(C,D)) == 5",
    counter="The distance between the circles AB and CD is 5.",
)
def distance_of_parallels(s: State, a: tuple, b: tuple) -> Value:
    s.add(f"parallel({','.join(a + b)})")
    return Value(f"dist({a[0]},line({','.join(b)}))", "num")


@entry(
    "Spot",
    "<p:Point>",
    example="The distance from the point A to B is 5. => dist(A,B) == 5",
    counter="The distance from AB to C is 5.",
)
def spot(s: State, p: str) -> str:
    return p


@entry(
    "Spot",
    "<d:PointDef>",
    example="The distance from the midpoint of AB to C is 5. => dist(C,mid(A,B)) == 5",
    counter="The distance from the middle of AB to C is 5.",
)
def spot_by_description(s: State, d: Any) -> str:
    if not isinstance(d, PointDef) or not d.text:
        raise Misread("a point without an expression")
    return d.text


@entry(
    "Qty",
    "[the] area of <f:Figure>",
    example="The area of triangle ABC is 6. => triangle(A,B,C); area(A,B,C) == 6",
    counter="The area of AB is 6.",
)
def area(s: State, f: Figure) -> Value:
    return Value(f"area({','.join(f.points)})", "num")


@entry(
    "Qty",
    "[the] perimeter of <f:Figure>",
    example="The perimeter of triangle ABC is 12. => triangle(A,B,C); perimeter(A,B,C) == 12",
    counter="The perimeter of AB is 12.",
)
def perimeter(s: State, f: Figure) -> Value:
    return Value(f"perimeter({','.join(f.points)})", "num")


@entry(
    "Qtys",
    "[the] parallel sides <a:Pair> and <b:Pair>",
    example="In the trapezoid ABCD, the parallel sides AB and CD have lengths 6 and 4. => convex(A,B,C,D); parallel(A,B,C,D); dist(A,B) == 6; dist(C,D) == 4",
    counter="In the trapezoid ABCD, the parallel sides AB have lengths 6 and 4.",
)
def parallel_lengths(s: State, a: tuple, b: tuple) -> list[Value]:
    s.add(f"parallel({','.join(a + b)})")
    return lengths(s, [a, b])


@entry(
    "Qtys",
    "[the] areas of [the] (triangles|quadrilaterals) <ps:Many+>",
    "[the] areas of <f:Figure> and [of] <g:Figure>",
    example="The areas of the triangles ADE and ABC are in the ratio 1 : 4. => 4*area(A,D,E) == area(A,B,C)",
    counter="The areas of the triangles ADE are in the ratio 1 : 4.",
)
def areas(s: State, ps: list | None = None, f: Figure | None = None, g: Figure | None = None) -> list[Value]:
    rows = ps or [f.points, g.points]  # type: ignore[union-attr]
    return [Value(f"area({','.join(row)})", "num") for row in rows]


@entry(
    "Qtys",
    "[the] distances (from|of) <p:Spot> (to|from) <cs:Curves>",
    example="The distances from P to the sides BC and CA are 1 and 2. => dist(P,line(B,C)) == 1; dist(P,line(A,C)) == 2",
    counter="The distances from P to the side BC are 1 and 2.",
)
def distances_to_lines(s: State, p: str, cs: list) -> list[Value]:
    return [distance_to_line(s, p, c) for c in cs]


@entry(
    "Qtys",
    "[the] distances (from|of) <ps:Point+> (to|from) <c:Curve>",
    example="The distances of A and B from the line CD are 3 and 5. => dist(A,line(C,D)) == 3; dist(B,line(C,D)) == 5",
    counter="The distances of A and B from C are 3 and 5.",
)
def distances_of_points(s: State, ps: list, c: Any) -> list[Value]:
    return [distance_to_line(s, p, c) for p in ps]


@entry(
    "Qtys",
    "[the] distances (from|of) <p:Spot> (to|from) <qs:Point+>",
    "[the] distances (from|of) <ps:Point+> (to|from) <q:Point>",
    example="The distances from P to A and B are 3 and 5. => dist(A,P) == 3; dist(B,P) == 5",
    counter="The distances from P to A are 3 and 5.",
)
def distances(s: State, p: str = "", qs: list | None = None, ps: list | None = None, q: str = "") -> list[Value]:
    return [Value(f"dist({p or one},{one if p else q})", "num") for one in qs or ps or []]


@entry(
    "Qty",
    "(its|the) area",
    example="In triangle ABC, the area is 6. => triangle(A,B,C); area(A,B,C) == 6",
    counter="The area is 6.",
)
def its_area(s: State) -> Value:
    return Value(f"area({','.join(s.figure().points)})", "num")


@entry(
    "Qty",
    "(its|the) perimeter",
    example="In triangle ABC, the perimeter is 12. => triangle(A,B,C); perimeter(A,B,C) == 12",
    counter="The perimeter is 12.",
)
def its_perimeter(s: State) -> Value:
    return Value(f"perimeter({','.join(s.figure().points)})", "num")


FACTORS = {
    "twice": "2",
    "double": "2",
    "half": "1/2",
    "thrice": "3",
    "three times": "3",
    "four times": "4",
    "five times": "5",
    "a third of": "1/3",
    "one third of": "1/3",
    "two thirds of": "2/3",
    "a quarter of": "1/4",
    "one quarter of": "1/4",
    "three quarters of": "3/4",
    "half of": "1/2",
    "six times": "6",
    "one half of": "1/2",
}


@primitive("Factor")
def read_factor(tokens: list[Token], at: int) -> list[tuple[int, str]]:
    """*twice*, *half*, *two thirds of*."""
    out = []
    for words, text in FACTORS.items():
        row = words.split()
        if [token.low for token in tokens[at : at + len(row)]] == row:
            out.append((at + len(row), text))
    return sorted(out, reverse=True)


@entry(
    "Qty",
    "<k:Factor> [of] <q:Qty>",
    example="Angle ABC is twice angle ACB. => angle(A,B,C) == 2*angle(A,C,B)",
    counter="Angle ABC is often angle ACB.",
)
def factor(s: State, k: str, q: Value) -> Value:
    if q.loose:
        raise Misread("a sum needs brackets")
    return Value(f"{k}*({q})", q.type)


@entry(
    "Qty",
    "<k:Formula> times <q:Qty>",
    example="AB is 3 times CD. => dist(A,B) == 3*dist(C,D)",
    counter="AB is times CD.",
)
def times(s: State, k: Any, q: Value) -> Value:
    number = value(k, s)
    if number.type != "num" or q.loose:
        raise Misread("a number of times, and a sum needs brackets")
    return Value(f"({number})*({q})", q.type)


@entry(
    "Qty",
    "[the] sum [of] <qs:Qty+>",
    "[the] sum of [the] (angles|lengths|distances) <qs:Qty+>",
    example="The sum of AB and AC is 14. => dist(A,B) + dist(A,C) == 14",
    counter="The sum of AB is 14.",
)
def sum_of(s: State, qs: list[Value]) -> Value:
    if len({item.type for item in qs}) > 1 or qs[0].type not in ("num", "angle", "vec"):
        raise Misread("sum of unlike things")
    return Value(" + ".join(item.text for item in qs), qs[0].type)


@entry(
    "Qty",
    "[the] product of <qs:Qty+>",
    example="The product of PA and PB is 36. => dist(A,P)*dist(B,P) == 36",
    counter="The product of PA is 36.",
)
def product_of(s: State, qs: list[Value]) -> Value:
    if any(item.type != "num" for item in qs):
        raise Misread("product of lengths only")
    return Value("*".join(f"({item})" for item in qs), "num")


@entry("Qtys", "<qs:Qty*>", example="AB and CD are equal. => dist(A,B) == dist(C,D)", counter="AB is equal.")
def quantities(s: State, qs: list[Value]) -> list[Value]:
    return qs


@entry(
    "Qtys",
    "[the] angles <ts:Three+>",
    example="The angles ABC and BCA are equal. => angle(A,B,C) == angle(A,C,B)",
    counter="The angles ABC are equal.",
)
def angles(s: State, ts: list[tuple]) -> list[Value]:
    return [Value(f"angle({','.join(t)})", "angle") for t in ts]


@entry(
    "Qtys",
    "[the] [opposite] (sides|segments|diagonals|edges|legs|tangents|lengths) <ps:Pair+>",
    example="The segments AB and CD are equal. => dist(A,B) == dist(C,D)",
    counter="The circles AB and CD are equal.",
)
def lengths(s: State, ps: list[tuple]) -> list[Value]:
    s.curves["sides"] = [Line("two", p) for p in ps]
    return [Value(f"dist({p[0]},{p[1]})", "num") for p in ps]
