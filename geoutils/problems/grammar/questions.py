"""Questions: what is asked, with its unit or orientation, as an expression over points."""

from __future__ import annotations

from .engine import Misread, entry
from .state import Figure, State


def letters(f: Figure) -> str:
    return ",".join(f.points)


@entry("Question", "find <q:AskLength>", example="Find the length of AB. => dist(A,B)", counter="Find AB.")
def asked_length(s: State, q: str) -> str:
    return q


@entry(
    "Question",
    "find <q:AskArea>",
    example="Find the area of triangle ABC. => area(A,B,C)",
    counter="Find the area ABC.",
)
def asked_area(s: State, q: str) -> str:
    return q


@entry(
    "Question",
    "find <q:AskAngle> in degrees",
    example="Find the angle ABC in degrees. => angle(A,B,C)",
    counter="Find the angle ABC.",
)
def asked_angle(s: State, q: str) -> str:
    return q


@entry(
    "Question",
    "find the ratio <a:Pair> : <b:Pair> as a single number",
    example="Find the ratio AB : CD as a single number. => dist(A,B)/dist(C,D)",
    counter="Find the ratio AB : CD.",
)
def asked_ratio(s: State, a: tuple, b: tuple) -> str:
    return f"dist({','.join(a)})/dist({','.join(b)})"


@entry(
    "Question",
    "find the ratio of <a:Asked> to <b:Asked> as a single number",
    example="Find the ratio of the area of triangle ABC to the area of triangle DEF as a single number. => area(A,B,C)/area(D,E,F)",
    counter="Find the ratio of the area of triangle ABC to the area of triangle DEF.",
)
def asked_ratio_of(s: State, a: str, b: str) -> str:
    return f"({a})/({b})"


@entry(
    "Question",
    "find the ratio of the <w:CircleWord> to the <v:CircleWord> of triangle <t:Three> as a single number",
    example="Find the ratio of the inradius to the circumradius of triangle ABC as a single number. => inradius(A,B,C)/circumradius(A,B,C)",
    counter="Find the ratio of the inradius to the circumradius of triangle AB as a single number.",
)
def asked_ratio_of_radii(s: State, w: str, v: str, t: tuple) -> str:
    return f"({w.format(','.join(t))})/({v.format(','.join(t))})"


for _text, _pattern in (
    ("inradius", "inradius({})"),
    ("circumradius", "circumradius({})"),
    ("area of the incircle", "pi*inradius({})**2"),
    ("area of the circumcircle", "pi*circumradius({})**2"),
    ("radius of the incircle", "inradius({})"),
    ("radius of the circumcircle", "circumradius({})"),
):

    def _word(s: State, _pattern: str = _pattern) -> str:
        return _pattern

    _word.__name__ = _text.replace(" ", "_")
    entry(
        "CircleWord",
        _text,
        f"the {_text}",
        example=f"Find the ratio of the {_text} to the inradius of triangle ABC as a single number. => "
        + ("(" * (_pattern[0] != "p") + "").replace("(", "")
        + _pattern.format("A,B,C")
        + "/inradius(A,B,C)",
        counter=f"Find the ratio of the {_text}s to the inradius of triangle ABC as a single number.",
    )(_word)


@entry(
    "Asked",
    "<q:AskLength>",
    "<q:AskArea>",
    example="Find the ratio of the length of AB to the perimeter of triangle ABC as a single number. => dist(A,B)/perimeter(A,B,C)",
    counter="Find the ratio of the perimeter of triangle ABC as a single number.",
)
def asked(s: State, q: str) -> str:
    return q


@entry(
    "Asked",
    "<p:Pair>",
    example="Find the ratio of AB to CD as a single number. => dist(A,B)/dist(C,D)",
    counter="Find the ratio of ABC to CD as a single number.",
)
def asked_segment(s: State, p: tuple) -> str:
    return f"dist({','.join(p)})"


@entry(
    "Asked",
    "the sum of <a:Pair> and <b:Pair>",
    example="Find the ratio of the sum of AB and CD to EF as a single number. => (dist(A,B) + dist(C,D))/dist(E,F)",
    counter="Find the ratio of the sum of AB to EF as a single number.",
)
def asked_sum(s: State, a: tuple, b: tuple) -> str:
    return f"dist({','.join(a)}) + dist({','.join(b)})"


@entry(
    "Asked",
    "[the sum] <a:Pair> + <b:Pair>",
    example="Find the ratio of FG to PF + PG as a single number. => dist(F,G)/(dist(F,P) + dist(G,P))",
    counter="Find the ratio of FG to PF + as a single number.",
)
def asked_plain_sum(s: State, a: tuple, b: tuple) -> str:
    return f"dist({','.join(a)}) + dist({','.join(b)})"


@entry(
    "Asked",
    "the area of the incircle",
    example="Find the ratio of the area of the incircle to the area of triangle ABC as a single number. => inradius(A,B,C)**2*pi/area(A,B,C)",
    counter="Find the ratio of the area of the incircle to AB as a single number.",
)
def asked_incircle(s: State) -> str:
    corners = [token.points for token in s.tokens if token.kind == "pts"]
    if len(corners) != 1 or len(corners[0]) != 3:
        raise Misread("the incircle of which triangle")
    return f"pi*inradius({','.join(corners[0])})**2"


@entry(
    "Asked",
    "the area of the circumcircle",
    example="Find the ratio of the area of the circumcircle to the area of triangle ABC as a single number. => circumradius(A,B,C)**2*pi/area(A,B,C)",
    counter="Find the ratio of the area of the circumcircle to AB as a single number.",
)
def asked_circumcircle(s: State) -> str:
    return asked_incircle(s).replace("inradius", "circumradius")


# ---- lengths ----------------------------------------------------------------------------------------------------------


@entry(
    "AskLength",
    "the length of [the] [segment|side|chord|diagonal|edge|median|altitude|bisector|tangent|tangent segment|common chord|lateral edge|space diagonal] <p:Pair>",
    example="Find the length of the chord AB. => dist(A,B)",
    counter="Find the length of ABC.",
)
def length(s: State, p: tuple) -> str:
    return f"dist({','.join(p)})"


@entry(
    "AskLength",
    "the distance from <p:Point> to <q:Point>",
    "the distance between [the] [points] <p:Point> and <q:Point>",
    "the distance of <p:Point> from <q:Point>",
    example="Find the distance from A to B. => dist(A,B)",
    counter="Find the distance from A.",
)
def distance(s: State, p: str, q: str) -> str:
    return f"dist({p},{q})"


@entry(
    "AskLength",
    "the distance from <p:Point> to the (line|side) <q:Pair>",
    "the distance of <p:Point> from the (line|side) <q:Pair>",
    example="Find the distance from A to the line BC. => dist(A,line(B,C))",
    counter="Find the distance from A to BC.",
)
def distance_to_line(s: State, p: str, q: tuple) -> str:
    return f"dist({p},line({','.join(q)}))"


@entry(
    "AskLength",
    "the distance between the [parallel] lines <a:Pair> and <b:Pair>",
    "the distance between the [parallel] sides <a:Pair> and <b:Pair>",
    example="Find the distance between the lines AB and CD. => dist(line(A,B),line(C,D))",
    counter="Find the distance between the lines AB.",
)
def distance_of_lines(s: State, a: tuple, b: tuple) -> str:
    return f"dist(line({','.join(a)}),line({','.join(b)}))"


@entry(
    "AskLength",
    "the distance from <p:Point> to the (plane|face|base) <q:Many>",
    example="Find the distance from A to the plane BCD. => dist(A,plane(B,C,D))",
    counter="Find the distance from A to the plane BC.",
)
def distance_to_plane(s: State, p: str, q: tuple) -> str:
    return f"dist({p},plane({','.join(q[:3])}))"


@entry(
    "AskLength",
    "the perimeter of <f:Figure>",
    example="Find the perimeter of triangle ABC. => perimeter(A,B,C)",
    counter="Find the perimeter of AB.",
)
def perimeter(s: State, f: Figure) -> str:
    return f"perimeter({letters(f)})"


@entry(
    "AskLength",
    "the radius of <c:AskCircle>",
    example="Find the radius of the circle through A, B and C. => circumradius(A,B,C)",
    counter="Find the radius of the line AB.",
)
def radius(s: State, c: tuple) -> str:
    return c[1]


@entry(
    "AskLength",
    "the diameter of <c:AskCircle>",
    example="Find the diameter of the circle through A, B and C. => 2*circumradius(A,B,C)",
    counter="Find the diameter of the line AB.",
)
def diameter(s: State, c: tuple) -> str:
    return f"2*({c[1]})"


@entry(
    "AskLength",
    "the circumference of <c:AskCircle>",
    example="Find the circumference of the circle through A, B and C. => 2*circumradius(A,B,C)*pi",
    counter="Find the circumference of the line AB.",
)
def circumference(s: State, c: tuple) -> str:
    return f"2*pi*({c[1]})"


@entry(
    "AskLength",
    "the (inradius|radius of the incircle) of triangle <t:Three>",
    example="Find the inradius of triangle ABC. => inradius(A,B,C)",
    counter="Find the inradius of AB.",
)
def inradius(s: State, t: tuple) -> str:
    return f"inradius({','.join(t)})"


@entry(
    "AskLength",
    "the circumradius of triangle <t:Three>",
    example="Find the circumradius of triangle ABC. => circumradius(A,B,C)",
    counter="Find the circumradius of AB.",
)
def circumradius(s: State, t: tuple) -> str:
    return f"circumradius({','.join(t)})"


@entry(
    "AskLength",
    "the (least|smallest) value of <a:Pair> + <b:Pair> for points <p:Name> of the line <c:Pair>",
    "the (least|smallest) value of <a:Pair> + <b:Pair> for points <p:Name> on the line <c:Pair>",
    example="Find the least value of AP + PB for points P of the line CD. => dist(A,reflect(B,C,D))",
    counter="Find the least value of AP for points P of the line CD.",
)
def least_way(s: State, a: tuple, b: tuple, p: str, c: tuple) -> str:
    if p not in a or p not in b:
        raise Misread("the way over the point")
    one, two = next(x for x in a if x != p), next(x for x in b if x != p)
    return f"dist({one},reflect({two},{','.join(c)}))"


@entry(
    "AskLength",
    "the length of the shorter arc <p:Pair> of the circle with centre <o:Point>",
    example="Find the length of the shorter arc AB of the circle with centre O. => arc_length(O,A,B)",
    counter="Find the length of the arc AB.",
)
def arc(s: State, p: tuple, o: str) -> str:
    return f"arc_length({o},{','.join(p)})"


@entry(
    "AskLength",
    "the length of the longer arc <p:Pair> of the circle with centre <o:Point>",
    example="Find the length of the longer arc AB of the circle with centre O. => 2*dist(A,O)*pi - arc_length(O,A,B)",
    counter="Find the length of the longer arc AB.",
)
def longer_arc(s: State, p: tuple, o: str) -> str:
    return f"2*pi*dist({o},{p[0]}) - arc_length({o},{','.join(p)})"


@entry(
    "AskLength",
    "the height of [the] trapezoid <q:Quad> [with <a:Pair> parallel to <b:Pair>]",
    "the distance between the parallel sides <a:Pair> and <b:Pair> of [the] trapezoid <q:Quad>",
    example="Find the height of the trapezoid ABCD with AB parallel to CD. => dist(line(A,B),line(C,D))",
    counter="Find the height of the trapezoid ABCD.",
)
def height(s: State, q: tuple, a: tuple = (), b: tuple = ()) -> str:
    if not a:
        raise Misread("which sides are parallel")
    return f"dist(line({','.join(a)}),line({','.join(b)}))"


# ---- angles -----------------------------------------------------------------------------------------------------------


@entry(
    "AskAngle",
    "[the] angle <t:Three>",
    example="Find the angle ABC in degrees. => angle(A,B,C)",
    counter="Find the angle AB in degrees.",
)
def angle(s: State, t: tuple) -> str:
    return f"angle({','.join(t)})"


@entry(
    "AskAngle",
    "the angle at <p:Point> (of|in) triangle <t:Three>",
    example="Find the angle at B of triangle ABC in degrees. => angle(A,B,C)",
    counter="Find the angle at D of triangle ABC in degrees.",
)
def angle_at(s: State, p: str, t: tuple) -> str:
    if p not in t:
        raise Misread("a corner of the triangle")
    one, two = (x for x in t if x != p)
    return f"angle({one},{p},{two})"


@entry(
    "AskAngle",
    "the acute angle between [the] (lines|diagonals|segments|sides|edges|medians|chords|bisectors|altitudes) <a:Pair> and <b:Pair>",
    "the acute angle between [the] [line|segment|side|edge|diagonal|median|altitude|bisector|chord] <a:Pair> and [the] [line|segment|side|edge|diagonal|median|altitude|bisector|chord] <b:Pair>",
    example="Find the acute angle between the lines AB and CD in degrees. => angle(line(A,B),line(C,D))",
    counter="Find the angle between the lines AB and CD in degrees.",
)
def angle_of_lines(s: State, a: tuple, b: tuple) -> str:
    return f"angle(line({','.join(a)}),line({','.join(b)}))"


@entry(
    "AskAngle",
    "the angle between the [line|edge|diagonal|segment] <a:Pair> and the (plane|base|face) <b:Many>",
    example="Find the angle between the line AG and the plane ABC in degrees. => angle(line(A,G),plane(A,B,C))",
    counter="Find the angle between the line AG and the plane AB in degrees.",
)
def angle_with_plane(s: State, a: tuple, b: tuple) -> str:
    return f"angle(line({','.join(a)}),plane({','.join(b[:3])}))"


@entry(
    "AskAngle",
    "the acute angle between the (planes|faces) <a:Many> and <b:Many>",
    "the acute angle between the (plane|face|base|side face) <a:Many> and the (plane|face|base) <b:Many>",
    example="Find the acute angle between the planes ABC and ABD in degrees. => angle(plane(A,B,C),plane(A,B,D))",
    counter="Find the acute angle between the planes AB and ABD in degrees.",
)
def angle_of_planes(s: State, a: tuple, b: tuple) -> str:
    return f"angle(plane({','.join(a[:3])}),plane({','.join(b[:3])}))"


@entry(
    "AskAngle",
    "the acute angle at <p:Point> between the tangents to the circles with centres <o:Point> and <q:Point>",
    example="Find the acute angle at A between the tangents to the circles with centres O and Q in degrees. => angle(line(A,O),line(A,Q))",
    counter="Find the acute angle at A between the tangents in degrees.",
)
def angle_of_circles(s: State, p: str, o: str, q: str) -> str:
    return f"angle(line({p},{o}),line({p},{q}))"


@entry(
    "AskAngle",
    "the acute angle between the chord <c:Pair> and the tangent at <t:Point> to the circle with centre <o:Point>",
    "the acute angle between the line <c:Pair> and the tangent at <t:Point> to the circle with centre <o:Point>",
    example="Find the acute angle between the chord AB and the tangent at A to the circle with centre O in degrees. => deg(90) - angle(line(A,B),line(A,O))",
    counter="Find the acute angle between the chord AB and the tangent at A in degrees.",
)
def angle_with_tangent(s: State, c: tuple, t: str, o: str) -> str:
    return f"deg(90) - angle(line({','.join(c)}),line({o},{t}))"


@entry(
    "AskAngle",
    "the angle between the directions <a:Pair> and <b:Pair>",
    "the angle of the turn that carries [the segment] <a:Pair> to [the segment] <b:Pair>",
    example="Find the angle between the directions AB and CD in degrees. => angle(vec(A,B),vec(C,D))",
    counter="Find the angle between the directions AB in degrees.",
)
def angle_of_directions(s: State, a: tuple, b: tuple) -> str:
    return f"angle(vec({','.join(a)}),vec({','.join(b)}))"
