"""Chords, diameters, and points on a circle in order."""

from __future__ import annotations

from typing import Any

from .algebra import Value
from .engine import Misread, entry
from .state import Circle, Line, State, same


@entry(
    "Clause",
    "[the|a] chord <p:Pair> of <c:Curve> touches <d:Curve> [at <t:Point>]",
    "<p:Pair> is a chord of <c:Curve> [that|which|and] touches <d:Curve> [at <t:Point>]",
    example="Two circles with common centre O have radii 5 and 3. The chord AB of the larger circle touches the smaller circle. => dist(A,O) == 5; dist(B,O) == 5; dist(O,line(A,B)) == 3",
    counter="The chord AB of the larger circle touches the smaller circle.",
)
def chord_touches(s: State, p: tuple, c: Any, d: Any, t: str = "") -> None:
    if not isinstance(c, Circle) or not isinstance(d, Circle):
        raise Misread("circles")
    for x in p:
        c.on(s, x)
    d.touched_by(s, Line("two", p, "segment"), t)


@entry(
    "Qty",
    "[the|a] chord <p:Pair> of <c:Curve>",
    example="A circle has centre O and radius 5. The chord AB of the circle is 6. => dist(A,O) == 5; dist(B,O) == 5; dist(A,B) == 6",
    counter="The chord AB of the line CD is 6.",
)
def chord_of(s: State, p: tuple, c: Any) -> Value:
    if not isinstance(c, Circle):
        raise Misread("of a circle")
    for x in p:
        c.on(s, x)
    return Value(f"dist({','.join(p)})", "num")


@entry(
    "Curve",
    "[the|a] chord <p:Pair> of <c:Curve>",
    "[the] chords <ps:Pair+> of <c:Curve>",
    example="The chords AB and CD of the circle with centre O and radius 5 meet at P. => dist(A,O) == 5; dist(B,O) == 5; dist(C,O) == 5; dist(D,O) == 5; on_segment(P,A,B); on_segment(P,C,D)",
    counter="The chords AB and CD of the line EF meet at P.",
)
def chords_of(s: State, c: Any, p: tuple = (), ps: list | None = None) -> list:
    if not isinstance(c, Circle):
        raise Misread("of a circle")
    rows = ps or [p]
    for row in rows:
        for x in row:
            c.on(s, x)
    return [Line("two", row, "segment") for row in rows]


@entry(
    "Attribute",
    "[the] chords <ps:Pair+>",
    "[the] chord <p:Pair> [= <q:Qty>]",
    example="A circle has centre O, radius 5 and the chord AB. => dist(A,O) == 5; dist(B,O) == 5",
    counter="A circle has centre O, radius 5 and the chord A.",
)
def has_chords(s: State, ps: list | None = None, p: tuple = (), q: Value | None = None) -> None:
    s.mention = chords_of(s, s.circle(), p, ps)
    s.subject = s.mention
    if q:
        same(s, Value(f"dist({','.join(p)})", "num"), q)


@entry(
    "Clause",
    "<p:Pair> is (a|the) chord [of length <q:Qty>] of <c:Curve>",
    "<ps:Pair+> are chords of <c:Curve>",
    "<p:Pair> is (a|the) chord [of length <q:Qty>]",
    "<ps:Pair+> are chords",
    example="AB is a chord of a circle with centre O and radius 5. => dist(A,O) == 5; dist(B,O) == 5",
    counter="AB is a chord of the line CD.",
)
def is_chord(s: State, p: tuple = (), ps: list | None = None, c: Any = None, q: Value | None = None) -> None:
    chords_of(s, c or s.circle(), p, ps)
    if q:
        same(s, Value(f"dist({','.join(p)})", "num"), q)
    s.segment = p or s.segment


@entry(
    "Clause",
    "<p:Pair> is (a|the) diameter of <c:Curve>",
    example="AB is a diameter of a circle with centre O. => midpoint(O,A,B)",
    counter="AB is a diameter of the line CD.",
)
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
        s.add(f"midpoint(circumcenter({','.join(c.around)}),{','.join(p)})") if not set(p) <= set(c.around) else s.add(
            f"right({p[0]},{next(x for x in c.around if x not in p)},{p[1]})"
        )
    for x in seen:
        c.on(s, x)


@entry(
    "Attribute",
    "[the] diameter <p:Pair> [= <q:Qty>]",
    example="A circle has diameter AB and radius 5. => dist(A,B)/2 == 5",
    counter="A circle has diameter ABC and radius 5.",
)
def has_diameter(s: State, p: tuple, q: Value | None = None) -> None:
    is_diameter(s, p, s.circle())
    if q:
        same(s, Value(f"dist({','.join(p)})", "num"), q)


@entry(
    "VP",
    "(is|are|lie|lies) (the ends of|ends of) a diameter",
    example="A circle has centre O and radius 5. A and B are ends of a diameter. => midpoint(O,A,B); dist(A,O) == 5",
    counter="A and B are ends of a diameter.",
)
def ends_of_diameter(s: State) -> None:
    if len(s.subject) != 2:
        raise Misread("two ends")
    is_diameter(s, (s.subject[0], s.subject[1]), s.circle())


@entry(
    "VP",
    "(lie|lies) on a circle with centre <p:Point>",
    "(lie|lies) on a circle with diameter <d:Pair>",
    example="A and B lie on a circle with centre O. => dist(A,O) == dist(B,O)",
    counter="A and B lie on a circle with centred O.",
)
def lie_on_circle_about(s: State, p: str = "", d: tuple = ()) -> None:
    circle = s.circle_about(p) if p else s.new_circle(Circle(diameter=d))
    for x in s.subject:
        circle.on(s, x)


@entry(
    "VP",
    "(lie|are) in this order on a circle",
    "(lie|are) on (a|one) circle [in this order]",
    example="The points A, B, C and D lie in this order on a circle. => cyclic(A,B,C,D); convex(A,B,C,D)",
    counter="The points A and B lie in this order on a circle.",
)
def order_on_circle(s: State) -> None:
    circle = s.new_circle(Circle())
    if len(s.subject) < 3:
        raise Misread("three points")
    for x in s.subject:
        circle.on(s, x)
    if len(s.subject) > 3:
        s.add(f"convex({','.join(s.subject)})")
