"""Where points lie: on lines and arcs, between, in order, on a side, inside."""

from __future__ import annotations

import itertools
from typing import Any

from .engine import Misread, entry
from .state import Circle, Figure, Line, State, place
from .subjects import points_of

# ---- lying on ---------------------------------------------------------------------------------------------------------


@entry(
    "On",
    "on <c:Curves>",
    example="D lies on AB and on AC. => on_segment(D,A,B); on_segment(D,A,C)",
    counter="D lies on on AC.",
)
def on(s: State, c: list) -> list:
    return c


@entry(
    "VP",
    "(lies|lie) <os:On*>",
    "(is|are) <os:On*>",
    example="The points D and E lie on AB and AC. => on_segment(D,A,B); on_segment(E,A,C)",
    counter="The points D and E lie in AB and AC.",
)
def lie_on(s: State, os: list) -> None:
    if all(isinstance(item, Line) and item.kind == "two" for item in s.subject):
        for item in s.subject:
            place(s, list(item.points()), [c for row in os for c in row])
        return
    for row in os:
        place(s, points_of(s), row)


@entry(
    "VP",
    "(lie|are) in (this|that) order on (a|the same|one) [straight] line",
    "lie on (a|the same|one) [straight] line in this order",
    example="The points A, B, C and D lie in this order on a line. => on_segment(B,A,C); on_segment(C,B,D)",
    counter="The points A and B lie in this order on a line.",
)
def in_order_on_line(s: State) -> None:
    points = points_of(s)
    if len(points) < 3:
        raise Misread("three points have an order")
    for a, b, c in zip(points, points[1:], points[2:], strict=False):
        s.add(f"on_segment({b},{a},{c})")


@entry(
    "VP",
    "(lies|lie) in this order on <c:Curve>",
    "(lies|lie) on <c:Curve> in this order",
    example="The points D and E lie in this order on segment AB. => on_segment(D,A,B); on_segment(E,A,B); on_segment(D,A,E)",
    counter="The points D and E lie in order on segment AB.",
)
def in_order_on(s: State, c: Any) -> None:
    points = points_of(s)
    for point in points:
        c.on(s, point)
    if isinstance(c, Line) and c.kind == "two":
        row = [c.data[0], *points] + ([c.data[1]] if c.extent == "segment" else [])
        for a, b, d in zip(row, row[1:], row[2:], strict=False):
            if d != c.data[1]:
                s.add(f"on_segment({b},{a},{d})")
    elif isinstance(c, Circle) and len(points) > 3:
        s.add(f"convex({','.join(points)})")
    else:
        raise Misread("no order there")


@entry(
    "VP",
    "(lies|lie|is|are) between <a:Point> and <b:Point>",
    example="A lies between P and B. => on_segment(A,B,P)",
    counter="A lies between P.",
)
def between(s: State, a: str, b: str) -> None:
    for point in points_of(s):
        s.add(f"on_segment({point},{a},{b})")


@entry(
    "Clause",
    "<p:Point> between <a:Point> and <b:Point>",
    example="P lies on the line BC, with P between B and C. => on_line(P,B,C); on_segment(P,B,C)",
    counter="P lies on the line BC, with P between B.",
)
def with_between(s: State, p: str, a: str, b: str) -> None:
    s.add(f"on_segment({p},{a},{b})")


@entry(
    "VP",
    "(lie|are) on the same side of <c:Curve>",
    "(lies|is) on the same side of <c:Curve> as <p:Point>",
    "(lie|are) on the same side of <c:Curve> as <p:Point>",
    "(is|are) on the same side of <c:Curve>",
    example="C and D lie on the same side of the line AB. => same_side(C,D,A,B)",
    counter="C and D lie on the same side of AB as.",
)
def same_side(s: State, c: Any, p: str = "") -> None:
    _sides(s, c, p, "same_side")


@entry(
    "VP",
    "(lie|are) on (opposite|different) sides of <c:Curve>",
    "(lies|is) on the other side of <c:Curve> [from|than] <p:Point>",
    example="C and D lie on opposite sides of the line AB. => opposite(C,D,A,B)",
    counter="C and D lie on odd sides of the line AB.",
)
def opposite_sides(s: State, c: Any, p: str = "") -> None:
    _sides(s, c, p, "opposite")


def _sides(s: State, c: Any, p: str, name: str) -> None:
    points = points_of(s)
    if not isinstance(c, Line):
        raise Misread("sides of a line")
    pairs = [(x, p) for x in points] if p else list(itertools.pairwise(points))
    if not pairs:
        raise Misread("two points")
    for one, two in pairs:
        s.add(f"{name}({one},{two},{c.args()})")


@entry(
    "VP",
    "(lies|lie|is|are) (inside|in the interior of) <f:Figure>",
    "(lies|lie|is|are) inside <c:Curve>",
    example="The point P lies inside triangle ABC. => triangle(A,B,C); inside(P,A,B,C)",
    counter="The point P lies inside the line AB.",
)
def lie_inside(s: State, f: Figure | None = None, c: Any = None) -> None:
    for point in points_of(s):
        if f:
            s.add(f"inside({point},{','.join(f.points)})")
        elif isinstance(c, Circle):
            s.add(f"dist({c.centre_of(s)},{point}) < {c.radius_of(s)}")
        else:
            raise Misread("inside what")


@entry(
    "VP",
    "(lies|lie|is|are) outside [of] <f:Figure>",
    "(lies|lie|is|are) outside [of] <c:Curve>",
    example="The point P lies outside triangle ABC. => triangle(A,B,C); outside(P,A,B,C)",
    counter="The point P lies outside the line AB.",
)
def lie_outside(s: State, f: Figure | None = None, c: Any = None) -> None:
    for point in points_of(s):
        if f:
            s.add(f"outside({point},{','.join(f.points)})")
        elif isinstance(c, Circle):
            s.add(f"{c.radius_of(s)} < dist({c.centre_of(s)},{point})")
        else:
            raise Misread("outside what")


@entry(
    "VP",
    "(lies|lie) (inside|within) [the] (angle|angles) <t:Three>",
    example="P lies inside the angle BAC. => same_side(B,P,A,C); same_side(C,P,A,B)",
    counter="P lies inside the angle BA.",
)
def inside_angle(s: State, t: tuple) -> None:
    for point in points_of(s):
        s.add(f"same_side({point},{t[0]},{t[1]},{t[2]})")
        s.add(f"same_side({point},{t[2]},{t[0]},{t[1]})")


@entry(
    "VP",
    "(lies|lie) between [the] [parallel] lines <a:Pair> and <b:Pair>",
    "(lies|lie) between them",
    example="The lines AB and CD are parallel. E lies between the lines AB and CD. => parallel(A,B,C,D); same_side(C,E,A,B); same_side(A,E,C,D)",
    counter="E lies between the lines AB.",
)
def between_lines(s: State, a: tuple = (), b: tuple = ()) -> None:
    if not a:
        two = s.curves.get("lines", [])
        if len(two) != 2:
            raise Misread("two lines")
        a, b = two[0].points(), two[1].points()
    for p in points_of(s):
        s.add(f"same_side({p},{b[0]},{','.join(a)})")
        s.add(f"same_side({p},{a[0]},{','.join(b)})")


@entry(
    "VP",
    "(lies|lie) on the shorter arc <p:Pair> [of the circle]",
    example="A circle has centre O and radius 5. C lies on the shorter arc AB. => dist(A,O) == 5; dist(B,O) == 5; dist(C,O) == 5; opposite(C,O,A,B)",
    counter="C lies on the shorter arc AB.",
)
def on_shorter_arc(s: State, p: tuple) -> None:
    _on_arc(s, p, "opposite")


@entry(
    "VP",
    "(lies|lie) on the longer arc <p:Pair> [of the circle]",
    example="A circle has centre O and radius 5. C lies on the longer arc AB. => dist(A,O) == 5; dist(B,O) == 5; dist(C,O) == 5; same_side(C,O,A,B)",
    counter="C lies on the longer arc AB.",
)
def on_longer_arc(s: State, p: tuple) -> None:
    _on_arc(s, p, "same_side")


def _on_arc(s: State, p: tuple, side: str) -> None:
    circle = s.circle()
    for x in (*p, *points_of(s)):
        circle.on(s, x)
    for x in points_of(s):
        s.add(f"{side}({x},{circle.centre_of(s)},{p[0]},{p[1]})")


@entry(
    "VP",
    "(lies|lie) on the arc <p:Pair> (not containing|that does not contain|without) <q:Point>",
    "(lies|lie) on the arc <p:Pair> of (the|its) circumcircle (not containing|that does not contain|without) <q:Point>",
    example="In triangle ABC, D lies on the arc BC not containing A. => triangle(A,B,C); cyclic(A,B,C,D); opposite(A,D,B,C)",
    counter="D lies on the arc BC.",
)
def on_arc_without(s: State, p: tuple, q: str) -> None:
    for x in points_of(s):
        s.add(f"cyclic({p[0]},{p[1]},{q},{x})")
        s.add(f"opposite({x},{q},{p[0]},{p[1]})")


@entry(
    "Clause",
    "in the order <ps:Point+>",
    "in this order : <ps:Point+>",
    example="D and E lie on BC, in the order B, D, E, C. => on_segment(D,B,C); on_segment(E,B,C); on_segment(D,B,E); on_segment(E,C,D)",
    counter="D and E lie on BC, in order B, D, E, C.",
)
def in_the_order(s: State, ps: list) -> None:
    if len(ps) < 3:
        raise Misread("three points have an order")
    for a, b, c in zip(ps, ps[1:], ps[2:], strict=False):
        s.add(f"on_segment({b},{a},{c})")


@entry(
    "Clause",
    "<p:Points> inside <f:Figure>",
    "<p:Points> inside the circle",
    "<p:Points> (is|are) (a point|points) inside <f:Figure>",
    "let <p:Points> be a point inside <f:Figure>",
    example="PA = 5, with P inside triangle ABC. => dist(A,P) == 5; triangle(A,B,C); inside(P,A,B,C)",
    counter="PA = 5, with P inside AB.",
)
def with_inside(s: State, p: list, f: Figure | None = None) -> None:
    s.subject = p
    lie_inside(s, f, None if f else s.circle())
