"""Questions: what is asked, with its unit or orientation, as an expression over points."""

from __future__ import annotations

from typing import Any

from .algebra import value
from .engine import Misread, entry
from .state import Figure, State


def _points(f: Figure) -> str:
    return ",".join(f.points)


@entry("Question", "find <q:AskLength>", example="Find the length of AB. => dist(A,B)", counter="Find AB.")
def asked_length(s: State, q: str) -> str:
    return q


@entry("Question", "find <q:AskArea>", example="Find the area of triangle ABC. => area(A,B,C)", counter="Find the area ABC.")
def asked_area(s: State, q: str) -> str:
    return q


@entry("Question", "find <q:AskAngle> in degrees", example="Find the angle ABC in degrees. => angle(A,B,C)", counter="Find the angle ABC.")
def asked_angle(s: State, q: str) -> str:
    return q


@entry("Question", "find the ratio <a:Pair> : <b:Pair> as a single number", example="Find the ratio AB : CD as a single number. => dist(A,B)/dist(C,D)", counter="Find the ratio AB : CD.")
def asked_ratio(s: State, a: tuple, b: tuple) -> str:
    return f"dist({','.join(a)})/dist({','.join(b)})"


@entry("Question", "find the ratio of <a:Asked> to <b:Asked> as a single number", example="Find the ratio of the area of triangle ABC to the area of triangle DEF as a single number. => area(A,B,C)/area(D,E,F)", counter="Find the ratio of the area of triangle ABC to the area of triangle DEF.")
def asked_ratio_of(s: State, a: str, b: str) -> str:
    return f"({a})/({b})"


@entry("Question", "find the ratio of the <w:CircleWord> to the <v:CircleWord> of triangle <t:Three> as a single number", example="Find the ratio of the inradius to the circumradius of triangle ABC as a single number. => inradius(A,B,C)/circumradius(A,B,C)", counter="Find the ratio of the inradius to the circumradius of triangle AB as a single number.")
def asked_ratio_of_radii(s: State, w: str, v: str, t: tuple) -> str:
    return f"({w.format(','.join(t))})/({v.format(','.join(t))})"


for _text, _pattern in (("inradius", "inradius({})"), ("circumradius", "circumradius({})"), ("area of the incircle", "pi*inradius({})**2"), ("area of the circumcircle", "pi*circumradius({})**2")):
    def _word(s: State, _pattern: str = _pattern) -> str:
        return _pattern
    _word.__name__ = _text.replace(" ", "_")
    entry("CircleWord", _text, f"the {_text}", example=f"Find the ratio of the {_text} to the inradius of triangle ABC as a single number. => " + ("(" * (_pattern[0] != "p") + "").replace("(", "") + _pattern.format("A,B,C") + "/inradius(A,B,C)", counter=f"Find the ratio of the {_text}s to the inradius of triangle ABC as a single number.")(_word)


@entry("Asked", "<q:AskLength>", "<q:AskArea>", example="Find the ratio of the length of AB to the perimeter of triangle ABC as a single number. => dist(A,B)/perimeter(A,B,C)", counter="Find the ratio of the perimeter of triangle ABC as a single number.")
def asked(s: State, q: str) -> str:
    return q


@entry("Asked", "<p:Pair>", example="Find the ratio of AB to CD as a single number. => dist(A,B)/dist(C,D)", counter="Find the ratio of ABC to CD as a single number.")
def asked_segment(s: State, p: tuple) -> str:
    return f"dist({','.join(p)})"


@entry("Asked", "the sum of <a:Pair> and <b:Pair>", example="Find the ratio of the sum of AB and CD to EF as a single number. => (dist(A,B) + dist(C,D))/dist(E,F)", counter="Find the ratio of the sum of AB to EF as a single number.")
def asked_sum(s: State, a: tuple, b: tuple) -> str:
    return f"dist({','.join(a)}) + dist({','.join(b)})"


# ---- lengths ----------------------------------------------------------------------------------------------------------

@entry("AskLength", "the length of [the] [segment|side|chord|diagonal|edge] <p:Pair>", example="Find the length of the chord AB. => dist(A,B)", counter="Find the length of ABC.")
def length(s: State, p: tuple) -> str:
    return f"dist({','.join(p)})"


@entry("AskLength", "the distance from <p:Point> to <q:Point>", "the distance between [the] [points] <p:Point> and <q:Point>", "the distance of <p:Point> from <q:Point>", example="Find the distance from A to B. => dist(A,B)", counter="Find the distance from A.")
def distance(s: State, p: str, q: str) -> str:
    return f"dist({p},{q})"


@entry("AskLength", "the distance from <p:Point> to the (line|side) <q:Pair>", "the distance of <p:Point> from the (line|side) <q:Pair>", example="Find the distance from A to the line BC. => dist(A,line(B,C))", counter="Find the distance from A to BC.")
def distance_to_line(s: State, p: str, q: tuple) -> str:
    return f"dist({p},line({','.join(q)}))"


@entry("AskLength", "the distance between the [parallel] lines <a:Pair> and <b:Pair>", "the distance between the [parallel] sides <a:Pair> and <b:Pair>", example="Find the distance between the lines AB and CD. => dist(line(A,B),line(C,D))", counter="Find the distance between the lines AB.")
def distance_of_lines(s: State, a: tuple, b: tuple) -> str:
    return f"dist(line({','.join(a)}),line({','.join(b)}))"


@entry("AskLength", "the distance from <p:Point> to the (plane|face|base) <q:Many>", example="Find the distance from A to the plane BCD. => dist(A,plane(B,C,D))", counter="Find the distance from A to the plane BC.")
def distance_to_plane(s: State, p: str, q: tuple) -> str:
    return f"dist({p},plane({','.join(q[:3])}))"


@entry("AskLength", "the perimeter of <f:Figure>", example="Find the perimeter of triangle ABC. => perimeter(A,B,C)", counter="Find the perimeter of AB.")
def perimeter(s: State, f: Figure) -> str:
    return f"perimeter({_points(f)})"


@entry("AskLength", "the radius of <c:AskCircle>", example="Find the radius of the circle through A, B and C. => circumradius(A,B,C)", counter="Find the radius of the line AB.")
def radius(s: State, c: tuple) -> str:
    return c[1]


@entry("AskLength", "the diameter of <c:AskCircle>", example="Find the diameter of the circle through A, B and C. => 2*circumradius(A,B,C)", counter="Find the diameter of the line AB.")
def diameter(s: State, c: tuple) -> str:
    return f"2*({c[1]})"


@entry("AskLength", "the circumference of <c:AskCircle>", example="Find the circumference of the circle through A, B and C. => 2*circumradius(A,B,C)*pi", counter="Find the circumference of the line AB.")
def circumference(s: State, c: tuple) -> str:
    return f"2*pi*({c[1]})"


@entry("AskLength", "the (inradius|radius of the incircle) of triangle <t:Three>", example="Find the inradius of triangle ABC. => inradius(A,B,C)", counter="Find the inradius of AB.")
def inradius(s: State, t: tuple) -> str:
    return f"inradius({','.join(t)})"


@entry("AskLength", "the circumradius of triangle <t:Three>", example="Find the circumradius of triangle ABC. => circumradius(A,B,C)", counter="Find the circumradius of AB.")
def circumradius(s: State, t: tuple) -> str:
    return f"circumradius({','.join(t)})"


@entry("AskLength", "the (least|smallest) value of <a:Pair> + <b:Pair> for points <p:Name> of the line <c:Pair>", "the (least|smallest) value of <a:Pair> + <b:Pair> for points <p:Name> on the line <c:Pair>", example="Find the least value of AP + PB for points P of the line CD. => dist(A,reflect(B,C,D))", counter="Find the least value of AP for points P of the line CD.")
def least_way(s: State, a: tuple, b: tuple, p: str, c: tuple) -> str:
    if p not in a or p not in b:
        raise Misread("the way over the point")
    one, two = next(x for x in a if x != p), next(x for x in b if x != p)
    return f"dist({one},reflect({two},{','.join(c)}))"


@entry("AskLength", "the length of the shorter arc <p:Pair> of the circle with centre <o:Point>", example="Find the length of the shorter arc AB of the circle with centre O. => arc_length(O,A,B)", counter="Find the length of the arc AB.")
def arc(s: State, p: tuple, o: str) -> str:
    return f"arc_length({o},{','.join(p)})"


@entry("AskLength", "the length of the longer arc <p:Pair> of the circle with centre <o:Point>", example="Find the length of the longer arc AB of the circle with centre O. => 2*dist(A,O)*pi - arc_length(O,A,B)", counter="Find the length of the longer arc AB.")
def longer_arc(s: State, p: tuple, o: str) -> str:
    return f"2*pi*dist({o},{p[0]}) - arc_length({o},{','.join(p)})"


@entry("AskLength", "the height of [the] trapezoid <q:Quad> [with <a:Pair> parallel to <b:Pair>]", "the distance between the parallel sides <a:Pair> and <b:Pair> of [the] trapezoid <q:Quad>", example="Find the height of the trapezoid ABCD with AB parallel to CD. => dist(line(A,B),line(C,D))", counter="Find the height of the trapezoid ABCD.")
def height(s: State, q: tuple, a: tuple = (), b: tuple = ()) -> str:
    if not a:
        raise Misread("which sides are parallel")
    return f"dist(line({','.join(a)}),line({','.join(b)}))"


# ---- circles ----------------------------------------------------------------------------------------------------------

@entry("AskCircle", "the circle with centre <o:Point> (through|that passes through) <a:Point>", example="Find the radius of the circle with centre O through A. => dist(A,O)", counter="Find the radius of the circle with centre O.")
def circle_through(s: State, o: str, a: str) -> tuple:
    return o, f"dist({o},{a})"


@entry("AskCircle", "the circle (through|that passes through) <ps:Point+>", example="Find the area of the circle through A, B and C. => circumradius(A,B,C)**2*pi", counter="Find the area of the circle through A and B.")
def circle_through_three(s: State, ps: list) -> tuple:
    if len(ps) != 3:
        raise Misread("three points")
    return "", f"circumradius({','.join(ps)})"


@entry("AskCircle", "the (circumcircle|circumscribed circle) of triangle <t:Three>", "the (circumcircle|circumscribed circle) of <f:Figure>", example="Find the radius of the circumcircle of triangle ABC. => circumradius(A,B,C)", counter="Find the radius of the circumcircle of AB.")
def circumcircle(s: State, t: tuple = (), f: Figure | None = None) -> tuple:
    return "", f"circumradius({','.join((t or f.points)[:3])})"  # type: ignore[union-attr]


@entry("AskCircle", "the (incircle|inscribed circle) of triangle <t:Three>", example="Find the radius of the incircle of triangle ABC. => inradius(A,B,C)", counter="Find the radius of the incircle of AB.")
def incircle(s: State, t: tuple) -> tuple:
    return "", f"inradius({','.join(t)})"


@entry("AskCircle", "the (incircle|inscribed circle) of [the] (square|rhombus|regular pentagon|regular hexagon|regular octagon|hexagon|pentagon|octagon) <t:Many>", example="Find the radius of the incircle of the square ABCD. => dist(centroid(A,B,C,D),line(A,B))", counter="Find the radius of the incircle of the kite ABCD.")
def incircle_of_regular(s: State, t: tuple) -> tuple:
    centre = f"centroid({','.join(t)})" if len(t) == 4 else f"circumcenter({','.join(t[:3])})"
    return "", f"dist({centre},line({t[0]},{t[1]}))"


@entry("AskCircle", "the excircle of triangle <t:Three> opposite [to] <p:Point>", example="Find the radius of the excircle of triangle ABC opposite A. => exradius(A,B,C)", counter="Find the radius of the excircle of triangle ABC.")
def excircle(s: State, t: tuple, p: str) -> tuple:
    if p not in t:
        raise Misread("a corner")
    return "", f"exradius({','.join([p, *(x for x in t if x != p)])})"


@entry("AskCircle", "the circle with diameter <p:Pair>", example="Find the area of the circle with diameter AB. => (dist(A,B)/2)**2*pi", counter="Find the area of the circle with diameter A.")
def circle_on(s: State, p: tuple) -> tuple:
    return "", f"dist({','.join(p)})/2"


@entry("AskCircle", "the circle with centre <o:Point> (that touches|touching) the line <p:Pair>", example="Find the radius of the circle with centre O that touches the line AB. => dist(O,line(A,B))", counter="Find the radius of the circle with centre O that touches AB.")
def circle_touching(s: State, o: str, p: tuple) -> tuple:
    return o, f"dist({o},line({','.join(p)}))"


@entry("AskCircle", "the circle (formed by|of) all points [that are] <k:Far>", example="Find the radius of the circle formed by all points that are 2 times as far from A as from B. => radius(apollonius(A,B,2))", counter="Find the radius of the circle formed by all points that are far from A.")
def circle_of_points(s: State, k: str) -> tuple:
    return "", f"radius({k})"


# ---- areas ------------------------------------------------------------------------------------------------------------

@entry("AskArea", "the area of <f:Figure>", example="Find the area of the quadrilateral ABCD. => area(A,B,C,D)", counter="Find the area of the line AB.")
def area(s: State, f: Figure) -> str:
    return f"area({_points(f)})"


@entry("AskArea", "the area of <c:AskCircle>", example="Find the area of the incircle of triangle ABC. => inradius(A,B,C)**2*pi", counter="Find the area of the circle.")
def area_of_circle(s: State, c: tuple) -> str:
    return f"pi*({c[1]})**2"


@entry("AskArea", "the area of the sector <t:Three> [of the circle with centre <o:Point>]", example="Find the area of the sector AOB of the circle with centre O. => sector_area(O,A,B)", counter="Find the area of the sector AOB of the circle with centre A.")
def sector(s: State, t: tuple, o: str = "") -> str:
    if o and o != t[1]:
        raise Misread("the centre stands in the middle")
    return f"sector_area({t[1]},{t[0]},{t[2]})"


@entry("AskArea", "the area of the smaller segment [that] the chord <p:Pair> cuts off the circle with centre <o:Point>", "the area of the smaller segment (cut off|cut) by the chord <p:Pair> (of|from) the circle with centre <o:Point>", example="Find the area of the smaller segment that the chord AB cuts off the circle with centre O. => segment_area(O,A,B)", counter="Find the area of the segment AB.")
def segment(s: State, p: tuple, o: str) -> str:
    return f"segment_area({o},{','.join(p)})"


@entry("AskArea", "the area of the larger segment [that] the chord <p:Pair> cuts off the circle with centre <o:Point>", example="Find the area of the larger segment that the chord AB cuts off the circle with centre O. => dist(A,O)**2*pi - segment_area(O,A,B)", counter="Find the area of the larger segment AB.")
def larger_segment(s: State, p: tuple, o: str) -> str:
    return f"pi*dist({o},{p[0]})**2 - segment_area({o},{','.join(p)})"


@entry("AskArea", "the area of the ring between the circles with centre <o:Point> through <a:Point> and through <b:Point>", "the area of the ring between <c:AskCircle> and <d:AskCircle>", example="Find the area of the ring between the circles with centre O through A and through B. => abs(dist(A,O)**2*pi - dist(B,O)**2*pi)", counter="Find the area of the ring.")
def ring(s: State, o: str = "", a: str = "", b: str = "", c: tuple = (), d: tuple = ()) -> str:
    one, two = (c[1], d[1]) if c else (f"dist({o},{a})", f"dist({o},{b})")
    return f"abs(pi*({one})**2 - pi*({two})**2)"


@entry("AskArea", "the area common to the circle with centre <o:Point> through <a:Point> and the circle with centre <q:Point> through <b:Point>", "the area common to the circles with centres <o:Point> and <q:Point> through <a:Point>", example="Find the area common to the circle with centre O through A and the circle with centre Q through A. => lens_area(O,A,Q,A)", counter="Find the area common to the circles.")
def lens(s: State, o: str, q: str, a: str, b: str = "") -> str:
    return f"lens_area({o},{a},{q},{b or a})"


@entry("AskArea", "the area of the region enclosed between the three touching circles with centres <a:Point> , <b:Point> and <c:Point>", example="Find the area of the region enclosed between the three touching circles with centres A, B and C. => gap_area(A,B,C)", counter="Find the area of the region.")
def gap(s: State, a: str, b: str, c: str) -> str:
    return f"gap_area({a},{b},{c})"


@entry("AskArea", "the area common to [the] [squares|triangles|rectangles|parallelograms|quadrilaterals] <a:Many> and <b:Many>", "the area common to <f:Figure> and <g:Figure>", example="Find the area common to the squares ABCD and EFGH. => overlap_area(polygon(A,B,C,D),polygon(E,F,G,H))", counter="Find the area common to the square ABCD.")
def overlap(s: State, a: tuple = (), b: tuple = (), f: Figure | None = None, g: Figure | None = None) -> str:
    one, two = (a, b) if a else (f.points, g.points)  # type: ignore[union-attr]
    return f"overlap_area(polygon({','.join(one)}),polygon({','.join(two)}))"


@entry("AskArea", "the area of the part of <f:Figure> whose points are nearer to <p:Spot> than to <qs:Point*>", "the area of the part of <f:Figure> whose points are nearer to <p:Spot> than to any of <qs:Point+>", example="Find the area of the part of the square ABCD whose points are nearer to P than to A, B, C and D. => nearer_area(polygon(A,B,C,D),P,A,B,C,D)", counter="Find the area of the part of the square ABCD.")
def nearer(s: State, f: Figure, p: str, qs: list) -> str:
    return f"nearer_area(polygon({_points(f)}),{p},{','.join(qs)})"


@entry("AskArea", "the area of the part of <f:Figure> outside <c:AskCircle>", "the area of the region inside <f:Figure> and outside <c:AskCircle>", example="Find the area of the part of the square ABCD outside the circle with centre O through E. => area(A,B,C,D) - dist(E,O)**2*pi", counter="Find the area of the part of the square ABCD outside.")
def outside_circle(s: State, f: Figure, c: tuple) -> str:
    return f"area({_points(f)}) - pi*({c[1]})**2"


@entry("AskArea", "the area of the part of <c:AskCircle> outside <f:Figure>", "the area of the region inside <c:AskCircle> and outside <f:Figure>", example="Find the area of the part of the circumcircle of triangle ABC outside triangle ABC. => circumradius(A,B,C)**2*pi - area(A,B,C)", counter="Find the area of the part of the circumcircle of triangle ABC.")
def circle_outside(s: State, c: tuple, f: Figure) -> str:
    return f"pi*({c[1]})**2 - area({_points(f)})"


@entry("AskArea", "the area of the region of all points [that are] at most <r:Formula> away from the segment <p:Pair>", "the area of the region of all points whose distance from the segment <p:Pair> is at most <r:Formula>", example="Find the area of the region of all points whose distance from the segment AB is at most 3. => 2*3*dist(A,B) + 3**2*pi", counter="Find the area of the region of all points.")
def stadium(s: State, r: Any, p: tuple) -> str:
    size = value(r, s)
    if size.type != "num":
        raise Misread("a length")
    return f"2*({size})*dist({','.join(p)}) + pi*({size})**2"


@entry("AskArea", "the area of [the] (section|cross-section|polygon) <p:Many>", "the area of the (face|base) <p:Many>", example="Find the area of the section PQRS. => area(P,Q,R,S)", counter="Find the area of the section PQ.")
def section(s: State, p: tuple) -> str:
    return f"area({','.join(p)})"


# ---- angles -----------------------------------------------------------------------------------------------------------

@entry("AskAngle", "[the] angle <t:Three>", example="Find the angle ABC in degrees. => angle(A,B,C)", counter="Find the angle AB in degrees.")
def angle(s: State, t: tuple) -> str:
    return f"angle({','.join(t)})"


@entry("AskAngle", "the acute angle between [the] (lines|diagonals|segments|sides|edges) <a:Pair> and <b:Pair>", "the acute angle between [the] [line|segment|side|edge|diagonal] <a:Pair> and [the] [line|segment|side|edge|diagonal] <b:Pair>", example="Find the acute angle between the lines AB and CD in degrees. => angle(line(A,B),line(C,D))", counter="Find the angle between the lines AB and CD in degrees.")
def angle_of_lines(s: State, a: tuple, b: tuple) -> str:
    return f"angle(line({','.join(a)}),line({','.join(b)}))"


@entry("AskAngle", "the angle between the [line|edge|diagonal|segment] <a:Pair> and the (plane|base|face) <b:Many>", example="Find the angle between the line AG and the plane ABC in degrees. => angle(line(A,G),plane(A,B,C))", counter="Find the angle between the line AG and the plane AB in degrees.")
def angle_with_plane(s: State, a: tuple, b: tuple) -> str:
    return f"angle(line({','.join(a)}),plane({','.join(b[:3])}))"


@entry("AskAngle", "the acute angle between the (planes|faces) <a:Many> and <b:Many>", "the acute angle between the (plane|face|base) <a:Many> and the (plane|face|base) <b:Many>", example="Find the acute angle between the planes ABC and ABD in degrees. => angle(plane(A,B,C),plane(A,B,D))", counter="Find the acute angle between the planes AB and ABD in degrees.")
def angle_of_planes(s: State, a: tuple, b: tuple) -> str:
    return f"angle(plane({','.join(a[:3])}),plane({','.join(b[:3])}))"


@entry("AskAngle", "the acute angle at <p:Point> between the tangents to the circles with centres <o:Point> and <q:Point>", example="Find the acute angle at A between the tangents to the circles with centres O and Q in degrees. => angle(line(A,O),line(A,Q))", counter="Find the acute angle at A between the tangents in degrees.")
def angle_of_circles(s: State, p: str, o: str, q: str) -> str:
    return f"angle(line({p},{o}),line({p},{q}))"


@entry("AskAngle", "the acute angle between the chord <c:Pair> and the tangent at <t:Point> to the circle with centre <o:Point>", "the acute angle between the line <c:Pair> and the tangent at <t:Point> to the circle with centre <o:Point>", example="Find the acute angle between the chord AB and the tangent at A to the circle with centre O in degrees. => deg(90) - angle(line(A,B),line(A,O))", counter="Find the acute angle between the chord AB and the tangent at A in degrees.")
def angle_with_tangent(s: State, c: tuple, t: str, o: str) -> str:
    return f"deg(90) - angle(line({','.join(c)}),line({o},{t}))"


@entry("AskAngle", "the angle between the directions <a:Pair> and <b:Pair>", "the angle of the turn that carries the segment <a:Pair> to <b:Pair>", example="Find the angle between the directions AB and CD in degrees. => angle(vec(A,B),vec(C,D))", counter="Find the angle between the directions AB in degrees.")
def angle_of_directions(s: State, a: tuple, b: tuple) -> str:
    return f"angle(vec({','.join(a)}),vec({','.join(b)}))"
