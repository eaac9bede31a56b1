"""Loci and conics: ellipses and parabolas by foci or by equation."""

from __future__ import annotations

from typing import Any

from .algebra import Value
from .engine import Misread, entry
from .equations import curve
from .state import Conic, Line, State


def _new(s: State, conic: Conic) -> Conic:
    s.conics.append(conic)
    s.mention = s.topic = conic
    return conic


def _conic(s: State, shape: str = "") -> Conic:
    for item in reversed(s.conics):
        if not shape or item.shape == shape:
            s.mention = s.topic = item
            return item
    raise Misread("no conic")


@entry(
    "Curve",
    "(an|the) ellipse with [the] foci <f:Point> and <g:Point>",
    example="The ellipse with foci F and G has the long axis 10. P lies on it. => dist(F,P) + dist(G,P) == 10",
    counter="P lies on the ellipse with foci F.",
)
def ellipse(s: State, f: str, g: str) -> Conic:
    for item in s.conics:
        if set(item.foci) == {f, g}:
            s.mention = s.topic = item
            return item
    return _new(s, Conic("ellipse", (f, g)))


@entry(
    "Curve",
    "an ellipse",
    example="An ellipse has foci F and G and the long axis 10. P lies on it. => dist(F,P) + dist(G,P) == 10",
    counter="An ellipse. P lies on it.",
)
def an_ellipse(s: State) -> Conic:
    return _new(s, Conic("ellipse"))


@entry(
    "Curve",
    "the (ellipse|parabola)",
    "this (ellipse|parabola)",
    "the curve",
    example="An ellipse has foci F and G and the long axis 10. P lies on the ellipse. => dist(F,P) + dist(G,P) == 10",
    counter="P lies on the ellipse.",
)
def the_conic(s: State) -> Conic:
    return _conic(s)


@entry(
    "Attribute",
    "[the] foci <ps:Point+>",
    example="An ellipse has foci F and G and the long axis 10. P lies on it. => dist(F,P) + dist(G,P) == 10",
    counter="An ellipse has foci F and the long axis 10.",
)
def foci(s: State, ps: list) -> None:
    item = _conic(s, "ellipse")
    if len(ps) != 2:
        raise Misread("two foci")
    if item.curve:
        centre, a, b = item.curve.data
        s.add(f"foci({ps[0]},{ps[1]},ellipse_xy({centre},{a},{b}))")
    item.foci = (ps[0], ps[1])


@entry(
    "Attribute",
    "[the] focus <p:Point> [and [the] directrix <l:Pair>]",
    "[the] focus <p:Point> and [the] directrix <c:Curve>",
    example="A parabola has focus F and directrix AB. P lies on it. => dist(F,P) == dist(P,line(A,B))",
    counter="A parabola has focus F and directrix ABC. P lies on it.",
)
def focus(s: State, p: str, l: tuple = (), c: Any = None) -> None:  # noqa: E741
    item = _conic(s, "parabola")
    if item.curve:
        s.add(f"{p} == {item.curve.data[0]}")
    item.foci = (p,)
    if l:
        item.line = Line("two", l)
    elif isinstance(c, Line):
        item.line = Line(c.kind, c.data) if c.kind == "two" else c


@entry(
    "Curve",
    "(a|the) parabola with focus <p:Point> and directrix <l:Pair>",
    "(a|the) parabola with focus <p:Point> and directrix <c:Curve>",
    example="P lies on the parabola with focus F and directrix AB. => dist(F,P) == dist(P,line(A,B))",
    counter="P lies on the parabola with focus F.",
)
def parabola(s: State, p: str, l: tuple = (), c: Any = None) -> Conic:  # noqa: E741
    line = Line("two", l) if l else c
    if not isinstance(line, Line):
        raise Misread("a directrix is a line")
    return _new(s, Conic("parabola", (p,), line=Line("two", line.data) if line.kind == "two" else line))


@entry(
    "Curve",
    "a parabola",
    example="A parabola has focus F and directrix AB. P lies on the parabola. => dist(F,P) == dist(P,line(A,B))",
    counter="A parabola. P lies on it.",
)
def a_parabola(s: State) -> Conic:
    return _new(s, Conic("parabola"))


@entry(
    "Attribute",
    "[the|a] (long|major) axis [of length] <q:Qty>",
    example="An ellipse has foci F and G and the long axis 10. P lies on it. => dist(F,P) + dist(G,P) == 10",
    counter="An ellipse has foci F and G and the wrong axis 10.",
)
def long_axis(s: State, q: Value) -> None:
    if q.type != "num":
        raise Misread("a length")
    _conic(s, "ellipse").has_total(s, q.text)


@entry(
    "Clause",
    "[the] (long|major) axis of <c:Curve> (has length|is) <q:Qty>",
    "[the|its] (long|major) axis (has length|is) <q:Qty>",
    "[the] length of (its|the) (long|major) axis [of the ellipse] is <q:Qty>",
    example="An ellipse has foci F and G. The long axis of the ellipse has length 10. P lies on it. => dist(F,P) + dist(G,P) == 10",
    counter="An ellipse has foci F and G. The long axis of AB has length 10.",
)
def long_axis_is(s: State, q: Value, c: Any = None) -> None:
    if c is not None and not isinstance(c, Conic):
        raise Misread("of an ellipse")
    long_axis(s, q)


@entry(
    "Clause",
    "[the] sum of the distances (of|from) (its points|the points of the ellipse|every point of the ellipse|each of its points) (from|to) <f:Point> and <g:Point> is <q:Qty>",
    "[the] sum of the distances of (its points|each of its points|each point|every point of it) from the foci is <q:Qty>",
    "for whose points <x:Name> the sum <a:Pair> + <b:Pair> is <q:Qty>",
    "for each of whose points the (distances|sum of the distances) (from|to) the foci is <q:Qty>",
    example="An ellipse has foci F and G, and the sum of the distances of its points from F and G is 10. P lies on it. => dist(F,P) + dist(G,P) == 10",
    counter="An ellipse has foci F and G, and the sum of the distances of its points from F is 10.",
)
def sum_of_distances(s: State, q: Value, f: str = "", g: str = "", x: str = "", a: tuple = (), b: tuple = ()) -> None:
    item = _conic(s, "ellipse")
    if (f and {f, g} != set(item.foci)) or (a and (set(a) | set(b)) - {x} != set(item.foci)):
        raise Misread("from the foci")
    item.has_total(s, q.text)


@entry(
    "Clause",
    "<p:Dot> is a point of <c:Curve>",
    "[the] point <p:Dot> is a point of <c:Curve>",
    "<ps:Dot+> are points of <c:Curve>",
    example="P is a point of the ellipse with foci F and G and AB is 5. => dist(A,B) == 5",
    counter="P is a point of F.",
)
def is_point_of(s: State, c: Any, p: str = "", ps: list | None = None) -> None:
    s.subject = ps or [p]
    if isinstance(c, Conic) and c.shape == "ellipse" and not c.total:
        s.curves["waiting"] = (c, list(s.subject))
    for x in s.subject:
        c.on(s, x)


@entry(
    "Clause",
    "<p:Point> is a point of the ellipse with foci <f:Point> and <g:Point> for whose points <x:Name> the sum <a:Pair> + <b:Pair> is <q:Qty>",
    "<p:Points> (lies|lie) on the ellipse with foci <f:Point> and <g:Point> and [the] (long|major) axis <q:Qty>",
    "<p:Points> (lies|lie) on the ellipse with foci <f:Point> and <g:Point> whose (long|major) axis has length <q:Qty>",
    example="P lies on the ellipse with foci F and G and long axis 10. => dist(F,P) + dist(G,P) == 10",
    counter="P lies on the ellipse with foci F and G and long axis 10°.",
)
def on_ellipse(s: State, p: Any, f: str, g: str, q: Value, x: str = "", a: tuple = (), b: tuple = ()) -> None:
    if q.type != "num" or (a and ((set(a) | set(b)) - {x}) != {f, g}):
        raise Misread("from the foci")
    item = ellipse(s, f, g)
    item.has_total(s, q.text)
    for point in p if isinstance(p, list) else [p]:
        item.on(s, point)


@entry(
    "Curve",
    "(the|an) ellipse [with [the] equation] <e:Equation>",
    example="P lies on the ellipse x²/25 + y²/9 = 1. => x(P)**2/25 + y(P)**2/9 == 1",
    counter="P lies on the ellipse x² + y² = 1.",
)
def ellipse_by_equation(s: State, e: Any) -> Conic:
    shape = curve(e, s)
    if shape.shape != "ellipse":
        raise Misread("no ellipse")
    return _new(s, Conic("ellipse", curve=shape))


@entry(
    "Curve",
    "(the|a) parabola [with [the] equation] <e:Equation>",
    example="P lies on the parabola y = x²/4. => y(P) == x(P)**2/4",
    counter="P lies on the parabola y = x/4.",
)
def parabola_by_equation(s: State, e: Any) -> Conic:
    shape = curve(e, s)
    if shape.shape != "parabola":
        raise Misread("no parabola")
    return _new(s, Conic("parabola", curve=shape))
