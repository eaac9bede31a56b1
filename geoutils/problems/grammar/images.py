"""Mirror images and images under a homothety, as described points."""

from __future__ import annotations

from typing import Any

from .algebra import value
from .engine import Misread, entry
from .points import equals
from .state import Line, PointDef, State


@entry(
    "PointDef",
    "[the] reflection of <p:Spot> in <c:Curve>",
    "[the] mirror image of <p:Spot> in <c:Curve>",
    "[the] image of <p:Spot> (under|in) [the] reflection in <c:Curve>",
    example="D is the reflection of A in the line BC. => D == reflect(A,B,C)",
    counter="D is the reflection of A.",
)
def reflection(s: State, p: str, c: Any) -> PointDef:
    if not isinstance(c, Line):
        raise Misread("reflection in a line")
    return equals(f"reflect({p},{c.args()})")


@entry(
    "PointDef",
    "[the] reflection of <p:Spot> in [the point] <q:Point>",
    "[the] image of <p:Spot> under [the] half-turn about <q:Point>",
    example="D is the reflection of A in the point M. => midpoint(M,A,D)",
    counter="D is the reflection of A in the points M.",
)
def point_reflection(s: State, p: str, q: str) -> PointDef:
    return PointDef(lambda st, x: st.add(f"midpoint({q},{p},{x})"), f"2*{q} - {p}")


@entry(
    "PointDefs",
    "[the] reflections of <p:Spot> in <cs:Curves>",
    "[the] mirror images of <p:Spot> in <cs:Curves>",
    example="D and E are the reflections of P in the lines AB and AC. => D == reflect(P,A,B); E == reflect(P,A,C)",
    counter="D and E are the reflections of P.",
)
def reflections(s: State, p: str, cs: list) -> list:
    return [reflection(s, p, c) for c in cs]


@entry(
    "PointDefs",
    "[the] reflections of <ps:Point+> in <c:Curve>",
    "[the] mirror images of <ps:Point+> in <c:Curve>",
    example="D and E are the reflections of P and Q in the line AB. => D == reflect(P,A,B); E == reflect(Q,A,B)",
    counter="D and E are the reflections of P and Q.",
)
def reflections_of(s: State, ps: list, c: Any) -> list:
    return [reflection(s, p, c) for p in ps]


@entry(
    "PointDefs",
    "[the] reflections of <p:Spot> in [the points] <qs:Point+>",
    example="D and E are the reflections of P in the points A and B. => midpoint(A,D,P); midpoint(B,E,P)",
    counter="D and E are the reflections of P in the points.",
)
def point_reflections(s: State, p: str, qs: list) -> list:
    return [point_reflection(s, p, q) for q in qs]


@entry(
    "PointDef",
    "[the] image of <p:Spot> under [the] (homothety|dilation|enlargement) with centre <o:Point> and (factor|ratio|scale factor) <k:Formula>",
    example="D is the image of A under the homothety with centre O and factor 3. => D == O + 3*vec(O,A)",
    counter="D is the image of A under the homothety with centre O.",
)
def homothety(s: State, p: str, o: str, k: Any) -> PointDef:
    size = value(k, s)
    if size.type != "num":
        raise Misread("a factor is a number")
    return equals(f"{o} + ({size})*vec({o},{p})")
