"""Vectors: names, lengths, scalar products, multiples, points reached by vectors, position vectors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .algebra import Value, value
from .engine import Misread, entry
from .state import State, same


def vector(a: str, b: str) -> Value:
    return Value(f"vec({a},{b})", "vec")


def remember(s: State, rows: list) -> list:
    s.curves["vectors"] = rows
    return rows


def is_vector(item: Value) -> Value:
    if item.type not in ("vec", "tuple"):
        raise Misread("a vector")
    return item


@entry(
    "Qty",
    "[the] vector from <a:Point> to <b:Point>",
    example="The vector from A to B is (3, −4). => vec(A,B) == (3, -4)",
    counter="The vector from A is (3, −4).",
)
def vector_from(s: State, a: str, b: str) -> Value:
    return vector(a, b)


@entry(
    "Qty",
    "[the] vector <p:Pair>",
    example="The vector AB is (3, −4). => vec(A,B) == (3, -4)",
    counter="The vector ABC is (3, −4).",
)
def vector_of(s: State, p: tuple) -> Value:
    return vector(*p)


@entry(
    "Qty",
    "[the] vector <f:Formula>",
    example="The vectors u and v lead from A to B and C. The vector u + v has length 5. => norm(vec(A,B) + vec(A,C)) == 5",
    counter="The vector 5 has length 5.",
)
def vector_formula(s: State, f: Any) -> Value:
    return replace(is_vector(value(f, s, "vec")), loose=False)


@entry(
    "Qty",
    "[the] zero vector",
    example="The sum of the vectors from P to A and B is the zero vector. => vec(P,A) + vec(P,B) == (0, 0)",
    counter="The sum of the vectors from P to A and B is zero.",
)
def zero_vector(s: State) -> Value:
    return Value("(0, 0, 0)" if s.solid else "(0, 0)", "tuple", 3 if s.solid else 2)


@entry(
    "Qty",
    "[the] (point) <p:Point>",
    example="The vectors u and v lead from A to B and C. The point D is A + 2u − v. => D == A + 2*vec(A,B) - vec(A,C)",
    counter="The point D is 2u.",
)
def point_value(s: State, p: str) -> Value:
    return Value(p, "pt")


@entry(
    "Qtys",
    "[the] points <ps:Point+>",
    example="The vectors u and v lead from A to B and C. The points D and E are A + u/2 and A + v/3. => D == A + vec(A,B)/2; E == A + vec(A,C)/3",
    counter="The points D and E are A + u/2.",
)
def point_values(s: State, ps: list) -> list:
    return [Value(p, "pt") for p in ps]


@entry(
    "Qtys",
    "[the] vectors from <a:Point> to <bs:Point+>",
    example="The vectors from A to B and C are (1, 2) and (3, 4). => vec(A,B) == (1, 2); vec(A,C) == (3, 4)",
    counter="The vectors from A to B are (1, 2) and (3, 4).",
)
def vectors_from_one(s: State, a: str, bs: list) -> list:
    return remember(s, [vector(a, b) for b in bs])


@entry(
    "Qtys",
    "[the] vectors from <a:Point> to <b:Point> and [from] <c:Point> to <d:Point>",
    "[the] vectors from <a:Point> to <b:Point> , [from] <c:Point> to <d:Point> and [from] <e:Point> to <f:Point>",
    example="The vectors from A to C and B to D are perpendicular. => perp(A,C,B,D)",
    counter="The vectors from A to C and B are perpendicular.",
)
def vectors_from(s: State, a: str, b: str, c: str, d: str, e: str = "", f: str = "") -> list:
    return remember(s, [vector(a, b), vector(c, d)] + ([vector(e, f)] if e else []))


@entry(
    "Qtys",
    "[the] vectors <ps:Pair+>",
    example="The vectors AB and CD are parallel. => parallel(A,B,C,D)",
    counter="The vectors AB and C are parallel.",
)
def vectors_named_by_points(s: State, ps: list) -> list:
    return remember(s, [vector(*p) for p in ps])


@entry(
    "Qtys",
    "[the] vectors <fs:Formula*>",
    example="The vectors u and v lead from A to B and C. The vectors u + v and u − v are perpendicular. => perp(vec(A,B) + vec(A,C),vec(C,B))",
    counter="The vectors u and 5 are perpendicular.",
)
def vectors_named(s: State, fs: list) -> list:
    return remember(s, [is_vector(value(f, s, "vec")) for f in fs])


@entry(
    "Qty",
    "[the] sum of <qs:Qtys>",
    example="The sum of the vectors from P to A and B is (3, 4). => vec(P,A) + vec(P,B) == (3, 4)",
    counter="The sum of the vectors from P to A is (3, 4).",
)
def sum_of_vectors(s: State, qs: list) -> Value:
    if len(qs) < 2 or any(q.type != qs[0].type for q in qs):
        raise Misread("two of a kind")
    return Value(" + ".join(q.text for q in qs), qs[0].type)


@entry(
    "Total",
    "<k:Formula> times <f:Formula> plus <m:Formula> times <g:Formula>",
    "<f:Formula> plus <m:Formula> times <g:Formula>",
    "<f:Formula> plus <g:Formula>",
    example="The vectors u and v lead from A to B and C. The vector from A to D is 2/5 times u plus 3/5 times v. => 2/5*vec(A,B) + 3/5*vec(A,C) == vec(A,D)",
    counter="The vector from A to D is 2/5 times u plus.",
)
def plus(s: State, f: Any, g: Any, k: Any = None, m: Any = None) -> Value:
    left, right = is_vector(value(f, s, "vec")), is_vector(value(g, s, "vec"))
    one = f"({value(k, s)})*({left})" if k else left.text
    two = f"({value(m, s)})*({right})" if m else f"({right})"
    return Value(f"{one} + {two}", "vec")


@entry(
    "Clause",
    "<q:Qty> (is|equals) <t:Total>",
    example="The vectors u and v lead from A to B and C. The vector from A to D is u plus 1/2 times v. => vec(A,D) == vec(A,B) + 1/2*vec(A,C)",
    counter="The vector from A to D is u plus 5.",
)
def is_total(s: State, q: Value, t: Value) -> None:
    same(s, q, t)


@entry(
    "Qty",
    "<k:Formula> of <q:Qty>",
    example="The vector from B to D is 2/3 of the vector from B to C. => vec(B,D) == 2/3*vec(B,C)",
    counter="The vector from B to D is 60° of the vector from B to C.",
)
def part_of(s: State, k: Any, q: Value) -> Value:
    number = value(k, s)
    if number.type != "num" or q.loose:
        raise Misread("a number of it, and a sum needs brackets")
    return Value(f"({number})*({is_vector(q)})", "vec")


@entry(
    "Qty",
    "<f:Formula> turned by <q:Qty> <w:Sense>",
    example="The vectors u and v lead from A to B and C. The vector from A to D is u turned by 90° anticlockwise. => rotate(vec(A,B),(0, 0),deg(90)) == vec(A,D)",
    counter="The vector from A to D is u turned by 90°.",
)
def turned(s: State, f: Any, q: Value, w: int) -> Value:
    if not q.text.startswith("deg("):
        raise Misread("whole degrees")
    return Value(f"rotate({is_vector(value(f, s, 'vec'))},(0, 0),deg({'-' if w < 0 else ''}{q.text[4:-1]}))", "vec")


@entry(
    "Clause",
    "[the] vector <p:Pair> (is|equals|=) <f:Formula>",
    example="The vector AC is AB + AD. => vec(A,B) + vec(A,D) == vec(A,C)",
    counter="The vector AC is AB + 5.",
)
def vector_is(s: State, p: tuple, f: Any) -> None:
    same(s, vector(*p), is_vector(value(f, s, "vec")))


@entry(
    "Clause",
    "[the] vector <p:Pair> is the sum of [the vectors] <a:Pair> and <b:Pair>",
    example="The vector AC is the sum of AB and AD. => vec(A,B) + vec(A,D) == vec(A,C)",
    counter="The vector AC is the sum of AB.",
)
def vector_is_sum(s: State, p: tuple, a: tuple, b: tuple) -> None:
    s.add(f"vec({','.join(p)}) == vec({','.join(a)}) + vec({','.join(b)})")


@entry(
    "Clause",
    "<qs:Qtys> add up to <q:Qty>",
    example="The vectors from G to A, B and C add up to the zero vector. => vec(G,A) + vec(G,B) + vec(G,C) == (0, 0)",
    counter="The vectors from G to A, B and C add up to 5.",
)
def add_up(s: State, qs: list, q: Value) -> None:
    same(s, sum_of_vectors(s, qs), q)


@entry(
    "Qtys",
    "their (lengths|magnitudes)",
    example="The vectors u and v lead from A to B and C. Their lengths are 3 and 4. => dist(A,B) == 3; dist(A,C) == 4",
    counter="Their lengths are 3 and 4.",
)
def their_lengths(s: State) -> list:
    return [Value(f"norm({is_vector(item)})", "num") for item in s.curves["vectors"]]


@entry(
    "Qty",
    "[the] difference <f:Formula>",
    "[the] sum <f:Formula>",
    example="The vectors u and v lead from A to B and C. The difference v − u has length 5. => dist(B,C) == 5",
    counter="The difference has length 5.",
)
def difference(s: State, f: Any) -> Value:
    return value(f, s, "vec")
