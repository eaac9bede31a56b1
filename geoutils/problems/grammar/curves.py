"""Lines, rays, segments and what is drawn in a triangle, as objects that points can lie on."""

from __future__ import annotations

from typing import Any

from .engine import Misread, entry
from .state import Circle, Line, State
from .subjects import say_hypotenuse


def _two(p: tuple, extent: str, s: State) -> Line:
    s.segment = p
    line = Line("two", tuple(p), extent)
    s.mention = line
    return line


@entry(
    "Bar",
    "[the] [side|segment|diameter|diagonal|edge|leg|base] <p:Pair>",
    "[the] line segment <p:Pair>",
    example="M is the midpoint of the diagonal AC. => midpoint(M,A,C)",
    counter="M is the midpoint of the corner AC.",
)
def bar(s: State, p: tuple) -> tuple:
    return p


@entry(
    "Bar",
    "[the|a] chord <p:Pair> [of <c:Curve>]",
    example="A circle has centre O and radius 5. M is the midpoint of the chord AB. => dist(A,O) == 5; dist(B,O) == 5; midpoint(M,A,B)",
    counter="M is the midpoint of the chord AB.",
)
def chord_bar(s: State, p: tuple, c: Any = None) -> tuple:
    circle = c or s.circle()
    if not isinstance(circle, Circle):
        raise Misread("of a circle")
    for end in p:
        circle.on(s, end)
    return p


@entry(
    "Bar",
    "[the] hypotenuse <p:Pair>",
    example="In triangle ABC, M is the midpoint of the hypotenuse AB. => triangle(A,B,C); right(A,C,B); midpoint(M,A,B)",
    counter="M is the midpoint of the hypotenuse AB.",
)
def hypotenuse_bar(s: State, p: tuple) -> tuple:
    say_hypotenuse(s, p)
    return p


@entry(
    "Curves",
    "<cs:Curve*>",
    example="D lies on AB and on AC. => on_segment(D,A,B); on_segment(D,A,C)",
    counter="D lies on AB and on.",
)
def curves(s: State, cs: list) -> list:
    return [item for row in cs for item in (row if isinstance(row, list) else [row])]


@entry(
    "Curve",
    "<p:Pair>",
    "[the] (side|segment|diagonal|edge|leg|base) <p:Pair> [of (<f:Figure>|<w:It>)]",
    "[the] line segment <p:Pair>",
    example="D lies on side BC. => on_segment(D,B,C)",
    counter="D lies on side ABC.",
)
def segment(s: State, p: tuple, f: Any = None, w: Any = None) -> Line:
    return _two(p, "segment", s)


@entry(
    "Curve",
    "[the] (sides|segments|edges|legs|diagonals) <ps:Pair+> [of (<f:Figure>|<w:It>)]",
    example="D and E lie on the sides AB and AC. => on_segment(D,A,B); on_segment(E,A,C)",
    counter="D and E lie on the corners AB and AC.",
)
def segments(s: State, ps: list, f: Any = None, w: Any = None) -> list:
    return [_two(p, "segment", s) for p in ps]


@entry(
    "Curve",
    "[the|a] chord <p:Pair>",
    "[the] chords <p:Pair+>",
    example="A circle has centre O and radius 5. P lies on the chord AB. => dist(A,O) == 5; dist(B,O) == 5; on_segment(P,A,B)",
    counter="A circle has centre O and radius 5. P lies on the chord ABC.",
)
def chord(s: State, p: Any) -> list:
    pairs = p if isinstance(p, list) else [p]
    if not s.circles:
        raise Misread("no circle")
    for pair in pairs:
        for end in pair:
            s.circle().on(s, end)
    return [_two(pair, "segment", s) for pair in pairs]


@entry(
    "Curve",
    "[the] [straight] line <p:Pair>",
    "[the] extension of [the] (side|segment) <p:Pair>",
    example="D lies on the line BC. => on_line(D,B,C)",
    counter="D lies on the line ABC.",
)
def line(s: State, p: tuple) -> Line:
    return _two(p, "line", s)


@entry(
    "Curve",
    "[the] lines <ps:Pair+>",
    example="The lines AB and CD meet at P. => on_line(P,A,B); on_line(P,C,D)",
    counter="The lines AB meet at P.",
)
def lines(s: State, ps: list) -> list:
    s.curves["lines"] = [_two(p, "line", s) for p in ps]
    return s.curves["lines"]


@entry(
    "Curve",
    "[the] parallel (lines|segments|sides) <a:Pair> and <b:Pair>",
    example="The line EF meets the parallel lines AB and CD at G and H. => parallel(A,B,C,D); on_line(G,A,B); on_line(H,C,D); on_line(G,E,F); on_line(H,E,F)",
    counter="The line EF meets the parallel lines AB at G and H.",
)
def parallel_lines(s: State, a: tuple, b: tuple) -> list:
    s.add(f"parallel({','.join(a + b)})")
    return lines(s, [a, b])


@entry(
    "Curve",
    "[the] [straight] line through <p:Point> and <q:Point>",
    "[the] line joining <p:Point> and <q:Point>",
    "[the] line joining <p:Point> to <q:Point>",
    example="D lies on the line through B and C. => on_line(D,B,C)",
    counter="D lies on the line through B.",
)
def line_through(s: State, p: str, q: str) -> Line:
    return _two((p, q), "line", s)


@entry(
    "Curve",
    "[the] ray <p:Pair>",
    "[the] ray from <a:Point> through <b:Point>",
    example="D lies on ray AB. => on_ray(D,A,B)",
    counter="D lies on ray ABC.",
)
def ray(s: State, p: tuple = (), a: str = "", b: str = "") -> Line:
    return _two(p or (a, b), "ray", s)


@entry(
    "Curve",
    "[the] rays <ps:Pair+>",
    example="D and E lie on the rays AB and AC. => on_ray(D,A,B); on_ray(E,A,C)",
    counter="D and E lie on the rays AB.",
)
def rays(s: State, ps: list) -> list:
    return [_two(p, "ray", s) for p in ps]


@entry(
    "Curve",
    "[the] (extension|prolongation) of <p:Bar> beyond <q:Point>",
    "<p:Bar> (extended|produced) beyond <q:Point>",
    example="D lies on the extension of BC beyond C. => beyond(D,B,C)",
    counter="D lies on the extension of BC beyond A.",
)
def extension(s: State, p: tuple, q: str) -> Line:
    if q not in p:
        raise Misread("beyond an end of it")
    return _two(p if q == p[1] else (p[1], p[0]), "beyond", s)


@entry(
    "Curve",
    "[the] extensions of [the] [sides|segments] <ps:Beyond+>",
    example="D and E lie on the extensions of AB beyond B and AC beyond C. => beyond(D,A,B); beyond(E,A,C)",
    counter="D and E lie on the extensions of AB and AC.",
)
def extensions(s: State, ps: list) -> list:
    return ps


@entry(
    "Beyond",
    "[the] [side|segment] <p:Pair> beyond <q:Point>",
    example="D and E lie on the extensions of AB beyond A and AC beyond C. => beyond(D,B,A); beyond(E,A,C)",
    counter="D and E lie on the extensions of AB beyond C and AC beyond B.",
)
def beyond(s: State, p: tuple, q: str) -> Line:
    return extension(s, p, q)


@entry(
    "Curve",
    "[the|a] [line] parallel to [the] <c:Curve> through <p:Point>",
    "(the|a) line through <p:Point> [which is|that is] parallel to <c:Curve>",
    "(the|a) parallel to <c:Curve> through <p:Point>",
    example="The line through D parallel to BC meets AC at E. => parallel(B,C,D,E); on_segment(E,A,C)",
    counter="The line through D parallel to meets AC at E.",
)
def parallel_through(s: State, c: Any, p: str) -> Line:
    return _through(s, "parallel", c, p)


@entry(
    "Curve",
    "(the|a) line perpendicular to <c:Curve> through <p:Point>",
    "(the|a) line through <p:Point> [which is|that is] perpendicular to <c:Curve>",
    "(the|a) perpendicular to <c:Curve> (through|at|from) <p:Point>",
    "(the|a) perpendicular from <p:Point> to <c:Curve>",
    "(the|a) perpendicular through <p:Point> to <c:Curve>",
    example="The perpendicular to AB through D meets BC at E. => perp(A,B,D,E); on_segment(E,B,C)",
    counter="The perpendicular to AB meets BC at E.",
)
def perpendicular_through(s: State, c: Any, p: str) -> Line:
    return _through(s, "perp", c, p)


def _through(s: State, kind: str, c: Any, p: str) -> Line:
    if not isinstance(c, Line):
        raise Misread("parallel to a line only")
    line = Line(kind, (p, c))
    if kind == "perp" or not isinstance(s.mention, Line) or s.mention is c:
        s.mention = line if kind == "parallel" else c
    return line


@entry(
    "Curve",
    "(the|a) (line|lines) through <ps:Point*> parallel to <c:Curve>",
    "(the|a) parallels to <c:Curve> through <ps:Point+>",
    example="The lines through D and E parallel to BC meet AC at F and G. => on_segment(F,A,C); parallel(B,C,D,F); on_segment(G,A,C); parallel(B,C,E,G)",
    counter="The lines through D and E parallel meet AC at F and G.",
)
def parallels_through(s: State, ps: list, c: Any) -> list:
    if len(ps) < 2:
        raise Misread("one line is read elsewhere")
    return [_through(s, "parallel", c, p) for p in ps]


@entry(
    "Curve",
    "(the|a) (lines|perpendiculars) through <ps:Point+> perpendicular to <c:Curve>",
    "[the] perpendiculars to <c:Curve> (through|at) <ps:Point+>",
    "[the] perpendiculars from <ps:Point+> to <c:Curve>",
    example="The perpendiculars to AB through D and E meet BC at F and G. => on_segment(F,B,C); perp(A,B,D,F); on_segment(G,B,C); perp(A,B,E,G)",
    counter="The perpendiculars through D and E meet BC at F and G.",
)
def perpendiculars_through(s: State, ps: list, c: Any) -> list:
    return [_through(s, "perp", c, p) for p in ps]


@entry(
    "Curve",
    "a [straight|second|third] line through <p:Point>",
    "another [straight] line through <p:Point>",
    example="A line through P meets AB at D and AC at E. => on_segment(D,A,B); on_line(E,D,P); on_segment(E,A,C)",
    counter="A line meets AB at D and AC at E.",
)
def free_line(s: State, p: str) -> Line:
    return Line("free", (), "line", [p])


@entry(
    "Curve",
    "a line",
    example="A line meets AB at D, AC at E and BC at F. => on_segment(D,A,B); on_segment(E,A,C); on_line(F,D,E); on_segment(F,B,C)",
    counter="A meets AB at D, AC at E and BC at F.",
)
def any_line(s: State) -> Line:
    return Line("free")


@entry(
    "Curve",
    "(two|three) lines through <p:Point>",
    example="A circle has centre O and radius 5. Two lines through P meet the circle at A and B and at C and D. => dist(A,O) == 5; dist(B,O) == 5; on_line(B,A,P); dist(C,O) == 5; dist(D,O) == 5; on_line(D,C,P); distinct(A,B); distinct(C,D)",
    counter="Four lines through P meet AB at C and D.",
)
def free_lines(s: State, p: str) -> list:
    return [Line("free", (), "line", [p]), Line("free", (), "line", [p])]


@entry(
    "It",
    "the (box|cube|cuboid|prism|pyramid|tetrahedron|solid|angle)",
    example="The edge AB of the box is 3. => dist(A,B) == 3",
    counter="The edge AB of the bus is 3.",
)
def of_it(s: State) -> None:
    return None


@entry(
    "Curve",
    "[the] hypotenuse <p:Pair> [of <f:Figure>]",
    example="In triangle ABC, D lies on the hypotenuse AB. => triangle(A,B,C); right(A,C,B); on_segment(D,A,B)",
    counter="D lies on the hypotenuse AB.",
)
def hypotenuse(s: State, p: tuple, f: Any = None) -> Line:
    say_hypotenuse(s, p)
    return _two(p, "segment", s)


@entry(
    "Curve",
    "(a|the) (line|parallel) [which is] (parallel to|to) <c:Curve>",
    "a parallel to <c:Curve>",
    example="A line parallel to BC meets AB at D and AC at E. => on_segment(D,A,B); on_segment(E,A,C); parallel(B,C,D,E)",
    counter="A line parallel to meets AB at D and AC at E.",
)
def free_parallel(s: State, c: Any) -> Line:
    if not isinstance(c, Line):
        raise Misread("parallel to a line")
    return Line("free_parallel", (c,))


@entry(
    "Curve",
    "it",
    example="Q lies on the line AB. P lies on it. => on_line(Q,A,B); on_line(P,A,B)",
    counter="P lies on it.",
)
def it(s: State) -> Any:
    if s.mention is None:
        raise Misread("nothing was mentioned")
    return s.mention


@entry(
    "Curve",
    "its sides",
    example="In triangle ABC, the points D and E lie on its sides. => triangle(A,B,C)",
    counter="The points D and E lie on its sides.",
)
def its_sides(s: State) -> Any:
    s.figure()
    return []
