"""Names, points, quantities and facts: the smallest parts of a sentence, shared by the three representations."""

from __future__ import annotations

from typing import Any

from .algebra import read_formula, value
from .engine import entry, primitive
from .state import State, place
from .tokens import Token


def _points(least: int, most: int):
    def read(tokens: list[Token], at: int) -> list[tuple[int, Any]]:
        if at < len(tokens) and tokens[at].kind == "pts" and least <= len(tokens[at].points) <= most:
            points = tokens[at].points
            if len(set(points)) == len(points):
                return [(at + 1, points[0] if most == 1 else points)]
        return []

    return read


primitive("Name")(_points(1, 1))
primitive("Pair")(_points(2, 2))
primitive("Three")(_points(3, 3))
primitive("Quad")(_points(4, 4))
primitive("Many")(_points(3, 12))


@primitive("Small")
def read_small(tokens: list[Token], at: int) -> list[tuple[int, str]]:
    """A small letter: the name of a vector, line or circle."""
    if at < len(tokens) and tokens[at].kind == "word" and len(tokens[at].text) == 1:
        return [(at + 1, tokens[at].text)]
    return []


@primitive("Coords")
def read_coords(tokens: list[Token], at: int) -> list[tuple[int, Any]]:
    return (
        [row for row in read_formula(tokens, at) if row[1][0] == "tuple"]
        if at < len(tokens) and tokens[at].text == "("
        else []
    )


# ---- points -----------------------------------------------------------------------------------------------------------


@entry(
    "Dot",
    "<p:Name>",
    example="The point A lies on the line BC. => on_line(A,B,C)",
    counter="The point AB lies on the line CD.",
)
def a_point(s: State, p: str) -> str:
    return p


@entry(
    "Dot",
    "<p:Name> <c:Coords>",
    example="The point A(1, −2) is given. => A == (1, -2)",
    counter="The point A(1) is given.",
)
def point_with_coordinates(s: State, p: str, c: Any) -> str:
    s.add(f"{p} == {value(c, s)}")
    return p


@entry(
    "Point",
    "[the] [given|fixed] (point|vertex|centre|corner|apex|origin) <p:Dot>",
    "<p:Dot>",
    example="The point D lies on side BC. => on_segment(D,B,C)",
    counter="The pointed D lies on side BC.",
)
def point(s: State, p: str) -> str:
    return p


@entry(
    "Points",
    "<ps:Point*>",
    "[the] [given|fixed|opposite|two|three|four|five|six] (points|vertices|centres|corners) <ps:Dot+>",
    example="The points D and E lie on sides AB and AC. => on_segment(D,A,B); on_segment(E,A,C)",
    counter="The points D lie on sides AB and AC.",
)
def points(s: State, ps: list[str]) -> list[str]:
    return ps


@entry(
    "Placed",
    "<ps:Dot*> on <c:Curve>",
    example="The points D on BC and E on CA satisfy BD = 3. => on_segment(D,B,C); on_segment(E,A,C); dist(B,D) == 3",
    counter="The points D on BC and E off CA satisfy BD = 3.",
)
def placed(s: State, ps: list[str], c: Any) -> list[str]:
    place(s, ps, [c] if not isinstance(c, list) else c)
    return ps


@entry(
    "Points",
    "[the] points <ps:Placed+>",
    "<ps:Placed+>",
    example="The points D on BC, E on CA and F on AB satisfy BD = CE. => on_segment(D,B,C); on_segment(E,A,C); on_segment(F,A,B); dist(B,D) == dist(C,E)",
    counter="The points D on BC, E on CA and F satisfy BD = CE.",
)
def points_placed(s: State, ps: list) -> list[str]:
    return [p for row in ps for p in row]


@entry(
    "Points",
    "[the] (point|points) <ps:Dot*> (on|of) <c:Curves>",
    "<ps:Dot*> on <c:Curves>",
    example="The point D on side BC satisfies BD = 3. => on_segment(D,B,C); dist(B,D) == 3",
    counter="The point D off side BC satisfies BD = 3.",
)
def points_on(s: State, ps: list[str], c: list) -> list[str]:
    place(s, ps, c)
    return ps
