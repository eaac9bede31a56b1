"""Boxes, cubes, tetrahedra, pyramids, prisms, and what lies in a sphere, cone or cylinder."""

from __future__ import annotations

from typing import Any

from .algebra import Value
from .engine import Misread, entry
from .state import Figure, Line, PointDef, State

_BOX = "A,B,C,D,E,F,G,H"


def _solid(s: State, points: tuple, *conditions: str) -> Figure:
    s.solid = True
    figure = s.new_figure("solid", points)
    for condition in conditions:
        s.add(condition.format(",".join(points), *points))
    return figure


def _eight(points: tuple) -> None:
    if len(points) != 8:
        raise Misread("eight corners")


for _word, _names in (("cube", "cube"), ("box", "(box|cuboid|rectangular box)")):

    def _read(s: State, p: tuple, _word: str = _word) -> Figure:
        _eight(p)
        return _solid(s, p, _word + "({})")

    _read.__name__ = _word
    entry(
        "Figure",
        f"[the|a] {_names} <p:Many>",
        example=f"In the {_word} ABCDEFGH, AB = 3. => {_word}({_BOX}); dist(A,B) == 3",
        counter=f"In the {_word} ABCDEFG, AB = 3.",
    )(_read)


@entry("Solid", "a cube", example="ABCDEFGH is a cube. => cube(A,B,C,D,E,F,G,H)", counter="ABCDEFG is a cube.")
def a_cube(s: State) -> str:
    return "cube"


@entry(
    "Solid",
    "a (box|cuboid|rectangular box)",
    example="ABCDEFGH is a box. => box(A,B,C,D,E,F,G,H)",
    counter="ABCDEFG is a box.",
)
def a_box(s: State) -> str:
    return "box"


@entry(
    "Solid",
    "a regular tetrahedron",
    example="ABCD is a regular tetrahedron. => regular_tetrahedron(A,B,C,D)",
    counter="ABC is a regular tetrahedron.",
)
def a_regular_tetrahedron(s: State) -> str:
    return "regular_tetrahedron"


@entry(
    "Solid",
    "a (tetrahedron|triangular pyramid)",
    example="ABCD is a tetrahedron. => tetrahedron(A,B,C,D)",
    counter="ABC is a tetrahedron.",
)
def a_tetrahedron(s: State) -> str:
    return "tetrahedron"


_SIZE = {"cube": 8, "box": 8, "regular_tetrahedron": 4, "tetrahedron": 4}


@entry(
    "Clause",
    "<p:Many> is <w:Solid>",
    "let <p:Many> be <w:Solid>",
    example="ABCDEFGH is a cube with edge 4. => cube(A,B,C,D,E,F,G,H); dist(A,B) == 4",
    counter="ABCDEFG is a cube with edge 4.",
)
def solid_is(s: State, p: tuple, w: str) -> None:
    if len(p) != _SIZE[w]:
        raise Misread("as many letters as corners")
    _solid(s, p, w + "({})")


@entry(
    "Figure",
    "[the|a] regular tetrahedron <p:Quad>",
    example="In the regular tetrahedron ABCD, AB = 3. => regular_tetrahedron(A,B,C,D); dist(A,B) == 3",
    counter="In the regular tetrahedron ABC, AB = 3.",
)
def regular_tetrahedron(s: State, p: tuple) -> Figure:
    return _solid(s, p, "regular_tetrahedron({})")


@entry(
    "Figure",
    "[the|a] tetrahedron <p:Quad>",
    example="In the tetrahedron ABCD, AB = 3. => tetrahedron(A,B,C,D); dist(A,B) == 3",
    counter="In the tetrahedron ABC, AB = 3.",
)
def tetrahedron(s: State, p: tuple) -> Figure:
    return _solid(s, p, "tetrahedron({})")


def _box_figure(s: State) -> tuple:
    points = s.figure().points
    if s.figure().word != "solid":
        raise Misread("a solid")
    return points


@entry(
    "Attribute",
    "[the] base <b:Many> [and [the] (edges|upright edges|lateral edges) <es:Pair+>]",
    "[the] (upright|lateral) edges <es:Pair+>",
    example="The box ABCDEFGH has the base ABCD and the upright edges AE, BF, CG and DH. => box(A,B,C,D,E,F,G,H)",
    counter="The box ABCDEFGH has the base ABCD and the upright edges AF, BE, CG and DH.",
)
def base_of_box(s: State, b: tuple = (), es: list | None = None) -> None:
    points = _box_figure(s)
    half = len(points) // 2
    if b and b != points[:half]:
        raise Misread("the base comes first in the name of the solid")
    for e in es or []:
        if e[0] not in points[:half] or points[points.index(e[0]) + half] != e[1]:
            raise Misread("an edge from the base upwards")


@entry(
    "Clause",
    "[the] base is <b:Many>",
    "base <b:Many>",
    "base <b:Many> and <a:Attribute>",
    example="In the box ABCDEFGH, the base is ABCD. => box(A,B,C,D,E,F,G,H)",
    counter="In the box ABCDEFGH, the base is ABCE.",
)
def base_is(s: State, b: tuple, a: Any = None) -> None:
    base_of_box(s, b)


@entry(
    "Clause",
    "[the] (edges|upright edges) <es:Pair+> are perpendicular to (it|the base)",
    example="In the box ABCDEFGH, the base is ABCD and the edges AE, BF, CG and DH are perpendicular to it. => box(A,B,C,D,E,F,G,H)",
    counter="In the box ABCDEFGH, the edges AF, BE, CG and DH are perpendicular to it.",
)
def upright(s: State, es: list) -> None:
    base_of_box(s, (), es)


@entry(
    "Clause",
    "<ts:Point+> lie above <bs:Point+>",
    example="ABCDEFGH is a cube with base ABCD; E, F, G and H lie above A, B, C and D. => cube(A,B,C,D,E,F,G,H)",
    counter="ABCDEFGH is a cube with base ABCD; F, E, G and H lie above A, B, C and D.",
)
def above(s: State, ts: list, bs: list) -> None:
    base_of_box(s, (), list(zip(bs, ts, strict=False)))


@entry(
    "Clause",
    "<p:Many> is a right prism with base <b:Many> and [the] (upright edges|lateral edges) <es:Pair+>",
    example="ABCDEF is a right prism with base ABC and upright edges AD, BE and CF. => prism(A,B,C,D,E,F)",
    counter="ABCDEF is a right prism with base ABC and upright edges AE, BD and CF.",
)
def prism(s: State, p: tuple, b: tuple, es: list) -> None:
    if len(p) < 6 or len(p) % 2:
        raise Misread("a prism has an even number of corners")
    _solid(s, p, "prism({})")
    base_of_box(s, b, es)
    s.new_figure("polygon", b)


@entry(
    "Figure",
    "[the|a] right prism <p:Many>",
    example="In the right prism ABCDEF, AB = 3. => prism(A,B,C,D,E,F); dist(A,B) == 3",
    counter="In the right prism ABCDE, AB = 3.",
)
def prism_figure(s: State, p: tuple) -> Figure:
    if len(p) < 6 or len(p) % 2:
        raise Misread("a prism has an even number of corners")
    return _solid(s, p, "prism({})")


def say_pyramid(s: State, base: tuple, apex: str, centre: str, *conditions: str) -> None:
    s.solid = True
    if len(base) == 3 and centre:
        raise Misread("a base with a centre")
    for condition in conditions:
        s.add(condition)
    s.add(f"right_pyramid({apex},{','.join(base)})")
    if centre:
        s.add(f"{centre} == centroid({','.join(base)})")
    s.new_figure("polygon", base)


@entry(
    "Clause",
    "[the] line <a:Pair> is perpendicular to [the] plane <b:Three>",
    "[the] [edge|segment] <a:Pair> is perpendicular to [the] (plane|base|face) <b:Many>",
    example="The edge SA is perpendicular to the plane ABC. => perp_plane(S,A,A,B,C)",
    counter="The edge SA is perpendicular to the plane AB.",
)
def perpendicular_to_plane(s: State, a: tuple, b: tuple) -> None:
    s.solid = True
    s.add(f"perp_plane({','.join(a)},{','.join(b[:3])})")


@entry(
    "PointDef",
    "[the] foot of the perpendicular from <p:Point> (to|on|onto) [the] (plane|face|base) <b:Many>",
    example="D is the foot of the perpendicular from S to the plane ABC. => D == foot(S,plane(A,B,C))",
    counter="D is the foot of the perpendicular from S to the plane AB.",
)
def foot_on_plane(s: State, p: str, b: tuple) -> PointDef:
    s.solid = True
    text = f"foot({p},plane({','.join(b[:3])}))"
    return PointDef(lambda st, x: st.add(f"{x} == {text}"), text)


@entry(
    "Qty",
    "[the] distance (from|of) <p:Point> (to|from) [the] (plane|face|base) <b:Many>",
    example="The distance from S to the plane ABC is 4. => dist(S,plane(A,B,C)) == 4",
    counter="The distance from S to the plane AB is 4.",
)
def distance_to_plane(s: State, p: str, b: tuple) -> Value:
    return Value(f"dist({p},plane({','.join(b[:3])}))", "num")


@entry(
    "Qty",
    "[the] angle between [the] (line|edge|segment) <a:Pair> and [the] (plane|base|face) <b:Many>",
    example="The angle between the edge SA and the base ABCD is 45°. => angle(line(S,A),plane(A,B,C)) == deg(45)",
    counter="The angle between the edge SA and the base AB is 45°.",
)
def angle_with_plane(s: State, a: tuple, b: tuple) -> Value:
    return Value(f"angle(line({','.join(a)}),plane({','.join(b[:3])}))", "angle")


@entry(
    "Clause",
    "a (sphere|ball) has [the] centre <o:Point> and [the] radius <q:Qty>",
    "a (sphere|ball) with centre <o:Point> [and] [has] [the] radius <q:Qty>",
    example="A sphere has centre O and radius 5. A lies on the sphere. => dist(A,O) == 5",
    counter="A sphere has centre O and radius 5°.",
)
def sphere(s: State, o: str, q: Value) -> None:
    if q.type != "num":
        raise Misread("a length")
    s.circle_about(o).has_radius(s, q.text)


@entry(
    "Curve",
    "(the|a) sphere",
    "(the|a) sphere with centre <o:Point>",
    example="A sphere has centre O and radius 5. A and B lie on the sphere. => dist(A,O) == 5; dist(B,O) == 5",
    counter="A and B lie on the sphere.",
)
def the_sphere(s: State, o: str = "") -> Any:
    return s.circle_about(o) if o else s.circle()


@entry(
    "Clause",
    "a plane (meets|cuts) (the|this) (sphere|ball) in a circle with centre <m:Point> (through|that passes through) <a:Point>",
    "a plane (meets|cuts) (the|this) (sphere|ball) in a circle with centre <m:Point> , and <a:Point> lies on (it|this circle|the circle)",
    example="A sphere has centre O and radius 5. A plane meets the sphere in a circle with centre M through A. => dist(A,O) == 5; right(A,M,O)",
    counter="A plane meets the sphere in a circle with centre M through A.",
)
def sphere_cut(s: State, m: str, a: str) -> None:
    ball = s.circle()
    ball.on(s, a)
    s.add(f"right({ball.centre_of(s)},{m},{a})")


@entry(
    "Clause",
    "a cone has [the] apex <a:Point> , and the centre of its base is <o:Point>",
    "a cone has [the] apex <a:Point> and [the] base centre <o:Point>",
    "a [right] [circular] cone with apex <a:Point> has a base with centre <o:Point>",
    example="A cone has apex S, and the centre of its base is O. The point A lies on the base circle. => right(A,O,S)",
    counter="A cone has apex S, and the centre of its base is.",
)
def cone(s: State, a: str, o: str) -> None:
    s.curves["base circle"] = ("cone", a, o)


@entry(
    "Clause",
    "a cylinder has [the] base centres <a:Point> and <o:Point>",
    "a cylinder has [the] bases with centres <a:Point> and <o:Point>",
    example="A cylinder has base centres O and Q. The point A lies on the base circle with centre O. => right(A,O,Q)",
    counter="A cylinder has base centres O.",
)
def cylinder(s: State, a: str, o: str) -> None:
    s.curves["base circle"] = ("cylinder", a, o)


@entry(
    "VP",
    "(lies|lie) on (the|its) base circle",
    "(lies|lie) on the base circle with centre <o:Point>",
    "(lies|lie) on the circle of the base with centre <o:Point>",
    "(lies|lie) on the circle of its base",
    example="A cone has apex S and base centre O. The points A and B lie on its base circle. => right(A,O,S); right(B,O,S); dist(A,O) == dist(B,O)",
    counter="The points A and B lie on its base circle.",
)
def on_base_circle(s: State, o: str = "") -> None:
    known = s.curves.get("base circle")
    if not known:
        raise Misread("no cone or cylinder")
    word, a, b = known
    if word == "cylinder" and not o:
        raise Misread("which base")
    centre, other = (b, a) if not o or o == b else (a, b)
    circle = s.circle_about(centre)
    for p in s.subject:
        s.add(f"right({p},{centre},{other})")
        circle.on(s, p)
        if word == "cylinder" and f"cylinder radius {other}" in s.curves:
            s.add(f"dist({p},{centre}) == {s.curves[f'cylinder radius {other}']}")
        s.curves.setdefault(f"cylinder radius {centre}", f"dist({p},{centre})")


@entry(
    "VP",
    "lie in one plane",
    "(are|is) coplanar",
    "lie in a plane",
    example="A, B, C and D lie in one plane. => coplanar(A,B,C,D)",
    counter="A, B and C lie in one plate.",
)
def coplanar(s: State) -> None:
    points = [x for x in s.subject if isinstance(x, str)]
    if len(points) < 4:
        raise Misread("four points")
    s.add(f"coplanar({','.join(points)})")


@entry(
    "Clause",
    "[the] plane <p:Three> (meets|cuts) <c:Curve> at <x:Point>",
    "[the] plane through <ps:Point+> (meets|cuts) <c:Curve> at <x:Point>",
    example="The plane ABC meets the edge DE at P. => on_segment(P,D,E); coplanar(A,B,C,P)",
    counter="The plane AB meets the edge DE at P.",
)
def plane_meets(s: State, c: Any, x: str, p: tuple = (), ps: list | None = None) -> None:
    row = p or tuple(ps or ())
    if len(row) != 3 or not isinstance(c, Line):
        raise Misread("a plane and a line")
    s.solid = True
    c.on(s, x)
    s.add(f"coplanar({','.join(row)},{x})")


@entry(
    "Clause",
    "a plane parallel to (the|its) base (meets|cuts) [the] [lateral] edges <es:Pair+> at <ps:Point+>",
    "a plane parallel to [the] [base|plane] <b:Many> (meets|cuts) [the] [lateral] edges <es:Pair+> at <ps:Point+>",
    example="A plane parallel to the plane ABC cuts the edges SA, SB and SC at D, E and F. => on_segment(D,A,S); on_segment(E,B,S); on_segment(F,C,S); parallel(A,B,D,E); parallel(B,C,E,F); parallel(A,C,D,F)",
    counter="A plane parallel to the plane ABC cuts the edges SA, SB and SC at D and E.",
)
def free_parallel_plane(s: State, es: list, ps: list, b: tuple = ()) -> None:
    if len(es) != len(ps) or len({e[0] for e in es}) > 1 or len(ps) < 3:
        raise Misread("edges from one apex, one point each")
    s.solid = True
    for e, p in zip(es, ps, strict=False):
        s.add(f"on_segment({p},{e[0]},{e[1]})")
    for (e, p), (f, q) in zip(
        zip(es, ps, strict=False), [*zip(es[1:], ps[1:], strict=False), (es[0], ps[0])], strict=False
    ):
        s.add(f"parallel({e[1]},{f[1]},{p},{q})")


@entry(
    "Clause",
    "[the] plane through <x:Point> parallel to (the base|[the] [plane] <b:Many>) (meets|cuts) [the] (edges|lines) <es:Pair+> at <ps:Point+>",
    example="The plane through P parallel to the plane ABC meets the edges SA and SB at D and E. => on_segment(D,A,S); perp(D,P,cross(vec(A,B),vec(A,C))); on_segment(E,B,S); perp(E,P,cross(vec(A,B),vec(A,C)))",
    counter="The plane through P parallel to the plane ABC meets the edges SA and SB at D.",
)
def parallel_plane(s: State, x: str, es: list, ps: list, b: tuple = ()) -> None:
    base = b or s.figure().points
    if len(es) != len(ps):
        raise Misread("as many points as edges")
    s.solid = True
    for e, p in zip(es, ps, strict=False):
        s.add(f"on_segment({p},{e[0]},{e[1]})")
        if p != x:
            s.add(f"perp({p},{x},cross(vec({base[0]},{base[1]}),vec({base[0]},{base[2]})))")
