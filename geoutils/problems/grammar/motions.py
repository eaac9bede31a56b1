"""Turns, reflections, translations and homotheties that carry points to points."""

from __future__ import annotations

import itertools
from typing import Any

from .algebra import Value, value
from .engine import Misread, entry
from .state import Figure, Line, State

Pairs = list[tuple[str, str]]


@entry(
    "Carries",
    "<a:Point> to <b:Point>",
    example="The translation that carries A to B carries C to D. => vec(A,B) == vec(C,D)",
    counter="The translation that carries A carries C to D.",
)
def carries(s: State, a: str, b: str) -> Pairs:
    return [(a, b)]


@entry(
    "Carries",
    "<a:Many> to <b:Many>",
    "[the] (triangle|square|quadrilateral) <a:Many> to [the] [triangle|square|quadrilateral] <b:Many>",
    "[the] segment <a:Pair> to [the segment] <b:Pair>",
    "<a:Pair> to <b:Pair>",
    example="The translation that carries A to B carries the segment CD to EF. => vec(A,B) == vec(C,E); vec(A,B) == vec(D,F)",
    counter="The translation that carries A to B carries the segment CD to EFG.",
)
def carries_figure(s: State, a: tuple, b: tuple) -> Pairs:
    if len(a) != len(b):
        raise Misread("as many corners")
    for one in (a, b):
        if len(one) > 2:
            s.new_figure("polygon", one)
    return list(zip(a, b, strict=False))


_SENSE = {"anticlockwise": 1, "counterclockwise": 1, "clockwise": -1}
for _word, _sign in _SENSE.items():

    def _sense(s: State, _sign: int = _sign) -> int:
        return _sign

    _sense.__name__ = _word
    entry(
        "Sense",
        _word,
        f"in the {_word} (sense|direction)",
        example=f"The point P is turned {_word} by 60° about O to Q. => Q == rotate(P,O,deg({'' if _sign > 0 else '-'}60))",
        counter=f"The point P is turned {_word}s by 60° about O to Q.",
    )(_sense)


@entry(
    "Turn",
    "(by|through) <q:Qty> [<w:Sense>] (about|around) <o:Centre>",
    "[<w:Sense>] (by|through) <q:Qty> (about|around) <o:Centre>",
    "(about|around) <o:Centre> (by|through) <q:Qty> [<w:Sense>]",
    "[<w:Sense>] (about|around) <o:Centre> (by|through) <q:Qty>",
    "with centre <o:Centre> (by|through) <q:Qty> [<w:Sense>]",
    "(about|around) <o:Centre> <w:Sense> (by|through) <q:Qty>",
    "by <q:Qty> [<w:Sense>] with centre <o:Centre>",
    example="The point P is turned by 60° about O to Q. => dist(O,P) == dist(O,Q); angle(P,O,Q) == deg(60)",
    counter="The point P is turned by 60 about O to Q.",
)
def turn_data(s: State, q: Value, o: str, w: int = 0) -> tuple:
    if q.type != "angle":
        raise Misread("an angle")
    return o, q.text, w, ()


@entry(
    "Centre",
    "<p:Point>",
    "[the] (centre|point|origin) <p:Point>",
    example="The point P is turned by 60° about the point O to Q. => dist(O,P) == dist(O,Q); angle(P,O,Q) == deg(60)",
    counter="The point P is turned by 60° about the line O to Q.",
)
def turn_centre(s: State, p: str) -> str:
    return p


@entry(
    "Centre",
    "its centre",
    "the centre of the (square|rectangle|triangle|hexagon)",
    example="The square EFGH arises when the square ABCD is turned by 45° about its centre. => square(A,B,C,D); angle(A,centroid(A,B,C,D),E) == deg(45); dist(A,centroid(A,B,C,D)) == dist(E,centroid(A,B,C,D)); square(E,F,G,H); centroid(A,B,C,D) == centroid(E,F,G,H); same_sense(A,B,C,E,F,G)",
    counter="The square EFGH arises when the square ABCD is turned by 45°.",
)
def its_centre(s: State) -> str:
    points = s.figure().points
    return f"centroid({','.join(points)})" if len(points) == 4 else f"circumcenter({','.join(points[:3])})"


@entry(
    "Turn",
    "(about|around) <o:Point> (by|through) <q:Qty> in the (sense|direction) from <a:Point> to <b:Point>",
    "(by|through) <q:Qty> (about|around) <o:Point> in the (sense|direction) from <a:Point> to <b:Point>",
    example="The turn about A by 60° in the sense from B to C carries C to D. => dist(A,C) == dist(A,D); angle(C,A,D) == deg(60); same_sense(C,A,D,B,A,C)",
    counter="The turn about A by 60° in the sense of B carries C to D.",
)
def turn_in_sense(s: State, q: Value, o: str, a: str, b: str) -> tuple:
    if q.type != "angle":
        raise Misread("an angle")
    return o, q.text, 0, (a, o, b)


def _turn(s: State, turn: tuple, pairs: Pairs) -> None:
    o, angle, sense, model = turn
    first = None
    for a, b in pairs:
        if a == o == b:
            continue
        if sense:
            inner = angle[4:-1] if angle.startswith("deg(") else ""
            if not inner:
                raise Misread("whole degrees")
            s.add(f"{b} == rotate({a},{o},deg({'-' if sense < 0 else ''}{inner}))")
            continue
        if angle == "deg(180)":
            s.add(f"midpoint({o},{a},{b})")
            continue
        s.add(f"dist({o},{a}) == dist({o},{b})")
        s.add(f"angle({a},{o},{b}) == {angle}")
        if model:
            s.add(f"same_sense({a},{o},{b},{','.join(model)})")
        elif first:
            s.add(f"same_sense({a},{o},{b},{','.join(first)})")
        first = first or (a, o, b)


@entry(
    "Clause",
    "(a|the) (turn|rotation) <t:Turn> (carries|takes|sends|maps) <cs:Carries*>",
    example="A turn by 60° about O carries A to C and B to D. => dist(A,O) == dist(C,O); angle(A,O,C) == deg(60); dist(B,O) == dist(D,O); angle(B,O,D) == deg(60); same_sense(B,O,D,A,O,C)",
    counter="A turn by 60° about O carries A to C and B.",
)
def turn_carries(s: State, t: tuple, cs: list) -> None:
    _turn(s, t, [pair for row in cs for pair in row])


@entry(
    "Clause",
    "(a|the) (turn|rotation) (about|around) <o:Point> (carries|takes|sends|maps) <cs:Carries*>",
    example="A turn about O carries A to C and B to D. => dist(A,O) == dist(C,O); dist(B,O) == dist(D,O); angle(A,O,C) == angle(B,O,D); same_sense(A,O,C,B,O,D)",
    counter="A turn about O carries A to C and B.",
)
def turn_unknown(s: State, o: str, cs: list) -> None:
    pairs = [pair for row in cs for pair in row if pair[0] != o]
    if len(pairs) < 2:
        raise Misread("two points fix the turn")
    for a, b in pairs:
        s.add(f"dist({o},{a}) == dist({o},{b})")
    (a, b), *others = pairs
    for c, d in others:
        s.add(f"angle({a},{o},{b}) == angle({c},{o},{d})")
        s.add(f"same_sense({a},{o},{b},{c},{o},{d})")


@entry(
    "Clause",
    "[the] (point|points) <ps:Dot*> (is|are) (turned|rotated) <t:Turn> (to|onto|into) [the] [point|points] <qs:Dot*>",
    "<ps:Dot*> (is|are) (turned|rotated) <t:Turn> (to|onto|into) [the] [point|points] <qs:Dot*>",
    "(turning|rotating) [the] [point] <ps:Dot*> <t:Turn> gives <qs:Dot*>",
    example="The point P is turned by 120° about O to the point Q. => dist(O,P) == dist(O,Q); angle(P,O,Q) == deg(120)",
    counter="The point P is turned by 120° about O to the line Q.",
)
def points_turned(s: State, ps: list, t: tuple, qs: list) -> None:
    if len(ps) != len(qs):
        raise Misread("as many images as points")
    _turn(s, t, list(zip(ps, qs, strict=False)))


@entry(
    "Clause",
    "[the] (segment|triangle|square|quadrilateral) <a:Pair> is (turned|rotated) <t:Turn> (to|onto|into) [the] (segment|triangle|square|quadrilateral) <b:Pair>",
    "[the] (triangle|square|quadrilateral|rectangle) <a:Many> is (turned|rotated) <t:Turn> (to|onto|into) [the] [triangle|square|quadrilateral|rectangle] <b:Many>",
    example="The segment AB is turned by 60° about O to the segment CD. => dist(A,O) == dist(C,O); angle(A,O,C) == deg(60); dist(B,O) == dist(D,O); angle(B,O,D) == deg(60); same_sense(B,O,D,A,O,C)",
    counter="The segment AB is turned by 60° about O to the segment C.",
)
def figure_turned(s: State, a: tuple, t: tuple, b: tuple) -> None:
    _turn(s, t, carries_figure(s, a, b))


@entry(
    "Clause",
    "[the] square <b:Quad> arises when <f:Figure> is (turned|rotated) <t:Turn>",
    example="The square EFGH arises when the square ABCD is turned by 45° about its centre. => square(A,B,C,D); angle(A,centroid(A,B,C,D),E) == deg(45); dist(A,centroid(A,B,C,D)) == dist(E,centroid(A,B,C,D)); square(E,F,G,H); centroid(A,B,C,D) == centroid(E,F,G,H); same_sense(A,B,C,E,F,G)",
    counter="The square EFG arises when the square ABCD is turned by 45° about its centre.",
)
def square_turned(s: State, b: tuple, f: Figure, t: tuple) -> None:
    o, _angle, sense, _ = t
    if len(f.points) != 4:
        raise Misread("a square")
    _turn(s, t, [(f.points[0], b[0])] if not sense else list(zip(f.points, b, strict=False)))
    s.add(f"square({','.join(b)})")
    s.new_figure("polygon", b)
    if o.startswith("centroid("):
        s.add(f"{o} == centroid({','.join(b)})")
        s.add(f"same_sense({','.join(f.points[:3])},{','.join(b[:3])})")
    elif o in f.points:
        _turn(s, t, list(zip(f.points, b, strict=False))[1:])
    else:
        _turn(s, t, list(zip(f.points, b, strict=False)))


@entry(
    "Clause",
    "[the] (triangle|square|quadrilateral) <b:Many> is the image of [the] [triangle|square|quadrilateral] <a:Many> under (a|the) (turn|rotation) <t:Turn>",
    "[the] segment <b:Pair> is the image of [the] segment <a:Pair> under (a|the) (turn|rotation) <t:Turn>",
    "<b:Dot> is the image of <a:Dot> under (a|the) (turn|rotation) <t:Turn>",
    "[the] point <b:Dot> is the image of [the] [point] <a:Dot> under (a|the) (turn|rotation) <t:Turn>",
    "[the] image of [the] [point] <a:Dot> under (a|the) (turn|rotation) <t:Turn> is <b:Dot>",
    example="D is the image of A under the turn by 90° about O. => dist(A,O) == dist(D,O); angle(A,O,D) == deg(90)",
    counter="D is the image of A under the turn.",
)
def image_of_turn(s: State, a: Any, b: Any, t: tuple) -> None:
    _turn(s, t, [(a, b)] if isinstance(a, str) else carries_figure(s, a, b))


@entry(
    "Clause",
    "(a|the) (homothety|dilation|enlargement) with centre <o:Point> and (factor|ratio|scale factor) <k:Formula> (carries|takes|maps) <cs:Carries*>",
    example="The homothety with centre O and factor 3 carries A to C and B to D. => C == O + 3*vec(O,A); D == O + 3*vec(O,B)",
    counter="The homothety with centre O carries A to C.",
)
def homothety(s: State, o: str, k: Any, cs: list) -> None:
    size = value(k, s)
    if size.type != "num":
        raise Misread("a factor is a number")
    for a, b in [pair for row in cs for pair in row]:
        s.add(f"{b} == {o} + ({size})*vec({o},{a})")


@entry(
    "Clause",
    "(a|the) (homothety|dilation|enlargement) with centre <o:Point> (carries|takes|maps) <cs:Carries*>",
    example="A homothety with centre O carries A to C and B to D. => on_line(C,A,O); on_line(D,B,O); parallel(A,B,C,D)",
    counter="A homothety with centre O carries A.",
)
def homothety_unknown(s: State, o: str, cs: list) -> None:
    pairs = [pair for row in cs for pair in row]
    for a, b in pairs:
        s.add(f"on_line({b},{o},{a})")
    for (a, b), (c, d) in itertools.pairwise(pairs):
        s.add(f"parallel({a},{c},{b},{d})")


@entry(
    "Clause",
    "(a|the) translation (that|which) (carries|takes|maps) <a:Point> to <b:Point> (carries|takes|maps) <cs:Carries*>",
    "(a|the) translation by the vector from <a:Point> to <b:Point> (carries|takes|maps) <cs:Carries*>",
    "(a|the) translation that (carries|takes) <a:Point> to <b:Point> also (carries|takes) <cs:Carries*>",
    example="The translation that carries A to B carries C to D. => vec(A,B) == vec(C,D)",
    counter="The translation that carries A to B carries C.",
)
def translation(s: State, a: str, b: str, cs: list) -> None:
    for c, d in [pair for row in cs for pair in row]:
        s.add(f"vec({a},{b}) == vec({c},{d})")


@entry(
    "Clause",
    "(a|the) reflection in <c:Curve> (carries|takes|maps|sends) <cs:Carries*>",
    example="The reflection in the line AB carries C to D. => D == reflect(C,A,B)",
    counter="The reflection in the line AB carries C.",
)
def reflection(s: State, c: Any, cs: list) -> None:
    if not isinstance(c, Line):
        raise Misread("in a line")
    for a, b in [pair for row in cs for pair in row]:
        s.add(f"{b} == reflect({a},{c.args()})")


@entry(
    "Clause",
    "<ps:Points> (is|are) reflected in <c:Curve> (to|onto) <qs:Points>",
    "[the] reflection of [the] (triangle|segment|square|quadrilateral) <a:Many> in <c:Curve> is [the] [triangle|segment|square|quadrilateral] <b:Many>",
    "(reflecting) <ps:Points> in <c:Curve> gives <qs:Points>",
    "[the] (triangle|square|quadrilateral) <b:Many> is the reflection of [the] [triangle|square|quadrilateral] <a:Many> in <c:Curve>",
    "[the] (triangle|square|quadrilateral) <a:Many> is reflected in <c:Curve> (to|onto) [the] [triangle|square|quadrilateral] <b:Many>",
    example="The point A is reflected in the line BC to D. => D == reflect(A,B,C)",
    counter="The point A is reflected in the line BC.",
)
def reflected(s: State, c: Any, ps: list | None = None, qs: list | None = None, a: tuple = (), b: tuple = ()) -> None:
    pairs = list(zip(ps, qs, strict=False)) if ps and qs else carries_figure(s, a, b)
    if (ps and qs and len(ps) != len(qs)) or not isinstance(c, Line):
        raise Misread("as many images as points")
    for one, two in pairs:
        s.add(f"{two} == reflect({one},{c.args()})")


@entry(
    "Clause",
    "<ps:Points> (is|are) reflected in [the point] <c:Dot> (to|onto) <qs:Points>",
    "(a|the) (half-turn|reflection) (about|in) [the point] <c:Dot> (carries|takes) <cs:Carries*>",
    example="The point A is reflected in the point M to D. => midpoint(M,A,D)",
    counter="The point A is reflected in the point M.",
)
def point_reflected(s: State, c: str, ps: list | None = None, qs: list | None = None, cs: list | None = None) -> None:
    for one, two in zip(ps, qs, strict=False) if ps and qs else [pair for row in cs or [] for pair in row]:
        s.add(f"midpoint({c},{one},{two})")


@entry(
    "VP",
    "(are|is) labelled (anticlockwise|counterclockwise)",
    "(are|is) labelled in (anticlockwise|counterclockwise) order",
    "(runs|run) (anticlockwise|counterclockwise)",
    example="The square ABCD is labelled anticlockwise. => square(A,B,C,D); ccw(A,B,C,D)",
    counter="The square ABCD is labelled.",
)
def labelled_anticlockwise(s: State) -> None:
    s.add(f"ccw({','.join(s.figure().points)})")


@entry(
    "VP",
    "(are|is) labelled clockwise",
    "(are|is) labelled in clockwise order",
    example="The square ABCD is labelled clockwise. => square(A,B,C,D); cw(A,B,C,D)",
    counter="The square ABCD is labelled wise.",
)
def labelled_clockwise(s: State) -> None:
    s.add(f"cw({','.join(s.figure().points)})")
