"""Relations of lines and points: parallel, perpendicular, through, touching, bisecting, dividing, as far as."""

from __future__ import annotations

import itertools
from typing import Any

from .algebra import Value, value
from .engine import Misread, entry
from .facts import ratio
from .state import Circle, Line, State, same
from .subjects import apart, curves_of, points_of, two_lines

# ---- direction --------------------------------------------------------------------------------------------------------


def _lines(s: State) -> list[Line]:
    items = curves_of(s)
    if not all(isinstance(item, Line) for item in items):
        raise Misread("lines do this")
    return items


@entry(
    "VP",
    "(is|are) parallel (to|with) <c:Curve>",
    example="DE is parallel to BC. => parallel(B,C,D,E)",
    counter="DE is parallel.",
)
def parallel_to(s: State, c: Any) -> None:
    if not isinstance(c, Line):
        raise Misread("parallel to a line")
    for item in _lines(s):
        s.add(f"parallel({item.args()},{c.args()})")


@entry(
    "Clause",
    "<a:Curve> parallel to <c:Curve>",
    example="ABCD is a convex quadrilateral with AB parallel to CD. => convex(A,B,C,D); parallel(A,B,C,D)",
    counter="ABCD is a convex quadrilateral with AB parallel.",
)
def with_parallel(s: State, a: Any, c: Any) -> None:
    s.subject = [a]
    parallel_to(s, c)


@entry(
    "Clause",
    "<a:Curve> perpendicular to <c:Curve>",
    example="ABCD is a convex quadrilateral with AC perpendicular to BD. => convex(A,B,C,D); perp(A,C,B,D)",
    counter="ABCD is a convex quadrilateral with AC perpendicular.",
)
def with_perpendicular(s: State, a: Any, c: Any) -> None:
    s.subject = [a]
    perpendicular_to(s, c)


@entry(
    "VP",
    "are parallel [to each other|to one another]",
    example="The lines AB and CD are parallel. => parallel(A,B,C,D)",
    counter="The line AB are parallel.",
)
def are_parallel(s: State) -> None:
    items = _lines(s)
    if len(items) < 2:
        raise Misread("two lines")
    for one, two in itertools.pairwise(items):
        s.add(f"parallel({one.args()},{two.args()})")


@entry(
    "VP",
    "(is|are) perpendicular to <c:Curve>",
    "(makes|make) (a right angle|right angles) with <c:Curve>",
    example="DE is perpendicular to BC. => perp(B,C,D,E)",
    counter="DE is perpendicular.",
)
def perpendicular_to(s: State, c: Any) -> None:
    if not isinstance(c, Line):
        raise Misread("perpendicular to a line")
    for item in _lines(s):
        if item.args() == c.args():
            raise Misread("perpendicular to itself")
        s.add(f"perp({item.args()},{c.args()})")


@entry(
    "VP",
    "are perpendicular [to each other|to one another]",
    example="The lines AB and CD are perpendicular. => perp(A,B,C,D)",
    counter="The line AB are perpendicular.",
)
def are_perpendicular(s: State) -> None:
    one, two = two_lines(s)
    s.add(f"perp({one.args()},{two.args()})")


# ---- passing, touching, bisecting ---------------------------------------------------------------------------------------


@entry(
    "VP",
    "(passes|pass|goes|go) through <ps:Points>",
    "through <ps:Points>",
    example="A circle with centre O passes through A and B. => dist(A,O) == dist(B,O)",
    counter="A circle with centre O passes A and B.",
)
def pass_through(s: State, ps: list) -> None:
    for item in curves_of(s):
        for point in ps:
            item.on(s, point)


@entry(
    "VP",
    "passes through [the] <d:PointDef>",
    example="A circle has centre O and radius 5. The circle passes through the midpoint of AB. => dist(O,mid(A,B)) == 5",
    counter="A circle has centre O and radius 5. The circle passes through the middle of AB.",
)
def pass_through_described(s: State, d: Any) -> None:
    if not d.text:
        raise Misread("a point without an expression")
    for item in curves_of(s):
        item.on(s, d.text)


@entry(
    "VP",
    "(touches|touch|is tangent to|are tangent to) <cs:Curves> [at <ps:Point*>]",
    example="A circle has centre O and radius 5. The line PT touches the circle at T. => dist(O,T) == 5; right(O,T,P)",
    counter="The line PT touches AB at T.",
)
def touches(s: State, cs: list, ps: list | None = None) -> None:
    left, right = curves_of(s), cs
    rows: list[tuple[Any, Any]] = [(one, two) for one in left for two in right]
    if len(left) == len(right) and len(left) > 1:
        rows = list(zip(left, right, strict=False))
    if ps and len(ps) != len(rows):
        raise Misread("as many points as touching lines")
    for i, (one, two) in enumerate(rows):
        point = ps[i] if ps else ""
        if isinstance(one, Circle) and isinstance(two, Circle):
            raise Misread("externally or internally")
        circle, line = (one, two) if isinstance(one, Circle) else (two, one)
        if not isinstance(circle, Circle) or not isinstance(line, Line):
            raise Misread("a circle and a line")
        circle.touched_by(s, line, point)
    apart(s, ps or [])


@entry(
    "VP",
    "(touches|touch|is tangent to) <ts:Target+>",
    example="A circle with centre O touches the line AB at D and the line AC at E. => on_line(D,A,B); perp(A,B,D,O); on_line(E,A,C); dist(E,O) == dist(D,O); perp(A,C,E,O)",
    counter="The line AB touches the line CD at E and the line FG at H.",
)
def touches_each(s: State, ts: list) -> None:
    for cs, ps, _ in ts:
        touches(s, cs, ps)


@entry(
    "VP",
    "(bisects|halves) [the] angle <t:Three>",
    example="The segment AD bisects angle BAC. => bisects(D,B,A,C)",
    counter="The segment AD bisects angle ABC.",
)
def bisects(s: State, t: tuple) -> None:
    for item in _lines(s):
        a, d = item.points()
        if t[1] not in (a, d):
            raise Misread("it does not start at the corner")
        s.add(f"bisects({d if t[1] == a else a},{','.join(t)})")


@entry(
    "VP",
    "bisect each other [at <p:Point>]",
    example="The segments AC and BD bisect each other at M. => midpoint(M,A,C); midpoint(M,B,D)",
    counter="The segment AC bisect each other.",
)
def bisect_each_other(s: State, p: str = "") -> None:
    one, two = two_lines(s)
    if p:
        s.add(f"midpoint({p},{one.args()})")
        s.add(f"midpoint({p},{two.args()})")
    else:
        s.add(f"mid({one.args()}) == mid({two.args()})")


@entry(
    "VP",
    "(bisects|halves) <p:Bar>",
    example="The line CD bisects the segment AB. => on_line(mid(A,B),C,D)",
    counter="The line CD bisects the circle AB.",
)
def bisects_segment(s: State, p: tuple) -> None:
    for item in _lines(s):
        item.on(s, f"mid({p[0]},{p[1]})")


# ---- dividing, distances ------------------------------------------------------------------------------------------------


@entry(
    "VP",
    "(divides|divide) <c:Curve> [internally] in the ratio <q:RatioFact>",
    example="D divides side BC in the ratio BD : DC = 1 : 2. => 2*dist(B,D) == dist(C,D); on_segment(D,B,C)",
    counter="D divides side BC in the ratio 2.",
)
def divides(s: State, c: Any, q: Any) -> None:
    points = points_of(s)
    if len(points) != 1 or not isinstance(c, Line) or c.kind != "two":
        raise Misread("one point divides a segment")
    if q:
        m, n = q
        a, b = c.points()
        s.add(f"({n})*dist({a},{points[0]}) == ({m})*dist({points[0]},{b})")
    Line("two", c.data, "segment").on(s, points[0])


@entry(
    "RatioFact",
    "<a:Qty> : <b:Qty> = <m:Qty> : <n:Qty>",
    "<m:Qty> : <n:Qty> (from|starting at) <p:Point>",
    example="D divides side BC in the ratio BD : DC = 1 : 2. => 2*dist(B,D) == dist(C,D); on_segment(D,B,C)",
    counter="D divides side BC in the ratio 1 : 2.",
)
def ratio_fact(s: State, m: Value, n: Value, a: Value | None = None, b: Value | None = None, p: str = "") -> Any:
    if a and b:
        ratio(s, [a, b], [m, n])
        return None
    row = s.segment
    if p not in row:
        raise Misread("from an end")
    return (m, n) if p == row[0] else (n, m)


@entry(
    "Clause",
    "<ps:Points> (divide|divides) <c:Bar> into (three|four|five) equal parts , [with|where] <p:Point> [is|lies] nearer to <b:Point>",
    "<ps:Points> (divide|divides) <c:Bar> into (three|four|five) equal parts , [with|where] <p:Point> [is|lies] nearest to <b:Point>",
    "<ps:Points> (divide|divides) <c:Bar> into (three|four|five) equal parts in (the|this) order from <b:Point>",
    example="The points D and E divide side BC into three equal parts, with D nearer to B. => D == divide(B,C,1,2); E == divide(B,C,2,1)",
    counter="The points D and E divide side BC into three equal parts.",
)
def equal_parts(s: State, ps: list, c: tuple, b: str, p: str = "") -> None:
    if b not in c or (p and p not in (ps[0], ps[-1])):
        raise Misread("nearer to an end")
    start, end = (c[0], c[1]) if b == c[0] else (c[1], c[0])
    row = ps if not p or p == ps[0] else list(reversed(ps))
    for i, point in enumerate(row):
        s.add(f"{point} == divide({start},{end},{i + 1},{len(row) - i})")


@entry(
    "VP",
    "(is|are|lies|lie) as far from <a:Spot> as from <b:Spot>",
    "is equally far from <a:Spot> and from <b:Spot>",
    "has equal distances from <a:Spot> and <b:Spot>",
    example="The point P is as far from A as from B. => dist(A,P) == dist(B,P)",
    counter="The point P is as far from A.",
)
def equally_far(s: State, a: str, b: str) -> None:
    for point in points_of(s):
        s.add(f"dist({point},{a}) == dist({point},{b})")


@entry(
    "VP",
    "(is|are) equally far from <qs:Point+>",
    "(is|are) equidistant from <qs:Point+>",
    "(has|have) the same distance from <qs:Point+>",
    example="The point O is equally far from A, B and C. => dist(A,O) == dist(B,O); dist(A,O) == dist(C,O)",
    counter="The point O is equally far from A.",
)
def equally_far_from_all(s: State, qs: list) -> None:
    for point in points_of(s):
        for q in qs[1:]:
            s.add(f"dist({point},{qs[0]}) == dist({point},{q})")


@entry(
    "VP",
    "(is|are|lies|lie) as far from <a:Spot> as from <c:Curve>",
    "is equally far from <a:Spot> and <c:Curve>",
    example="The point P is as far from F as from the line AB. => dist(F,P) == dist(P,line(A,B))",
    counter="The point P is as far from F as from the circle.",
)
def far_as_line(s: State, a: str, c: Any) -> None:
    if not isinstance(c, Line):
        raise Misread("a line")
    for point in points_of(s):
        s.add(f"dist({point},{a}) == dist({point},{c.obj()})")


@entry(
    "VP",
    "(is|are|lies|lie) as far from <c:Curve> as from <d:Curve>",
    "is equally far from <c:Curve> and <d:Curve>",
    "(has|have) (equal distances|the same distance) from <c:Curve> and <d:Curve>",
    example="P is as far from the line AB as from the line AC. => dist(P,line(A,B)) == dist(P,line(A,C))",
    counter="P is as far from the line AB as from.",
)
def far_lines(s: State, c: Any, d: Any) -> None:
    if not isinstance(c, Line) or not isinstance(d, Line):
        raise Misread("lines")
    for point in points_of(s):
        s.add(f"dist({point},{c.obj()}) == dist({point},{d.obj()})")


@entry(
    "VP",
    "(is|are|lies|lie) <k:Factor> as far from <a:Spot> as from <b:Spot>",
    "(is|are|lies|lie) <k:Times> as far from <a:Spot> as from <b:Spot>",
    example="The point P is twice as far from A as from B. => dist(A,P) == 2*dist(B,P)",
    counter="The point P is often as far from A as from B.",
)
def times_as_far(s: State, k: str, a: str, b: str) -> None:
    for point in points_of(s):
        s.add(f"dist({point},{a}) == ({k})*dist({point},{b})")


@entry(
    "Times",
    "<f:Formula> times",
    example="The point P is 3 times as far from A as from B. => dist(A,P) == 3*dist(B,P)",
    counter="The point P is 3° times as far from A as from B.",
)
def times_factor(s: State, f: Any) -> str:
    number = value(f, s)
    if number.type != "num":
        raise Misread("a number")
    return number.text


@entry(
    "VP",
    "(is|lies|are|lie) at distance <q:Qty> from <a:Spot>",
    "(has|have) distance <q:Qty> from <a:Spot>",
    "(is|are) <q:Qty> [units] away from <a:Spot>",
    "(has|have) the distance <q:Qty> from <a:Spot>",
    example="The point P has distance 5 from A. => dist(A,P) == 5",
    counter="The point P has distance 5° from A.",
)
def at_distance(s: State, q: Value, a: str) -> None:
    for item in s.subject:
        one = item if isinstance(item, str) else item.obj() if isinstance(item, Line) else ""
        if not one:
            raise Misread("distance of this")
        same(s, Value(f"dist({a},{one})", "num"), q)


@entry(
    "Clause",
    "<ps:Points> (is|are) the (point|points) of <c:Curve> that <v:Later>",
    "<ps:Points> (is|are) the (point|points) (on|of) <c:Curve> <v:Later>",
    example="P and Q are the points of the line AB that are twice as far from A as from B. => on_line(P,A,B); on_line(Q,A,B); dist(A,P) == 2*dist(B,P); dist(A,Q) == 2*dist(B,Q); distinct(P,Q)",
    counter="P and Q are the points of the line AB that are far from A.",
)
def points_that(s: State, ps: list, c: Any, v: Any) -> None:
    for p in ps:
        c.on(s, p)
        _kind, k, a, b = v
        s.add(f"dist({p},{a}) == {k}*({b.replace('#', p)})")
    apart(s, ps)


@entry(
    "Later",
    "(is|are) <k:Factor> as far from <a:Point> as from <b:Point>",
    "(is|are) <k:Times> as far from <a:Point> as from <b:Point>",
    "(is|are) as far from <a:Point> as from <b:Point>",
    example="P is the point of the line CD that is as far from A as from B. => on_line(P,C,D); dist(A,P) == dist(B,P)",
    counter="P is the point of the line CD that is as far from A.",
)
def later_far(s: State, a: str, b: str, k: str = "1") -> tuple:
    return "far", k, a, f"dist(#,{b})"


@entry(
    "Later",
    "at distance <q:Qty> from <a:Point>",
    "(is|are) at distance <q:Qty> from <a:Point>",
    "(has|have) distance <q:Qty> from <a:Point>",
    example="P and Q are the points of the line CD at distance 5 from A. => on_line(P,C,D); on_line(Q,C,D); dist(A,P) == 5; dist(A,Q) == 5; distinct(P,Q)",
    counter="P and Q are the points of the line CD at distance 5° from A.",
)
def later_distance(s: State, q: Value, a: str) -> tuple:
    if q.type != "num":
        raise Misread("a length")
    return "at", "1", a, q.text


@entry(
    "VP",
    "(have|has) distances <qs:Qty+> from <c:Curve>",
    "(have|has) the distances <qs:Qty+> from <c:Curve>",
    "at distances <qs:Qty+> from <c:Curve>",
    "(lie|are) at distances <qs:Qty+> from <c:Curve>",
    example="A and B lie on the same side of the line CD, at distances 3 and 5 from it. => same_side(A,B,C,D); dist(A,line(C,D)) == 3; dist(B,line(C,D)) == 5",
    counter="A and B have distances 3, 4 and 5 from the line CD.",
)
def at_distances(s: State, qs: list, c: Any) -> None:
    points = points_of(s)
    if len(points) != len(qs) or not isinstance(c, Line):
        raise Misread("as many distances as points")
    for p, q in zip(points, qs, strict=False):
        same(s, Value(f"dist({p},{c.obj()})", "num"), q)


@entry(
    "VP",
    "(is|lies|are|lie) at distance <q:Qty> from <c:Curve>",
    "(has|have) [the] distance <q:Qty> from <c:Curve>",
    example="The point P has distance 5 from the line AB. => dist(P,line(A,B)) == 5",
    counter="The point P has distance 5 from the line.",
)
def at_distance_from_line(s: State, q: Value, c: Any) -> None:
    if not isinstance(c, Line):
        raise Misread("a line")
    for item in s.subject:
        one = item if isinstance(item, str) else item.obj() if isinstance(item, Line) else ""
        if not one:
            raise Misread("distance of this")
        same(s, Value(f"dist({one},{c.obj()})", "num"), q)
