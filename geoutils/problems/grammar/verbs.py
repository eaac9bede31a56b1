"""Sentences, clauses and the verbs that join objects: meets, lies on, touches, passes through, is parallel to."""

from __future__ import annotations

import itertools
from typing import Any

from .algebra import Value
from .engine import Misread, entry
from .state import Circle, Conic, Line, State, place, same
from .subjects import apart, curves_of, two_lines


@entry("Sentence", "<c:Clauses>", example="AB = 5. => dist(A,B) == 5", counter="AB.")
def sentence(s: State, c: Any) -> None:
    return None


@entry(
    "Clauses",
    "<a:Clause>",
    "<a:Clause> <sep:Joiner> <rest:Clauses>",
    "<a:Clause> (where|, where|with|, with) <ps:Standing+>",
    "<a:Clause> (where|, where|with|, with) <ps:Standing+> <sep:Joiner> <rest:Clauses>",
    example="AB = 5 and BC = 6. => dist(A,B) == 5; dist(B,C) == 6",
    counter="AB = 5 and.",
)
def clauses(s: State, a: Any, sep: Any = None, rest: Any = None, ps: Any = None) -> None:
    return None


@entry(
    "Joiner",
    ", and",
    "and",
    ",",
    ";",
    ", where",
    "where",
    ", with",
    "with",
    ", which",
    "which",
    ", and that",
    "such that",
    ", such that",
    "and with",
    ", and with",
    example="P lies on AB, where AB = 5. => on_segment(P,A,B); dist(A,B) == 5",
    counter="P lies on AB, because AB = 5.",
)
def joiner(s: State) -> None:
    return None


@entry(
    "Subject",
    "<x:Points>",
    "<x:Curves>",
    "<x:PointDefs>",
    example="The lines AB and CD meet at P. => on_line(P,A,B); on_line(P,C,D)",
    counter="The lines meet at P.",
)
def subject(s: State, x: list) -> list:
    return x


@entry("Clause", "<subj:Subject> <v:VP>", example="P lies on AB. => on_segment(P,A,B)", counter="P lies.")
def subject_and_verb(s: State, subj: list, v: Any) -> None:
    return None


@entry(
    "Clause",
    "<v:VP>",
    "they <v:VP>",
    "both <v:VP>",
    example="The lines AB and CD meet at P and are perpendicular. => on_line(P,A,B); on_line(P,C,D); perp(A,B,C,D)",
    counter="The lines AB and CD meet at P and are purple.",
)
def verb_alone(s: State, v: Any) -> None:
    return None


@entry("Clause", "let <subj:Subject> <v:VP>", example="Let P lie on AB. => on_segment(P,A,B)", counter="Let P on AB.")
def let(s: State, subj: list, v: Any) -> None:
    return None


# ---- meeting ----------------------------------------------------------------------------------------------------------


@entry(
    "VP",
    "(meet|intersect|cross|cut) [each other|one another] (at|in) <ps:Points>",
    "(meet|intersect|cross|cut) [each other|one another] (at|in) <ps:Points> inside the circle",
    example="The segments AD and BE meet at P. => on_segment(P,A,D); on_segment(P,B,E)",
    counter="The segment AD meet at P.",
)
def meet(s: State, ps: list) -> None:
    items = curves_of(s)
    if len(items) < 2:
        raise Misread("one thing does not meet itself")
    for point in ps:
        for item in items:
            item.on(s, point)
    apart(s, ps)


@entry(
    "Target",
    "<c:Curves> (at|in) <p:Point*>",
    example="A line through P meets AB at D and AC at E. => on_segment(D,A,B); on_line(E,D,P); on_segment(E,A,C)",
    counter="A line through P meets AB at and AC at E.",
)
def target(s: State, c: list, p: list) -> tuple:
    return c, p, False


@entry(
    "Target",
    "<c:Curves> again (at|in) <p:Point*>",
    example="A circle has centre O and radius 5. The segment PB meets the circle again at A. => dist(A,O) == 5; on_segment(A,B,P); distinct(A,B); distinct(A,P)",
    counter="The segment PB meets again at A.",
)
def target_again(s: State, c: list, p: list) -> tuple:
    return c, p, True


@entry(
    "Target",
    "<c:Curves> at <p:Pair2>",
    example="A circle has centre O and radius 5. Two lines through P meet the circle at A and B and at C and D. => dist(A,O) == 5; dist(B,O) == 5; on_line(B,A,P); dist(C,O) == 5; dist(D,O) == 5; on_line(D,C,P); distinct(A,B); distinct(C,D)",
    counter="A circle has centre O and radius 5. Two lines through P meet the circle at A and B and C and D.",
)
def target_pairs(s: State, c: list, p: list) -> tuple:
    return c, p, "pairs"


@entry(
    "Pair2",
    "<a:Point> and <b:Point> and at <c:Point> and <d:Point>",
    "<a:Point> and <b:Point> and <c:Point> and <d:Point> respectively",
    example="A circle has centre O and radius 5. The lines PQ and PR meet the circle at A and B and at C and D. => dist(A,O) == 5; dist(B,O) == 5; on_line(A,P,Q); on_line(B,P,Q); dist(C,O) == 5; dist(D,O) == 5; on_line(C,P,R); on_line(D,P,R); distinct(A,B); distinct(C,D)",
    counter="A circle has centre O and radius 5. The lines PQ and PR meet the circle at A and B and at C.",
)
def two_pairs(s: State, a: str, b: str, c: str, d: str) -> list:
    return [a, b, c, d]


def _ends_at(item: Any, other: Any) -> bool:
    """Whether a median meets the side to whose midpoint it leads."""
    lines = isinstance(item, Line) and isinstance(other, Line)
    return lines and item.kind == "median" and other.kind == "two" and set(other.data[:2]) == set(item.data[1:])


@entry(
    "VP",
    "(meets|meet|cuts|cut|intersects|intersect|crosses|cross) <ts:Target*>",
    example="The line CD meets AB at P. => on_line(P,C,D); on_segment(P,A,B)",
    counter="The line CD eats AB at P.",
)
def meets(s: State, ts: list) -> None:
    items = curves_of(s)
    for others, points, how in ts:
        if how == "pairs":
            if len(items) != 2 or len(others) != 1:
                raise Misread("two lines and a circle")
            rows = [(items[0], others[0], points[:2]), (items[1], others[0], points[2:])]
        elif len(items) == 1 and len(others) == 1:
            rows = [(items[0], others[0], points)]
        elif len(items) == 1 and len(points) == len(others):
            rows = [(items[0], other, [point]) for other, point in zip(others, points, strict=False)]
        elif len(items) == len(points) and len(others) in (1, len(items)):
            rows = [(item, others[i] if len(others) > 1 else others[0], [points[i]]) for i, item in enumerate(items)]
        elif len(points) == 1:
            rows = [(item, other, points) for item in items for other in others]
        else:
            raise Misread("as many points as crossings")
        for item, other, where in rows:
            if item is other:
                raise Misread("it meets itself")
            round_ = isinstance(other, (Circle, Conic))
            if _ends_at(item, other) and len(where) == 1:  # a median meets its own side in the midpoint
                s.add(f"midpoint({where[0]},{item.data[1]},{item.data[2]})")
                continue
            for point in where:
                other.on(s, point, how is True)
                item.on(s, point, bool(round_ and how))
                if how is True:
                    for end in (item.ends() if isinstance(item, Line) else []) + (
                        other.ends() if isinstance(other, Line) and not round_ else []
                    ):
                        if end != point:
                            s.add(f"distinct({point},{end})")
            apart(s, where)


@entry(
    "VP",
    "(meet|cross|intersect) [at <p:Point>] at an angle of <q:Qty>",
    "(meet|cross|intersect) [at <p:Point>] (and|at|under) (form|an) [an] angle [of] <q:Qty>",
    "(enclose|form|make) an angle of <q:Qty>",
    example="The lines AB and CD meet at P at an angle of 60°. => on_line(P,A,B); on_line(P,C,D); angle(line(A,B),line(C,D)) == deg(60)",
    counter="The lines AB and CD meet at P at an angle of 5.",
)
def meet_at_angle(s: State, q: Value, p: str = "") -> None:
    one, two = two_lines(s)
    if p:
        one.on(s, p)
        two.on(s, p)
    same(s, Value(f"angle({one.obj()},{two.obj()})", "angle"), q)


@entry(
    "VP",
    "(meets|crosses|intersects) <c:Curve> at an angle of <q:Qty>",
    "(encloses|forms|makes) an angle of <q:Qty> with <c:Curve>",
    "(encloses|forms|makes) with <c:Curve> an angle of <q:Qty>",
    example="The line AB makes an angle of 60° with the line CD. => angle(line(A,B),line(C,D)) == deg(60)",
    counter="The line AB makes an angle with the line CD.",
)
def makes_angle(s: State, c: Any, q: Value) -> None:
    items = curves_of(s)
    if len(items) != 1 or not isinstance(c, Line):
        raise Misread("two lines")
    same(s, Value(f"angle({items[0].obj()},{c.obj()})", "angle"), q)


@entry(
    "VP",
    "(meet|cross|intersect) at right angles [at <p:Point>]",
    "(meet|cross|intersect) at <p:Point> at right angles",
    example="The segments AC and BD meet at P at right angles. => on_segment(P,A,C); on_segment(P,B,D); perp(A,C,B,D)",
    counter="The segments AC and BD meet at wrong angles.",
)
def meet_at_right_angles(s: State, p: str = "") -> None:
    one, two = two_lines(s)
    if p:
        one.on(s, p)
        two.on(s, p)
    s.add(f"perp({one.args()},{two.args()})")


# ---- lengths of lines, empty verbs --------------------------------------------------------------------------------------


def length(s: State, item: Any) -> str:
    """How long a side, altitude, median or bisector is."""
    if isinstance(item, Line):
        data = item.data
        if item.kind == "two" and item.extent == "segment":
            return f"dist({data[0]},{data[1]})"
        if item.kind == "perp":
            return f"dist({data[0]},{data[1].obj()})"
        if item.kind == "median":
            return f"dist({data[0]},mid({data[1]},{data[2]}))"
        if item.kind == "bisector" and data[3]:
            return f"dist({data[1]},bisector_foot({data[1]},{data[0]},{data[2]}))"
    raise Misread("this has no length")


@entry(
    "VP",
    "(has|have) [the] length <q:Qty>",
    "(is|are) <q:Qty> long",
    "(is|equals|=) <q:Qty>",
    example="The altitude from C to AB has length 5. => dist(C,line(A,B)) == 5",
    counter="The line AB has length 5.",
)
def has_length(s: State, q: Value) -> None:
    for item in curves_of(s):
        same(s, Value(length(s, item), "num"), q)


@entry(
    "VP",
    "have [the] lengths <qs:Qty+>",
    "are <qs:Qty+>",
    example="In triangle ABC, the altitudes from A and B have lengths 4 and 5. => triangle(A,B,C); dist(A,line(B,C)) == 4; dist(B,line(A,C)) == 5",
    counter="In triangle ABC, the altitudes from A and B have lengths 4, 5 and 6.",
)
def have_lengths(s: State, qs: list) -> None:
    items = curves_of(s)
    if len(items) != len(qs):
        raise Misread("as many lengths as lines")
    for item, q in zip(items, qs, strict=False):
        same(s, Value(length(s, item), "num"), q)


@entry(
    "VP",
    "have equal length[s]",
    "have equal lengths",
    "are equally long",
    "have the same length",
    example="In triangle ABC, the medians from A and B have equal lengths. => triangle(A,B,C); dist(A,mid(B,C)) == dist(B,mid(A,C))",
    counter="In triangle ABC, the medians from A and B have equal colours.",
)
def equal_lengths(s: State) -> None:
    items = curves_of(s)
    for one, two in itertools.pairwise(items):
        s.add(f"{length(s, one)} == {length(s, two)}")


@entry(
    "Clause",
    "<ps:Points> (is a point|are points)",
    example="P is a point with PF + PG = 10. => dist(F,P) + dist(G,P) == 10",
    counter="P is a pointer with PF + PG = 10.",
)
def is_a_point(s: State, ps: list) -> None:
    s.subject = ps


@entry(
    "VP",
    "(is|are) (given|drawn|fixed)",
    "(lie|lies) in space",
    example="The point A(1, 2) is given. => A == (1, 2)",
    counter="The point A(1, 2) is.",
)
def given(s: State) -> None:
    return None


@entry(
    "VP",
    "(satisfies|satisfy) <c:Clause>",
    "(is|are) such that <c:Clause>",
    example="The point D on side BC satisfies BD = 3. => on_segment(D,B,C); dist(B,D) == 3",
    counter="The point D on side BC satisfies.",
)
def satisfies(s: State, c: Any) -> None:
    return None


@entry(
    "Clause",
    "<p:Point> on <c:Curves>",
    "<p:Point> is (a|the) point (on|of) <c:Curves>",
    "let <p:Point> be (a|the) point (on|of) <c:Curves>",
    example="AD bisects angle BAC, with D on BC. => bisects(D,B,A,C); on_segment(D,B,C)",
    counter="AD bisects angle BAC, with D on.",
)
def with_on(s: State, p: str, c: list) -> None:
    s.subject = [p]
    place(s, [p], c)
