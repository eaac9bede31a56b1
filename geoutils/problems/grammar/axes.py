"""First and second coordinates, quadrants, lines cut by a line, the origin."""

from __future__ import annotations

from typing import Any

from .algebra import Value
from .engine import Misread, entry
from .state import State


def _who(s: State) -> str:
    points = [x for x in s.subject if isinstance(x, str)]
    if len(points) != 1:
        raise Misread("whose coordinate")
    return points[0]


for _axis, _word in (("x", "first"), ("y", "second"), ("z", "third")):

    def _coordinate(s: State, p: str = "", _axis: str = _axis) -> Value:
        who = p or next((x for x in s.subject if isinstance(x, str)), "")
        if not who:
            raise Misread("whose coordinate")
        return Value(f"{_axis}({who})", "num")

    _coordinate.__name__ = f"{_word}_coordinate"
    entry(
        "Qty",
        f"[the] ({_word} coordinate|{_axis}-coordinate) of <p:Point>",
        f"its ({_word} coordinate|{_axis}-coordinate)",
        example=f"P lies on AB and its {_word} coordinate is 3. => on_segment(P,A,B); {_axis}(P) == 3",
        counter=f"P lies on AB and its {_word} ordinate is 3.",
    )(_coordinate)


@entry(
    "Clause",
    "<q:Qty> is positive",
    example="The first coordinate of P is positive. => 0 < x(P)",
    counter="The first coordinate of P is nice.",
)
def positive(s: State, q: Value) -> None:
    if q.type != "num":
        raise Misread("a number")
    s.add(f"{q} > 0")


@entry(
    "Clause",
    "<q:Qty> is negative",
    example="The first coordinate of P is negative. => x(P) < 0",
    counter="The first coordinate of P is odd.",
)
def negative(s: State, q: Value) -> None:
    if q.type != "num":
        raise Misread("a number")
    s.add(f"{q} < 0")


@entry(
    "Attribute",
    "[a] positive (first coordinate|x-coordinate)",
    example="P lies on AB and has a positive first coordinate. => on_segment(P,A,B); 0 < x(P)",
    counter="P lies on AB and has a positive first ordinate.",
)
def has_positive_first(s: State) -> None:
    s.add(f"x({_who(s)}) > 0")


@entry(
    "Attribute",
    "[a] positive (second coordinate|y-coordinate)",
    example="P lies on AB and has a positive second coordinate. => on_segment(P,A,B); 0 < y(P)",
    counter="P lies on AB and has a positive second ordinate.",
)
def has_positive_second(s: State) -> None:
    s.add(f"y({_who(s)}) > 0")


@entry(
    "Attribute",
    "[the] (first coordinate|x-coordinate) <q:Qty>",
    example="P lies on AB and has the first coordinate 2. => on_segment(P,A,B); x(P) == 2",
    counter="P lies on AB and has the first coordinate 2°.",
)
def has_first(s: State, q: Value) -> None:
    if q.type != "num":
        raise Misread("a number")
    s.add(f"x({_who(s)}) == {q}")


@entry(
    "Attribute",
    "[the] (second coordinate|y-coordinate) <q:Qty>",
    example="P lies on AB and has the second coordinate 2. => on_segment(P,A,B); y(P) == 2",
    counter="P lies on AB and has the second coordinate 2°.",
)
def has_second(s: State, q: Value) -> None:
    if q.type != "num":
        raise Misread("a number")
    s.add(f"y({_who(s)}) == {q}")


@entry(
    "VP",
    "(lies|lie) in the first quadrant",
    example="P lies in the first quadrant. => 0 < x(P); 0 < y(P)",
    counter="P lies in the fifth quadrant.",
)
def first_quadrant(s: State) -> None:
    for p in s.subject:
        s.add(f"x({p}) > 0")
        s.add(f"y({p}) > 0")


@entry(
    "VP",
    "(lies|lie) above the x-axis",
    example="P lies above the x-axis. => 0 < y(P)",
    counter="P lies above the y-axis.",
)
def above_axis(s: State) -> None:
    for p in s.subject:
        s.add(f"y({p}) > 0")


@entry(
    "VP",
    "(are|is) cut by <c:Curve> at <ps:Point+>",
    example="The lines y = 1 and y = 7 are cut by the line y = 2x at A and B. => on_line(A,line_eq(0,1,1)); on_line(A,line_eq(-2,1,0)); on_line(B,line_eq(0,1,7)); on_line(B,line_eq(-2,1,0))",
    counter="The lines y = 1 and y = 7 are cut by the line y = 2x at A.",
)
def cut_by(s: State, c: Any, ps: list) -> None:
    if len(s.subject) != len(ps):
        raise Misread("as many points as lines")
    for item, p in zip(s.subject, ps, strict=False):
        item.on(s, p)
        c.on(s, p)


@entry(
    "Clause",
    "[the] origin is <p:Name>",
    "<p:Name> is the origin",
    "let <p:Name> be the origin",
    "[the] point <p:Name> is the origin",
    example="O is the origin. => O == (0, 0)",
    counter="OA is the origin.",
)
def origin(s: State, p: str) -> None:
    if s.representation == "vector":
        s.origin = p
        return
    s.add(f"{p} == (0, 0{', 0' if s.solid else ''})")
