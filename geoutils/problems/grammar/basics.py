"""Names, points, quantities and facts: the smallest parts of a sentence, shared by the three representations."""

from __future__ import annotations

from typing import Any

from .algebra import Value, value
from .engine import Misread, entry, primitive
from .state import Figure, Line, PointDef, State, place, same
from .tokens import Token


def _points(least: int, most: int):
    def read(tokens: list[Token], at: int) -> list[tuple[int, Any]]:
        if at < len(tokens) and tokens[at].kind == "pts" and least <= len(tokens[at].points) <= most:
            points = tokens[at].points
            if len(set(points)) == len(points):
                return [(at + 1, points[0] if most == 1 else points)]
        return []
    return read


primitive("Name")(_points(1, 1))
primitive("Pair")(_points(2, 2))
primitive("Three")(_points(3, 3))
primitive("Quad")(_points(4, 4))
primitive("Many")(_points(3, 12))


@primitive("Small")
def read_small(tokens: list[Token], at: int) -> list[tuple[int, str]]:
    """A small letter: the name of a vector, line or circle."""
    if at < len(tokens) and tokens[at].kind == "word" and len(tokens[at].text) == 1:
        return [(at + 1, tokens[at].text)]
    return []


@primitive("Coords")
def read_coords(tokens: list[Token], at: int) -> list[tuple[int, Any]]:
    from .algebra import read_formula
    return [row for row in read_formula(tokens, at) if row[1][0] == "tuple"] if at < len(tokens) and tokens[at].text == "(" else []


# ---- points -----------------------------------------------------------------------------------------------------------

@entry("Dot", "<p:Name>", example="The point A lies on the line BC. => on_line(A,B,C)", counter="The point AB lies on the line CD.")
def a_point(s: State, p: str) -> str:
    return p


@entry("Dot", "<p:Name> <c:Coords>", example="The point A(1, −2) is given. => A == (1, -2)", counter="The point A(1) is given.")
def point_with_coordinates(s: State, p: str, c: Any) -> str:
    s.add(f"{p} == {value(c, s)}")
    return p


@entry("Point", "[the] [given|fixed] (point|vertex|centre|corner|apex|origin) <p:Dot>", "<p:Dot>",
       example="The point D lies on side BC. => on_segment(D,B,C)", counter="The pointed D lies on side BC.")
def point(s: State, p: str) -> str:
    return p


@entry("Points", "<ps:Point*>", "[the] [given|fixed|opposite|two|three|four|five|six] (points|vertices|centres|corners) <ps:Dot+>",
       example="The points D and E lie on sides AB and AC. => on_segment(D,A,B); on_segment(E,A,C)",
       counter="The points D lie on sides AB and AC.")
def points(s: State, ps: list[str]) -> list[str]:
    return ps


@entry("Placed", "<ps:Dot*> on <c:Curve>", example="The points D on BC and E on CA satisfy BD = 3. => on_segment(D,B,C); on_segment(E,A,C); dist(B,D) == 3", counter="The points D on BC and E off CA satisfy BD = 3.")
def placed(s: State, ps: list[str], c: Any) -> list[str]:
    place(s, ps, [c] if not isinstance(c, list) else c)
    return ps


@entry("Points", "[the] points <ps:Placed+>", "<ps:Placed+>", example="The points D on BC, E on CA and F on AB satisfy BD = CE. => on_segment(D,B,C); on_segment(E,A,C); on_segment(F,A,B); dist(B,D) == dist(C,E)", counter="The points D on BC, E on CA and F satisfy BD = CE.")
def points_placed(s: State, ps: list) -> list[str]:
    return [p for row in ps for p in row]


@entry("Points", "[the] (point|points) <ps:Dot*> (on|of) <c:Curves>", "<ps:Dot*> on <c:Curves>",
       example="The point D on side BC satisfies BD = 3. => on_segment(D,B,C); dist(B,D) == 3",
       counter="The point D off side BC satisfies BD = 3.")
def points_on(s: State, ps: list[str], c: list) -> list[str]:
    place(s, ps, c)
    return ps


# ---- quantities -------------------------------------------------------------------------------------------------------

@entry("Qty", "<f:Formula>", example="AB = 2CD. => dist(A,B) == 2*dist(C,D)", counter="AB = 2ABC.")
def formula(s: State, f: Any) -> Value:
    return value(f, s)


@entry("Qty", "[the] angle <t:Three>", example="Angle ABC is 60°. => angle(A,B,C) == deg(60)", counter="Angle AB is 60°.")
def angle(s: State, t: tuple) -> Value:
    s.curves["angle"] = Value(f"angle({','.join(t)})", "angle")
    return s.curves["angle"]


@entry("Qty", "[the] angle at [the vertex] <p:Point>", example="In triangle ABC, the angle at C is 60°. => triangle(A,B,C); angle(A,C,B) == deg(60)", counter="The angle at C is 60°.")
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
    entry("Qty", f"its {_word}", example=f"Angle BAC is acute and its {_word} is 3/5. => acute(B,A,C); {_name}(angle(B,A,C)) == 3/5", counter=f"AB = 5 and its {_word} is 3/5.")(_its)


@entry("Qty", "[the] angle between [the] (lines|segments|sides|diagonals) <a:Pair> and <b:Pair>",
       "[the] [acute] angle between [the] (lines|segments) <a:Pair> and <b:Pair>",
       example="The angle between the lines AB and CD is 60°. => angle(line(A,B),line(C,D)) == deg(60)",
       counter="The angle between the lines AB and CD is 5.")
def angle_of_lines(s: State, a: tuple, b: tuple) -> Value:
    return Value(f"angle(line({','.join(a)}),line({','.join(b)}))", "angle")


def _trig(word: str, name: str) -> None:
    def read(s: State, q: Value) -> Value:
        if q.type != "angle":
            raise Misread("not an angle")
        return Value(f"{name}({q})", "num")
    read.__name__ = word
    entry("Qty", f"[the] {word} of <q:Qty>", example=f"The {word} of angle ABC is 3/5. => {name}(angle(A,B,C)) == 3/5",
          counter=f"The {word} of AB is 3/5.")(read)


for _word, _name in (("cosine", "cos"), ("sine", "sin"), ("tangent", "tan")):
    _trig(_word, _name)


@entry("Qty", "[the] (length|measure) of <q:Measured>", example="The length of AB is 5. => dist(A,B) == 5", counter="The length of ABC is 5.")
def length_of(s: State, q: Value) -> Value:
    return q


@entry("Measured", "[the] [side|segment|diagonal|edge|leg|hypotenuse|base|median|altitude] <p:Pair>", "[the] line segment <p:Pair>",
       example="The length of the diagonal AC is 5. => dist(A,C) == 5", counter="The length of the triangle AC is 5.")
def measured(s: State, p: tuple) -> Value:
    s.segment = p
    return Value(f"dist({p[0]},{p[1]})", "num")


@entry("Qty", "[the] (side|segment|diagonal|edge|leg|base|height) <p:Pair>",
       example="The side AB is twice the side CD. => dist(A,B) == 2*dist(C,D)", counter="The corner AB is twice the side CD.")
def side_as_length(s: State, p: tuple) -> Value:
    s.segment = p
    return Value(f"dist({p[0]},{p[1]})", "num")


@entry("Qty", "[the] chord <p:Pair>", example="A circle has centre O and radius 5. The chord AB is 6. => dist(A,O) == 5; dist(B,O) == 5; dist(A,B) == 6", counter="The chord AB is 6.")
def chord_as_length(s: State, p: tuple) -> Value:
    for x in p:
        s.circle().on(s, x)
    s.segment = p
    return Value(f"dist({p[0]},{p[1]})", "num")


@entry("Measured", "[the] chord <p:Pair>", example="A circle has centre O and radius 5. The length of the chord AB is 6. => dist(A,O) == 5; dist(B,O) == 5; dist(A,B) == 6", counter="The length of the chord AB is 6.")
def measured_chord(s: State, p: tuple) -> Value:
    return chord_as_length(s, p)


@entry("Qty", "their distance", "the distance between them", example="The lines AB and CD are parallel, and their distance is 5. => parallel(A,B,C,D); dist(A,line(C,D)) == 5", counter="Their distance is 5.")
def their_distance(s: State) -> Value:
    two = [item for item in s.subject if isinstance(item, Line)] or s.curves.get("sides", [])
    if len(two) != 2:
        raise Misread("two lines")
    return Value(f"dist({two[0].points()[0]},{two[1].obj()})", "num")


@entry("Qty", "[the] distance (from|of) <p:Spot> (to|from) <c:Curve>", "[the] distance between <p:Spot> and <c:Curve>",
       example="The distance from A to the line BC is 5. => dist(A,line(B,C)) == 5", counter="The distance from A to the point BC is 5.")
def distance_to_line(s: State, p: str, c: Any) -> Value:
    c = c[0] if isinstance(c, list) and len(c) == 1 else c
    if not isinstance(c, Line):
        raise Misread("distance to a line only")
    return Value(f"dist({p},{c.obj()})", "num")


@entry("Qty", "[the] distance (from|of) <p:Spot> (to|from) <q:Spot>", "[the] distance between [the points] <p:Spot> and <q:Spot>",
       example="The distance from A to B is 5. => dist(A,B) == 5", counter="The distance to B is 5.")
def distance(s: State, p: str, q: str) -> Value:
    return Value(f"dist({p},{q})", "num")


@entry("Qty", "[the] distance (between|of) [the] [parallel] lines <a:Pair> and <b:Pair>", "[the] distance between [the] parallel sides <a:Pair> and <b:Pair>",
       example="The distance between the parallel lines AB and CD is 5. => parallel(A,B,C,D); dist(A,line(C,D)) == 5",
       counter="The distance between the circles AB and CD is 5.")
def distance_of_parallels(s: State, a: tuple, b: tuple) -> Value:
    s.add(f"parallel({','.join(a + b)})")
    return Value(f"dist({a[0]},line({','.join(b)}))", "num")


@entry("Spot", "<p:Point>", example="The distance from the point A to B is 5. => dist(A,B) == 5", counter="The distance from AB to C is 5.")
def spot(s: State, p: str) -> str:
    return p


@entry("Spot", "<d:PointDef>", example="The distance from the midpoint of AB to C is 5. => dist(C,mid(A,B)) == 5",
       counter="The distance from the middle of AB to C is 5.")
def spot_by_description(s: State, d: Any) -> str:
    if not isinstance(d, PointDef) or not d.text:
        raise Misread("a point without an expression")
    return d.text


@entry("Qty", "[the] area of <f:Figure>", example="The area of triangle ABC is 6. => triangle(A,B,C); area(A,B,C) == 6",
       counter="The area of AB is 6.")
def area(s: State, f: Figure) -> Value:
    return Value(f"area({','.join(f.points)})", "num")


@entry("Qty", "[the] perimeter of <f:Figure>", example="The perimeter of triangle ABC is 12. => triangle(A,B,C); perimeter(A,B,C) == 12",
       counter="The perimeter of AB is 12.")
def perimeter(s: State, f: Figure) -> Value:
    return Value(f"perimeter({','.join(f.points)})", "num")


@entry("Qtys", "[the] parallel sides <a:Pair> and <b:Pair>", example="In the trapezoid ABCD, the parallel sides AB and CD have lengths 6 and 4. => convex(A,B,C,D); parallel(A,B,C,D); dist(A,B) == 6; dist(C,D) == 4", counter="In the trapezoid ABCD, the parallel sides AB have lengths 6 and 4.")
def parallel_lengths(s: State, a: tuple, b: tuple) -> list[Value]:
    s.add(f"parallel({','.join(a + b)})")
    return lengths(s, [a, b])


@entry("Qtys", "[the] areas of [the] (triangles|quadrilaterals) <ps:Many+>", "[the] areas of <f:Figure> and [of] <g:Figure>", example="The areas of the triangles ADE and ABC are in the ratio 1 : 4. => 4*area(A,D,E) == area(A,B,C)", counter="The areas of the triangles ADE are in the ratio 1 : 4.")
def areas(s: State, ps: list | None = None, f: Figure | None = None, g: Figure | None = None) -> list[Value]:
    rows = ps or [f.points, g.points]  # type: ignore[union-attr]
    return [Value(f"area({','.join(row)})", "num") for row in rows]


@entry("Qtys", "[the] distances (from|of) <p:Spot> (to|from) <cs:Curves>", example="The distances from P to the sides BC and CA are 1 and 2. => dist(P,line(B,C)) == 1; dist(P,line(A,C)) == 2", counter="The distances from P to the side BC are 1 and 2.")
def distances_to_lines(s: State, p: str, cs: list) -> list[Value]:
    return [distance_to_line(s, p, c) for c in cs]


@entry("Qtys", "[the] distances (from|of) <ps:Point+> (to|from) <c:Curve>", example="The distances of A and B from the line CD are 3 and 5. => dist(A,line(C,D)) == 3; dist(B,line(C,D)) == 5", counter="The distances of A and B from C are 3 and 5.")
def distances_of_points(s: State, ps: list, c: Any) -> list[Value]:
    return [distance_to_line(s, p, c) for p in ps]


@entry("Qtys", "[the] distances (from|of) <p:Spot> (to|from) <qs:Point+>", "[the] distances (from|of) <ps:Point+> (to|from) <q:Point>", example="The distances from P to A and B are 3 and 5. => dist(A,P) == 3; dist(B,P) == 5", counter="The distances from P to A are 3 and 5.")
def distances(s: State, p: str = "", qs: list | None = None, ps: list | None = None, q: str = "") -> list[Value]:
    return [Value(f"dist({p or one},{one if p else q})", "num") for one in qs or ps or []]


@entry("Qty", "(its|the) area", example="In triangle ABC, the area is 6. => triangle(A,B,C); area(A,B,C) == 6", counter="The area is 6.")
def its_area(s: State) -> Value:
    return Value(f"area({','.join(s.figure().points)})", "num")


@entry("Qty", "(its|the) perimeter", example="In triangle ABC, the perimeter is 12. => triangle(A,B,C); perimeter(A,B,C) == 12",
       counter="The perimeter is 12.")
def its_perimeter(s: State) -> Value:
    return Value(f"perimeter({','.join(s.figure().points)})", "num")


FACTORS = {"twice": "2", "double": "2", "half": "1/2", "thrice": "3", "three times": "3", "four times": "4", "five times": "5",
           "a third of": "1/3", "one third of": "1/3", "two thirds of": "2/3", "a quarter of": "1/4", "one quarter of": "1/4",
           "three quarters of": "3/4", "half of": "1/2", "six times": "6", "one half of": "1/2"}


@primitive("Factor")
def read_factor(tokens: list[Token], at: int) -> list[tuple[int, str]]:
    """*twice*, *half*, *two thirds of*."""
    out = []
    for words, text in FACTORS.items():
        row = words.split()
        if [token.low for token in tokens[at:at + len(row)]] == row:
            out.append((at + len(row), text))
    return sorted(out, reverse=True)


@entry("Qty", "<k:Factor> [of] <q:Qty>", example="Angle ABC is twice angle ACB. => angle(A,B,C) == 2*angle(A,C,B)", counter="Angle ABC is often angle ACB.")
def factor(s: State, k: str, q: Value) -> Value:
    if q.loose:
        raise Misread("a sum needs brackets")
    return Value(f"{k}*({q})", q.type)


@entry("Qty", "<k:Formula> times <q:Qty>", example="AB is 3 times CD. => dist(A,B) == 3*dist(C,D)", counter="AB is times CD.")
def times(s: State, k: Any, q: Value) -> Value:
    number = value(k, s)
    if number.type != "num" or q.loose:
        raise Misread("a number of times, and a sum needs brackets")
    return Value(f"({number})*({q})", q.type)


@entry("Qty", "[the] sum [of] <qs:Qty+>", "[the] sum of [the] (angles|lengths|distances) <qs:Qty+>",
       example="The sum of AB and AC is 14. => dist(A,B) + dist(A,C) == 14", counter="The sum of AB is 14.")
def sum_of(s: State, qs: list[Value]) -> Value:
    if len({item.type for item in qs}) > 1 or qs[0].type not in ("num", "angle", "vec"):
        raise Misread("sum of unlike things")
    return Value(" + ".join(item.text for item in qs), qs[0].type)


@entry("Qty", "[the] product of <qs:Qty+>", example="The product of PA and PB is 36. => dist(A,P)*dist(B,P) == 36", counter="The product of PA is 36.")
def product_of(s: State, qs: list[Value]) -> Value:
    if any(item.type != "num" for item in qs):
        raise Misread("product of lengths only")
    return Value("*".join(f"({item})" for item in qs), "num")


@entry("Qtys", "<qs:Qty*>", example="AB and CD are equal. => dist(A,B) == dist(C,D)", counter="AB is equal.")
def quantities(s: State, qs: list[Value]) -> list[Value]:
    return qs


@entry("Qtys", "[the] angles <ts:Three+>", example="The angles ABC and BCA are equal. => angle(A,B,C) == angle(A,C,B)", counter="The angles ABC are equal.")
def angles(s: State, ts: list[tuple]) -> list[Value]:
    return [Value(f"angle({','.join(t)})", "angle") for t in ts]


@entry("Qtys", "[the] [opposite] (sides|segments|diagonals|edges|legs|tangents|lengths) <ps:Pair+>",
       example="The segments AB and CD are equal. => dist(A,B) == dist(C,D)", counter="The circles AB and CD are equal.")
def lengths(s: State, ps: list[tuple]) -> list[Value]:
    s.curves["sides"] = [Line("two", p) for p in ps]
    return [Value(f"dist({p[0]},{p[1]})", "num") for p in ps]


# ---- facts ------------------------------------------------------------------------------------------------------------

@entry("Clause", "<a:Qty> (=|is|equals|is equal to) <b:Qty>", "<a:Qty> has [the] (length|size|measure) <b:Qty>",
       example="AB = 12. => dist(A,B) == 12", counter="AB = 12°.")
@entry("Fact", "<a:Qty> = <b:Qty>", example="Triangle ABC has sides AB = 7 and BC = 8. => triangle(A,B,C); dist(A,B) == 7; dist(B,C) == 8", counter="Triangle ABC has sides AB 7 and BC 8.")
def equal(s: State, a: Value, b: Value) -> None:
    same(s, a, b)


@entry("Clause", "<a:Qty> = <b:Qty> = <c:Qty>", "<a:Qty> = <b:Qty> = <c:Qty> = <d:Qty>",
       example="AB = AC = 10. => dist(A,B) == dist(A,C); dist(A,C) == 10", counter="AB = AC = 10°.")
@entry("Fact", "<a:Qty> = <b:Qty> = <c:Qty>", example="Triangle ABC has legs AB = AC = 10. => triangle(A,B,C); dist(A,B) == dist(A,C); dist(A,C) == 10", counter="Triangle ABC has legs AB = AC = 10°.")
def chain(s: State, a: Value, b: Value, c: Value, d: Value | None = None) -> None:
    same(s, a, b)
    same(s, b, c)
    if d:
        same(s, c, d)


@entry("Clause", "<a:Qtys> are [all] equal", "<a:Qtys> have (equal|the same) (area|size)",
       example="AB and CD are equal. => dist(A,B) == dist(C,D)", counter="AB and angle CDE are equal.")
def all_equal(s: State, a: list[Value]) -> None:
    if len(a) < 2:
        raise Misread("one thing is not equal")
    for item in a[1:]:
        same(s, a[0], item)


@entry("Clause", "<a:Qtys> are [all] (equal in length|equally long)", "<a:Qtys> have (equal lengths|equal length|the same length)",
       example="The vectors AB and AC have equal lengths. => dist(A,B) == dist(A,C)", counter="The vectors AB and AC have equal colours.")
def equal_in_length(s: State, a: list[Value]) -> None:
    if len(a) < 2 or any(item.type not in ("num", "vec") for item in a):
        raise Misread("two lengths or vectors")
    row = [item.text if item.type == "num" else f"norm({item})" for item in a]
    for item in row[1:]:
        s.add(f"{row[0]} == {item}")


@entry("Clause", "<a:Qtys> (are|have lengths|have [the] (lengths|sizes)|measure) <b:Qty+>",
       "<a:Qtys> (are|have lengths|have [the] (lengths|sizes)|measure) <b:Qty+> [respectively]",
       example="The segments AB and CD have lengths 3 and 4. => dist(A,B) == 3; dist(C,D) == 4", counter="The segments AB and CD have lengths 3, 4 and 5.")
def respectively(s: State, a: list[Value], b: list[Value]) -> None:
    if len(a) != len(b):
        raise Misread("as many values as things")
    for one, two in zip(a, b, strict=False):
        same(s, one, two)


@entry("Clause", "<a:Qtys> [each|all|both] have [the] length <b:Qty>", "<a:Qtys> are [each|both] <b:Qty> [long]",
       example="AB and CD have length 3. => dist(A,B) == 3; dist(C,D) == 3", counter="AB and CD have breadth 3.")
def each_equal(s: State, a: list[Value], b: Value) -> None:
    if len(a) < 2:
        raise Misread("one thing only")
    for one in a:
        same(s, one, b)


def ratio(s: State, left: list[Value], right: list[Value]) -> None:
    """left[0] : left[1] : … = right[0] : right[1] : …"""
    if any(item.type not in ("num", "angle") or item.type != left[0].type for item in left) or len(left) != len(right):
        raise Misread("a ratio of unlike things")
    if len({item.type for item in right}) > 1:
        raise Misread("a ratio of unlike things")
    for one, m, two, n in zip(left, right, left[1:], right[1:], strict=False):
        s.add(f"({n})*({one}) == ({m})*({two})")


@entry("Clause", "<a:Qty> : <b:Qty> (=|is|equals) <m:Qty> : <n:Qty>", "[the] ratio <a:Qty> : <b:Qty> (=|is|equals) <m:Qty> : <n:Qty>",
       example="BD : DC = 2 : 3. => 3*dist(B,D) == 2*dist(C,D)", counter="BD : DC = 2.")
def ratio_of_two(s: State, a: Value, b: Value, m: Value, n: Value) -> None:
    ratio(s, [a, b], [m, n])


@entry("Ratio", "<a:Qty> : <b:Qty>", example="BD : DC = CE : EA = 1 : 2. => 2*dist(B,D) == dist(C,D); 2*dist(C,E) == dist(A,E)", counter="BD : DC = CE : = 1 : 2.")
def one_ratio(s: State, a: Value, b: Value) -> list[Value]:
    return [a, b]


@entry("Clause", "<a:Ratio> = <b:Ratio> = <m:Qty> : <n:Qty>", "<a:Ratio> = <b:Ratio> = <c:Ratio> = <m:Qty> : <n:Qty>", example="BD : DC = CE : EA = AF : FB = 1 : 2. => 2*dist(B,D) == dist(C,D); 2*dist(C,E) == dist(A,E); 2*dist(A,F) == dist(B,F)", counter="BD : DC = CE : EA = 2.")
def equal_ratios(s: State, a: list, b: list, m: Value, n: Value, c: list | None = None) -> None:
    for row in (a, b, *([c] if c else [])):
        ratio(s, row, [m, n])


@entry("Clause", "<a:Qty> : <b:Qty> : <c:Qty> (=|is) <m:Qty> : <n:Qty> : <k:Qty>",
       example="AB : BC : CA = 3 : 4 : 5. => 4*dist(A,B) == 3*dist(B,C); 5*dist(B,C) == 4*dist(A,C)", counter="AB : BC : CA = 3 : 4.")
def ratio_of_three(s: State, a: Value, b: Value, c: Value, m: Value, n: Value, k: Value) -> None:
    ratio(s, [a, b, c], [m, n, k])


@entry("Clause", "[the] ratio of <a:Qty> to <b:Qty> is <m:Qty> : <n:Qty>",
       example="The ratio of BD to DC is 2 : 3. => 3*dist(B,D) == 2*dist(C,D)", counter="The ratio of BD is 2 : 3.")
def ratio_in_words(s: State, a: Value, b: Value, m: Value, n: Value) -> None:
    ratio(s, [a, b], [m, n])


@entry("Clause", "<a:Qtys> are in the ratio <m:Qty> : <n:Qty>", "<a:Qtys> are in the ratio <m:Qty> : <n:Qty> : <k:Qty>",
       example="BD and DC are in the ratio 2 : 3. => 3*dist(B,D) == 2*dist(C,D)", counter="BD is in the ratio 2 : 3.")
def in_ratio(s: State, a: list[Value], m: Value, n: Value, k: Value | None = None) -> None:
    ratio(s, a, [m, n] + ([k] if k else []))


def _angle_word(s: State, items: list[Value], word: str) -> None:
    for item in items:
        if not item.text.startswith("angle(") or item.text.count(",") != 2 or "(" in item.text[6:]:
            raise Misread("not an angle by three letters")
        s.add(item.text.replace("angle", word, 1))


@entry("Clause", "<q:Qty> is (right|a right angle)", "<q:Qtys> are (right|right angles)", example="Angle ACB is right. => right(A,C,B)", counter="AB is right.")
def right_angle(s: State, q: Any) -> None:
    _angle_word(s, q if isinstance(q, list) else [q], "right")


@entry("Clause", "<q:Qty> is acute", "<q:Qtys> are acute", example="Angle ACB is acute. => acute(A,C,B)", counter="AB is acute.")
def acute(s: State, q: Any) -> None:
    _angle_word(s, q if isinstance(q, list) else [q], "acute")


@entry("Clause", "<q:Qty> is obtuse", "<q:Qtys> are obtuse", example="Angle ACB is obtuse. => obtuse(A,C,B)", counter="AB is obtuse.")
def obtuse(s: State, q: Any) -> None:
    _angle_word(s, q if isinstance(q, list) else [q], "obtuse")


@entry("Clause", "[the] (acute|obtuse) angle <t:Three> (=|is|equals) <b:Qty>", example="The acute angle ABC is 60°. => angle(A,B,C) == deg(60)",
       counter="The acute angle ABC is 5.")
def named_angle(s: State, t: tuple, b: Value) -> None:
    same(s, Value(f"angle({','.join(t)})", "angle"), b)


@entry("Clause", "<a:Qty> (is (less|smaller|shorter) than|LT) <b:Qty>", "<a:Qty> (less|smaller|shorter) than <b:Qty>", example="AB is shorter than CD. => dist(A,B) < dist(C,D)", counter="AB is shorter.")
def less(s: State, a: Value, b: Value) -> None:
    if a.type != b.type:
        raise Misread("unlike things")
    s.add(f"{a} < {b}")


@entry("Clause", "<a:Qty> (is (greater|larger|longer|bigger) than|GT) <b:Qty>", "<a:Qty> (greater|larger|longer|bigger) than <b:Qty>", example="AB > CD. => dist(C,D) < dist(A,B)", counter="AB > angle CDE.")
def greater(s: State, a: Value, b: Value) -> None:
    less(s, b, a)
