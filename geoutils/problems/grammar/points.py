"""Points described by what they are: midpoints, feet, centres, images; and cevians by name."""

from __future__ import annotations

from typing import Any

from .algebra import Value
from .curves import chord_bar
from .engine import Misread, entry
from .state import Circle, Figure, Line, PointDef, State, same


def cevian(s: State, p: tuple, word: str) -> Line:
    """The altitude, median or bisector AD of the triangle with corner A: says where D is."""
    a, d = p
    b, c = s.triangle_of(a)
    side = Line("two", (b, c), "segment")
    if word == "median":
        s.add(f"midpoint({d},{b},{c})")
    elif word == "altitude":
        s.add(f"on_line({d},{b},{c})")
        s.add(f"perp({a},{d},{b},{c})")
    else:
        s.add(f"bisects({d},{b},{a},{c})")
        side.on(s, d)
    s.segment = p
    return Line("two", p, "line" if word == "altitude" else "segment")


def _define(name: str, *args: str, text: str = "") -> PointDef:
    return PointDef(lambda s, x: s.add(f"{name}({x},{','.join(args)})"), text)


def equals(text: str) -> PointDef:
    return PointDef(lambda s, x: s.add(f"{x} == {text}"), text)


@entry(
    "PointDef",
    "[the] midpoint of <p:Bar> [of <f:Figure>]",
    "[the] (centre|middle point) of [the] segment <p:Pair>",
    example="D is the midpoint of BC. => midpoint(D,B,C)",
    counter="D is the midpoint of ABC.",
)
def midpoint(s: State, p: tuple, f: Any = None) -> PointDef:
    return _define("midpoint", *p, text=f"mid({p[0]},{p[1]})")


@entry(
    "PointDefs",
    "[the] midpoints of [the] [sides|segments|edges|diagonals|legs] <ps:Pair+> [of <f:Figure>]",
    example="D and E are the midpoints of BC and CA. => midpoint(D,B,C); midpoint(E,A,C)",
    counter="D and E are the midpoints of BC.",
)
def midpoints(s: State, ps: list, f: Any = None) -> list:
    return [midpoint(s, p) for p in ps]


@entry(
    "PointDefs",
    "[the] midpoints of [the] chords <ps:Pair+> [of <c:Curve>]",
    example="A circle has centre O and radius 5. M and N are the midpoints of the chords AB and CD. => dist(A,O) == 5; dist(B,O) == 5; dist(C,O) == 5; dist(D,O) == 5; midpoint(M,A,B); midpoint(N,C,D)",
    counter="M and N are the midpoints of the chords AB and CD.",
)
def midpoints_of_chords(s: State, ps: list, c: Any = None) -> list:
    return [midpoint(s, chord_bar(s, p, c)) for p in ps]


@entry(
    "PointDef",
    "its midpoint",
    example="The segment AB has length 6. M is its midpoint. => dist(A,B) == 6; midpoint(M,A,B)",
    counter="M is its midpoint.",
)
def its_midpoint(s: State) -> PointDef:
    if not s.segment:
        raise Misread("no segment")
    return midpoint(s, s.segment)


@entry(
    "PointDef",
    "[the] foot of the (perpendicular|altitude) from <p:Point> (to|on|onto) <c:Curve>",
    example="D is the foot of the perpendicular from A to the line BC. => D == foot(A,B,C)",
    counter="D is the foot of the perpendicular from A.",
)
def foot(s: State, p: str, c: Any) -> PointDef:
    if not isinstance(c, Line):
        raise Misread("foot on a line")
    return equals(f"foot({p},{c.args()})")


@entry(
    "PointDef",
    "[the] foot of the altitude from <p:Point>",
    example="In triangle ABC, D is the foot of the altitude from A. => triangle(A,B,C); D == foot(A,B,C)",
    counter="D is the foot of the altitude from A.",
)
def altitude_foot(s: State, p: str) -> PointDef:
    return equals(f"foot({p},{','.join(s.triangle_of(p))})")


@entry(
    "PointDefs",
    "[the] feet of the (perpendiculars|altitudes) from <ps:Point+>",
    example="In triangle ABC, D and E are the feet of the altitudes from A and B. => triangle(A,B,C); D == foot(A,B,C); E == foot(B,A,C)",
    counter="D and E are the feet of the altitudes from A and B.",
)
def altitude_feet(s: State, ps: list) -> list:
    return [altitude_foot(s, p) for p in ps]


@entry(
    "PointDefs",
    "[the] feet of the perpendiculars from <p:Point> (to|on|onto) <cs:Curves>",
    "[the] feet of the perpendiculars from <ps:Point+> (to|on|onto) <cs:Curves>",
    example="D and E are the feet of the perpendiculars from P to the lines AB and AC. => D == foot(P,A,B); E == foot(P,A,C)",
    counter="D and E are the feet of the perpendiculars from P.",
)
def feet(s: State, cs: list, p: str = "", ps: list | None = None) -> list:
    tops = ps or [p] * len(cs)
    lines = cs if len(cs) > 1 else cs * len(tops)
    if len(tops) != len(lines):
        raise Misread("as many lines as feet")
    return [foot(s, top, one) for top, one in zip(tops, lines, strict=False)]


@entry(
    "PointDef",
    "[the] foot of the bisector (of angle <t:Three>|from <p:Point>)",
    example="In triangle ABC, D is the foot of the bisector from A. => triangle(A,B,C); D == bisector_foot(A,B,C)",
    counter="D is the foot of the bisector.",
)
def bisector_foot(s: State, t: tuple = (), p: str = "") -> PointDef:
    b, c = (t[0], t[2]) if t else s.triangle_of(p)
    return equals(f"bisector_foot({t[1] if t else p},{b},{c})")


_CENTRES = {
    "incentre": "incenter",
    "centroid": "centroid",
    "orthocentre": "orthocenter",
    "circumcentre": "circumcenter",
}


def _centre(word: str, function: str) -> None:
    def of(s: State, t: tuple = ()) -> PointDef:
        if t:
            s.add(f"triangle({','.join(t)})")
        corners = t or s.triangle()
        return equals(f"{function}({','.join(corners)})")

    of.__name__ = word
    entry(
        "PointDef",
        f"[the|its] {word} of [the] triangle <t:Three>",
        f"(the|its) {word} [of the triangle]",
        example=f"In triangle ABC, G is the {word}. => triangle(A,B,C); G == {function}(A,B,C)",
        counter=f"G is the {word}.",
    )(of)


for _word, _function in _CENTRES.items():
    _centre(_word, _function)


@entry(
    "PointDef",
    "[the] excentre of [the] triangle <t:Three> [that lies] opposite [to] <p:Point>",
    "[the] excentre opposite [to] <p:Point>",
    example="J is the excentre of triangle ABC opposite A. => triangle(A,B,C); J == excenter(A,B,C)",
    counter="J is the excentre of triangle ABC.",
)
def excentre(s: State, p: str, t: tuple = ()) -> PointDef:
    if t:
        s.add(f"triangle({','.join(t)})")
    corners = t or s.triangle()
    if p not in corners:
        raise Misread("opposite a corner")
    return equals(f"excenter({p},{','.join(item for item in corners if item != p)})")


@entry(
    "PointDef",
    "[the] centre of <c:Curve>",
    example="J is the centre of the incircle of triangle ABC. => triangle(A,B,C); J == incenter(A,B,C)",
    counter="J is the centre of the line AB.",
)
def centre_of_circle(s: State, c: Any) -> PointDef:
    if not isinstance(c, Circle):
        raise Misread("of a circle")
    return PointDef(lambda st, x: c.name_centre(st, x), c.centre)


@entry(
    "PointDef",
    "[the] (intersection|point of intersection|crossing point|intersection point) of <cs:Curves>",
    example="P is the intersection of the lines AB and CD. => on_line(P,A,B); on_line(P,C,D)",
    counter="P is the intersection of the line AB.",
)
def intersection(s: State, cs: list) -> PointDef:
    if len(cs) != 2:
        raise Misread("two lines cross")
    text = f"meet({cs[0].args()},{cs[1].args()})" if all(isinstance(c, Line) and c.kind == "two" for c in cs) else ""
    return PointDef(lambda st, x: [c.on(st, x) for c in cs], text)


@entry(
    "PointDef",
    "[the] (centre|center) of [the] (square|rectangle|parallelogram|rhombus|face|base) <q:Quad>",
    "[the] intersection of the diagonals of [the] [parallelogram|rectangle|square|rhombus] <q:Quad>",
    example="M is the centre of the face ABCD. => M == centroid(A,B,C,D)",
    counter="M is the centre of the face ABC.",
)
def centre_of_four(s: State, q: tuple) -> PointDef:
    return equals(f"centroid({','.join(q)})")


@entry(
    "PointDef",
    "(its|the) centre [of the (square|rectangle|parallelogram|rhombus|base|triangle)]",
    "(its|the) centre of [the] <f:Figure>",
    example="ABCDEF is a regular hexagon. O is its centre. => regular(A,B,C,D,E,F); O == circumcenter(A,B,C)",
    counter="O is its centre.",
)
def its_centre(s: State, f: Figure | None = None) -> PointDef:
    points = (f or s.figure()).points
    return equals(f"centroid({','.join(points)})" if len(points) in (4, 8) else f"circumcenter({','.join(points[:3])})")


@entry(
    "PointDef",
    "[the] (midpoint|middle) of the shorter arc <p:Pair> [of the circle]",
    example="A circle has centre O and radius 5. AB is a chord. N is the midpoint of the shorter arc AB. => dist(A,O) == 5; dist(B,O) == 5; dist(N,O) == 5; dist(A,N) == dist(B,N); opposite(N,O,A,B)",
    counter="N is the midpoint of the shorter arc AB.",
)
def arc_midpoint(s: State, p: tuple, longer: bool = False) -> PointDef:
    circle = s.circle()

    def say(st: State, x: str) -> None:
        for point in (*p, x):
            circle.on(st, point)
        st.add(f"dist({x},{p[0]}) == dist({x},{p[1]})")
        st.add(f"{'same_side' if longer else 'opposite'}({x},{circle.centre_of(st)},{p[0]},{p[1]})")

    return PointDef(say)


@entry(
    "PointDef",
    "[the] midpoint of the longer arc <p:Pair> [of the circle]",
    example="A circle has centre O and radius 5. AB is a chord. N is the midpoint of the longer arc AB. => dist(A,O) == 5; dist(B,O) == 5; dist(N,O) == 5; dist(A,N) == dist(B,N); same_side(N,O,A,B)",
    counter="N is the midpoint of the longer arc AB.",
)
def longer_arc_midpoint(s: State, p: tuple) -> PointDef:
    return arc_midpoint(s, p, longer=True)


@entry(
    "PointDef",
    "[the] midpoint of [the] arc <p:Pair> [of the circumcircle] (not containing|that does not contain|without) <q:Point>",
    example="In triangle ABC, D is the midpoint of the arc BC of the circumcircle not containing A. => triangle(A,B,C); cyclic(A,B,C,D); dist(B,D) == dist(C,D); opposite(A,D,B,C)",
    counter="D is the midpoint of the arc BC.",
)
def arc_midpoint_without(s: State, p: tuple, q: str) -> PointDef:
    def say(st: State, x: str) -> None:
        st.add(f"cyclic({p[0]},{p[1]},{q},{x})")
        st.add(f"dist({x},{p[0]}) == dist({x},{p[1]})")
        st.add(f"opposite({x},{q},{p[0]},{p[1]})")

    return PointDef(say)


@entry(
    "PointDef",
    "[the] point of <c:Curve> (closest|nearest) to <p:Point>",
    example="D is the point of the line BC closest to A. => D == foot(A,B,C)",
    counter="D is the point of the line BC.",
)
def nearest(s: State, c: Any, p: str) -> PointDef:
    return foot(s, p, c)


@entry(
    "PointDef",
    "[the] point of <c:Curve> for which [the] angle <t:Three> is (greatest|largest)",
    example="P is the point of ray CD for which angle APB is greatest. => on_ray(P,C,D); perp(C,D,P,circumcenter(A,B,P))",
    counter="P is the point of ray CD for which AP is greatest.",
)
def greatest_angle(s: State, c: Any, t: tuple) -> PointDef:
    def say(st: State, x: str) -> None:
        if t[1] != x:
            raise Misread("the angle at the point itself")
        c.on(st, x)
        st.add(f"perp({x},circumcenter({','.join(t)}),{c.args()})")

    return PointDef(say)


@entry(
    "Clause",
    "<p:Point> (of|on) <c:Curve> is (such that|chosen so that) <a:Pair> + <b:Pair> is (least|as small as possible)",
    "[the] point <p:Name> (of|on) <c:Curve> is such that <a:Pair> + <b:Pair> is (least|as small as possible)",
    example="The point P of the line CD is such that AP + PB is least. => on_line(P,C,D); P == meet(A,reflect(B,C,D),C,D)",
    counter="The point P of the line CD is such that AP is least.",
)
def shortest_way(s: State, p: str, c: Any, a: tuple, b: tuple) -> None:
    if p not in a or p not in b or not isinstance(c, Line) or c.kind not in ("two", "eq"):
        raise Misread("the way over the point")
    one, two = next(x for x in a if x != p), next(x for x in b if x != p)
    if c.kind == "two":
        Line("two", c.data).on(s, p)
        s.add(f"{p} == meet({one},reflect({two},{c.args()}),{c.args()})")
    else:
        s.add(f"{p} == meet(line({one},reflect({two},{c.obj()})),{c.obj()})")


# ---- saying that a point is described so ------------------------------------------------------------------------------


@entry(
    "Clause",
    "<ps:Points> (is|are) <d:PointDef>",
    "let <ps:Points> be <d:PointDef>",
    "<d:PointDef> is <ps:Points>",
    example="D is the midpoint of BC. => midpoint(D,B,C)",
    counter="D and E are the midpoint of BC.",
)
def point_is(s: State, ps: list, d: PointDef) -> None:
    if len(ps) != 1:
        raise Misread("one point")
    d.say(s, ps[0])


@entry(
    "Clause",
    "<ps:Points> are <d:PointDefs>",
    "let <ps:Points> be <d:PointDefs>",
    "<d:PointDefs> are <ps:Points>",
    example="The midpoints of BC and CA are D and E. => midpoint(D,B,C); midpoint(E,A,C)",
    counter="The midpoints of BC and CA are D.",
)
def points_are(s: State, ps: list, d: list) -> None:
    if len(ps) != len(d):
        raise Misread("as many points as descriptions")
    for point, item in zip(ps, d, strict=False):
        item.say(s, point)


@entry(
    "Dot",
    "[the] midpoint <x:Name> of <p:Bar>",
    example="The distance from the midpoint M of AB to C is 5. => midpoint(M,A,B); dist(C,M) == 5",
    counter="The distance from the midpoint M to C is 5.",
)
def named_midpoint(s: State, x: str, p: tuple) -> str:
    midpoint(s, p).say(s, x)
    return x


@entry(
    "Dot",
    "[the] (centroid|centre of gravity) <x:Name> of triangle <t:Three>",
    example="The distance from the centroid G of triangle ABC to D is 5. => triangle(A,B,C); G == centroid(A,B,C); dist(D,G) == 5",
    counter="The distance from the centroid G of ABC to D is 5.",
)
def named_centroid(s: State, x: str, t: tuple) -> str:
    s.add(f"triangle({','.join(t)})")
    s.add(f"{x} == centroid({','.join(t)})")
    return x


@entry(
    "Dot",
    "[the] (incentre|center of the incircle) <x:Name> of triangle <t:Three>",
    example="The distance from the incentre J of triangle ABC to D is 5. => triangle(A,B,C); J == incenter(A,B,C); dist(D,J) == 5",
    counter="The distance from the incentre J of ABC to D is 5.",
)
def named_incentre(s: State, x: str, t: tuple) -> str:
    s.add(f"triangle({','.join(t)})")
    s.add(f"{x} == incenter({','.join(t)})")
    return x


@entry(
    "Clause",
    "[the] [segment|line] <a:Pair> is (a|an|the) <w:Cevian> [of [the] triangle [<t:Three>]]",
    "<ps:Pair+> are [the] <w:Cevian> [of [the] triangle [<t:Three>]]",
    example="In triangle ABC, AD is a median. => triangle(A,B,C); midpoint(D,B,C)",
    counter="AD is a median.",
)
def is_cevian(s: State, w: str, a: tuple = (), ps: list | None = None, t: tuple = ()) -> None:
    if t:
        s.add(f"triangle({','.join(t)})")
        s.new_figure("polygon", t)
    for pair in ps or [a]:
        cevian(s, pair, w)


for _one, _many in (("median", "medians"), ("altitude", "altitudes"), ("bisector", "bisectors")):

    def _read(s: State, _w: str = _one) -> str:
        return _w

    _read.__name__ = f"{_one}_word"
    entry(
        "Cevian",
        f"({_one}|{_many}|angle {_one}|angle {_many})" if _one == "bisector" else f"({_one}|{_many})",
        example=f"In triangle ABC, AD is the {_one}. => "
        + {
            "median": "triangle(A,B,C); midpoint(D,B,C)",
            "altitude": "triangle(A,B,C); on_line(D,B,C); perp(A,D,B,C)",
            "bisector": "triangle(A,B,C); bisects(D,B,A,C); on_segment(D,B,C)",
        }[_one],
        counter=f"AD is the {_one} of.",
    )(_read)


@entry(
    "Clause",
    "[the] (midpoint|intersection|centre) of <a:Pair> and [of] <b:Pair> (coincide|is the same)",
    "<a:Pair> and <b:Pair> have the same midpoint",
    example="AB and CD have the same midpoint. => mid(A,B) == mid(C,D)",
    counter="AB and CD have the same point.",
)
def same_midpoint(s: State, a: tuple, b: tuple) -> None:
    same(s, Value(f"mid({a[0]},{a[1]})", "pt"), Value(f"mid({b[0]},{b[1]})", "pt"))
