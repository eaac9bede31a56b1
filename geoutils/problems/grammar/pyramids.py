"""Pyramids: base, apex, lateral edges, height."""

from __future__ import annotations

from .algebra import Value
from .engine import Misread, entry
from .polygon_words import polygon_is
from .solids import say_pyramid
from .state import Figure, State, same


@entry(
    "Clause",
    "(a|the) square pyramid has [the] base <b:Quad> and [the] apex <a:Point> (above|over) the centre [<m:Name>] of the base",
    "<b:Quad> is the [square] base of a [right] square pyramid with [the] apex <a:Point> (above|over) its centre [<m:Name>]",
    "(a|the) square pyramid with [the] apex <a:Point> has [the] base <b:Quad> , and <a2:Point> lies (above|over) the centre [<m:Name>] of the base",
    example="A square pyramid has base ABCD and apex S above the centre of the base. => square(A,B,C,D); right_pyramid(S,A,B,C,D)",
    counter="A square pyramid has base ABC and apex S above the centre of the base.",
)
def square_pyramid(s: State, b: tuple, a: str, m: str = "", a2: str = "") -> None:
    say_pyramid(s, b, a, m, f"square({','.join(b)})")


@entry(
    "Clause",
    "[the] base <b:Many> of [the] pyramid <p:Many> is <w:FigureWord>",
    example="The base ABCD of the pyramid ABCDS is a square with side 6, and the apex S lies above its centre M at height 4. => square(A,B,C,D); dist(A,B) == 6; right_pyramid(S,A,B,C,D); M == centroid(A,B,C,D); dist(M,S) == 4",
    counter="The base ABCD of the pyramid ABCS is a square with side 6.",
)
def base_of_pyramid(s: State, b: tuple, p: tuple, w: str) -> None:
    if set(p) - set(b) != set(p) - set(b) & set(p) or len(p) != len(b) + 1 or not set(b) < set(p):
        raise Misread("base and apex")
    s.solid = True
    polygon_is(s, b, w)


@entry(
    "Clause",
    "[the] pyramid <p:Many> has [the] (square|rectangular) base <b:Quad>",
    "[the] pyramid <p:Many> has [the] base <b:Many>",
    "<p:Many> is a pyramid with [the] [square] base <b:Many>",
    example="The pyramid ABCDS has the base ABCD. ABCD is a rectangle. Its apex S lies above the centre of the base. => rectangle(A,B,C,D); right_pyramid(S,A,B,C,D)",
    counter="The pyramid ABCDS has the base ABCE.",
)
def pyramid_base(s: State, p: tuple, b: tuple) -> None:
    if not set(b) < set(p) or len(p) != len(b) + 1:
        raise Misread("base and apex")
    s.solid = True
    word = next((token.low for token in s.tokens if token.low in ("square", "rectangular")), "")
    if word:
        s.add(f"{'square' if word == 'square' else 'rectangle'}({','.join(b)})")
    s.curves["pyramid"] = (next(x for x in p if x not in b), b)
    s.new_figure("polygon", b)


@entry(
    "Clause",
    "[the] base of (a|the) pyramid with apex <a:Point> is <f:Figure>",
    example="The base of a pyramid with apex S is the square ABCD. All lateral edges have length 7. => square(A,B,C,D); right_pyramid(S,A,B,C,D); dist(A,S) == 7",
    counter="The base of a pyramid with apex S is the line AB.",
)
def base_of_pyramid_is(s: State, a: str, f: Figure) -> None:
    s.solid = True
    s.curves["pyramid"] = (a, f.points)


@entry(
    "Clause",
    "(all|the|its) lateral edges [of the pyramid] (have length|have the length|are) <q:Qty>",
    "each lateral edge [of the pyramid] has length <q:Qty>",
    example="The pyramid ABCDS has the square base ABCD. Its lateral edges have length 7. => square(A,B,C,D); right_pyramid(S,A,B,C,D); dist(A,S) == 7",
    counter="All lateral edges have length 7.",
)
def lateral_edges(s: State, q: Value) -> None:
    if "pyramid" not in s.curves:
        raise Misread("no pyramid")
    apex, base = s.curves["pyramid"]
    s.add(f"right_pyramid({apex},{','.join(base)})")
    same(s, Value(f"dist({apex},{base[0]})", "num"), q)


@entry(
    "Clause",
    "[the|its] apex <a:Point> lies (above|over) (its|the) centre [<m:Name>] [of the base] [at height <q:Qty>]",
    "[the|its] apex <a:Point> lies at height <q:Qty> (above|over) (its|the) centre [<m:Name>] [of the base]",
    example="The base ABCD of the pyramid ABCDS is a square with side 6, and the apex S lies above its centre. => square(A,B,C,D); dist(A,B) == 6; right_pyramid(S,A,B,C,D)",
    counter="The apex S lies above its centre.",
)
def apex_above(s: State, a: str, m: str = "", q: Value | None = None) -> None:
    base = s.figure().points
    say_pyramid(s, base, a, m)
    if q:
        centre = m or (f"centroid({','.join(base)})" if len(base) == 4 else f"circumcenter({','.join(base[:3])})")
        same(s, Value(f"dist({a},{centre})", "num"), q)


@entry(
    "Attribute",
    "[the] height <q:Qty>",
    "[the] height <p:Pair> [= <q:Qty>]",
    example="The trapezoid ABCD with AB parallel to CD has height 4. => convex(A,B,C,D); parallel(A,B,C,D); dist(A,line(C,D)) == 4",
    counter="The trapezoid ABCD with AB parallel to CD has height 4°.",
)
def height(s: State, q: Value | None = None, p: tuple = ()) -> None:
    if p:
        if q:
            same(s, Value(f"dist({','.join(p)})", "num"), q)
        return
    points = s.figure().points
    for condition in reversed(s.history):
        if condition.startswith("right_pyramid("):
            row = condition[14:-1].split(",")
            centre = f"centroid({','.join(row[1:])})" if len(row) == 5 else f"circumcenter({','.join(row[1:4])})"
            same(s, Value(f"dist({row[0]},{centre})", "num"), q)
            return
        if condition.startswith("parallel("):
            row = condition[9:-1].split(",")
            if set(row) == set(points):
                same(s, Value(f"dist({row[0]},line({row[2]},{row[3]}))", "num"), q)
                return
    raise Misread("the height of what")
