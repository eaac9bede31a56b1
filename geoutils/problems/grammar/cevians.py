"""Bisectors, altitudes and medians as lines."""

from __future__ import annotations

from typing import Any

from .engine import Misread, entry
from .points import cevian
from .state import Line, State


@entry(
    "Curve",
    "[the] (bisector|angle bisector) of [the] [interior|internal|acute|right] angle <t:Three>",
    "[the] (internal|inner|interior) bisector of [the] angle <t:Three>",
    example="The bisector of angle BAC meets side BC at D. => bisects(D,B,A,C); on_segment(D,B,C)",
    counter="The bisector of angle BA meets side BC at D.",
)
def bisector(s: State, t: tuple) -> Line:
    return Line("bisector", (*t, True))


@entry(
    "Curve",
    "[the] bisector of the right angle",
    example="In triangle ABC, angle ACB is right. The bisector of the right angle meets AB at D. => triangle(A,B,C); right(A,C,B); bisects(D,A,C,B); on_segment(D,A,B)",
    counter="The bisector of the right angle meets AB at D.",
)
def bisector_of_right_angle(s: State) -> Line:
    rows = [text for text in s.history if text.startswith("right(") and "(" not in text[6:]]
    if len(rows) != 1:
        raise Misread("one right angle")
    return Line("bisector", (*rows[0][6:-1].split(","), True))


@entry(
    "Curve",
    "[the] [internal] bisectors of [the] [interior] angles <ts:Three+>",
    example="The bisectors of angles BAC and ABC meet at J. => bisects(J,B,A,C); bisects(J,A,B,C)",
    counter="The bisectors of angle BAC and ABC meet.",
)
def bisectors(s: State, ts: list) -> list:
    return [Line("bisector", (*t, True)) for t in ts]


@entry(
    "Curve",
    "[the] (external|outer|exterior) bisector of [the] angle <t:Three>",
    example="The external bisector of angle BAC meets the line BC at D. => bisects_outer(D,B,A,C); on_line(D,B,C)",
    counter="The eternal bisector of angle BAC meets the line BC at D.",
)
def outer_bisector(s: State, t: tuple) -> Line:
    return Line("bisector", (*t, False))


@entry(
    "Curve",
    "[the] bisector of the (external|exterior|outer) angle at <p:Point>",
    "[the] (external|outer|exterior) bisector [of the angle] at <p:Point>",
    example="In triangle ABC, the bisector of the external angle at A meets the line BC at D. => triangle(A,B,C); bisects_outer(D,B,A,C); on_line(D,B,C)",
    counter="The bisector of the external angle at A meets the line BC at D.",
)
def outer_bisector_at(s: State, p: str) -> Line:
    b, c = s.triangle_of(p)
    return Line("bisector", (b, p, c, False))


@entry(
    "Curve",
    "[the] (bisector|angle bisector|internal bisector) (from|at|of the angle at) <p:Point>",
    example="In triangle ABC, the bisector from A meets BC at D. => triangle(A,B,C); bisects(D,B,A,C); on_segment(D,B,C)",
    counter="The bisector from A meets BC at D.",
)
def bisector_from(s: State, p: str) -> Line:
    b, c = s.triangle_of(p)
    return Line("bisector", (b, p, c, True))


@entry(
    "Curve",
    "[the] (bisectors|angle bisectors) (from|at) <ps:Point+>",
    example="In triangle ABC, the bisectors from A and B meet at J. => triangle(A,B,C); bisects(J,B,A,C); bisects(J,A,B,C)",
    counter="The bisectors from A and B meet at J.",
)
def bisectors_from(s: State, ps: list) -> list:
    return [bisector_from(s, p) for p in ps]


@entry(
    "Curve",
    "[the] perpendicular bisector of <p:Bar>",
    example="The perpendicular bisector of AB meets side BC at D. => dist(A,D) == dist(B,D); on_segment(D,B,C)",
    counter="The perpendicular bisector of ABC meets side BC at D.",
)
def perpendicular_bisector(s: State, p: tuple) -> Line:
    return Line("perp_bisector", p)


@entry(
    "Curve",
    "[the] perpendicular bisectors of <ps:Pair+>",
    example="The perpendicular bisectors of AB and BC meet at O. => dist(A,O) == dist(B,O); dist(B,O) == dist(C,O)",
    counter="The perpendicular bisectors of AB meet at O.",
)
def perpendicular_bisectors(s: State, ps: list) -> list:
    return [Line("perp_bisector", p) for p in ps]


@entry(
    "Curve",
    "[the] altitude from <p:Point> [to <c:Curve>]",
    "[the] altitude (to|onto) <c:Curve> from <p:Point>",
    "[the] altitude from <p:Point> of <f:Figure>",
    "[the] altitude of <f:Figure> from <p:Point>",
    example="In triangle ABC, the altitude from A meets BC at D. => triangle(A,B,C); perp(A,D,B,C); on_segment(D,B,C)",
    counter="The altitude from A meets BC at D.",
)
def altitude(s: State, p: str, c: Any = None, f: Any = None) -> Line:
    return Line("perp", (p, c or Line("two", s.triangle_of(p))))


@entry(
    "Curve",
    "[the] altitudes from <ps:Point+> [of <f:Figure>]",
    "[the] altitudes of <f:Figure> from <ps:Point+>",
    example="In triangle ABC, the altitudes from A and B meet at H. => triangle(A,B,C); perp(A,H,B,C); perp(A,C,B,H)",
    counter="The altitudes from A and B meet at H.",
)
def altitudes(s: State, ps: list, f: Any = None) -> list:
    return [altitude(s, p) for p in ps]


@entry(
    "Curve",
    "[the] median from <p:Point> [to [the] [side] <q:Pair>]",
    "[the] median from <p:Point> of <f:Figure>",
    "[the] median of <f:Figure> from <p:Point>",
    example="In triangle ABC, the median from A meets BE at P. => triangle(A,B,C); on_segment(P,A,mid(B,C)); on_segment(P,B,E)",
    counter="The median from A meets BE at P.",
)
def median(s: State, p: str, q: tuple = (), f: Any = None) -> Line:
    return Line("median", (p, *(q or s.triangle_of(p))))


@entry(
    "Curve",
    "[the] medians from <ps:Point+> [of <f:Figure>]",
    "[the] medians of <f:Figure> from <ps:Point+>",
    example="In triangle ABC, the medians from A and B meet at G. => triangle(A,B,C); on_segment(G,A,mid(B,C)); on_segment(G,B,mid(A,C))",
    counter="The medians from A and B meet at G.",
)
def medians(s: State, ps: list, f: Any = None) -> list:
    return [median(s, p) for p in ps]


@entry(
    "Curve",
    "[the] medians <ps:Pair+> [of <f:Figure>]",
    example="In triangle ABC, the medians AD and BE meet at G. => triangle(A,B,C); midpoint(D,B,C); midpoint(E,A,C); on_segment(G,A,D); on_segment(G,B,E)",
    counter="The medians AD and BE meet at G.",
)
def medians_named(s: State, ps: list, f: Any = None) -> list:
    return [cevian(s, p, "median") for p in ps]


@entry(
    "Curve",
    "[the] median <p:Pair>",
    example="In triangle ABC, the median AD meets BE at G. => triangle(A,B,C); midpoint(D,B,C); on_segment(G,A,D); on_segment(G,B,E)",
    counter="The median AD meets BE at G.",
)
def median_named(s: State, p: tuple) -> Line:
    return cevian(s, p, "median")


@entry(
    "Curve",
    "[the] altitudes <ps:Pair+> [of <f:Figure>]",
    example="In triangle ABC, the altitudes AD and BE meet at H. => triangle(A,B,C); on_line(D,B,C); perp(A,D,B,C); on_line(E,A,C); perp(A,C,B,E); on_line(H,A,D); on_line(H,B,E)",
    counter="The altitudes AD and BE meet at H.",
)
def altitudes_named(s: State, ps: list, f: Any = None) -> list:
    return [cevian(s, p, "altitude") for p in ps]


@entry(
    "Curve",
    "[the] altitude <p:Pair>",
    example="In triangle ABC, the altitude AD meets BE at P. => triangle(A,B,C); on_line(D,B,C); perp(A,D,B,C); on_line(P,A,D); on_segment(P,B,E)",
    counter="The altitude AD meets BE at P.",
)
def altitude_named(s: State, p: tuple) -> Line:
    return cevian(s, p, "altitude")


@entry(
    "Curve",
    "[the] [angle] bisectors <ps:Pair+> [of <f:Figure>]",
    example="In triangle ABC, the bisectors AD and BE meet at J. => triangle(A,B,C); bisects(D,B,A,C); on_segment(D,B,C); bisects(E,A,B,C); on_segment(E,A,C); on_segment(J,A,D); on_segment(J,B,E)",
    counter="The bisectors AD and BE meet at J.",
)
def bisectors_named(s: State, ps: list, f: Any = None) -> list:
    return [cevian(s, p, "bisector") for p in ps]


@entry(
    "Curve",
    "[the] bisector <p:Pair>",
    "[the] angle bisector <p:Pair>",
    example="In triangle ABC, the bisector AD meets BE at P. => triangle(A,B,C); bisects(D,B,A,C); on_segment(D,B,C); on_segment(P,A,D); on_segment(P,B,E)",
    counter="The bisector AD meets BE at P.",
)
def bisector_named(s: State, p: tuple) -> Line:
    return cevian(s, p, "bisector")
