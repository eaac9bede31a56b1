"""Circles: by centre and radius, through points, of a triangle; tangents, chords, two circles."""

from __future__ import annotations

from typing import Any

from .algebra import Value, curve
from .engine import Misread, entry
from .state import Circle, Figure, Line, State, same
from .terms import number


@entry("Curve", "(the|a) circle with centre <p:Point>", "(the|a) circle (about|around) <p:Point>", example="The circle with centre O passes through A and B. => dist(A,O) == dist(B,O)", counter="The circle with centre passes through A and B.")
def circle_about(s: State, p: str) -> Circle:
    return s.circle_about(p)


@entry("Curve", "(the|a) circle with centre <p:Point> and radius <q:Qty>", "(the|a) circle of radius <q:Qty> (about|with centre|around) <p:Point>", "(the|a) circle (about|around) <p:Point> with radius <q:Qty>", "(the|a) circle with radius <q:Qty> and centre <p:Point>",
       example="A lies on the circle with centre O and radius 5. => dist(A,O) == 5", counter="A lies on the circle with centre O and radius 5°.")
def circle_with_radius(s: State, p: str, q: Value) -> Circle:
    if q.type != "num":
        raise Misread("a length")
    circle = s.circle_about(p)
    if circle.radius != q.text:
        circle.has_radius(s, q.text)
    return circle


@entry("Curve", "(the|a) circle with centre <p:Point> (through|that passes through|passing through) <q:Point>", "(the|a) circle (about|around) <p:Point> through <q:Point>", example="The circle with centre O through A meets BC at D. => on_segment(D,B,C); dist(D,O) == dist(A,O)", counter="The circle with centre O through meets BC at D.")
def circle_through(s: State, p: str, q: str) -> Circle:
    known = s.circle_about(p)
    circle = known if known.radius in ("", f"dist({p},{q})") else s.new_circle(Circle(centre=p))
    circle.on(s, q)
    return circle


@entry("Curve", "(the|a) circle (through|that passes through|passing through) <ps:Point+>", example="The circle through A, B and C meets DE at F. => on_segment(F,D,E); cyclic(A,B,C,F)", counter="The circle through A meets DE at F.")
def circle_through_points(s: State, ps: list) -> Circle:
    circle = s.new_circle(Circle())
    for p in ps:
        circle.on(s, p)
    return circle


@entry("Curve", "(the|a) (circle|semicircle) with [the] diameter <p:Pair>", "(the|a) (circle|semicircle) (on|over) [the] diameter <p:Pair>", "(the|a) circle on <p:Pair> as diameter", example="The circle with diameter AB meets the line BC again at D. => on_line(D,B,C); right(A,D,B); distinct(B,D); distinct(C,D)", counter="The circle with diameter meets BC at D.")
def circle_on_diameter(s: State, p: tuple) -> Circle:
    for circle in s.circles:
        if set(circle.diameter) == set(p):
            s.mention = s.topic = circle
            return circle
    s.segment = p
    return s.new_circle(Circle(diameter=p))


@entry("Curve", "(the|a) semicircle with centre <p:Point> [on [the] [side|line] <c:Pair>]", example="In triangle ABC, a semicircle with centre O on side BC touches AB at D and AC at E. => triangle(A,B,C); on_segment(O,B,C); on_segment(D,A,B); perp(A,B,D,O); dist(E,O) == dist(D,O); on_segment(E,A,C); perp(A,C,E,O)", counter="A semicircle with centre touches AB at D.")
def semicircle(s: State, p: str, c: tuple = ()) -> Circle:
    if c:
        s.add(f"on_segment({p},{','.join(c)})")
    return s.circle_about(p)


@entry("Curve", "a circle", "a circle with radius <q:Qty>", "a circle of radius <q:Qty>", example="A circle passes through A, B, C and D. => cyclic(A,B,C,D)", counter="A circle passes through A.B.")
def a_circle(s: State, q: Value | None = None) -> Circle:
    circle = s.new_circle(Circle())
    if q:
        circle.has_radius(s, q.text)
    return circle


@entry("Curve", "(the|this|that) (circle|semicircle)", "its circle", example="A circle has centre O and radius 5. A lies on the circle. => dist(A,O) == 5", counter="A lies on the circle.")
def the_circle(s: State) -> Circle:
    circle = s.circle()
    s.mention = s.topic = circle
    return circle


@entry("Curve", "(the|both|the two|these) circles", example="Two circles with centres O and Q have radii 5 and 4. The circles meet at A and B. => dist(A,O) == 5; dist(A,Q) == 4; dist(B,O) == 5; dist(B,Q) == 4; distinct(A,B)", counter="The circles meet at A and B.")
def the_circles(s: State) -> list:
    if len(s.circles) < 2:
        raise Misread("two circles")
    return s.circles[-2:]


@entry("Curve", "the first circle", example="Two circles with centres O and Q have radii 5 and 4. A lies on the first circle. => dist(A,O) == 5", counter="A lies on the first circle.")
def first_circle(s: State) -> Circle:
    return the_circles(s)[0]


@entry("Curve", "the second circle", example="Two circles with centres O and Q have radii 5 and 4. A lies on the second circle. => dist(A,Q) == 4", counter="A lies on the second circle.")
def second_circle(s: State) -> Circle:
    return the_circles(s)[1]


@entry("Curve", "two [concentric] circles", example="Two circles have the common centre O. A lies on the outer circle and B on the inner circle. OA = 5 and OB = 3. => dist(A,O) == 5; dist(B,O) == 3", counter="Two circles. A lies on the outer circle.")
def two_circles(s: State) -> list:
    return [s.new_circle(Circle()), s.new_circle(Circle())]


@entry("Attribute", "[the] (common|same) centre <p:Point>", example="Two circles have the common centre O. A and B lie on the outer circle. => dist(A,O) == dist(B,O)", counter="Two circles have the common centre OA. A and B lie on the outer circle.")
def common_centre(s: State, p: str) -> None:
    for circle in the_circles(s):
        circle.name_centre(s, p)


@entry("Clause", "in <c:Curve>", example="In a circle with centre O and radius 13, the chord AB has distance 5 from O. => dist(A,O) == 13; dist(B,O) == 13; dist(O,line(A,B)) == 5", counter="In the line AB, the chord CD has distance 5 from O.")
def in_circle(s: State, c: Any) -> None:
    if not isinstance(c, Circle):
        raise Misread("in a circle")


@entry("VP", "pass through each other's centres", "(pass|passes) through the centre of the other [circle]", example="Two circles with centres O and Q and radius 6 pass through each other's centres. => dist(O,Q) == 6", counter="Two circles with centres O and Q and radius 6 pass through each other.")
def through_centres(s: State) -> None:
    one, two = the_circles(s)
    one.on(s, two.centre_of(s))
    two.on(s, one.centre_of(s))


def _bigger(s: State) -> tuple[Circle, Circle]:
    if len(s.circles) > 1 and s.circles[-1].centre and s.circles[-1].centre == s.circles[-2].centre and all(
            number(item.radius) is None for item in s.circles[-2:]):
        return s.circles[-2], s.circles[-1]
    rows = [(number(item.radius), item) for item in s.circles[-2:]]
    if len(rows) < 2 or any(size is None for size, _ in rows) or rows[0][0] == rows[1][0]:
        raise Misread("two circles of known, different radii")
    rows.sort(key=lambda row: row[0] or 0)
    return rows[1][1], rows[0][1]


@entry("Curve", "the (larger|bigger|outer|greater) circle", example="Two circles with centres O and Q have radii 5 and 4. A lies on the larger circle. => dist(A,O) == 5", counter="A lies on the larger circle.")
def larger(s: State) -> Circle:
    return _bigger(s)[0]


@entry("Curve", "the (smaller|inner) circle", example="Two circles with centres O and Q have radii 5 and 4. A lies on the smaller circle. => dist(A,Q) == 4", counter="A lies on the smaller circle.")
def smaller(s: State) -> Circle:
    return _bigger(s)[1]


@entry("Clause", "[the|a] chord <p:Pair> of <c:Curve> touches <d:Curve> [at <t:Point>]", "<p:Pair> is a chord of <c:Curve> [that|which|and] touches <d:Curve> [at <t:Point>]",
       example="Two circles with common centre O have radii 5 and 3. The chord AB of the larger circle touches the smaller circle. => dist(A,O) == 5; dist(B,O) == 5; dist(O,line(A,B)) == 3", counter="The chord AB of the larger circle touches the smaller circle.")
def chord_touches(s: State, p: tuple, c: Any, d: Any, t: str = "") -> None:
    if not isinstance(c, Circle) or not isinstance(d, Circle):
        raise Misread("circles")
    for x in p:
        c.on(s, x)
    d.touched_by(s, Line("two", p, "segment"), t)


@entry("Qty", "[the|a] chord <p:Pair> of <c:Curve>", example="A circle has centre O and radius 5. The chord AB of the circle is 6. => dist(A,O) == 5; dist(B,O) == 5; dist(A,B) == 6", counter="The chord AB of the line CD is 6.")
def chord_of(s: State, p: tuple, c: Any) -> Value:
    if not isinstance(c, Circle):
        raise Misread("of a circle")
    for x in p:
        c.on(s, x)
    return Value(f"dist({','.join(p)})", "num")


@entry("Curve", "[the|a] chord <p:Pair> of <c:Curve>", "[the] chords <ps:Pair+> of <c:Curve>", example="The chords AB and CD of the circle with centre O and radius 5 meet at P. => dist(A,O) == 5; dist(B,O) == 5; dist(C,O) == 5; dist(D,O) == 5; on_segment(P,A,B); on_segment(P,C,D)", counter="The chords AB and CD of the line EF meet at P.")
def chords_of(s: State, c: Any, p: tuple = (), ps: list | None = None) -> list:
    if not isinstance(c, Circle):
        raise Misread("of a circle")
    rows = ps or [p]
    for row in rows:
        for x in row:
            c.on(s, x)
    return [Line("two", row, "segment") for row in rows]


@entry("Attribute", "[the] chords <ps:Pair+>", "[the] chord <p:Pair> [= <q:Qty>]", example="A circle has centre O, radius 5 and the chord AB. => dist(A,O) == 5; dist(B,O) == 5", counter="A circle has centre O, radius 5 and the chord A.")
def has_chords(s: State, ps: list | None = None, p: tuple = (), q: Value | None = None) -> None:
    s.mention = chords_of(s, s.circle(), p, ps)
    s.subject = s.mention
    if q:
        same(s, Value(f"dist({','.join(p)})", "num"), q)


@entry("Clause", "<p:Pair> is (a|the) chord [of length <q:Qty>] of <c:Curve>", "<ps:Pair+> are chords of <c:Curve>", "<p:Pair> is (a|the) chord [of length <q:Qty>]", "<ps:Pair+> are chords", example="AB is a chord of a circle with centre O and radius 5. => dist(A,O) == 5; dist(B,O) == 5", counter="AB is a chord of the line CD.")
def is_chord(s: State, p: tuple = (), ps: list | None = None, c: Any = None, q: Value | None = None) -> None:
    chords_of(s, c or s.circle(), p, ps)
    if q:
        same(s, Value(f"dist({','.join(p)})", "num"), q)
    s.segment = p or s.segment


@entry("Clause", "<p:Pair> is (a|the) diameter of <c:Curve>", example="AB is a diameter of a circle with centre O. => midpoint(O,A,B)", counter="AB is a diameter of the line CD.")
def is_diameter(s: State, p: tuple, c: Any) -> None:
    if not isinstance(c, Circle):
        raise Misread("of a circle")
    s.segment = p
    if c.centre:
        s.add(f"midpoint({c.centre},{','.join(p)})")
        if c.radius:
            s.add(f"dist({c.centre},{p[0]}) == {c.radius}")
        c.radius = c.radius or f"dist({c.centre},{p[0]})"
        c.on(s, p[0])
        return
    c.diameter = p
    seen, c.seen = c.seen, []
    if c.around:
        for x in p:
            if x not in c.around:
                s.add(f"cyclic({','.join(c.around)},{x})")
        s.add(f"midpoint(circumcenter({','.join(c.around)}),{','.join(p)})") if not set(p) <= set(c.around) else s.add(f"right({p[0]},{next(x for x in c.around if x not in p)},{p[1]})")
    for x in seen:
        c.on(s, x)


@entry("Attribute", "[the] diameter <p:Pair> [= <q:Qty>]", example="A circle has diameter AB and radius 5. => dist(A,B)/2 == 5", counter="A circle has diameter ABC and radius 5.")
def has_diameter(s: State, p: tuple, q: Value | None = None) -> None:
    is_diameter(s, p, s.circle())
    if q:
        same(s, Value(f"dist({','.join(p)})", "num"), q)


@entry("VP", "(is|are|lie|lies) (the ends of|ends of) a diameter", example="A circle has centre O and radius 5. A and B are ends of a diameter. => midpoint(O,A,B); dist(A,O) == 5", counter="A and B are ends of a diameter.")
def ends_of_diameter(s: State) -> None:
    if len(s.subject) != 2:
        raise Misread("two ends")
    is_diameter(s, (s.subject[0], s.subject[1]), s.circle())


@entry("VP", "(lie|lies) on a circle with centre <p:Point>", "(lie|lies) on a circle with diameter <d:Pair>", example="A and B lie on a circle with centre O. => dist(A,O) == dist(B,O)", counter="A and B lie on a circle with centred O.")
def lie_on_circle_about(s: State, p: str = "", d: tuple = ()) -> None:
    circle = s.circle_about(p) if p else s.new_circle(Circle(diameter=d))
    for x in s.subject:
        circle.on(s, x)


@entry("VP", "(lie|are) in this order on a circle", "(lie|are) on (a|one) circle [in this order]", example="The points A, B, C and D lie in this order on a circle. => cyclic(A,B,C,D); convex(A,B,C,D)", counter="The points A and B lie in this order on a circle.")
def order_on_circle(s: State) -> None:
    circle = s.new_circle(Circle())
    if len(s.subject) < 3:
        raise Misread("three points")
    for x in s.subject:
        circle.on(s, x)
    if len(s.subject) > 3:
        s.add(f"convex({','.join(s.subject)})")


# ---- of a triangle ----------------------------------------------------------------------------------------------------

@entry("Curve", "(the|its) circumcircle", "(the|its) (circumcircle|circumscribed circle) of triangle <t:Three>", "(the|its) circumcircle of the triangle", example="In triangle ABC, the bisector of angle BAC meets the circumcircle again at D. => triangle(A,B,C); bisects(D,B,A,C); cyclic(A,B,C,D); distinct(A,D)", counter="D lies on the circumcircle.")
def circumcircle(s: State, t: tuple = ()) -> Circle:
    corners = t or s.figure().points
    if t:
        s.add(f"triangle({','.join(t)})")
    for item in s.circles:
        if item.around == tuple(corners[:3]):
            s.mention = s.topic = item
            return item
    return s.new_circle(Circle(around=tuple(corners[:3])))


@entry("Curve", "(the|its) incircle", "(the|its) (incircle|inscribed circle) of triangle <t:Three>", "(the|its) incircle of the triangle", example="The incircle of triangle ABC touches BC at D. => triangle(A,B,C); D == foot(incenter(A,B,C),B,C)", counter="The incircle touches BC at D.")
def incircle(s: State, t: tuple = ()) -> Circle:
    corners = t or s.triangle()
    if t:
        s.add(f"triangle({','.join(t)})")
        s.new_figure("polygon", t)
    text = ",".join(corners)
    return s.new_circle(Circle(centre=f"incenter({text})", radius=f"inradius({text})"))


@entry("Curve", "[the] excircle of triangle <t:Three> opposite [to] <p:Point>", "[the] excircle opposite [to] <p:Point>", "[the] excircle of triangle <t:Three> (at|touching) [the] side <c:Pair>", example="The excircle of triangle ABC opposite A touches the side BC at D. => triangle(A,B,C); D == foot(excenter(A,B,C),B,C)", counter="The excircle of triangle ABC touches the side BC at D.")
def excircle(s: State, p: str = "", t: tuple = (), c: tuple = ()) -> Circle:
    corners = t or s.triangle()
    if t:
        s.add(f"triangle({','.join(t)})")
    p = p or next(x for x in corners if x not in c)
    if p not in corners:
        raise Misread("a corner")
    text = ",".join([p, *(x for x in corners if x != p)])
    return s.new_circle(Circle(centre=f"excenter({text})", radius=f"exradius({text})"))


@entry("Curve", "[the] (incircle|inscribed circle) of <f:Figure>", example="A lies on the incircle of the square BCDE. => square(B,C,D,E); dist(A,circumcenter(B,C,D)) == dist(circumcenter(B,C,D),line(B,C))", counter="A lies on the incircle of the line BC.")
def incircle_of_regular(s: State, f: Figure) -> Circle:
    if len(f.points) < 4:
        raise Misread("read elsewhere")
    centre = f"circumcenter({','.join(f.points[:3])})"
    return s.new_circle(Circle(centre=centre, radius=f"dist({centre},line({f.points[0]},{f.points[1]}))"))


@entry("VP", "is inscribed in <c:Curve>", "has [the] circumcircle <c:Curve>", example="Triangle ABC is inscribed in a circle with centre O and radius 5. => triangle(A,B,C); dist(A,O) == 5; dist(B,O) == 5; dist(C,O) == 5", counter="Triangle ABC is inscribed in the line AB.")
def inscribed(s: State, c: Any) -> None:
    if not isinstance(c, Circle):
        raise Misread("in a circle")
    points = s.figure().points
    if c.radius and not c.centre and not c.seen:
        s.add(f"circumradius({','.join(points[:3])}) == {c.radius}")
        c.around = points[:3]
    for x in points:
        c.on(s, x)


@entry("VP", "is circumscribed about <c:Curve>", "has an incircle with centre <p:Point> [and radius <q:Qty>]", "is tangential with incentre <p:Point>", example="The convex quadrilateral ABCD is circumscribed about a circle with centre O and radius 2. => convex(A,B,C,D); dist(O,line(A,B)) == 2; dist(O,line(B,C)) == 2; dist(O,line(C,D)) == 2; dist(O,line(A,D)) == 2; inside(O,A,B,C,D)", counter="The convex quadrilateral ABCD is circumscribed about the line AB.")
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


@entry("Clause", "[the] chord <p:Pair> subtends an angle of <q:Qty> at [the centre] <x:Point>", "[the] (chord|segment|side) <p:Pair> subtends an angle of <q:Qty> at the centre", "[the] (arc|minor arc|shorter arc) <p:Pair> has a central angle of <q:Qty>",
       example="A circle has centre O and radius 5. The chord AB subtends an angle of 120° at the centre. => dist(A,O) == 5; dist(B,O) == 5; angle(A,O,B) == deg(120)", counter="The chord AB subtends an angle of 120° at the centre.")
def subtends(s: State, p: tuple, q: Value, x: str = "") -> None:
    if s.circles:
        for end in p:
            s.circle().on(s, end)
    corner = x or s.circle().centre_of(s)
    same(s, Value(f"angle({p[0]},{corner},{p[1]})", "angle"), q)


@entry("Qty", "[the] radius of <c:Curve>", "its radius", example="The radius of the incircle of triangle ABC is 2. => triangle(A,B,C); inradius(A,B,C) == 2", counter="The radius of the line AB is 2.")
def radius_of(s: State, c: Any = None) -> Value:
    circle = c or s.circle()
    if not isinstance(circle, Circle):
        raise Misread("of a circle")
    return Value(circle.radius_of(), "num")


@entry("Clause", "[the] radius of <c:Curve> is <q:Qty>", "(its|the) radius is <q:Qty>", example="A circle has centre O. The radius of the circle is 5. A lies on it. => dist(A,O) == 5", counter="The radius of the line AB is 5.")
def radius_is(s: State, q: Value, c: Any = None) -> None:
    circle = c or s.circle()
    if not isinstance(circle, Circle):
        raise Misread("of a circle")
    circle.has_radius(s, q.text)


@entry("VP", "consists of [all] [the] points [that are] <k:Far>", "is the set of [all] [the] points [that are] <k:Far>", "is formed by [all] [the] points [that are] <k:Far>", example="A circle with centre O consists of all points that are twice as far from A as from B. => O == center(apollonius(A,B,2))", counter="A circle with centre O consists of all points that are far from A.")
def apollonius(s: State, k: str) -> None:
    circle = s.subject[0]
    if not isinstance(circle, Circle):
        raise Misread("a circle")
    if circle.centre:
        s.add(f"{circle.centre} == center({k})")
    else:
        circle.centre = f"center({k})"
    circle.radius = f"radius({k})"


@entry("Clause", "[all|the] points [that are] <k:Far> form a circle [with centre <p:Point>]", "all [the] points [that are] <k:Far> form a circle [with centre <p:Point>]", "all [the] points [that are] <k:Far> lie on a circle [with centre <p:Point>]", example="The points that are twice as far from A as from B form a circle with centre M. => M == center(apollonius(A,B,2))", counter="The points that are far from A form a circle with centre M.")
def points_form_circle(s: State, k: str, p: str = "") -> None:
    circle = s.new_circle(Circle(centre=f"center({k})", radius=f"radius({k})"))
    if p:
        circle.name_centre(s, p)


@entry("Far", "<k:Factor> as far from <a:Point> as from <b:Point>", "<k:Times> as far from <a:Point> as from <b:Point>", example="A circle with centre O consists of all points that are 3 times as far from A as from B. => O == center(apollonius(A,B,3))", counter="A circle with centre O consists of all points that are 3° times as far from A as from B.")
def apollonius_circle(s: State, k: str, a: str, b: str) -> str:
    return f"apollonius({a},{b},{k})"


@entry("Curve", "[the|a] circle [with [the] equation] <e:Equation>", example="A lies on the circle x² + y² = 25. => dist(A,(0, 0)) == 5", counter="A lies on the circle y = x².")
def circle_by_equation(s: State, e: Any) -> Circle:
    shape = curve(e, s)
    if shape.shape != "circle":
        raise Misread("no circle")
    return s.new_circle(Circle(centre=shape.data[0], radius=shape.data[1]))


@entry("Curve", "[the] circles [with [the] equations] <es:Equation+>", example="The circles x² + y² = 25 and (x − 8)² + y² = 25 meet at A and B. => dist(A,(0, 0)) == 5; dist(A,(8, 0)) == 5; dist(B,(0, 0)) == 5; dist(B,(8, 0)) == 5; distinct(A,B)", counter="The circles x² + y² = 25 meet at A and B.")
def circles_by_equation(s: State, es: list) -> list:
    return [circle_by_equation(s, e) for e in es]


@entry("VP", "have [the] centres <ps:Point+>", example="The circles x² + y² = 25 and (x − 8)² + y² = 25 have centres O and Q. => O == (0, 0); Q == (8, 0)", counter="The circles x² + y² = 25 and (x − 8)² + y² = 25 have centres O, P and Q.")
def have_centres(s: State, ps: list) -> None:
    items = [item for item in s.subject if isinstance(item, Circle)]
    if len(items) != len(ps):
        raise Misread("as many centres as circles")
    for item, p in zip(items, ps, strict=False):
        item.name_centre(s, p)
