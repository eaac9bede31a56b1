"""What is said of vectors: lengths, scalar products, angles, directions; lines and circles by vectors."""

from __future__ import annotations

from typing import Any

from .algebra import Value, value, wrap
from .coordinates import Direction
from .engine import Misread, entry
from .state import Circle, Line, State, same
from .vector_names import lead
from .vectors import is_vector, vector

# ---- facts ------------------------------------------------------------------------------------------------------------


@entry(
    "Qty",
    "[the] (length|magnitude|norm) of <q:Qty>",
    example="The length of the vector from A to B is 5. => dist(A,B) == 5",
    counter="The length of the angle ABC is 5.",
)
def norm_of(s: State, q: Value) -> Value:
    return Value(f"norm({is_vector(q)})", "num")


@entry(
    "Clause",
    "<q:Qty> has [the] (length|magnitude) <n:Qty>",
    example="The vector from A to B has length 5. => dist(A,B) == 5",
    counter="Angle ABC has length 5.",
)
def vector_has_length(s: State, q: Value, n: Value) -> None:
    same(s, Value(f"norm({is_vector(q)})", "num"), n)


@entry(
    "Clause",
    "<qs:Qtys> have [the] (lengths|magnitudes) <ns:Qty+>",
    example="The vectors AB and AC have lengths 3 and 4. => dist(A,B) == 3; dist(A,C) == 4",
    counter="The vectors AB and AC have lengths 3, 4 and 5.",
)
def vectors_have_lengths(s: State, qs: list, ns: list) -> None:
    if len(qs) != len(ns):
        raise Misread("as many lengths as vectors")
    for q, n in zip(qs, ns, strict=False):
        same(s, Value(f"norm({is_vector(q)})", "num"), n)


@entry(
    "Clause",
    "<qs:Qtys> [both|each|all] have [the] length <n:Qty>",
    example="The vectors AB and AC have length 3. => dist(A,B) == 3; dist(A,C) == 3",
    counter="The vectors AB and AC have length 3°.",
)
def vectors_have_length(s: State, qs: list, n: Value) -> None:
    vectors_have_lengths(s, qs, [n] * len(qs))


@entry(
    "Qty",
    "[the] (scalar|dot) product of <qs:Qtys>",
    "[the] (scalar|dot) product <f:Formula>",
    "their (scalar|dot) product",
    example="The scalar product of the vectors AB and AC is 6. => dot(vec(A,B),vec(A,C)) == 6",
    counter="The scalar product of the vectors AB is 6.",
)
def scalar_product(s: State, qs: list | None = None, f: Any = None) -> Value:
    if f:
        return value(f, s, "vec")
    rows = qs or s.curves.get("vectors", [])
    if len(rows) != 2:
        raise Misread("two vectors")
    return Value(f"dot({is_vector(rows[0])},{is_vector(rows[1])})", "num")


@entry(
    "Qty",
    "[the] angle between <qs:Qtys>",
    "the angle between them",
    example="The angle between the vectors AB and CD is 60°. => angle(vec(A,B),vec(C,D)) == deg(60)",
    counter="The angle between the vectors AB is 60°.",
)
def angle_between(s: State, qs: list | None = None) -> Value:
    rows = qs or s.curves.get("vectors", [])
    if len(rows) != 2:
        raise Misread("two vectors")
    return Value(f"angle({is_vector(rows[0])},{is_vector(rows[1])})", "angle")


@entry(
    "Clause",
    "<qs:Qtys> <v:VectorVP>",
    "they [all] <v:VectorVP>",
    "<v:VectorVP>",
    example="The vectors AB and AC enclose an angle of 60°. => angle(B,A,C) == deg(60)",
    counter="The vectors AB and AC enclose an angle of 60.",
)
def vectors_do(s: State, v: Any, qs: list | None = None) -> None:
    rows = qs or s.curves.get("vectors", [])
    for item in rows:
        is_vector(item)
    if len(rows) < 2:
        raise Misread("two vectors")
    if v[0] == "lengths":
        lengths = v[1] if len(v[1]) > 1 else v[1] * len(rows)
        if len(lengths) != len(rows):
            raise Misread("as many lengths as vectors")
        for item, size in zip(rows, lengths, strict=False):
            same(s, Value(f"norm({item})", "num"), size)
    elif v[0] == "angle":
        same(s, Value(f"angle({rows[0]},{rows[1]})", "angle"), v[1])
    else:
        for i, one in enumerate(rows):
            for two in rows[i + 1 :]:
                s.add(f"{v[0]}({one},{two})")


@entry(
    "VectorVP",
    "(enclose|form|make) an angle of <q:Qty>",
    example="The vectors AB and AC form an angle of 60°. => angle(B,A,C) == deg(60)",
    counter="The vectors AB and AC form an angle.",
)
def enclose(s: State, q: Value) -> tuple:
    return "angle", q


@entry(
    "VectorVP",
    "have [the] (length|lengths) <qs:Qty*>",
    example="The vectors u and v lead from A to B and C. They have lengths 3 and 4. => dist(A,B) == 3; dist(A,C) == 4",
    counter="The vectors u and v lead from A to B and C. They have lengths 3, 4 and 5.",
)
def lengths_of_vectors(s: State, qs: list) -> tuple:
    return "lengths", qs


@entry(
    "VectorVP",
    "are [pairwise] perpendicular [to each other]",
    example="The vectors AB and AC are perpendicular. => perp(A,B,A,C)",
    counter="The vectors AB and AC are particular.",
)
def vectors_perpendicular(s: State) -> tuple:
    return ("perp",)


@entry(
    "VectorVP",
    "are parallel",
    example="The vectors AB and CD are parallel. => parallel(A,B,C,D)",
    counter="The vectors AB and CD are parallels.",
)
def vectors_parallel(s: State) -> tuple:
    return ("parallel",)


@entry(
    "Clause",
    "<q:Qty> is perpendicular to <r:Qty>",
    "<q:Qty> is perpendicular to [both] <a:Qty> and [to] <r:Qty>",
    example="The vector from P to C is perpendicular to the vector AB. => perp(A,B,C,P)",
    counter="The vector from P to C is perpendicular to 5.",
)
def vector_perpendicular(s: State, q: Value, r: Value, a: Value | None = None) -> None:
    s.add(f"perp({is_vector(q)},{is_vector(r)})")
    if a:
        s.add(f"perp({is_vector(q)},{is_vector(a)})")


@entry(
    "Clause",
    "<q:Qty> is parallel to <r:Qty>",
    "<q:Qty> is a multiple of <r:Qty>",
    example="The vector from P to C is parallel to the vector AB. => parallel(A,B,C,P)",
    counter="The vector from P to C is parallel to 5.",
)
def vector_parallel(s: State, q: Value, r: Value) -> None:
    s.add(f"parallel({is_vector(q)},{is_vector(r)})")


@entry(
    "Clause",
    "<q:Qty> is a positive multiple of <r:Qty>",
    "<q:Qty> has the [same] direction (of|as) <r:Qty>",
    "<q:Qty> points in the (same direction as|direction of) <r:Qty>",
    example="The vector from P to C is a positive multiple of the vector AB. => parallel(A,B,C,P); 0 < dot(vec(A,B),vec(P,C))",
    counter="The vector from P to C is a positive multiple of 5.",
)
def positive_multiple(s: State, q: Value, r: Value) -> None:
    s.add(f"parallel({is_vector(q)},{is_vector(r)})")
    s.add(f"dot({r},{q}) > 0")


@entry(
    "Clause",
    "<q:Qty> is a negative multiple of <r:Qty>",
    "<q:Qty> (is opposite in direction to|has the opposite direction of|points in the opposite direction of) <r:Qty>",
    example="The vector from P to C is a negative multiple of the vector AB. => parallel(A,B,C,P); dot(vec(A,B),vec(P,C)) < 0",
    counter="The vector from P to C is a negative multiple of 5.",
)
def negative_multiple(s: State, q: Value, r: Value) -> None:
    s.add(f"parallel({is_vector(q)},{is_vector(r)})")
    s.add(f"dot({r},{q}) < 0")


@entry(
    "Clause",
    "<q:Qty> makes equal angles with <a:Qty> and <b:Qty>",
    "<q:Qty> (encloses|forms) equal angles with <a:Qty> and <b:Qty>",
    "<q:Qty> makes equal angles with <ps:Qtys>",
    example="The vector from A to D makes equal angles with the vector AB and the vector AC. => angle(B,A,D) == angle(C,A,D)",
    counter="The vector from A to D makes equal angles with the vector AB.",
)
def equal_angles(s: State, q: Value, a: Value | None = None, b: Value | None = None, ps: list | None = None) -> None:
    rows = ps or [a, b]
    if len(rows) != 2:
        raise Misread("two vectors")
    s.add(f"angle({is_vector(q)},{is_vector(rows[0])}) == angle({q},{is_vector(rows[1])})")


@entry(
    "Clause",
    "<q:Qty> (makes|encloses|forms) an angle of <w:Qty> with <r:Qty>",
    "<q:Qty> (makes|encloses|forms) [the] angle <w:Qty> with <r:Qty>",
    example="The vector from A to D makes an angle of 60° with the vector AB. => angle(B,A,D) == deg(60)",
    counter="The vector from A to D makes an angle of 60 with the vector AB.",
)
def vector_makes_angle(s: State, q: Value, w: Value, r: Value) -> None:
    same(s, Value(f"angle({is_vector(q)},{is_vector(r)})", "angle"), w)


@entry(
    "Qty",
    "[the|a] unit vector in the direction of <q:Qty>",
    "[the] unit vector of <q:Qty>",
    example="The vector from A to D is 3 times the unit vector in the direction of the vector AB. => vec(A,D) == 3*unit(vec(A,B))",
    counter="The vector from A to D is 3 times the unit vector.",
)
def unit_vector(s: State, q: Value) -> Value:
    return Value(f"unit({is_vector(q)})", "vec")


@entry(
    "Clause",
    "[the] points <x:Name> with <f:Formula> = <r:Formula> form a circle",
    "[the] circle consists of [all] [the] points <x:Name> with <f:Formula> = <r:Formula>",
    "a circle consists of [all] [the] points <x:Name> with <f:Formula> = <r:Formula>",
    example="The points X with |X − O| = 5 form a circle. A lies on it. => dist(A,O) == 5",
    counter="The points X with |X − O| < 5 form a circle.",
)
def circle_by_norm(s: State, x: str, f: Any, r: Any) -> None:
    start = _far_end(f, x)
    if not start or ("pts", x) in _parts(r):
        raise Misread("|X − O|")
    s.new_circle(Circle(centre=start, radius=value(r, s).text))


@entry(
    "Clause",
    "[all|the] points <x:Name> with <f:Formula> = <r:Formula> form a circle [with centre <p:Point>]",
    example="The points X with |X − A| = 2|X − B| form a circle with centre M. => M == center(apollonius(A,B,2))",
    counter="The points X with |X − A| = 2|Y − B| form a circle with centre M.",
)
def circle_by_two_norms(s: State, x: str, f: Any, r: Any, p: str = "") -> None:
    start = _far_end(f, x)
    factor, end = (r[1], _far_end(r[2], x)) if r[0] in ("juxt", "·") else (None, "")
    if not (start and end and factor[0] in ("num", "/", "group", "sqrt")):
        raise Misread("|X − A| = k|X − B|")
    _circle_of_ratio(s, f"apollonius({start},{end},{value(factor, s).text})", p)


@entry(
    "Clause",
    "[all|the] points <x:Name> with <f:Formula> : <g:Formula> = <m:Qty> : <n:Qty> form a circle [with centre <p:Point>]",
    example="The points X with |X − A| : |X − B| = 3 : 2 form a circle with centre M. => M == center(apollonius(A,B,3/2))",
    counter="The points X with |X − A| : |Y − B| = 3 : 2 form a circle with centre M.",
)
def circle_by_ratio(s: State, x: str, f: Any, g: Any, m: Value, n: Value, p: str = "") -> None:
    start, end = _far_end(f, x), _far_end(g, x)
    if not (start and end and m.type == n.type == "num"):
        raise Misread("|X − A| : |X − B| = m : n")
    _circle_of_ratio(s, f"apollonius({start},{end},{wrap(m.text)}/{wrap(n.text)})", p)


def _circle_of_ratio(s: State, locus: str, p: str) -> None:
    circle = s.new_circle(Circle(centre=f"center({locus})", radius=f"radius({locus})"))
    if p:
        circle.name_centre(s, p)


def _far_end(tree: Any, x: str) -> str:
    """P of the formula |X − P|; empty for any other formula."""
    if tree[0] != "norm" or tree[1][0] != "-" or tree[1][1] != ("pts", x) or tree[1][2][0] != "pts":
        return ""
    return tree[1][2][1] if len(tree[1][2]) == 2 else ""


def _parts(tree: Any) -> list:
    """A formula and all formulas in it."""
    return [tree, *(part for inner in tree[1:] if isinstance(inner, tuple) for part in _parts(inner))]


@entry(
    "VP",
    "(lies|lie) in the plane of <us:Qtys>",
    example="The vectors u and v lead from A to B and C. D lies in the plane of the vectors u and v. => dot(cross(vec(A,B),vec(A,C)),vec(A,D)) == 0",
    counter="D lies in the plane of the vectors.",
)
def in_plane_of(s: State, us: list) -> None:
    s.solid = True
    if len(us) != 2 or us[0].text not in s.vectors:
        raise Misread("two vectors from one point")
    start = s.vectors[us[0].text][4:].split(",")[0]
    for p in s.subject:
        s.add(f"dot(cross({us[0]},{us[1]}),vec({start},{p})) == 0")


@entry(
    "VP",
    "(is|are) perpendicular to <q:Qty>",
    example="The line AB is perpendicular to the vector CD. => perp(A,B,C,D)",
    counter="The line AB is perpendicular to 5.",
)
def line_perpendicular_to_vector(s: State, q: Value) -> None:
    for item in s.subject:
        if not isinstance(item, Line):
            raise Misread("a line")
        s.add(f"perp({item.args()},{is_vector(q)})")


@entry(
    "Curve",
    "(the|a) line through <p:Point> (parallel to|in the direction [of]|with direction) <q:Qty>",
    "(the|a) line through <p:Point> with [the] direction vector <q:Qty>",
    example="The line through A parallel to the vector BC meets DE at P. => parallel(A,P,B,C); on_segment(P,D,E)",
    counter="The line through A parallel to 5 meets DE at P.",
)
def line_with_direction(s: State, p: str, q: Value) -> Line:
    return Line("parallel", (p, Direction(is_vector(q).text)))


@entry(
    "Curve",
    "(the|a) line through <p:Point> perpendicular to <q:Qty>",
    example="The line through A perpendicular to the vector BC meets DE at P. => perp(A,P,B,C); on_segment(P,D,E)",
    counter="The line through A perpendicular to 5 meets DE at P.",
)
def line_with_normal(s: State, p: str, q: Value) -> Line:
    return Line("perp", (p, Direction(is_vector(q).text)))


@entry(
    "Attribute",
    "[the] (scalar|dot) product <q:Qty>",
    example="The vectors AB and AD have lengths 5 and 3 and scalar product 6. => dist(A,B) == 5; dist(A,D) == 3; dot(vec(A,B),vec(A,D)) == 6",
    counter="AB = 5 and scalar product 6.",
)
def has_scalar_product(s: State, q: Value) -> None:
    same(s, scalar_product(s), q)


@entry(
    "Clause",
    "<q:Qty> has [the] length <n:Qty> and the [same] direction (of|as) <r:Qty>",
    "<q:Qty> has the [same] direction (of|as) <r:Qty> and [the] length <n:Qty>",
    example="The vector from A to D has the same direction as the vector AB and length 3. => parallel(A,B,A,D); 0 < dot(vec(A,B),vec(A,D)); dist(A,D) == 3",
    counter="The vector from A to D has the same direction as the vector AB and length.",
)
def direction_and_length(s: State, q: Value, n: Value, r: Value) -> None:
    positive_multiple(s, q, r)
    vector_has_length(s, q, n)


@entry(
    "Clause",
    "<qs:Qtys> have the same direction",
    example="The vectors from A to P and from P to B have the same direction. => parallel(A,P,B,P); 0 < dot(vec(A,P),vec(P,B))",
    counter="The vectors from A to P have the same direction.",
)
def same_direction(s: State, qs: list) -> None:
    if len(qs) != 2:
        raise Misread("two vectors")
    positive_multiple(s, qs[0], qs[1])


@entry(
    "Clause",
    "<q:Qty> is <r:Qty> and has [the] length <n:Qty>",
    example="The vector from O to M is twice the vector AB and has length 4. => vec(O,M) == 2*vec(A,B); dist(O,M) == 4",
    counter="The vector from O to M is twice the vector AB and has length.",
)
def is_and_has_length(s: State, q: Value, r: Value, n: Value) -> None:
    same(s, q, r)
    vector_has_length(s, q, n)


@entry(
    "Qtys",
    "[the] unit vectors in the directions of <qs:Qtys>",
    example="The vectors u and v lead from A to B and C. The unit vectors in the directions of u and v are e and f. The vector from A to D is e + f. => unit(vec(A,B)) + unit(vec(A,C)) == vec(A,D)",
    counter="The unit vectors in the directions of AB are e and f.",
)
def unit_vectors(s: State, qs: list) -> list:
    return [unit_vector(s, q) for q in qs]


@entry(
    "Clause",
    "[the] [pairwise|mutually] perpendicular vectors <us:Named+> [of lengths <qs:Qty+>] lead from <a:Point> to <bs:Point+>",
    example="The perpendicular vectors u and v lead from A to B and C. |u| = 3. => perp(A,B,A,C); dist(A,B) == 3",
    counter="The perpendicular vectors u and v lead from A to B. |u| = 3.",
)
def lead_perpendicular(s: State, us: list, a: str, bs: list, qs: list | None = None) -> None:
    lead(s, us, a, bs)
    for i, one in enumerate(bs):
        for two in bs[i + 1 :]:
            s.add(f"perp({a},{one},{a},{two})")
    if qs:
        vectors_have_lengths(s, [vector(a, b) for b in bs], qs)


@entry(
    "Clause",
    "[the] vectors <us:Named+> , of lengths <qs:Qty+> , lead from <a:Point> to <bs:Point+>",
    "[the] vectors <us:Named+> of lengths <qs:Qty+> lead from <a:Point> to <bs:Point+>",
    example="The vectors u and v, of lengths 6 and 4, lead from A to B and C. => dist(A,B) == 6; dist(A,C) == 4",
    counter="The vectors u and v, of lengths 6 and 4, lead from A to B.",
)
def lead_with_lengths(s: State, us: list, qs: list, a: str, bs: list) -> None:
    lead(s, us, a, bs)
    vectors_have_lengths(s, [vector(a, b) for b in bs], qs)
