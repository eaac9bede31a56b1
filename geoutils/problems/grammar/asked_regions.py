"""Questions about circles and areas."""

from __future__ import annotations

from typing import Any

from .algebra import value
from .engine import Misread, entry
from .questions import letters
from .state import Figure, State

# ---- circles ----------------------------------------------------------------------------------------------------------


@entry(
    "AskCircle",
    "the circle with centre <o:Point> (through|that passes through) <a:Point>",
    example="Find the radius of the circle with centre O through A. => dist(A,O)",
    counter="Find the radius of the circle with centre O.",
)
def circle_through(s: State, o: str, a: str) -> tuple:
    return o, f"dist({o},{a})"


@entry(
    "AskCircle",
    "the circle (through|that passes through) <ps:Point+>",
    example="Find the area of the circle through A, B and C. => circumradius(A,B,C)**2*pi",
    counter="Find the area of the circle through A and B.",
)
def circle_through_three(s: State, ps: list) -> tuple:
    if len(ps) != 3:
        raise Misread("three points")
    return "", f"circumradius({','.join(ps)})"


@entry(
    "AskCircle",
    "the (circumcircle|circumscribed circle) of triangle <t:Three>",
    "the (circumcircle|circumscribed circle) of <f:Figure>",
    example="Find the radius of the circumcircle of triangle ABC. => circumradius(A,B,C)",
    counter="Find the radius of the circumcircle of AB.",
)
def circumcircle(s: State, t: tuple = (), f: Figure | None = None) -> tuple:
    return "", f"circumradius({','.join((t or f.points)[:3])})"  # type: ignore[union-attr]


@entry(
    "AskCircle",
    "the (incircle|inscribed circle) of triangle <t:Three>",
    example="Find the radius of the incircle of triangle ABC. => inradius(A,B,C)",
    counter="Find the radius of the incircle of AB.",
)
def incircle(s: State, t: tuple) -> tuple:
    return "", f"inradius({','.join(t)})"


@entry(
    "AskCircle",
    "the (incircle|inscribed circle) of [the] (square|rhombus|regular pentagon|regular hexagon|regular octagon|hexagon|pentagon|octagon) <t:Many>",
    example="Find the radius of the incircle of the square ABCD. => dist(centroid(A,B,C,D),line(A,B))",
    counter="Find the radius of the incircle of the kite ABCD.",
)
def incircle_of_regular(s: State, t: tuple) -> tuple:
    centre = f"centroid({','.join(t)})" if len(t) == 4 else f"circumcenter({','.join(t[:3])})"
    return "", f"dist({centre},line({t[0]},{t[1]}))"


@entry(
    "AskCircle",
    "the excircle of triangle <t:Three> opposite [to] <p:Point>",
    example="Find the radius of the excircle of triangle ABC opposite A. => exradius(A,B,C)",
    counter="Find the radius of the excircle of triangle ABC.",
)
def excircle(s: State, t: tuple, p: str) -> tuple:
    if p not in t:
        raise Misread("a corner")
    return "", f"exradius({','.join([p, *(x for x in t if x != p)])})"


@entry(
    "AskCircle",
    "the circle with diameter <p:Pair>",
    example="Find the area of the circle with diameter AB. => (dist(A,B)/2)**2*pi",
    counter="Find the area of the circle with diameter A.",
)
def circle_on(s: State, p: tuple) -> tuple:
    return "", f"dist({','.join(p)})/2"


@entry(
    "AskCircle",
    "the circle with centre <o:Point> (that touches|touching) the line <p:Pair>",
    example="Find the radius of the circle with centre O that touches the line AB. => dist(O,line(A,B))",
    counter="Find the radius of the circle with centre O that touches AB.",
)
def circle_touching(s: State, o: str, p: tuple) -> tuple:
    return o, f"dist({o},line({','.join(p)}))"


@entry(
    "AskCircle",
    "the circle (formed by|of) all points [that are] <k:Far>",
    example="Find the radius of the circle formed by all points that are 2 times as far from A as from B. => radius(apollonius(A,B,2))",
    counter="Find the radius of the circle formed by all points that are far from A.",
)
def circle_of_points(s: State, k: str) -> tuple:
    return "", f"radius({k})"


# ---- areas ------------------------------------------------------------------------------------------------------------


@entry(
    "AskArea",
    "the area of <f:Figure>",
    example="Find the area of the quadrilateral ABCD. => area(A,B,C,D)",
    counter="Find the area of the line AB.",
)
def area(s: State, f: Figure) -> str:
    return f"area({letters(f)})"


@entry(
    "AskArea",
    "the area of <c:AskCircle>",
    example="Find the area of the incircle of triangle ABC. => inradius(A,B,C)**2*pi",
    counter="Find the area of the circle.",
)
def area_of_circle(s: State, c: tuple) -> str:
    return f"pi*({c[1]})**2"


@entry(
    "AskArea",
    "the area of the smaller sector <t:Three> [of the circle with centre <o:Point>]",
    example="Find the area of the smaller sector AOB of the circle with centre O. => sector_area(O,A,B)",
    counter="Find the area of the sector AOB of the circle with centre O.",
)
def sector(s: State, t: tuple, o: str = "") -> str:
    if o and o != t[1]:
        raise Misread("the centre stands in the middle")
    return f"sector_area({t[1]},{t[0]},{t[2]})"


@entry(
    "AskArea",
    "the area of the smaller segment [that] the chord <p:Pair> cuts off the circle with centre <o:Point>",
    "the area of the smaller segment (cut off|cut) by the chord <p:Pair> (of|from) the circle with centre <o:Point>",
    example="Find the area of the smaller segment that the chord AB cuts off the circle with centre O. => segment_area(O,A,B)",
    counter="Find the area of the segment AB.",
)
def segment(s: State, p: tuple, o: str) -> str:
    return f"segment_area({o},{','.join(p)})"


@entry(
    "AskArea",
    "the area of the larger segment [that] the chord <p:Pair> cuts off the circle with centre <o:Point>",
    example="Find the area of the larger segment that the chord AB cuts off the circle with centre O. => dist(A,O)**2*pi - segment_area(O,A,B)",
    counter="Find the area of the larger segment AB.",
)
def larger_segment(s: State, p: tuple, o: str) -> str:
    return f"pi*dist({o},{p[0]})**2 - segment_area({o},{','.join(p)})"


@entry(
    "AskArea",
    "the area of the ring between the circles with centre <o:Point> through <a:Point> and through <b:Point>",
    "the area of the ring between <c:AskCircle> and <d:AskCircle>",
    example="Find the area of the ring between the circles with centre O through A and through B. => abs(dist(A,O)**2*pi - dist(B,O)**2*pi)",
    counter="Find the area of the ring.",
)
def ring(s: State, o: str = "", a: str = "", b: str = "", c: tuple = (), d: tuple = ()) -> str:
    one, two = (c[1], d[1]) if c else (f"dist({o},{a})", f"dist({o},{b})")
    return f"abs(pi*({one})**2 - pi*({two})**2)"


@entry(
    "AskArea",
    "the area common to the circle with centre <o:Point> through <a:Point> and the circle with centre <q:Point> through <b:Point>",
    "the area common to the circles with centres <o:Point> and <q:Point> through <a:Point>",
    example="Find the area common to the circle with centre O through A and the circle with centre Q through A. => lens_area(O,A,Q,A)",
    counter="Find the area common to the circles.",
)
def lens(s: State, o: str, q: str, a: str, b: str = "") -> str:
    return f"lens_area({o},{a},{q},{b or a})"


@entry(
    "AskArea",
    "the area of the region enclosed between the three touching circles with centres <a:Point> , <b:Point> and <c:Point>",
    example="Find the area of the region enclosed between the three touching circles with centres A, B and C. => gap_area(A,B,C)",
    counter="Find the area of the region.",
)
def gap(s: State, a: str, b: str, c: str) -> str:
    return f"gap_area({a},{b},{c})"


@entry(
    "AskArea",
    "the area common to [the] [squares|triangles|rectangles|parallelograms|quadrilaterals] <a:Many> and <b:Many>",
    "the area common to <f:Figure> and <g:Figure>",
    example="Find the area common to the squares ABCD and EFGH. => overlap_area(polygon(A,B,C,D),polygon(E,F,G,H))",
    counter="Find the area common to the square ABCD.",
)
def overlap(s: State, a: tuple = (), b: tuple = (), f: Figure | None = None, g: Figure | None = None) -> str:
    one, two = (a, b) if a else (f.points, g.points)  # type: ignore[union-attr]
    return f"overlap_area(polygon({','.join(one)}),polygon({','.join(two)}))"


@entry(
    "AskArea",
    "the area of the part of <f:Figure> whose points are nearer to <p:Spot> than to <qs:Point*>",
    "the area of the part of <f:Figure> whose points are nearer to <p:Spot> than to any of <qs:Point+>",
    example="Find the area of the part of the square ABCD whose points are nearer to P than to A, B, C and D. => nearer_area(polygon(A,B,C,D),P,A,B,C,D)",
    counter="Find the area of the part of the square ABCD.",
)
def nearer(s: State, f: Figure, p: str, qs: list) -> str:
    return f"nearer_area(polygon({letters(f)}),{p},{','.join(qs)})"


@entry(
    "AskArea",
    "the area of the part of <f:Figure> outside <c:AskCircle>",
    "the area of the region inside <f:Figure> and outside <c:AskCircle>",
    example="Find the area of the part of the square ABCD outside the circle with centre O through E. => area(A,B,C,D) - dist(E,O)**2*pi",
    counter="Find the area of the part of the square ABCD outside.",
)
def outside_circle(s: State, f: Figure, c: tuple) -> str:
    return f"area({letters(f)}) - pi*({c[1]})**2"


@entry(
    "AskArea",
    "the area of the part of <c:AskCircle> outside <f:Figure>",
    "the area of the region inside <c:AskCircle> and outside <f:Figure>",
    example="Find the area of the part of the circumcircle of triangle ABC outside triangle ABC. => circumradius(A,B,C)**2*pi - area(A,B,C)",
    counter="Find the area of the part of the circumcircle of triangle ABC.",
)
def circle_outside(s: State, c: tuple, f: Figure) -> str:
    return f"pi*({c[1]})**2 - area({letters(f)})"


@entry(
    "AskArea",
    "the area of the region of all points [that are] at most <r:Formula> away from the segment <p:Pair>",
    "the area of the region of all points whose distance from the segment <p:Pair> is at most <r:Formula>",
    example="Find the area of the region of all points whose distance from the segment AB is at most 3. => 2*3*dist(A,B) + 3**2*pi",
    counter="Find the area of the region of all points.",
)
def stadium(s: State, r: Any, p: tuple) -> str:
    size = value(r, s)
    if size.type != "num":
        raise Misread("a length")
    return f"2*({size})*dist({','.join(p)}) + pi*({size})**2"


@entry(
    "AskArea",
    "the area of [the] (section|cross-section|polygon) <p:Many>",
    "the area of the (face|base) <p:Many>",
    example="Find the area of the section PQRS. => area(P,Q,R,S)",
    counter="Find the area of the section PQ.",
)
def section(s: State, p: tuple) -> str:
    return f"area({','.join(p)})"


@entry(
    "AskArea",
    "the area of the ring between the incircle and the circumcircle of [the] [regular] (triangle|square|pentagon|hexagon|octagon) <t:Many>",
    example="Find the area of the ring between the incircle and the circumcircle of triangle ABC. => circumradius(A,B,C)**2*pi - inradius(A,B,C)**2*pi",
    counter="Find the area of the ring between the incircle and the circumcircle.",
)
def ring_of_triangle(s: State, t: tuple) -> str:
    around = f"circumradius({','.join(t[:3])})"
    if len(t) == 3:
        return f"pi*{around}**2 - pi*inradius({','.join(t)})**2"
    return f"pi*{around}**2 - pi*({incircle_of_regular(s, t)[1]})**2"


@entry(
    "AskArea",
    "the area of the region bounded by the segments <a:Pair> and <b:Pair> and the shorter arc <c:Pair> of the circle with centre <o:Point>",
    "the area of the region between the [two] tangents <a:Pair> and <b:Pair> and the shorter arc <c:Pair> of the circle with centre <o:Point>",
    example="Find the area of the region bounded by the segments PA and PB and the shorter arc AB of the circle with centre O. => area(A,O,B,P) - sector_area(O,A,B)",
    counter="Find the area of the region bounded by the segments PA and PB and the shorter arc CD of the circle with centre O.",
)
def between_tangents(s: State, a: tuple, b: tuple, c: tuple, o: str) -> str:
    top = set(a) & set(b)
    ends = (set(a) | set(b)) - top
    if len(top) != 1 or ends != set(c):
        raise Misread("two segments from one point to the ends of the arc")
    return f"area({top.pop()},{c[0]},{o},{c[1]}) - sector_area({o},{c[0]},{c[1]})"


@entry(
    "AskArea",
    "the area of the region [that lies] inside both the circle with centre <o:Point> through <a:Point> and the circle with centre <q:Point> through <b:Point>",
    example="Find the area of the region inside both the circle with centre O through Q and the circle with centre Q through O. => lens_area(O,Q,Q,O)",
    counter="Find the area of the region inside both the circle with centre O through Q.",
)
def inside_both(s: State, o: str, q: str, a: str, b: str) -> str:
    return lens(s, o, q, a, b)
