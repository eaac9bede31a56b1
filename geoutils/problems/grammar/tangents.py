"""Tangents of circles, two circles that touch or cross, common tangents."""

from __future__ import annotations

from typing import Any

from .engine import Misread, entry
from .state import Circle, Line, PointDef, State
from .terms import number

# ---- tangents ---------------------------------------------------------------------------------------------------------


@entry(
    "Curve",
    "[the] tangent to <c:Curve> (at|in) <t:Point>",
    "[the] tangent [to the circle] at <t:Point> [to <c:Curve>]",
    "[the] tangent at <t:Point> to <c:Curve>",
    example="A circle has centre O and radius 5. The tangent to the circle at A meets the line BC at P. => dist(A,O) == 5; right(O,A,P); on_line(P,B,C)",
    counter="The tangent to the line BC at A meets the line DE at P.",
)
def tangent_at(s: State, t: str, c: Any = None) -> Line:
    circle = c or s.circle()
    if not isinstance(circle, Circle):
        raise Misread("of a circle")
    circle.on(s, t)
    return Line("tangent", (circle, t))


@entry(
    "Curve",
    "[the] tangents to <c:Curve> (at|in) <ts:Point+>",
    "[the] tangents at <ts:Point+> [to <c:Curve>]",
    example="A circle has centre O and radius 5. The tangents to the circle at A and B meet at P. => dist(A,O) == 5; dist(B,O) == 5; right(O,A,P); right(O,B,P)",
    counter="The tangents to the line at A and B meet at P.",
)
def tangents_at(s: State, ts: list, c: Any = None) -> list:
    return [tangent_at(s, t, c) for t in ts]


@entry(
    "Curve",
    "(a|the|one) tangent from <p:Point> [to the circle]",
    example="A circle has centre O and radius 5. A tangent from P touches the circle at T. => dist(O,T) == 5; right(O,T,P)",
    counter="A tangent from P touches AB at T.",
)
def tangent_from(s: State, p: str) -> Line:
    return Line("free", (), "line", [p])


@entry(
    "Curve",
    "(the|two|the two) tangents from <p:Point> [to the circle]",
    example="A circle has centre O and radius 5. The tangents from P touch the circle at A and B. => dist(A,O) == 5; right(O,A,P); dist(B,O) == 5; right(O,B,P); distinct(A,B)",
    counter="The tangents from P touch AB at C and D.",
)
def tangents_from(s: State, p: str) -> list:
    return [Line("free", (), "line", [p]), Line("free", (), "line", [p])]


@entry(
    "Clause",
    "(the|two|the two) tangents from <p:Point> to <c:Curve> (touch|meet) (it|the circle|<d:Curve>) at <a:Point> and <b:Point>",
    "[the] tangents from <p:Point> to <c:Curve> have [the] (points of contact|contact points) <a:Point> and <b:Point>",
    "<a:Point> and <b:Point> are the points where the tangents from <p:Point> touch <c:Curve>",
    example="A circle has centre O and radius 5. The tangents from P to the circle touch it at A and B. => dist(A,O) == 5; right(O,A,P); dist(B,O) == 5; right(O,B,P); distinct(A,B)",
    counter="The tangents from P to the circle touch it at A.",
)
def tangents_touch(s: State, p: str, a: str, b: str, c: Any = None, d: Any = None) -> None:
    circle = c or d or s.circle()
    if not isinstance(circle, Circle):
        raise Misread("a circle")
    for t in (a, b):
        circle.on(s, t)
        s.add(f"right({circle.centre_of(s)},{t},{p})")
    s.add(f"distinct({a},{b})")


@entry(
    "Clause",
    "[a|the] tangent from <p:Point> to <c:Curve> touches it at <t:Point>",
    "<p:Pair> is (a|the) tangent to <c:Curve> [at <t:Point>]",
    "<p:Pair> is (a|the) tangent at <t:Point> to <c:Curve>",
    "[the] (line|ray|segment) <p:Pair> is (a|the) tangent to <c:Curve> [at <t:Point>]",
    "<ps:Pair+> are [the] tangents to <c:Curve>",
    "[the] tangent segment <p:Pair> touches <c:Curve> at <t:Point>",
    example="A circle has centre O and radius 5. PT is a tangent to the circle at T. => dist(O,T) == 5; right(O,T,P)",
    counter="PT is a tangent to the line AB at T.",
)
def is_tangent(s: State, c: Any, p: Any = "", t: str = "", ps: list | None = None) -> None:
    if not isinstance(c, Circle):
        raise Misread("a circle")
    rows = ps or [p if isinstance(p, tuple) else (p, t)]
    for row in rows:
        touch = t or row[1]
        c.touched_by(s, Line("two", row, "line"), touch)


# ---- two circles ------------------------------------------------------------------------------------------------------


@entry(
    "Curve",
    "[the|two|three] circles with [the] centres <ps:Point+>",
    example="The circles with centres O and Q have radii 5 and 4. A lies on both circles. => dist(A,O) == 5; dist(A,Q) == 4",
    counter="The circles with centres have radii 5 and 4.",
)
def circles_about(s: State, ps: list) -> list:
    return [s.circle_about(p) for p in ps]


@entry(
    "Curve",
    "[the|two|three] [equal] circles with [the] centres <ps:Point+> and [the] [equal|common] (radii|radius) <qs:Qty*>",
    "[the|two|three] circles of (radii|radius) <qs:Qty*> with [the] centres <ps:Point+>",
    "[the|two|three] circles with [the] centres <ps:Point+> and [the] radii <qs:Qty+>",
    example="Two circles with centres O and Q and radii 5 and 4 meet at A and B. => dist(A,O) == 5; dist(A,Q) == 4; dist(B,O) == 5; dist(B,Q) == 4; distinct(A,B)",
    counter="Two circles with centres O and Q and radii 5 meet at A and.",
)
def circles_with_radii(s: State, ps: list, qs: list) -> list:
    if len(qs) == 1:
        qs = qs * len(ps)
    if len(ps) != len(qs) or any(q.type != "num" for q in qs):
        raise Misread("as many radii as centres")
    out = circles_about(s, ps)
    for circle, q in zip(out, qs, strict=False):
        if circle.radius != q.text:
            circle.has_radius(s, q.text)
    return out


@entry(
    "Curve",
    "[the|two] [concentric] circles with [the] [common] centre <p:Point> [and radii <qs:Qty+>]",
    example="Two circles with common centre O and radii 5 and 3 are given. A lies on the larger circle. => dist(A,O) == 5",
    counter="Two circles with common centre are given.",
)
def concentric(s: State, p: str, qs: list | None = None) -> list:
    out = [s.new_circle(Circle(centre=p)), s.new_circle(Circle(centre=p))]
    for circle, q in zip(out, qs or [], strict=False):
        circle.has_radius(s, q.text)
    return out


def _touch(s: State, outside: bool, t: str, within: bool = False) -> None:
    items = [item for item in s.subject if isinstance(item, Circle)]
    if len(items) == 1 and isinstance(s.mention, Circle) and s.mention is not items[0]:
        items.append(s.mention)
    if len(items) < 2 or (t and len(items) > 2):
        raise Misread("two circles")
    pairs = [(one, two) for i, one in enumerate(items) for two in items[i + 1 :]]
    for one, two in pairs:
        o, q = one.centre_of(s), two.centre_of(s)
        if t:
            one.on(s, t)
            two.on(s, t)
            if outside:
                s.add(f"on_segment({t},{o},{q})")
            else:
                sizes = (number(one.radius_of()), number(two.radius_of()))
                if None in sizes and not within:
                    raise Misread("which circle is inside")
                outer_first = False if within else sizes[0] > sizes[1]  # type: ignore[operator]
                s.add(f"beyond({t},{o},{q})" if outer_first else f"beyond({t},{q},{o})")
        r1, r2 = one.radius_of(), two.radius_of()
        if within:
            if t:
                continue
            s.add(f"dist({o},{q}) == {r2} - ({r1})")
            continue
        if outside:
            s.add(f"dist({o},{q}) == {r1} + {r2}")
        else:
            a, b = number(r1), number(r2)
            first, second = (r1, r2) if a is None or b is None or a > b else (r2, r1)
            s.add(
                f"dist({o},{q}) == {first} - ({second})"
                if a is not None and b is not None
                else f"dist({o},{q}) == abs({r1} - ({r2}))"
            )


@entry(
    "VP",
    "(touch|touches) [each other|one another] externally [at <t:Point>]",
    "(touch|touches) [each other|one another] (outside|from outside) [at <t:Point>]",
    "(touch|touches) [each other|one another] [at <t:Point>] externally",
    "(touches|touch) <c:Curve> externally [at <t:Point>]",
    example="Two circles with centres O and Q and radii 5 and 4 touch externally at T. => dist(O,T) == 5; dist(Q,T) == 4; on_segment(T,O,Q); dist(O,Q) == 5 + 4",
    counter="Two circles with centres O and Q and radii 5 and 4 touch eternally at T.",
)
def touch_outside(s: State, t: str = "", c: Any = None) -> None:
    s.mention = c or s.mention
    _touch(s, True, t)


@entry(
    "VP",
    "(touch|touches) [each other|one another] internally [at <t:Point>]",
    "(touch|touches) [each other] (inside|from inside) [at <t:Point>]",
    "(touches|touch) <c:Curve> (internally|from inside) [at <t:Point>]",
    example="Two circles with centres O and Q and radii 9 and 4 touch internally at T. => dist(O,T) == 9; dist(Q,T) == 4; beyond(T,O,Q); dist(O,Q) == 9 - 4",
    counter="Two circles with centres O and Q and radii 9 and 4 touch infernally at T.",
)
def touch_inside(s: State, t: str = "", c: Any = None) -> None:
    s.mention = c or s.mention
    _touch(s, False, t, within=c is not None)


@entry(
    "Clause",
    "three equal circles with [the] centres <ps:Dot+> touch (each other|one another) externally",
    example="Three equal circles with centres A, B and C touch one another externally. => dist(A,B) == dist(A,C); dist(A,B) == dist(B,C)",
    counter="Three equal circles with centres A and B touch one another externally.",
)
def equal_circles_touch(s: State, ps: list) -> None:
    if len(set(ps)) != 3:
        raise Misread("three centres")
    a, b, c = ps
    s.add(f"dist({a},{b}) == dist({a},{c})")
    s.add(f"dist({a},{b}) == dist({b},{c})")
    for p in ps:
        s.new_circle(Circle(centre=p, radius=f"dist({a},{b})/2"))


@entry(
    "PointDef",
    "[the] (intersection|crossing point) of the common external tangents [of the circles]",
    "[the] point where the common external tangents [of the circles] meet",
    example="Two circles with centres O and Q have radii 5 and 2. S is the point where the common external tangents meet. => beyond(S,O,Q); 2*dist(O,S) == 5*dist(Q,S)",
    counter="S is the point where the common external tangents meet.",
)
def outer_centre(s: State, inner: bool = False) -> PointDef:
    if len(s.circles) < 2:
        raise Misread("two circles")
    one, two = s.circles[-2:]
    o, q, r1, r2 = one.centre_of(s), two.centre_of(s), one.radius_of(), two.radius_of()

    def say(st: State, x: str) -> None:
        sizes = number(r1), number(r2)
        if inner:
            st.add(f"on_segment({x},{o},{q})")
        elif None in sizes:
            raise Misread("which circle is larger")
        else:
            st.add(f"beyond({x},{o},{q})" if sizes[0] > sizes[1] else f"beyond({x},{q},{o})")  # type: ignore[operator]
        st.add(f"({r2})*dist({x},{o}) == ({r1})*dist({x},{q})")

    return PointDef(say)


@entry(
    "PointDef",
    "[the] (intersection|crossing point) of the common internal tangents [of the circles]",
    "[the] point where the common internal tangents [of the circles] meet",
    example="Two circles with centres O and Q have radii 5 and 2. S is the point where the common internal tangents meet. => on_segment(S,O,Q); 2*dist(O,S) == 5*dist(Q,S)",
    counter="S is the point where the common internal tangents meet.",
)
def inner_centre(s: State) -> PointDef:
    return outer_centre(s, inner=True)


def _common_tangent(s: State, a: str, b: str, name: str, line: tuple = ()) -> None:
    if len(s.circles) < 2:
        raise Misread("two circles")
    one, two = s.circles[-2:]
    one.on(s, a)
    two.on(s, b)
    o, q = one.centre_of(s), two.centre_of(s)
    s.add(f"right({o},{a},{b})")
    s.add(f"right({q},{b},{a})")
    s.segment = (a, b)
    s.mention = Line("two", (a, b))
    if name:
        s.add(f"{name}({o},{q},{a},{b})")


@entry(
    "Clause",
    "(a|the) common tangent [of the circles] touches (them|the circles) at <a:Point> and <b:Point>",
    "<p:Pair> is a common tangent [of the circles]",
    "[the] line <p:Pair> touches both circles at <a:Point> and <b:Point>",
    example="Two circles with centres O and Q have radii 5 and 2. A common tangent touches them at A and B, with both centres on the same side of it. => dist(A,O) == 5; dist(B,Q) == 2; right(A,B,Q); right(B,A,O); same_side(O,Q,A,B)",
    counter="A common tangent touches them at A and B.",
)
def common_tangent(s: State, a: str = "", b: str = "", p: tuple = ()) -> None:
    _common_tangent(s, a or p[0], b or p[1], "")


@entry(
    "Clause",
    "(a|the) common (external|outer) tangent [of the circles] touches (them|the circles) at <a:Point> and <b:Point>",
    "<p:Pair> is a common (external|outer) tangent [of the circles]",
    example="Two circles with centres O and Q have radii 5 and 2. A common external tangent touches them at A and B. => dist(A,O) == 5; dist(B,Q) == 2; right(A,B,Q); right(B,A,O); same_side(O,Q,A,B)",
    counter="A common external tangent touches them at A and B.",
)
def outer_tangent(s: State, a: str = "", b: str = "", p: tuple = ()) -> None:
    _common_tangent(s, a or p[0], b or p[1], "same_side")


@entry(
    "Clause",
    "(a|the) common (internal|inner) tangent [of the circles] touches (them|the circles) at <a:Point> and <b:Point>",
    "<p:Pair> is a common (internal|inner) tangent [of the circles]",
    example="Two circles with centres O and Q have radii 5 and 2. A common internal tangent touches them at A and B. => dist(A,O) == 5; dist(B,Q) == 2; right(A,B,Q); right(B,A,O); opposite(O,Q,A,B)",
    counter="A common internal tangent touches them at A and B.",
)
def inner_tangent(s: State, a: str = "", b: str = "", p: tuple = ()) -> None:
    _common_tangent(s, a or p[0], b or p[1], "opposite")


@entry(
    "Clause",
    "both centres [lie] on the same side of (it|the tangent)",
    "both centres lie on the same side of the line <p:Pair>",
    "it does not separate the centres",
    example="Two circles with centres O and Q have radii 5 and 2. A common tangent touches them at A and B, and it does not separate the centres. => dist(A,O) == 5; dist(B,Q) == 2; right(A,B,Q); right(B,A,O); same_side(O,Q,A,B)",
    counter="Both centres lie on the same side of it.",
)
def centres_same_side(s: State, p: tuple = ()) -> None:
    _centres(s, "same_side", p)


@entry(
    "Clause",
    "it separates the centres",
    "the centres lie on opposite sides of (it|the tangent)",
    "the centres lie on opposite sides of the line <p:Pair>",
    "[the] line <p:Pair> separates the centres",
    example="Two circles with centres O and Q have radii 5 and 2. A common tangent touches them at A and B, and it separates the centres. => dist(A,O) == 5; dist(B,Q) == 2; right(A,B,Q); right(B,A,O); opposite(O,Q,A,B)",
    counter="It separates the centres.",
)
def centres_opposite(s: State, p: tuple = ()) -> None:
    _centres(s, "opposite", p)


def _centres(s: State, name: str, p: tuple) -> None:
    row = p or s.segment
    if len(s.circles) < 2 or len(row) != 2:
        raise Misread("two circles and a line")
    one, two = s.circles[-2:]
    s.add(f"{name}({one.centre_of(s)},{two.centre_of(s)},{','.join(row)})")
