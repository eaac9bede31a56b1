"""Vectors: names, lengths, scalar products, multiples, points reached by vectors, position vectors."""

from __future__ import annotations

from typing import Any

from .algebra import Value, value
from .engine import Misread, entry, primitive
from .state import Circle, Line, State, same
from .tokens import Token


def _vec(a: str, b: str) -> Value:
    return Value(f"vec({a},{b})", "vec")


def _remember(s: State, rows: list) -> list:
    s.curves["vectors"] = rows
    return rows


def _is_vector(item: Value) -> Value:
    if item.type not in ("vec", "tuple"):
        raise Misread("a vector")
    return item


@entry("Qty", "[the] vector from <a:Point> to <b:Point>", example="The vector from A to B is (3, −4). => vec(A,B) == (3, -4)", counter="The vector from A is (3, −4).")
def vector_from(s: State, a: str, b: str) -> Value:
    return _vec(a, b)


@entry("Qty", "[the] vector <p:Pair>", example="The vector AB is (3, −4). => vec(A,B) == (3, -4)", counter="The vector ABC is (3, −4).")
def vector_of(s: State, p: tuple) -> Value:
    return _vec(*p)


@entry("Qty", "[the] vector <f:Formula>", example="The vectors u and v lead from A to B and C. The vector u + v has length 5. => norm(vec(A,B) + vec(A,C)) == 5", counter="The vector 5 has length 5.")
def vector_formula(s: State, f: Any) -> Value:
    return _is_vector(value(f, s, "vec"))


@entry("Qty", "[the] zero vector", example="The sum of the vectors from P to A and B is the zero vector. => vec(P,A) + vec(P,B) == (0, 0)", counter="The sum of the vectors from P to A and B is zero.")
def zero_vector(s: State) -> Value:
    return Value("(0, 0, 0)" if s.solid else "(0, 0)", "tuple", 3 if s.solid else 2)


@entry("Qty", "[the] (point) <p:Point>", example="The vectors u and v lead from A to B and C. The point D is A + 2u − v. => D == A + 2*vec(A,B) - vec(A,C)", counter="The point D is 2u.")
def point_value(s: State, p: str) -> Value:
    return Value(p, "pt")


@entry("Qtys", "[the] points <ps:Point+>", example="The vectors u and v lead from A to B and C. The points D and E are A + u/2 and A + v/3. => D == A + vec(A,B)/2; E == A + vec(A,C)/3", counter="The points D and E are A + u/2.")
def point_values(s: State, ps: list) -> list:
    return [Value(p, "pt") for p in ps]


@entry("Qtys", "[the] vectors from <a:Point> to <bs:Point+>", example="The vectors from A to B and C are (1, 2) and (3, 4). => vec(A,B) == (1, 2); vec(A,C) == (3, 4)", counter="The vectors from A to B are (1, 2) and (3, 4).")
def vectors_from_one(s: State, a: str, bs: list) -> list:
    return _remember(s, [_vec(a, b) for b in bs])


@entry("Qtys", "[the] vectors from <a:Point> to <b:Point> and [from] <c:Point> to <d:Point>", "[the] vectors from <a:Point> to <b:Point> , [from] <c:Point> to <d:Point> and [from] <e:Point> to <f:Point>", example="The vectors from A to C and B to D are perpendicular. => perp(A,C,B,D)", counter="The vectors from A to C and B are perpendicular.")
def vectors_from(s: State, a: str, b: str, c: str, d: str, e: str = "", f: str = "") -> list:
    return _remember(s, [_vec(a, b), _vec(c, d)] + ([_vec(e, f)] if e else []))


@entry("Qtys", "[the] vectors <ps:Pair+>", example="The vectors AB and CD are parallel. => parallel(A,B,C,D)", counter="The vectors AB and C are parallel.")
def vectors_named_by_points(s: State, ps: list) -> list:
    return _remember(s, [_vec(*p) for p in ps])


@entry("Qtys", "[the] vectors <fs:Formula*>", example="The vectors u and v lead from A to B and C. The vectors u + v and u − v are perpendicular. => perp(vec(A,B) + vec(A,C),vec(C,B))", counter="The vectors u and 5 are perpendicular.")
def vectors_named(s: State, fs: list) -> list:
    return _remember(s, [_is_vector(value(f, s, "vec")) for f in fs])


@entry("Qty", "[the] sum of <qs:Qtys>", example="The sum of the vectors from P to A and B is (3, 4). => vec(P,A) + vec(P,B) == (3, 4)", counter="The sum of the vectors from P to A is (3, 4).")
def sum_of_vectors(s: State, qs: list) -> Value:
    if len(qs) < 2 or any(q.type != qs[0].type for q in qs):
        raise Misread("two of a kind")
    return Value(" + ".join(q.text for q in qs), qs[0].type)


@entry("Qty", "[the] difference <f:Formula>", "[the] sum <f:Formula>", example="The vectors u and v lead from A to B and C. The difference v − u has length 5. => dist(B,C) == 5", counter="The difference has length 5.")
def difference(s: State, f: Any) -> Value:
    return value(f, s, "vec")


# ---- introducing ------------------------------------------------------------------------------------------------------

def _define(s: State, name: str, text: str) -> None:
    if name in s.vectors:
        raise Misread(f"{name} is already a vector")
    s.vectors[name] = text


@entry("Named", "<u:Small>", "<u:Small> = <c:Coords>", example="The vectors u = (1, 2) and v = (3, 4) lead from A to B and C. => vec(A,B) == (1, 2); vec(A,C) == (3, 4)", counter="The vectors u = 5 and v lead from A to B and C.")
def named(s: State, u: str, c: Any = None) -> tuple:
    return u, str(value(c, s)) if c else ""


@entry("Clause", "[the] (vector|vectors) <us:Named*> (lead|leads|go|goes|run|runs|point|points) from <a:Point> to <bs:Point*>", "<us:Named*> (lead|leads) from <a:Point> to <bs:Point*>", "[the] (vector|vectors) <us:Named*> (lead|leads) from <a:Point> to [the points] <bs:Point*> respectively",
       example="The vectors u and v lead from A to B and C. |u| = 3. => dist(A,B) == 3", counter="The vectors u and v lead from A to B. |u| = 3.")
def lead(s: State, us: list, a: str, bs: list) -> None:
    if len(us) != len(bs):
        raise Misread("as many ends as vectors")
    for (name, comps), b in zip(us, bs):
        _define(s, name, f"vec({a},{b})")
        if comps:
            s.add(f"vec({a},{b}) == {comps}")
    _remember(s, [Value(name, "vec") for name, _ in us])


@entry("Clause", "[the] (vector|vectors) <us:Named*> (lead|leads) from <as_:Point*> to <bs:Point*> , respectively", "[the] (vector|vectors) <us:Small+> lead from <p:Point> to <q:Point> and from <c:Point> to <d:Point>", "[the] vector <us:Small*> leads from <p:Point> to <q:Point> and [the vector] <vs:Small*> [leads] from <c:Point> to <d:Point>",
       example="The vectors u and v lead from A to B and from C to D. |u| = 3 and |v| = 4. => dist(A,B) == 3; dist(C,D) == 4", counter="The vectors u and v lead from A to B and from C.")
def lead_from_each(s: State, us: list, as_: list | None = None, bs: list | None = None, p: str = "", q: str = "", c: str = "", d: str = "", vs: list | None = None) -> None:
    names = [u[0] if isinstance(u, tuple) else u for u in us] + (vs or [])
    starts, ends = (as_ or [p, c]), (bs or [q, d])
    if not len(names) == len(starts) == len(ends):
        raise Misread("as many ends as vectors")
    for name, a, b in zip(names, starts, ends):
        _define(s, name, f"vec({a},{b})")


@entry("Clause", "[let] <u:Small> (be|denote|is|=) [the] vector from <a:Point> to <b:Point>", "[let] <u:Small> (be|denote|is|=) [the] vector <p:Pair>", "<u:Small> [be] the vector from <a:Point> to <b:Point>", "<u:Small> the vector <p:Pair>", "[the] vector <u:Small> from <a:Point> to <b:Point>",
       example="Let u be the vector from A to B and v the vector from A to C. |u| = 3. => dist(A,B) == 3", counter="Let u be the vector from A and v the vector from A to C.")
def let_vector(s: State, u: str, a: str = "", b: str = "", p: tuple = ()) -> None:
    _define(s, u, f"vec({a or p[0]},{b or p[1]})")


@entry("Clause", "<qs:Qtys> are <us:Named+>", example="The vectors from A to B and from A to C are u = (4, 1) and v = (1, 3). => vec(A,B) == (4, 1); vec(A,C) == (1, 3)", counter="The vectors from A to B and from A to C are u = (4, 1).")
def vectors_are_named(s: State, qs: list, us: list) -> None:
    if len(qs) != len(us) or not any(comps for _, comps in us):
        raise Misread("as many names as vectors")
    for q, (name, comps) in zip(qs, us):
        _is_vector(q)
        if name in s.vectors:
            s.add(f"{q} == {name}")
        else:
            _define(s, name, q.text)
        if comps:
            s.add(f"{q} == {comps}")


@entry("Clause", "<q:Qty> (is|=) <u:Named>", example="The vector from A to B is u = (4, 1). => vec(A,B) == (4, 1)", counter="The vector from A to B is u = 4.")
def vector_is_named(s: State, q: Value, u: tuple) -> None:
    if not u[1]:
        raise Misread("read elsewhere")
    vectors_are_named(s, [q], [u])


@entry("Clause", "relative to [the] [origin|point] <o:Name>", "with respect to [the] [origin|point] <o:Name>", "relative to <o:Name> as origin", example="Relative to the origin O, the points A and B have position vectors a and b. |a| = 3. => dist(A,O) == 3", counter="Relative to the origin OP, A has position vector a.")
def relative(s: State, o: str) -> None:
    s.origin = o


@entry("VP", "(has|have) [the] position (vector|vectors) <fs:Formula*> [relative to [the] [origin|point] <o:Name>|with respect to [the] [origin|point] <o:Name>]", example="The points A and B have the position vectors a and b relative to O. |a| = 3. => dist(A,O) == 3", counter="The points A and B have the position vectors a relative to O.")
def position_vectors(s: State, fs: list, o: str = "") -> None:
    points = [x for x in s.subject if isinstance(x, str)]
    if len(points) != len(fs):
        raise Misread("as many vectors as points")
    s.origin = o or s.origin
    for p, f in zip(points, fs):
        item = value(f, s, "vec")
        if item.type == "tuple" and not s.origin:
            s.add(f"{p} == {item}")
            continue
        if not s.origin:
            s.curves.setdefault("waiting position", []).append((p, f))  # type: ignore[union-attr]
            s.add(f"vec(origin,{p}) == {_is_vector(item)}")
            continue
        if f[0] == "var" and f[1] not in s.vectors:
            _define(s, f[1], f"vec({s.origin},{p})")
        else:
            s.add(f"vec({s.origin},{p}) == {_is_vector(item)}")


@entry("Clause", "[the] position vectors of <ps:Point+> [relative to [the] [origin|point] <o:Name>] are <fs:Formula+>", "[the] position vector of <ps:Point*> [relative to [the] [origin|point] <o:Name>] is <fs:Formula*>", example="The position vectors of A and B relative to O are a and b. |a| = 3. => dist(A,O) == 3", counter="The position vectors of A and B are a.")
def position_vectors_of(s: State, ps: list, fs: list, o: str = "") -> None:
    s.subject = ps
    position_vectors(s, fs, o)


@entry("Clause", "<p:Dot> is reached from <a:Point> by [the] [vector] <q:Qty>", "[the] point <p:Dot> is reached from <a:Point> by [the] [vector] <q:Qty>", "(going|starting) from <a:Point> by [the] [vector] <q:Qty> (leads to|gives) <p:Point>",
       example="The vectors u and v lead from A to B and C. The point D is reached from A by the vector (2u + v)/3. => vec(A,D) == (2*vec(A,B) + vec(A,C))/3", counter="The point D is reached from A by the vector 3.")
def reached(s: State, p: str, a: str, q: Value) -> None:
    s.add(f"vec({a},{p}) == {_is_vector(q)}")


@entry("Clause", "[the] [point] <p:Dot> is <a:Name> + <t:Multiple> for (a|some) number t with 0 LT t LT 1", "[the] [point] <p:Dot> is <a:Name> + <t:Multiple> with 0 LT t LT 1",
       example="The vectors u and v lead from A to B and C. The point P is A + tu for a number t with 0 < t < 1. => on_segment(P,A,B)", counter="The point P is A + tu.")
def on_parameter_segment(s: State, p: str, a: str, t: Value) -> None:
    s.add(f"on_segment({p},{a},{a} + ({t}))")


@entry("Clause", "[the] [point] <p:Dot> is <a:Name> + <t:Multiple> for (a|some) (positive number t|number t GT 0)",
       example="The vectors u and v lead from A to B and C. The point P is A + tu for a positive number t. => on_ray(P,A,B)", counter="The point P is A + tu.")
def on_parameter_ray(s: State, p: str, a: str, t: Value) -> None:
    s.add(f"on_ray({p},{a},{a} + ({t}))")


@entry("Clause", "[the] [point] <p:Dot> is <a:Name> + <t:Multiple> for (a|some) number t",
       example="The vectors u and v lead from A to B and C. The point P is A + tu for a number t. => on_line(P,A,B)", counter="The point P is A + tu.")
def on_parameter_line(s: State, p: str, a: str, t: Value) -> None:
    s.add(f"on_line({p},{a},{a} + ({t}))")


@primitive("Scaled")
def read_scaled(tokens: list[Token], at: int) -> list[tuple[int, Any]]:
    """`tu`: the number t times the vector u."""
    if at < len(tokens) and tokens[at].kind == "word" and len(tokens[at].text) == 2 and tokens[at].text[0] == "t":
        return [(at + 1, ("var", tokens[at].text[1]))]
    return []


@entry("Multiple", "<f:Scaled>", "t <f:Formula>", example="The vectors u and v lead from A to B and C. The point P is B + t(v − u) for a number t. => on_line(P,B,C)", counter="The point P is B + t5 for a number t.")
def multiple(s: State, f: Any) -> Value:
    return _is_vector(value(f, s, "vec"))


# ---- facts ------------------------------------------------------------------------------------------------------------

@entry("Qty", "[the] (length|magnitude|norm) of <q:Qty>", example="The length of the vector from A to B is 5. => dist(A,B) == 5", counter="The length of the angle ABC is 5.")
def norm_of(s: State, q: Value) -> Value:
    return Value(f"norm({_is_vector(q)})", "num")


@entry("Clause", "<q:Qty> has [the] (length|magnitude) <n:Qty>", example="The vector from A to B has length 5. => dist(A,B) == 5", counter="Angle ABC has length 5.")
def vector_has_length(s: State, q: Value, n: Value) -> None:
    same(s, Value(f"norm({_is_vector(q)})", "num"), n)


@entry("Clause", "<qs:Qtys> have [the] (lengths|magnitudes) <ns:Qty+>", example="The vectors AB and AC have lengths 3 and 4. => dist(A,B) == 3; dist(A,C) == 4", counter="The vectors AB and AC have lengths 3, 4 and 5.")
def vectors_have_lengths(s: State, qs: list, ns: list) -> None:
    if len(qs) != len(ns):
        raise Misread("as many lengths as vectors")
    for q, n in zip(qs, ns):
        same(s, Value(f"norm({_is_vector(q)})", "num"), n)


@entry("Clause", "<qs:Qtys> [both|each|all] have [the] length <n:Qty>", example="The vectors AB and AC have length 3. => dist(A,B) == 3; dist(A,C) == 3", counter="The vectors AB and AC have length 3°.")
def vectors_have_length(s: State, qs: list, n: Value) -> None:
    vectors_have_lengths(s, qs, [n] * len(qs))


@entry("Qty", "[the] (scalar|dot) product of <qs:Qtys>", "[the] (scalar|dot) product <f:Formula>", "their (scalar|dot) product", example="The scalar product of the vectors AB and AC is 6. => dot(vec(A,B),vec(A,C)) == 6", counter="The scalar product of the vectors AB is 6.")
def scalar_product(s: State, qs: list | None = None, f: Any = None) -> Value:
    if f:
        return value(f, s, "vec")
    rows = qs or s.curves.get("vectors", [])
    if len(rows) != 2:
        raise Misread("two vectors")
    return Value(f"dot({_is_vector(rows[0])},{_is_vector(rows[1])})", "num")


@entry("Qty", "[the] angle between <qs:Qtys>", "the angle between them", example="The angle between the vectors AB and CD is 60°. => angle(vec(A,B),vec(C,D)) == deg(60)", counter="The angle between the vectors AB is 60°.")
def angle_between(s: State, qs: list | None = None) -> Value:
    rows = qs or s.curves.get("vectors", [])
    if len(rows) != 2:
        raise Misread("two vectors")
    return Value(f"angle({_is_vector(rows[0])},{_is_vector(rows[1])})", "angle")


@entry("Clause", "<qs:Qtys> <v:VectorVP>", "they <v:VectorVP>", "<v:VectorVP>", example="The vectors AB and AC enclose an angle of 60°. => angle(B,A,C) == deg(60)", counter="The vectors AB and AC enclose an angle of 60.")
def vectors_do(s: State, v: Any, qs: list | None = None) -> None:
    rows = qs or s.curves.get("vectors", [])
    for item in rows:
        _is_vector(item)
    if len(rows) < 2:
        raise Misread("two vectors")
    if v[0] == "lengths":
        lengths = v[1] if len(v[1]) > 1 else v[1] * len(rows)
        if len(lengths) != len(rows):
            raise Misread("as many lengths as vectors")
        for item, size in zip(rows, lengths):
            same(s, Value(f"norm({item})", "num"), size)
    elif v[0] == "angle":
        same(s, Value(f"angle({rows[0]},{rows[1]})", "angle"), v[1])
    else:
        for i, one in enumerate(rows):
            for two in rows[i + 1:]:
                s.add(f"{v[0]}({one},{two})")


@entry("VectorVP", "(enclose|form|make) an angle of <q:Qty>", example="The vectors AB and AC form an angle of 60°. => angle(B,A,C) == deg(60)", counter="The vectors AB and AC form an angle.")
def enclose(s: State, q: Value) -> tuple:
    return "angle", q


@entry("VectorVP", "have [the] (length|lengths) <qs:Qty*>", example="The vectors u and v lead from A to B and C. They have lengths 3 and 4. => dist(A,B) == 3; dist(A,C) == 4", counter="The vectors u and v lead from A to B and C. They have lengths 3, 4 and 5.")
def lengths_of_vectors(s: State, qs: list) -> tuple:
    return "lengths", qs


@entry("VectorVP", "are [pairwise] perpendicular [to each other]", example="The vectors AB and AC are perpendicular. => perp(A,B,A,C)", counter="The vectors AB and AC are particular.")
def vectors_perpendicular(s: State) -> tuple:
    return ("perp",)


@entry("VectorVP", "are parallel", example="The vectors AB and CD are parallel. => parallel(A,B,C,D)", counter="The vectors AB and CD are parallels.")
def vectors_parallel(s: State) -> tuple:
    return ("parallel",)


@entry("Clause", "<q:Qty> is perpendicular to <r:Qty>", "<q:Qty> is perpendicular to <a:Qty> and [to] <r:Qty>", example="The vector from P to C is perpendicular to the vector AB. => perp(A,B,C,P)", counter="The vector from P to C is perpendicular to 5.")
def vector_perpendicular(s: State, q: Value, r: Value, a: Value | None = None) -> None:
    s.add(f"perp({_is_vector(q)},{_is_vector(r)})")
    if a:
        s.add(f"perp({_is_vector(q)},{_is_vector(a)})")


@entry("Clause", "<q:Qty> is parallel to <r:Qty>", "<q:Qty> is a multiple of <r:Qty>", example="The vector from P to C is parallel to the vector AB. => parallel(A,B,C,P)", counter="The vector from P to C is parallel to 5.")
def vector_parallel(s: State, q: Value, r: Value) -> None:
    s.add(f"parallel({_is_vector(q)},{_is_vector(r)})")


@entry("Clause", "<q:Qty> is a positive multiple of <r:Qty>", "<q:Qty> has the [same] direction (of|as) <r:Qty>", "<q:Qty> points in the (same direction as|direction of) <r:Qty>", example="The vector from P to C is a positive multiple of the vector AB. => parallel(A,B,C,P); 0 < dot(vec(A,B),vec(P,C))", counter="The vector from P to C is a positive multiple of 5.")
def positive_multiple(s: State, q: Value, r: Value) -> None:
    s.add(f"parallel({_is_vector(q)},{_is_vector(r)})")
    s.add(f"dot({r},{q}) > 0")


@entry("Clause", "<q:Qty> is a negative multiple of <r:Qty>", "<q:Qty> (is opposite in direction to|has the opposite direction of|points in the opposite direction of) <r:Qty>", example="The vector from P to C is a negative multiple of the vector AB. => parallel(A,B,C,P); dot(vec(A,B),vec(P,C)) < 0", counter="The vector from P to C is a negative multiple of 5.")
def negative_multiple(s: State, q: Value, r: Value) -> None:
    s.add(f"parallel({_is_vector(q)},{_is_vector(r)})")
    s.add(f"dot({r},{q}) < 0")


@entry("Clause", "<q:Qty> makes equal angles with <a:Qty> and <b:Qty>", "<q:Qty> (encloses|forms) equal angles with <a:Qty> and <b:Qty>", "<q:Qty> makes equal angles with <ps:Qtys>", example="The vector from A to D makes equal angles with the vector AB and the vector AC. => angle(B,A,D) == angle(C,A,D)", counter="The vector from A to D makes equal angles with the vector AB.")
def equal_angles(s: State, q: Value, a: Value | None = None, b: Value | None = None, ps: list | None = None) -> None:
    rows = ps or [a, b]
    if len(rows) != 2:
        raise Misread("two vectors")
    s.add(f"angle({_is_vector(q)},{_is_vector(rows[0])}) == angle({q},{_is_vector(rows[1])})")


@entry("Clause", "<q:Qty> (makes|encloses|forms) an angle of <w:Qty> with <r:Qty>", "<q:Qty> (makes|encloses|forms) [the] angle <w:Qty> with <r:Qty>", example="The vector from A to D makes an angle of 60° with the vector AB. => angle(B,A,D) == deg(60)", counter="The vector from A to D makes an angle of 60 with the vector AB.")
def vector_makes_angle(s: State, q: Value, w: Value, r: Value) -> None:
    same(s, Value(f"angle({_is_vector(q)},{_is_vector(r)})", "angle"), w)


@entry("Qty", "[the|a] unit vector in the direction of <q:Qty>", "[the] unit vector of <q:Qty>", example="The vector from A to D is 3 times the unit vector in the direction of the vector AB. => vec(A,D) == 3*unit(vec(A,B))", counter="The vector from A to D is 3 times the unit vector.")
def unit_vector(s: State, q: Value) -> Value:
    return Value(f"unit({_is_vector(q)})", "vec")


@entry("Clause", "[the] points <x:Name> with <f:Formula> = <r:Formula> form a circle", "[the] circle consists of [all] [the] points <x:Name> with <f:Formula> = <r:Formula>", "a circle consists of [all] [the] points <x:Name> with <f:Formula> = <r:Formula>", example="The points X with |X − O| = 5 form a circle. A lies on it. => dist(A,O) == 5", counter="The points X with |X − O| < 5 form a circle.")
def circle_by_norm(s: State, x: str, f: Any, r: Any) -> None:
    if f[0] != "norm" or f[1][0] != "-" or f[1][1] != ("pts", x) or f[1][2][0] != "pts" or len(f[1][2]) != 2:
        raise Misread("|X − O|")
    size = value(r, s)
    s.new_circle(Circle(centre=f[1][2][1], radius=size.text))


@entry("VP", "(lies|lie) in the plane of <us:Qtys>", example="The vectors u and v lead from A to B and C. D lies in the plane of the vectors u and v. => dot(cross(vec(A,B),vec(A,C)),vec(A,D)) == 0", counter="D lies in the plane of the vectors.")
def in_plane_of(s: State, us: list) -> None:
    s.solid = True
    if len(us) != 2 or us[0].text not in s.vectors:
        raise Misread("two vectors from one point")
    start = s.vectors[us[0].text][4:].split(",")[0]
    for p in s.subject:
        s.add(f"dot(cross({us[0]},{us[1]}),vec({start},{p})) == 0")


@entry("VP", "(is|are) perpendicular to <q:Qty>", example="The line AB is perpendicular to the vector CD. => perp(A,B,C,D)", counter="The line AB is perpendicular to 5.")
def line_perpendicular_to_vector(s: State, q: Value) -> None:
    for item in s.subject:
        if not isinstance(item, Line):
            raise Misread("a line")
        s.add(f"perp({item.args()},{_is_vector(q)})")


@entry("Curve", "(the|a) line through <p:Point> (parallel to|in the direction of|with direction) <q:Qty>", "(the|a) line through <p:Point> with [the] direction vector <q:Qty>", example="The line through A parallel to the vector BC meets DE at P. => parallel(A,P,B,C); on_segment(P,D,E)", counter="The line through A parallel to 5 meets DE at P.")
def line_with_direction(s: State, p: str, q: Value) -> Line:
    from .coordinates import _Direction
    return Line("parallel", (p, _Direction(_is_vector(q).text)))


@entry("Curve", "(the|a) line through <p:Point> perpendicular to <q:Qty>", example="The line through A perpendicular to the vector BC meets DE at P. => perp(A,P,B,C); on_segment(P,D,E)", counter="The line through A perpendicular to 5 meets DE at P.")
def line_with_normal(s: State, p: str, q: Value) -> Line:
    from .coordinates import _Direction
    return Line("perp", (p, _Direction(_is_vector(q).text)))
