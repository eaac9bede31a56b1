"""Circles: by centre and radius, through points, of a triangle; tangents, chords, two circles."""

from __future__ import annotations

from typing import Any

from .algebra import Value
from .engine import Misread, entry
from .state import Circle, Figure, State, same
from .terms import number


@entry(
    "Curve",
    "(the|a) circle with centre <p:Point>",
    "(the|a) circle (about|around) <p:Point>",
    example="The circle with centre O passes through A and B. => dist(A,O) == dist(B,O)",
    counter="The circle with centre passes through A and B.",
)
def circle_about(s: State, p: str) -> Circle:
    return s.circle_about(p)


@entry(
    "Curve",
    "(the|a) circle with centre <p:Point> and radius <q:Qty>",
    "(the|a) circle of radius <q:Qty> (about|with centre|around) <p:Point>",
    "(the|a) circle (about|around) <p:Point> with radius <q:Qty>",
    "(the|a) circle with radius <q:Qty> and centre <p:Point>",
    example="A lies on the circle with centre O and radius 5. => dist(A,O) == 5",
    counter="A lies on the circle with centre O and radius 5°.",
)
def circle_with_radius(s: State, p: str, q: Value) -> Circle:
    if q.type != "num":
        raise Misread("a length")
    circle = s.circle_about(p)
    if circle.radius != q.text:
        circle.has_radius(s, q.text)
    return circle


@entry(
    "Curve",
    "(the|a) circle with centre <p:Point> (through|that passes through|passing through) <q:Point>",
    "(the|a) circle (about|around) <p:Point> through <q:Point>",
    example="The circle with centre O through A meets BC at D. => on_segment(D,B,C); dist(D,O) == dist(A,O)",
    counter="The circle with centre O through meets BC at D.",
)
def circle_through(s: State, p: str, q: str) -> Circle:
    known = s.circle_about(p)
    circle = known if known.radius in ("", f"dist({p},{q})") else s.new_circle(Circle(centre=p))
    circle.on(s, q)
    return circle


@entry(
    "Curve",
    "(the|a) circle (through|that passes through|passing through) <ps:Point+>",
    example="The circle through A, B and C meets DE at F. => on_segment(F,D,E); cyclic(A,B,C,F)",
    counter="The circle through A meets DE at F.",
)
def circle_through_points(s: State, ps: list) -> Circle:
    circle = s.new_circle(Circle())
    for p in ps:
        circle.on(s, p)
    return circle


@entry(
    "Curve",
    "(the|a) (circle|semicircle) with [the] diameter <p:Pair>",
    "(the|a) (circle|semicircle) (on|over) [the] diameter <p:Pair>",
    "(the|a) circle on <p:Pair> as diameter",
    example="The circle with diameter AB meets the line BC again at D. => on_line(D,B,C); right(A,D,B); distinct(B,D); distinct(C,D)",
    counter="The circle with diameter meets BC at D.",
)
def circle_on_diameter(s: State, p: tuple) -> Circle:
    for circle in s.circles:
        if set(circle.diameter) == set(p):
            s.mention = s.topic = circle
            return circle
    s.segment = p
    return s.new_circle(Circle(diameter=p))


@entry(
    "Curve",
    "(the|a) semicircle with centre <p:Point> [on [the] [side|line] <c:Pair>]",
    example="In triangle ABC, a semicircle with centre O on side BC touches AB at D and AC at E. => triangle(A,B,C); on_segment(O,B,C); on_segment(D,A,B); perp(A,B,D,O); dist(E,O) == dist(D,O); on_segment(E,A,C); perp(A,C,E,O)",
    counter="A semicircle with centre touches AB at D.",
)
def semicircle(s: State, p: str, c: tuple = ()) -> Circle:
    if c:
        s.add(f"on_segment({p},{','.join(c)})")
    return s.circle_about(p)


@entry(
    "Curve",
    "a circle",
    "a circle with radius <q:Qty>",
    "a circle of radius <q:Qty>",
    example="A circle passes through A, B, C and D. => cyclic(A,B,C,D)",
    counter="A circle passes through A.B.",
)
def a_circle(s: State, q: Value | None = None) -> Circle:
    circle = s.new_circle(Circle())
    if q:
        circle.has_radius(s, q.text)
    return circle


@entry(
    "Curve",
    "(the|this|that) (circle|semicircle)",
    "its circle",
    example="A circle has centre O and radius 5. A lies on the circle. => dist(A,O) == 5",
    counter="A lies on the circle.",
)
def the_circle(s: State) -> Circle:
    circle = s.circle()
    s.mention = s.topic = circle
    return circle


@entry(
    "Curve",
    "(the|both|the two|these) circles",
    example="Two circles with centres O and Q have radii 5 and 4. The circles meet at A and B. => dist(A,O) == 5; dist(A,Q) == 4; dist(B,O) == 5; dist(B,Q) == 4; distinct(A,B)",
    counter="The circles meet at A and B.",
)
def the_circles(s: State) -> list:
    if len(s.circles) < 2:
        raise Misread("two circles")
    return s.circles[-2:]


@entry(
    "Curve",
    "the first circle",
    example="Two circles with centres O and Q have radii 5 and 4. A lies on the first circle. => dist(A,O) == 5",
    counter="A lies on the first circle.",
)
def first_circle(s: State) -> Circle:
    return the_circles(s)[0]


@entry(
    "Curve",
    "the second circle",
    example="Two circles with centres O and Q have radii 5 and 4. A lies on the second circle. => dist(A,Q) == 4",
    counter="A lies on the second circle.",
)
def second_circle(s: State) -> Circle:
    return the_circles(s)[1]


@entry(
    "Curve",
    "two [concentric] circles",
    example="Two circles have the common centre O. A lies on the outer circle and B on the inner circle. OA = 5 and OB = 3. => dist(A,O) == 5; dist(B,O) == 3",
    counter="Two circles. A lies on the outer circle.",
)
def two_circles(s: State) -> list:
    return [s.new_circle(Circle()), s.new_circle(Circle())]


@entry(
    "Attribute",
    "[the] (common|same) centre <p:Point>",
    example="Two circles have the common centre O. A and B lie on the outer circle. => dist(A,O) == dist(B,O)",
    counter="Two circles have the common centre OA. A and B lie on the outer circle.",
)
def common_centre(s: State, p: str) -> None:
    for circle in the_circles(s):
        circle.name_centre(s, p)


@entry(
    "Clause",
    "in <c:Curve>",
    example="In a circle with centre O and radius 13, the chord AB has distance 5 from O. => dist(A,O) == 13; dist(B,O) == 13; dist(O,line(A,B)) == 5",
    counter="In the line AB, the chord CD has distance 5 from O.",
)
def in_circle(s: State, c: Any) -> None:
    if not isinstance(c, Circle):
        raise Misread("in a circle")


@entry(
    "VP",
    "pass through each other's centres",
    "(pass|passes) through the centre of the other [circle]",
    example="Two circles with centres O and Q and radius 6 pass through each other's centres. => dist(O,Q) == 6",
    counter="Two circles with centres O and Q and radius 6 pass through each other.",
)
def through_centres(s: State) -> None:
    one, two = the_circles(s)
    one.on(s, two.centre_of(s))
    two.on(s, one.centre_of(s))


def _bigger(s: State) -> tuple[Circle, Circle]:
    if (
        len(s.circles) > 1
        and s.circles[-1].centre
        and s.circles[-1].centre == s.circles[-2].centre
        and all(number(item.radius) is None for item in s.circles[-2:])
    ):
        return s.circles[-2], s.circles[-1]
    rows = [(number(item.radius), item) for item in s.circles[-2:]]
    if len(rows) < 2 or any(size is None for size, _ in rows) or rows[0][0] == rows[1][0]:
        raise Misread("two circles of known, different radii")
    rows.sort(key=lambda row: row[0] or 0)
    return rows[1][1], rows[0][1]


@entry(
    "Curve",
    "the (larger|bigger|outer|greater) circle",
    example="Two circles with centres O and Q have radii 5 and 4. A lies on the larger circle. => dist(A,O) == 5",
    counter="A lies on the larger circle.",
)
def larger(s: State) -> Circle:
    return _bigger(s)[0]


@entry(
    "Curve",
    "the (smaller|inner) circle",
    example="Two circles with centres O and Q have radii 5 and 4. A lies on the smaller circle. => dist(A,Q) == 4",
    counter="A lies on the smaller circle.",
)
def smaller(s: State) -> Circle:
    return _bigger(s)[1]


# ---- of a triangle ----------------------------------------------------------------------------------------------------


@entry(
    "Curve",
    "(the|its) circumcircle",
    "(the|its) (circumcircle|circumscribed circle) of triangle <t:Three>",
    "(the|its) circumcircle of the triangle",
    example="In triangle ABC, the bisector of angle BAC meets the circumcircle again at D. => triangle(A,B,C); bisects(D,B,A,C); cyclic(A,B,C,D); distinct(A,D)",
    counter="D lies on the circumcircle.",
)
def circumcircle(s: State, t: tuple = ()) -> Circle:
    corners = t or s.figure().points
    if t:
        s.add(f"triangle({','.join(t)})")
    for item in s.circles:
        if item.around == tuple(corners[:3]):
            s.mention = s.topic = item
            return item
    return s.new_circle(Circle(around=tuple(corners[:3])))


@entry(
    "Curve",
    "(the|its) incircle",
    "(the|its) (incircle|inscribed circle) of triangle <t:Three>",
    "(the|its) incircle of the triangle",
    example="The incircle of triangle ABC touches BC at D. => triangle(A,B,C); D == foot(incenter(A,B,C),B,C)",
    counter="The incircle touches BC at D.",
)
def incircle(s: State, t: tuple = ()) -> Circle:
    corners = t or s.triangle()
    if t:
        s.add(f"triangle({','.join(t)})")
        s.new_figure("polygon", t)
    text = ",".join(corners)
    return s.new_circle(Circle(centre=f"incenter({text})", radius=f"inradius({text})"))


@entry(
    "Curve",
    "[the] excircle of triangle <t:Three> opposite [to] <p:Point>",
    "[the] excircle opposite [to] <p:Point>",
    "[the] excircle of triangle <t:Three> (at|touching) [the] side <c:Pair>",
    example="The excircle of triangle ABC opposite A touches the side BC at D. => triangle(A,B,C); D == foot(excenter(A,B,C),B,C)",
    counter="The excircle of triangle ABC touches the side BC at D.",
)
def excircle(s: State, p: str = "", t: tuple = (), c: tuple = ()) -> Circle:
    corners = t or s.triangle()
    if t:
        s.add(f"triangle({','.join(t)})")
    p = p or next(x for x in corners if x not in c)
    if p not in corners:
        raise Misread("a corner")
    text = ",".join([p, *(x for x in corners if x != p)])
    return s.new_circle(Circle(centre=f"excenter({text})", radius=f"exradius({text})"))


@entry(
    "Curve",
    "[the] (incircle|inscribed circle) of <f:Figure>",
    example="A lies on the incircle of the square BCDE. => square(B,C,D,E); dist(A,circumcenter(B,C,D)) == dist(circumcenter(B,C,D),line(B,C))",
    counter="A lies on the incircle of the line BC.",
)
def incircle_of_regular(s: State, f: Figure) -> Circle:
    if len(f.points) < 4:
        raise Misread("read elsewhere")
    centre = f"circumcenter({','.join(f.points[:3])})"
    return s.new_circle(Circle(centre=centre, radius=f"dist({centre},line({f.points[0]},{f.points[1]}))"))


@entry(
    "VP",
    "is inscribed in <c:Curve>",
    "has [the] circumcircle <c:Curve>",
    example="Triangle ABC is inscribed in a circle with centre O and radius 5. => triangle(A,B,C); dist(A,O) == 5; dist(B,O) == 5; dist(C,O) == 5",
    counter="Triangle ABC is inscribed in the line AB.",
)
def inscribed(s: State, c: Any) -> None:
    if not isinstance(c, Circle):
        raise Misread("in a circle")
    points = s.figure().points
    if c.radius and not c.centre and not c.seen:
        s.add(f"circumradius({','.join(points[:3])}) == {c.radius}")
        c.around = points[:3]
    for x in points:
        c.on(s, x)


@entry(
    "VP",
    "is circumscribed about <c:Curve>",
    "has an incircle with centre <p:Point> [and radius <q:Qty>]",
    "is tangential with incentre <p:Point>",
    example="The convex quadrilateral ABCD is circumscribed about a circle with centre O and radius 2. => convex(A,B,C,D); dist(O,line(A,B)) == 2; dist(O,line(B,C)) == 2; dist(O,line(C,D)) == 2; dist(O,line(A,D)) == 2; inside(O,A,B,C,D)",
    counter="The convex quadrilateral ABCD is circumscribed about the line AB.",
)
def circumscribed(s: State, c: Any = None, p: str = "", q: Value | None = None) -> None:
    points = s.figure().points
    circle = c or s.circle_about(p)
    if not isinstance(circle, Circle):
        raise Misread("about a circle")
    if q:
        circle.has_radius(s, q.text)
    centre = circle.centre_of(s)
    sides = [f"dist({centre},line({a},{b}))" for a, b in zip(points, points[1:] + points[:1], strict=False)]
    circle.radius = circle.radius or sides[0]
    for side in sides:
        s.add(f"{side} == {circle.radius}")
    s.add(f"inside({centre},{','.join(points)})")


@entry(
    "Clause",
    "[the] chord <p:Pair> subtends an angle of <q:Qty> at [the centre] <x:Point>",
    "[the] (chord|segment|side) <p:Pair> subtends an angle of <q:Qty> at the centre",
    "[the] (arc|minor arc|shorter arc) <p:Pair> has a central angle of <q:Qty>",
    example="A circle has centre O and radius 5. The chord AB subtends an angle of 120° at the centre. => dist(A,O) == 5; dist(B,O) == 5; angle(A,O,B) == deg(120)",
    counter="The chord AB subtends an angle of 120° at the centre.",
)
def subtends(s: State, p: tuple, q: Value, x: str = "") -> None:
    if s.circles:
        for end in p:
            s.circle().on(s, end)
    corner = x or s.circle().centre_of(s)
    same(s, Value(f"angle({p[0]},{corner},{p[1]})", "angle"), q)
